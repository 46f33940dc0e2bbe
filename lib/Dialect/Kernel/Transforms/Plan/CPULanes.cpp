//===- CPULanes.cpp - Which loops run in lanes ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Lanes run along the dimension in which most accesses are contiguous: the
// innermost loop, or a parallel loop around it (sums and scans of columns,
// matrix products), never a gather where a unit step is to be had.
//
//===----------------------------------------------------------------------===//

#include "CPU.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "arrc/Support/Combiner.h"
#include "arrc/Support/StoredBytes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Whether lanes can run `op`, a loop or branch of `scf`, also if they go
/// different ways (KernelToSCF/LaneRegions.cpp): what it hands on is values.
static bool isRegionInLanes(Operation *op, const Variation &variation) {
  auto isValue = [](Type type) {
    return isa<IndexType, IntegerType, FloatType, ComplexType>(type);
  };
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return !variation.contains(loop.getStep()) && !loop.getUnsignedCmp() &&
           llvm::all_of(op->getResultTypes(), isValue);
  return isa<scf::WhileOp, scf::IfOp>(op) &&
         llvm::all_of(op->getResultTypes(), isValue) &&
         llvm::all_of(op->getOperandTypes(), isValue);
}

/// Whether `op` takes one lane after the other: processors divide no vectors of
/// 64-bit integers.
static bool isLaneByLane(Operation *op) {
  if (!dividesIntegers(op) || getStoredBytes(op->getResult(0).getType()) < 8)
    return false;
  std::optional<int64_t> divisor = getConstantIntValue(op->getOperand(1));
  return !divisor || *divisor <= 0 || !llvm::isPowerOf2_64(*divisor);
}

/// Whether `op` stands in a loop that lanes leave at different times, below
/// `lanes`: those that have left it cost what the others do.
static bool standsInUneven(Operation *op, ForOp lanes,
                           const Variation &variation) {
  for (Operation *around = op->getParentOp(); around != lanes;
       around = around->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(around);
    if (loop && (variation.contains(loop.getLowerBound()) ||
                 variation.contains(loop.getUpperBound())))
      return true;
    if (auto loop = dyn_cast<scf::WhileOp>(around);
        loop && variation.contains(loop.getConditionOp().getCondition()))
      return true;
  }
  return false;
}

bool arrc::kernel::mayRunInLanes(ForOp loop, const Variation &variation) {
  if (!variation.hasSameExtents() ||
      (loop.getStaticExtent() && *loop.getStaticExtent() < 4))
    return false;
  if (loop.isScan() && (hasInnerLoop(loop) || !canSplitScan(loop)))
    return false;
  if (loop.isReduce() && !isCommutativeCombiner(loop.getCombiner()))
    return false;
  auto isInLanes = [&](Operation *op) {
    if (isa<scf::SCFDialect>(op->getDialect()) && op->getNumRegions())
      return isRegionInLanes(op, variation);
    if (isLaneByLane(op) && standsInUneven(op, loop, variation))
      return false;
    return !isa<LocalOp, UpdateOp>(op) &&
           llvm::none_of(op->getResultTypes(), [&](Type type) {
             return isa<ComplexType>(type) && !isa<LoadOp>(op) &&
                    !isComplexInLanes(op);
           });
  };
  return !loop.getBody()
              .walk([&](Operation *op) {
                return isInLanes(op) ? WalkResult::advance()
                                     : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// What lanes along `loop` are worth: a vector that is turned around is half of
/// one that is not, a gather costs two.
static int scoreLanes(ForOp loop) {
  Variation variation(loop);
  if (!mayRunInLanes(loop, variation))
    return -1000;
  AccessScore score = scoreAccesses(loop, variation);
  return 2 * score.contiguous + score.backward - 4 * score.gathers;
}

/// Whether `loop` folds what is computed from indices and from what stays.
static bool isComputedFold(ForOp loop) {
  if (!loop.isReduce())
    return false;
  Variation variation(loop);
  AccessScore score = scoreAccesses(loop, variation);
  return mayRunInLanes(loop, variation) && !score.contiguous &&
         !score.backward && !score.gathers && !score.chained;
}

void CPUPlanner::chooseLanes() {
  llvm::MapVector<Operation *, int> scores;
  auto score = [&](ForOp loop) {
    auto [it, isNew] = scores.insert({loop, 0});
    if (isNew)
      it->second = scoreLanes(loop);
    return it->second;
  };
  for (ForOp loop : innermost) {
    ForOp best = loop;
    // What is only computed is folded in any lanes: rows may be few. Beside
    // other loops its lanes would have to be theirs.
    if (innermost.size() == 1 && isComputedFold(loop)) {
      lanes.insert(loop);
      continue;
    }
    // Folds stand between a loop and the parallel ones as well.
    for (auto outer = dyn_cast<ForOp>(loop->getParentOp());
         outer && !outer.isScan();
         outer = dyn_cast<ForOp>(outer->getParentOp()))
      if (outer.isParallel() && score(outer) > score(best))
        best = outer;
    if (score(best) > 0)
      lanes.insert(best);
  }
  // Lanes do not nest: the choice that gains more stays.
  for (ForOp loop : llvm::to_vector(lanes)) {
    SmallVector<ForOp> inside;
    int sum = 0;
    for (ForOp other : lanes)
      if (loop->isProperAncestor(other)) {
        inside.push_back(other);
        sum += score(other);
      }
    if (inside.empty())
      continue;
    if (sum >= score(loop))
      lanes.remove(loop);
    else
      for (ForOp other : inside)
        lanes.remove(other);
  }
  // A dimension has the same digits everywhere.
  llvm::StringSet<> refused;
  launch.getBody().walk([&](ForOp loop) {
    if (lanes.contains(loop))
      return;
    bool nested = llvm::any_of(lanes, [&](ForOp other) {
      return loop->isAncestor(other) || other->isAncestor(loop);
    });
    if (nested || loop.isScan())
      refused.insert(loop.getDim());
  });
  for (ForOp loop : llvm::to_vector(lanes))
    if (refused.contains(loop.getDim()))
      lanes.remove(loop);
}

bool CPUPlanner::isTiled(ForOp loop, ForOp along) {
  if (!loop.isParallel() || !loop->isProperAncestor(along) ||
      !hasInnerLoop(along))
    return false;
  Variation outer(loop), inner(along);
  bool staysOuter = false, staysInner = false;
  along.getBody().walk([&](LoadOp load) {
    if (load->getParentOp() == along)
      return;
    auto stays = [&](const Variation &variation) {
      return llvm::none_of(load.getIndices(), [&](Value index) {
        return variation.contains(index);
      });
    };
    staysOuter |= stays(outer) && !stays(inner);
    staysInner |= stays(inner) && !stays(outer);
  });
  return staysOuter && staysInner;
}

bool CPUPlanner::isTileOfSome(ForOp along) {
  for (auto outer = along->getParentOfType<ForOp>(); outer;
       outer = outer->getParentOfType<ForOp>())
    if (isTiled(outer, along))
      return true;
  return false;
}
