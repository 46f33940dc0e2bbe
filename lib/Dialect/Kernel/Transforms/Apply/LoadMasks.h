//===- LoadMasks.h - What loads below a guard are masked by -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A part of kernel-mask-tails.
//
// A thread of a block that folds, and that has one element of a dimension,
// takes the last element where its own is past the end: what it loads is there,
// and only what it stores is masked.
//
// Before   %in = andi (cmpi slt, %i, %N), (cmpi slt, %k, %K)   // %k of threads
//            kernel.load %X[%i, %k] if %in  ..  kernel.store %Y[%i, %k] if %in
// After    %last = minsi %k, %K - 1
//            kernel.load %X[%i, %last] if %in_i
//            ..  kernel.store %Y[%i, %last] if %in
//
// Loads of what the launch writes keep their masks: another thread may be at
// that element. Legal where the dimension has a last element: where blocks are
// as many as its tiles, none starts otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_LOADMASKS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_LOADMASKS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::kernel {

/// `mask` and `other`, or `mask` alone where that is null.
mlir::Value conjoin(mlir::IRRewriter &rewriter, mlir::Location loc,
                    mlir::Value mask, mlir::Value other);

/// What loads below a guard are masked by.
class LoadMasks {
public:
  explicit LoadMasks(mlir::Value mask) : all(mask) {}

  /// Where a thread has one element of a dimension, gives it the last one in
  /// place of one past the end.
  void takeLast(mlir::IRRewriter &rewriter, mlir::scf::IfOp guard);
  /// The mask of `load`; null if it needs none.
  mlir::Value get(LoadOp load) const;

private:
  /// Whether the indices of `load` know a dimension by what is clamped alone.
  bool isClamped(LoadOp load) const;

  mlir::Value all, others;
  llvm::SmallVector<mlir::Value> clamped;
  /// What the clamped indices are computed of.
  llvm::SmallPtrSet<mlir::Value, 4> origins;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_LOADMASKS_H
