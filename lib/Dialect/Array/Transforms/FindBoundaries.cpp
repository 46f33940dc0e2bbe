//===- FindBoundaries.cpp - Boundaries that are written as arithmetic -----===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A neighbour on a ring is written as `a[(i + 1) % n]`, one that stays at
// the edge as `a[max(i - 1, 0)]`. As boundaries these are what every later pass
// knows: that no division is needed inside, how far a halo goes, which reads
// lie next to each other.
//
// Before   %k = remsi (%i + 1), %n            array.at %a[%k] inbounds
// After    %e = array.extend %a [wrap]        array.at %e[%i + 1] inbounds
//
// Legal, as the read is known to be inside: of all numbers that are congruent
// to x modulo the size one is inside, and it is what x wraps to, whatever sums
// and selections make it; and what is at most the last index, or at least 0,
// is what a clamp gives. Multiples of the size are left out of x where it
// cannot overflow: `(i + n - 1) % n` is next to i.
//
//===----------------------------------------------------------------------===//

#include "IndexProver.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/Divisors.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace arrc::array {
#define GEN_PASS_DEF_FINDBOUNDARIESPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// What an index is
//===----------------------------------------------------------------------===//

namespace {
/// An index into a dimension of some size, which is known to be inside.
class InsideIndex {
public:
  InsideIndex(RewriterBase &rewriter, Location loc, OpFoldResult size,
              const IndexProver &prover)
      : rewriter(rewriter), loc(loc), size(LinearIndex::ofSize(size)),
        prover(prover) {}

  /// What wraps to `index`; null if that is not to be seen.
  Value getWrapped(Value index);
  /// What is clamped to `index`; null if that is not to be seen.
  Value getClamped(Value index);
  /// `value` as an index, by a linear form where it is one; with `wraps` the
  /// nearest that wraps to the same element.
  Value compose(Value value, bool wraps);

private:
  bool isSize(Value value) const { return LinearIndex(value) == size; }
  Value peelDivisor(Value divisor) const;
  Value getWrapped(affine::AffineApplyOp apply);

  RewriterBase &rewriter;
  Location loc;
  LinearIndex size;
  const IndexProver &prover;
};
} // namespace

/// The size that stands for itself but for divisors of 0 and -1, which no
/// dimension with an element has as its size.
Value InsideIndex::peelDivisor(Value divisor) const {
  while (auto choice = divisor.getDefiningOp<arith::SelectOp>()) {
    auto compare = choice.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare)
      break;
    std::optional<int64_t> with = getConstantIntValue(compare.getRhs());
    bool equal = compare.getPredicate() == arith::CmpIPredicate::eq;
    if ((!equal && compare.getPredicate() != arith::CmpIPredicate::ne) ||
        !with || *with > 0 || !isSize(peelDivisor(compare.getLhs())))
      break;
    divisor = equal ? choice.getFalseValue() : choice.getTrueValue();
  }
  return divisor;
}

/// `(d0 + s0) mod 8` and `d0 - ((d0 + 3) floordiv 8) * 8 + 3`, for a size of 8.
Value InsideIndex::getWrapped(affine::AffineApplyOp apply) {
  if (!size.getTerms().empty())
    return {};
  AffineMap map = apply.getAffineMap();
  AffineExpr whole = map.getResult(0), found;
  whole.walk([&](AffineExpr expr) {
    auto parts = dyn_cast<AffineBinaryOpExpr>(expr);
    auto by = parts ? dyn_cast<AffineConstantExpr>(parts.getRHS()) : nullptr;
    if (!by || by.getValue() != size.getConstant())
      return;
    if (expr.getKind() == AffineExprKind::Mod && expr == whole)
      found = parts.getLHS();
    if (expr.getKind() == AffineExprKind::FloorDiv &&
        simplifyAffineExpr(whole + expr * by.getValue() - parts.getLHS(),
                           map.getNumDims(), map.getNumSymbols()) == 0)
      found = parts.getLHS();
  });
  if (!found)
    return {};
  return affine::AffineApplyOp::create(
      rewriter, loc,
      AffineMap::get(map.getNumDims(), map.getNumSymbols(), found),
      apply.getMapOperands());
}

Value InsideIndex::getWrapped(Value index) {
  index = skipCasts(index);
  if (auto rest = index.getDefiningOp<arith::RemSIOp>())
    return isSize(peelDivisor(rest.getRhs())) ? rest.getLhs() : Value();
  if (auto sum = index.getDefiningOp<arith::AddIOp>()) {
    if (isSize(peelDivisor(sum.getRhs())))
      return getWrapped(sum.getLhs());
    return isSize(peelDivisor(sum.getLhs())) ? getWrapped(sum.getRhs())
                                             : Value();
  }
  if (auto choice = index.getDefiningOp<arith::SelectOp>()) {
    Value yes = getWrapped(choice.getTrueValue());
    return yes && yes == getWrapped(choice.getFalseValue()) ? yes : Value();
  }
  auto apply = index.getDefiningOp<affine::AffineApplyOp>();
  return apply ? getWrapped(apply) : Value();
}

