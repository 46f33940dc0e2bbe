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

/// Threads of a block that walk a dimension: at most 2^`log`. Dimensions get
/// theirs by `rank`: those of the first are neighbours.
struct ThreadShare {
  unsigned log = 0, rank = kNoRank;

  static constexpr unsigned kNoRank = 15;
};

/// Bits of each of these numbers.
inline constexpr unsigned kShareBits = 4;
/// Threads of a block that are dealt out at most, a power of two.
inline constexpr int64_t kMostDealt = 1 << 10;

/// The shares of the dimensions of `schedule`, in its order.
llvm::SmallVector<ThreadShare> getThreadShares(ScheduleAttr schedule);

/// `schedule` without its digits at thread: what schedules of one kernel have
/// in common besides the number of threads of a block.
ScheduleAttr dropThreads(ScheduleAttr schedule);

/// Why no launch may say which threads walk the dimensions of `launch`; empty
/// if one may.
llvm::StringRef whyNotDealt(LaunchOp launch, ScheduleAttr schedule);

/// What a launch says of a share, of type index: how many threads walk the
/// dimension, and the factors that stand for division by that number and by how
/// far apart they are. Null where one thread walks it.
struct ShareValues {
  mlir::Value threads, byThreads, byApart;
};

/// The factor that stands for division by `divisor`, which is at most
/// kMostDealt and positive.
mlir::Value createReciprocal(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value divisor);

/// Iterations of `loop` that one thread takes together by the digits of `dim`.
int64_t getOwnIterations(DimDigitsAttr dim);

/// Makes loops of the digits of the schedule of `launch`, where `shares` are
/// operands to be, one for each dimension of the schedule.
mlir::LogicalResult dealThreads(mlir::IRRewriter &rewriter, LaunchOp launch,
                                llvm::ArrayRef<ShareValues> shares);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_DEALTHREADS_H
