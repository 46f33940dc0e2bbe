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
// 32 bits, and the host picks by the sizes.
//
//===----------------------------------------------------------------------===//

#include "../KernelToHost/CheckSites.h"
#include "../KernelToHost/HostResult.h"
#include "../KernelToHost/TimeLoops.h"
#include "HostCode.h"
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
  LogicalResult emitWide(KernelPlan &plan, StringRef name,
                         EmittedKernel &kernel);
  gpu::GPUModuleOp createModule(StringRef kernel, unsigned bits);

  func::FuncOp function;
  /// Where the next module goes.
  Operation *last;
  /// Of all kernels of the program.
  llvm::StringSet<> &names;
};
} // namespace

/// A module of its own for each kernel: what is never launched is never loaded.
gpu::GPUModuleOp FunctionConverter::createModule(StringRef kernel,
                                                 unsigned bits) {
  // The kernel in 32 bits stands before the other one.
  OpBuilder b(last->getContext());
  if (bits == 64)
    b.setInsertionPointAfter(last);
  else
    b.setInsertionPoint(last);
  auto module = gpu::GPUModuleOp::create(
      b, function.getLoc(), (kernel + "_kernel" + Twine(bits)).str());
  module->setAttr("arrc.index_bits", b.getI32IntegerAttr(bits));
  if (bits == 64)
    last = module;
  return module;
}

/// The kernel in 64 bits, in the first mode that is possible.
LogicalResult FunctionConverter::emitWide(KernelPlan &plan, StringRef name,
                                          EmittedKernel &kernel) {
  std::string reason;
  Location loc = plan.launch->getLoc();
  gpu::GPUModuleOp module = createModule(name, 64);
  for (KernelMode mode :
       {KernelMode::Parallel, KernelMode::OneThread, KernelMode::OneBlock}) {
    if (failed(plan.setMode(mode)))
      return failure();
    if (plan.getThreads() > plan.maxThreads) {
      reason = "a block would have more threads than the device allows";
      continue;
    }
    KernelEmitter emitter(plan, 64);
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

LogicalResult FunctionConverter::convert(kernel::LaunchOp launch) {
  for (Value operand : launch->getOperands())
    if (isa<TensorType>(operand.getType()))
      return launch.emitOpError("is on tensors; bufferize it first");
  std::string stem = launch.getKernelName().str(), name = stem;
  for (unsigned count = 1; !names.insert(name).second; ++count)
    name = stem + "_v" + std::to_string(count);
  KernelPlan plan(launch);
  EmittedKernel wide, narrow;
  if (failed(emitWide(plan, name, wide)))
    return failure();
  std::optional<IndexLimits> limits = getIndexLimits(plan);
  if (limits) {
    KernelEmitter emitter(plan, 32);
    FailureOr<gpu::GPUFuncOp> emitted =
        emitter.run(createModule(name, 32), name);
    if (failed(emitted))
      return launch.emitOpError("has a kernel in 64 bits but none in 32");
    narrow = {*emitted, emitter.getSharedBytes()};
  }
  FailureOr<std::string> parts = getPartitionText(plan);
  if (failed(parts))
    return failure();
  for (EmittedKernel *kernel : {&wide, &narrow}) {
    if (!kernel->function || parts->empty())
      continue;
    kernel->function->getParentOp()->setAttr(
        "arrc.parts", StringAttr::get(launch.getContext(), *parts));
    if (failed(emitCombineKernels(plan, kernel->function)))
      return failure();
  }
  emitHostLaunch(plan, wide, narrow, limits);
  last = (wide.function ? wide : narrow).function->getParentOp();
  launch.erase();
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
  SmallVector<kernel::LaunchOp> launches;
  function.walk([&](kernel::LaunchOp launch) { launches.push_back(launch); });
  for (kernel::LaunchOp launch : launches)
    if (failed(convert(launch)))
      return failure();
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
