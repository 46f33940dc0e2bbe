//===- Passes.td - Passes of the SPIR-V target --------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TARGET_SPIRV_PASSES_TD
#define ARRC_TARGET_SPIRV_PASSES_TD

include "mlir/Pass/PassBase.td"

def ArrcGPUToSPIRVPass : Pass<"arrc-gpu-to-spirv", "::mlir::ModuleOp"> {
  let summary = "Compile the kernels of every gpu.module to SPIR-V for OpenCL";
  let description = [{
    Each `gpu.module` becomes a `gpu.binary` of the same name with one object: a
    SPIR-V module of OpenCL kernels, made by LLVM's SPIR-V backend after LLVM's
    own passes. It declares no capability that its kernels do not use.

    Dynamic work-group memory becomes a trailing argument (letter `l`). A kernel
    that needs f64 or 64-bit atomics on a device without them is refused; f16 on
    such a device is computed in f32 and kept as 16 bits.

    ```mlir
    gpu.module @main_kernels64 {
      gpu.func @axpy(..) kernel attributes {arrc.args = "pp8ox"} { .. }
    }
    // becomes
    gpu.binary @main_kernels64 <..> [#gpu.object<#spirv.target_env<..>, bin = "..">]
        {arrc.kernels = {axpy = "pp8ox"}}
    ```
  }];
  let options = [
    Option<"emitLLVM", "emit-llvm", "bool", /*default=*/"false",
           "keep the optimised LLVM IR in place of SPIR-V, for reading">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::complex::ComplexDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::spirv::SPIRVDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // ARRC_TARGET_SPIRV_PASSES_TD
