//===- MatrixShape.h - What a warp multiplies at once -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Matrix instructions (`mma`) of a device, as the facts `matrix_f16` and
// `matrix_f64` say.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_MATRIXSHAPE_H
#define ARRC_DIALECT_KERNEL_IR_MATRIXSHAPE_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// What the names of LLVM's intrinsics begin with.
inline constexpr llvm::StringLiteral kMatrixIntrinsic = "llvm.nvvm.mma.";

/// One instruction: `rows` x `depth` by `depth` x 8.
struct MatrixShape {
  /// 8 or 16.
  int64_t rows = 0;
  /// Steps of the fold.
  int64_t depth = 0;
  /// Elements of an operand in a register of a lane: neighbouring steps.
  int64_t packed = 1;

  /// Columns.
  static constexpr int64_t columns = 8;
  /// Groups of 8 rows: a lane has one of each.
  int64_t halves() const { return rows / 8; }
  /// Registers of a lane for a row of one half, or for a column.
  int64_t groups() const { return depth / (4 * packed); }
};

/// The shape of `device`, which may be null, for operands of type `element` and
/// sums of type `result`; nothing if it has none.
std::optional<MatrixShape> getMatrixShape(DeviceAttr device, mlir::Type element,
                                          mlir::Type result);

/// The load that is an operand: `value`, widened or not. Null if there is none,
/// or if it has a mask or an edge.
LoadOp getMatrixOperand(mlir::Value value);

/// Whether the terms of a fold are added, each as fma or better would: products
/// of floats need not be rounded in between.
bool addsProducts(ForOp fold);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_IR_MATRIXSHAPE_H
