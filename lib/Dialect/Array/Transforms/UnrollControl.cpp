//===- UnrollControl.cpp - What control flow carries becomes scalars ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Part of arr-unroll-small-arrays: accumulators of folds, and what `scf.if`,
// `scf.for` and `scf.while` in bodies give and carry. Each operation is made
// again with scalars; `tensor.from_elements` at the seams keeps what reads the
// arrays as it is, until it is taken apart too.
//
//===----------------------------------------------------------------------===//

#include "UnrollPatterns.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace arrc::array;

/// Whether one of the types is a small array.
static bool anySmall(TypeRange types) {
  return llvm::any_of(types, isSmallArray);
}

/// Moves `from` to the empty region `to`, with scalars for the arguments after
/// the first `kept`; arrays of the old types are made at its head.
static void moveBlock(PatternRewriter &rewriter, Location loc, Region &from,
                      Region &to, unsigned kept) {
  Block *old = &from.front();
  SmallVector<Type> types(TypeRange(old->getArgumentTypes()).take_front(kept));
  SmallVector<Type> carried(
      TypeRange(old->getArgumentTypes()).drop_front(kept));
  llvm::append_range(types, toScalarTypes(carried));
  Block *block = rewriter.createBlock(&to, to.end(), types,
                                      SmallVector<Location>(types.size(), loc));
  SmallVector<Value> values(block->getArguments().take_front(kept));
  llvm::append_range(values,
                     fromScalars(rewriter, loc, carried,
                                 block->getArguments().drop_front(kept)));
  rewriter.mergeBlocks(old, block, values);
}

/// Gives the scalars of what `op` gave from operand `first` on.
static void scalarOperands(PatternRewriter &rewriter, Operation *op,
                           unsigned first, unsigned count) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands(op->getOperands().take_front(first));
  llvm::append_range(
      operands,
      toScalars(rewriter, op->getLoc(), op->getOperands().slice(first, count)));
  llvm::append_range(operands, op->getOperands().drop_front(first + count));
  rewriter.modifyOpInPlace(op, [&] { op->setOperands(operands); });
}

namespace {
/// Accumulators that are small arrays become one accumulator an element,
/// outside of bodies too: in memory they would be folds of arrays.
struct ScalarAccumulators : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (!anySmall(op.getResultTypes()))
      return failure();
    Location loc = op.getLoc();
    auto fold =
        ReduceOp::create(rewriter, loc, op.getMixedExtents(), op.getDimsAttr(),
                         toScalars(rewriter, loc, op.getInit()));
    fold->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.inlineRegionBefore(op.getBody(), fold.getBody(),
                                  fold.getBody().end());
      Operation *yield = fold.getBody().front().getTerminator();
      scalarOperands(rewriter, yield, 0, yield->getNumOperands());
      moveBlock(rewriter, loc, op.getCombiner(), fold.getCombiner(), 0);
      yield = fold.getCombiner().front().getTerminator();
      scalarOperands(rewriter, yield, 0, yield->getNumOperands());
    }
    SmallVector<Type> types(op.getResultTypes());
    rewriter.setInsertionPointAfter(fold);
    rewriter.replaceOp(op,
                       fromScalars(rewriter, loc, types, fold.getResults()));
    return success();
  }
};

struct ScalarIf : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op,
                                PatternRewriter &rewriter) const override {
    if (!isInBody(op) || !anySmall(op.getResultTypes()))
      return failure();
    SmallVector<Type> types(op.getResultTypes());
    auto scalar = scf::IfOp::create(rewriter, op.getLoc(), toScalarTypes(types),
                                    op.getCondition(), /*addThenBlock=*/false,
                                    /*addElseBlock=*/false);
    rewriter.inlineRegionBefore(op.getThenRegion(), scalar.getThenRegion(),
                                scalar.getThenRegion().end());
    rewriter.inlineRegionBefore(op.getElseRegion(), scalar.getElseRegion(),
                                scalar.getElseRegion().end());
    for (Block *block : {scalar.thenBlock(), scalar.elseBlock()})
      scalarOperands(rewriter, block->getTerminator(), 0, types.size());
    rewriter.setInsertionPointAfter(scalar);
    rewriter.replaceOp(
        op, fromScalars(rewriter, op.getLoc(), types, scalar.getResults()));
    return success();
  }
};

struct ScalarFor : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::ForOp op,
                                PatternRewriter &rewriter) const override {
    if (!isInBody(op) || !anySmall(op.getResultTypes()))
      return failure();
    Location loc = op.getLoc();
    SmallVector<Type> types(op.getResultTypes());
    auto scalar = scf::ForOp::create(
        rewriter, loc, op.getLowerBound(), op.getUpperBound(), op.getStep(),
        toScalars(rewriter, loc, op.getInitArgs()));
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.eraseBlock(scalar.getBody());
      moveBlock(rewriter, loc, op.getRegion(), scalar.getRegion(), 1);
      scalarOperands(rewriter, scalar.getBody()->getTerminator(), 0,
                     types.size());
    }
    rewriter.setInsertionPointAfter(scalar);
    rewriter.replaceOp(op,
                       fromScalars(rewriter, loc, types, scalar.getResults()));
    return success();
  }
};

struct ScalarWhile : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::WhileOp op,
                                PatternRewriter &rewriter) const override {
    if (!isInBody(op) ||
        !(anySmall(op.getResultTypes()) || anySmall(op.getOperandTypes())))
      return failure();
    Location loc = op.getLoc();
    SmallVector<Type> types(op.getResultTypes());
    auto scalar = scf::WhileOp::create(rewriter, loc, toScalarTypes(types),
                                       toScalars(rewriter, loc, op.getInits()));
    {
      OpBuilder::InsertionGuard guard(rewriter);
      moveBlock(rewriter, loc, op.getBefore(), scalar.getBefore(), 0);
      moveBlock(rewriter, loc, op.getAfter(), scalar.getAfter(), 0);
      scf::ConditionOp condition = scalar.getConditionOp();
      scalarOperands(rewriter, condition, 1, condition.getArgs().size());
      Operation *yield = scalar.getYieldOp();
      scalarOperands(rewriter, yield, 0, yield->getNumOperands());
    }
    rewriter.setInsertionPointAfter(scalar);
    rewriter.replaceOp(op,
                       fromScalars(rewriter, loc, types, scalar.getResults()));
    return success();
  }
};
} // namespace

void arrc::array::populateUnrollControlPatterns(RewritePatternSet &patterns) {
  patterns.add<ScalarAccumulators, ScalarIf, ScalarFor, ScalarWhile>(
      patterns.getContext());
}
