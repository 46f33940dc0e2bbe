//===- Doctor.cpp - arrc doctor -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What the compiler needs of a machine, one line each, and below a line of what
// is missing how to mend it. Only what every program needs makes the exit code.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "Verbs.h"

#include "arrc/Version.h"
#include "arrt/arrt.h"

#include "Core/Cache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <cstdlib>

using namespace llvm;
using namespace arrc::tool;

namespace {
/// What was found, and what it means.
enum class State { Good, Without, Missing };

class Report {
public:
  void add(State state, StringRef what, const Twine &found,
           const Twine &help = "") {
    static constexpr StringLiteral words[] = {"ok", "--", "no"};
    outs() << left_justify(words[int(state)], 4) << left_justify(what, 12)
           << found << '\n';
    if (std::string text = help.str(); state != State::Good && !text.empty())
      outs() << "    help: " << text << '\n';
    isWell &= state != State::Missing;
  }
  bool isWell = true;
};
} // namespace

static void reportDevices(Report &report) {
  std::vector<arrt_device_info> infos(64);
  int32_t count = arrt_devices(infos.data(), int32_t(infos.size()));
  infos.resize(std::min<size_t>(infos.size(), size_t(count)));
  for (const arrt_device_info &info : infos) {
    std::string target = arrt_target_name(info.target);
    if (info.target == ARRT_TARGET_CPU)
      continue;
    if (info.device >= 0)
      target += ":" + std::to_string(info.device);
    // A machine without a card is as well as one with it.
    if (*info.problem)
      report.add(State::Without, target,
                 (*info.name ? Twine(info.name) + ": " : Twine("")) +
                     info.problem,
                 info.remedy);
    else
      report.add(State::Good, target,
                 Twine(info.name) + ", " + info.arch + ", " +
                     Twine(info.memory >> 20) + " MiB");
  }
}

static void reportCache(Report &report) {
  std::string folder = arrt::cacheFolder();
  const char *asked = std::getenv("ARRC_CACHE");
  if (folder.empty()) {
    report.add(State::Without, "cache",
               "none: every program is compiled each time",
               asked && *asked ? "unset ARRC_CACHE"
                               : "set HOME, or ARRC_CACHE to a folder");
    return;
  }
  arrt::Cache cache(folder);
  if (!cache.isUsable()) {
    report.add(State::Without, "cache", folder + " is not used",
               "make it a folder that only you may write to");
    return;
  }
  uint64_t bytes = 0;
  unsigned files = 0;
  std::error_code error;
  for (sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error))
    if (auto status = it->status()) {
      bytes += status->getSize();
      ++files;
    }
  report.add(State::Good, "cache",
             folder + ", " + Twine(files) + " entries, " + Twine(bytes >> 20) +
                 " MiB");
}

static void reportLinking(Report &report) {
  std::string found;
  for (StringRef name : {"cc", "clang", "gcc"})
    if (auto path = sys::findProgramByName(name)) {
      found = *path;
      break;
    }
  if (found.empty())
    report.add(
        State::Without, "linker",
        "no C compiler: 'arrc run' works, 'arrc build' makes no programs",
        "install clang or gcc (Debian: apt-get install clang)");
  else
    report.add(State::Good, "linker", found);
  static int anchor;
  SmallString<256> folder(sys::fs::getMainExecutable("arrc", &anchor));
  sys::path::remove_filename(folder);
  sys::path::remove_filename(folder);
  for (StringRef lib :
       {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"}) {
    SmallString<256> path(folder);
    sys::path::append(path, lib, "libarrt_main.a");
    if (sys::fs::exists(path))
      return report.add(State::Good, "runtime", path.str());
  }
  report.add(State::Missing, "runtime",
             "libarrt_main.a is not in lib beside the folder of this program",
             "build all (ninja -C build/dev), or install with 'cmake "
             "--install'");
}

int arrc::tool::doctor(const CommandLine &line) {
  if (!line.rest.empty())
    return complain(WrongUse, "unexpected '" + line.rest.front() + "'",
                    "write arrc doctor");
  Report report;
  report.add(State::Good, "compiler", ARRC_COMPILER);
  StringMap<bool> features = sys::getHostCPUFeatures();
  std::string vectors;
  for (StringRef name : {"avx512f", "avx2", "neon", "sse4.2"})
    if (features.lookup(name) && vectors.empty())
      vectors = ", " + name.str();
  report.add(State::Good, "processor",
             sys::getHostCPUName() + ", " +
                 Twine(hardware_concurrency().compute_thread_count()) +
                 " threads" + vectors);
  reportDevices(report);
  reportCache(report);
  reportLinking(report);
  for (StringRef name :
       {"ARRC_TARGET", "ARRC_THREADS", "ARRC_MEMORY", "ARRC_POOL",
        "ARRC_CUDA_LIBRARY", "ARRC_OPENCL_LIBRARY", "ARRC_HALVES"})
    if (const char *value = std::getenv(name.str().c_str()))
      report.add(State::Good, "environment", name + "=" + value);
  return report.isWell ? Done : NoDevice;
}
