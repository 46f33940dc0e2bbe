//===- WideVersions.h - Versions for more than 2^31 elements ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_WIDEVERSIONS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_WIDEVERSIONS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/AffineExpr.h"

namespace arrc::kernel {

/// A schedule, and what is at least 0 where it is taken.
using PlannedVersion =
    std::pair<llvm::SmallVector<mlir::AffineExpr>, ScheduleAttr>;

/// Gives the launch `versions`, which are tried in order; the last one has no
/// condition. Those that are not needed where indices do not fit in 32 bits get
/// `index 32`. The symbols of conditions are the arguments `sizes` of the
/// launch; a device that is full has `threads` of them at work.
void setVersions(LaunchOp launch, llvm::ArrayRef<PlannedVersion> versions,
                 llvm::ArrayRef<int64_t> sizes, int64_t threads);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_WIDEVERSIONS_H
