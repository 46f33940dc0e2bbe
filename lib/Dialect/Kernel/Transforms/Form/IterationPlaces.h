//===- IterationPlaces.h - Buffers for what a step hands on -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A part of kernel-form-iterations.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ITERATIONPLACES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ITERATIONPLACES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Gives each array that `loop` carries a place among its buffers, second ones
/// included. The body of `loop` is complete but for its end; `next` is what it
/// hands on, and what it hands on then.
void choosePlaces(mlir::OpBuilder &builder, IterateOp loop,
                  llvm::SmallVectorImpl<mlir::Value> &next);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ITERATIONPLACES_H
