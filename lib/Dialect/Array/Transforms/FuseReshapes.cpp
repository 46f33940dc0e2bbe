//===- FuseReshapes.cpp - Reshapes move in front of elementwise maps ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Part of arr-fuse-producers. A map that reads arrays of its own shape at its
// own index only is the same map over any other shape of them:
//
//   %e = array.map (%i, %j) in (%n, %m)      %f = collapse %a [[0, 1]]
//     { exp(%a[%i, %j]) }               ->   %c = array.map (%k) in (%nm)
//   %c = collapse %e [[0, 1]]                  { exp(%f[%k]) }
//
// Arrays are dense, so reshaping one costs nothing; and what reads `%c` now
// reads a map, which can be computed there.
//
//===----------------------------------------------------------------------===//

#include "FuseProducers.h"

#include "arrc/Dialect/Array/IR/Binds.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace arrc::array;

/// The map behind `array` if nothing else uses its one result and it reads
/// whole arrays of its shape, at its index.
static MapOp findElementwise(Value array) {
  IndexSpaceOpInterface space = findOwnProducer(array);
  auto map = space ? dyn_cast<MapOp>(*space) : MapOp();
  if (!map || !readsOwnIndexOnly(space))
    return {};
  // A view is no array in memory: reshaping it would make one.
  for (AtOp at : map.getBody().front().getOps<AtOp>())
    if (isa_and_present<ViewOp>(skipBinds(at.getSource()).getDefiningOp()))
      return {};
  return map;
}

/// The extents of a result of `reshape`.
static SmallVector<OpFoldResult> getExtents(PatternRewriter &rewriter,
                                            tensor::CollapseShapeOp reshape,
                                            MapOp map) {
  SmallVector<OpFoldResult> from = map.getMixedExtents(), extents;
  RankedTensorType type = reshape.getResultType();
  for (auto [d, group] : llvm::enumerate(reshape.getReassociationIndices())) {
    if (!type.isDynamicDim(d)) {
      extents.push_back(rewriter.getIndexAttr(type.getDimSize(d)));
      continue;
    }
    Value size;
    for (int64_t dim : group) {
      Value factor = getValueOrCreateConstantIndexOp(rewriter, reshape.getLoc(),
                                                     from[dim]);
      size = size ? Value(arith::MulIOp::create(rewriter, reshape.getLoc(),
                                                size, factor))
                  : factor;
    }
    extents.push_back(size);
  }
  return extents;
}

static SmallVector<OpFoldResult>
getExtents(PatternRewriter &, tensor::ExpandShapeOp reshape, MapOp) {
  return reshape.getMixedOutputShape();
}

/// `array` in the shape that `like` gives.
static Value reshapeAs(PatternRewriter &rewriter, Location loc, Value array,
                       tensor::CollapseShapeOp like, ArrayRef<OpFoldResult>) {
  return tensor::CollapseShapeOp::create(rewriter, loc, array,
                                         like.getReassociationIndices());
}

static Value reshapeAs(PatternRewriter &rewriter, Location loc, Value array,
                       tensor::ExpandShapeOp like,
                       ArrayRef<OpFoldResult> extents) {
  auto type = RankedTensorType::get(
      like.getResultType().getShape(),
      cast<RankedTensorType>(array.getType()).getElementType());
  return tensor::ExpandShapeOp::create(rewriter, loc, type, array,
                                       like.getReassociationIndices(), extents);
}

/// Erases the map behind `array`, of which nobody is left: the next one of a
/// chain has one reader then.
static void eraseUnused(PatternRewriter &rewriter, Value array) {
  while (Operation *op = array.getDefiningOp()) {
    if (!op->use_empty())
      return;
    auto bind = dyn_cast<BindOp>(op);
    array = bind ? bind.getSource() : Value();
    rewriter.eraseOp(op);
    if (!bind)
      return;
  }
}

namespace {
template <typename ReshapeOp>
struct MapAfterReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern<ReshapeOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    MapOp map = findElementwise(op.getSrc());
    if (!map || map->getBlock() != op->getBlock())
      return failure();
    rewriter.setInsertionPoint(op);
    Location loc = map.getLoc();
    SmallVector<OpFoldResult> extents = getExtents(rewriter, op, map);
    IRMapping mapping;
    llvm::DenseMap<Value, Value> reshaped;
    Block &body = map.getBody().front();
    for (AtOp at : body.getOps<AtOp>())
      if (Value &array = reshaped[at.getSource()];
          !array && llvm::equal(at.getIndices(), body.getArguments()))
        array = BindOp::create(
            rewriter, loc,
            reshapeAs(rewriter, loc, at.getSource(), op, extents), extents);
    auto flat = MapOp::create(rewriter, loc, TypeRange(op.getResultType()),
                              extents, /*dims=*/ArrayAttr());
    SmallVector<Type> types(extents.size(), rewriter.getIndexType());
    Block *block = rewriter.createBlock(
        &flat.getBody(), {}, types, SmallVector<Location>(types.size(), loc));
    for (Operation &inner : body) {
      auto at = dyn_cast<AtOp>(inner);
      if (!at || !llvm::equal(at.getIndices(), body.getArguments())) {
        rewriter.clone(inner, mapping);
        continue;
      }
      mapping.map(at.getResult(),
                  AtOp::create(rewriter, at.getLoc(), reshaped[at.getSource()],
                               block->getArguments(), /*inbounds=*/true));
    }
    Value rest = op.getSrc();
    rewriter.replaceOp(op, flat.getResults());
    eraseUnused(rewriter, rest);
    return success();
  }
};
} // namespace

void arrc::array::populateReshapePatterns(RewritePatternSet &patterns) {
  patterns.add<MapAfterReshape<tensor::CollapseShapeOp>,
               MapAfterReshape<tensor::ExpandShapeOp>>(patterns.getContext());
}
