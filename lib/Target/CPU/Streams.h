//===- Streams.h - What loops read, and where they read next ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The vectors that a loop of a task reads, and how far their places move with
// each of the loops around, as sums of loop variables with constant factors.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_CPU_STREAMS_H
#define ARRC_LIB_TARGET_CPU_STREAMS_H

#include "arrc/Analysis/AccessPattern.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cstdint>

namespace arrc::cpu {

/// The locality of prefetches of what is read once. Code for processors that
/// are as fast without has none of them.
inline constexpr int64_t streamLocality = 1;

/// Bytes of a line of the caches.
inline constexpr int64_t lineBytes = 64;

/// The variable of a loop that counts from 0 by 1, of an `scf.parallel` the
/// last one; null for others.
mlir::Value getVariable(mlir::Operation *loop);

/// The `scf.for` or `scf.parallel` around `op` with nothing but conditions
/// between; null if there is none.
mlir::Operation *getLoopAround(mlir::Operation *op);

/// How many elements of each dimension something moves by.
using Way = llvm::SmallVector<int64_t, 4>;

/// Whether it stays.
bool isNothing(llvm::ArrayRef<int64_t> way);

/// Loops that continue each other: an iteration of the innermost one moves the
/// place of a read by `advance`.
struct Walk {
  Way advance;
  /// The iterations are `trips * factor`; null: the tasks themselves.
  mlir::Value trips;
  int64_t factor = 1;

  bool operator==(const Walk &other) const {
    return advance == other.advance && trips == other.trips &&
           factor == other.factor;
  }
};

/// A vector that a loop of `tasks` reads.
class Read {
public:
  Read(mlir::vector::LoadOp load, mlir::scf::ParallelOp tasks);

  mlir::Location getLoc() const { return op->getLoc(); }
  mlir::Block *getBlock() const { return op->getBlock(); }
  mlir::vector::LoadOp getLoad() const;
  mlir::Value getArray() const { return array; }
  int64_t getSize() const { return bytes; }
  int64_t getLanes() const { return lanes; }

  /// How an iteration of `loop` moves its place.
  Way getAdvance(mlir::Operation *loop) const;
  /// The walks that it is part of, the innermost first; none if it stays in its
  /// place or a loop is of another kind.
  llvm::SmallVector<Walk> getWalks() const;
  /// Whether `other` has read the place before, in this iteration or some of a
  /// loop ago.
  bool wasReadBy(const Read &other) const;
  /// Whether it starts in the line that `other` asks for.
  bool sharesLineOf(const Read &other) const;
  /// Whether the loops of `other` sweep over the same place of a task.
  bool isWhereSweeps(const Read &other) const;

private:
  /// From here to `other`; nothing if that is no number.
  Way getWayTo(const Read &other) const;

  mlir::Operation *op;
  mlir::Operation *tasks;
  mlir::Value array;
  int64_t bytes, lanes;
  llvm::SmallVector<LinearIndex, 2> indices;
};

} // namespace arrc::cpu

#endif // ARRC_LIB_TARGET_CPU_STREAMS_H
