//===- ArrayCanonicalize.cpp - Local rewrites of the array dialect --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Rewrites that are always right and always wanted: sizes are the values that
// the operations name, views compose, known extents become numbers, results
// that nobody reads go.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/GuardedRead.h"
#include "arrc/Support/DimNumber.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace arrc::array;

/// Elements stay in reach of their array: an extended array has more.
static ExtendOp extensionOf(Value array) {
  return array.getDefiningOp<ExtendOp>();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {
/// tensor.dim of one of our values is the value that names the size.
struct DimOfArray : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> dim = arrc::getDimNumber(op);
    if (!dim)
      return failure();
    Operation *source = op.getSource().getDefiningOp();
    if (!source || !isa<ArrayDialect>(source->getDialect()))
      return failure();
    OpFoldResult size = getKnownSize(op.getSource(), *dim);
    if (!size)
      return failure();
    rewriter.replaceOp(
        op, getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size));
    return success();
  }
};

/// An extent that is a constant becomes a number, of the result types too.
template <typename OpTy> struct NumberExtents : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> extents = op.getMixedExtents();
    if (failed(foldDynamicIndexList(extents, /*onlyNonNegative=*/true)))
      return failure();
    SmallVector<Value> values;
    SmallVector<int64_t> numbers;
    dispatchIndexOpFoldResults(extents, values, numbers);
    rewriter.modifyOpInPlace(op, [&] {
      op.getExtentsMutable().assign(values);
      op.setStaticExtents(numbers);
    });
    rewriter.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      ResultForm form = op.getResultForm(result.getResultNumber());
      if (form != ResultForm::Element && form != ResultForm::Prefix)
        continue;
      auto old = cast<RankedTensorType>(result.getType());
      SmallVector<int64_t> shape(old.getShape());
      llvm::copy(numbers, shape.begin());
      auto type = RankedTensorType::get(shape, old.getElementType());
      if (type == old)
        continue;
      result.setType(type);
      if (result.use_empty())
        continue;
      auto cast = tensor::CastOp::create(rewriter, op.getLoc(), old, result);
      rewriter.replaceAllUsesExcept(result, cast, cast);
    }
    return success();
  }
};

/// A read or view of a cast reads what was cast: sizes do not change.
template <typename OpTy> struct ReadThroughCast : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto cast = op.getSource().template getDefiningOp<tensor::CastOp>();
    if (!cast || !isa<RankedTensorType>(cast.getSource().getType()))
      return failure();
    rewriter.modifyOpInPlace(
        op, [&] { op.getSourceMutable().assign(cast.getSource()); });
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

namespace {
/// at(view) reads the source at the mapped index. A read that may be outside
/// stays: its error speaks of the view, which can be smaller than its source.
struct AtOfView : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AtOp op,
                                PatternRewriter &rewriter) const override {
    auto view = op.getSource().getDefiningOp<ViewOp>();
    if (!view || !op.getInbounds())
      return failure();
    SmallVector<OpFoldResult> operands = getAsOpFoldResult(op.getIndices());
    llvm::append_range(operands, getAsOpFoldResult(view.getSymbols()));
    SmallVector<Value> indices;
    AffineMap map = view.getMap();
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      indices.push_back(getValueOrCreateConstantIndexOp(
          rewriter, op.getLoc(),
          affine::makeComposedFoldedAffineApply(rewriter, op.getLoc(),
                                                map.getSubMap({i}), operands)));
    auto read = AtOp::create(rewriter, op.getLoc(), view.getSource(), indices,
                             /*inbounds=*/true);
    keepGuard(op, read);
    guardViewed(view, read);
    rewriter.replaceOp(op, read);
    return success();
  }
};

namespace {
/// `base + by`; a number alone has no base.
struct Shifted {
  Value base;
  int64_t by = 0;
};
} // namespace

/// Takes off the sums with numbers that an index begins with.
static Shifted takeOffShifts(OpFoldResult index) {
  if (auto number = getConstantIntValue(index))
    return {Value(), *number};
  Shifted result{cast<Value>(index)};
  while (auto apply = result.base.getDefiningOp<affine::AffineApplyOp>()) {
    AffineExpr expr = apply.getAffineMap().getResult(0);
    auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
    if (apply.getMapOperands().size() != 1 || !sum ||
        sum.getKind() != AffineExprKind::Add ||
        !isa<AffineDimExpr, AffineSymbolExpr>(sum.getLHS()))
      break;
    auto by = dyn_cast<AffineConstantExpr>(sum.getRHS());
    if (!by || llvm::AddOverflow(result.by, by.getValue(), result.by))
      break;
    result.base = apply.getMapOperands().front();
  }
  return result;
}

