//===- UnrollSpaces.cpp - Unrolls index spaces of constant extents --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Part of arr-unroll-small-arrays: map, stencil, reduce and scan in bodies with
// constant extents are cloned point by point; so are views of constant shape.
//
//===----------------------------------------------------------------------===//

#include "UnrollPatterns.h"

#include "arrc/Dialect/Array/IR/GuardedRead.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace arrc::array;

/// Most points of a fold over a window: 5 x 5 x 5.
static constexpr int64_t kWindowPoints = 128;

/// Whether the indices of a fold say how far from something the places are that
/// it reads: neighbours read almost the same, and taps that are known by their
/// distances can share loads. They may say which weight it is, too.
static bool isWindow(ReduceOp op) {
  auto isDistance = [](Operation *user) {
    return user->getNumResults() == 1 &&
           isa<IndexType>(user->getResult(0).getType());
  };
  auto isWeight = [](Operation *user) {
    auto read = dyn_cast<AtOp>(user);
    return read && read.getSource().getType().hasStaticShape();
  };
  return llvm::all_of(op.getIndices(), [&](BlockArgument index) {
    return llvm::any_of(index.getUsers(), isDistance) &&
           llvm::all_of(index.getUsers(), [&](Operation *user) {
             return isDistance(user) || isWeight(user);
           });
  });
}

std::optional<SmallVector<SmallVector<int64_t>>>
arrc::array::getPoints(IndexSpaceOpInterface op, int64_t most) {
  ArrayRef<int64_t> extents = op.getStaticExtentList();
  if (ShapedType::isDynamicShape(extents))
    return std::nullopt;
  int64_t count = computeProduct(extents);
  if (count > most)
    return std::nullopt;
  int64_t ops = 0;
  op.getBodyBlock()->walk([&](Operation *) { ++ops; });
  if (ops * count > kUnrolledOps)
    return std::nullopt;
  SmallVector<int64_t> strides = computeStrides(extents);
  SmallVector<SmallVector<int64_t>> points;
  for (int64_t i = 0; i < count; ++i)
    points.push_back(delinearize(i, strides));
  return points;
}

/// Clones the body for one point; gives what it yields.
static SmallVector<Value> clonePoint(PatternRewriter &rewriter,
                                     IndexSpaceOpInterface op,
                                     ArrayRef<int64_t> point) {
  IRMapping mapping;
  for (auto [argument, index] : llvm::zip(op.getIndices(), point))
    mapping.map(argument,
                arith::ConstantIndexOp::create(rewriter, op.getLoc(), index));
  for (Operation &inner : op.getBodyBlock()->without_terminator())
    rewriter.clone(inner, mapping);
  SmallVector<Value> values;
  for (Value value : op.getYield().getValues())
    values.push_back(mapping.lookupOrDefault(value));
  return values;
}

SmallVector<Value> arrc::array::foldStep(RewriterBase &rewriter,
                                         Region &combiner, ValueRange fold,
                                         ValueRange values) {
  SmallVector<Value> next =
      arrc::inlineCombiner(rewriter, combiner, fold, values);
  auto contracts = [](auto op) {
    return bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::contract);
  };
  for (auto [sum, before, value] : llvm::zip(next, fold, values)) {
    auto add = sum.template getDefiningOp<arith::AddFOp>();
    auto product = value.template getDefiningOp<arith::MulFOp>();
    if (!add || !product || !contracts(add) || !contracts(product) ||
        add.getLhs() != before || add.getRhs() != value ||
        !isa<Float32Type, Float64Type>(sum.getType()))
      continue;
    sum = math::FmaOp::create(rewriter, add.getLoc(), product.getLhs(),
                              product.getRhs(), before);
    rewriter.eraseOp(add);
  }
  return next;
}

