//===- CarriedDependence.cpp - Whether iterations are independent ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Two accesses in two iterations are a system of linear constraints: equal
// indices, the bounds of all loops around either, and different iterations. A
// system without a solution is no dependence (Presburger sets, as MLIR has
// them). What is not linear is a variable of which nothing is known.
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/Dependence.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace arrc;

namespace {

/// A sum over variables, by their numbers.
using Row = llvm::SmallMapVector<unsigned, int64_t, 4>;

/// The values of two iterations of a loop.
class TwoIterations {
public:
  explicit TwoIterations(kernel::ForOp loop) : loop(loop) {}

  /// Whether `a` in one iteration and `b` in another, which comes later if
  /// `later` and else before, are never at one element.
  static bool neverMeet(kernel::ForOp loop, const Access &a, const Access &b,
                        bool later);

private:
  struct Constraint {
    Row row;
    int64_t constant;
    bool isEquality;
  };

  /// The number of `value` in iteration `which`.
  unsigned getVariable(Value value, unsigned which);
  /// Adds `factor` times `form` to a row.
  void add(Constraint &to, const LinearIndex &form, unsigned which,
           int64_t factor);
  /// Adds what is known of a variable that was met for the first time.
  void addBounds(Value value, unsigned which);
  /// `upper - value - 1 >= 0` and `value - lower >= 0`.
  void addRange(Value value, unsigned which, const LinearIndex &lower,
                const LinearIndex &upper);
  /// `form` with the host's values in place of the launch's arguments.
  LinearIndex expand(const LinearIndex &form);

  kernel::ForOp loop;
  llvm::SmallMapVector<std::pair<Value, unsigned>, unsigned, 8> variables;
  SmallVector<Constraint> constraints;
};

} // namespace

/// The extent of a loop that has an iteration: the larger of `extent` and 0 is
/// `extent`.
static Value dropNone(Value extent) {
  while (auto most = extent.getDefiningOp<arith::MaxSIOp>()) {
    APInt number;
    if (matchPattern(most.getRhs(), m_ConstantInt(&number)) &&
        !number.isStrictlyPositive())
      extent = most.getLhs();
    else if (matchPattern(most.getLhs(), m_ConstantInt(&number)) &&
             !number.isStrictlyPositive())
      extent = most.getRhs();
    else
      break;
  }
  return extent;
}

/// What an argument of a launch is for the host, else null.
static Value getHostValue(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto launch =
      argument ? dyn_cast<kernel::LaunchOp>(argument.getOwner()->getParentOp())
               : kernel::LaunchOp();
  return launch ? launch.getOperandOf(argument).get() : Value();
}

static LinearIndex getExtentForm(OpFoldResult extent) {
  if (auto value = dyn_cast<Value>(extent)) {
    while (Value host = getHostValue(value))
      value = host;
    extent = dropNone(value);
  }
  return LinearIndex::ofSize(extent);
}

LinearIndex TwoIterations::expand(const LinearIndex &form) {
  LinearIndex result(form.getConstant());
  for (auto [value, factor] : form.getTerms()) {
    Value host = getHostValue(value);
    result.add(host ? expand(LinearIndex(host)) : LinearIndex::ofValue(value),
               factor);
  }
  return result;
}

unsigned TwoIterations::getVariable(Value value, unsigned which) {
  // What is outside of the loop is the same in both.
  if (!loop.getBody().isAncestor(value.getParentRegion()))
    which = 0;
  unsigned next = variables.size();
  auto [it, isNew] = variables.insert({{value, which}, next});
  unsigned number = it->second;
  if (isNew)
    addBounds(value, which);
  return number;
}

void TwoIterations::add(Constraint &to, const LinearIndex &form, unsigned which,
                        int64_t factor) {
  LinearIndex full = expand(form);
  to.constant += factor * full.getConstant();
  for (auto [value, coefficient] : full.getTerms())
    to.row[getVariable(value, which)] += factor * coefficient;
}

void TwoIterations::addRange(Value value, unsigned which,
                             const LinearIndex &lower,
                             const LinearIndex &upper) {
  Constraint least{{}, 0, false}, most{{}, -1, false};
  add(least, LinearIndex::ofValue(value), which, 1);
  add(least, lower, which, -1);
  add(most, LinearIndex::ofValue(value), which, -1);
  add(most, upper, which, 1);
  constraints.push_back(least);
  constraints.push_back(most);
}

void TwoIterations::addBounds(Value value, unsigned which) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto inner = dyn_cast<kernel::ForOp>(parent);
        inner && argument == inner.getInductionVar())
      return addRange(value, which, LinearIndex(0),
                      getExtentForm(inner.getMixedExtent()));
    if (auto inner = dyn_cast<scf::ForOp>(parent);
        inner && argument == inner.getInductionVar())
      return addRange(value, which, LinearIndex(inner.getLowerBound()),
                      LinearIndex(inner.getUpperBound()));
    if (auto inner = dyn_cast<kernel::IterateOp>(parent);
        inner && argument == inner.getStepArg() && inner.getTimes())
      return addRange(value, which, LinearIndex(0),
                      getExtentForm(inner.getTimes()));
    return;
  }
  if (value.getDefiningOp<memref::DimOp>()) {
    Constraint least{{}, 0, false};
    add(least, LinearIndex::ofValue(value), which, 1);
    constraints.push_back(least);
  }
}

bool TwoIterations::neverMeet(kernel::ForOp loop, const Access &a,
                              const Access &b, bool later) {
  TwoIterations two(loop);
  for (auto [x, y] : llvm::zip_equal(a.indices, b.indices)) {
    Constraint same{{}, 0, true};
    two.add(same, x, 0, 1);
    two.add(same, y, 1, -1);
    two.constraints.push_back(same);
  }
  Constraint apart{{}, -1, false};
  LinearIndex step = LinearIndex::ofValue(loop.getInductionVar());
  two.add(apart, step, 0, later ? -1 : 1);
  two.add(apart, step, 1, later ? 1 : -1);
  two.constraints.push_back(apart);

  unsigned count = two.variables.size();
  presburger::IntegerPolyhedron set(
      presburger::PresburgerSpace::getSetSpace(count));
  for (const Constraint &constraint : two.constraints) {
    SmallVector<int64_t> row(count + 1, 0);
    for (auto [variable, coefficient] : constraint.row)
      row[variable] = coefficient;
    row[count] = constraint.constant;
    constraint.isEquality ? set.addEquality(row) : set.addInequality(row);
  }
  return set.isEmpty();
}

std::string arrc::findCarriedDependence(kernel::ForOp loop) {
  AccessPattern pattern(loop);
  ArrayRef<Access> accesses = pattern.getAccesses();
  for (size_t i = 0; i < accesses.size(); ++i)
    for (size_t j = i; j < accesses.size(); ++j) {
      const Access &a = accesses[i], &b = accesses[j];
      Value array = a.array;
      if (a.array != b.array || !(a.writes || b.writes) ||
          loop.getBody().isAncestor(array.getParentRegion()))
        continue;
      if (!TwoIterations::neverMeet(loop, a, b, true) ||
          (i != j && !TwoIterations::neverMeet(loop, a, b, false)))
        return llvm::formatv("{0} is {1} in one step and {2} in another one",
                             getArrayName(a.array),
                             a.writes ? "written" : "read",
                             b.writes ? "written" : "read");
    }
  return {};
}
