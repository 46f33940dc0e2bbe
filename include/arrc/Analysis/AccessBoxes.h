//===- AccessBoxes.h - What a part of a launch reads and writes -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A launch is cut along one loop of its outermost nest: a part runs iterations
// `lo` to `hi` (excluded) of it and all of the others. For each array that a
// part touches these classes give boxes, one interval a dimension, whose ends
// are affine in `lo`, `hi` and the sizes that the launch takes. They are what
// devices exchange by: what is read lies inside, what is written does, and a
// box that is only written is written element by element.
//
// Intervals come from Presburger sets: an access is the set of its index under
// all loops and conditions around it, of which all variables but the index are
// projected out (Fourier-Motzkin, MLIR's Presburger library). Indices that are
// not affine are bounded by the array alone.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_ACCESSBOXES_H
#define ARRC_ANALYSIS_ACCESSBOXES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace arrc {

/// An end of an interval: one of several expressions of `lo` (d0), `hi` (d1)
/// and the launch's arguments (symbols, by their numbers), plus a number each.
struct Bound {
  mlir::AffineExpr expr;
  int64_t constant = 0;

  /// The expression with its number.
  mlir::AffineExpr get() const { return expr + constant; }
  bool operator==(const Bound &other) const {
    return expr == other.expr && constant == other.constant;
  }
};

/// The indices of one dimension: from the largest of `lowers` to the least of
/// `uppers` (excluded), inside of the array. Where there is an edge mode the
/// indices are mapped by it, else those outside do not occur.
struct Interval {
  llvm::SmallVector<Bound, 1> lowers, uppers;
  kernel::EdgeMode edge = kernel::EdgeMode::None;
  /// The indices may go on past the end, in the next row: rows of a block are
  /// copied as one stretch of memory.
  bool carries = false;
  /// An argument of the launch, a row of numbers that do not fall, one an
  /// iteration of the cut: the indices are those from the number of the part's
  /// first iteration to that of the one behind its last, or to the array's end.
  std::optional<unsigned> starts;

  /// Whether it depends on the part.
  bool isCut() const;
  bool operator==(const Interval &other) const {
    return lowers == other.lowers && uppers == other.uppers &&
           edge == other.edge && carries == other.carries &&
           starts == other.starts;
  }
};

/// Elements of an array.
struct AccessBox {
  enum class Kind {
    Read,  ///< of the box some may be read
    Write, ///< all of the box are written, whatever they held
    Touch, ///< some may be read or written
    Update ///< some may be combined with values, by `combiner` alone
  };
  /// The array: an argument of the launch.
  unsigned argument = 0;
  Kind kind = Kind::Read;
  /// Of updates: what parts that began with its neutral element are joined by.
  std::optional<mlir::arith::AtomicRMWKind> combiner;
  llvm::SmallVector<Interval, 2> dims;

  /// The first dimension that depends on the part, or -1.
  int getCutDim() const;
  bool operator==(const AccessBox &other) const {
    return argument == other.argument && kind == other.kind &&
           combiner == other.combiner && dims == other.dims;
  }
};

/// On a store to a row: the iterations of its loop at block fill stretches of
/// the row that lie behind each other, each from a number that is loaded for
/// the iteration on. What filters keep is stored so.
inline constexpr llvm::StringLiteral kStretchAttr = "kernel.stretch";

/// The loops that a launch may be cut along, outermost first: those at block
/// once it is scheduled, else the independent ones, at the root and alone in
/// each other. Empty with the reason in `reason`.
llvm::SmallVector<kernel::ForOp> getCutLoops(kernel::LaunchOp launch,
                                             std::string &reason);

/// What the part of `launch` touches that runs iterations `lo` to `hi` of
/// `cut`; null: what all of it touches.
llvm::SmallVector<AccessBox> getAccessBoxes(kernel::LaunchOp launch,
                                            kernel::ForOp cut);

/// Why `launch` cannot be cut so that a part touches `boxes`; empty if it can.
std::string findCutProblem(kernel::LaunchOp launch,
                           llvm::ArrayRef<AccessBox> boxes);

} // namespace arrc

#endif // ARRC_ANALYSIS_ACCESSBOXES_H
