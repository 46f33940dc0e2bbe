//===- MatrixSteps.h - Folds that warps take as matrices --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What a loop `multiply matrices` has to do with the instructions of a warp
// (MatrixSteps.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOGPU_MATRIXSTEPS_H
#define ARRC_LIB_CONVERSION_KERNELTOGPU_MATRIXSTEPS_H

#include "arrc/Dialect/Kernel/IR/MatrixShape.h"

#include <string>

namespace arrc {

/// A fold of products as accumulators that are rows by columns.
struct MatrixSteps {
  kernel::MatrixShape shape;
  /// Of an operand.
  mlir::Type element;
  /// Threads along x and y.
  kernel::ForOp x, y;
  /// One load of each row that a thread has, and each pair of columns: that of
  /// the even one. A lane reads a row of its own; columns of others.
  llvm::SmallVector<kernel::LoadOp> rows, columns;
  /// The accumulator of row i, pair of columns j and column k of the pair is
  /// number `accumulators[(i * columns.size() + j) * 2 + k]`.
  llvm::SmallVector<unsigned> accumulators;
};

/// What `loop` has; why it is no such fold in `reason` if there is nothing.
std::optional<MatrixSteps> findMatrixSteps(kernel::ForOp loop,
                                           std::string &reason);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOGPU_MATRIXSTEPS_H
