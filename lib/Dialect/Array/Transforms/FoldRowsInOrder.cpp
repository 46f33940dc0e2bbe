//===- FoldRowsInOrder.cpp - Operators that need whole rows ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Part of arr-expand-row-folds: a loop over all points that combines whole
// rows, whose elements are computed in parallel.
//
//===----------------------------------------------------------------------===//

#include "RowFold.h"

#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

Value RowFold::bind(Value array, ArrayRef<OpFoldResult> sizes) {
  if (llvm::any_of(sizes, [](OpFoldResult size) { return !size; }))
    return array;
  auto type = cast<RankedTensorType>(array.getType());
  SmallVector<OpFoldResult> fitting;
  for (auto [d, size] : llvm::enumerate(sizes))
    fitting.push_back(
        type.isDynamicDim(d)
            ? OpFoldResult(getValueOrCreateConstantIndexOp(b, loc, size))
            : b.getIndexAttr(type.getDimSize(d)));
  return BindOp::create(b, loc, array, fitting);
}

/// Row or element `at` of `array`.
static Value readPart(OpBuilder &b, Location loc, Value array, ValueRange at,
                      ArrayRef<OpFoldResult> sizes) {
  if (sizes.empty())
    return AtOp::create(b, loc, array, at, /*inbounds=*/true);
  SmallVector<AffineExpr> exprs;
  for (unsigned d = 0; d < at.size(); ++d)
    exprs.push_back(b.getAffineSymbolExpr(d));
  for (unsigned d = 0; d < sizes.size(); ++d)
    exprs.push_back(b.getAffineDimExpr(d));
  return ViewOp::create(
      b, loc, array,
      AffineMap::get(sizes.size(), at.size(), exprs, b.getContext()), at,
      sizes);
}

static Value writePart(OpBuilder &b, Location loc, Value part, Value array,
                       ValueRange at, ArrayRef<OpFoldResult> sizes) {
  if (sizes.empty())
    return tensor::InsertOp::create(b, loc, part, array, at);
  SmallVector<OpFoldResult> offsets = getAsOpFoldResult(at), lengths;
  lengths.assign(at.size(), b.getIndexAttr(1));
  offsets.append(sizes.size(), b.getIndexAttr(0));
  llvm::append_range(lengths, sizes);
  SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(b, loc, part, array, offsets, lengths,
                                       strides);
}

/// Combines values with what stands at an index of the arrays.
void RowFold::putInOrder(ValueRange values, ValueRange at,
                         SmallVectorImpl<Value> &state) {
  auto old = cast<ScatterOp>(op.getOperation());
  SmallVector<Value> places(at);
  Value inside;
  for (auto [d, place] : llvm::enumerate(places)) {
    Value size = getValueOrCreateConstantIndexOp(
        b, loc, getOrCreateSize(b, loc, getInit(0), d));
    if (old.getOob() == OutOfBounds::Clamp) {
      Value one = arith::ConstantIndexOp::create(b, loc, 1);
      Value zero = arith::ConstantIndexOp::create(b, loc, 0);
      Value last = arith::SubIOp::create(b, loc, size, one);
      place = arith::MaxSIOp::create(
          b, loc, arith::MinSIOp::create(b, loc, place, last), zero);
    }
    Value good =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, place, size);
    if (old.getOob() == OutOfBounds::Fail)
      CheckOp::create(b, loc, CheckKind::Index, good,
                      "index {0} is outside of a dimension of size {1}",
                      ValueRange{place, size});
    inside =
        inside ? arith::AndIOp::create(b, loc, inside, good).getResult() : good;
  }
  SmallVector<Type> types(ValueRange(state).getTypes());
  auto branch = scf::IfOp::create(b, loc, types, inside, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&branch.getElseRegion().front());
  scf::YieldOp::create(b, loc, state);
  b.setInsertionPointToStart(&branch.getThenRegion().front());
  SmallVector<Value> now, next;
  for (unsigned k = 0; k < count; ++k)
    now.push_back(readPart(b, loc, state[k], places, getRowSizes(k)));
  SmallVector<Value> combined = inlineCombiner(b, combiner, now, values);
  for (unsigned k = 0; k < count; ++k)
    next.push_back(
        writePart(b, loc, combined[k], state[k], places, getRowSizes(k)));
  scf::YieldOp::create(b, loc, next);
  state.assign(branch->result_begin(), branch->result_end());
}

/// A loop over all points that combines whole rows.
void RowFold::foldInOrder() {
  auto scan = dyn_cast<ScanOp>(op.getOperation());
  SmallVector<Value> state;
  for (unsigned k = 0; k < count; ++k)
    state.push_back(getInit(k));
  SmallVector<SmallVector<OpFoldResult>> rows;
  for (unsigned k = 0; k < count; ++k)
    rows.push_back(getRowSizes(k));
  if (scan)
    for (unsigned k = 0; k < count; ++k) {
      SmallVector<OpFoldResult> sizes = scan.getMixedExtents();
      llvm::append_range(sizes, rows[k]);
      state.push_back(tensor::EmptyOp::create(
          b, loc, sizes,
          cast<RankedTensorType>(scan.getPrefixes()[k].getType())
              .getElementType()));
    }
  SmallVector<SmallVector<OpFoldResult>> sizes;
  for (Value array : state) {
    auto type = dyn_cast<RankedTensorType>(array.getType());
    SmallVector<OpFoldResult> &all = sizes.emplace_back();
    for (int64_t d = 0; type && d < type.getRank(); ++d) {
      OpFoldResult size = getKnownSize(array, d);
      if (!size && array.getDefiningOp<tensor::EmptyOp>())
        size = array.getDefiningOp<tensor::EmptyOp>().getMixedSizes()[d];
      all.push_back(size);
    }
  }
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> indices;
  scf::ForOp outermost;
  auto bindAll = [&] {
    for (auto [value, all] : llvm::zip(state, sizes))
      if (isa<RankedTensorType>(value.getType()))
        value = bind(value, all);
  };
  for (Value extent :
       getValueOrCreateConstantIndexOp(b, loc, op.getMixedExtents())) {
    auto loop = scf::ForOp::create(b, loc, zero, extent, one, state);
    if (outermost)
      scf::YieldOp::create(b, loc, loop.getResults());
    else
      outermost = loop;
    indices.push_back(loop.getInductionVar());
    state.assign(loop.getRegionIterArgs().begin(),
                 loop.getRegionIterArgs().end());
    b.setInsertionPointToStart(loop.getBody());
  }
  bindAll();
  SmallVector<Value> operands = cloneBody(indices);
  ValueRange values = ValueRange(operands).take_front(count);
  if (isa<ScatterOp>(op.getOperation())) {
    putInOrder(values, ValueRange(operands).drop_front(count), state);
  } else {
    SmallVector<Value> now(ArrayRef(state).take_front(count));
    SmallVector<Value> combined = inlineCombiner(b, combiner, now, values);
    if (scan)
      for (unsigned k = 0; k < count; ++k)
        state[count + k] =
            writePart(b, loc, scan.getExclusive() ? now[k] : combined[k],
                      state[count + k], indices, rows[k]);
    llvm::copy(combined, state.begin());
  }
  scf::YieldOp::create(b, loc, state);
  state.assign(outermost->result_begin(), outermost->result_end());
  b.setInsertionPointAfter(outermost);
  bindAll();
  if (scan)
    std::rotate(state.begin(), state.begin() + count, state.end());
  results = state;
}
