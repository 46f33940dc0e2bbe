//===- IndexSet.cpp - The indices of an access as a set -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Variables are the induction variables around an access, quotients, and values
// that are not taken apart; symbols are `lo` and `hi` of the part and what the
// launch's scalar arguments make. What is left out of a set (a condition that
// is not affine) makes it larger, never smaller.
//
// A variable times a symbol, as in the number of a block, `i * columns + j`, is
// a variable of its own. What is known of `i` is known of it, times the symbol,
// where that is not negative:
//
//   lo <= i <= hi - 1    gives    lo * columns <= i * columns
//                                              <= hi * columns - columns
//
// A size that is known to be a multiple of k stands in the set as k times a
// variable, so that its rows are divided as whole numbers can be:
//
//   2 j < n, n = 2 q     gives    j <= q - 1,    and so    2 j + 1 < n
//
//===----------------------------------------------------------------------===//

#include "IndexSet.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using Linear = IndexSet::Linear;

void Linear::add(const Linear &other, int64_t factor) {
  for (auto [variable, coefficient] : other.terms) {
    int64_t &mine = terms[variable];
    mine += coefficient * factor;
    if (mine == 0)
      terms.erase(variable);
  }
  constant += other.constant * factor;
}

bool Linear::operator==(const Linear &other) const {
  if (constant != other.constant || terms.size() != other.terms.size())
    return false;
  return llvm::all_of(terms, [&](auto term) {
    auto *it = other.terms.find(term.first);
    return it != other.terms.end() && it->second == term.second;
  });
}

static Linear ofNumber(int64_t number) {
  Linear form;
  form.constant = number;
  return form;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Linear IndexSet::ofVariable(unsigned variable) {
  Linear form;
  form.terms[variable] = 1;
  return form;
}

Linear IndexSet::ofSymbol(AffineExpr expr) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return ofNumber(number.getValue());
  auto [it, isNew] = symbols.try_emplace(expr, variables.size());
  if (isNew)
    variables.push_back({expr, {}});
  return ofVariable(it->second);
}

Linear IndexSet::ofFresh() {
  variables.push_back({});
  return ofVariable(variables.size() - 1);
}

AffineExpr IndexSet::getExpr(const Linear &form) const {
  MLIRContext *context = launch->getContext();
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (auto [variable, coefficient] : form.terms) {
    AffineExpr symbol = variables[variable].symbol;
    if (!symbol)
      return {};
    sum = sum + symbol * coefficient;
  }
  return sum + form.constant;
}

/// The largest whole number that is not above `form / by`.
Linear IndexSet::divide(const Linear &form, int64_t by) {
  if (AffineExpr expr = getExpr(form))
    return ofSymbol(expr.floorDiv(by));
  Linear quotient = ofFresh();
  unsigned variable = quotient.terms.begin()->first;
  Linear rest = form; // 0 <= form - by * quotient <= by - 1
  rest.add(quotient, -by);
  Linear most = ofNumber(by - 1);
  most.add(rest, -1);
  variables[variable].facts = {rest, most};
  return quotient;
}

/// A least one is never above any of its forms, nor above what these are never
/// above; it is never below what none of them is. The largest the other way.
Linear IndexSet::ofExtremum(ArrayRef<Linear> forms, bool isLeast) {
  Linear result = ofFresh();
  unsigned variable = result.terms.begin()->first;
  SmallVector<Linear> sides[2]; // of all forms together, of each
  for (auto [number, form] : llvm::enumerate(forms)) {
    SmallVector<Linear> mine[2] = {{form}, {form}};
    if (form.terms.size() == 1 && form.terms.begin()->second == 1) {
      const Variable &inner = variables[form.terms.begin()->first];
      for (bool isAbove : {false, true})
        for (Linear bound : isAbove ? inner.above : inner.below) {
          bound.constant += form.constant;
          mine[isAbove].push_back(bound);
        }
    }
    llvm::append_range(sides[0], mine[isLeast]);
    if (number == 0) {
      sides[1] = mine[!isLeast];
      continue;
    }
    // Of two numbers the one that says less holds of both.
    SmallVector<Linear> both;
    for (const Linear &bound : sides[1])
      for (const Linear &other : mine[!isLeast]) {
        if (bound == other)
          both.push_back(bound);
        else if (bound.terms.empty() && other.terms.empty())
          both.push_back(isLeast == (bound.constant < other.constant) ? bound
                                                                      : other);
      }
    sides[1] = both;
  }
  for (auto &side : sides) {
    SmallVector<Linear> different;
    for (const Linear &bound : side)
      if (!llvm::is_contained(different, bound))
        different.push_back(bound);
    side = different;
  }
  Variable &mine = variables[variable];
  (isLeast ? mine.above : mine.below) = sides[0];
  (isLeast ? mine.below : mine.above) = sides[1];
  // What the forms are never above or below themselves is known of them.
  auto addFacts = [&](ArrayRef<Linear> bounds, bool isAbove) {
    for (const Linear &bound : bounds) {
      Linear fact;
      fact.add(bound, isAbove ? 1 : -1);
      fact.add(result, isAbove ? -1 : 1);
      mine.facts.push_back(fact);
    }
  };
  addFacts(forms, isLeast);
  addFacts(sides[1], !isLeast);
  return result;
}

