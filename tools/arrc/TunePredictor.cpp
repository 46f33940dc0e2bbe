//===- TunePredictor.cpp - What schedules should take ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TunePredictor.h"

#include "Console.h"
#include "Findings.h"
#include "HostValue.h"
#include "Output.h"
#include "Runner.h"
#include "Target.h"
#include "Words.h"

#include "Run/Expression.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;

/// The size of what no argument says.
static constexpr int64_t unknownSize = 4096;

TunePredictor::TunePredictor(StringRef file, ArrayRef<std::string> words)
    : file(file), words(words) {
  auto add = [&](StringRef word) {
    auto [name, value] = word.split('=');
    if (!word.starts_with("-") && !value.empty())
      arguments[name.str()] = value.str();
  };
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (word.consume_front("--entry="))
      entry = word.str();
    else if (word == "--entry" && i + 1 < words.size())
      entry = words[++i];
    else
      add(word);
  }
  // What is to be measured may stand in the program: the first case speaks for
  // all.
  std::vector<TaggedLine> lines;
  if (!arguments.empty() || !readTagged(file, "bench", lines) || lines.empty())
    return;
  for (const std::string &word : splitWords(lines.front().text)) {
    if (!StringRef(word).contains('='))
      entry = word;
    add(word);
  }
}

/// The sizes of a value of the command line.
static std::vector<int64_t> sizesOf(StringRef text) {
  if (text.consume_front("@")) {
    HostValue value;
    return loadValue(text, value).empty() ? value.shape
                                          : std::vector<int64_t>();
  }
  arrt::Value value;
  std::vector<int64_t> sizes;
  if (!arrt::evaluate(text.str(), ARRT_F64, {}, value).empty() ||
      !arrt::listSizes(value, sizes).empty())
    sizes.clear();
  return sizes;
}

void TunePredictor::noteSizes(mlir::ModuleOp module) {
  isNoted = true;
  for (const auto &[name, text] : arguments) {
    arrt::Value value;
    if (text[0] != '@' && arrt::evaluate(text, ARRT_I64, {}, value).empty() &&
        value.kind == arrt::Value::Int)
      sizes[name] = int64_t(value.integer);
  }
  module.walk([&](mlir::func::FuncOp function) {
    auto params = function->getAttrOfType<mlir::ArrayAttr>("arrc.params");
    for (mlir::Attribute param :
         params ? params.getValue() : ArrayRef<mlir::Attribute>()) {
      auto about = dyn_cast<mlir::DictionaryAttr>(param);
      auto name = about ? about.getAs<mlir::StringAttr>("name") : nullptr;
      auto dims = about ? about.getAs<mlir::ArrayAttr>("dims") : nullptr;
      auto given = name ? arguments.find(name.str()) : arguments.end();
      if (!dims || dims.empty() || given == arguments.end())
        continue;
      std::vector<int64_t> shape = sizesOf(given->second);
      for (auto [dim, size] : zip(dims, shape))
        if (auto text = dyn_cast<mlir::StringAttr>(dim))
          sizes[text.str()] = size;
    }
  });
}

std::optional<double> TunePredictor::predict(StringRef schedules) {
  // What cannot be compiled is said when it is measured.
  std::string said;
  raw_string_ostream os(said);
  ConsoleCapture capture(os);
  UnnamedFile text;
  if (text.isMissing() || text.write(schedules))
    return std::nullopt;
  std::vector<std::string> all = words;
  all.push_back(("--schedule=" + text.getPath()).str());
  CommandLine line;
  if (parseWords("run", file, all, line))
    return std::nullopt;
  std::optional<Target> target = findRunTarget(line);
  if (!target || !target->options.isDevice())
    return std::nullopt;
  Timer timer;
  Compiler compiler(line, target->options, timer);
  if (compiler.load())
    return std::nullopt;
  if (!isNoted)
    noteSizes(compiler.module());
  if (compiler.lowerTo(Level::GPU))
    return std::nullopt;
  auto device = kernel::DeviceAttr::get(compiler.module());
  if (!device)
    return std::nullopt;
  ProgramReport program;
  for (auto function : compiler.module().getOps<mlir::func::FuncOp>()) {
    if (!function->hasAttr("arrc.export") ||
        (!entry.empty() && function.getName() != entry))
      continue;
    lanes::HostWay way(function, [&](StringRef name) -> std::optional<int64_t> {
      auto known = sizes.find(name.str());
      return known == sizes.end() ? unknownSize : known->second;
    });
    report(way, device, program);
  }
  double seconds = 0;
  for (const KernelReport &kernel : program.kernels) {
    if (!kernel.estimate)
      return std::nullopt;
    seconds += kernel.estimate->seconds;
  }
  return program.kernels.empty() ? std::nullopt : std::optional(seconds);
}
