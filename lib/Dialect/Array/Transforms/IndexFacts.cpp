//===- IndexFacts.cpp - What is known about one value ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IndexForms.h"
#include "IndexProver.h"
#include "StepCounter.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// What `number * q <= x <= number * q + number - 1` says of `factor * q`.
static void addQuotient(const LinearIndex &value, const LinearIndex &x,
                        int64_t number, int64_t factor,
                        SmallVectorImpl<LinearIndex> &facts) {
  LinearIndex product, dividend;
  product.add(value, number);
  dividend.add(x, factor);
  facts.push_back(difference(dividend, product));
  facts.push_back(difference(product, dividend, factor * (number - 1)));
}

/// Constants that facts are multiplied by.
static bool isFactor(int64_t number) {
  return number > 0 && number < (1 << 20);
}

/// Facts about a result of `affine.apply` that is not linear: remainders, and
/// quotients and their products, by constants.
void IndexProver::addDivision(affine::AffineApplyOp apply, Facts &facts) {
  Value value = apply;
  AffineMap map = apply.getAffineMap();
  auto expr = dyn_cast<AffineBinaryOpExpr>(map.getResult(0));
  auto getConstant = [](AffineBinaryOpExpr expr) -> int64_t {
    auto number = dyn_cast<AffineConstantExpr>(expr.getRHS());
    return number ? number.getValue() : 0;
  };
  if (!expr || getConstant(expr) <= 0)
    return;
  if (expr.getKind() == AffineExprKind::Mod) {
    facts.push_back(LinearIndex(value));
    facts.push_back(
        difference(LinearIndex(getConstant(expr) - 1), LinearIndex(value)));
    return;
  }
  int64_t factor = 1;
  if (expr.getKind() == AffineExprKind::Mul) {
    factor = getConstant(expr);
    expr = dyn_cast<AffineBinaryOpExpr>(expr.getLHS());
  }
  if (!expr || expr.getKind() != AffineExprKind::FloorDiv)
    return;
  unsigned place;
  if (auto dim = dyn_cast<AffineDimExpr>(expr.getLHS()))
    place = dim.getPosition();
  else if (auto symbol = dyn_cast<AffineSymbolExpr>(expr.getLHS()))
    place = map.getNumDims() + symbol.getPosition();
  else
    return;
  if (isFactor(getConstant(expr)) && isFactor(factor))
    addQuotient(LinearIndex::ofValue(value),
                getForm(apply.getMapOperands()[place]), getConstant(expr),
                factor, facts);
}

/// The machine's remainder in one that floors, as import writes it: it is moved
/// by the divisor where its sign is wrong. Null if `value` is something else.
static arith::RemSIOp getFloorMod(Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  if (!select)
    return {};
  auto rest = select.getFalseValue().getDefiningOp<arith::RemSIOp>();
  auto moved = select.getTrueValue().getDefiningOp<arith::AddIOp>();
  if (!rest || !moved || moved.getLhs() != rest.getResult() ||
      moved.getRhs() != rest.getRhs())
    return {};
  auto isWrongSign = [&](Value condition) {
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt ||
        !matchPattern(compare.getRhs(), m_Zero()))
      return false;
    if (compare.getLhs() == rest.getResult())
      return true;
    auto both = compare.getLhs().getDefiningOp<arith::XOrIOp>();
    return both && llvm::is_contained(both.getOperands(), rest.getResult()) &&
           llvm::is_contained(both.getOperands(), rest.getRhs());
  };
  Value condition = select.getCondition();
  if (isWrongSign(condition))
    return rest;
  auto both = condition.getDefiningOp<arith::AndIOp>();
  if (!both || llvm::none_of(both.getOperands(), isWrongSign))
    return {};
  // The other half must be `rest != 0`: it changes 0 into itself.
  for (Value operand : both.getOperands()) {
    auto compare = operand.getDefiningOp<arith::CmpIOp>();
    if (compare && compare.getPredicate() == arith::CmpIPredicate::ne &&
        compare.getLhs() == rest.getResult() &&
        matchPattern(compare.getRhs(), m_Zero()))
      return rest;
  }
  return {};
}

