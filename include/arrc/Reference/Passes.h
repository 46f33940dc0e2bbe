//===- Passes.h - Passes of the reference evaluator -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_REFERENCE_PASSES_H
#define ARRC_REFERENCE_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace arrc::reference {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "arrc/Reference/Passes.h.inc"

} // namespace arrc::reference

#endif // ARRC_REFERENCE_PASSES_H
