//===- InPlaceAssignments.h - No copy under '@inplace' ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_INPLACEASSIGNMENTS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_INPLACEASSIGNMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace arrc::kernel {

/// Reports assignments under `@inplace` that bufferization had to give an array
/// of their own, and who still needs the old one.
mlir::LogicalResult checkInPlaceAssignments(mlir::func::FuncOp func);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_INPLACEASSIGNMENTS_H
