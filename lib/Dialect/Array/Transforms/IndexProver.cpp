//===- IndexProver.cpp - What is known about indices ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IndexProver.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Values that one question may speak of; more are not looked at.
static constexpr unsigned kMaxValues = 40;

LinearIndex arrc::array::getForm(OpFoldResult size) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return LinearIndex(*number);
  return LinearIndex(cast<Value>(size));
}

/// `a - b + constant`, of forms.
static LinearIndex difference(const LinearIndex &a, const LinearIndex &b,
                              int64_t constant = 0) {
  LinearIndex form = a;
  form.add(b, -1);
  form.add(LinearIndex(constant), 1);
  return form;
}

/// Adds what `condition` says if it is `truth`. Only comparisons of integers
/// that are 64 bits wide or indices, and what `and` joins.
static void addCondition(Value condition, bool truth,
                         SmallVectorImpl<LinearIndex> &facts) {
  Operation *op = condition.getDefiningOp();
  if (auto both = dyn_cast_if_present<arith::AndIOp>(op); both && truth) {
    addCondition(both.getLhs(), true, facts);
    addCondition(both.getRhs(), true, facts);
    return;
  }
  if (auto either = dyn_cast_if_present<arith::OrIOp>(op); either && !truth) {
    addCondition(either.getLhs(), false, facts);
    addCondition(either.getRhs(), false, facts);
    return;
  }
  auto compare = dyn_cast_if_present<arith::CmpIOp>(op);
  if (!compare)
    return;
  Type type = compare.getLhs().getType();
  if (!type.isIndex() && !type.isInteger(64))
    return;
  LinearIndex lhs(compare.getLhs()), rhs(compare.getRhs());
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (!truth)
    predicate = arith::invertPredicate(predicate);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    facts.push_back(difference(lhs, rhs));
    facts.push_back(difference(rhs, lhs));
    return;
  case arith::CmpIPredicate::slt:
    facts.push_back(difference(rhs, lhs, -1));
    return;
  case arith::CmpIPredicate::sle:
    facts.push_back(difference(rhs, lhs));
    return;
  case arith::CmpIPredicate::sgt:
    facts.push_back(difference(lhs, rhs, -1));
    return;
  case arith::CmpIPredicate::sge:
    facts.push_back(difference(lhs, rhs));
    return;
  default:
    return;
  }
}

IndexProver::IndexProver(func::FuncOp function, const DataFlowSolver *solver)
    : solver(solver) {
  // Checks at the entry come before every loop: nothing is moved above them.
  if (function.isExternal())
    return;
  for (CheckOp check : function.getFunctionBody().front().getOps<CheckOp>())
    if (check.getKind() == CheckKind::Input ||
        check.getKind() == CheckKind::Size)
      addCondition(check.getOk(), true, entryFacts);
}

void IndexProver::Assumption::release() {
  if (prover)
    prover->entryFacts.truncate(mark);
  prover = nullptr;
}

IndexProver::Assumption IndexProver::assumeConditionsAt(Operation *op) {
  size_t mark = entryFacts.size();
  for (Operation *inner = op; Operation *parent = inner->getParentOp();
       inner = parent)
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      addCondition(branch.getCondition(),
                   inner->getParentRegion() == &branch.getThenRegion(),
                   entryFacts);
  return Assumption(*this, mark);
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// Facts about a result of `affine.apply` that is not linear: remainders and
/// quotients by constants.
static void addDivision(Value value, affine::AffineApplyOp apply,
                        SmallVectorImpl<LinearIndex> &facts) {
  auto expr = dyn_cast<AffineBinaryOpExpr>(apply.getAffineMap().getResult(0));
  if (!expr)
    return;
  auto divisor = dyn_cast<AffineConstantExpr>(expr.getRHS());
  if (!divisor || divisor.getValue() <= 0)
    return;
  if (expr.getKind() == AffineExprKind::Mod) {
    facts.push_back(LinearIndex(value));
    facts.push_back(
        difference(LinearIndex(divisor.getValue() - 1), LinearIndex(value)));
  }
}

void IndexProver::addFactsOf(Value value, Facts &facts) {
  LinearIndex form(value);
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
      facts.push_back(difference(form, LinearIndex(loop.getLowerBound())));
      facts.push_back(
          difference(LinearIndex(loop.getUpperBound()), form, -1));
    }
  }
  Operation *op = value.getDefiningOp();
  if (auto assume = dyn_cast_if_present<AssumeOp>(op)) {
    LinearIndex source(assume.getValue());
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
                          ? difference(LinearIndex(operand), form)
                          : difference(form, LinearIndex(operand)));
  if (auto apply = dyn_cast_if_present<affine::AffineApplyOp>(op))
    addDivision(value, apply, facts);
  // The size of something is not negative.
  auto isSize = [&](OpOperand &use) {
    if (auto bind = dyn_cast<BindOp>(use.getOwner()))
      return use.getOperandNumber() != 0;
    return false;
  };
  auto castToIndex = [&](Operation *user) {
    auto cast = dyn_cast<arith::IndexCastOp>(user);
    return cast && llvm::any_of(cast->getUses(), isSize);
  };
  if (isa_and_present<tensor::DimOp>(op) ||
      llvm::any_of(value.getUses(), isSize) ||
      llvm::any_of(value.getUsers(), castToIndex))
    facts.push_back(form);
  if (!solver)
    return;
  const auto *range =
      solver->lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!range || range->getValue().isUninitialized())
    return;
  const ConstantIntRanges &bounds = range->getValue().getValue();
  if (!bounds.smin().isMinSignedValue())
    facts.push_back(
        difference(form, LinearIndex(bounds.smin().getSExtValue())));
  if (!bounds.smax().isMaxSignedValue())
    facts.push_back(
        difference(LinearIndex(bounds.smax().getSExtValue()), form));
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// Whether no rational point satisfies all facts.
static bool isInfeasible(ArrayRef<LinearIndex> facts,
                         ArrayRef<Value> values) {
  presburger::IntegerPolyhedron system(
      presburger::PresburgerSpace::getSetSpace(values.size()));
  for (const LinearIndex &fact : facts) {
    SmallVector<int64_t> row(values.size() + 1, 0);
    for (const LinearIndex::Term &term : fact.getTerms())
      row[llvm::find(values, term.first) - values.begin()] = term.second;
    row.back() = fact.getConstant();
    system.addInequality(row);
  }
  return presburger::Simplex(system).isEmpty();
}

