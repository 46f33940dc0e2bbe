//===- DealThreads.h - Launches that say who the threads are ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_DEALTHREADS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_DEALTHREADS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {

/// Which threads of a block walk a dimension: 2^`log` of them, 2^`shift` apart.
struct ThreadShare {
  unsigned log = 0, shift = 0;
};

/// Bits of each of these numbers.
inline constexpr unsigned kShareBits = 4;

/// The shares of the dimensions of `schedule`, in its order.
llvm::SmallVector<ThreadShare> getThreadShares(ScheduleAttr schedule);

/// `schedule` without its digits at thread: what schedules of one kernel have
/// in common besides the number of threads of a block.
ScheduleAttr dropThreads(ScheduleAttr schedule);

/// Why no launch may say which threads walk the dimensions of `launch`; empty
/// if one may.
llvm::StringRef whyNotDealt(LaunchOp launch, ScheduleAttr schedule);

/// The numbers of a share, of type index; null where one thread walks the
/// dimension.
struct ShareValues {
  mlir::Value log, shift;
};

/// Makes loops of the digits of the schedule of `launch`, where `shares` are
/// operands to be, one for each dimension of the schedule.
mlir::LogicalResult dealThreads(mlir::IRRewriter &rewriter, LaunchOp launch,
                                llvm::ArrayRef<ShareValues> shares);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_DEALTHREADS_H
