//===- Passes.h - Passes from one dialect to another ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_CONVERSION_PASSES_H
#define ARRC_CONVERSION_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace arrc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "arrc/Conversion/Passes.h.inc"

} // namespace arrc

#endif // ARRC_CONVERSION_PASSES_H
