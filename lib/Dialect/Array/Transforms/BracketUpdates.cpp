//===- BracketUpdates.cpp - Histograms of floats in a fixed order ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Part of arr-bracket-folds. A histogram whose operator rounds gets copies of
// the bins: each takes in a range of the points, one by one, and the copies are
// folded in order.
//
// Before   %h = array.scatter (%i) in (%n) into (%h0) { .. at [%b] } by addf
// After    %p = array.map (%r) in (%ranges) {
//            %u = array.map (%b) in (%bins) { %h0[%b] }
//            for %i of range %r { %u[%b] = %u[%b] by .. } }
//          %h = array.map (%b) in (%bins) { fold in order over %r: %p[%r, %b] }
//
// How many ranges there are follows from the numbers of points and of bins: up
// to 256, of 4096 points or more, and of as many points as there are bins. In
// bodies there is one.
//
// Sums of f32 outside of bodies stay: every target adds them up as integers,
// exactly, so that no order has to be kept.
//
//===----------------------------------------------------------------------===//

#include "BracketFolds.h"
#include "UnrollPatterns.h"

#include "arrc/Dialect/Array/IR/WrittenSchedule.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

bool FoldBracketer::isExactUpdate() {
  if (isInBody(op) || hasWrittenSchedule(op))
    return false;
  SmallVector<Operation *> operators = getCombinerOps(combiner);
  return operators.size() == count &&
         llvm::all_of(operators, [](Operation *inner) {
           Type type = inner->getResult(0).getType();
           return isa<IntegerType, IndexType>(type) ||
                  isa<arith::MaximumFOp, arith::MinimumFOp>(inner) ||
                  (isa<arith::AddFOp>(inner) && type.isF32());
         });
}

/// Ranges of a histogram, and the fewest points of one.
static constexpr int64_t kMostRanges = 256, kRangePoints = 4096;

static constexpr char kOutside[] =
    "index {0} is outside of a dimension of size {1}";

void FoldBracketer::findBinSizes() {
  auto type = cast<RankedTensorType>(init.front().getType());
  for (int64_t d = 0; d < type.getRank(); ++d)
    binSizes.push_back(getOrCreateSize(b, loc, init.front(), d));
}

/// The arrays with sizes that are known to be those of the bins: what a loop
/// carries tells none.
SmallVector<Value> FoldBracketer::bindBins(ValueRange arrays) {
  SmallVector<Value> bound;
  for (Value array : arrays) {
    auto type = cast<RankedTensorType>(array.getType());
    SmallVector<OpFoldResult> sizes;
    for (auto [d, size] : llvm::enumerate(binSizes))
      sizes.push_back(type.isDynamicDim(d)
                          ? OpFoldResult(toValue(size))
                          : b.getIndexAttr(type.getDimSize(d)));
    bound.push_back(BindOp::create(b, loc, array, sizes));
  }
  return bound;
}

/// The arrays `state` with what the body gives at a point combined into them.
SmallVector<Value> FoldBracketer::putPoint(ValueRange point, ValueRange state) {
  auto scatter = cast<ScatterOp>(op.getOperation());
  SmallVector<Value> operands = cloneBody({}, point);
  SmallVector<Value> places(ArrayRef(operands).drop_front(count));
  Value inside;
  for (auto [place, known] : llvm::zip(places, binSizes)) {
    Value size = toValue(known);
    if (scatter.getOob() == OutOfBounds::Clamp) {
      Value last = arith::SubIOp::create(b, loc, size, number(1));
      place = arith::MaxSIOp::create(b, loc, least(place, last), number(0));
    }
    Value good =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, place, size);
    if (scatter.getOob() == OutOfBounds::Fail)
      CheckOp::create(b, loc, CheckKind::Index, good, kOutside,
                      ValueRange{place, size});
    inside =
        inside ? arith::AndIOp::create(b, loc, inside, good).getResult() : good;
  }
  // Where nothing is put the first bin stays: a branch would copy all of them.
  for (Value &place : places)
    place = arith::SelectOp::create(b, loc, inside, place, number(0));
  SmallVector<Value> now;
  for (Value array : state)
    now.push_back(AtOp::create(b, loc, array, places, /*inbounds=*/true));
  SmallVector<Value> next =
      inlineCombiner(b, combiner, now, ArrayRef(operands).take_front(count));
  for (auto [value, old, array] : llvm::zip(next, now, state)) {
    value = arith::SelectOp::create(b, loc, inside, value, old);
    value = tensor::InsertOp::create(b, loc, value, array, places);
  }
  return next;
}

