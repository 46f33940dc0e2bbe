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

#endif // ARRC_TARGET_GPU_PASSES_TD
