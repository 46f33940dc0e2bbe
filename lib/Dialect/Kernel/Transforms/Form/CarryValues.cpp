//===- CarryValues.cpp - What steps leave for the next ones ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A step that reads what the one before it has written waits for memory,
// although a register has it.
//
// Before   scf.for %t = .. {
//            %v = kernel.load %Y[%t, %i]  ..  kernel.store %w, %Y[%t + 1, %i] }
// After    %v0 = kernel.load %Y[%lb, %i] if %lb < %ub
//          scf.for %t = .. iter (%v = %v0) {
//            ..  kernel.store %w, %Y[%t + 1, %i]  scf.yield %w }
//
// An element that is the same in all steps is loaded in front of them and
// stored behind them:
//
// Before   scf.for %t = .. {
//            %v = kernel.load %S[%i]  ..  kernel.store %w, %S[%i] }
// After    %v0 = kernel.load %S[%i] if %lb < %ub
//          %s = scf.for %t = .. iter (%v = %v0) { ..  scf.yield %w }
//          kernel.store %s, %S[%i] if %lb < %ub
//
// Legal where each element of the array that a step touches is told apart from
// the others by a number in some dimension that does not move with the steps,
// or is written once and read few steps later.
//
// Source: scalar replacement, Callahan, Carr and Kennedy, "Improving register
// allocation for subscripted variables" (PLDI 1990).
//
//===----------------------------------------------------------------------===//

#include "CarryValues.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Steps that a value may be carried on.
static constexpr int64_t kMostSteps = 4;

namespace {
/// A load of what a step some steps before has left.
struct LaterLoad {
  LoadOp load;
  int64_t steps;
};

/// An element that steps write, and who reads it.
struct Carried {
  StoreOp store;
  /// Whether all steps write the same element.
  bool stays = true;
  /// In later steps, and in the same one behind the store.
  SmallVector<LaterLoad, 2> later;
  SmallVector<LoadOp, 2> behind;
  /// The steps to the last load.
  int64_t steps = 0;
};
} // namespace

/// The steps between the store of an element and `load`: 0 where it is that of
/// its own step; nothing if that is not known, or it is another element.
static std::optional<int64_t> countSteps(const Access &load,
                                         const Access &store, Value step) {
  std::optional<int64_t> steps;
  for (auto [at, to] : llvm::zip(load.indices, store.indices)) {
    std::optional<int64_t> distance = at.distanceFrom(to);
    int64_t factor = to.getCoefficient(step);
    if (!distance || (factor == 0 ? *distance != 0 : *distance % factor != 0))
      return std::nullopt;
    if (factor == 0)
      continue;
    int64_t count = -*distance / factor;
    if (steps && *steps != count)
      return std::nullopt;
    steps = count;
  }
  return steps.value_or(0);
}

/// Whether no step of one access touches what a step of another one does: they
/// differ by a number where neither moves with the steps.
static bool areApart(const Access &x, const Access &y, Value step) {
  for (auto [a, b] : llvm::zip(x.indices, y.indices)) {
    std::optional<int64_t> distance = a.distanceFrom(b);
    if (distance && *distance != 0 && a.getCoefficient(step) == 0 &&
        b.getCoefficient(step) == 0)
      return true;
  }
  return false;
}

/// Whether `access` is plain, stands in the body of `loop` itself, and moves
/// with the steps by a number.
static bool isPlain(const Access &access, scf::ForOp loop) {
  if (access.op->getBlock() != loop.getBody() || access.isUpdate())
    return false;
  for (const LinearIndex &index : access.indices)
    for (auto [value, factor] : index.getTerms())
      if (value != loop.getInductionVar() &&
          !loop.isDefinedOutsideOfLoop(value))
        return false;
  if (auto load = dyn_cast<LoadOp>(access.op))
    return !load.getMask() && !load.getEdge();
  return !cast<StoreOp>(access.op).getMask();
}

