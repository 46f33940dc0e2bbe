//===- SinkLoops.cpp - Time loops element by element ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. A time loop whose elements never read each other goes over its arrays
// in each step, although an element could take all of its steps in a register:
//
//   %r:2 = scf.for %t = %l to %u (%a = %a0, %b = %b0) {
//     %c = array.map (%i) in (%n) { f(%t, %a[%i], %b[%i]) }
//     %d = array.map (%i) in (%n) { g(%c[%i], %b[%i]) }   scf.yield %c, %d }
//   ->
//   %r:2 = array.map (%i) in (%n) {
//     %s:2 = scf.for %t = %l to %u (%x = %a0[%i], %y = %b0[%i]) {
//       %p = f(%t, %x, %y)   %q = g(%p, %y)   scf.yield %p, %q }
//     array.yield %s#0, %s#1 }
//
// Numbers that a step computes beside the arrays, of what it reads of others
// and of what steps hand on (`%c = array.at %drive[%t]`), are computed at each
// element; where they are needed behind the loop, once more by themselves. What
// counters come to follows from the number of the step, and a `while` that ends
// with one is a counted loop.
//
// Legal when all arrays of the state have the points of the maps, which read of
// them their own element only, and nothing in a step may fail or has an effect:
// each element takes the same steps in the same order. What else is read is
// what no step changes, inside of its array.
//
// Pays always: arrays go over memory once instead of once a step. Folds and
// other loops in bodies are left to launches of their own.
//
// Source: loop interchange, Allen and Kennedy, "Automatic loop interchange"
// (SIGPLAN 1984), on arrays.
//
//===----------------------------------------------------------------------===//

#include "CountSteps.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Dialect/Array/IR/WrittenSchedule.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"
#include "arrc/Support/BuildInside.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::array {
#define GEN_PASS_DEF_SINKLOOPSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

namespace {
/// A loop whose steps are maps over the same points.
class PointLoop {
public:
  explicit PointLoop(scf::ForOp loop) : loop(loop) {}

  /// Whether each element can take its steps alone.
  bool collect();
  void sink(RewriterBase &rewriter);

private:
  bool addMap(Operation *op);
  bool isOfLoop(Value array) {
    Value root = skipBinds(array);
    return !loop.isDefinedOutsideOfLoop(root);
  }
  bool isWorkOfPoint(Operation *op, ValueRange point);
  SmallVector<Value> writeSteps(OpBuilder &b, ValueRange point);
  void writeScalars(RewriterBase &rewriter);

  scf::ForOp loop;
  /// Maps and stencils, in order.
  SmallVector<IndexSpaceOpInterface> maps;
  /// Arrays of the state that are known to have the points of the maps.
  llvm::SmallPtrSet<Value, 4> bound;
  SmallVector<OpFoldResult> extents;
};
} // namespace

/// Whether `op` and what it holds are reads of what no step changes, which
/// cannot fail, arithmetic and branches. `point` says of which own element the
/// arrays of the loop may be read.
bool PointLoop::isWorkOfPoint(Operation *op, ValueRange point) {
  auto isPart = [&](Operation *part) {
    if (part->hasTrait<OpTrait::IsTerminator>())
      return true;
    if (auto read = dyn_cast<AtOp>(part)) {
      if (isOfLoop(read.getSource()))
        return !point.empty() && llvm::equal(read.getIndices(), point);
      return read.getInbounds() &&
             loop.isDefinedOutsideOfLoop(read.getSource());
    }
    return (isa<scf::IfOp>(part) ||
            (!part->getNumRegions() && isMemoryEffectFree(part))) &&
           llvm::none_of(part->getOperands(), isTensor) &&
           llvm::none_of(part->getResults(), isTensor);
  };
  return !op->walk([&](Operation *part) {
              return isPart(part) ? WalkResult::advance()
                                  : WalkResult::interrupt();
            }).wasInterrupted();
}

