//===- Waits.cpp - How often a thread waits for memory --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The body of each loop is looked at alone, what is around it being there: the
// level of a load is one more than the highest level of the loads of the body
// that its address, or a branch around it, needs. A thread makes as many trips
// an iteration as there are levels. Iterations overlap unless a barrier stands
// in the body, or a load needs a value that the last iteration has read.
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/GPU/Waits.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"

#include <algorithm>

using namespace mlir;
using namespace arrc::lanes;

namespace {
/// What a value needs: loads of the body, and values that iterations carry.
struct Need {
  unsigned level = 0;
  llvm::SmallBitVector carried;

  void add(const Need &other) {
    level = std::max(level, other.level);
    carried |= other.carried;
  }
};

/// The levels of one body, without the loops inside.
class Levels {
public:
  Levels(Operation *body, const llvm::DenseMap<Operation *, double> &loads)
      : loads(loads) {
    auto loop = dyn_cast<LoopLikeOpInterface>(body);
    if (loop)
      for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
        Need need;
        need.carried.resize(i + 1);
        need.carried.set(i);
        needs[argument] = need;
      }
    for (Region &region : body->getRegions())
      for (Block &block : region)
        visit(block, {});
    if (!loop)
      return;
    // What the next iteration gets of this one.
    for (auto [i, value] : llvm::enumerate(loop.getYieldedValues()))
      if (i < addresses.carried.size() && addresses.carried.test(i) &&
          get(value).level > 0)
        isChained = true;
    if (auto again = dyn_cast<scf::WhileOp>(body))
      isChained |= get(again.getConditionOp().getCondition()).level > 0;
  }

  /// The highest level, and how often the loads run that run most often.
  unsigned most = 0;
  double times = 0;
  bool isChained = false;

private:
  Need get(Value value) const {
    auto found = needs.find(value);
    return found == needs.end() ? Need() : found->second;
  }

  void visit(Block &block, const Need &around) {
    for (Operation &op : block) {
      Need need = around;
      for (Value operand : op.getOperands())
        need.add(get(operand));
      if (isa<gpu::BarrierOp>(op)) {
        passed = most;
        isChained = true;
      }
      if (auto found = loads.find(&op); found != loads.end()) {
        addresses.add(need);
        need.level = std::max(need.level, passed) + 1;
        most = std::max(most, need.level);
        times = std::max(times, found->second);
      }
      // Loops inside are looked at alone.
      if (!isa<LoopLikeOpInterface>(op))
        for (Region &region : op.getRegions())
          for (Block &inner : region) {
            visit(inner, need);
            if (!inner.empty())
              for (Value value : inner.back().getOperands())
                need.add(get(value));
          }
      for (Value result : op.getResults())
        needs[result] = need;
    }
  }

  const llvm::DenseMap<Operation *, double> &loads;
  llvm::DenseMap<Value, Need> needs;
  /// What addresses of loads need; the level of the loads before the last
  /// barrier.
  Need addresses;
  unsigned passed = 0;
};
} // namespace

Waits arrc::lanes::getWaits(const Trace &trace,
                            llvm::function_ref<bool(const Event &)> counts) {
  auto timesOf = [&](const Form &times) {
    std::optional<Lanes> number = times.evaluate(trace.symbols);
    return number ? double((*number)[0]) : 1;
  };
  // Who waits for what was read.
  llvm::DenseMap<Operation *, double> loads;
  for (const Event &event : trace.events)
    if (event.reads && !event.isShadow && counts(event) &&
        !event.op->use_empty() &&
        trace.buffers[event.buffer].kind == Buffer::Global)
      loads[event.op] += timesOf(event.times);
  Waits waits;
  for (const BarrierEvent &event : trace.barriers)
    if (!event.isShadow)
      waits.barriers += timesOf(event.times);
  gpu::GPUFuncOp kernel = trace.kernel;
  kernel->walk([&](Operation *body) {
    bool isLoop = isa<LoopLikeOpInterface>(body);
    if (!isLoop && body != kernel)
      return;
    Levels levels(body, loads);
    bool overlaps = isLoop && levels.times > 1 && !levels.isChained;
    (overlaps ? waits.repeated : waits.alone) += levels.times * levels.most;
  });
  return waits;
}
