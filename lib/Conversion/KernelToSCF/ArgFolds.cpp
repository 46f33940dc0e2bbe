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
// Where the lanes are folded anyway, they are folded behind the loop, by
// counts: the best value of all, the least count that came with it, the first
// lane that has both. One pair in all lanes is folded to itself.
//
//===----------------------------------------------------------------------===//

#include "LaunchEmitter.h"
#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/ArgCombiner.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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
  /// The lanes are folded behind the loop.
  bool folds = false;
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

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// Folds the lanes of a vector in halves, whose order makes no difference.
static Value foldHalves(OpBuilder &b, Location loc, Value vector,
                        function_ref<Value(Value, Value)> fold) {
  int64_t width = cast<VectorType>(vector.getType()).getNumElements();
  while (width > 1) {
    width /= 2;
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, width));
    auto high = llvm::to_vector(llvm::seq<int64_t>(width, 2 * width));
    Value lhs = vector::ShuffleOp::create(b, loc, vector, vector, low);
    Value rhs = vector::ShuffleOp::create(b, loc, vector, vector, high);
    vector = fold(lhs, rhs);
  }
  return vector::ExtractOp::create(b, loc, vector, 0);
}

namespace {
/// The best value of all lanes and the smallest key that came with it.
struct BestLane {
  Value value, key;
  /// Which lanes have both.
  Value mask;
};
} // namespace

static BestLane findBestLane(OpBuilder &b, Location loc, ArgOrder order,
                             Value value, Value key) {
  BestLane best;
  best.value = foldHalves(b, loc, value, [&](Value lhs, Value rhs) -> Value {
    Value better = createIsBetter(b, loc, order, lhs, rhs);
    return arith::SelectOp::create(b, loc, better, rhs, lhs);
  });
  Value all = vector::BroadcastOp::create(b, loc, value.getType(), best.value);
  if (isa<FloatType>(best.value.getType())) {
    // If there is a NaN, one of them is the best.
    Value same =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, value, all);
    Value isNaN =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
    best.mask = arith::OrIOp::create(b, loc, same, isNaN);
  } else {
    best.mask =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value, all);
  }
  auto type = cast<VectorType>(key.getType());
  Value last = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(
          type, APInt::getAllOnes(type.getElementType().isIndex()
                                      ? 64
                                      : type.getElementTypeBitWidth())));
  Value keys = arith::SelectOp::create(b, loc, best.mask, key, last);
  best.key = foldHalves(b, loc, keys, [&](Value lhs, Value rhs) -> Value {
    return arith::MinUIOp::create(b, loc, lhs, rhs);
  });
  Value least = vector::BroadcastOp::create(b, loc, type, best.key);
  Value isLeast =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, keys, least);
  best.mask = arith::AndIOp::create(b, loc, best.mask, isLeast);
  return best;
}

/// The number of the first lane of `mask`, an index.
static Value findFirst(OpBuilder &b, Location loc, Value mask) {
  int64_t width = cast<VectorType>(mask.getType()).getNumElements();
  Value bits = vector::BitCastOp::create(
      b, loc, VectorType::get({1}, b.getIntegerType(width)), mask);
  bits = vector::ExtractOp::create(b, loc, bits, 0);
  if (width < 64)
    bits = arith::ExtUIOp::create(b, loc, b.getI64Type(), bits);
  Value first = math::CountTrailingZerosOp::create(b, loc, bits);
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), first);
}

bool LaunchEmitter::foldArgLanes(kernel::ForOp loop,
                                 SmallVectorImpl<LaneValue> &folded) {
  Region &combiner = loop.getCombiner();
  bool any = false;
  for (unsigned k = 0; k < folded.size(); ++k) {
    if (getCombinerOp(combiner, k))
      continue;
    if (!matchArgStep(combiner, k))
      return false;
    any = true;
    ++k;
  }
  if (!any)
    return false;
  Location loc = loop.getLoc();
  for (unsigned k = 0; k < folded.size(); ++k) {
    if (Operation *op = getCombinerOp(combiner, k)) {
      folded[k] = {foldTogether(loc, op->getName().getStringRef(),
                                op->getAttrs(), toVector(loc, folded[k]))
                       .front()};
      continue;
    }
    ArgOrder order = *matchArgStep(combiner, k);
    // The same pair in all lanes is what they come to.
    if (!folded[k].isUniform() || !folded[k + 1].isUniform()) {
      BestLane best = findBestLane(b, loc, order, toVector(loc, folded[k]),
                                   toVector(loc, folded[k + 1]));
      folded[k] = {best.value};
      folded[k + 1] = {best.key};
    }
    ++k;
  }
  return true;
}

