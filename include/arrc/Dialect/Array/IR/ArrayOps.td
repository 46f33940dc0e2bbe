//===- ArrayOps.td - Operations of the array dialect ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_ARRAYOPS_TD
#define ARRC_DIALECT_ARRAY_IR_ARRAYOPS_TD

include "mlir/IR/OpBase.td"

def Array_Dialect : Dialect {
  let name = "array";
  let cppNamespace = "::arrc::array";
  let summary = "placeholder";
}

#endif // ARRC_DIALECT_ARRAY_IR_ARRAYOPS_TD
