//===- DistinctReads.cpp - Whether elements are read once -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Two reads meet where their subscripts are equal at two points of the loops
// around them. Of these points only linear facts are used: indices lie in their
// ranges, and a read meets itself at another point if some index is less there.
// A system that has no solution in rationals, or none by divisors, has none; an
// index that must be equal at both points helps with the next one.
// What is not linear leaves the question open, and the answer is no: it only
// decides what pays.
//
//===----------------------------------------------------------------------===//

#include "DistinctReads.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// More reads than that are not compared pair by pair.
static constexpr size_t kMaxReads = 16;

namespace {
/// A loop between a producer and a read.
struct AroundLoop {
  Value index;
  /// The range of the index, where it is known.
  std::optional<LinearIndex> begin, end;
};

/// The loops around a read.
struct Around {
  /// Those of more than one iteration.
  SmallVector<AroundLoop> loops;
  /// The outermost operation around the read in the producer's block, or below.
  Operation *scope = nullptr;
  /// Some loop repeats the read in an unknown way.
  bool unknown = false;
};
} // namespace

static Around findAround(Operation *producer, Operation *place) {
  Around around;
  for (Operation *op = place->getParentOp(); op && !op->isAncestor(producer);
       op = op->getParentOp()) {
    around.scope = op;
    if (auto space = dyn_cast<IndexSpaceOpInterface>(op)) {
      for (auto [index, extent] :
           llvm::zip(space.getIndices(), space.getMixedExtents()))
        if (getConstantIntValue(extent) != 1)
          around.loops.push_back(
              {index, LinearIndex(0), LinearIndex::ofSize(extent)});
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      around.loops.push_back({loop.getInductionVar(),
                              LinearIndex(loop.getLowerBound()),
                              LinearIndex(loop.getUpperBound())});
    } else if (isa<LoopLikeOpInterface>(op)) {
      around.unknown = true;
    }
  }
  return around;
}

/// Whether `value` is the same for all points of the loops inside of `scope`.
static bool isDefinedOutside(Value value, Operation *scope) {
  return !scope->isAncestor(value.getParentRegion()->getParentOp());
}

static bool isLoopIndex(const Around &around, Value value) {
  return llvm::any_of(around.loops, [&](const AroundLoop &loop) {
    return loop.index == value;
  });
}