bool PointLoop::addMap(Operation *op) {
  if (hasWrittenSchedule(op))
    return false;
  auto map = cast<IndexSpaceOpInterface>(op);
  SmallVector<OpFoldResult> own = map.getMixedExtents();
  if (maps.empty())
    extents = own;
  auto isOutside = [&](OpFoldResult extent) {
    auto value = dyn_cast<Value>(extent);
    return !value || loop.isDefinedOutsideOfLoop(value);
  };
  // What a point yields is an element.
  if (own != extents || !llvm::all_of(own, isOutside) ||
      !llvm::all_of(op->getResultTypes(),
                    [&](Type type) {
                      return cast<RankedTensorType>(type).getRank() ==
                             int64_t(own.size());
                    }) ||
      !llvm::all_of(map.getBodyBlock()->without_terminator(),
                    [&](Operation &part) {
                      return isWorkOfPoint(&part, map.getIndices());
                    }))
    return false;
  maps.push_back(map);
  return true;
}

bool PointLoop::collect() {
  SmallVector<BindOp> binds;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isa<MapOp, StencilOp>(op)) {
      if (!addMap(&op))
        return false;
    } else if (auto bind = dyn_cast<BindOp>(op)) {
      binds.push_back(bind);
    } else if (!isWorkOfPoint(&op, {})) {
      return false;
    }
  }
  if (maps.empty())
    return false;
  for (BindOp bind : binds)
    if (isOfLoop(bind.getSource()) && bind.getMixedSizes() == extents)
      bound.insert(skipBinds(bind.getSource()));
  for (auto [state, next] :
       llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!isTensor(state))
      continue;
    if (!bound.contains(state) || !isOfLoop(next))
      return false;
  }
  return true;
}

/// The steps of the element at `point`, and what they come to.
SmallVector<Value> PointLoop::writeSteps(OpBuilder &b, ValueRange point) {
  Location loc = loop.getLoc();
  SmallVector<Value> inits;
  for (Value init : loop.getInitArgs())
    inits.push_back(
        isTensor(init)
            ? AtOp::create(b, loc, init, point, /*inbounds=*/true).getResult()
            : init);
  auto steps = scf::ForOp::create(
      b, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits,
      [](OpBuilder &, Location, Value, ValueRange) {}, loop.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(steps.getBody());
  IRMapping map;
  map.map(loop.getInductionVar(), steps.getInductionVar());
  // What arrays of the loop are at this point.
  llvm::SmallDenseMap<Value, Value> elements;
  for (auto [state, element] :
       llvm::zip(loop.getRegionIterArgs(), steps.getRegionIterArgs())) {
    if (isTensor(state))
      elements[state] = element;
    else
      map.map(state, element);
  }
  auto getElement = [&](AtOp read) {
    return elements.lookup(skipBinds(read.getSource()));
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isa<BindOp>(op))
      continue;
    if (!isa<MapOp, StencilOp>(op)) {
      b.clone(op, map);
      continue;
    }
    Block &body = op.getRegion(0).front();
    map.map(body.getArguments(), point);
    for (Operation &part : body.without_terminator()) {
      auto read = dyn_cast<AtOp>(part);
      if (Value element = read ? getElement(read) : Value()) {
        map.map(read.getResult(), element);
        continue;
      }
      // Of branches.
      b.clone(part, map)->walk([&](AtOp inner) {
        if (Value element = getElement(inner)) {
          inner.replaceAllUsesWith(element);
          inner.erase();
        }
      });
    }
    for (auto [result, value] :
         llvm::zip(op.getResults(), body.getTerminator()->getOperands()))
      elements[result] = map.lookupOrDefault(value);
  }
  SmallVector<Value> next;
  for (Value value : loop.getYieldedValues())
    next.push_back(isTensor(value) ? elements.lookup(skipBinds(value))
                                   : map.lookupOrDefault(value));
  scf::YieldOp::create(b, loc, next);
  return SmallVector<Value>(steps.getResults());
}

