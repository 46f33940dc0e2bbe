//===- KernelToGPU.cpp - Launches to device kernels -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Each launch becomes a gpu.func and, where it stands, a gpu.launch_func.
//
//   kernel.launch @k (%X[%N] = %x, %N = %n) outs (%Y[%N] = %y) {
//     %nb = affine.apply (N ceildiv 256)
//     kernel.for "i.0" (%b) in %nb at block.0 {
//       kernel.for "i.1" (%t) in 256 at thread.x {
//         %i = affine.apply (b * 256 + t)   %in = arith.cmpi slt, %i, %N
//         %v = kernel.load %X[%i] if %in    kernel.store %v, %Y[%i] if %in } }
//         }
//
//   gpu.func @k(%x1, %y1, %n, %first, %blocks) kernel
//       attributes {known_block_size = array<i32: 256, 1, 1>} {
//     %b = block number + %first
//     %i = %b * 256 + gpu.thread_id x   ..  scf.if %in { .. } }
//
// The loops decide, this pass obeys: a level is never chosen here. What a loop
// asks for and cannot have (threads that would have to wait for each other
// under a branch, an update that no atomic operation does) runs in one thread
// of each block instead, or in one thread: slower, with a warning, and right.
//
// There are up to two modules for a launch: the kernel of one counts in 64 bits
// and takes any sizes; where it can be proved the other one has it once more in
// 32 bits, and the host picks by the sizes. Versions of a launch that stand in
// a branch on `kernel.indices_fit` have one each: in 32 bits where the answer
// is yes, in 64 bits where it is no (IndexGuard.cpp).
//
//===----------------------------------------------------------------------===//

#include "../KernelToHost/CheckSites.h"
#include "../KernelToHost/HostResult.h"
#include "../KernelToHost/TimeLoops.h"
#include "HostCode.h"
#include "IndexGuard.h"
#include "KernelEmitter.h"
#include "arrc/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

#include "llvm/ADT/StringSet.h"

namespace arrc {
#define GEN_PASS_DEF_CONVERTKERNELTOGPUPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

namespace {
/// The kernels of one function.
class FunctionConverter {
public:
  FunctionConverter(func::FuncOp function, llvm::StringSet<> &names)
      : function(function), last(function), names(names) {}
  LogicalResult run();

private:
  LogicalResult convert(kernel::LaunchOp launch);
  LogicalResult convertVersion(kernel::LaunchOp launch, IndexGuard *guard);
  LogicalResult convert(scf::IfOp branch);
  std::string chooseName(kernel::LaunchOp launch);
  LogicalResult emit(KernelPlan &plan, StringRef name,
                     const IndexLimits *limits, EmittedKernel &kernel);
  LogicalResult emitAgain(KernelPlan &plan, StringRef name,
                          const IndexLimits *limits, EmittedKernel &kernel);
  LogicalResult finish(KernelPlan &plan,
                       ArrayRef<const EmittedKernel *> kernels);
  gpu::GPUModuleOp createModule(StringRef kernel, unsigned bits,
                                Operation *before = nullptr);