bool arrc::array::decidesOwnElement(Operation *producer,
                                    const PlacedRead &read) {
  Around around = findAround(producer, read.place);
  if (around.unknown)
    return false;
  llvm::SmallPtrSet<Value, 4> decided;
  for (const LinearIndex &subscript : read.point) {
    Value only;
    unsigned count = 0;
    for (const LinearIndex::Term &term : subscript.getTerms()) {
      if (isLoopIndex(around, term.first)) {
        only = term.first;
        ++count;
      } else if (!isDefinedOutside(term.first, around.scope)) {
        count = 2; // computed from who knows what
      }
    }
    if (count == 1)
      decided.insert(only);
  }
  return llvm::all_of(around.loops, [&](const AroundLoop &loop) {
    return decided.contains(loop.index);
  });
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

namespace {
/// The points at which two reads meet. Each has indices of its own, also where
/// both stand below one loop.
class Meeting {
public:
  Meeting(const Around &a, const Around &b)
      : sides{&a, &b}, context(a.scope->getContext()) {}

  /// Both subscripts are equal. False if they are not linear.
  bool equate(const LinearIndex &a, const LinearIndex &b) {
    Row row;
    if (!add(row, a, 0, 1) || !add(row, b, 1, -1))
      return false;
    equalities.push_back(row);
    return true;
  }

  /// The index of `loop` is less on the left than on the right.
  void require(const AroundLoop &loop) {
    Row row;
    add(row, LinearIndex::ofValue(loop.index), 1, 1);
    add(row, LinearIndex::ofValue(loop.index), 0, -1);
    row.constant -= 1;
    inequalities.push_back(row);
  }

  /// All indices are in their ranges, as far as these are linear.
  void bound() {
    for (unsigned side : {0, 1})
      for (const AroundLoop &loop : sides[side]->loops) {
        LinearIndex index = LinearIndex::ofValue(loop.index);
        Row low, high;
        if (loop.begin && add(low, index, side, 1) &&
            add(low, *loop.begin, side, -1))
          inequalities.push_back(low);
        if (loop.end && add(high, *loop.end, side, 1) &&
            add(high, index, side, -1)) {
          high.constant -= 1;
          inequalities.push_back(high);
        }
      }
  }

  bool isImpossible() const {
    using namespace mlir::presburger;
    IntegerPolyhedron system(PresburgerSpace::getSetSpace(variables.size()));
    auto getCoefficients = [&](const Row &row) {
      SmallVector<int64_t> numbers(variables.size() + 1, 0);
      for (auto [variable, factor] : row.factors)
        numbers[variable] += factor;
      numbers.back() = row.constant;
      return numbers;
    };
    for (const Row &row : equalities)
      system.addEquality(getCoefficients(row));
    for (const Row &row : inequalities)
      system.addInequality(getCoefficients(row));
    return system.isEmptyByGCDTest() || Simplex(system).isEmpty();
  }

private:
  struct Row {
    SmallVector<std::pair<unsigned, int64_t>> factors;
    int64_t constant = 0;
  };

  /// Adds `form` on a side; false if it holds a value that differs between
  /// points in an unknown way.
  bool add(Row &row, const LinearIndex &form, unsigned side, int64_t factor) {
    AffineExpr expr = expand(form, side);
    if (!expr)
      return false;
    addParts(row, simplifyAffineExpr(expr, 0, leaves.size()), factor);
    return true;
  }

  /// The parts of a sum, each a variable times a number. What is divided is a
  /// variable by itself.
  void addParts(Row &row, AffineExpr expr, int64_t factor) {
    if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
      row.constant += number.getValue() * factor;
      return;
    }
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
      if (expr.getKind() == AffineExprKind::Add) {
        addParts(row, binary.getLHS(), factor);
        addParts(row, binary.getRHS(), factor);
        return;
      }
      auto number = dyn_cast<AffineConstantExpr>(binary.getRHS());
      if (expr.getKind() == AffineExprKind::Mul && number) {
        addParts(row, binary.getLHS(), factor * number.getValue());
        return;
      }
    }
    auto *known = llvm::find(variables, expr);
    unsigned number = known - variables.begin();
    if (known == variables.end())
      variables.push_back(expr);
    row.factors.emplace_back(number, factor);
  }

  AffineExpr expand(const LinearIndex &form, unsigned side) {
    AffineExpr sum = getAffineConstantExpr(form.getConstant(), context);
    for (const LinearIndex::Term &term : form.getTerms()) {
      AffineExpr value = expand(term.first, side);
      if (!value)
        return {};
      sum = sum + value * term.second;
    }
    return sum;
  }

  AffineExpr expand(Value value, unsigned side) {
    bool own = isLoopIndex(*sides[side], value);
    if (auto apply = value.getDefiningOp<affine::AffineApplyOp>()) {
      SmallVector<AffineExpr> operands;
      for (Value operand : apply.getMapOperands()) {
        operands.push_back(expand(LinearIndex(operand), side));
        if (!operands.back())
          return {};
      }
      AffineMap map = apply.getAffineMap();
      return map.getResult(0).replaceDimsAndSymbols(
          ArrayRef(operands).take_front(map.getNumDims()),
          ArrayRef(operands).drop_front(map.getNumDims()));
    }
    if (!own && !isDefinedOutside(value, sides[side]->scope))
      return {};
    // What comes from outside of the loops is one value for both.
    std::pair<Value, unsigned> leaf(value, own ? side : 2);
    auto *known = llvm::find(leaves, leaf);
    unsigned number = known - leaves.begin();
    if (known == leaves.end())
      leaves.push_back(leaf);
    return getAffineSymbolExpr(number, context);
  }

  const Around *sides[2];
  MLIRContext *context;
  /// Values, each with the side whose it is.
  SmallVector<std::pair<Value, unsigned>> leaves;
  /// Values and their quotients and remainders, over the leaves.
  SmallVector<AffineExpr> variables;
  SmallVector<Row> equalities, inequalities;
};
} // namespace