/// Whether all that becomes of the pair at `position` is that `around` folds
/// the lanes of it: as the start of other folds of such pairs, too.
static bool isFoldedByLanes(kernel::ForOp loop, unsigned position,
                            kernel::ForOp around) {
  if (!matchArgStep(loop.getCombiner(), position))
    return false;
  auto getUses = [&](Value value) {
    SmallVector<std::pair<Operation *, unsigned>> uses;
    for (OpOperand &use : value.getUses())
      uses.push_back({use.getOwner(), use.getOperandNumber()});
    return uses;
  };
  auto indices = getUses(loop.getResult(position + 1));
  auto values = getUses(loop.getResult(position));
  return values.size() == indices.size() && llvm::all_of(values, [&](auto use) {
           auto [owner, number] = use;
           if (!llvm::is_contained(indices, std::make_pair(owner, number + 1)))
             return false;
           if (owner == around.getYield())
             return matchArgStep(around.getCombiner(), number).has_value();
           auto next = dyn_cast<kernel::ForOp>(owner);
           if (!next || !next.isReduce())
             return false;
           unsigned first = next.getSeedsMutable()[0].getOperandNumber();
           return number >= first &&
                  isFoldedByLanes(next, number - first, around);
         });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::optional<LogicalResult>
LaunchEmitter::emitArgFor(kernel::ForOp loop, Value begin, Value end,
                          ArrayRef<LaneValue> seeds,
                          SmallVectorImpl<LaneValue> &results) {
  if (lanes == 0 || !loop.isReduce())
    return std::nullopt;
  SmallVector<ArgPart> parts = getArgParts(loop);
  if (parts.empty())
    return std::nullopt;
  auto around = loop->getParentOfType<kernel::ForOp>();
  while (around.getLevelKind() != kernel::LevelKind::Vector)
    around = around->getParentOfType<kernel::ForOp>();
  for (ArgPart &part : parts)
    part.folds = !part.op && around.isReduce() &&
                 seeds[part.position].isUniform() &&
                 seeds[part.position + 1].isUniform() &&
                 isFoldedByLanes(loop, part.position, around);
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
  for (const ArgPart &part : parts)
    for (unsigned k = 0; k < 2 && part.folds; ++k)
      initial[part.position + k] = seeds[part.position + k].value;
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
    if (part.op) {
      start.push_back(before[part.position]);
      continue;
    }
    TypedAttr worst =
        getWorst(loop.getResult(part.position).getType(), part.order);
    start.push_back(toVector(loc, {arith::ConstantOp::create(b, loc, worst)}));
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
    return sum;
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
    Value counted = code->getResult(at++);
    LaneValue index = getFirstIndex(part.index);
    int64_t step = part.index.getCoefficient(loop.getInductionVar());
    auto addSteps = [&](Value start, Value count) -> Value {
      Type type = start.getType();
      count = arith::IndexCastOp::create(b, loc, type, count);
      Value steps = constantIndex(loc, step).value;
      if (isa<VectorType>(type))
        steps = toVector(loc, {steps});
      count = arith::MulIOp::create(b, loc, count, steps);
      return arith::AddIOp::create(b, loc, start, count);
    };
    Value place;
    // Of lanes with the same count the first one: its index is the smallest.
    bool isInOrder = !index.isVector && index.stride >= 0 &&
                     step > index.stride * (lanes - 1);
    if (part.folds && isInOrder) {
      BestLane best = findBestLane(b, loc, part.order, value, counted);
      value = best.value;
      Value lane =
          arith::MulIOp::create(b, loc, findFirst(b, loc, best.mask),
                                constantIndex(loc, index.stride).value);
      place = addSteps(index.value, best.key);
      place = arith::AddIOp::create(b, loc, place, lane);
    } else {
      place = addSteps(toVector(loc, index), counted);
      if (part.folds) {
        BestLane best = findBestLane(b, loc, part.order, value, place);
        value = best.value;
        place = best.key;
      }
    }
    llvm::append_range(after, createArgStep(b, loc, part.order,
                                            before.slice(part.position, 2),
                                            {value, place}));
  }
  scf::YieldOp::create(b, loc, after);
  for (Value result : runs.getResults())
    results.push_back({result, 0, isa<VectorType>(result.getType())});
  return success();
}
