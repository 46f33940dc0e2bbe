//===- Watch.h - Runs that are seen between steps ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_WATCH_H
#define ARRC_TOOLS_ARRC_WATCH_H

#include "CommandLine.h"
#include "Series.h"

#include <list>
#include <string>
#include <vector>

namespace arrc::tool {

/// Calls an export that `arr-step-time-loops` took apart, as many steps at a
/// time as show how far it is, writes what is asked for in between, and ends
/// early when the process is interrupted.
class Watch {
public:
  /// `program` is made of such parts; it stays as it is.
  Watch(const CommandLine &line, const arrt_program &program);

  /// A program of which the exports are whole again, to be called by `call`.
  const arrt_program *table() const { return &whole; }
  /// Whether an export of `table` has a time loop that is stepped.
  bool isStepped(const arrt_entry &entry) const;
  /// Has arrays written every so many steps, and behind the last. They were
  /// checked.
  void setOutputs(std::vector<SeriesOutput> outputs, Series *series) {
    this->outputs = std::move(outputs);
    this->series = series;
  }
  /// As arrt_run_hooks has it. Returns a status.
  int32_t call(arrt_context *ctx, const arrt_program *program,
               const arrt_entry &entry, void **args, int32_t count);
  /// The signal that ended the run before its time; 0 if it was not.
  int getSignal() const { return signal; }

private:
  class Run;
  const CommandLine &line;
  const arrt_program &parts;
  arrt_program whole;
  std::list<std::string> names;
  std::vector<arrt_entry> entries;
  std::vector<SeriesOutput> outputs;
  Series *series = nullptr;
  int signal = 0;
};

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_WATCH_H
