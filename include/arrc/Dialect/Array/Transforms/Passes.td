//===- Passes.td - Passes of the array dialect ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_TD
#define ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def UnrollSmallArraysPass
    : Pass<"arr-unroll-small-arrays", "::mlir::func::FuncOp"> {
  let summary = "turn small arrays of constant shape in bodies into scalars";
  let description = [{
    Clones operations of constant extents in bodies for each element, so that
    small arrays become scalars: reads at constant indices pick one, tables of
    constants fold, `scf` operations and accumulators carry scalars. What is left
    is `tensor.from_elements` where a body yields an array.

    **Legal when** the shape is constant; bodies are pure, and a chain in index
    order is one bracketing of a fold.

    **Pays when** the array has at most 64 elements and unrolling gives at most
    4096 operations. A run-time index is a chain of selects up to 16 elements;
    above, the array stays and a remark says so.

    **Example**
    ```mlir
    %s = array.reduce (%q) in (2) init (%z : f32) {
      %v = array.at %p[%q] : tensor<2xf32>
      array.yield %v : f32
    } by arith.addf
    // becomes
    %s = arith.addf %p0, %p1 : f32
    ```

    **Reference** scalar replacement of aggregates.
  }];
  let dependentDialects = [
    "::arrc::array::ArrayDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_PASSES_TD
