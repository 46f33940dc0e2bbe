//===- Uniformity.cpp - Which values differ between threads ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A forward analysis: indices of thread loops differ, what is computed from
// them does, a fold at thread does not. A local in registers is one for each
// thread: what is read from it differs as what was stored does. The bits only
// grow, so that going over the launch again and again ends.
//
//===----------------------------------------------------------------------===//

#include "Uniformity.h"

using namespace mlir;
using namespace arrc;

static unsigned getThreadBit(kernel::ForOp loop) {
  return loop.getLevelKind() == kernel::LevelKind::Thread
             ? 1u << loop.getLevelAttr().getAxis()
             : 0;
}

Uniformity::Uniformity(kernel::LaunchOp launch) {
  bool changed = true;
  while (changed) {
    changed = false;
    launch.getBody().walk([&](Operation *op) { changed |= visit(op); });
  }
}

bool Uniformity::add(Value value, unsigned bits) {
  unsigned &entry = axes[value];
  bool changed = (entry | bits) != entry;
  entry |= bits;
  return changed;
}

unsigned Uniformity::join(ValueRange values) const {
  unsigned bits = 0;
  for (Value value : values)
    bits |= getAxes(value);
  return bits;
}

bool Uniformity::visitLoop(kernel::ForOp loop) {
  unsigned own = getThreadBit(loop);
  unsigned bound = loop.getExtent() ? getAxes(loop.getExtent()) : 0;
  bool changed = add(loop.getInductionVar(), own | bound);
  unsigned shared = bound | join(loop.getSeeds());
  if (kernel::PrefixOp prefix =
          loop.isScan() ? loop.getPrefix() : kernel::PrefixOp()) {
    unsigned bits = shared | join(prefix.getValues());
    for (Value result : prefix.getResults())
      changed |= add(result, bits | own);
    for (Value result : loop.getResults())
      changed |= add(result, bits & ~own);
  } else if (loop.isReduce()) {
    unsigned bits = shared | join(loop.getYield().getValues());
    for (Value result : loop.getResults())
      changed |= add(result, bits & ~own);
  }
  return changed;
}

/// Bits of what decides whether `op` runs, up to the local `array`.
bool Uniformity::visitStore(Operation *op, Value array, Value mask) {
  auto local = array.getDefiningOp<kernel::LocalOp>();
  if (!local)
    return false;
  unsigned bits = join(op->getOperands());
  for (Operation *up = op->getParentOp(); up && !up->isAncestor(local);
       up = up->getParentOp()) {
    bits |= join(up->getOperands());
    if (auto loop = dyn_cast<kernel::ForOp>(up))
      bits |= getThreadBit(loop);
    if (auto loop = dyn_cast<scf::WhileOp>(up))
      bits |= join(loop.getConditionOp().getOperands());
  }
  return add(array, bits);
}

bool Uniformity::visit(Operation *op) {
  if (auto loop = dyn_cast<kernel::ForOp>(op))
    return visitLoop(loop);
  if (auto store = dyn_cast<kernel::StoreOp>(op))
    return visitStore(op, store.getDest(), store.getMask());
  if (auto update = dyn_cast<kernel::UpdateOp>(op))
    return visitStore(op, update.getDest(), update.getMask());
  bool changed = false;
  auto addAll = [&](ValueRange values, unsigned bits) {
    for (Value value : values)
      changed |= add(value, bits);
  };
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned bits = getAxes(branch.getCondition());
    for (Region *region : branch.getRegions())
      if (!region->empty())
        bits |= join(region->front().getTerminator()->getOperands());
    addAll(branch.getResults(), bits);
    return changed;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned bounds = join(loop.getOperands().take_front(3));
    changed |= add(loop.getInductionVar(), bounds);
    unsigned bits = bounds | join(loop.getInitArgs()) |
                    join(loop.getBody()->getTerminator()->getOperands());
    addAll(loop.getRegionIterArgs(), bits);
    addAll(loop.getResults(), bits);
    return changed;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    unsigned bits = join(loop.getInits()) |
                    join(loop.getYieldOp().getOperands()) |
                    join(loop.getConditionOp().getOperands());
    addAll(loop.getBeforeArguments(), bits);
    addAll(loop.getAfterArguments(), bits);
    addAll(loop.getResults(), bits);
    return changed;
  }
  if (isa<kernel::PrefixOp, kernel::LocalOp>(op))
    return false;
  addAll(op->getResults(), join(op->getOperands()));
  return changed;
}
