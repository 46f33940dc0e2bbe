//===- TrySchedule.cpp - Whether a schedule can be applied ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What is legal is asked of the passes that apply schedules and of nobody else:
// they run on a copy of the function with one launch, and what they refuse is
// the answer. What they would do without a word and no step asks for is looked
// for here: more threads than a block has, a tile that does not fit on chip.
//
//===----------------------------------------------------------------------===//

#include "TrySchedule.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;
using namespace arrc::kernel::script;

/// Marks the locals that the launch had before.
static constexpr llvm::StringLiteral kBefore = "arrc.before";

namespace {
/// A copy of the function, in a module of its own, with one launch.
class Copy {
public:
  Copy(LaunchOp launch, ScheduleAttr schedule);

  LaunchOp getLaunch() {
    LaunchOp found;
    module->walk([&](LaunchOp launch) { found = launch; });
    return found;
  }

  /// Runs passes on the function; false if one refuses.
  bool run(ArrayRef<std::unique_ptr<Pass> (*)()> passes, Trial &trial);

  /// Whether what they have made of the launch is one.
  bool verifyLaunch(Trial &trial);

private:
  OwningOpRef<ModuleOp> module;
};
} // namespace

Copy::Copy(LaunchOp launch, ScheduleAttr schedule) {
  MLIRContext *context = launch.getContext();
  auto function = launch->getParentOfType<func::FuncOp>();
  module = ModuleOp::create(UnknownLoc::get(context));
  if (auto around = launch->getParentOfType<ModuleOp>())
    (*module)->setDiscardableAttrs(around->getDiscardableAttrDictionary());
  IRMapping mapping;
  auto copy = cast<func::FuncOp>(function->clone(mapping));
  module->getBody()->push_back(copy);
  auto mine = cast<LaunchOp>(mapping.lookup(launch.getOperation()));
  SmallVector<LaunchOp> others;
  copy.walk([&](LaunchOp other) {
    if (other != mine)
      others.push_back(other);
  });
  for (LaunchOp other : others) {
    // What others leave in tensors is needed; what they store is not.
    if (other->getNumResults() == 0) {
      other.erase();
      continue;
    }
    other.removeScheduleAttr();
    other.removeVersionsAttr();
  }
  mine.removeVersionsAttr();
  mine.removeVersionSizesAttr();
  mine.setScheduleAttr(schedule);
  mine.walk(
      [&](LocalOp local) { local->setAttr(kBefore, UnitAttr::get(context)); });
}

/// Keeps the first error as what is in the way.
static ScopedDiagnosticHandler listen(MLIRContext *context, Trial &trial) {
  return {context, [&](Diagnostic &diagnostic) {
            if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
                trial.problem.empty()) {
              std::string all = diagnostic.str();
              StringRef text = all;
              // Passes name the op that they speak of; here it is the launch.
              // Verifiers name the constraint of the op's description, too.
              bool isLaunch = text.consume_front("'kernel.launch' op ");
              (void)text.consume_front("'kernel.for' op ");
              if (text.starts_with("[C"))
                text = text.split("] ").second;
              trial.problem =
                  isLaunch ? ("the kernel " + text).str() : text.str();
              trial.place = diagnostic.getLocation();
            }
            return success();
          }};
}

bool Copy::run(ArrayRef<std::unique_ptr<Pass> (*)()> passes, Trial &trial) {
  PassManager pm(module->getContext(), ModuleOp::getOperationName());
  pm.enableVerifier(false);
  for (auto make : passes)
    pm.addNestedPass<func::FuncOp>(make());
  ScopedDiagnosticHandler listener = listen(module->getContext(), trial);
  if (succeeded(pm.run(*module)))
    return true;
  if (trial.problem.empty())
    trial.problem = "the schedule cannot be applied";
  return false;
}

bool Copy::verifyLaunch(Trial &trial) {
  ScopedDiagnosticHandler listener = listen(module->getContext(), trial);
  return succeeded(verify(getLaunch()));
}

/// What the device does not have, whatever the passes make of it.
static std::string whyNotOnDevice(DeviceAttr device, ScheduleAttr schedule) {
  bool isCard = isGPU(device);
  int64_t threads = schedule.getThreads();
  if (!isCard && threads > 1)
    return "the schedule has threads of a block, and a CPU has none";
  if (!isCard && !schedule.getStage().empty())
    return "the schedule copies arrays on chip, and a CPU has no shared memory";
  if (!isCard && !schedule.getPrivates().empty())
    return "the schedule has bins on chip, and a CPU has no shared memory";
  if (isCard)
    return whyTooManyThreads(device, threads);
  return "";
}

Trial script::trySchedule(LaunchOp launch, ScheduleAttr schedule) {
  Trial trial;
  DeviceAttr device = DeviceAttr::get(launch);
  if (launch.isScheduled())
    trial.problem = "the loops of the kernel have their levels already";
  else if (!launch->getParentOfType<func::FuncOp>())
    trial.problem = "the kernel stands in no function";
  else
    trial.problem = whyNotOnDevice(device, schedule);
  if (!trial.problem.empty()) {
    trial.place = launch.getLoc();
    return trial;
  }
  Copy copy(launch, schedule);
  if (!copy.run(
          {createKeepRowsPass, createSplitLoopsPass, createOrderLoopsPass},
          trial) ||
      !copy.verifyLaunch(trial))
    return trial;
  llvm::SetVector<StringRef> loops;
  copy.getLaunch().getBody().walk<WalkOrder::PreOrder>(
      [&](ForOp loop) { loops.insert(loop.getDim()); });
  for (StringRef name : loops)
    trial.loops.push_back(name.str());
  if (!isGPU(device))
    return trial;
  if (!schedule.getStage().empty()) {
    if (!copy.run({createStageOperandsPass}, trial))
      return trial;
    int64_t bytes = 0, most = device.getInteger("shared_bytes", 0);
    copy.getLaunch().walk([&](LocalOp local) {
      MemRefType type = local.getType();
      if (!local->hasAttr(kBefore) && type.hasStaticShape())
        bytes += type.getNumElements() * getStoredBytes(type.getElementType());
    });
    if (bytes > most) {
      trial.problem = "what is copied on chip takes " + std::to_string(bytes) +
                      " bytes, and a block has " + std::to_string(most);
      trial.place = launch.getLoc();
      return trial;
    }
  }
  if (!schedule.getPrivates().empty() &&
      !copy.run({createMaskTailsPass, createSplitBoundaryPass,
                 createStageUpdatesPass},
                trial))
    return trial;
  copy.run({createSplitLaunchesPass, createAssignStoragePass}, trial);
  return trial;
}