/// What `a` is more than `b`; nothing if that is no constant.
static std::optional<int64_t> findDifference(OpFoldResult a, OpFoldResult b) {
  // Most are told apart so; maps are made and kept for each question.
  Shifted x = takeOffShifts(a), y = takeOffShifts(b);
  int64_t apart;
  if (x.base == y.base)
    return llvm::SubOverflow(x.by, y.by, apart) ? std::nullopt
                                                : std::optional(apart);
  auto isPlain = [](Value base) {
    return !base || !base.getDefiningOp<affine::AffineApplyOp>();
  };
  if (isPlain(x.base) && isPlain(y.base))
    return std::nullopt;
  Builder builder(a.getContext());
  SmallVector<Value> operands;
  auto asExpr = [&](OpFoldResult value) {
    if (auto number = getConstantIntValue(value))
      return builder.getAffineConstantExpr(*number);
    operands.push_back(cast<Value>(value));
    return builder.getAffineDimExpr(operands.size() - 1);
  };
  AffineExpr difference = asExpr(a) - asExpr(b);
  auto map = AffineMap::get(operands.size(), 0, difference);
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  auto constant = dyn_cast<AffineConstantExpr>(map.getResult(0));
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

/// A read of the element that was assigned last reads what was assigned.
/// Elements that surely lie elsewhere may have been assigned since.
struct AtOfElement : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AtOp op,
                                PatternRewriter &rewriter) const override {
    // A chain of any length would be followed from each of its reads.
    constexpr unsigned farthest = 512;
    Value array = op.getSource();
    for (unsigned step = 0; step < farthest; ++step) {
      if (auto bind = array.getDefiningOp<BindOp>()) {
        array = bind.getSource();
        continue;
      }
      auto insert = array.getDefiningOp<tensor::InsertSliceOp>();
      if (!insert || insert.getSourceType().getRank() != 0)
        return failure();
      bool isHere = true, isElsewhere = false;
      for (auto [index, offset] :
           llvm::zip(op.getIndices(), insert.getMixedOffsets())) {
        std::optional<int64_t> difference = findDifference(index, offset);
        isHere &= difference == 0;
        isElsewhere |= difference && *difference != 0;
      }
      auto element = insert.getSource().getDefiningOp<tensor::FromElementsOp>();
      if (isHere && element) {
        rewriter.replaceOp(op, element.getElements().front());
        return success();
      }
      if (!isElsewhere)
        return failure();
      array = insert.getDest();
    }
    return failure();
  }
};

/// view(view) is one view: maps compose.
struct ViewOfView : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ViewOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<ViewOp>();
    if (!inner)
      return failure();
    SmallVector<Value> operands(inner.getSymbols());
    llvm::append_range(operands, op.getSymbols());
    rewriter.replaceOpWithNewOp<ViewOp>(op, inner.getSource(),
                                        inner.getMap().compose(op.getMap()),
                                        operands, op.getMixedExtents());
    return success();
  }
};

/// Symbols that are constants, repeated or not used leave the map.
struct SimplifyViewSymbols : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ViewOp op,
                                PatternRewriter &rewriter) const override {
    AffineMap map = op.getMap();
    SmallVector<AffineExpr> symbols;
    SmallVector<Value> operands;
    for (auto [i, operand] : llvm::enumerate(op.getSymbols())) {
      if (std::optional<int64_t> number = getConstantIntValue(operand)) {
        symbols.push_back(rewriter.getAffineConstantExpr(*number));
      } else if (!map.isFunctionOfSymbol(i)) {
        symbols.push_back(rewriter.getAffineConstantExpr(0));
      } else {
        auto *found = llvm::find(operands, operand);
        symbols.push_back(
            rewriter.getAffineSymbolExpr(found - operands.begin()));
        if (found == operands.end())
          operands.push_back(operand);
      }
    }
    if (operands.size() == op.getSymbols().size())
      return failure();
    SmallVector<AffineExpr> dims;
    for (unsigned i = 0; i < map.getNumDims(); ++i)
      dims.push_back(rewriter.getAffineDimExpr(i));
    map = map.replaceDimsAndSymbols(dims, symbols, map.getNumDims(),
                                    operands.size());
    rewriter.replaceOpWithNewOp<ViewOp>(op, op.getSource(), map, operands,
                                        op.getMixedExtents());
    return success();
  }
};

