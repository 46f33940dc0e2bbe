//===- CountSteps.cpp - Loops whose counters are known numbers ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CountSteps.h"

#include "StepCounter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace arrc::array;

/// A constant or a size that is 0 or more.
static bool isNotNegative(Value value) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    return isNotNegative(cast.getIn());
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.isNonNegative();
  return isa_and_present<tensor::DimOp>(value.getDefiningOp());
}

namespace {
/// The steps of a loop, however it knows when to end.
class Steps {
public:
  explicit Steps(LoopLikeOpInterface loop) : loop(loop) {}

  bool analyze();
  CountedSteps write(RewriterBase &rewriter);

private:
  bool findCounters();
  bool findEnd(scf::WhileOp loop);
  bool findEnd(scf::ForOp loop);
  Value writeCount(OpBuilder &b);
  Value writeNumber(OpBuilder &b, const StepCounter &counter, Value number);

  LoopLikeOpInterface loop;
  Block *body = nullptr;
  /// The state at the head of a step, at its end and in front of the loop.
  ValueRange state, next, inits;
  SmallVector<StepCounter> counters;
  /// Steps are as many as numbers from `first` to `last`, without the latter.
  Value first, last;
};
} // namespace

bool Steps::findCounters() {
  for (Value value : state)
    if (std::optional<StepCounter> counter = getStepCounter(value))
      counters.push_back(*counter);
  return !counters.empty();
}

bool Steps::findEnd(scf::ForOp loop) {
  // The difference of the bounds must not overflow.
  if (!matchPattern(loop.getStep(), m_One()) || loop.getUnsignedCmp() ||
      !isNotNegative(loop.getLowerBound()))
    return false;
  first = loop.getLowerBound();
  last = loop.getUpperBound();
  return true;
}

bool Steps::findEnd(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  if (!llvm::all_of(loop.getBeforeBody()->without_terminator(),
                    [](Operation &op) { return isMemoryEffectFree(&op); }))
    return false;
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  // Of two numbers one counts up or the other one down.
  Value low = compare.getLhs(), high = compare.getRhs();
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    std::swap(low, high);
  else if (compare.getPredicate() != arith::CmpIPredicate::slt)
    return false;
  auto counts = [&](Value value, Value limit, bool down) {
    return loop.isDefinedOutsideOfLoop(limit) &&
           llvm::any_of(counters, [&](const StepCounter &counter) {
             return loop.getBeforeArguments()[counter.position] == value &&
                    counter.isOne() && counter.down == down;
           });
  };
  auto getInit = [&](Value counter) {
    return inits[cast<BlockArgument>(counter).getArgNumber()];
  };
  if (counts(low, high, /*down=*/false)) {
    first = getInit(low);
    last = high;
  } else if (counts(high, low, /*down=*/true)) {
    first = low;
    last = getInit(high);
  } else {
    return false;
  }
  return isNotNegative(first);
}

bool Steps::analyze() {
  if (auto counted = dyn_cast<scf::ForOp>(*loop)) {
    body = counted.getBody();
    state = counted.getRegionIterArgs();
    next = counted.getYieldedValues();
    inits = counted.getInitArgs();
    return findCounters() && findEnd(counted);
  }
  auto open = dyn_cast<scf::WhileOp>(*loop);
  if (!open)
    return false;
  body = open.getAfterBody();
  state = open.getAfterArguments();
  next = open.getYieldOp().getResults();
  inits = open.getInits();
  return findCounters() && findEnd(open);
}

/// What the counter is before the step `number`. It wraps as the sum does.
Value Steps::writeNumber(OpBuilder &b, const StepCounter &counter,
                         Value number) {
  Location loc = loop.getLoc();
  Value init = inits[counter.position];
  Value steps = getValueOrCreateCastToIndexLike(b, loc, init.getType(), number);
  if (!matchPattern(counter.by, m_One()))
    steps = arith::MulIOp::create(b, loc, steps, counter.by);
  if (counter.down)
    return arith::SubIOp::create(b, loc, init, steps);
  return matchPattern(init, m_Zero())
             ? steps
             : arith::AddIOp::create(b, loc, init, steps).getResult();
}

/// How many steps there are.
Value Steps::writeCount(OpBuilder &b) {
  Location loc = loop.getLoc();
  Value count = arith::MaxSIOp::create(b, loc, first, last);
  return matchPattern(first, m_Zero())
             ? count
             : arith::SubIOp::create(b, loc, count, first).getResult();
}

CountedSteps Steps::write(RewriterBase &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  auto toIndex = [&](Value number) {
    return getValueOrCreateCastToIndexLike(rewriter, loc,
                                           rewriter.getIndexType(), number);
  };
  // To what is less than 0 there are no steps either, and more is known of it.
  Value count = toIndex(writeCount(rewriter));
  Value end = matchPattern(first, m_Zero()) ? toIndex(last) : count;
  auto getCounter = [&](unsigned position) -> const StepCounter * {
    for (const StepCounter &counter : counters)
      if (counter.position == position)
        return &counter;
    return nullptr;
  };
  SmallVector<Value> kept;
  for (auto [i, init] : llvm::enumerate(inits))
    if (!getCounter(i))
      kept.push_back(init);
  auto made = scf::ForOp::create(
      rewriter, loc, arith::ConstantIndexOp::create(rewriter, loc, 0), end,
      arith::ConstantIndexOp::create(rewriter, loc, 1), kept,
      [](OpBuilder &, Location, Value, ValueRange) {});
  CountedSteps counted{made, {}};
  unsigned result = 0;
  for (unsigned i = 0; i < inits.size(); ++i) {
    const StepCounter *counter = getCounter(i);
    counted.results.push_back(counter ? writeNumber(rewriter, *counter, count)
                                      : made.getResult(result++));
  }
  rewriter.setInsertionPointToStart(made.getBody());
  IRMapping map;
  if (auto old = dyn_cast<scf::ForOp>(*loop))
    map.map(old.getInductionVar(),
            matchPattern(first, m_Zero())
                ? made.getInductionVar()
                : arith::AddIOp::create(rewriter, loc, first,
                                        made.getInductionVar())
                      .getResult());
  unsigned argument = 0;
  for (auto [i, value] : llvm::enumerate(state)) {
    const StepCounter *counter = getCounter(i);
    map.map(value, counter
                       ? writeNumber(rewriter, *counter, made.getInductionVar())
                       : made.getRegionIterArg(argument++));
  }
  for (Operation &op : body->without_terminator())
    rewriter.clone(op, map);
  SmallVector<Value> values;
  for (auto [i, value] : llvm::enumerate(next))
    if (!getCounter(i))
      values.push_back(map.lookupOrDefault(value));
  scf::YieldOp::create(rewriter, loc, values);
  return counted;
}

std::optional<CountedSteps> arrc::array::countSteps(RewriterBase &rewriter,
                                                    LoopLikeOpInterface loop) {
  Steps steps(loop);
  if (!steps.analyze())
    return std::nullopt;
  return steps.write(rewriter);
}
