//===- NormalForm.cpp - The form that producers are brought to ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Part of arr-fuse-producers: `for i { for j { .. } }` without work between the
// two is `for i, j { .. }`, whose elements can be computed alone.
//
//===----------------------------------------------------------------------===//

#include "FuseProducers.h"

#include "BodyCost.h"

#include "arrc/Dialect/Array/IR/WrittenSchedule.h"

using namespace mlir;
using namespace arrc::array;

namespace {
struct CollapseMaps : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const override {
    Block &body = op.getBody().front();
    auto yield = cast<YieldOp>(body.getTerminator());
    auto inner = yield.getNumOperands()
                     ? yield.getOperand(0).getDefiningOp<MapOp>()
                     : MapOp();
    if (!inner || inner->getBlock() != &body || hasWrittenSchedule(op) ||
        hasWrittenSchedule(inner) ||
        !llvm::equal(yield.getValues(), inner.getResults()) ||
        !llvm::all_of(inner.getResults(),
                      [](Value result) { return result.hasOneUse(); }) ||
        !llvm::all_of(inner.getExtents(), [&](Value extent) {
          return extent.getParentRegion()->isProperAncestor(&op.getBody());
        }))
      return failure();
    // What stands around the inner map runs for each of its points then.
    BodyCost between;
    for (Operation &other : body.without_terminator()) {
      if (&other == inner)
        continue;
      if (!isMemoryEffectFree(&other))
        return failure();
      between.add(&other);
    }
    if (between.loops || between.work > 2 || between.reads > 1)
      return failure();

    SmallVector<OpFoldResult> extents = op.getMixedExtents();
    llvm::append_range(extents, inner.getMixedExtents());
    ArrayAttr dims;
    if (op.getDims() && inner.getDims()) {
      SmallVector<Attribute> names(op.getDimsAttr().getValue());
      llvm::append_range(names, inner.getDimsAttr().getValue());
      dims = rewriter.getArrayAttr(names);
    }
    auto flat = MapOp::create(rewriter, op.getLoc(), op.getResultTypes(),
                              extents, dims);
    flat->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
    SmallVector<Type> types(extents.size(), rewriter.getIndexType());
    Block *block =
        rewriter.createBlock(&flat.getBody(), {}, types,
                             SmallVector<Location>(types.size(), op.getLoc()));
    unsigned outer = op.getStaticExtents().size();
    Block &innerBody = inner.getBody().front();
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(&body, block, block->end(),
                               block->getArguments().take_front(outer));
    rewriter.mergeBlocks(&innerBody, block,
                         block->getArguments().drop_front(outer));
    rewriter.eraseOp(inner);
    rewriter.replaceOp(op, flat.getResults());
    return success();
  }
};
} // namespace

void arrc::array::populateNormalFormPatterns(RewritePatternSet &patterns) {
  patterns.add<CollapseMaps>(patterns.getContext());
}
