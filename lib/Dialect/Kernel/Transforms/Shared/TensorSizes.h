//===- TensorSizes.h - Sizes of host arrays as values -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_TENSORSIZES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_TENSORSIZES_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

namespace arrc::kernel {

/// Answers for arrays that the caller knows; null for others.
using SizeResolver =
    llvm::function_ref<mlir::OpFoldResult(mlir::Value array, unsigned dim)>;

/// The size of dimension `dim` as a number or an existing value, null if none
/// names it. `resolve` is asked before operations are looked at.
mlir::OpFoldResult findTensorSize(mlir::Value array, unsigned dim,
                                  SizeResolver resolve = nullptr);

/// The same; at need a new `tensor.dim` in front of `anchor`.
mlir::OpFoldResult getTensorSize(mlir::Value array, unsigned dim,
                                 mlir::Operation *anchor);

/// Gives every use of a `tensor.empty` below `root` an array of its own: common
/// subexpression elimination makes one of arrays that must differ.
void separateEmptyTensors(mlir::Operation *root);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_TENSORSIZES_H