/// extend(extend): inside, the outer modes decide; where they pass an index on,
/// the inner ones do. Two fills would change which of them is read first.
struct ExtendOfExtend : OpRewritePattern<ExtendOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ExtendOp op,
                                PatternRewriter &rewriter) const override {
    ExtendOp inner = extensionOf(op.getSource());
    if (!inner || (!op.getFills().empty() && !inner.getFills().empty()))
      return failure();
    SmallVector<BoundaryMode> modes;
    SmallVector<Value> fills;
    for (unsigned dim = 0; dim < op.getModes().size(); ++dim) {
      ExtendOp from = op.getMode(dim) == BoundaryMode::None ? inner : op;
      modes.push_back(from.getMode(dim));
      if (Value fill = from.getFill(dim))
        fills.push_back(fill);
    }
    rewriter.replaceOpWithNewOp<ExtendOp>(op, inner.getSource(), modes, fills);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Maps and checks
//===----------------------------------------------------------------------===//

namespace {
/// Values that no result needs are not computed.
template <typename OpTy> struct DropUnusedResults : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (op.use_empty() || llvm::none_of(op.getResults(), [](Value result) {
          return result.use_empty();
        }))
      return failure();
    auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
    SmallVector<Value> kept, values;
    SmallVector<Type> types;
    for (auto [result, value] : llvm::zip(op.getResults(), yield.getValues()))
      if (!result.use_empty()) {
        kept.push_back(result);
        values.push_back(value);
        types.push_back(result.getType());
      }
    rewriter.modifyOpInPlace(yield,
                             [&] { yield.getGivenMutable().assign(values); });
    auto copy = OpTy::create(rewriter, op.getLoc(), types, op.getMixedExtents(),
                             op.getDimsAttr());
    copy->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
    if constexpr (std::is_same_v<OpTy, StencilOp>)
      copy.setReachAttr(op.getReachAttr());
    copy.getBody().takeBody(op.getBody());
    for (auto [from, to] : llvm::zip(kept, copy.getResults()))
      rewriter.replaceAllUsesWith(from, to);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Arrays of a filter that nobody needs are not made.
struct DropUnusedArrays : OpRewritePattern<FilterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FilterOp op,
                                PatternRewriter &rewriter) const override {
    if (op.use_empty() || llvm::none_of(op.getArrays(), [](Value array) {
          return array.use_empty();
        }))
      return failure();
    auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
    SmallVector<Value> results{op.getCount()},
        values{yield.getValues().front()};
    SmallVector<Type> types;
    for (auto [array, value] :
         llvm::zip(op.getArrays(), yield.getValues().drop_front()))
      if (!array.use_empty()) {
        results.push_back(array);
        values.push_back(value);
        types.push_back(array.getType());
      }
    rewriter.modifyOpInPlace(yield,
                             [&] { yield.getGivenMutable().assign(values); });
    auto copy =
        FilterOp::create(rewriter, op.getLoc(), types,
                         op.getMixedExtents().front(), op.getDimsAttr());
    copy->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
    copy.getBody().takeBody(op.getBody());
    for (auto [from, to] : llvm::zip(results, copy.getResults()))
      rewriter.replaceAllUsesWith(from, to);
    rewriter.eraseOp(op);
    return success();
  }
};

/// The array of which `view` shows the row at `indices`, all of it; null if it
/// shows anything else.
static Value getSourceOfRow(ViewOp view, ValueRange indices) {
  AffineMap map = view.getMap();
  SmallVector<OpFoldResult> extents = view.getMixedExtents();
  unsigned first = indices.size();
  if (map.getNumResults() != first + extents.size() ||
      !llvm::equal(view.getSymbols(), indices))
    return {};
  MLIRContext *context = view.getContext();
  for (unsigned i = 0; i < first; ++i)
    if (map.getResult(i) != getAffineSymbolExpr(i, context))
      return {};
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    OpFoldResult size = getKnownSize(view.getSource(), first + dim);
    if (map.getResult(first + dim) != getAffineDimExpr(dim, context) || !size ||
        !isEqualConstantIntOrValue(size, extent))
      return {};
  }
  return view.getSource();
}

