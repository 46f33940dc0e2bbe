//===- ThreadShares.h - Threads that dimensions get -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What a schedule says of the threads of a launch that deals them out
// (DealThreads.h), and what the host makes of that at the sizes of a call.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_THREADSHARES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_THREADSHARES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/IRMapping.h"
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

/// What a launch says of a share, of type index: how many threads walk the
/// dimension, and the factors that stand for division by that number and by how
/// far apart they are: a quotient of numbers below kMostDealt is the product
/// with the factor, without its low kReciprocalBits bits. Null where one thread
/// walks the dimension.
struct ShareValues {
  mlir::Value threads, byThreads, byApart;
};

/// Products with the factors are below 2^31.
inline constexpr int64_t kReciprocalBits = 20,
                         kReciprocal = 1 << kReciprocalBits;
static_assert(kReciprocal == kMostDealt * kMostDealt);

/// Computes shares on the host, in front of a launch (Shared/EvenThreads.h):
/// those of the first rank get what suits their size, the others what is left.
class HostShares {
public:
  HostShares(mlir::IRRewriter &rewriter, LaunchOp launch)
      : rewriter(rewriter), launch(launch), loc(launch.getLoc()) {}

  /// Lets dimension `number` of the schedule, of these digits, have at most
  /// 2^`log` threads by `rank`, which only the host need know.
  mlir::LogicalResult add(unsigned number, DimDigitsAttr digits,
                          mlir::Value log, mlir::Value rank);

  /// The shares of the `count` dimensions of the schedule, where ranks are
  /// below `ranks`.
  llvm::SmallVector<ShareValues> compute(unsigned count, unsigned ranks);

private:
  /// A dimension that threads share: `items` are what they take together of it,
  /// `unit` is what these come in multiples of.
  struct Shared {
    unsigned number;
    mlir::Value log, rank, items, unit, threads, apart;
  };

  mlir::Value getNumber(int64_t value);
  mlir::Value createReciprocal(mlir::Value divisor);

  mlir::IRRewriter &rewriter;
  LaunchOp launch;
  mlir::Location loc;
  mlir::IRMapping host;
  llvm::SmallVector<Shared> shared;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_THREADSHARES_H
