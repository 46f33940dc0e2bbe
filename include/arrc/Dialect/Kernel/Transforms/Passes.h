//===- Passes.h - Passes of the kernel dialect ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_PASSES_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace arrc::kernel {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_PASSES_H
