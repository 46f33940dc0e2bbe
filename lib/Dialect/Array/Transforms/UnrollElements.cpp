//===- UnrollElements.cpp - Element by element on small arrays ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Part of arr-unroll-small-arrays: element-wise operations, updates, reshapes
// and reads of small arrays in bodies.
//
//===----------------------------------------------------------------------===//

#include "UnrollPatterns.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace arrc::array;

namespace {
/// `arith` and `math` on small arrays, `arith.select` with one condition too.
struct UnrollElementwise : RewritePattern {
  UnrollElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasTrait<OpTrait::Elementwise>() && !isa<arith::SelectOp>(op))
      return failure();
    if (op->getNumResults() != 1 || op->getNumRegions() ||
        !isSmallArray(op->getResult(0).getType()) || !isInBody(op))
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<SmallVector<Value>> operands;
    for (Value operand : op->getOperands()) {
      if (isSmallArray(operand.getType()))
        operands.push_back(getElements(rewriter, op->getLoc(), operand));
      else if (isa<ShapedType>(operand.getType()))
        return failure();
      else
        operands.emplace_back(type.getNumElements(), operand);
    }
    SmallVector<Value> elements;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      OperationState state(op->getLoc(), op->getName());
      for (ArrayRef<Value> operand : operands)
        state.addOperands(operand[i]);
      state.addTypes(type.getElementType());
      state.addAttributes(op->getAttrs());
      elements.push_back(rewriter.create(state)->getResult(0));
    }
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, type, elements);
    return success();
  }
};

/// A splat is its value many times.
struct UnrollSplat : OpRewritePattern<tensor::SplatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::SplatOp op,
                                PatternRewriter &rewriter) const override {
    if (!isInBody(op) || !isSmallArray(op.getType()))
      return failure();
    SmallVector<Value> elements(op.getType().getNumElements(), op.getInput());
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, op.getType(),
                                                        elements);
    return success();
  }
};

/// Row-major order survives a reshape.
template <typename OpTy> struct UnrollReshape : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!isInBody(op) || !isSmallArray(op.getSrc().getType()) ||
        !isSmallArray(op.getType()))
      return failure();
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(
        op, cast<RankedTensorType>(op.getType()),
        getElements(rewriter, op.getLoc(), op.getSrc()));
    return success();
  }
};
} // namespace

/// `index == number`, folded where both are known.
static Value isIndex(RewriterBase &rewriter, Location loc, OpFoldResult index,
                     int64_t number) {
  if (std::optional<int64_t> known = getConstantIntValue(index))
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getBoolAttr(*known == number));
  return arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::eq, cast<Value>(index),
      arith::ConstantIndexOp::create(rewriter, loc, number));
}

/// Whether the indices are those of `position`; null if that is always so.
static Value isPosition(RewriterBase &rewriter, Location loc,
                        ArrayRef<OpFoldResult> indices,
                        ArrayRef<int64_t> position) {
  Value all;
  for (auto [index, number] : llvm::zip(indices, position)) {
    if (getConstantIntValue(index) == number)
      continue;
    Value one = isIndex(rewriter, loc, index, number);
    all = all ? rewriter.createOrFold<arith::AndIOp>(loc, all, one) : one;
  }
  return all;
}

static bool allConstant(ArrayRef<OpFoldResult> indices) {
  return llvm::all_of(indices, [](OpFoldResult index) {
    return getConstantIntValue(index).has_value();
  });
}

namespace {
/// One element replaced: at a run-time index every element is a select. Outside
/// the array nothing is: import has checked the index.
struct UnrollInsert : OpRewritePattern<tensor::InsertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!isInBody(op) || !isSmallArray(type))
      return failure();
    SmallVector<OpFoldResult> indices = getAsOpFoldResult(op.getIndices());
    Location loc = op.getLoc();
    SmallVector<Value> elements = getElements(rewriter, loc, op.getDest());
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    for (auto [i, element] : llvm::enumerate(elements)) {
      Value here = isPosition(rewriter, loc, indices, delinearize(i, strides));
      element = here ? rewriter.createOrFold<arith::SelectOp>(
                           loc, here, op.getScalar(), element)
                     : op.getScalar();
    }
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, type, elements);
    return success();
  }
};

/// A small slice replaced: every element of the result takes the element of the
/// slice that lies on it, if one does.
struct UnrollInsertSlice : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    auto slice = cast<RankedTensorType>(op.getSource().getType());
    if (!isInBody(op) || !isSmallArray(type) || !isSmallArray(slice) ||
        ShapedType::isDynamicShape(op.getStaticSizes()) ||
        !llvm::all_of(op.getStaticStrides(), [](int64_t s) { return s == 1; }))
      return failure();
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
    if (!allConstant(offsets) &&
        type.getNumElements() * slice.getNumElements() > kSmallArray)
      return failure();
    Location loc = op.getLoc();
    SmallVector<Value> elements = getElements(rewriter, loc, op.getDest());
    SmallVector<Value> values = getElements(rewriter, loc, op.getSource());
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    SmallVector<int64_t> inner = computeStrides(op.getStaticSizes());
    for (auto [v, value] : llvm::enumerate(values)) {
      SmallVector<int64_t> within = delinearize(v, inner);
      for (auto [i, element] : llvm::enumerate(elements)) {
        // Element i is under value v where i - within == offset.
        SmallVector<int64_t> position = delinearize(i, strides);
        bool possible = true;
        for (auto [p, w, size] : llvm::zip(position, within, type.getShape())) {
          p -= w;
          possible &= p >= 0;
        }
        if (!possible)
          continue;
        Value here = isPosition(rewriter, loc, offsets, position);
        element = here ? rewriter.createOrFold<arith::SelectOp>(loc, here,
                                                                value, element)
                       : value;
      }
    }
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, type, elements);
    return success();
  }
};

