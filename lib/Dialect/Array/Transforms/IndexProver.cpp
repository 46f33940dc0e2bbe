//===- IndexProver.cpp - What is known about indices ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IndexProver.h"

#include "IndexForms.h"
#include "StepCounter.h"

#include "arrc/Support/IndexLimits.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Values that one question may speak of; more are not looked at.
static constexpr unsigned kMaxValues = 40;

/// What a form may come to: differences of two stay within 64 bits.
static constexpr uint64_t kMaxForm = uint64_t(1) << 61;
/// What sizes and indices are at most (IndexLimits.h).
static constexpr uint64_t kMaxSize = maxGivenSize, kMaxIndex = maxIndex;

/// What counters come to that are known: from so much on, by so much a step.
static constexpr int64_t kMaxBy = int64_t(1) << 16;
static constexpr uint64_t kMaxInit = 4 * kMaxSize;
static constexpr uint64_t kMaxCounter = kMaxInit + kMaxIndex * kMaxBy;

/// Choices in choices that are looked at.
static constexpr unsigned kMaxChoices = 4;

std::optional<uint64_t> IndexProver::getMagnitude(Value value,
                                                  unsigned choices) const {
  std::optional<uint64_t> known;
  const auto *range =
      solver ? solver->lookupState<dataflow::IntegerValueRangeLattice>(value)
             : nullptr;
  if (range && !range->getValue().isUninitialized()) {
    const ConstantIntRanges &bounds = range->getValue().getValue();
    if (bounds.smin().getSignificantBits() <= 62 &&
        bounds.smax().getSignificantBits() <= 62)
      known = std::max(bounds.smin().abs().getZExtValue(),
                       bounds.smax().abs().getZExtValue());
  }
  if (isSize(value))
    return std::min(known.value_or(kMaxSize), kMaxSize);
  if (!known && isCounter(value))
    return kMaxCounter;
  if (!value.getType().isIndex() || (known && *known <= kMaxIndex))
    return known;
  // A choice is as large as what it chooses from, which may be any integer.
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::MinSIOp, arith::MaxSIOp, arith::SelectOp>(op))
    return kMaxIndex;
  uint64_t largest = 0;
  for (Value side : op->getOperands().take_back(2)) {
    std::optional<uint64_t> magnitude;
    if (choices < kMaxChoices)
      magnitude = getMagnitude(LinearIndex(side), choices + 1);
    if (!magnitude)
      return known;
    largest = std::max(largest, *magnitude);
  }
  return largest;
}

bool IndexProver::isCounter(Value value) const {
  std::optional<StepCounter> counter = getStepCounter(value);
  bool isWide = value.getType().isIndex() || value.getType().isInteger(64);
  if (!isWide || !counter || !counter->number ||
      std::abs(*counter->number) > kMaxBy)
    return false;
  // What it begins with is a constant or a size.
  LinearIndex init = getForm(counter->init);
  if (!init.getTerms().empty() &&
      !llvm::all_of(init.getTerms(), [](const LinearIndex::Term &term) {
        return isSize(term.first);
      }))
    return false;
  std::optional<uint64_t> magnitude = getMagnitude(init);
  return magnitude && *magnitude <= kMaxInit;
}

std::optional<uint64_t> IndexProver::getMagnitude(const LinearIndex &form,
                                                  unsigned choices) const {
  auto toPositive = [](int64_t number) {
    return number < 0 ? -uint64_t(number) : uint64_t(number);
  };
  uint64_t sum = toPositive(form.getConstant());
  for (const LinearIndex::Term &term : form.getTerms()) {
    std::optional<uint64_t> magnitude = getMagnitude(term.first, choices);
    if (!magnitude)
      return std::nullopt;
    sum = llvm::SaturatingMultiplyAdd(*magnitude, toPositive(term.second), sum);
  }
  return sum <= kMaxForm ? std::optional(sum) : std::nullopt;
}

LinearIndex IndexProver::getForm(Value index) const {
  LinearIndex form(index);
  bool single = form.getTerms().size() == 1 &&
                form.getTerms().front().second == 1 && form.getConstant() == 0;
  if (single || getMagnitude(form))
    return form;
  // A cast between `index` and `i64` changes nothing, a sum may; a number that
  // is too large for sums is a value that nothing is known about.
  while (auto cast = index.getDefiningOp<arith::IndexCastOp>())
    index = cast.getIn();
  return LinearIndex::ofValue(index);
}

LinearIndex IndexProver::getForm(OpFoldResult size) const {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return LinearIndex(*number);
  return getForm(cast<Value>(size));
}