namespace {
/// A map in a body becomes its elements.
template <typename OpTy> struct UnrollMap : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!isInBody(op) || !llvm::all_of(op.getResultTypes(), isSmallArray))
      return failure();
    auto points = getPoints(op);
    if (!points)
      return failure();
    SmallVector<SmallVector<Value>> elements(op.getNumResults());
    for (ArrayRef<int64_t> point : *points)
      for (auto [list, value] :
           llvm::zip(elements, clonePoint(rewriter, op, point)))
        llvm::append_range(list, toScalars(rewriter, op.getLoc(), value));
    SmallVector<Value> arrays;
    for (auto [list, type] : llvm::zip(elements, op.getResultTypes()))
      arrays.push_back(
          tensor::FromElementsOp::create(rewriter, op.getLoc(), type, list));
    rewriter.replaceOp(op, arrays);
    return success();
  }
};

/// A fold in a body becomes a chain of its operator, in index order.
struct UnrollReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (!isInBody(op))
      return failure();
    auto points = getPoints(op, isWindow(op) ? kWindowPoints : kSmallArray);
    if (!points)
      return failure();
    SmallVector<Value> fold;
    for (ArrayRef<int64_t> point : *points) {
      SmallVector<Value> values = clonePoint(rewriter, op, point);
      fold = fold.empty() ? values
                          : foldStep(rewriter, op.getCombiner(), fold, values);
    }
    rewriter.replaceOp(op, points->empty() ? SmallVector<Value>(op.getInit())
                                           : fold);
    return success();
  }
};

/// A scan in a body becomes a chain, every link of which is a prefix.
struct UnrollScan : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScanOp op,
                                PatternRewriter &rewriter) const override {
    if (!isInBody(op) ||
        !llvm::all_of(op.getPrefixes().getTypes(), isSmallArray))
      return failure();
    auto points = getPoints(op);
    if (!points)
      return failure();
    SmallVector<Value> fold(op.getInit());
    SmallVector<SmallVector<Value>> prefixes(fold.size());
    auto keep = [&] {
      for (auto [list, value] : llvm::zip(prefixes, fold))
        llvm::append_range(list, toScalars(rewriter, op.getLoc(), value));
    };
    for (auto [i, point] : llvm::enumerate(*points)) {
      if (op.getExclusive())
        keep();
      SmallVector<Value> values = clonePoint(rewriter, op, point);
      fold = i == 0 ? values
                    : arrc::inlineCombiner(rewriter, op.getCombiner(), fold,
                                           values);
      if (!op.getExclusive())
        keep();
    }
    SmallVector<Value> results;
    for (auto [list, type] : llvm::zip(prefixes, op.getPrefixes().getTypes()))
      results.push_back(
          tensor::FromElementsOp::create(rewriter, op.getLoc(), type, list));
    llvm::append_range(results, fold);
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// A small view in a body becomes reads. It is inside of its source, or its
/// source is extended: the reads cannot fail.
struct UnrollView : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ViewOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!isInBody(op) || !isSmallArray(type))
      return failure();
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    AffineMap map = op.getMap();
    SmallVector<Value> elements;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      SmallVector<OpFoldResult> operands =
          getAsIndexOpFoldResult(op.getContext(), delinearize(i, strides));
      llvm::append_range(operands, getAsOpFoldResult(op.getSymbols()));
      SmallVector<Value> indices;
      for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
        indices.push_back(getValueOrCreateConstantIndexOp(
            rewriter, op.getLoc(),
            affine::makeComposedFoldedAffineApply(
                rewriter, op.getLoc(), map.getSubMap({dim}), operands)));
      elements.push_back(rewriter.createOrFold<AtOp>(
          op.getLoc(), op.getSource(), indices, /*inbounds=*/true));
      if (auto read = elements.back().getDefiningOp<AtOp>())
        guardViewed(op, read);
    }
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, type, elements);
    return success();
  }
};
} // namespace

void arrc::array::populateUnrollSpacePatterns(RewritePatternSet &patterns) {
  patterns.add<UnrollMap<MapOp>, UnrollMap<StencilOp>, UnrollReduce, UnrollScan,
               UnrollView>(patterns.getContext());
}