Linear IndexSet::multiply(const Linear &form, unsigned symbol) {
  AffineExpr by = variables[symbol].symbol;
  Linear product;
  product.terms[symbol] = form.constant;
  if (form.constant == 0)
    product.terms.clear();
  for (auto [variable, coefficient] : form.terms) {
    if (AffineExpr mine = variables[variable].symbol) {
      product.add(ofSymbol(mine * by), coefficient);
      continue;
    }
    // (v * a) * b is v * (a * b).
    std::pair<unsigned, unsigned> factors{variable, symbol};
    if (auto inner = variables[variable].product)
      factors = {
          inner->first,
          ofSymbol(variables[inner->second].symbol * by).terms.begin()->first};
    auto it = products.find(factors);
    if (it == products.end()) {
      unsigned fresh = ofFresh().terms.begin()->first;
      variables[fresh].product = factors;
      it = products.insert({factors, fresh}).first;
    }
    product.add(ofVariable(it->second), coefficient);
  }
  return product;
}

Linear IndexSet::ofExpr(AffineExpr expr, unsigned numDims,
                        ArrayRef<Linear> operands) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return ofNumber(number.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto both = cast<AffineBinaryOpExpr>(expr);
  Linear left = ofExpr(both.getLHS(), numDims, operands);
  Linear right = ofExpr(both.getRHS(), numDims, operands);
  if (expr.getKind() == AffineExprKind::Add) {
    left.add(right, 1);
    return left;
  }
  if (expr.getKind() == AffineExprKind::Mul) {
    if (!right.terms.empty())
      std::swap(left, right);
    Linear product;
    if (right.terms.empty()) {
      product.add(left, right.constant);
      return product;
    }
    AffineExpr a = getExpr(left), b = getExpr(right);
    if (!b)
      std::swap(left, right), std::swap(a, b);
    if (!b)
      return ofFresh();
    return a ? ofSymbol(a * b)
             : multiply(left, ofSymbol(b).terms.begin()->first);
  }
  if (!right.terms.empty() || right.constant <= 0) {
    AffineExpr a = getExpr(left), b = getExpr(right);
    if (!a || !b)
      return ofFresh();
    return ofSymbol(getAffineBinaryOpExpr(expr.getKind(), a, b));
  }
  int64_t by = right.constant;
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return divide(left, by);
  if (expr.getKind() == AffineExprKind::CeilDiv) {
    left.constant += by - 1;
    return divide(left, by);
  }
  Linear quotient = divide(left, by); // the remainder
  left.add(quotient, -by);
  return left;
}

Linear IndexSet::compute(Value value) {
  if (auto number = getConstantIntValue(value))
    return ofNumber(*number);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (isa<kernel::LaunchOp>(parent) && value.getType().isIndex())
      return ofSymbol(
          getAffineSymbolExpr(argument.getArgNumber(), launch->getContext()));
    return ofFresh();
  }
  Operation *op = value.getDefiningOp();
  MLIRContext *context = launch->getContext();
  AffineExpr x = getAffineDimExpr(0, context), y = getAffineDimExpr(1, context);
  auto binary = [&](AffineExpr expr) {
    return ofExpr(expr, 2, {get(op->getOperand(0)), get(op->getOperand(1))});
  };
  auto map = [&](AffineMap map, ValueRange values) {
    SmallVector<Linear> operands, results;
    for (Value operand : values)
      operands.push_back(get(operand));
    for (AffineExpr result : map.getResults())
      results.push_back(ofExpr(result, map.getNumDims(), operands));
    return results;
  };
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return map(apply.getAffineMap(), apply.getMapOperands()).front();
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return ofExtremum(map(least.getMap(), least.getOperands()), true);
  if (auto most = dyn_cast<affine::AffineMaxOp>(op))
    return ofExtremum(map(most.getMap(), most.getOperands()), false);
  if (auto assume = dyn_cast<array::AssumeOp>(op))
    return get(assume.getValue());
  if (!value.getType().isIndex())
    return ofFresh();
  if (isa<arith::AddIOp>(op))
    return binary(x + y);
  if (isa<arith::SubIOp>(op))
    return binary(x - y);
  if (isa<arith::MulIOp>(op))
    return binary(x * y);
  if (isa<arith::RemUIOp>(op)) {
    // Of a power of two it is the same for negative numbers.
    auto by = getConstantIntValue(op->getOperand(1));
    return by && llvm::isPowerOf2_64(*by) ? binary(x % y) : ofFresh();
  }
  if (isa<arith::CeilDivSIOp>(op))
    return binary(x.ceilDiv(y));
  if (isa<arith::FloorDivSIOp>(op))
    return binary(x.floorDiv(y));
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return ofExtremum({get(op->getOperand(0)), get(op->getOperand(1))},
                      isa<arith::MinSIOp>(op));
  return ofFresh();
}

