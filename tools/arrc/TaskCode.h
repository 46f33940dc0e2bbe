//===- TaskCode.h - Tasks that are compiled when they start -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_TASKCODE_H
#define ARRC_TOOLS_ARRC_TASKCODE_H

#include "ObjectCache.h"

#include "arrc/Target/CPU/CPU.h"

#include <array>
#include <map>
#include <mutex>

namespace arrc::tool {

/// The parallel loops of a program that runs in memory on a CPU. A launch has
/// one for each version, of which a call takes one: a loop is compiled when it
/// first starts. What was compiled is kept in the cache.
class TaskCode {
public:
  explicit TaskCode(ObjectCache &cache) : cache(cache) {}

  /// What is not compiled yet, in the form that cpu::compile gave it.
  std::string code;

  /// What the program needs to ask for its tasks.
  std::array<cpu::Symbol, 2> getSymbols();
  /// Where the program is, and for what it was compiled.
  void start(cpu::JIT &program, const cpu::CodeGenOptions &how);
  /// What all tasks together took, in milliseconds.
  double getMilliseconds() const { return milliseconds; }

private:
  static void *ask(void *self, int32_t number);
  void *make(int32_t number);
  bool compile(int32_t number, std::string &object, std::string &problem);

  ObjectCache &cache;
  cpu::JIT *jit = nullptr;
  cpu::CodeGenOptions options;
  std::mutex mutex;
  std::map<int32_t, void *> known;
  double milliseconds = 0;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_TASKCODE_H
