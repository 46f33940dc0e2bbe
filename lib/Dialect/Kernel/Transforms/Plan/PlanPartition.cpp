//===- PlanPartition.cpp - How launches are cut for devices ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Asks Analysis/LaunchPartition.h about each launch and writes the answer down.
// Behind all schedules, so that what is cut is what the grid counts, and what
// parts touch is what the very kernel touches, staged boxes and all.
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/LaunchPartition.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_PLANPARTITIONPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {
struct PlanPartitionPass
    : public kernel::impl::PlanPartitionPassBase<PlanPartitionPass> {
  using PlanPartitionPassBase::PlanPartitionPassBase;
  void runOnOperation() override {
    auto device = DeviceAttr::get(getOperation());
    if (!all && (!device || !device.getInteger("parts", 0)))
      return markAllAnalysesPreserved();
    auto options =
        remark::RemarkOpts::name("Partition").category("kernel-plan-partition");
    // One place of a program may have become several launches: it is obeyed
    // where one of them is cut so.
    llvm::MapVector<Location, std::string> refusals;
    llvm::SmallPtrSet<const void *, 8> obeyed;
    getOperation().walk([&](LaunchOp launch) {
      LaunchPartition partition = LaunchPartition::plan(launch, dim);
      launch->setAttr(kPartitionAttr, partition.getAttr(launch));
      if (!partition.refusal.empty())
        refusals.try_emplace(launch.getLoc(), partition.refusal);
      else if (launch->hasAttr(kSplitAttr))
        obeyed.insert(launch.getLoc().getAsOpaquePointer());
      if (partition.cuts.empty()) {
        remark::missed(launch.getLoc(), options)
            << remark::add("'{0}' runs on one device", launch.getKernelName())
            << remark::reason("{0}", partition.reason);
        return;
      }
      std::string reason;
      SmallVector<ForOp> loops = getCutLoops(launch, reason);
      remark::passed(launch.getLoc(), options)
          << remark::add("'{0}' is cut along '{1}'", launch.getKernelName(),
                         loops[partition.cuts.front().loop].getDim());
    });
    for (auto &[place, why] : refusals)
      if (!obeyed.contains(place.getAsOpaquePointer()))
        emitWarning(place) << "'@split' is not obeyed: " << why
                           << "; the compiler chooses";
  }
};
} // namespace