Linear IndexSet::get(Value value) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  Linear form = compute(value);
  known[value] = form;
  return form;
}

unsigned IndexSet::getVariable(Value value) {
  return get(value).terms.begin()->first;
}

//===----------------------------------------------------------------------===//
// What holds where an operation runs
//===----------------------------------------------------------------------===//

bool IndexSet::addCondition(Value condition, bool is,
                            SmallVectorImpl<Linear> &facts) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    if (!is)
      return false;
    bool left = addCondition(both.getLhs(), true, facts);
    return addCondition(both.getRhs(), true, facts) && left;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIndex())
    return false;
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  if (!is)
    predicate = arith::invertPredicate(predicate);
  Linear difference = get(compare.getRhs()); // right - left
  difference.add(get(compare.getLhs()), -1);
  Linear opposite;
  opposite.add(difference, -1);
  switch (predicate) {
  case Predicate::slt:
    --difference.constant;
    [[fallthrough]];
  case Predicate::sle:
    facts.push_back(difference);
    return true;
  case Predicate::sgt:
    --opposite.constant;
    [[fallthrough]];
  case Predicate::sge:
    facts.push_back(opposite);
    return true;
  case Predicate::eq:
    facts.push_back(difference);
    facts.push_back(opposite);
    return true;
  default:
    return false;
  }
}

/// What the iterations of a loop are less than, where there is one: the larger
/// of x and 0 is x then, and that of x and y is x where y is taken away.
void IndexSet::getEnds(Value extent, SmallVectorImpl<Linear> &ends) {
  if (auto least = extent.getDefiningOp<arith::MinSIOp>()) {
    getEnds(least.getLhs(), ends);
    getEnds(least.getRhs(), ends);
    return;
  }
  if (auto most = extent.getDefiningOp<arith::MaxSIOp>())
    if (auto number = getConstantIntValue(most.getRhs());
        number && *number <= 0)
      return getEnds(most.getLhs(), ends);
  if (auto rest = extent.getDefiningOp<arith::SubIOp>())
    if (auto most = rest.getLhs().getDefiningOp<arith::MaxSIOp>())
      for (auto [x, y] : {std::pair(most.getLhs(), most.getRhs()),
                          std::pair(most.getRhs(), most.getLhs())})
        if (y == rest.getRhs()) {
          size_t first = ends.size();
          getEnds(x, ends);
          for (Linear &end : llvm::drop_begin(ends, first))
            end.add(get(y), -1);
          return;
        }
  ends.push_back(get(extent));
}

Value IndexSet::getMask(Operation *op) {
  if (auto load = dyn_cast<kernel::LoadOp>(op))
    return load.getMask();
  auto store = dyn_cast<kernel::StoreOp>(op);
  return store ? store.getMask() : Value();
}

IndexSet::Context IndexSet::getContext(Operation *op) {
  Context context;
  auto between = [&](Value iv, const Linear &from, const Linear &to) {
    Linear least = get(iv), most = to;
    least.add(from, -1);
    most.add(get(iv), -1);
    --most.constant;
    context.facts.push_back(least);
    context.facts.push_back(most);
  };
  if (Value mask = getMask(op);
      mask && !addCondition(mask, true, context.facts))
    context.isPartial = true;
  for (Operation *inner = op; inner != launch; inner = inner->getParentOp()) {
    Operation *parent = inner->getParentOp();
    if (auto loop = dyn_cast<kernel::ForOp>(parent)) {
      if (loop == cut) {
        MLIRContext *mlir = launch->getContext();
        between(loop.getInductionVar(), ofSymbol(getAffineDimExpr(0, mlir)),
                ofSymbol(getAffineDimExpr(1, mlir)));
        continue;
      }
      OpFoldResult extent = loop.getMixedExtent();
      if (auto number = getConstantIntValue(extent)) {
        between(loop.getInductionVar(), ofNumber(0), ofNumber(*number));
        continue;
      }
      SmallVector<Linear> ends;
      getEnds(cast<Value>(extent), ends);
      for (const Linear &end : ends)
        between(loop.getInductionVar(), ofNumber(0), end);
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      auto step = getConstantIntValue(loop.getStep());
      if (step && *step > 0)
        between(loop.getInductionVar(), get(loop.getLowerBound()),
                get(loop.getUpperBound()));
      context.isPartial = true;
    } else if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      bool isThen = inner->getParentRegion() == &branch.getThenRegion();
      if (!addCondition(branch.getCondition(), isThen, context.facts))
        context.isPartial = true;
    } else if (!isa<kernel::LaunchOp>(parent)) {
      context.isPartial = true;
    }
  }
  return context;
}
