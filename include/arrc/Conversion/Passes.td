//===- Passes.td - Passes that change dialect ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_CONVERSION_PASSES_TD
#define ARRC_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // ARRC_CONVERSION_PASSES_TD
