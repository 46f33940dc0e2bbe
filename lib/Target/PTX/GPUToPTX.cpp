//===- GPUToPTX.cpp - Modules of kernels to images of PTX -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Target/PTX/PTX.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

namespace arrc::ptx {
#define GEN_PASS_DEF_GPUTOPTXPASS
#include "arrc/Target/PTX/Passes.h.inc"
} // namespace arrc::ptx

using namespace mlir;

namespace {
struct GPUToPTXPass : arrc::ptx::impl::GPUToPTXPassBase<GPUToPTXPass> {
  using GPUToPTXPassBase::GPUToPTXPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (module.getOps<gpu::GPUModuleOp>().empty())
      return;
    std::string chip = arch;
    if (auto row = arrc::kernel::DeviceAttr::get(module); row && chip.empty())
      chip = arrc::kernel::getArch(row).str();
    if (chip.empty()) {
      module.emitError("the architecture of the device is not known");
      return signalPassFailure();
    }
    arrc::ptx::CompileKernelsPassOptions options;
    options.arch = chip;
    options.library = library;
    options.optLevel = optLevel;
    options.llvmText = llvmText;
    OpPassManager pm(ModuleOp::getOperationName());
    OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
    if (optLevel > 0) {
      kernels.addPass(arrc::target::createInvertRootsPass());
      kernels.addPass(arrc::target::createShareReciprocalsPass());
    }
    kernels.addPass(arrc::target::createPrepareKernelsPass());
    kernels.addPass(arrc::ptx::createCompileKernelsPass(options));
    if (failed(runPipeline(pm, module)))
      return signalPassFailure();

    Attribute target = NVVM::NVVMTargetAttr::get(
        &getContext(), /*optLevel=*/optLevel, "nvptx64-nvidia-cuda", chip);
    for (auto kernelModule :
         llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
      auto text = kernelModule->getAttrOfType<StringAttr>("arrc.ptx");
      arrc::target::replaceByBinary(kernelModule, target,
                                    gpu::CompilationTarget::Assembly, text);
    }
  }
};
} // namespace
