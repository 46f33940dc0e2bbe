//===- Passes.h - Marks of pipelines ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PIPELINES_PASSES_H
#define ARRC_PIPELINES_PASSES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace arrc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "arrc/Pipelines/Passes.h.inc"

} // namespace arrc

#endif // ARRC_PIPELINES_PASSES_H
