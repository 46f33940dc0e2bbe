//===- IndicesFit.td - The question for index widths -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_INDICESFIT_TD
#define ARRC_DIALECT_KERNEL_IR_INDICESFIT_TD

include "arrc/Dialect/Kernel/IR/KernelAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kernel_IndicesFitOp : Op<Kernel_Dialect, "indices_fit", [Pure]> {
  let summary = "whether 32 bits do for the indices of the launches that it guards";
  let description = [{
    True where every index of every launch in the first region of an `scf.if` on
    it fits in 32 bits. What that asks of the sizes is known when the launches
    are kernels; until then it stands for the question. The sequential reading
    answers yes: both regions do the same.

    Example:
    ```mlir
    %fit = kernel.indices_fit "rows"
    scf.if %fit { kernel.launch @rows .. } else { kernel.launch @rows .. }
    ```
  }];
  let arguments = (ins StrAttr:$kernel_name);
  let results = (outs I1:$result);
  let assemblyFormat = "$kernel_name attr-dict";
}

#endif // ARRC_DIALECT_KERNEL_IR_INDICESFIT_TD