/// Takes in the points whose first index is in `[from, to)`, in order.
SmallVector<Value> FoldBracketer::putRange(Value from, Value to,
                                           ValueRange state) {
  SmallVector<std::pair<Value, Value>> ranges{{from, to}};
  SmallVector<OpFoldResult> extents = op.getMixedExtents();
  for (OpFoldResult extent : ArrayRef(extents).drop_front())
    ranges.push_back({number(0), toValue(extent)});
  SmallVector<Value> point, before(state);
  scf::ForOp outermost = openLoops(ranges, point, before);
  scf::YieldOp::create(b, loc, putPoint(point, bindBins(before)));
  b.setInsertionPointAfter(outermost);
  return bindBins(outermost.getResults());
}

/// New arrays of bins.
SmallVector<Value> FoldBracketer::copyBins() {
  SmallVector<Value> copies;
  for (Value array : init)
    copies.push_back(createMap(binSizes, [&](ValueRange, ValueRange bin) {
                       return SmallVector<Value>{
                           AtOp::create(b, loc, array, bin, /*inbounds=*/true)};
                     }).front());
  return copies;
}

void FoldBracketer::update() {
  if (isExactUpdate())
    return;
  b.setInsertionPoint(op);
  SmallVector<OpFoldResult> extents = op.getMixedExtents();
  Value first = toValue(extents.front());
  findBinSizes();
  Value points = first, bins = number(1);
  for (OpFoldResult extent : ArrayRef(extents).drop_front())
    points = arith::MulIOp::create(b, loc, points, toValue(extent));
  for (OpFoldResult size : binSizes)
    bins = arith::MulIOp::create(b, loc, bins, toValue(size));
  // Without bins there is none that could stay, and no loop.
  Value hasBins =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bins, number(0));
  if (cast<ScatterOp>(op.getOperation()).getOob() == OutOfBounds::Fail) {
    Value isEmpty = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          points, number(0));
    CheckOp::create(b, loc, CheckKind::Index,
                    arith::OrIOp::create(b, loc, hasBins, isEmpty), kOutside,
                    ValueRange{number(0), bins});
  }
  first = arith::SelectOp::create(b, loc, hasBins, first, number(0));
  if (isInBody(op)) {
    b.replaceOp(op, putRange(number(0), first, copyBins()));
    return;
  }
  Value share = arith::MaxSIOp::create(b, loc, bins, number(kRangePoints));
  Value ranges = arith::DivUIOp::create(b, loc, points, share);
  ranges = least(arith::MaxSIOp::create(b, loc, ranges, number(1)),
                 number(kMostRanges));
  SmallVector<Value> copies =
      createMap({getAsOpFoldResult(ranges)}, [&](ValueRange, ValueRange range) {
        auto getBegin = [&](Value r) -> Value {
          Value scaled = arith::MulIOp::create(b, loc, r, first);
          return arith::DivUIOp::create(b, loc, scaled, ranges);
        };
        Value next = arith::AddIOp::create(b, loc, range[0], number(1));
        return putRange(getBegin(range[0]), getBegin(next), copyBins());
      });
  SmallVector<Value> results = createMap(binSizes, [&](ValueRange,
                                                       ValueRange bin) {
    SmallVector<Value> state;
    for (Value array : init)
      state.push_back(AtOp::create(b, loc, array, bin, /*inbounds=*/true));
    return foldBox({getAsOpFoldResult(ranges)}, state, [&](ValueRange r) {
      SmallVector<Value> place{r[0]}, values;
      llvm::append_range(place, bin);
      for (Value array : copies)
        values.push_back(AtOp::create(b, loc, array, place, /*inbounds=*/true));
      return values;
    });
  });
  b.replaceOp(op, results);
}
