//===- Passes.td - Passes that GPU targets share ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TARGET_GPU_PASSES_TD
#define ARRC_TARGET_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrepareKernelsPass
    : Pass<"gpu-prepare-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Expand in kernels what the conversion to LLVM does not know";
  let description = [{
    Functions on f16 and bf16 are computed in f32 and rounded once, arithmetic on
    bf16 in f32 and rounded after every operation, complex functions become real
    ones, strided views and affine maps plain arithmetic, structured control flow
    branches. Private arrays move to the beginning of their kernel, because an
    `alloca` inside a loop would grow the stack. Runs only the steps that the
    module needs.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::complex::ComplexDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ShareReciprocalsPass
    : Pass<"gpu-share-reciprocals", "::mlir::gpu::GPUModuleOp"> {
  let summary = "divide by one value many times with one reciprocal";
  let description = [{
    Divisions in f32 and f64 by one value take its correctly rounded reciprocal
    and correct a product with it by two fused operations: three instructions
    instead of about ten, none of them on the slow pipe. The result has the same
    bits. Where numbers are so large or so small that it might not, which one
    comparison tells for each, the division runs as before.

    **Legal when** the device has `fma` and rounds it and the division
    correctly, and the division has no fast-math flag.
    **Pays when** there are four divisions by the value, one inside a loop that
    does not change it, or it is a constant.
    **Example** test/Target/GPU/share-reciprocals.mlir
    **Reference** Brisebarre, Muller and Raina, "Accelerating correctly rounded
    floating-point division when the divisor is known in advance" (IEEE
    Transactions on Computers 53, 2004).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // ARRC_TARGET_GPU_PASSES_TD
