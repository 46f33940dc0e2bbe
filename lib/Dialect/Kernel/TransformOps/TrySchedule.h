//===- TrySchedule.h - Whether a schedule can be applied --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMOPS_TRYSCHEDULE_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMOPS_TRYSCHEDULE_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include <optional>
#include <string>

namespace arrc::kernel::script {

/// What became of a schedule on a copy of its launch.
struct Trial {
  /// Why it cannot be applied, empty if it can, and where in the program.
  std::string problem;
  std::optional<mlir::Location> place;
  /// The loops that it makes, from the outermost on.
  llvm::SmallVector<std::string> loops;
};

/// Has the passes that apply schedules apply `schedule` to a copy of `launch`.
Trial trySchedule(LaunchOp launch, ScheduleAttr schedule);

} // namespace arrc::kernel::script

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMOPS_TRYSCHEDULE_H
