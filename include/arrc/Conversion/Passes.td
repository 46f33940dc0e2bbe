//===- Passes.td - Passes that change dialect ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_CONVERSION_PASSES_TD
#define ARRC_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertArrayToKernelPass
    : Pass<"convert-array-to-kernel", "::mlir::func::FuncOp"> {
  let summary = "Turn every array operation into a launch";
  let description = [{
    Each operation with an index space that stands outside of others becomes a
    launch with new arrays as destinations; what its body holds becomes nested
    loops that fill the destination or a `kernel.local`. Reads go through views;
    a view that is used as an array of its own is copied, with a remark. Reads
    that may be outside are checked and masked. Checks, facts and reads of the
    host stay on the host.

    **Example**

    ```mlir
    %r = array.map (%i "i") in (%n) {
      %x = array.at %a[%i] inbounds : tensor<?xf32>
      %y = math.exp %x : f32
      array.yield %y : f32
    } : tensor<?xf32>

    %e = tensor.empty(%n) : tensor<?xf32>
    %r = kernel.launch @f_1 (%N = %n : index, %A[%N] = %a : tensor<?xf32>)
        outs (%R[%N] = %e : tensor<?xf32>) {
      kernel.for "i" (%i) in %N {
        %x = kernel.load %A[%i] : memref<?xf32>
        %y = math.exp %x : f32
        kernel.store %y, %R[%i] : memref<?xf32>
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::arrc::kernel::KernelDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::memref::MemRefDialect"
  ];
}

#endif // ARRC_CONVERSION_PASSES_TD
