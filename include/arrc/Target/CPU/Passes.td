//===- Passes.td - Passes of the CPU target -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TARGET_CPU_PASSES_TD
#define ARRC_TARGET_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrefetchStreamsPass : Pass<"cpu-prefetch-streams",
                               "mlir::func::FuncOp"> {
  let summary = "Ask for lines of long arrays before loops read them";
  let description = [{
    A loop of a task that mostly reads vectors of arrays asks for what it will
    read `distance` bytes later: further along a row or for the next tasks, as
    its indices move. Rows that are swept twice are asked for in the second
    sweep of the row before (`locality<2>`; others have `locality<1>`, which
    code for processors that gain nothing leaves out). Arrays of less than
    `least-bytes` stay in the caches and are left alone, as are sums of long
    rows and loops down columns, which are at the limit without.

    ```mlir
    %x = vector.load %a[%j] : memref<?xf32>, vector<16xf32>
    scf.if %long {
      %k = arith.addi %j, %c1024 : index
      memref.prefetch %a[%k], read, locality<1>, data : memref<?xf32>
    }
    ```
  }];
  let options = [
    Option<"distance", "distance", "int64_t", "4096",
           "bytes between what is asked for and what is read">,
    Option<"leastBytes", "least-bytes", "int64_t", "16 << 20",
           "of an array that does not stay in the caches">
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::memref::MemRefDialect",
    "mlir::scf::SCFDialect"
  ];
}

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

def ExpandFunctionsPass : Pass<"cpu-expand-functions", "mlir::ModuleOp"> {
  let summary = "Replace functions whose upstream lowering is missing or inexact";
  let description = [{
    `math.expm1`, `erf`, `cbrt` and other functions without an LLVM intrinsic are
    libm's (upstream: exp(x) - 1, wrong near zero), `math.isinf` a comparison (upstream: none), and `complex.log sin cos` are libm's in
    double precision (upstream: formulas that cancel or overflow).
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::complex::ComplexDialect",
    "mlir::func::FuncDialect", "mlir::LLVM::LLVMDialect",
    "mlir::math::MathDialect", "mlir::vector::VectorDialect"
  ];
}

def ExpandSmallFloatsPass : Pass<"cpu-expand-small-floats"> {
  let summary = "Compute bf16 in f32, rounding after every operation";
  let description = [{
    Every operation on bf16 becomes its operands extended, the operation on f32
    and a rounding, and these become integer operations: most processors have
    no instructions for bf16, and those that have flush small numbers to zero.
    Upstream's emulation lets roundings in the middle be dropped; here all stay,
    as the language asks for.
  }];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::math::MathDialect",
    "mlir::vector::VectorDialect"
  ];
}

#endif // ARRC_TARGET_CPU_PASSES_TD
