//===- Kernel.h - The kernel dialect --------------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_KERNEL_H
#define ARRC_DIALECT_KERNEL_IR_KERNEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"

#include "arrc/Dialect/Kernel/IR/KernelDialect.h.inc"

#endif // ARRC_DIALECT_KERNEL_IR_KERNEL_H