/// The numbers of the state by themselves, where they are needed.
void PointLoop::writeScalars(RewriterBase &rewriter) {
  SmallVector<Value> inits, next;
  SmallVector<OpResult> results;
  for (OpResult result : loop.getResults())
    if (!isTensor(result)) {
      results.push_back(result);
      inits.push_back(loop.getInitArgs()[result.getResultNumber()]);
    }
  if (llvm::all_of(results, [](Value result) { return result.use_empty(); }))
    return;
  Location loc = loop.getLoc();
  auto steps = scf::ForOp::create(
      rewriter, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
      inits, [](OpBuilder &, Location, Value, ValueRange) {},
      loop.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(steps.getBody());
  IRMapping map;
  map.map(loop.getInductionVar(), steps.getInductionVar());
  for (auto [result, element] : llvm::zip(results, steps.getRegionIterArgs()))
    map.map(loop.getRegionIterArg(result.getResultNumber()), element);
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isa<MapOp, StencilOp, BindOp>(op))
      rewriter.clone(op, map);
  for (OpResult result : results)
    next.push_back(
        map.lookupOrDefault(loop.getYieldedValues()[result.getResultNumber()]));
  scf::YieldOp::create(rewriter, loc, next);
  for (auto [result, number] : llvm::zip(results, steps.getResults()))
    rewriter.replaceAllUsesWith(result, number);
}

void PointLoop::sink(RewriterBase &rewriter) {
  rewriter.setInsertionPoint(loop);
  SmallVector<std::string> text = maps.front().getIndexNames();
  SmallVector<StringRef> names(text.begin(), text.end());
  auto made = MapOp::create(
      rewriter, loop.getLoc(), extents, names,
      [&](OpBuilder &nested, Location, ValueRange point) {
        buildInside(rewriter, nested, [&] {
          SmallVector<Value> elements;
          for (auto [state, value] :
               llvm::zip(loop.getRegionIterArgs(), writeSteps(rewriter, point)))
            if (isTensor(state))
              elements.push_back(value);
          YieldOp::create(rewriter, loop.getLoc(), elements);
        });
      });
  writeScalars(rewriter);
  unsigned next = 0;
  for (Value result : loop.getResults())
    if (isTensor(result))
      rewriter.replaceAllUsesWith(result, made.getResult(next++));
  rewriter.eraseOp(loop);
}

/// `loop` by the numbers of its steps, if its elements can take them alone:
/// another loop then gives its results.
static scf::ForOp countPoints(RewriterBase &rewriter,
                              LoopLikeOpInterface loop) {
  Operation *before = loop->getPrevNode();
  std::optional<CountedSteps> counted = countSteps(rewriter, loop);
  if (!counted)
    return {};
  if (!PointLoop(counted->loop).collect()) {
    while (loop->getPrevNode() != before)
      rewriter.eraseOp(loop->getPrevNode());
    return {};
  }
  rewriter.replaceOp(loop, counted->results);
  return counted->loop;
}

namespace {
struct SinkLoopsPass : arrc::array::impl::SinkLoopsPassBase<SinkLoopsPass> {
  void runOnOperation() override {
    SmallVector<LoopLikeOpInterface> loops;
    getOperation().walk([&](LoopLikeOpInterface loop) {
      if (isa<scf::ForOp, scf::WhileOp>(*loop) &&
          !loop->getParentOfType<IndexSpaceOpInterface>())
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (LoopLikeOpInterface loop : loops)
      sink(rewriter, loop);
  }

  void sink(RewriterBase &rewriter, LoopLikeOpInterface loop) {
    Location place = loop.getLoc();
    scf::ForOp counted = countPoints(rewriter, loop);
    if (!counted)
      counted = dyn_cast<scf::ForOp>(*loop);
    if (!counted)
      return;
    PointLoop points(counted);
    if (!points.collect())
      return;
    points.sink(rewriter);
    remark::passed(place,
                   remark::RemarkOpts::name("SinkLoops").category("sink-loops"))
        << remark::add("elements take their steps one by one");
  }
};
} // namespace
