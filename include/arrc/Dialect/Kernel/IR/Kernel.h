//===- Kernel.h - The kernel dialect ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operations, attributes and enumerations of the dialect that says how arrays
// are computed. Passes include this and nothing else of the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_KERNEL_H
#define ARRC_DIALECT_KERNEL_IR_KERNEL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "arrc/Dialect/Kernel/IR/KernelDialect.h.inc"
#include "arrc/Dialect/Kernel/IR/KernelEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "arrc/Dialect/Kernel/IR/KernelAttrs.h.inc"

namespace arrc::kernel {

/// What failing checks write: keeps their order and keeps asserts alive.
struct ErrorResource : public mlir::SideEffects::Resource::Base<ErrorResource> {
  mlir::StringRef getName() final { return "<kernel error record>"; }
};

} // namespace arrc::kernel

#define GET_OP_CLASSES
#include "arrc/Dialect/Kernel/IR/KernelOps.h.inc"

#endif // ARRC_DIALECT_KERNEL_IR_KERNEL_H
