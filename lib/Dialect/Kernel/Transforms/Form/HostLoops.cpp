//===- HostLoops.cpp - Loops whose steps the host drives ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A loop that is no kernel of its own is the runtime's where its steps only
// start work, each step the same (OutlineTimeLoops.cpp). The host drives the
// others: it starts the launches of a step one by one, and waits for the device
// wherever a number of it decides what comes next. A person has no reason to
// expect that, so it is a warning with the price of a step. Where the host is
// never kept waiting it is ahead of all but the shortest kernels: a remark.
//
//===----------------------------------------------------------------------===//

#include "EncloseLoops.h"

#include "arrc/Analysis/SourceNames.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Roof.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// What the host waits for a number at least: the launch that it comes from, a
/// copy of a few bytes, and the way back.
static constexpr double launchesPerRead = 4;

namespace {
/// What the host does in a step, apart from loops inside.
struct HostStep {
  unsigned launches = 0, reads = 0;
  bool hasLoops = false;

  double getSeconds(DeviceAttr device) const {
    return (launches + launchesPerRead * reads) * getRoof(device).launchSeconds;
  }
};
} // namespace

static bool isLoop(Operation *op) {
  return isa<IterateOp, scf::ForOp, scf::WhileOp>(op);
}

/// Whether the host asks the device for an element. Constants are the host's.
static bool isRead(Operation *op) {
  auto load = dyn_cast<memref::LoadOp>(op);
  return load && !load.getMemRef().getDefiningOp<memref::GetGlobalOp>();
}

static HostStep countStep(Region &region) {
  HostStep step;
  for (Block &block : region)
    for (Operation &op : block) {
      step.launches += isa<LaunchOp, memref::StoreOp, memref::CopyOp>(op);
      step.reads += isRead(&op);
      step.hasLoops |= isLoop(&op);
      auto branch = dyn_cast<scf::IfOp>(op);
      if (!branch)
        continue;
      // One of the two is taken: the dearer one.
      HostStep yes = countStep(branch.getThenRegion());
      HostStep no = countStep(branch.getElseRegion());
      step.launches += std::max(yes.launches, no.launches);
      step.reads += std::max(yes.reads, no.reads);
      step.hasLoops |= yes.hasLoops || no.hasLoops;
    }
  return step;
}

static HostStep countStep(Operation *loop) {
  HostStep step;
  for (Region &region : loop->getRegions()) {
    HostStep part = countStep(region);
    step.launches += part.launches;
    step.reads += part.reads;
    step.hasLoops |= part.hasLoops;
  }
  // Who starts the steps reads whether there is another one.
  if (auto iterate = dyn_cast<IterateOp>(loop))
    step.reads += iterate.getFlag() ? 1 : 0;
  return step;
}

/// Whether every step only starts work: neither waits nor allocates.
static bool onlyStartsWork(Operation *loop) {
  auto iterate = dyn_cast<IterateOp>(loop);
  if (!iterate)
    return false;
  return !iterate.getBody()
              .walk<WalkOrder::PreOrder>([](Operation *op) {
                if (isa<LaunchOp>(op))
                  return WalkResult::skip();
                bool waits = isRead(op) || isLoop(op) ||
                             isa<memref::AllocOp, array::CheckOp,
                                 array::ExternOp, func::CallOp>(op);
                return waits ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether `value`, of the body of a launch, is no more than a number there: no
/// loop or array is as long as it says.
static bool isNumber(LaunchOp launch, Value value) {
  for (BlockArgument array : launch.getBodyBlock()->getArguments())
    if (auto type = dyn_cast<MemRefType>(array.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (dyn_cast<Value>(launch.getSize(array, dim)) == value)
          return false;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isa<ForOp, LocalOp>(user))
      return false;
    return user->getNumRegions() || !isScalarOp(user) ||
           llvm::all_of(user->getResults(),
                        [&](Value result) { return isNumber(launch, result); });
  });
}

/// Whether kernels may compute what the steps make of their number, `value` or
/// what follows from it: all steps have the same launches (LoadSteps.cpp).
static bool isForKernels(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto launch = dyn_cast<LaunchOp>(user)) {
      BlockArgument argument = launch.getArgumentOf(use);
      return argument && isNumber(launch, argument);
    }
    return !user->getNumRegions() && isScalarOp(user) &&
           llvm::all_of(user->getResults(), isForKernels);
  });
}

