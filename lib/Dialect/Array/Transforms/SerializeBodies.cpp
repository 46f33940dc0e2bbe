//===- SerializeBodies.cpp - Bodies whose arrays change size, in a loop ---===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. An array that grows or shrinks from step to step of a loop, or whose
// size a branch decides, has no size that a kernel could reserve memory for: a
// kernel gives out none while it runs. The host does. A body that holds such an
// array becomes the body of a loop of the host, and what stands in it launches
// of their own:
//
//   Before   %r = array.map (%b) in (%n) {
//              %x = scf.while (%v = %v0) : tensor<?xi64> {..}
//              %s = array.reduce .. %x
//              array.yield %s }
//   After    %e = tensor.empty(%n)
//            %r = scf.for %b = 0 to %n iter_args(%a = %e) {
//              %x = scf.while (%v = %v0) : tensor<?xi64> {..}
//              %s = array.reduce .. %x
//              %i = tensor.insert %s into %a[%b]
//              scf.yield %i }
//
// Folds, scans and scatters have their values computed so, and read them: the
// order of a sum stays what it was. A product that a sum would take into one
// rounding is left in the sum.
//
// Legal: bodies are pure, and points may be computed in any order. It is the
// only way to have such programs at all.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/ChangingSizes.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace arrc::array {
#define GEN_PASS_DEF_SERIALIZEBODIESPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static bool holdsChangingSizes(IndexSpaceOpInterface op) {
  return op
      ->walk([](Operation *inner) {
        return changesSizes(inner) ? WalkResult::interrupt()
                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The first operation of the host that holds such an array.
static IndexSpaceOpInterface findOutermost(func::FuncOp func) {
  IndexSpaceOpInterface found;
  func.walk<WalkOrder::PreOrder>([&](IndexSpaceOpInterface op) {
    if (!holdsChangingSizes(op))
      return WalkResult::skip();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Folds, scans and scatters
//===----------------------------------------------------------------------===//

/// Has a map compute what `op` takes in at each point. Indices travel as i64.
static MapOp computeBefore(IRRewriter &rewriter, IndexSpaceOpInterface op) {
  Location loc = op.getLoc();
  YieldOp yield = op.getYield();
  Block *old = op.getBodyBlock();
  // A product and the sum around it round once, if they stand together.
  SmallVector<Value> parts;
  auto isProduct = [&](Value value) {
    auto product = value.getDefiningOp<arith::MulFOp>();
    return product && product->getBlock() == old;
  };
  for (Value value : yield.getOperands()) {
    if (isProduct(value))
      llvm::append_range(parts, value.getDefiningOp()->getOperands());
    else
      parts.push_back(value);
  }

  rewriter.setInsertionPoint(yield);
  SmallVector<OpFoldResult> extents = op.getMixedExtents();
  SmallVector<int64_t> shape = decomposeMixedValues(extents).first;
  SmallVector<Type> types;
  SmallVector<bool> isIndex;
  for (Value &part : parts) {
    isIndex.push_back(part.getType().isIndex());
    if (isIndex.back())
      part = arith::IndexCastOp::create(rewriter, loc, rewriter.getI64Type(),
                                        part);
    SmallVector<int64_t> sizes(shape);
    Type element = part.getType();
    if (auto row = dyn_cast<RankedTensorType>(element)) {
      llvm::append_range(sizes, row.getShape());
      element = row.getElementType();
    }
    types.push_back(RankedTensorType::get(sizes, element));
  }
  rewriter.setInsertionPoint(op);
  auto map = MapOp::create(rewriter, loc, types, extents,
                           op->getAttrOfType<ArrayAttr>("dims"));
  Region &region = *old->getParent();
  rewriter.inlineRegionBefore(region, map.getBody(), map.getBody().end());

  Block *body = rewriter.createBlock(
      &region, {}, SmallVector<Type>(extents.size(), rewriter.getIndexType()),
      SmallVector<Location>(extents.size(), loc));
  // The array of part `k` at the point of the new body.
  auto read = [&](unsigned k) -> Value {
    Value array = map.getResult(k);
    auto row = dyn_cast<RankedTensorType>(parts[k].getType());
    if (!row) {
      Value element = AtOp::create(rewriter, loc, array, body->getArguments(),
                                   /*inbounds=*/true);
      return isIndex[k] ? arith::IndexCastOp::create(
                              rewriter, loc, rewriter.getIndexType(), element)
                              .getResult()
                        : element;
    }
    SmallVector<AffineExpr> results;
    for (unsigned d = 0; d < extents.size(); ++d)
      results.push_back(rewriter.getAffineSymbolExpr(d));
    SmallVector<OpFoldResult> sizes;
    for (int64_t d = 0; d < row.getRank(); ++d) {
      results.push_back(rewriter.getAffineDimExpr(d));
      sizes.push_back(getKnownSize(array, extents.size() + d));
    }
    return ViewOp::create(rewriter, loc, array,
                          AffineMap::get(row.getRank(), extents.size(), results,
                                         rewriter.getContext()),
                          body->getArguments(), sizes);
  };
  SmallVector<Value> values;
  unsigned k = 0;
  for (Value value : yield.getOperands()) {
    if (!isProduct(value)) {
      values.push_back(read(k++));
      continue;
    }
    auto product = value.getDefiningOp<arith::MulFOp>();
    Value lhs = read(k++), rhs = read(k++);
    values.push_back(
        arith::MulFOp::create(rewriter, loc, lhs, rhs, product.getFastmath()));
  }
  ValueRange all(values);
  unsigned numIndices = yield.getNumIndices();
  YieldOp::create(rewriter, loc, all.drop_back(numIndices),
                  all.take_back(numIndices));
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<YieldOp>(yield, parts);
  return map;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The sizes of `result`; rows must not decide theirs at each point.
static LogicalResult getSizes(OpResult result,
                              SmallVectorImpl<OpFoldResult> &sizes) {
  int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
  for (int64_t d = 0; d < rank; ++d) {
    sizes.push_back(getKnownSize(result, d));
    if (!sizes.back())
      return emitError(result.getLoc(),
                       "the size of a row is known only inside of the 'for'");
  }
  return success();
}

/// Writes `op`, a map or a stencil, as a nest of loops.
static LogicalResult toLoops(IRRewriter &rewriter, IndexSpaceOpInterface op) {
  Location loc = op.getLoc();
  SmallVector<SmallVector<OpFoldResult>> sizes;
  for (OpResult result : op->getResults())
    if (failed(getSizes(result, sizes.emplace_back())))
      return failure();

  rewriter.setInsertionPoint(op);
  SmallVector<Value> arrays;
  for (auto [result, all] : llvm::zip(op->getResults(), sizes))
    arrays.push_back(tensor::EmptyOp::create(
        rewriter, loc, all,
        cast<RankedTensorType>(result.getType()).getElementType()));
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  SmallVector<Value> extents =
      getValueOrCreateConstantIndexOp(rewriter, loc, op.getMixedExtents());
  SmallVector<scf::ForOp> loops;
  SmallVector<Value> indices, carried = arrays;
  for (Value extent : extents) {
    auto loop = scf::ForOp::create(rewriter, loc, zero, extent, one, carried);
    if (!loops.empty())
      scf::YieldOp::create(rewriter, loc, loop.getResults());
    loops.push_back(loop);
    indices.push_back(loop.getInductionVar());
    carried.assign(loop.getRegionIterArgs().begin(),
                   loop.getRegionIterArgs().end());
    rewriter.setInsertionPointToStart(loop.getBody());
  }

  YieldOp yield = op.getYield();
  Block *body = op.getBodyBlock();
  if (loops.empty())
    rewriter.inlineBlockBefore(body, op, indices);
  else
    rewriter.inlineBlockBefore(body, loops.back().getBody(),
                               loops.back().getBody()->end(), indices);
  rewriter.setInsertionPoint(yield);
  for (auto [k, value] : llvm::enumerate(yield.getValues())) {
    Value &array = carried[k];
    auto row = dyn_cast<RankedTensorType>(value.getType());
    if (!row) {
      array = tensor::InsertOp::create(rewriter, loc, value, array, indices);
      continue;
    }
    SmallVector<OpFoldResult> offsets = getAsOpFoldResult(indices), lengths;
    lengths.assign(indices.size(), rewriter.getIndexAttr(1));
    offsets.append(row.getRank(), rewriter.getIndexAttr(0));
    llvm::append_range(lengths, ArrayRef(sizes[k]).drop_front(indices.size()));
    SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
    array = tensor::InsertSliceOp::create(rewriter, loc, value, array, offsets,
                                          lengths, strides);
  }
  if (!loops.empty()) {
    scf::YieldOp::create(rewriter, loc, carried);
    carried.assign(loops.front()->result_begin(), loops.front()->result_end());
  }
  rewriter.eraseOp(yield);
  rewriter.setInsertionPoint(op);
  for (auto [array, all] : llvm::zip(carried, sizes))
    array = BindOp::create(rewriter, loc, array, all);
  rewriter.replaceOp(op, carried);
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct SerializeBodiesPass
    : public arrc::array::impl::SerializeBodiesPassBase<SerializeBodiesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    while (IndexSpaceOpInterface op = findOutermost(getOperation())) {
      remark::missed(op.getLoc(), remark::RemarkOpts::name("SerialBody")
                                      .category("arr-serialize-bodies"))
          << remark::reason("an array in it changes its size");
      if (!isa<MapOp, StencilOp>(op))
        op = computeBefore(rewriter, op);
      if (failed(toLoops(rewriter, op)))
        return signalPassFailure();
    }
  }
};
} // namespace