/// A read at a run-time index of few known elements is a chain of selects. A
/// read that may be outside keeps its check.
struct SelectElement : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AtOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getSource().getType());
    Operation *source = op.getSource().getDefiningOp();
    if (!isInBody(op) || !isSmallArray(type) || !source ||
        type.getNumElements() > kSelectChain || type.getNumElements() == 0 ||
        !isa<tensor::FromElementsOp, arith::ConstantOp>(source))
      return failure();
    SmallVector<OpFoldResult> indices = getAsOpFoldResult(op.getIndices());
    if (allConstant(indices))
      return failure(); // folds, or is outside: then it is an error
    Location loc = op.getLoc();
    if (!op.getInbounds())
      checkIndices(op, type, rewriter);
    SmallVector<Value> elements = getElements(rewriter, loc, op.getSource());
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    Value value = elements.front();
    for (int64_t i = 1; i < type.getNumElements(); ++i)
      if (Value here =
              isPosition(rewriter, loc, indices, delinearize(i, strides)))
        value = rewriter.createOrFold<arith::SelectOp>(loc, here, elements[i],
                                                       value);
    rewriter.replaceOp(op, value);
    return success();
  }

  /// One check for each dimension, as a read makes it.
  static void checkIndices(AtOp op, RankedTensorType type,
                           PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    for (auto [index, size] : llvm::zip(op.getIndices(), type.getShape())) {
      Value extent = arith::ConstantIndexOp::create(rewriter, loc, size);
      // Unsigned: a negative index is a large one.
      Value inside = rewriter.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::ult, index, extent);
      CheckOp::create(rewriter, loc, CheckKind::Index, inside,
                      "index {0} is outside of a dimension of size {1}",
                      ValueRange{index, extent});
    }
  }
};

/// A read of an extended small array at a constant index: the boundary is
/// resolved here.
struct ResolveBoundary : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AtOp op,
                                PatternRewriter &rewriter) const override {
    auto extend = op.getSource().getDefiningOp<ExtendOp>();
    if (!extend || !isInBody(op))
      return failure();
    auto type = cast<RankedTensorType>(extend.getType());
    SmallVector<OpFoldResult> indices = getAsOpFoldResult(op.getIndices());
    if (!isSmallArray(type) || type.getNumElements() == 0 ||
        !allConstant(indices))
      return failure();
    SmallVector<Value> resolved;
    for (auto [dim, index] : llvm::enumerate(indices)) {
      int64_t k = *getConstantIntValue(index), n = type.getDimSize(dim);
      if (k < 0 || k >= n) {
        switch (extend.getMode(dim)) {
        case BoundaryMode::None:
          return failure();
        case BoundaryMode::Fill:
          rewriter.replaceOp(op, extend.getFill(dim));
          return success();
        case BoundaryMode::Clamp:
          k = std::clamp<int64_t>(k, 0, n - 1);
          break;
        case BoundaryMode::Wrap:
          k = llvm::mod(k, n);
          break;
        case BoundaryMode::Mirror:
          k = llvm::mod(k, 2 * n);
          k = std::min(k, 2 * n - 1 - k);
          break;
        case BoundaryMode::Reflect:
          k = n == 1 ? 0 : llvm::mod(k, 2 * n - 2);
          k = n == 1 ? 0 : std::min(k, 2 * n - 2 - k);
          break;
        }
      }
      resolved.push_back(
          arith::ConstantIndexOp::create(rewriter, op.getLoc(), k));
    }
    rewriter.replaceOpWithNewOp<AtOp>(op, extend.getSource(), resolved,
                                      /*inbounds=*/true);
    return success();
  }
};

/// A body yields a small array as its elements.
struct YieldElements : OpRewritePattern<YieldOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(YieldOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<std::pair<unsigned, Value>> changes;
    for (auto [i, value] : llvm::enumerate(op.getValues())) {
      if (!isSmallArray(value.getType()) || isa<BlockArgument>(value) ||
          isa<tensor::FromElementsOp, arith::ConstantOp>(value.getDefiningOp()))
        continue; // elements that are constants fold to one constant
      changes.push_back({i, tensor::FromElementsOp::create(
                                rewriter, op.getLoc(),
                                cast<RankedTensorType>(value.getType()),
                                getElements(rewriter, op.getLoc(), value))});
    }
    if (changes.empty())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      for (auto &[i, value] : changes)
        op->setOperand(i, value);
    });
    return success();
  }
};
} // namespace

void arrc::array::populateUnrollElementPatterns(RewritePatternSet &patterns) {
  patterns.add<
      UnrollElementwise, UnrollSplat, UnrollReshape<tensor::CollapseShapeOp>,
      UnrollReshape<tensor::ExpandShapeOp>, UnrollInsert, UnrollInsertSlice,
      SelectElement, ResolveBoundary, YieldElements>(patterns.getContext());
}