/// What the condition of `loop` says in its steps.
void IndexProver::addConditionOf(scf::WhileOp loop, Facts &facts) {
  scf::ConditionOp condition = loop.getConditionOp();
  Facts known;
  addCondition(condition.getCondition(), true, known);
  for (LinearIndex &fact : known) {
    for (auto [passed, inside] :
         llvm::zip(condition.getArgs(), loop.getAfterArguments()))
      fact = fact.replace(passed, inside);
    facts.push_back(fact);
  }
}

void IndexProver::addFactsOfCounter(Value value, Facts &facts) {
  StepCounter counter = *getStepCounter(value);
  LinearIndex grown =
      difference(LinearIndex::ofValue(value), getForm(counter.init));
  int64_t by = *counter.number;
  auto loop = dyn_cast<scf::ForOp>(*counter.loop);
  if (loop && matchPattern(loop.getStep(), m_One())) {
    LinearIndex steps = difference(LinearIndex::ofValue(loop.getInductionVar()),
                                   getForm(loop.getLowerBound()));
    grown.add(steps, -by);
    facts.push_back(grown);
    facts.push_back(difference(LinearIndex(), grown));
    return;
  }
  facts.push_back(by > 0 ? grown : difference(LinearIndex(), grown));
  if (auto open = dyn_cast<scf::WhileOp>(*counter.loop))
    addConditionOf(open, facts);
}

void IndexProver::addFactsOf(Value value, Facts &facts) {
  LinearIndex form = LinearIndex::ofValue(value);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto space = dyn_cast<IndexSpaceOpInterface>(parent);
        space && argument.getOwner() == space.getBodyBlock()) {
      facts.push_back(form);
      facts.push_back(difference(
          getForm(space.getMixedExtents()[argument.getArgNumber()]), form, -1));
    }
    if (auto loop = dyn_cast<scf::ForOp>(parent);
        loop && loop.getInductionVar() == value) {
      facts.push_back(difference(form, getForm(loop.getLowerBound())));
      facts.push_back(difference(getForm(loop.getUpperBound()), form, -1));
    }
    if (isCounter(value))
      addFactsOfCounter(value, facts);
  }
  Operation *op = value.getDefiningOp();
  if (auto assume = dyn_cast_if_present<AssumeOp>(op)) {
    LinearIndex source = getForm(assume.getValue());
    facts.push_back(difference(form, source));
    facts.push_back(difference(source, form));
    if (assume.getLower()) {
      facts.push_back(difference(form, LinearIndex(*assume.getLower())));
      facts.push_back(difference(LinearIndex(*assume.getUpper()), form));
    }
  }
  if (isa_and_present<arith::MinSIOp, arith::MaxSIOp>(op))
    for (Value operand : op->getOperands())
      facts.push_back(isa<arith::MinSIOp>(op)
                          ? difference(getForm(operand), form)
                          : difference(form, getForm(operand)));
  if (auto apply = dyn_cast_if_present<affine::AffineApplyOp>(op))
    addDivision(apply, facts);
  if (auto floor = dyn_cast_if_present<arith::FloorDivSIOp>(op))
    if (std::optional<int64_t> number = getConstantIntValue(floor.getRhs());
        number && isFactor(*number))
      addQuotient(form, getForm(floor.getLhs()), *number, 1, facts);
  if (arith::RemSIOp rest = getFloorMod(value); rest && !inDivisor) {
    // The divisor may be known to be positive only where the dividend is.
    llvm::SaveAndRestore<bool> once(inDivisor, true);
    LinearIndex n = getForm(rest.getRhs());
    LinearIndex notPositive, dividend = mention(getForm(rest.getLhs()));
    notPositive.add(n, -1);
    facts.push_back(dividend);
    if (isImpossible({notPositive, dividend})) {
      facts.push_back(form);
      facts.push_back(difference(n, form, -1));
    }
  }
  // The size of something is not negative.
  if (isSize(value))
    facts.push_back(form);
  if (!solver)
    return;
  const auto *range =
      solver->lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!range || range->getValue().isUninitialized())
    return;
  const ConstantIntRanges &bounds = range->getValue().getValue();
  if (bounds.smin().getSignificantBits() <= 61)
    facts.push_back(
        difference(form, LinearIndex(bounds.smin().getSExtValue())));
  if (bounds.smax().getSignificantBits() <= 61)
    facts.push_back(
        difference(LinearIndex(bounds.smax().getSExtValue()), form));
}
