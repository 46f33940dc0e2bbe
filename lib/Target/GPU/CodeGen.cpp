//===- CodeGen.cpp - LLVM dialect of kernels to optimised LLVM IR ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Target/GPU/GPU.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

std::unique_ptr<llvm::Module>
arrc::target::translate(gpu::GPUModuleOp module, llvm::LLVMContext &context,
                        llvm::TargetMachine &machine) {
  // Before the translation: it writes down how far loads and stores are
  // aligned, and LLVM's default aligns i64 by 4 bytes.
  std::string layout = machine.createDataLayout().getStringRepresentation();
  module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  StringAttr::get(module.getContext(), layout));
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, module.getName());
  if (!result) {
    module.emitError("cannot be translated to LLVM IR");
    return nullptr;
  }
  result->setTargetTriple(machine.getTargetTriple());
  return result;
}

void arrc::target::optimize(
    llvm::Module &module, llvm::TargetMachine &machine, unsigned level,
    llvm::function_ref<void(llvm::PassBuilder &)> extend) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions());
  if (extend)
    extend(builder);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel at = levels[std::min(level, 3u)];
  auto pipeline = level == 0 ? builder.buildO0DefaultPipeline(at)
                             : builder.buildPerModuleDefaultPipeline(at);
  pipeline.run(module, modules);
}
