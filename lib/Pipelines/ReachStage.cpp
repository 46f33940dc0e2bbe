//===- ReachStage.cpp - The stages of a program ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Pipelines/Passes.h"
#include "arrc/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/STLExtras.h"

namespace arrc {
#define GEN_PASS_DEF_REACHSTAGEPASS
#include "arrc/Pipelines/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

/// In the order of `Stage`.
static constexpr llvm::StringLiteral names[] = {
    "array", "kernel", "buffers", "scheduled", "scf", "gpu", "images", "llvm"};

std::optional<Stage> arrc::parseStage(StringRef name) {
  auto *found = llvm::find(names, name);
  if (found == std::end(names))
    return std::nullopt;
  return Stage(found - std::begin(names));
}

StringRef arrc::nameOf(Stage stage) { return names[unsigned(stage)]; }

/// Names the stage of a module whose operations are also those of another one.
static constexpr llvm::StringLiteral kStageAttr = "arrc.stage";

/// The stage that the operations of a module are usually at.
static Stage inferStage(ModuleOp module) {
  bool array = false, launch = false, memory = false, scheduled = false;
  bool code = false, native = false, device = false;
  if (!module.getOps<gpu::BinaryOp>().empty())
    return Stage::Images;
  if (!module.getOps<gpu::GPUModuleOp>().empty())
    return Stage::GPU;
  module->walk([&](Operation *op) {
    if (isa<array::ArrayDialect>(op->getDialect()) &&
        !isa<array::AssumeOp, array::CheckOp, array::BindOp, array::FenceOp>(
            op))
      array = true;
    if (auto op2 = dyn_cast<kernel::LaunchOp>(op)) {
      launch = true;
      scheduled |= op2.isScheduled();
      for (Value out : op2.getOuts())
        memory |= isa<MemRefType>(out.getType());
    }
    code |= isa<scf::ParallelOp>(op);
    device |= isa<gpu::LaunchOp>(op);
    native |= isa<LLVM::LLVMFuncOp>(op);
  });
  if (array)
    return Stage::Array;
  if (launch)
    return scheduled ? Stage::Scheduled
                     : (memory ? Stage::Buffers : Stage::Kernel);
  if (device)
    return Stage::GPU;
  if (native && module.getOps<func::FuncOp>().empty())
    return Stage::LLVM;
  return code ? Stage::SCF : Stage::Array;
}

Stage arrc::getStage(ModuleOp module) {
  if (auto name = module->getAttrOfType<StringAttr>(kStageAttr))
    if (std::optional<Stage> stage = parseStage(name))
      return *stage;
  return inferStage(module);
}

void arrc::setStage(ModuleOp module, Stage stage) {
  // A sort, for one, brings the schedules of its launches: with buffers it
  // looks as if it had been scheduled.
  if (inferStage(module) == stage)
    module->removeAttr(kStageAttr);
  else
    module->setAttr(kStageAttr,
                    StringAttr::get(module.getContext(), nameOf(stage)));
}

namespace {
struct ReachStagePass : arrc::impl::ReachStagePassBase<ReachStagePass> {
  using ReachStagePassBase::ReachStagePassBase;
  void runOnOperation() override {
    if (!parseStage(stage)) {
      getOperation().emitError() << "there is no stage '" << stage << "'";
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
