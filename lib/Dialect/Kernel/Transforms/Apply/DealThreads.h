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
  /// Of a fold that is cut: a block has 2^`span` steps of it.
  std::optional<unsigned> span;
};

/// Bits of each of these numbers, and the most that a span is.
inline constexpr unsigned kShareBits = 4, kMostSpan = 10;

/// The shares of the dimensions of `schedule`, in its order.
llvm::SmallVector<ThreadShare> getThreadShares(ScheduleAttr schedule);

/// `schedule` without its digits at thread: what schedules of one kernel have
/// in common besides the number of threads of a block.
ScheduleAttr dropThreads(ScheduleAttr schedule);

/// Why no launch may say which threads walk the dimensions of `launch`; empty
/// if one may.
llvm::StringRef whyNotDealt(LaunchOp launch, ScheduleAttr schedule);

/// Whether a schedule with these digits folds the dimension.
bool isFolded(DimDigitsAttr dim);

/// Of a schedule of folds: the shares, where `shift` counts among the threads
/// that are there for results, or those that fold, and how far apart the former
/// stand.
std::pair<llvm::SmallVector<ThreadShare>, unsigned>
getFoldShares(ScheduleAttr schedule);

/// The numbers of a share, of type index; null where one thread walks the
/// dimension, and where it is not cut.
struct ShareValues {
  mlir::Value log, shift, span;
};

/// Makes loops of the digits of the schedule of `launch`, where `shares` are
/// operands to be, one for each dimension of the schedule, and `keptShift` is
/// that of a schedule of folds.
mlir::LogicalResult dealThreads(mlir::IRRewriter &rewriter, LaunchOp launch,
                                llvm::ArrayRef<ShareValues> shares,
                                mlir::Value keptShift);

/// The same of the nest `root`, which folds, with values of the launch.
mlir::LogicalResult dealFolds(mlir::IRRewriter &rewriter, LaunchOp launch,
                              ForOp root, llvm::ArrayRef<ShareValues> shares,
                              mlir::Value keptShift);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_DEALTHREADS_H
