//===- TunedSchedules.h - Schedules beside a program ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_TUNEDSCHEDULES_H
#define ARRC_TOOLS_ARRC_TUNEDSCHEDULES_H

#include "CommandLine.h"

#include <string>

namespace arrc::tool {

/// The file beside a program that `arrc tune` keeps the winner in.
std::string getTunedFile(llvm::StringRef program);

/// The line of such a file that says what it was measured for: a target, the
/// text of the program, and the options that choose its kernels. "" if the
/// program cannot be read.
std::string getTunedHead(const CommandLine &line, llvm::StringRef target);

/// Has the program use the schedules beside it, if they were measured for its
/// very text and for these options.
void useTunedSchedules(CommandLine &line);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_TUNEDSCHEDULES_H
