//===- SliceStores.h - Parts of arrays, written where they are --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `a[k] = for j { .. }` computes a row and puts it into an array:
//
//   kernel.launch (%A = %a) outs(%row)
//   copy %row, subview %a[%k]            =>   kernel.launch (%A = %a)
//                                                 outs(subview %a[%k])
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_SLICESTORES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_SLICESTORES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace arrc::kernel {

/// Erases copies of a part onto itself.
void dropSelfCopies(mlir::func::FuncOp func);

/// Lets launches write the parts that their results are copied to, where what
/// they read of the array allows it; says where it does not.
void storeSlicesInPlace(mlir::func::FuncOp func);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_SLICESTORES_H
