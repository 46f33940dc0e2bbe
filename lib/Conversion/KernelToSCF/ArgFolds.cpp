//===- ArgFolds.cpp - Places of extrema in lanes --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A fold to the place of the least value carries a value and an index. In lanes
// an index is twice as wide as most values, and its comparison many
// instructions. Where the index grows with the iterations of a loop, of equal
// values the one that was there stays, and which iteration it came from is all
// that a lane has to keep:
//
//   %better = %x < %v or %x is the first NaN     two comparisons
//   %v = %better ? %x : %v
//   %k = %better ? the iteration : %k            as wide as the values
//
// The index is computed behind the loop: it is linear in the iteration. There
// is always one, as nothing is worse than what is there at first, which stands
// for the first iteration; so the loop has to run at all. More iterations than
// 32 bits count are taken in several runs.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"
#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/ArgCombiner.h"
#include "arrc/Support/Combiner.h"

using namespace mlir;
using namespace arrc;

/// Iterations of a run, by the bits of the counter.
static constexpr int64_t kRun32 = int64_t(1) << 30, kRun64 = int64_t(1) << 62;

namespace {
/// Accumulators of a fold: one with its operation, or a value and an index.
struct ArgPart {
  unsigned position;
  Operation *op = nullptr;
  ArgOrder order = {};
  /// Of the index: grows with the iterations.
  LinearIndex index = {};
};
} // namespace

/// The parts of a fold, if there is a pair and all indices grow; else none.
static SmallVector<ArgPart> getArgParts(kernel::ForOp loop) {
  SmallVector<ArgPart> parts;
  bool any = false;
  for (unsigned k = 0; k < loop.getNumResults(); ++k) {
    ArgPart &part = parts.emplace_back(ArgPart{k});
    part.op = getCombinerOp(loop.getCombiner(), k);
    if (part.op)
      continue;
    std::optional<ArgOrder> order = matchArgStep(loop.getCombiner(), k);
    if (!order || !loop.getResult(k).getType().isIntOrFloat())
      return {};
    any = true;
    part.order = *order;
    part.index = LinearIndex(loop.getYield().getValues()[++k]);
    if (part.index.getCoefficient(loop.getInductionVar()) <= 0)
      return {};
    for (auto [value, coefficient] : part.index.getTerms())
      if (value != loop.getInductionVar() &&
          loop->isAncestor(value.getParentBlock()->getParentOp()))
        return {};
  }
  return any ? parts : SmallVector<ArgPart>();
}

/// The worst value of the order.
static TypedAttr getWorst(Type type, ArgOrder order) {
  if (auto number = dyn_cast<FloatType>(type))
    return FloatAttr::get(
        type, APFloat::getInf(number.getFloatSemantics(), order.isMax));
  unsigned width = type.getIntOrFloatBitWidth();
  APInt worst = order.isSigned ? (order.isMax ? APInt::getSignedMinValue(width)
                                              : APInt::getSignedMaxValue(width))
                               : (order.isMax ? APInt::getZero(width)
                                              : APInt::getAllOnes(width));
  return IntegerAttr::get(type, worst);
}

std::optional<LogicalResult>
LaunchEmitter::emitArgFor(kernel::ForOp loop, Value begin, Value end,
                          ArrayRef<LaneValue> seeds,
                          SmallVectorImpl<LaneValue> &results) {
  if (lanes == 0 || !loop.isReduce())
    return std::nullopt;
  SmallVector<ArgPart> parts = getArgParts(loop);
  if (parts.empty())
    return std::nullopt;
  Location loc = loop.getLoc();
  auto getCounter = [&](const ArgPart &part) -> Type {
    Type type = loop.getResult(part.position).getType();
    return b.getIntegerType(type.getIntOrFloatBitWidth() > 32 ? 64 : 32);
  };
  bool isNarrow = llvm::any_of(parts, [&](const ArgPart &part) {
    return !part.op && getCounter(part).isInteger(32);
  });
  SmallVector<Value> initial;
  for (LaneValue seed : seeds)
    initial.push_back(toVector(loc, seed));
  Value size = constantIndex(loc, isNarrow ? kRun32 : kRun64).value;
  auto runs = scf::ForOp::create(b, loc, begin, end, size, initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(runs.getBody());
  Value first = runs.getInductionVar();
  Value last = arith::AddIOp::create(b, loc, first, size);
  last = arith::MinSIOp::create(b, loc, last, end);
  ValueRange before = runs.getRegionIterArgs();

  SmallVector<Value> start;
  for (const ArgPart &part : parts) {
    start.push_back(before[part.position]);
    if (part.op)
      continue;
    TypedAttr worst =
        getWorst(loop.getResult(part.position).getType(), part.order);
    start.back() = toVector(loc, {arith::ConstantOp::create(b, loc, worst)});
    start.push_back(toVector(loc, {zero(loc, getCounter(part))}));
  }
  auto getNext = [&](ValueRange all) {
    LaneValue iv = lookup(loop.getInductionVar());
    Value number = arith::SubIOp::create(b, loc, iv.value, first);
    SmallVector<Value> next;
    for (const ArgPart &part : parts) {
      LaneValue value = lookup(loop.getYield().getValues()[part.position]);
      Value old = all[next.size()];
      if (part.op) {
        next.push_back(make(loc, part.op->getName().getStringRef(),
                            {{old, 0, true}, value},
                            getElementTypeOrSelf(old.getType()),
                            part.op->getAttrs())
                           .value);
        continue;
      }
      Value mine = toVector(loc, value);
      Value better = createIsBetter(b, loc, part.order, old, mine);
      Value count =
          arith::IndexCastOp::create(b, loc, getCounter(part), number);
      Value counted = all[next.size() + 1];
      next.push_back(arith::SelectOp::create(b, loc, better, mine, old));
      next.push_back(arith::SelectOp::create(b, loc, better,
                                             toVector(loc, {count}), counted));
    }
    return next;
  };
  // The index of the first iteration.
  auto getFirstIndex = [&](const LinearIndex &form) {
    LaneValue sum = constantIndex(loc, form.getConstant());
    for (auto [value, coefficient] : form.getTerms()) {
      LaneValue term =
          value == loop.getInductionVar() ? LaneValue{first} : lookup(value);
      if (coefficient != 1)
        term = binary(loc, "arith.muli", term, constantIndex(loc, coefficient));
      sum = binary(loc, "arith.addi", sum, term);
    }
    return toVector(loc, sum);
  };
  auto code = emitFoldLoop(loop, first, last, start, getNext);
  if (failed(code))
    return failure();

  SmallVector<Value> after;
  unsigned at = 0;
  for (const ArgPart &part : parts) {
    Value value = code->getResult(at++);
    if (part.op) {
      after.push_back(value);
      continue;
    }
    // What came before has smaller indices, or none.
    Type indices = laneType(b.getIndexType());
    Value count =
        arith::IndexCastOp::create(b, loc, indices, code->getResult(at++));
    int64_t step = part.index.getCoefficient(loop.getInductionVar());
    if (step != 1)
      count = arith::MulIOp::create(b, loc, count,
                                    toVector(loc, constantIndex(loc, step)));
    Value index =
        arith::AddIOp::create(b, loc, getFirstIndex(part.index), count);
    llvm::append_range(after, createArgStep(b, loc, part.order,
                                            before.slice(part.position, 2),
                                            {value, index}));
  }
  scf::YieldOp::create(b, loc, after);
  for (Value result : runs.getResults())
    results.push_back({result, 0, true});
  return success();
}