/// A result that reads one array at its own index, all of it, is that array; so
/// is one whose rows are.
template <typename OpTy> struct CopyOfArray : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
    // An assert of the body counts wherever its values do, and so does what is
    // said of sizes, which may be its values.
    for (CheckOp check : op.getBody().template getOps<CheckOp>())
      if (check.getKind() == CheckKind::Assert ||
          check.getKind() == CheckKind::Size)
        return failure();
    bool changed = false;
    for (auto [value, result] : llvm::zip(yield.getValues(), op.getResults()))
      if (!result.use_empty())
        if (Value source = getCopied(op, value, result)) {
          rewriter.replaceAllUsesWith(result, source);
          changed = true;
        }
    return success(changed);
  }

  static Value getCopied(OpTy op, Value value, Value result) {
    Operation *read = value.getDefiningOp();
    if (!read || read->getBlock() != &op.getBody().front())
      return {};
    ValueRange indices = op.getBody().getArguments();
    Value source;
    if (auto view = dyn_cast<ViewOp>(read))
      source = getSourceOfRow(view, indices);
    else if (auto at = dyn_cast<AtOp>(read))
      source = llvm::equal(at.getIndices(), indices) ? at.getSource() : Value();
    if (!source || source.getType() != result.getType() ||
        op->isAncestor(source.getParentRegion()->getParentOp()) ||
        extensionOf(source))
      return {};
    bool isWhole =
        llvm::all_of(llvm::enumerate(op.getMixedExtents()), [&](auto extent) {
          OpFoldResult size = getKnownSize(source, extent.index());
          return size && isEqualConstantIntOrValue(size, extent.value());
        });
    return isWhole ? source : Value();
  }
};

/// A loop carries the array itself: its results and arguments are bound again.
template <typename OpTy> struct CarryUnbound : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!isa<scf::ForOp, scf::WhileOp>(op->getParentOp()))
      return failure();
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands())
      if (auto bind = operand.get().template getDefiningOp<BindOp>();
          bind && isa<BlockArgument>(bind.getSource())) {
        rewriter.modifyOpInPlace(op, [&] { operand.set(bind.getSource()); });
        changed = true;
      }
    return success(changed);
  }
};

/// A check that holds is none.
struct DropTrueCheck : OpRewritePattern<CheckOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CheckOp op,
                                PatternRewriter &rewriter) const override {
    if (getConstantIntValue(op.getOk()).value_or(0) == 0)
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// A check of sizes that is the same at all points of a map stands before it,
/// and holds if there are none. In a loop of the host it would be the host's.
template <typename OpTy> struct CheckBeforeMap : OpRewritePattern<CheckOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(CheckOp op,
                                PatternRewriter &rewriter) const override {
    auto map = dyn_cast<OpTy>(op->getParentOp());
    if (!map || op.getKind() != CheckKind::Size ||
        map->template getParentOfType<scf::ForOp>() ||
        map->template getParentOfType<scf::WhileOp>())
      return failure();
    auto isOutside = [&](Value value) {
      return !map->isAncestor(value.getParentBlock()->getParentOp());
    };
    if (!llvm::all_of(op.getValues(), isOutside))
      return failure();
    if (Operation *def = op.getOk().getDefiningOp(); !isOutside(op.getOk())) {
      if (!def || def->getNumRegions() || !isPure(def) ||
          !llvm::all_of(def->getOperands(), isOutside))
        return failure();
      rewriter.moveOpBefore(def, map);
    }
    rewriter.setInsertionPoint(map);
    Location loc = op.getLoc();
    Value ok = op.getOk(), zero;
    for (Value extent : map.getExtents()) {
      if (!zero)
        zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
      Value none = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::sle, extent, zero);
      ok = arith::OrIOp::create(rewriter, loc, ok, none);
    }
    CheckOp::create(rewriter, loc, op.getKind(), ok, op.getMessage(),
                    op.getValues());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void ArrayDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  patterns.add<DimOfArray, CarryUnbound<scf::YieldOp>,
               CarryUnbound<scf::ConditionOp>>(patterns.getContext());
}

void MapOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns
      .add<NumberExtents<MapOp>, DropUnusedResults<MapOp>, CopyOfArray<MapOp>>(
          context);
}

void StencilOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<NumberExtents<StencilOp>, DropUnusedResults<StencilOp>,
               CopyOfArray<StencilOp>>(context);
}

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<NumberExtents<ReduceOp>>(context);
}

void ScanOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<NumberExtents<ScanOp>>(context);
}

void ScatterOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<NumberExtents<ScatterOp>>(context);
}

void FilterOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<NumberExtents<FilterOp>, DropUnusedArrays>(context);
}

void AtOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                       MLIRContext *context) {
  patterns.add<AtOfView, AtOfElement, ReadThroughCast<AtOp>>(context);
}

void ViewOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<ViewOfView, SimplifyViewSymbols, ReadThroughCast<ViewOp>>(
      context);
}

void ExtendOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<ExtendOfExtend>(context);
}

void CheckOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<DropTrueCheck, CheckBeforeMap<MapOp>, CheckBeforeMap<StencilOp>>(
      context);
}
