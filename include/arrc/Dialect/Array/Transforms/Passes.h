//===- Passes.h - Passes of the array dialect -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace arrc::array {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_H
