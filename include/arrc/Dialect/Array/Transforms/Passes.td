//===- Passes.td - Passes of the array dialect ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_TD
#define ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_TD
