//===- ElementAccess.h - Accesses to elements, spelled out ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What edge modes and zeros mean, in `arith`: shared by the lowerings of the
// dialect, so that they agree. Not for passes that keep the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_ELEMENTACCESS_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_ELEMENTACCESS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// The index in [0, size) that `index` reads under `mode`; `size` is at least
/// one. Indices may be any integer.
mlir::Value resolveEdge(mlir::OpBuilder &builder, mlir::Location loc,
                        EdgeMode mode, mlir::Value index, mlir::Value size);

/// The same for all dimensions; `getSize(dim)` is asked only where a mode
/// needs it.
llvm::SmallVector<mlir::Value>
resolveEdges(mlir::OpBuilder &builder, mlir::Location loc,
             std::optional<EdgesAttr> edges, mlir::ValueRange indices,
             llvm::function_ref<mlir::Value(unsigned)> getSize);

/// Zero of an element type: number, index or complex number.
mlir::Value createZero(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Type type);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_ELEMENTACCESS_H
