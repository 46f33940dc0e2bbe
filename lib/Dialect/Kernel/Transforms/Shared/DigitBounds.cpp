//===- DigitBounds.cpp - How far the digits of an index get ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "DigitBounds.h"

#include "HostSlice.h"
#include "Magnitude.h"

#include "arrc/Analysis/AccessPattern.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// What holds where an access runs
//===----------------------------------------------------------------------===//

namespace {

/// Forms that are positive wherever an access runs.
class Guards {
public:
  Guards(LaunchOp launch, Operation *access);
  ArrayRef<LinearIndex> get() const { return forms; }

private:
  void addCondition(Value condition);
  void addPositive(Value value);

  SmallVector<LinearIndex> forms;
};

} // namespace

Guards::Guards(LaunchOp launch, Operation *access) {
  Value mask = TypeSwitch<Operation *, Value>(access)
                   .Case<LoadOp, StoreOp, UpdateOp>(
                       [](auto op) { return Value(op.getMask()); })
                   .Default(Value());
  if (mask)
    addCondition(mask);
  for (Operation *op = access; op != launch; op = op->getParentOp()) {
    Operation *around = op->getParentOp();
    if (auto branch = dyn_cast<scf::IfOp>(around)) {
      if (op->getParentRegion() == &branch.getThenRegion())
        addCondition(branch.getCondition());
    } else if (auto loop = dyn_cast<ForOp>(around)) {
      // An iteration runs, so there is one.
      if (Value extent = loop.getExtent())
        addPositive(extent);
    }
  }
}

void Guards::addCondition(Value condition) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    addCondition(both.getLhs());
    addCondition(both.getRhs());
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIndex())
    return;
  LinearIndex form(compare.getRhs()), lhs(compare.getLhs());
  if (!isExact(form) || !isExact(lhs))
    return;
  form.add(lhs, -1);
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    forms.push_back(form);
    break;
  case arith::CmpIPredicate::sgt: {
    LinearIndex negated;
    negated.add(form, -1);
    forms.push_back(negated);
    break;
  }
  default:
    break;
  }
}

void Guards::addPositive(Value value) {
  if (auto most = value.getDefiningOp<arith::MaxSIOp>()) {
    if (getConstantIntValue(most.getRhs()) == 0)
      addPositive(most.getLhs());
    return;
  }
  if (auto choice = value.getDefiningOp<arith::SelectOp>()) {
    if (getConstantIntValue(choice.getFalseValue()) == 0)
      addPositive(choice.getTrueValue());
    return;
  }
  if (auto least = value.getDefiningOp<arith::MinSIOp>()) {
    addPositive(least.getLhs());
    addPositive(least.getRhs());
    return;
  }
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  AffineBinaryOpExpr quotient(nullptr);
  if (apply)
    quotient = dyn_cast<AffineBinaryOpExpr>(apply.getAffineMap().getResult(0));
  bool up = quotient && quotient.getKind() == AffineExprKind::CeilDiv;
  bool down = quotient && quotient.getKind() == AffineExprKind::FloorDiv;
  if (!up && !down) {
    forms.emplace_back(value);
    return;
  }
  auto by = dyn_cast<AffineConstantExpr>(quotient.getRHS());
  SmallVector<LinearIndex> operands;
  for (Value operand : apply.getMapOperands())
    operands.emplace_back(operand);
  std::optional<LinearIndex> sum = LinearIndex::ofExpr(
      quotient.getLHS(), apply.getAffineMap().getNumDims(), operands);
  if (!by || by.getValue() <= 0 || !sum)
    return;
  // A quotient is 1 at least: rounded up, the sum is positive; rounded down, it
  // is the divisor at least.
  if (down)
    sum->add(LinearIndex(by.getValue() - 1), -1);
  forms.push_back(*sum);
}

//===----------------------------------------------------------------------===//
// What follows
//===----------------------------------------------------------------------===//

/// Whether `value` is never negative, for a reason that is easy to see.
static bool isNonNegative(Value value) {
  if (ForOp loop = getLoopOf(value))
    return loop.getInductionVar() == value;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || loop.getInductionVar() != value)
      return false;
    std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound());
    return begin && *begin >= 0;
  }
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return *number >= 0;
  if (auto choice = value.getDefiningOp<arith::SelectOp>())
    return isNonNegative(choice.getTrueValue()) &&
           isNonNegative(choice.getFalseValue());
  if (auto most = value.getDefiningOp<arith::MaxSIOp>())
    return isNonNegative(most.getLhs()) || isNonNegative(most.getRhs());
  if (auto least = value.getDefiningOp<arith::MinSIOp>())
    return isNonNegative(least.getLhs()) && isNonNegative(least.getRhs());
  return false;
}

/// The size that `form`, which is positive, has as its only positive term:
/// everything else can only make it less. Null if there is more than that.
static Value getSize(LaunchOp launch, const LinearIndex &form) {
  Value size;
  for (auto [value, factor] : form.getTerms()) {
    if (factor < 0 && isNonNegative(value))
      continue;
    if (factor != 1 || size || !isKnownToHost(launch, value))
      return {};
    size = value;
  }
  return size;
}

/// Whether `bound` follows at one access from one of `guards`.
static bool holds(const Guards &guards, LaunchOp launch, ForOp loop,
                  DigitBound bound, int64_t extent) {
  return llvm::any_of(guards.get(), [&](const LinearIndex &form) {
    if (getSize(launch, form) != bound.size)
      return false;
    // size + constant > factor * digit
    int64_t factor = -form.getCoefficient(loop.getInductionVar());
    int64_t constant = form.getConstant();
    return (factor >= bound.step && constant <= 0) ||
           -constant >= bound.step * (extent - 1);
  });
}

void arrc::kernel::collectBounds(LaunchOp launch, ArrayRef<DigitUse> uses,
                                 SmallVectorImpl<DigitBound> &bounds) {
  for (auto [access, loop] : uses) {
    Guards guards(launch, access);
    for (const LinearIndex &form : guards.get()) {
      ForOp digit = loop;
      DigitBound bound{getSize(launch, form),
                       -form.getCoefficient(digit.getInductionVar())};
      if (bound.size && bound.step > 0 && form.getConstant() <= 0 &&
          !llvm::is_contained(bounds, bound))
        bounds.push_back(bound);
    }
  }
}

std::optional<DigitBound> arrc::kernel::findBound(LaunchOp launch,
                                                  ArrayRef<DigitUse> uses,
                                                  int64_t extent,
                                                  ArrayRef<DigitBound> bounds) {
  SmallVector<Guards> guards;
  for (const DigitUse &use : uses)
    guards.emplace_back(launch, use.access);
  std::optional<DigitBound> best;
  for (DigitBound bound : bounds) {
    bool holdsAlways = llvm::all_of(llvm::zip(uses, guards), [&](auto pair) {
      auto &[use, here] = pair;
      return holds(here, launch, use.loop, bound, extent);
    });
    if (holdsAlways && (!best || best->step < bound.step))
      best = bound;
  }
  return best;
}
