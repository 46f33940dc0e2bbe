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

#include "mlir/IR/Remarks.h"

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
    getOperation().walk([&](LaunchOp launch) {
      LaunchPartition partition = LaunchPartition::plan(launch, dim);
      launch->setAttr(kPartitionAttr, partition.getAttr(launch));
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
  }
};
} // namespace