/// Whether the host prepares some launch of a step: the words by which the
/// blocks of a scan see each other.
static bool preparesLaunches(Operation *loop) {
  return loop
      ->walk([](ForOp inner) {
        return inner.isScan() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the runtime runs the loop by itself: every step starts the same
/// work, and the host needs nothing of it.
static bool isOfRuntime(Operation *loop) {
  if (!onlyStartsWork(loop))
    return false;
  BlockArgument step = cast<IterateOp>(loop).getStepArg();
  if (!step || step.use_empty())
    return true;
  DeviceAttr device = DeviceAttr::get(loop);
  return device && device.getName() == "cuda" &&
         !device.getInteger("parts", 0) && isForKernels(step) &&
         !preparesLaunches(loop);
}

/// What to write so that the steps are the device's.
static StringRef getAdvice(const KeptLoop &loop) {
  std::optional<ObstacleKind> obstacle = loop.obstacle;
  // It would be the runtime's if it did not use the number of the step.
  if (onlyStartsWork(loop.op))
    return "count the steps in a variable ('var k = 0' in front of the loop, "
           "'k += 1' at its end): it stays on the device, the number of a step "
           "does not";
  constexpr StringLiteral keepNumbers =
      "let a 'for' read the number where it needs it: the host reads what "
      "conditions and bounds of slices depend on";
  bool allocates =
      loop.op->walk([](memref::AllocOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (allocates)
    return "let the arrays of a step have sizes that are known in front of the "
           "loop: fold what a filter keeps at once ('sum for x in a if ..'), "
           "or keep all elements and count those in use";
  if (!obstacle)
    return keepNumbers;
  switch (*obstacle) {
  case ObstacleKind::Schedule:
    return "leave out '@tile', '@seq' and '@unroll' in the loop";
  case ObstacleKind::Scan:
    return "fold at once what a filter keeps ('sum for x in a if ..'), and "
           "write "
           "the scan of a short array as a 'loop' over its elements";
  case ObstacleKind::Histogram:
    return "count in front of the loop, or write the histogram of a short "
           "array as a 'loop' over its elements";
  case ObstacleKind::Local:
    return "let the array that a 'for' makes for each element be one array of "
           "the whole, made in front of the loop";
  case ObstacleKind::Check:
    return "bound the index by 'min' and 'max', so that there is nothing to "
           "check in a step";
  case ObstacleKind::Edges:
    return "extend the array, and take the slice of what is extended";
  case ObstacleKind::Places:
    return "assign to elements and slices of the array ('a[i, :] = ..') "
           "instead "
           "of making another one in each step";
  case ObstacleKind::NoPlace:
    return "make the array in front of the loop, of its largest size, and "
           "assign to its elements";
  case ObstacleKind::Foreign:
    return "call functions of C in front of the loop or behind it";
  case ObstacleKind::UnknownWork:
    return "give slices and ranges of a step bounds that are known in front of "
           "the loop";
  case ObstacleKind::LargeSteps:
    return keepNumbers;
  }
  llvm_unreachable("unknown obstacle");
}

static std::string countText(unsigned count, StringRef one, StringRef many) {
  return (Twine(count) + " " + (count == 1 ? one : many)).str();
}

static std::string costText(const HostStep &step, DeviceAttr device) {
  std::string text = "a step ";
  if (step.launches)
    text += "starts " + countText(step.launches, "kernel", "kernels");
  if (step.reads)
    text += std::string(step.launches ? " and " : "") + "waits for " +
            countText(step.reads, "number", "numbers") + " of the device";
  llvm::raw_string_ostream(text) << llvm::format(", %.0f us besides their work",
                                                 1e6 * step.getSeconds(device));
  return text;
}

void arrc::kernel::reportHostLoops(ArrayRef<KeptLoop> loops) {
  // Inner loops first: what mends one of them may mend those around it.
  SmallVector<std::pair<const KeptLoop *, HostStep>> found;
  for (const KeptLoop &loop : llvm::reverse(loops)) {
    HostStep step = countStep(loop.op);
    bool isOneKernelIfSmall =
        !loop.obstacle || loop.obstacle == ObstacleKind::LargeSteps;
    bool isDriven =
        step.reads || (!isOneKernelIfSmall && step.launches && !step.hasLoops);
    bool isMended = llvm::any_of(found, [&](const auto &inner) {
      return loop.op->isProperAncestor(inner.first->op) && loop.obstacle &&
             loop.place == inner.first->place;
    });
    if (isDriven && !isMended && !isOfRuntime(loop.op))
      found.push_back({&loop, step});
  }
  for (auto [loop, step] : llvm::reverse(found)) {
    Location loc = loop->op->getLoc();
    // Nobody can write a loop of the standard library otherwise.
    FileLineColLoc place = findPlace(loc);
    bool isOfLibrary =
        place && place.getFilename().getValue().starts_with("arrc:");
    bool isWarning = step.reads && !isOfLibrary;
    InFlightDiagnostic report = isWarning ? emitWarning(loc) : emitRemark(loc);
    report << (isWarning ? "[W0206] the host runs this loop"
                         : "[R0206] the host starts the steps of this loop")
           << (loop->obstacle ? "" : " where a step touches much") << ": "
           << costText(step, DeviceAttr::get(loop->op));
    if (loop->obstacle && loop->obstacle != ObstacleKind::LargeSteps) {
      LoopObstacle obstacle{loop->op, *loop->obstacle};
      report.attachNote(loop->place)
          << "no kernel runs it, as " << obstacle.describe();
    }
    report.attachNote() << "help: " << getAdvice(*loop);
  }
}
