//===- Target.cpp - Which device a program is compiled for ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Target.h"
#include "Compiler.h"
#include "Console.h"

#include "arrt/arrt.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

/// The architecture that every supported card runs, as PTX is compiled by the
/// driver; launches are planned for a large card all the same.
static constexpr StringLiteral baseline = "sm_75";
static constexpr int64_t baselineUnits = 132;
/// The last one that the code generator knows: later cards run its PTX.
static constexpr int32_t latest = 121;

/// The facts of a device that code is made for.
static TargetOptions optionsOf(const arrt_device_info &info) {
  TargetOptions options;
  options.name = arrt_target_name(info.target);
  options.device = info.name;
  auto has = [&](uint32_t feature) {
    return int64_t((info.features & feature) != 0);
  };
  auto fact = [&](const char *name, int64_t value) {
    if (value > 0)
      options.facts.push_back({name, value});
  };
  fact("units", info.units);
  fact("memory_bytes", info.memory);
  if (info.target == ARRT_TARGET_CUDA) {
    // Code for this very card: blocks may wait for each other.
    fact("unit_threads", info.unit_threads);
    fact("resident_units", info.units);
    fact("resident_shared", info.shared_unit);
    options.arch = "sm_" + std::to_string(std::min(info.compute, latest));
    return options;
  }
  // Work-groups of 256 suit all; more only helps kernels that share much.
  fact("max_threads", std::min<int64_t>(info.max_threads, 256));
  fact("shared_bytes", info.shared_memory);
  options.facts.push_back({"f64", has(ARRT_FEATURE_F64)});
  options.facts.push_back({"f16", has(ARRT_FEATURE_F16)});
  options.facts.push_back({"int64_atomics", has(ARRT_FEATURE_I64_ATOMICS)});
  options.facts.push_back({"exact_f32", has(ARRT_FEATURE_EXACT_F32)});
  return options;
}

std::string Target::getKey() const {
  std::string text = options.name + " " + options.arch + " " + options.device;
  for (auto &[name, value] : options.facts)
    text += " " + name + "=" + std::to_string(value);
  return text;
}

/// What the command line says of a device stands before what it says itself.
static void addFacts(Target &target, const CommandLine &line) {
  if (!target.options.isDevice()) {
    if (line.isInParts())
      target.options.facts.push_back({"parts", 1});
    return;
  }
  auto add = [&](const std::pair<std::string, int64_t> &fact) {
    erase_if(target.options.facts,
             [&](const auto &known) { return known.first == fact.first; });
    target.options.facts.push_back(fact);
  };
  // Blocks of several devices do not wait for each other, and the last one does
  // not know that it is the last.
  if (line.isInParts())
    for (auto [name, value] :
         {std::pair("parts", 1), {"ordered_blocks", 0}, {"resident_units", 0}})
      add({name, value});
  for (const auto &fact : line.facts)
    add(fact);
}

/// Looks for device `number` of a kind.
static std::optional<Target> findDevice(int32_t kind, int32_t number,
                                        const CommandLine &line) {
  arrt_device_info info = {};
  if (arrt_device_facts(kind, number, &info)) {
    complain(4,
             "there is no device '" + Twine(arrt_target_name(kind)) + ":" +
                 Twine(number) + "': " + info.problem,
             info.remedy);
    return std::nullopt;
  }
  Target target;
  target.options = optionsOf(info);
  target.device =
      std::string(arrt_target_name(kind)) + ":" + std::to_string(number);
  if (!line.arch.empty() && line.arch != "native")
    target.options.arch = line.arch;
  addFacts(target, line);
  return target;
}

static Target findCPU(const CommandLine &line) {
  Target target;
  addFacts(target, line);
  return target;
}

/// `auto`: the first CUDA card, else the CPU.
static Target findAny(const CommandLine &line) {
  arrt_device_info info = {};
  if (!arrt_device_facts(ARRT_TARGET_CUDA, 0, &info))
    if (auto target = findDevice(ARRT_TARGET_CUDA, 0, line))
      return *target;
  if (line.target == "auto")
    console() << "note: there is no CUDA device (" << info.problem
              << "): the program runs on the CPU\n";
  return findCPU(line);
}

std::optional<Target> arrc::tool::findRunTarget(const CommandLine &line) {
  if (line.target.empty() || line.target == "auto")
    return findAny(line);
  int32_t kind = 0, number = 0;
  arrt_parse_target(line.target.c_str(), &kind, &number);
  if (kind == ARRT_TARGET_CPU)
    return findCPU(line);
  return findDevice(kind, number, line);
}

std::optional<Target> arrc::tool::findBuildTarget(const CommandLine &line) {
  if (line.target == "auto")
    return findAny(line);
  Target target;
  int32_t kind = 0, number = 0;
  if (!line.target.empty())
    arrt_parse_target(line.target.c_str(), &kind, &number);
  if (kind == ARRT_TARGET_CPU)
    return findCPU(line);
  if (line.arch == "native")
    return findDevice(kind, number, line);
  target.options.name = arrt_target_name(kind);
  if (kind == ARRT_TARGET_CUDA) {
    target.options.arch = line.arch.empty() ? baseline.str() : line.arch;
    if (line.arch.empty())
      target.options.facts.push_back({"units", baselineUnits});
  }
  addFacts(target, line);
  return target;
}