/// Whether the reads surely never meet at one element.
static bool neverMeet(const PlacedRead &a, const Around &aroundA,
                      const PlacedRead &b, const Around &aroundB) {
  Meeting meeting(aroundA, aroundB);
  for (auto [x, y] : llvm::zip_equal(a.point, b.point))
    if (!meeting.equate(x, y))
      return false;
  meeting.bound();
  return meeting.isImpossible();
}

/// Whether the read surely meets no element at two points: no index can be less
/// at one of them, when those that are known to be equal are.
static bool neverMeetsItself(const PlacedRead &read, const Around &around) {
  llvm::SmallPtrSet<Value, 4> equal;
  for (bool changed = true; changed;) {
    changed = false;
    for (const AroundLoop &loop : around.loops) {
      if (equal.contains(loop.index))
        continue;
      Meeting meeting(around, around);
      for (const LinearIndex &subscript : read.point)
        if (!meeting.equate(subscript, subscript))
          return false;
      meeting.bound();
      for (Value index : equal)
        meeting.equate(LinearIndex::ofValue(index),
                       LinearIndex::ofValue(index));
      meeting.require(loop);
      if (meeting.isImpossible())
        changed = equal.insert(loop.index).second;
    }
  }
  return equal.size() == around.loops.size();
}

/// Whether both reads are of the same elements in maps side by side, which
/// become one loop, and not of the element that each map makes: arrays that are
/// made and read in one order pass through registers then.
static bool areTwins(const PlacedRead &a, const Around &aroundA,
                     const PlacedRead &b, const Around &aroundB) {
  auto first = dyn_cast<IndexSpaceOpInterface>(aroundA.scope);
  auto second = dyn_cast<IndexSpaceOpInterface>(aroundB.scope);
  if (!first || !second || first == second || !isa<MapOp, StencilOp>(*first) ||
      !isa<MapOp, StencilOp>(*second) ||
      first->getBlock() != second->getBlock() ||
      a.place->getParentOp() != first || b.place->getParentOp() != second ||
      first.getMixedExtents() != second.getMixedExtents())
    return false;
  bool own = a.point.size() == first.getNumIndices();
  for (auto [d, form] : llvm::enumerate(a.point)) {
    own = own && form == LinearIndex::ofValue(first.getIndices()[d]);
    LinearIndex renamed = form;
    for (auto [from, to] : llvm::zip(first.getIndices(), second.getIndices()))
      renamed = renamed.replace(from, to);
    if (renamed != b.point[d])
      return false;
  }
  return !own;
}

bool arrc::array::areDistinct(Operation *producer, ArrayRef<PlacedRead> reads) {
  if (reads.size() > kMaxReads)
    return false;
  SmallVector<Around> arounds;
  for (const PlacedRead &read : reads) {
    arounds.push_back(findAround(producer, read.place));
    if (arounds.back().unknown || !arounds.back().scope)
      return false;
  }
  // Different reads first: where there are many, two of them mostly meet.
  for (size_t i = 0; i < reads.size(); ++i)
    for (size_t j = i + 1; j < reads.size(); ++j)
      if (!areTwins(reads[i], arounds[i], reads[j], arounds[j]) &&
          !neverMeet(reads[i], arounds[i], reads[j], arounds[j]))
        return false;
  return llvm::all_of(llvm::zip(reads, arounds), [](auto pair) {
    return neverMeetsItself(std::get<0>(pair), std::get<1>(pair));
  });
}
