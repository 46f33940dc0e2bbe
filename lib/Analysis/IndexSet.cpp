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

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

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

static Value getMask(Operation *op) {
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

//===----------------------------------------------------------------------===//
// Projection
//===----------------------------------------------------------------------===//

/// Keeps ends that say most: those of the part, then those of sizes.
static void keepFew(SmallVectorImpl<Bound> &bounds) {
  constexpr size_t most = 4;
  llvm::SmallVector<Bound> all(bounds.begin(), bounds.end());
  bounds.clear();
  for (const Bound &bound : all)
    if (!llvm::is_contained(bounds, bound))
      bounds.push_back(bound);
  if (bounds.size() <= most)
    return;
  llvm::stable_sort(bounds, [](const Bound &a, const Bound &b) {
    auto rank = [](AffineExpr expr) {
      return expr.isFunctionOfDim(0) || expr.isFunctionOfDim(1) ? 0 : 1;
    };
    return rank(a.expr) < rank(b.expr);
  });
  bounds.resize(most);
}

/// Takes the variables from column 1 on out of a set, those first that leave
/// the fewest inequalities: each pair of a lower and an upper end is one. Of
/// many those of the index and the simplest are kept, and the set is larger
/// than it need be.
static void projectOut(presburger::IntegerPolyhedron &set, unsigned count) {
  constexpr size_t most = 8;
  auto getEnds = [&](unsigned column, bool isLower) {
    SmallVector<unsigned> ends;
    for (unsigned i = 0; i < set.getNumInequalities(); ++i)
      if (int64_t factor = set.atIneq64(i, column);
          factor != 0 && (factor > 0) == isLower)
        ends.push_back(i);
    return ends;
  };
  for (; count > 0; --count) {
    set.removeTrivialRedundancy();
    auto isEqual = [&](unsigned column) {
      for (unsigned i = 0; i < set.getNumEqualities(); ++i)
        if (set.atEq64(i, column) != 0)
          return true;
      return false;
    };
    auto getGrowth = [&](unsigned column) {
      return isEqual(column)
                 ? 0
                 : getEnds(column, true).size() * getEnds(column, false).size();
    };
    unsigned best = 1;
    size_t least = getGrowth(best);
    for (unsigned column = 2; column <= count && least > 0; ++column)
      if (size_t growth = getGrowth(column); growth < least)
        best = column, least = growth;
    if (!isEqual(best)) {
      SmallVector<unsigned> dropped;
      for (bool isLower : {false, true}) {
        SmallVector<unsigned> ends = getEnds(best, isLower);
        auto getTerms = [&](unsigned row) {
          SmallVector<int64_t> factors =
              llvm::to_vector(set.getInequality64(row));
          return factors[0] != 0 ? 0
                                 : llvm::count_if(factors, [](int64_t factor) {
                                     return factor != 0;
                                   });
        };
        llvm::stable_sort(ends, [&](unsigned a, unsigned b) {
          return getTerms(a) < getTerms(b);
        });
        if (ends.size() > most)
          dropped.append(ends.begin() + most, ends.end());
      }
      llvm::sort(dropped, std::greater<unsigned>());
      for (unsigned row : dropped)
        set.removeInequality(row);
    }
    set.projectOut(best);
  }
}

bool IndexSet::isNotNegative(unsigned symbol, Operation *op) {
  AffineExpr expr = variables[symbol].symbol;
  auto isSize = [&](AffineExpr part) {
    auto argument = dyn_cast<AffineSymbolExpr>(part);
    if (!argument)
      return false;
    Value value = launch.getArgument(argument.getPosition());
    return llvm::any_of(launch.getBodyBlock()->getArguments(),
                        [&](BlockArgument array) {
                          auto type = dyn_cast<MemRefType>(array.getType());
                          for (int64_t d = 0; type && d < type.getRank(); ++d)
                            if (launch.getSize(array, d) == OpFoldResult(value))
                              return true;
                          return false;
                        });
  };
  // A loop that runs has iterations.
  auto isExtent = [&](AffineExpr part) {
    for (Operation *parent = op->getParentOp(); parent != launch;
         parent = parent->getParentOp())
      if (auto loop = dyn_cast<kernel::ForOp>(parent))
        if (auto extent = dyn_cast<Value>(loop.getMixedExtent()))
          if (getExpr(get(extent)) == part)
            return true;
    return false;
  };
  auto isNone = [&](auto &&isNone, AffineExpr part) -> bool {
    if (auto number = dyn_cast<AffineConstantExpr>(part))
      return number.getValue() >= 0;
    if (isSize(part) || isExtent(part))
      return true;
    auto both = dyn_cast<AffineBinaryOpExpr>(part);
    return both && isNone(isNone, both.getLHS()) &&
           isNone(isNone, both.getRHS());
  };
  return isNone(isNone, expr);
}

void IndexSet::addProductFacts(unsigned variable, Operation *op,
                               ArrayRef<Linear> facts,
                               SmallVectorImpl<Linear> &all) {
  auto [factor, symbol] = *variables[variable].product;
  if (!isNotNegative(symbol, op))
    return;
  SmallVector<Linear> known(variables[factor].facts);
  llvm::append_range(known, facts);
  for (const Linear &fact : known) {
    // Of one variable alone: else there would be ever more products.
    bool isAlone = fact.terms.contains(factor) &&
                   llvm::count_if(fact.terms, [&](auto term) {
                     return !variables[term.first].symbol;
                   }) == 1;
    if (isAlone)
      all.push_back(multiply(fact, symbol));
  }
}

Interval IndexSet::getInterval(const Linear &index, Operation *op) {
  // Accesses beside each other have many indices that differ by a number.
  Linear form = index;
  form.constant = 0;
  auto &list = intervals[{op->getBlock(), getMask(op)}];
  auto *it =
      llvm::find_if(list, [&](auto &known) { return known.first == form; });
  if (it == list.end()) {
    list.push_back({form, findInterval(form, op)});
    it = &list.back();
  }
  Interval interval = it->second;
  for (auto *bounds : {&interval.lowers, &interval.uppers})
    for (Bound &bound : *bounds)
      bound.constant += index.constant;
  return interval;
}

/// What the host knows a scalar argument of the launch to be a multiple of.
static int64_t getDivisor(kernel::LaunchOp launch, AffineExpr symbol) {
  auto argument = dyn_cast_if_present<AffineSymbolExpr>(symbol);
  if (!argument)
    return 1;
  int64_t divisor = 1;
  Value value =
      launch.getOperandOf(launch.getArgument(argument.getPosition())).get();
  while (auto assume = value.getDefiningOp<array::AssumeOp>()) {
    divisor = std::lcm(divisor, int64_t(assume.getMultiple().value_or(1)));
    value = assume.getValue();
  }
  return divisor;
}

/// Divides an inequality of whole numbers by what all its factors share.
static void tighten(MutableArrayRef<int64_t> row) {
  int64_t by = 0;
  for (int64_t factor : row.drop_back())
    by = std::gcd(by, factor);
  if (by <= 1)
    return;
  for (int64_t &factor : row.drop_back())
    factor /= by;
  row.back() = llvm::divideFloorSigned(row.back(), by);
}

Interval IndexSet::findInterval(const Linear &index, Operation *op) {
  SmallVector<Linear> context = getContext(op).facts, all = context, facts;
  // What is said of the variables that occur, until there is nothing new.
  llvm::SetVector<unsigned> used;
  auto use = [&](const Linear &form) {
    for (auto [variable, coefficient] : form.terms)
      used.insert(variable);
  };
  use(index);
  for (size_t i = 0; i < used.size(); ++i) {
    if (variables[used[i]].symbol)
      continue;
    llvm::append_range(all, variables[used[i]].facts);
    if (variables[used[i]].product)
      addProductFacts(used[i], op, context, all);
    llvm::erase_if(all, [&](const Linear &fact) {
      if (!fact.terms.contains(used[i]))
        return false;
      facts.push_back(fact);
      use(fact);
      return true;
    });
  }
  // Columns: the index, variables, symbols, 1.
  llvm::DenseMap<unsigned, unsigned> column;
  unsigned count = 1;
  for (bool isSymbol : {false, true})
    for (unsigned variable : used)
      if (bool(variables[variable].symbol) == isSymbol)
        column[variable] = count++;
  unsigned numVariables = llvm::count_if(
      used, [&](unsigned variable) { return !variables[variable].symbol; });
  presburger::IntegerPolyhedron set(presburger::PresburgerSpace::getSetSpace(
      1 + numVariables, count - 1 - numVariables));
  SmallVector<int64_t> units(count, 1);
  for (auto [variable, place] : column)
    units[place] = getDivisor(launch, variables[variable].symbol);
  auto row = [&](const Linear &form, int64_t first) {
    SmallVector<int64_t> row(count + 1, 0);
    row[0] = first;
    for (auto [variable, coefficient] : form.terms) {
      unsigned place = column[variable];
      row[place] = coefficient * units[place];
    }
    row[count] = form.constant;
    return row;
  };
  set.addEquality(row(index, -1));
  for (const Linear &fact : facts) {
    SmallVector<int64_t> inequality = row(fact, 0);
    tighten(inequality);
    set.addInequality(inequality);
  }
  projectOut(set, numVariables);

  Interval interval;
  SmallVector<AffineExpr> symbolOf;
  for (unsigned variable : used)
    if (variables[variable].symbol)
      symbolOf.push_back(variables[variable].symbol);
  auto symbolUnits = ArrayRef(units).drop_front(1 + numVariables);
  MLIRContext *mlir = launch->getContext();
  auto read = [&](ArrayRef<int64_t> row) {
    if (row[0] == 0)
      return;
    int64_t by = std::abs(row[0]);
    AffineExpr rest = getAffineConstantExpr(0, mlir);
    for (auto [position, symbol] : llvm::enumerate(symbolOf)) {
      int64_t factor = row[1 + position], unit = symbolUnits[position];
      rest = rest + (factor % unit == 0 ? symbol * (factor / unit)
                                        : symbol.floorDiv(unit) * factor);
    }
    int64_t constant = row.back();
    Bound bound;
    if (row[0] > 0) { // by * index + rest >= 0
      bound.expr = by == 1 ? rest * -1 : (rest * -1 - constant).ceilDiv(by);
      bound.constant = by == 1 ? -constant : 0;
      interval.lowers.push_back(bound);
      return;
    }
    bound.expr = by == 1 ? rest : (rest + constant).floorDiv(by);
    bound.constant = (by == 1 ? constant : 0) + 1;
    interval.uppers.push_back(bound);
  };
  for (unsigned i = 0; i < set.getNumInequalities(); ++i)
    read(set.getInequality64(i));
  for (unsigned i = 0; i < set.getNumEqualities(); ++i) {
    SmallVector<int64_t> equal = llvm::to_vector(set.getEquality64(i));
    read(equal);
    for (int64_t &number : equal)
      number = -number;
    read(equal);
  }
  keepFew(interval.lowers);
  keepFew(interval.uppers);
  return interval;
}
