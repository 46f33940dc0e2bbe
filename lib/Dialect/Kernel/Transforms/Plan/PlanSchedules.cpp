//===- PlanSchedules.cpp - Choose the schedule of each launch -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The only pass that decides. It reads the access patterns and the device row
// and writes `#kernel.schedule`; what it writes a person could have written,
// and a launch that has a schedule is left alone. What a schedule looks like is
// told in CPU.cpp and Device.cpp; here stands what
// both ask of a loop.
//
//===----------------------------------------------------------------------===//

#include "PlanSchedules.h"
#include "Judge.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Dialect/Kernel/Transforms/Strategies.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_PLANSCHEDULESPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Analyses
//===----------------------------------------------------------------------===//

bool arrc::kernel::isSteps(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp>(op);
}

/// Whether `op` stands in a sequence of steps below `loop`.
static bool standsInSequence(Operation *op, ForOp loop) {
  for (Operation *around = op->getParentOp(); around != loop;
       around = around->getParentOp())
    if (isSteps(around))
      return true;
  return false;
}

AccessScore arrc::kernel::scoreAccesses(ForOp loop,
                                        const Variation &variation) {
  AccessScore score;
  AccessPattern pattern = AccessPattern::getMostly(loop);
  for (const Access &access : pattern.getAccesses()) {
    LaneStep step = getLaneStep(access, loop, variation);
    bool isNext = step.kind == LaneStep::Next;
    score.contiguous += isNext && step.direction == 1;
    score.backward += isNext && step.direction == -1;
    if (isNext || step.kind == LaneStep::Same)
      continue;
    bool isChained =
        isa<LoadOp>(access.op) && standsInSequence(access.op, loop);
    ++(isChained ? score.chained : score.gathers);
  }
  return score;
}

/// Whether `op` is one or two dozens of instructions at most, without branches.
static bool isShort(Operation *op, bool onGPU) {
  if (isa<math::FmaOp, math::AbsFOp, math::SqrtOp>(op))
    return true;
  bool isDouble = op->getResult(0).getType().getIntOrFloatBitWidth() > 32;
  if (isa<math::ExpOp, math::TanhOp>(op))
    return onGPU || !isDouble;
  return isa<math::Exp2Op, math::RsqrtOp>(op) && !isDouble;
}

bool arrc::kernel::isExpensive(ForOp loop) {
  bool onGPU = isGPU(DeviceAttr::get(loop->getParentOfType<LaunchOp>()));
  return loop.getBody()
      .walk([&](Operation *op) {
        return isa<math::MathDialect>(op->getDialect()) && !isShort(op, onGPU)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool arrc::kernel::rounds(ForOp fold) {
  return fold.getCombiner()
      .walk([](Operation *op) {
        return isa<arith::AddFOp, arith::MulFOp>(op) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

int64_t arrc::kernel::getElementBytes(Value array) {
  Type type = cast<MemRefType>(array.getType()).getElementType();
  if (auto complex = dyn_cast<ComplexType>(type))
    type = complex.getElementType();
  return getStoredBytes(type);
}

int64_t arrc::kernel::getElementBytes(LaunchOp launch) {
  int64_t bytes = 1;
  launch.getBody().walk([&](Operation *op) {
    if (Access::isAccess(op))
      bytes = std::max(bytes, getElementBytes(Access(op).array));
  });
  return bytes;
}

bool arrc::kernel::hasInnerLoop(ForOp loop) {
  return loop.getBody()
      .walk([](ForOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// A device whose warps multiply no matrices: what order these add in is its
/// own.
static DeviceAttr withoutMatrices(DeviceAttr device) {
  NamedAttrList facts(device.getFacts());
  for (StringRef fact : {"matrix_f16", "matrix_f64"})
    facts.erase(fact);
  return DeviceAttr::get(device.getContext(), device.getName(),
                         facts.getDictionary(device.getContext()));
}

namespace {

struct PlanSchedulesPass
    : public arrc::kernel::impl::PlanSchedulesPassBase<PlanSchedulesPass> {
  using PlanSchedulesPassBase::PlanSchedulesPassBase;

  void runOnOperation() override {
    DeviceAttr row = DeviceAttr::get(getOperation());
    if (!row && !device.empty()) {
      row = makeDevice(&getContext(), device);
      if (!row) {
        getOperation().emitError("no device is called '") << device << "'";
        return signalPassFailure();
      }
    }
    if (!row)
      return;
    if (inOrder)
      row = withoutMatrices(row);
    std::vector<const PlanStrategy *> strategies = getStrategies(&getContext());
    getOperation().walk([&](LaunchOp launch) {
      if (launch.getScheduleAttr() || launch.getVersions() ||
          launch.isScheduled())
        return;
      if (!pricesAt.empty())
        launch->setAttr(
            kPricesAttr,
            DenseI64ArrayAttr::get(&getContext(), llvm::to_vector(pricesAt)));
      for (const PlanStrategy *strategy : strategies)
        if (strategy->plan(launch, row))
          break;
      launch->removeAttr(kPricesAttr);
      if (inOrder)
        keepOrder(launch, row);
    });
  }
};

} // namespace
