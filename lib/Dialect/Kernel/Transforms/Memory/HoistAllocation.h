//===- HoistAllocation.h - Memory that loops need, before them --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_HOISTALLOCATION_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_HOISTALLOCATION_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace arrc::kernel {

/// What is allocated in front of `anchor` of a size that is meant in a branch
/// or a loop there: where that never runs, the size may be negative, and is
/// taken for 0.
mlir::Value takeNegativeForZero(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value size, mlir::Operation *anchor);

/// Moves `alloc` in front of `loop`, which may never run: then its sizes, those
/// of the loop's body, may be negative, and are taken for 0.
void hoistAllocation(mlir::memref::AllocOp alloc, mlir::Operation *loop);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_HOISTALLOCATION_H
