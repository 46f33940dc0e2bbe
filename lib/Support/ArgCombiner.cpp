//===- ArgCombiner.cpp - Folds to the place of an extremum ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Support/ArgCombiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static arith::CmpFPredicate getFloatPredicate(ArgOrder order) {
  return order.isMax ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT;
}

static arith::CmpIPredicate getIntPredicate(ArgOrder order) {
  using Predicate = arith::CmpIPredicate;
  if (order.isSigned)
    return order.isMax ? Predicate::sgt : Predicate::slt;
  return order.isMax ? Predicate::ugt : Predicate::ult;
}

Value arrc::createIsBetter(OpBuilder &builder, Location loc, ArgOrder order,
                           Value left, Value right) {
  if (!isa<FloatType>(getElementTypeOrSelf(left)))
    return arith::CmpIOp::create(builder, loc, getIntPredicate(order), right,
                                 left);
  Value less = arith::CmpFOp::create(builder, loc, getFloatPredicate(order),
                                     right, left);
  Value isNumber = arith::CmpFOp::create(builder, loc,
                                         arith::CmpFPredicate::ORD, left, left);
  return arith::AndIOp::create(builder, loc, less, isNumber);
}

SmallVector<Value> arrc::createArgStep(OpBuilder &builder, Location loc,
                                       ArgOrder order, ValueRange left,
                                       ValueRange right) {
  Value first = createIsBetter(builder, loc, order, left[0], right[0]);
  Value second = createIsBetter(builder, loc, order, right[0], left[0]);
  Value before = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       right[1], left[1]);
  Value either = arith::OrIOp::create(builder, loc, first, before);
  Value take = arith::SelectOp::create(builder, loc, second, first, either);
  return {arith::SelectOp::create(builder, loc, take, right[0], left[0]),
          arith::SelectOp::create(builder, loc, take, right[1], left[1])};
}

//===----------------------------------------------------------------------===//
// Recognising
//===----------------------------------------------------------------------===//

/// The order in which `value` says that `right` is better than `left`.
static std::optional<ArgOrder> matchIsBetter(Value value, Value left,
                                             Value right) {
  for (bool isMax : {false, true})
    for (bool isSigned : {false, true}) {
      ArgOrder order{isMax, isSigned};
      if (auto compare = value.getDefiningOp<arith::CmpIOp>())
        if (compare.getPredicate() == getIntPredicate(order) &&
            compare.getLhs() == right && compare.getRhs() == left)
          return order;
      auto both = value.getDefiningOp<arith::AndIOp>();
      if (!both)
        continue;
      auto less = both.getLhs().getDefiningOp<arith::CmpFOp>();
      auto isNumber = both.getRhs().getDefiningOp<arith::CmpFOp>();
      if (less && less.getPredicate() == arith::CmpFPredicate::ORD)
        std::swap(less, isNumber);
      if (less && isNumber && less.getPredicate() == getFloatPredicate(order) &&
          less.getLhs() == right && less.getRhs() == left &&
          isNumber.getPredicate() == arith::CmpFPredicate::ORD &&
          isNumber.getLhs() == left && isNumber.getRhs() == left)
        return order;
    }
  return std::nullopt;
}

std::optional<ArgOrder> arrc::matchArgStep(Region &combiner,
                                           unsigned position) {
  if (!combiner.hasOneBlock() || combiner.front().empty())
    return std::nullopt;
  Block &block = combiner.front();
  Operation *yield = &block.back();
  unsigned count = block.getNumArguments() / 2;
  if (position + 1 >= count || yield->getNumOperands() != count ||
      !block.getArgument(position + 1).getType().isIndex())
    return std::nullopt;
  Value left[2], right[2], take;
  for (unsigned k = 0; k < 2; ++k) {
    left[k] = block.getArgument(position + k);
    right[k] = block.getArgument(count + position + k);
    auto pick =
        yield->getOperand(position + k).getDefiningOp<arith::SelectOp>();
    if (!pick || pick.getTrueValue() != right[k] ||
        pick.getFalseValue() != left[k] || (k && pick.getCondition() != take))
      return std::nullopt;
    take = pick.getCondition();
  }
  auto pick = take.getDefiningOp<arith::SelectOp>();
  if (!pick)
    return std::nullopt;
  Value first = pick.getTrueValue();
  auto either = pick.getFalseValue().getDefiningOp<arith::OrIOp>();
  if (!either || (either.getLhs() != first && either.getRhs() != first))
    return std::nullopt;
  Value other = either.getLhs() == first ? either.getRhs() : either.getLhs();
  auto before = other.getDefiningOp<arith::CmpIOp>();
  if (!before || before.getPredicate() != arith::CmpIPredicate::ult ||
      before.getLhs() != right[1] || before.getRhs() != left[1])
    return std::nullopt;
  std::optional<ArgOrder> order = matchIsBetter(first, left[0], right[0]);
  std::optional<ArgOrder> reverse =
      matchIsBetter(pick.getCondition(), right[0], left[0]);
  if (!order || !reverse || order->isMax != reverse->isMax ||
      order->isSigned != reverse->isSigned)
    return std::nullopt;
  return order;
}
