//===- NestFacts.h - What a schedule has to know of a nest ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The facts of one perfect nest of parallel loops around one perfect nest of
// folds: its dimensions, how each access steps along each of them, and the
// work of an iteration. Computed once; asking changes nothing. Sizes are affine
// expressions of the launch's size arguments, and numbers once these are given.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_NESTFACTS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_NESTFACTS_H

#include "NestTaps.h"

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/AffineExpr.h"

#include <memory>

namespace arrc::kernel {

/// The value of an expression of symbols alone, which may be multiplied with
/// each other.
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> symbols);

/// One loop of the nest.
struct NestDim {
  ForOp loop;
  /// Its iterations.
  mlir::AffineExpr size;
  bool folds = false;
};

/// Where an access goes along one dimension.
struct NestStep {
  enum Kind {
    Same,  ///< nowhere
    Fixed, ///< by `elements`
    Any    ///< wherever data say
  };
  Kind kind = Same;
  /// Elements in memory from one iteration to the next: a number times sizes.
  mlir::AffineExpr elements;
};

/// One access of an iteration to an array in memory.
struct NestAccess {
  int64_t bytes = 0;
  bool writes = false;
  /// The element of a row that the first iteration touches: what is added to
  /// the last index.
  int64_t start = 0;
  /// Whether it goes on past the ends of rows, by an edge mode.
  bool hasEnds = false;
  /// One for each dimension of the nest.
  llvm::SmallVector<NestStep, 4> steps;
  /// The window of which this is the first tap, if there are several.
  std::shared_ptr<const NestTaps> taps;
  /// Additions for each element of it alone (conversions), see getWork.
  double tapWork = 0;

  /// Whether it goes to the next element, or to the one before, along `dim`.
  bool isNext(unsigned dim) const;
};

/// Work of an iteration that is the same for all iterations of other dimensions
/// than these: a thread does it once for what it takes together of them.
struct NestWork {
  llvm::SmallBitVector dims;
  int64_t work = 0, special = 0;
};

/// The facts of a nest.
struct NestFacts {
  /// Parallel loops, outermost first, then the folds.
  llvm::SmallVector<NestDim, 4> dims;
  llvm::SmallVector<NestAccess, 4> accesses;
  /// Additions of one iteration (see getWork), and special functions among
  /// them.
  int64_t work = 0, special = 0;
  /// The same by the dimensions that it depends on.
  llvm::SmallVector<NestWork, 4> parts;
  /// Bytes of what a fold carries.
  int64_t carried = 0;
  /// Registers of what one iteration loads, but for windows.
  double loadWords = 0;
  /// Whether the result depends on the order of the terms, and whether terms
  /// can be computed together.
  bool rounds = false, jams = false;

  bool isParallel(unsigned dim) const { return !dims[dim].folds; }
  /// Whether some array has an element for each iteration: others are read
  /// again by many, and tiles decide how fast that is.
  bool streams() const;
  /// Whether neighbours along `dim` read some of the same elements; whether any
  /// do: what iterations read together is less than what each of them does.
  bool readsNeighbours(unsigned dim) const;
  bool hasWindows() const;
  void addWork(const llvm::SmallBitVector &dims, int64_t more,
               int64_t functions);
};

/// The facts that sizes turn into numbers.
struct NestNumbers {
  /// Iterations of each dimension, at least 1.
  llvm::SmallVector<double, 4> extents;
  /// Elements that each access steps along each dimension.
  llvm::SmallVector<llvm::SmallVector<double, 4>, 4> steps;

  NestNumbers(const NestFacts &facts, llvm::ArrayRef<int64_t> symbols);
};

/// The facts of `nest` (parallel loops, outermost first; may be empty) around
/// `folds`. `getSize` gives the expression of a size, null if it is not known
/// before the launch. Nothing if some size is unknown.
std::optional<NestFacts> computeNestFacts(
    llvm::ArrayRef<ForOp> nest, llvm::ArrayRef<ForOp> folds,
    llvm::function_ref<mlir::AffineExpr(mlir::OpFoldResult)> getSize);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_NESTFACTS_H
