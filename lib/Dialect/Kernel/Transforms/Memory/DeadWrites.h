//===- DeadWrites.h - Copies and fills that nobody needs --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_DEADWRITES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_DEADWRITES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace arrc::kernel {

/// Has the conditions of loops hand on what came in, where they hand on copies
/// of it that replace it.
void handOnThroughConditions(mlir::func::FuncOp func);

/// Drops launches that only fill an array which copies then cover.
void dropCoveredFills(mlir::func::FuncOp func);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_DEADWRITES_H
