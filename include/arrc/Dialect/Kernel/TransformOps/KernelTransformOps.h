//===- KernelTransformOps.h - Steps of scripts ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operations of MLIR's transform dialect for what this compiler does to
// kernels. A step asks what the passes ask, and an illegal one is an error at
// its place in the script; nothing has changed then.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMOPS_KERNELTRANSFORMOPS_H
#define ARRC_DIALECT_KERNEL_TRANSFORMOPS_KERNELTRANSFORMOPS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/Support/Error.h"

#define GET_OP_CLASSES
#include "arrc/Dialect/Kernel/TransformOps/KernelTransformOps.h.inc"

namespace arrc::kernel {

/// Adds the steps to the transform dialect.
void registerTransformExtension(mlir::DialectRegistry &registry);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMOPS_KERNELTRANSFORMOPS_H
