//===- Array.h - The array dialect --------------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_ARRAY_H
#define ARRC_DIALECT_ARRAY_IR_ARRAY_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"

#include "arrc/Dialect/Array/IR/ArrayDialect.h.inc"

#endif // ARRC_DIALECT_ARRAY_IR_ARRAY_H
