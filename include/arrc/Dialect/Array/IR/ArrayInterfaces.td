//===- ArrayInterfaces.td - Interfaces of the array dialect ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_ARRAYINTERFACES_TD
#define ARRC_DIALECT_ARRAY_IR_ARRAYINTERFACES_TD

include "mlir/IR/OpBase.td"

#endif // ARRC_DIALECT_ARRAY_IR_ARRAYINTERFACES_TD