bool IndexProver::isImpossible(Facts facts, unsigned splits) {
  llvm::SetVector<Value> values;
  auto addValues = [&](const LinearIndex &fact) {
    for (const LinearIndex::Term &term : fact.getTerms())
      if (values.size() < kMaxValues)
        values.insert(term.first);
  };
  for (const LinearIndex &fact : facts)
    addValues(fact);
  for (unsigned i = 0; i < values.size(); ++i) {
    unsigned first = facts.size();
    addFactsOf(values[i], facts);
    for (unsigned f = first; f < facts.size(); ++f)
      addValues(facts[f]);
  }
  llvm::append_range(facts, entryFacts);
  llvm::erase_if(facts, [&](const LinearIndex &fact) {
    return !llvm::all_of(fact.getTerms(), [&](const LinearIndex::Term &term) {
      return values.contains(term.first);
    });
  });
  if (isInfeasible(facts, values.getArrayRef()))
    return true;
  if (splits == 0)
    return false;
  // A choice: each side must be impossible. The value is replaced by the side.
  for (Value value : values) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_present<arith::MinSIOp, arith::MaxSIOp, arith::SelectOp>(op))
      continue;
    for (bool first : {true, false}) {
      LinearIndex chosen(op->getOperand(op->getNumOperands() - (first ? 2 : 1)));
      Facts side;
      for (const LinearIndex &fact : facts) {
        int64_t factor = fact.getCoefficient(value);
        LinearIndex replaced = fact;
        replaced.add(LinearIndex(value), -factor);
        replaced.add(chosen, factor);
        side.push_back(replaced);
      }
      if (auto select = dyn_cast<arith::SelectOp>(op))
        addCondition(select.getCondition(), first, side);
      if (!isImpossible(side, splits - 1))
        return false;
    }
    return true;
  }
  return false;
}

bool IndexProver::isNotNegative(const LinearIndex &form) {
  LinearIndex negative(-1);
  negative.add(form, -1);
  return isImpossible({negative});
}

bool IndexProver::isInside(Value index, OpFoldResult size) {
  LinearIndex form(index);
  return isNotNegative(form) &&
         isNotNegative(difference(getForm(size), form, -1));
}

/// A fact that always holds, to bring in what is known about the values of
/// `form`.
static LinearIndex mention(const LinearIndex &form) {
  return difference(form,
                    LinearIndex(std::numeric_limits<int64_t>::min() / 4));
}

bool IndexProver::isOutside(Value index, OpFoldResult size) {
  LinearIndex form(index), extent = getForm(size);
  return isImpossible({form, difference(extent, form, -1)}) &&
         !isImpossible({mention(form), mention(extent)});
}

bool IndexProver::isNotEmpty(OpFoldResult size, ValueRange indices) {
  LinearIndex empty;
  empty.add(getForm(size), -1);
  Facts facts = {empty};
  for (Value index : indices)
    facts.push_back(mention(LinearIndex(index)));
  return isImpossible(facts);
}
