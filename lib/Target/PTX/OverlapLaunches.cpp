//===- OverlapLaunches.cpp - Kernels that start while the last one ends ---===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Between two kernels of a stream a card does nothing for about two
// microseconds: the blocks of the second are handed out when the first has
// ended and all that it stored is in place. From sm_90 on a kernel may be
// launched such that its blocks come sooner and wait by themselves
// (programmatic dependent launch):
//
//     <indices>                   of the arguments and the block
//     griddepcontrol.wait         the launch before has ended, and what it
//                                 stored is seen
//     <all accesses of memory>
//     ret                         the next one's blocks may come
//
// Legal because every thread of the grid waits before its first access: what a
// kernel reads, overwrites, or counts by an atomic is as the launch before left
// it. That one had waited for its own predecessor in the same way, so that all
// launches before have ended; copies, fills and events in the stream keep full
// order, since the runtime asks for the overlap of a kernel with a kernel only.
//
// The wait is put in when LLVM's passes are done. They may move loads from
// arguments that nothing else overlaps over whatever claims to write memory;
// behind them nothing moves a load upwards out of its block, and inside of a
// block code is selected in the order of the text.
//
// The blocks of the next launch are let in as those of this one end. Earlier
// they would come as soon as the last block of this one has started, and they
// would all gather on the multiprocessors that are free first: a grid of one
// block each would run on a few of them. They would not endanger blocks that
// wait for each other, for which room is only taken when all have started.
// `griddepcontrol.launch_dependents` in front of the `ret` would say the same
// once more, and double what it takes to start a block: 1.21 ns in place of
// 0.61, and 10.5 us in place of 5.6 for a copy by 8192 blocks (H100).
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace arrc::ptx {
#define GEN_PASS_DEF_OVERLAPLAUNCHESPASS
#include "arrc/Target/PTX/Passes.h.inc"
} // namespace arrc::ptx

using namespace mlir;

/// An instruction of PTX that no access of memory passes. LLVM's intrinsics for
/// these claim to have nothing to do with memory.
static void emitControl(llvm::IRBuilder<> &builder, StringRef text) {
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), false);
  builder
      .CreateCall(llvm::InlineAsm::get(type, text, "~{memory}",
                                       /*hasSideEffects=*/true))
      ->setConvergent();
}

/// The first instruction of the kernel before which it must wait.
static llvm::Instruction *findFirstAccess(llvm::BasicBlock &entry) {
  for (llvm::Instruction &op : entry)
    if (op.mayReadOrWriteMemory() && !isa<llvm::DbgInfoIntrinsic>(op))
      return &op;
  return entry.getTerminator();
}

void arrc::ptx::overlapLaunches(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration() ||
        function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
      continue;
    llvm::IRBuilder<> builder(findFirstAccess(function.getEntryBlock()));
    emitControl(builder, "griddepcontrol.wait;");
  }
}

namespace {
struct OverlapLaunchesPass
    : arrc::ptx::impl::OverlapLaunchesPassBase<OverlapLaunchesPass> {
  void runOnOperation() override {
    auto row = arrc::kernel::DeviceAttr::get(getOperation());
    if (!row || row.getName() != "cuda" ||
        arrc::ptx::getCapability(arrc::kernel::getArch(row)) <
            arrc::ptx::leastToOverlap)
      return;
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      module->setAttr(arrc::target::overlapsAttrName,
                      UnitAttr::get(&getContext()));
  }
};
} // namespace
