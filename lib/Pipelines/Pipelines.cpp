//===- Pipelines.cpp - Every pipeline of the project ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// One line a pass, with the reason where the order matters.
//
//===----------------------------------------------------------------------===//

#include "arrc/Pipelines/Pipelines.h"

#include "arrc/Conversion/Passes.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Target/CPU/CPU.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace arrc;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void arrc::buildArrayPipeline(OpPassManager &pm) {
  pm.addPass(createInlinerPass());
  addCleanup(pm);
  // Constant-extent bodies become scalars before anything looks at indices.
  pm.addNestedPass<func::FuncOp>(array::createUnrollSmallArraysPass());
  addCleanup(pm);
  // What is surely wrong is said here, at the places of the program; what is
  // surely right needs no check further down.
  pm.addNestedPass<func::FuncOp>(array::createCheckStencilsPass());
  pm.addNestedPass<func::FuncOp>(array::createProveBoundsPass());
  pm.addPass(createCanonicalizerPass());
  // Before branches are flattened: what is the same in all iterations is no
  // reason to keep one.
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addNestedPass<func::FuncOp>(array::createFlattenBranchesPass());
  pm.addNestedPass<func::FuncOp>(array::createFuseProducersPass());
  // Fusing brings small arrays into other bodies, and reads next to each other.
  pm.addNestedPass<func::FuncOp>(array::createUnrollSmallArraysPass());
  addCleanup(pm);
  // Last, when every read of a component says which one.
  pm.addNestedPass<func::FuncOp>(array::createChooseLayoutsPass());
  pm.addNestedPass<func::FuncOp>(array::createProveBoundsPass());
}

void arrc::buildFormPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createConvertArrayToKernelPass());
  addCleanup(pm);
  // Launches that share data join; their loops then run together, and what
  // passed between them needs no array.
  pm.addNestedPass<func::FuncOp>(kernel::createFuseLaunchesPass());
  pm.addNestedPass<func::FuncOp>(kernel::createMergeLoopsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createContractLocalsPass());
  addCleanup(pm);
  // One launch a step where the fusion found one.
  pm.addNestedPass<func::FuncOp>(kernel::createFormIterationsPass());
  addCleanup(pm);
}

void arrc::buildBufferPipeline(OpPassManager &pm) {
  // Advice that bufferization checks, so it comes right before.
  pm.addNestedPass<func::FuncOp>(kernel::createPlanDestinationsPass());
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(kernel::createPlanMemoryPass());
  addCleanup(pm);
}

void arrc::buildSchedulePipeline(OpPassManager &pm) {
  kernel::PlanSchedulesPassOptions plan;
  plan.device = "cpu";
  pm.addNestedPass<func::FuncOp>(kernel::createPlanSchedulesPass(plan));
  pm.addNestedPass<func::FuncOp>(kernel::createExpandVersionsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createSplitLoopsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createOrderLoopsPass());
  pm.addNestedPass<func::FuncOp>(kernel::createMaskTailsPass());
  // Bounds of the interior are read off indices in their simplest form.
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(kernel::createSplitBoundaryPass());
  addCleanup(pm);
  // Late: what is expanded costs time in every pass behind it.
  pm.addNestedPass<func::FuncOp>(kernel::createJamLoopsPass());
  addCleanup(pm);
}

void arrc::buildSCFPipeline(OpPassManager &pm) {
  pm.addPass(createConvertKernelToSCFPass());
  addCleanup(pm);
}

void arrc::buildHostPipeline(OpPassManager &pm) {
  pm.addPass(createOutlineTasksPass());
  addCleanup(pm);
  // A failing call leaves its function at once: no loops around it any more.
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertHostToRuntimePass());
  cpu::buildToLLVMPipeline(pm);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

std::optional<Stage> arrc::parseStage(StringRef name) {
  return llvm::StringSwitch<std::optional<Stage>>(name)
      .Case("array", Stage::Array)
      .Case("kernel", Stage::Kernel)
      .Case("buffers", Stage::Buffers)
      .Case("scheduled", Stage::Scheduled)
      .Case("scf", Stage::SCF)
      .Case("llvm", Stage::LLVM)
      .Default(std::nullopt);
}

Stage arrc::getStage(ModuleOp module) {
  bool array = false, launch = false, memory = false, scheduled = false;
  bool code = false, native = false;
  module->walk([&](Operation *op) {
    if (isa<array::ArrayDialect>(op->getDialect()) &&
        !isa<array::AssumeOp, array::CheckOp, array::BindOp>(op))
      array = true;
    if (auto op2 = dyn_cast<kernel::LaunchOp>(op)) {
      launch = true;
      scheduled |= op2.isScheduled();
      for (Value out : op2.getOuts())
        memory |= isa<MemRefType>(out.getType());
    }
    code |= isa<scf::ParallelOp>(op);
    native |= isa<LLVM::LLVMFuncOp>(op);
  });
  if (array)
    return Stage::Array;
  if (launch)
    return scheduled ? Stage::Scheduled
                     : (memory ? Stage::Buffers : Stage::Kernel);
  if (native && module.getOps<func::FuncOp>().empty())
    return Stage::LLVM;
  return code ? Stage::SCF : Stage::Array;
}

void arrc::buildPipeline(OpPassManager &pm, Stage from, Stage to,
                         const PipelineOptions &options) {
  auto passes = [&](Stage stage) { return from < stage && stage <= to; };
  if (passes(Stage::Kernel)) {
    buildArrayPipeline(pm);
    buildFormPipeline(pm);
  }
  if (passes(Stage::Buffers))
    buildBufferPipeline(pm);
  if (passes(Stage::Scheduled) && options.optLevel > 0)
    buildSchedulePipeline(pm);
  if (passes(Stage::SCF))
    buildSCFPipeline(pm);
  if (passes(Stage::LLVM))
    buildHostPipeline(pm);
}

LogicalResult arrc::lowerTo(ModuleOp module, Stage stage,
                            const PipelineOptions &options) {
  PassManager pm(module.getContext());
  buildPipeline(pm, getStage(module), stage, options);
  return pm.run(module);
}

void arrc::registerPipelines() {
  PassPipelineRegistration<>("arrc-array-pipeline",
                             "Rewrites in the array dialect",
                             buildArrayPipeline);
  PassPipelineRegistration<>("arrc-form-pipeline",
                             "Array operations to fused launches",
                             buildFormPipeline);
  PassPipelineRegistration<>("arrc-buffer-pipeline",
                             "Tensors to planned buffers", buildBufferPipeline);
  PassPipelineRegistration<>("arrc-schedule-pipeline",
                             "Schedules of launches, applied",
                             buildSchedulePipeline);
  PassPipelineRegistration<>("arrc-scf-pipeline", "Launches to parallel loops",
                             buildSCFPipeline);
  PassPipelineRegistration<>(
      "arrc-host-pipeline", "Host code to the LLVM dialect", buildHostPipeline);
  PassPipelineRegistration<>(
      "arrc-cpu-pipeline", "From the array dialect to the LLVM dialect",
      [](OpPassManager &pm) { buildPipeline(pm, Stage::Array, Stage::LLVM); });
}