  func::FuncOp function;
  /// Where the next module goes.
  Operation *last;
  /// Of all kernels of the program.
  llvm::StringSet<> &names;
};
} // namespace

static Operation *getModule(const EmittedKernel &kernel) {
  return kernel.function->getParentOp();
}

/// A module of its own for each kernel: what is never launched is never loaded.
gpu::GPUModuleOp FunctionConverter::createModule(StringRef kernel,
                                                 unsigned bits,
                                                 Operation *before) {
  OpBuilder b(last->getContext());
  if (before)
    b.setInsertionPoint(before);
  else
    b.setInsertionPointAfter(last);
  auto module = gpu::GPUModuleOp::create(
      b, function.getLoc(), (kernel + "_kernel" + Twine(bits)).str());
  module->setAttr("arrc.index_bits", b.getI32IntegerAttr(bits));
  if (!before)
    last = module;
  return module;
}

std::string FunctionConverter::chooseName(kernel::LaunchOp launch) {
  std::string stem = launch.getKernelName().str(), name = stem;
  for (unsigned count = 1; !names.insert(name).second; ++count)
    name = stem + "_v" + std::to_string(count);
  return name;
}

/// What may wrap in a kernel in 32 bits, within `limits`, or in 64 bits.
static WrappingPlaces getWrapping(const KernelPlan &plan,
                                  const IndexLimits *limits) {
  return limits ? limits->wrapping : getWrappingPlaces(plan);
}

/// The kernel in 32 bits where there are limits, else in 64 bits, in the first
/// mode that is possible.
LogicalResult FunctionConverter::emit(KernelPlan &plan, StringRef name,
                                      const IndexLimits *limits,
                                      EmittedKernel &kernel) {
  unsigned bits = limits ? 32 : 64;
  WrappingPlaces wrapping = getWrapping(plan, limits);
  std::string reason;
  Location loc = plan.launch->getLoc();
  gpu::GPUModuleOp module = createModule(name, bits);
  for (KernelMode mode :
       {KernelMode::Parallel, KernelMode::OneThread, KernelMode::OneBlock}) {
    if (failed(plan.setMode(mode)))
      return failure();
    if (plan.getThreads() > plan.maxThreads) {
      reason = "a block would have more threads than the device allows";
      continue;
    }
    KernelEmitter emitter(plan, bits, wrapping);
    FailureOr<gpu::GPUFuncOp> emitted = emitter.run(module, name);
    if (succeeded(emitted)) {
      if (mode != KernelMode::Parallel)
        emitWarning(loc) << "the kernel runs in one thread"
                         << (mode == KernelMode::OneThread ? " of each block: "
                                                           : ": ")
                         << reason;
      kernel = {*emitted, emitter.getSharedBytes()};
      return success();
    }
    reason = emitter.getReason().str();
    loc = emitter.getReasonLoc();
  }
  return emitError(loc) << reason;
}

/// The same kernel in the other width.
LogicalResult FunctionConverter::emitAgain(KernelPlan &plan, StringRef name,
                                           const IndexLimits *limits,
                                           EmittedKernel &kernel) {
  unsigned bits = limits ? 32 : 64;
  WrappingPlaces wrapping = getWrapping(plan, limits);
  // The kernel in 32 bits stands before the other one.
  KernelEmitter emitter(plan, bits, wrapping);
  FailureOr<gpu::GPUFuncOp> emitted =
      emitter.run(createModule(name, bits, bits == 32 ? last : nullptr), name);
  if (failed(emitted))
    return plan.launch.emitOpError("has a kernel in ")
           << (bits == 32 ? "64 bits but none in 32"
                          : "32 bits but none in 64");
  kernel = {*emitted, emitter.getSharedBytes()};
  return success();
}

/// What kernels need beside their code.
LogicalResult
FunctionConverter::finish(KernelPlan &plan,
                          ArrayRef<const EmittedKernel *> kernels) {
  FailureOr<std::string> parts = getPartitionText(plan);
  if (failed(parts))
    return failure();
  for (const EmittedKernel *kernel : kernels) {
    if (!kernel->function || parts->empty())
      continue;
    getModule(*kernel)->setAttr(
        "arrc.parts", StringAttr::get(plan.launch.getContext(), *parts));
    if (failed(emitCombineKernels(plan, kernel->function)))
      return failure();
  }
  return success();
}

LogicalResult FunctionConverter::convert(kernel::LaunchOp launch) {
  std::string name = chooseName(launch);
  KernelPlan plan(launch);
  EmittedKernel wide, narrow;
  if (failed(emit(plan, name, nullptr, wide)))
    return failure();
  std::optional<IndexLimits> limits = getIndexLimits(plan);
  if ((limits && failed(emitAgain(plan, name, &*limits, narrow))) ||
      failed(finish(plan, {&wide, &narrow})))
    return failure();
  emitHostLaunch(plan, wide, narrow, limits);
  last = getModule(wide.function ? wide : narrow);
  launch.erase();
  return success();
}

/// A launch with one kernel: in 32 bits for which `guard` is asked, in 64 bits
/// if there is none. Where that cannot be, as if it stood alone.
LogicalResult FunctionConverter::convertVersion(kernel::LaunchOp launch,
                                                IndexGuard *guard) {
  KernelPlan plan(launch);
  std::optional<IndexLimits> limits;
  if (guard)
    limits = getIndexLimits(plan);
  std::string name = chooseName(launch);
  EmittedKernel kernel, other;
  if (failed(emit(plan, name, limits ? &*limits : nullptr, kernel)))
    return failure();
  if (limits && !guard->require(createIndexCondition(plan, *limits))) {
    if (failed(emitAgain(plan, name, nullptr, other)) ||
        failed(finish(plan, {&other, &kernel})))
      return failure();
    emitHostLaunch(plan, other, kernel, limits);
  } else {
    if (failed(finish(plan, {&kernel})))
      return failure();
    emitHostLaunch(plan, kernel);
  }
  last = getModule(other.function ? other : kernel);
  launch.erase();
  return success();
}

/// Launches below `region`.
static SmallVector<kernel::LaunchOp> collectLaunches(Region &region) {
  SmallVector<kernel::LaunchOp> launches;
  region.walk([&](kernel::LaunchOp launch) { launches.push_back(launch); });
  return launches;
}

/// Puts what a branch does in its place.
static void inlineRegion(scf::IfOp branch, Region &region) {
  if (!region.empty()) {
    Block &block = region.front();
    block.getTerminator()->erase();
    branch->getBlock()->getOperations().splice(branch->getIterator(),
                                               block.getOperations());
  }
  branch.erase();
}

/// A branch on whether indices fit in 32 bits.
LogicalResult FunctionConverter::convert(scf::IfOp branch) {
  Operation *before = last;
  IndexGuard guard(branch);
  for (kernel::LaunchOp launch : collectLaunches(branch.getThenRegion()))
    if (failed(convertVersion(launch, &guard)))
      return failure();
  std::optional<bool> answer = guard.finish();
  if (answer && *answer) {
    inlineRegion(branch, branch.getThenRegion());
    return success();
  }
  if (answer) {
    branch.getThenRegion().walk([&](gpu::LaunchFuncOp launch) {
      SymbolTable::lookupNearestSymbolFrom(function,
                                           launch.getKernelModuleName())
          ->erase();
    });
    last = before;
  }
  for (kernel::LaunchOp launch : collectLaunches(branch.getElseRegion()))
    if (failed(convertVersion(launch, nullptr)))
      return failure();
  if (answer)
    inlineRegion(branch, branch.getElseRegion());
  return success();
}

/// Whether kernels only store to memory and the host only reads it.
static bool isHostResult(memref::AllocOp alloc) {
  auto isStore = [](OpOperand &use) {
    auto store = dyn_cast<kernel::StoreOp>(use.getOwner());
    return store && store.getDest() == use.get();
  };
  bool isRead = false;
  for (OpOperand &use : alloc->getUses()) {
    if (auto launch = dyn_cast<kernel::LaunchOp>(use.getOwner())) {
      BlockArgument argument = launch.getArgumentOf(use);
      if (!argument || !llvm::all_of(argument.getUses(), isStore))
        return false;
    } else if (isa<memref::LoadOp>(use.getOwner())) {
      isRead = true;
    } else if (!isa<memref::DeallocOp>(use.getOwner())) {
      return false;
    }
  }
  return isRead;
}

LogicalResult FunctionConverter::run() {
  function.walk([](memref::AllocOp alloc) {
    if (alloc.getType().getRank() == 0 && isHostResult(alloc))
      alloc->setAttr(kHostResultAttr, UnitAttr::get(alloc.getContext()));
  });
  WalkResult tensors = function.walk([](kernel::LaunchOp launch) {
    if (!llvm::any_of(launch->getOperandTypes(),
                      [](Type type) { return isa<TensorType>(type); }))
      return WalkResult::advance();
    launch.emitOpError("is on tensors; bufferize it first");
    return WalkResult::interrupt();
  });
  if (tensors.wasInterrupted())
    return failure();
  // A branch on the width of indices holds all versions of its launch.
  SmallVector<Operation *> work, questions;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto branch = dyn_cast<scf::IfOp>(op);
    bool isGuard = branch && IndexGuard::isGuard(branch);
    if (isGuard || isa<kernel::LaunchOp>(op))
      work.push_back(op);
    if (isa<kernel::IndicesFitOp>(op))
      questions.push_back(op);
    return isGuard ? WalkResult::skip() : WalkResult::advance();
  });
  for (Operation *op : work) {
    auto launch = dyn_cast<kernel::LaunchOp>(op);
    if (failed(launch ? convert(launch) : convert(cast<scf::IfOp>(op))))
      return failure();
  }
  for (Operation *op : questions) {
    OpBuilder b(op);
    if (!op->use_empty())
      op->getResult(0).replaceAllUsesWith(
          arith::ConstantIntOp::create(b, op->getLoc(), 1, 1));
    op->erase();
  }
  return success();
}

namespace {
struct ConvertKernelToGPUPass
    : arrc::impl::ConvertKernelToGPUPassBase<ConvertKernelToGPUPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    numberChecks(module);
    llvm::StringSet<> names;
    for (func::FuncOp function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (failed(FunctionConverter(function, names).run()))
        return signalPassFailure();
    shareKernels(module);
    if (!module.getOps<gpu::GPUModuleOp>().empty())
      module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                      UnitAttr::get(&getContext()));
    // With what their launches have become time loops hold more than they may;
    // and the launches asked which buffers of theirs differ.
    if (failed(convertTimeLoops(module)))
      signalPassFailure();
  }
};
} // namespace
