//===- ExpandFilters.cpp - Filters of bodies, and of rows -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A filter of the host is one launch that stores what it keeps. In a body
// there is no launch, and rows that are kept are no elements: such a filter is
// a scan that counts the points kept before each one, and a scatter that puts
// the values of these at their number.
//
//   Before   %count, %r = array.filter (%i) in (%n) { ..
//              array.yield %keep, %x : i1, f32 } : tensor<?xf32>
//   After    %at, %total = array.scan (%i) in (%n) init (%c0) exclusive { ..
//              array.yield %one_if_kept : i64 } by arith.addi
//            %r0 = tensor.splat %zero[%count] : tensor<?xf32>
//            %r = array.scatter (%i) in (%n) into (%r0) { ..
//              array.yield %x at [%at_i_if_kept_else_minus_1] } oob drop
//
// Legal: always, bodies are pure. Pays: never; it is what the rest of the
// compiler knows to do with such filters.
//
// Reference: Blelloch, Prefix sums and their applications, 1990 (`pack`).
//
//===----------------------------------------------------------------------===//

#include "UnrollPatterns.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::array {
#define GEN_PASS_DEF_EXPANDFILTERSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

static bool keepsRows(FilterOp filter) {
  return llvm::any_of(filter.getArrays().getTypes(), [](Type type) {
    return cast<RankedTensorType>(type).getRank() > 1;
  });
}

/// A copy of the body at `index`; what it yields.
static SmallVector<Value> cloneBody(OpBuilder &b, FilterOp filter,
                                    Value index) {
  Block &body = filter.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArgument(0), index);
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping);
  SmallVector<Value> values;
  for (Value value : cast<YieldOp>(body.getTerminator()).getValues())
    values.push_back(mapping.lookupOrDefault(value));
  return values;
}

static Value makeZero(OpBuilder &b, Location loc, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Attribute part = b.getZeroAttr(complex.getElementType());
    return complex::ConstantOp::create(b, loc, type,
                                       b.getArrayAttr({part, part}));
  }
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

static LogicalResult expand(IRRewriter &b, FilterOp filter) {
  Location loc = filter.getLoc();
  b.setInsertionPoint(filter);
  OpFoldResult extent = filter.getMixedExtents().front();
  std::string name =
      cast<IndexSpaceOpInterface>(filter.getOperation()).getIndexNames()[0];
  Type i64 = b.getI64Type();
  Value none = arith::ConstantIntOp::create(b, loc, i64, 0);
  auto scan = ScanOp::create(
      b, loc, extent, name, none, /*exclusive=*/true,
      [&](OpBuilder &nested, Location, ValueRange indices) {
        Value keep = cloneBody(nested, filter, indices[0])[0];
        Value one = arith::ExtUIOp::create(nested, loc, i64, keep);
        YieldOp::create(nested, loc, one);
      },
      [&](OpBuilder &nested, Location, ValueRange args) {
        Value sum = arith::AddIOp::create(nested, loc, args[0], args[1]);
        YieldOp::create(nested, loc, sum);
      });
  Value count = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                           scan.getTotals().front());
  SmallVector<Value> into;
  for (Value array : filter.getArrays()) {
    auto type = cast<RankedTensorType>(array.getType());
    SmallVector<Value> dynamic{count};
    for (int64_t dim = 1; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      auto size = dyn_cast_if_present<Value>(getKnownSize(array, dim));
      if (!size)
        return emitError(loc, "the size of a row is known only inside of the "
                              "'for'");
      dynamic.push_back(size);
    }
    Value zero = makeZero(b, loc, type.getElementType());
    into.push_back(tensor::SplatOp::create(b, loc, zero, type, dynamic));
  }
  SmallVector<Value> results{count};
  if (!into.empty()) {
    auto scatter = ScatterOp::create(
        b, loc, extent, StringRef(name), into, OutOfBounds::Drop,
        [&](OpBuilder &nested, Location, ValueRange indices) {
          SmallVector<Value> values = cloneBody(nested, filter, indices[0]);
          Value at = AtOp::create(nested, loc, scan.getPrefixes().front(),
                                  indices, /*inbounds=*/true);
          at = arith::IndexCastOp::create(nested, loc, nested.getIndexType(),
                                          at);
          Value dropped = arith::ConstantIndexOp::create(nested, loc, -1);
          Value place =
              arith::SelectOp::create(nested, loc, values[0], at, dropped);
          YieldOp::create(nested, loc, ArrayRef(values).drop_front(), place);
        },
        BodyBuilder(nullptr));
    scatter->setDiscardableAttrs(
        llvm::to_vector(filter->getDiscardableAttrs()));
    llvm::append_range(results, scatter.getResults());
  }
  b.replaceOp(filter, results);
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct ExpandFiltersPass
    : public arrc::array::impl::ExpandFiltersPassBase<ExpandFiltersPass> {
  using ExpandFiltersPassBase::ExpandFiltersPassBase;

  void runOnOperation() override {
    SmallVector<FilterOp> filters;
    getOperation().walk([&](FilterOp filter) {
      if (all || isInBody(filter) || keepsRows(filter))
        filters.push_back(filter);
    });
    IRRewriter rewriter(&getContext());
    for (FilterOp filter : filters)
      if (failed(expand(rewriter, filter)))
        return signalPassFailure();
  }
};

} // namespace
