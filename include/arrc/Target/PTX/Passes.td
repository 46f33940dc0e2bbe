//===- Passes.td - Passes of the PTX target -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TARGET_PTX_PASSES_TD
#define ARRC_TARGET_PTX_PASSES_TD

include "mlir/Pass/PassBase.td"

class CompileOptions {
  list<Option> options = [
    Option<"arch", "arch", "std::string", "",
           "the architecture, as sm_90; otherwise the one of kernel.device">,
    Option<"library", "libdevice", "std::string", "",
           "libdevice or libclc as bitcode; otherwise what is found">,
    Option<"optLevel", "O", "unsigned", "3", "how hard LLVM tries">,
    Option<"llvmText", "llvm", "bool", "false",
           "give optimised LLVM IR instead of PTX">
  ];
}

def GPUToPTXPass : Pass<"arrc-gpu-to-ptx", "::mlir::ModuleOp"> {
  let summary = "Replace every gpu.module by a gpu.binary that holds PTX";
  let description = [{
    Modules are compiled side by side where threads are allowed, each with its
    own `LLVMContext`. Libdevice is linked only if a kernel calls it, and of it
    only what is called.

    ```mlir
    gpu.module @f_kernels32 { .. }
    // becomes
    gpu.binary @f_kernels32 {arrc.index_bits = 32 : i32, arrc.kernels = {f_1 = "pp4ox"}}
      [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "..">]
    ```
  }];
  let options = CompileOptions<>.options;
  // Those of the passes that it runs, too: they come late.
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::complex::ComplexDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def OverlapLaunchesPass : Pass<"gpu-overlap-launches", "::mlir::ModuleOp"> {
  let summary = "Let kernels start while the launch before ends";
  let description = [{
    Marks modules of kernels: `gpu-compile-kernels` makes their kernels wait for
    the launch before in front of the first access of memory, and let the next
    one in at their end; the runtime launches them such that they need not be
    held back. A launch of a small kernel takes 3.0 us instead of 3.8 then, one
    of 64 MB 16.0 instead of 18.0 (H200).

    ```mlir
    gpu.module @f_kernel32 attributes {arrc.index_bits = 32 : i32} { .. }
    // becomes
    gpu.module @f_kernel32 attributes {arrc.index_bits = 32 : i32, arrc.overlaps} { .. }
    ```

    **Legal when** the card knows `griddepcontrol`: from sm_90 on.
    **Pays when** a stream has more than one launch; always done.
    **Example** test/Target/PTX/overlap-launches.mlir
    **Reference** CUDA C++ Programming Guide, "Programmatic Dependent Launch and
    Synchronization".
  }];
}

def CompileKernelsPass
    : Pass<"gpu-compile-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Compile one prepared gpu.module to PTX in an attribute of it";
  let description = [{
    The part of `arrc-gpu-to-ptx` that runs for each module alone.
  }];
  let options = CompileOptions<>.options;
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // ARRC_TARGET_PTX_PASSES_TD
