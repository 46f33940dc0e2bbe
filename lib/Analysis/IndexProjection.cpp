//===- IndexProjection.cpp - Where the indices of a set lie ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The interval of an index: of the polyhedron of all that holds where it is
// used everything but the index is projected out, by Fourier and Motzkin; what
// is left are its ends, in the sizes of the launch.
//
//===----------------------------------------------------------------------===//

#include "IndexSet.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace arrc;
using Linear = IndexSet::Linear;

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
