//===- Passes.td - Passes of the CPU target -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TARGET_CPU_PASSES_TD
#define ARRC_TARGET_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertCPUToLLVMPass : Pass<"convert-cpu-to-llvm", "mlir::ModuleOp"> {
  let summary = "Convert upstream host dialects to the LLVM dialect at once";
  let description = [{
    One type converter, one set of patterns: `func cf memref vector arith math
    complex index ub` to `llvm`. Upstream's passes for the single dialects
    leave casts behind when they run one after the other.

    Math functions become LLVM intrinsics where LLVM has them, else calls of
    libm; no polynomial approximations, because the errors of upstream's exceed
    what the language allows. LLVM's vectoriser turns both into calls of
    libmvec.

    ```mlir
    %e = math.exp %x : vector<8xf32>   // llvm.intr.exp, in the end _ZGVdN8v_expf
    %f = math.erf %x : f32             // llvm.call @erff
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

#endif // ARRC_TARGET_CPU_PASSES_TD