Value InsideIndex::getClamped(Value index) {
  LinearIndex last = size;
  last.add(LinearIndex(1), -1);
  // The other operand of a bound by `limit`.
  auto peel = [](auto op, const LinearIndex &limit) -> Value {
    if (!op)
      return {};
    if (LinearIndex(op.getRhs()) == limit)
      return op.getLhs();
    return LinearIndex(op.getLhs()) == limit ? op.getRhs() : Value();
  };
  auto peelBelow = [&](Value value) {
    return peel(skipCasts(value).getDefiningOp<arith::MaxSIOp>(),
                LinearIndex(0));
  };
  auto peelAbove = [&](Value value) {
    return peel(skipCasts(value).getDefiningOp<arith::MinSIOp>(), last);
  };
  if (Value inner = peelBelow(index)) {
    Value both = peelAbove(inner);
    return both ? both : inner;
  }
  if (Value inner = peelAbove(index)) {
    Value both = peelBelow(inner);
    return both ? both : inner;
  }
  return {};
}

static Value castToIndex(RewriterBase &rewriter, Location loc, Value value) {
  if (value.getType().isIndex())
    return value;
  return arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                    value);
}

Value InsideIndex::compose(Value value, bool wraps) {
  LinearIndex form = prover.getForm(value);
  bool isConstant = size.getTerms().empty();
  if (wraps && !isConstant && size.getTerms().size() == 1 &&
      !size.getConstant() && size.getTerms().front().second == 1)
    form.add(size, -form.getCoefficient(size.getTerms().front().first));
  int64_t number = form.getConstant(), period = size.getConstant();
  // The nearest of those that are the same.
  if (wraps && isConstant && period > 0) {
    number = llvm::mod(number, period);
    number -= number > period / 2 ? period : 0;
  }
  AffineExpr sum = rewriter.getAffineConstantExpr(number);
  SmallVector<OpFoldResult> operands;
  for (auto [term, factor] : form.getTerms()) {
    sum = sum + rewriter.getAffineDimExpr(operands.size()) * factor;
    operands.push_back(castToIndex(rewriter, loc, term));
  }
  return getValueOrCreateConstantIndexOp(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(operands.size(), 0, sum), operands));
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// `array` with `mode` in dimension `dim`, whatever it was.
static Value extendIn(RewriterBase &rewriter, Location loc, Value array,
                      unsigned dim, BoundaryMode mode) {
  auto rank = cast<RankedTensorType>(array.getType()).getRank();
  SmallVector<BoundaryMode> modes(rank, BoundaryMode::None);
  SmallVector<Value> fills;
  if (auto extend = array.getDefiningOp<ExtendOp>()) {
    array = extend.getSource();
    modes = extend.getModeList();
    for (unsigned d = 0; d < rank; ++d)
      if (d != dim && modes[d] == BoundaryMode::Fill)
        fills.push_back(extend.getFill(d));
  }
  modes[dim] = mode;
  return ExtendOp::create(rewriter, loc, array, modes, fills);
}

/// Returns whether there was one.
static bool findBoundaries(RewriterBase &rewriter, const IndexProver &prover,
                           AtOp at) {
  Location loc = at.getLoc();
  rewriter.setInsertionPoint(at);
  bool isFound = false;
  for (unsigned dim = 0; dim < at.getIndices().size(); ++dim) {
    Value array = at.getSource(), index = at.getIndices()[dim];
    OpFoldResult size = getKnownSize(array, dim);
    if (!size)
      continue;
    InsideIndex inside(rewriter, loc, size, prover);
    BoundaryMode mode = BoundaryMode::Wrap;
    Value free = inside.getWrapped(index);
    if (!free) {
      mode = BoundaryMode::Clamp;
      free = inside.getClamped(index);
    }
    if (!free)
      continue;
    free = inside.compose(free, mode == BoundaryMode::Wrap);
    Value extended = extendIn(rewriter, loc, array, dim, mode);
    rewriter.modifyOpInPlace(at, [&] {
      at.getSourceMutable().assign(extended);
      at.getIndicesMutable()[dim].assign(free);
    });
    isFound = true;
  }
  return isFound;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct FindBoundariesPass
    : arrc::array::impl::FindBoundariesPassBase<FindBoundariesPass> {
  void runOnOperation() override {
    SmallVector<AtOp> reads;
    getOperation().walk([&](AtOp at) {
      if (at.getInbounds() && at->getParentOfType<IndexSpaceOpInterface>())
        reads.push_back(at);
    });
    IRRewriter rewriter(&getContext());
    IndexProver prover(getOperation());
    bool isFound = false;
    for (AtOp at : reads)
      isFound |= findBoundaries(rewriter, prover, at);
    // What the indices were is no work of the bodies.
    if (isFound)
      (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }
};
} // namespace
