//===- KernelCanonicalize.cpp - Simpler forms of loops and accesses -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Support/Combiner.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// for
//===----------------------------------------------------------------------===//

namespace {

/// An extent that is a constant becomes a number.
struct FoldExtent : OpRewritePattern<ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ForOp loop,
                                PatternRewriter &rewriter) const final {
    APInt number;
    if (!loop.getExtent() ||
        !matchPattern(loop.getExtent(), m_ConstantInt(&number)) ||
        number.isNegative())
      return failure();
    rewriter.modifyOpInPlace(loop, [&] {
      loop.setMixedExtent(rewriter.getIndexAttr(number.getSExtValue()));
    });
    return success();
  }
};

/// A loop that never runs, or once without a level that others count on.
struct FoldFewIterations : OpRewritePattern<ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ForOp loop,
                                PatternRewriter &rewriter) const final {
    std::optional<int64_t> extent = loop.getStaticExtent();
    if (extent == 0) {
      rewriter.replaceOp(loop, loop.getSeeds());
      return success();
    }
    if (extent != 1 || loop.isScan() || loop.getLevelKind() < LevelKind::Seq)
      return failure();
    Block *body = loop.getBodyBlock();
    Value zero = arith::ConstantIndexOp::create(rewriter, loop.getLoc(), 0);
    SmallVector<Value> values(loop.getYield().getValues());
    llvm::replace(values, loop.getInductionVar(), zero);
    rewriter.eraseOp(loop.getYield());
    rewriter.inlineBlockBefore(body, loop, zero);
    if (loop.isReduce())
      values =
          inlineCombiner(rewriter, loop.getCombiner(), loop.getSeeds(), values);
    rewriter.replaceOp(loop, values);
    return success();
  }
};

/// An index is inside of a dimension that its loop walks as a whole: nothing is
/// to be checked, however the other indices of the access are made.
struct FoldOwnBound : OpRewritePattern<ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ForOp loop,
                                PatternRewriter &rewriter) const final {
    auto isExtent = [&](Value size) {
      if (size == loop.getExtent())
        return true;
      APInt number;
      return loop.getStaticExtent() &&
             matchPattern(size, m_ConstantInt(&number)) &&
             number.getSExtValue() >= *loop.getStaticExtent();
    };
    SmallVector<arith::CmpIOp> known;
    for (Operation *user : loop.getInductionVar().getUsers())
      if (auto compare = dyn_cast<arith::CmpIOp>(user))
        if (compare.getLhs() == loop.getInductionVar() &&
            llvm::is_contained(
                {arith::CmpIPredicate::ult, arith::CmpIPredicate::slt},
                compare.getPredicate()) &&
            isExtent(compare.getRhs()))
          known.push_back(compare);
    for (arith::CmpIOp compare : known) {
      for (Operation *user : llvm::make_early_inc_range(compare->getUsers()))
        if (auto check = dyn_cast<CheckOp>(user);
            check && check.getCondition() == compare)
          rewriter.eraseOp(check);
      rewriter.setInsertionPoint(compare);
      rewriter.replaceOpWithNewOp<arith::ConstantIntOp>(compare, 1, 1);
    }
    return success(!known.empty());
  }
};

} // namespace

void ForOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<FoldExtent, FoldFewIterations, FoldOwnBound>(context);
}

//===----------------------------------------------------------------------===//
// load, store, update
//===----------------------------------------------------------------------===//

namespace {

/// A mask that is known: on, it goes; off, the access does.
template <typename AccessOp> struct FoldMask : OpRewritePattern<AccessOp> {
  using OpRewritePattern<AccessOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(AccessOp access,
                                PatternRewriter &rewriter) const final {
    APInt mask;
    if (!access.getMask() ||
        !matchPattern(access.getMask(), m_ConstantInt(&mask)))
      return failure();
    if (!mask.isZero()) {
      rewriter.modifyOpInPlace(access,
                               [&] { access.getMaskMutable().clear(); });
      return success();
    }
    if (access->getNumResults() == 0) {
      rewriter.eraseOp(access);
      return success();
    }
    Type type = access->getResult(0).getType();
    if (!type.isIntOrIndexOrFloat())
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(access,
                                                   rewriter.getZeroAttr(type));
    return success();
  }
};

/// Edge modes that are all `none` say nothing.
struct FoldEdges : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LoadOp load,
                                PatternRewriter &rewriter) const final {
    if (!load.getEdge() ||
        !llvm::all_of(load.getEdge()->getModes(),
                      [](EdgeMode mode) { return mode == EdgeMode::None; }))
      return failure();
    rewriter.modifyOpInPlace(load, [&] { load.removeEdgeAttr(); });
    return success();
  }
};

} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<FoldMask<LoadOp>, FoldEdges>(context);
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<FoldMask<StoreOp>>(context);
}

void UpdateOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<FoldMask<UpdateOp>>(context);
}