/// Adds `factor` times `other` to `form`; false if a number of the sum does not
/// fit 64 bits.
static bool addExactly(LinearIndex &form, const LinearIndex &other,
                       int64_t factor) {
  auto fits = [&](int64_t own, int64_t added) {
    int64_t product, sum;
    return !llvm::MulOverflow(added, factor, product) &&
           !llvm::AddOverflow(own, product, sum);
  };
  if (!fits(form.getConstant(), other.getConstant()) ||
      !llvm::all_of(other.getTerms(), [&](const LinearIndex::Term &term) {
        return fits(form.getCoefficient(term.first), term.second);
      }))
    return false;
  form.add(other, factor);
  return true;
}

// Only comparisons of integers that are 64 bits wide or indices, and what `and`
// joins.
void IndexProver::addCondition(Value condition, bool truth,
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
  if (auto negation = dyn_cast_if_present<arith::XOrIOp>(op);
      negation && matchPattern(negation.getRhs(), m_One()))
    return addCondition(negation.getLhs(), !truth, facts);
  auto compare = dyn_cast_if_present<arith::CmpIOp>(op);
  if (!compare)
    return;
  Type type = compare.getLhs().getType();
  if (!type.isIndex() && !type.isInteger(64))
    return;
  LinearIndex lhs = getForm(compare.getLhs()), rhs = getForm(compare.getRhs());
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
  case arith::CmpIPredicate::ne: {
    // Different, and on a known side of each other: apart by one or more.
    if (inCondition)
      return;
    llvm::SaveAndRestore<bool> once(inCondition, true);
    if (isNotNegative(difference(lhs, rhs)))
      facts.push_back(difference(lhs, rhs, -1));
    else if (isNotNegative(difference(rhs, lhs)))
      facts.push_back(difference(rhs, lhs, -1));
    return;
  }
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
        check.getKind() == CheckKind::Size) {
      addCondition(check.getOk(), true, entryFacts);
      checks.insert(check);
    }
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
// Questions
//===----------------------------------------------------------------------===//

/// Whether no rational point satisfies all facts.
static bool isInfeasible(ArrayRef<LinearIndex> facts, ArrayRef<Value> values) {
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
    for (const LinearIndex &fact : entryFacts)
      if (fact.getCoefficient(values[i]) != 0)
        addValues(fact);
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
      LinearIndex chosen =
          getForm(op->getOperand(op->getNumOperands() - (first ? 2 : 1)));
      Facts side;
      for (const LinearIndex &fact : facts) {
        int64_t factor = fact.getCoefficient(value);
        LinearIndex replaced = fact;
        replaced.add(LinearIndex::ofValue(value), -factor);
        // What is too large to be said is not used.
        if (addExactly(replaced, chosen, factor))
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
  LinearIndex form = getForm(index);
  return isNotNegative(form) &&
         isNotNegative(difference(getForm(size), form, -1));
}

bool IndexProver::isOutside(Value index, OpFoldResult size) {
  LinearIndex form = getForm(index), extent = getForm(size);
  return isImpossible({form, difference(extent, form, -1)}) &&
         !isImpossible({mention(form), mention(extent)});
}

bool IndexProver::isNotEmpty(OpFoldResult size, ValueRange indices) {
  LinearIndex empty;
  empty.add(getForm(size), -1);
  Facts facts = {empty};
  for (Value index : indices)
    facts.push_back(mention(getForm(index)));
  return isImpossible(facts);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

bool IndexProver::isFalse(Value condition) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return isFalse(both.getLhs()) || isFalse(both.getRhs());
  Facts facts;
  addCondition(condition, true, facts);
  return !facts.empty() && isImpossible(facts);
}

bool IndexProver::isTrue(Value condition) {
  if (matchPattern(condition, m_One()))
    return true;
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return isTrue(both.getLhs()) && isTrue(both.getRhs());
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || (!compare.getLhs().getType().isIndex() &&
                   !compare.getLhs().getType().isInteger(64)))
    return false;
  LinearIndex lhs = getForm(compare.getLhs()), rhs = getForm(compare.getRhs());
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::ult:
    return isNotNegative(lhs) && isNotNegative(difference(rhs, lhs, -1));
  case arith::CmpIPredicate::eq:
    return isNotNegative(difference(lhs, rhs)) &&
           isNotNegative(difference(rhs, lhs));
  case arith::CmpIPredicate::ne:
    return isImpossible({difference(lhs, rhs), difference(rhs, lhs)});
  default:
    break;
  }
  Facts facts;
  addCondition(condition, false, facts);
  return !facts.empty() && isImpossible(facts);
}

bool IndexProver::isTrueAt(Value condition, Operation *op) {
  Assumption assumption = assumeConditionsAt(op);
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (auto space = dyn_cast<IndexSpaceOpInterface>(parent))
      for (Value index : space.getIndices())
        addFactsOf(index, entryFacts);
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      addFactsOf(loop.getInductionVar(), entryFacts);
  }
  return isTrue(condition);
}