/// What is carried of the array that all of `accesses` touch; false if some of
/// it cannot be told apart.
static bool findCarried(ArrayRef<Access> accesses, scf::ForOp loop,
                        SmallVectorImpl<Carried> &found) {
  Value step = loop.getInductionVar();
  SmallVector<std::pair<const Access *, Carried>> stores;
  for (const Access &access : accesses) {
    if (!isPlain(access, loop))
      return false;
    if (!access.writes)
      continue;
    for (auto &[other, carried] : stores)
      if (!areApart(access, *other, step))
        return false;
    Carried carried;
    carried.store = cast<StoreOp>(access.op);
    for (const LinearIndex &index : access.indices)
      carried.stays &= index.getCoefficient(step) == 0;
    stores.push_back({&access, carried});
  }
  for (const Access &access : accesses) {
    if (access.writes)
      continue;
    auto load = cast<LoadOp>(access.op);
    for (auto &[store, carried] : stores) {
      if (areApart(access, *store, step))
        continue;
      std::optional<int64_t> steps = countSteps(access, *store, step);
      if (!steps || *steps < 0 || *steps > kMostSteps)
        return false;
      if (*steps == 0 && !load->isBeforeInBlock(carried.store)) {
        carried.behind.push_back(load);
        continue;
      }
      // What a step reads of an element before it writes it is of the step
      // before where all write it, and else in memory.
      if (*steps == 0 && carried.stays)
        steps = 1;
      if (*steps == 0)
        continue;
      carried.later.push_back({load, *steps});
      carried.steps = std::max(carried.steps, *steps);
    }
  }
  for (auto &[store, carried] : stores)
    if (!carried.later.empty() || !carried.behind.empty())
      found.push_back(carried);
  return true;
}

/// A copy of `access` outside of `loop`, as step `step` has it.
static Operation *cloneOutside(RewriterBase &rewriter, Operation *access,
                               scf::ForOp loop, Value step) {
  IRMapping map;
  map.map(loop.getInductionVar(), step);
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  auto load = dyn_cast<LoadOp>(access);
  for (Value index :
       load ? load.getIndices() : cast<StoreOp>(access).getIndices())
    (void)getBackwardSlice(index, &slice, options);
  for (Operation *op : topologicalSort(slice))
    rewriter.clone(*op, map);
  return rewriter.clone(*access, map);
}

scf::ForOp arrc::kernel::carryValues(scf::ForOp loop) {
  if (getConstantIntValue(loop.getStep()) != 1)
    return loop;
  llvm::MapVector<Value, SmallVector<Access, 0>> arrays;
  AccessPattern pattern(loop);
  for (const Access &access : pattern.getAccesses())
    arrays[access.array].push_back(access);
  SmallVector<Carried> all;
  for (auto &[array, accesses] : arrays) {
    SmallVector<Carried> found;
    if (findCarried(accesses, loop, found))
      llvm::append_range(all, found);
  }
  IRRewriter rewriter(loop.getContext());
  for (Carried &carried : all)
    for (LoadOp load : carried.behind)
      rewriter.replaceOp(load, carried.store.getValue());
  llvm::erase_if(all, [](Carried &carried) { return carried.later.empty(); });
  if (all.empty())
    return loop;
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  Value first = loop.getLowerBound();
  Value runs = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                     first, loop.getUpperBound());
  // What the first step finds of as many steps before: a load of one further
  // away is at the same place some steps later.
  SmallVector<Value> inits;
  for (Carried &carried : all) {
    LaterLoad last = *llvm::max_element(
        carried.later, [](const LaterLoad &x, const LaterLoad &y) {
          return x.steps < y.steps;
        });
    for (int64_t steps = 1; steps <= carried.steps; ++steps) {
      Value at = arith::AddIOp::create(
          rewriter, loc, first,
          arith::ConstantIndexOp::create(rewriter, loc, last.steps - steps));
      auto load = cast<LoadOp>(cloneOutside(rewriter, last.load, loop, at));
      load.getMaskMutable().assign(runs);
      inits.push_back(load.getResult());
    }
  }
  // Behind what the loop hands on already. A value moves one place on in each
  // step.
  unsigned place = loop.getNumResults();
  auto hand = [&](OpBuilder &, Location, ArrayRef<BlockArgument> places) {
    SmallVector<Value> values;
    for (Carried &carried : all)
      for (int64_t steps = 1; steps <= carried.steps; ++steps) {
        values.push_back(steps == 1 ? carried.store.getValue()
                                    : Value(places[values.size() - 1]));
      }
    return values;
  };
  auto made =
      cast<LoopLikeOpInterface>(loop.getOperation())
          .replaceWithAdditionalYields(
              rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, hand);
  if (failed(made))
    return loop;
  loop = cast<scf::ForOp>((*made).getOperation());
  for (Carried &carried : all) {
    for (LaterLoad later : carried.later)
      rewriter.replaceOp(later.load,
                         loop.getRegionIterArg(place + later.steps - 1));
    if (carried.stays) {
      rewriter.setInsertionPointAfter(loop);
      auto store =
          cast<StoreOp>(cloneOutside(rewriter, carried.store, loop, first));
      store.getValueMutable().assign(loop.getResult(place));
      store.getMaskMutable().assign(runs);
      rewriter.eraseOp(carried.store);
    }
    place += carried.steps;
  }
  return loop;
}
