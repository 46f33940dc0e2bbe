//===- DealThreads.h - Launches that say who the threads are ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_DEALTHREADS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_DEALTHREADS_H

#include "ThreadShares.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {

/// `schedule` without its digits at thread: what schedules of one kernel have
/// in common besides the number of threads of a block.
ScheduleAttr dropThreads(ScheduleAttr schedule);

/// Why no launch may say which threads walk the dimensions of `launch`; empty
/// if one may.
llvm::StringRef whyNotDealt(LaunchOp launch, ScheduleAttr schedule);

/// Makes loops of the digits of the schedule of `launch`, where `shares` are
/// operands to be, one for each dimension of the schedule.
mlir::LogicalResult dealThreads(mlir::IRRewriter &rewriter, LaunchOp launch,
                                llvm::ArrayRef<ShareValues> shares);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_DEALTHREADS_H
