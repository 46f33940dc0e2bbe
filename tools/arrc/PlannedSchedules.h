//===- PlannedSchedules.h - The schedules of a program ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_PLANNEDSCHEDULES_H
#define ARRC_TOOLS_ARRC_PLANNEDSCHEDULES_H

#include "Compiler.h"

#include <string>
#include <vector>

namespace arrc::tool {

/// A schedule as a line of `--schedule=FILE` has it.
struct PlannedSchedule {
  std::string name; ///< `KERNEL`, or `KERNEL#2` for a version
  std::string text; ///< `#kernel.schedule<..>`
};

/// Lowers a program as far as its schedules are chosen, by the planner or by
/// who was put in its place, and notes them. Returns an exit code.
int findSchedules(Compiler &compiler, std::vector<PlannedSchedule> &found);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_PLANNEDSCHEDULES_H
