//===- Interior.h - What a loop's bounds make superfluous -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The analysis of kernel-split-boundary.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_INTERIOR_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_INTERIOR_H

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir {
class IRRewriter;
} // namespace mlir

namespace arrc::kernel {

/// The loop whose index is `value`, if it is jammed: it has a number as extent
/// and no iteration of its own in time. Threads are lanes like any other.
ForOp getJammedLoop(mlir::Value value);

/// The first number k from which on `step * k + rest` is at least 0; negative
/// where it always has been.
mlir::Value createBound(mlir::IRRewriter &rewriter, mlir::Location loc,
                        const LinearIndex &rest, int64_t step);

/// A form that the loop's index, lanes and values from outside make up:
/// `step * k + rest`, where `rest` lies between its two extremes.
struct IndexRange {
  int64_t step;
  LinearIndex lowest;
  LinearIndex highest;
  /// Whether it is negative where the form that was asked for is not: that one
  /// falls with the loop's index, as in `n - 1 - k`.
  bool isTurned = false;
  bool hasLanes = false;
  /// Whether the first thread and the last one of a row differ in it.
  bool alongRow = false;
  /// Whether a thread asks for it once, around all that it does.
  bool askedOnce = false;
  /// Numbers of the program that it is right for where they count elements:
  /// with any others its sums may wrap.
  llvm::SmallVector<mlir::Value, 1> counts;
};

/// The bounds of one loop, and what they make superfluous. The loop is
/// sequential, and its iterations are told apart; or it is the outermost of
/// jammed loops, and all of it is inside or not.
class Interior {
public:
  Interior(ForOp loop, bool isDevice)
      : loop(loop),
        isJammed(static_cast<bool>(getJammedLoop(loop.getInductionVar()))),
        isDevice(isDevice) {}

  /// Looks for masks and edges that the loop decides on.
  void collect();

  ForOp loop;
  /// Forms that are at least 0 from some iteration on, and negative up to one.
  llvm::SmallVector<IndexRange> lower, upper;
  /// A comparison, with what it says inside; `isEdge` if it asks for both ends
  /// of a dimension.
  struct Mask {
    mlir::arith::CmpIOp compare;
    bool holds, alongRow, askedOnce, isEdge = false;
  };
  llvm::SmallVector<Mask> masks;
  /// The larger or the smaller of two indices, with the one that it is inside.
  struct Bound {
    mlir::Operation *op;
    unsigned operand;
    bool alongRow;
  };
  llvm::SmallVector<Bound> bounds;
  /// A load, with a dimension that is inside.
  struct Edge {
    LoadOp load;
    unsigned dim;
    bool alongRow;
  };
  llvm::SmallVector<Edge> edges;

  /// Whether the loop itself is jammed.
  bool isJammed;
  /// Whether branches cost as much as on a device, where all lanes count.
  bool isDevice;

private:
  /// What is known of a value inside, and whether by masks that are kept where
  /// those along rows are.
  struct Known {
    /// A condition holds, or the index is this one.
    bool holds = false;
    mlir::Value index;
    bool alongRow = false;
  };
  struct Form {
    LinearIndex index;
    bool alongRow = false;
    llvm::SmallVector<mlir::Value, 1> counts = {};
  };

  /// The form as it is inside, where choices are made.
  Form getForm(const LinearIndex &index) const;
  /// `lhs` minus `rhs`; nothing if that or one of them may wrap.
  std::optional<Form> getDifference(const LinearIndex &lhs,
                                    const LinearIndex &rhs);
  bool addCounts(const LinearIndex &index,
                 llvm::SmallVectorImpl<mlir::Value> &counts);
  std::optional<IndexRange> getRange(const Form &form);
  /// Notes that a form is not negative inside (`isAbove`), or negative.
  void addRange(const IndexRange &range, bool isAbove);
  /// Where an index is not negative, and where it is below a size.
  struct Ends {
    IndexRange inside, below;
  };
  /// Nothing if no lanes differ in it, or if it cannot be told.
  std::optional<Ends> getEnds(const LinearIndex &index,
                              const LinearIndex &size);
  void addEnds(const Ends &ends);
  void addMask(const Mask &mask);
  bool isNearEverywhere(const LinearIndex &form) const;
  void collectMask(mlir::arith::CmpIOp compare);
  void collectWithin(mlir::arith::CmpIOp compare);
  void collectBound(mlir::Operation *op);
  void collectEdges(LoadOp load);
  void follow(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, Known> known;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_INTERIOR_H
