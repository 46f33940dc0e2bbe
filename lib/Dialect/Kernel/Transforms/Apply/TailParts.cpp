//===- TailParts.cpp - Few steps at a time where masks are ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TailParts.h"

#include "Interior.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/Transforms/ElementAccess.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Words of 32 bits that the loads of a part ask for at most.
static constexpr int64_t kMostWords = 16;

/// Words that one iteration of `loop` asks for by the loads that count.
static int64_t countWords(ForOp loop, llvm::function_ref<bool(LoadOp)> counts) {
  int64_t words = 0;
  loop.getBody().walk([&](LoadOp load) {
    if (!counts(load))
      return;
    int64_t bytes = getStoredBytes(
        cast<MemRefType>(load.getSource().getType()).getElementType());
    int64_t copies = llvm::divideCeil(bytes, 4);
    for (auto inner = load->getParentOfType<ForOp>(); inner != loop;
         inner = inner->getParentOfType<ForOp>())
      copies *= inner.getStaticExtent().value_or(1);
    words += copies;
  });
  return words;
}

/// The guard that decides what the innermost fold of `loop` gets, or all that
/// the innermost map does, and nothing beside it.
static scf::IfOp getOnlyGuard(ForOp loop) {
  for (;;) {
    ForOp inner;
    scf::IfOp guard;
    for (Operation &op : loop.getBodyBlock()->without_terminator()) {
      if (!op.getNumRegions())
        continue;
      if (inner || guard)
        return {};
      inner = dyn_cast<ForOp>(op);
      guard = dyn_cast<scf::IfOp>(op);
      if (!inner && !guard)
        return {};
    }
    Operation *only = inner ? inner.getOperation() : guard.getOperation();
    if (!only ||
        (loop.isReduce() &&
         !llvm::all_of(loop.getYield()->getOperands(), [&](Value value) {
           return value.getDefiningOp() == only;
         })))
      return {};
    if (guard)
      return guard->hasAttr(kTailAttr) ? guard : scf::IfOp();
    if (inner.isReduce() != loop.isReduce() || inner.isScan())
      return {};
    loop = inner;
  }
}

/// The number of iterations of `loop` from the first on in some of which the
/// guard holds; null if that cannot be told.
static Value createCount(IRRewriter &rewriter, ForOp loop) {
  scf::IfOp guard = getOnlyGuard(loop);
  auto compare =
      guard ? guard.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt ||
      !compare.getLhs().getType().isIndex())
    return {};
  LinearIndex form(compare.getLhs());
  form.add(LinearIndex(compare.getRhs()), -1);
  int64_t step = form.getCoefficient(loop.getInductionVar());
  if (step <= 0)
    return {};
  form.add(LinearIndex::ofValue(loop.getInductionVar()), -step);
  // For the lanes inside whose indices are 0.
  SmallVector<LinearIndex::Term> terms(form.getTerms());
  for (auto [value, factor] : terms) {
    if (loop.isDefinedOutsideOfLoop(value))
      continue;
    if (factor < 0 || !isa<BlockArgument>(value))
      return {};
    form.add(LinearIndex::ofValue(value), -factor);
  }
  return createBound(rewriter, loop.getLoc(), form, step);
}

/// One loop over parts of `part` iterations each, around one over these.
static void splitParts(IRRewriter &rewriter, ForOp loop, int64_t part) {
  Location loc = loop.getLoc();
  int64_t parts = *loop.getStaticExtent() / part;
  rewriter.setInsertionPoint(loop);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  Value count = createCount(rewriter, loop);
  if (count) {
    count = arith::MaxSIOp::create(rewriter, loc, count, number(0));
    count = toValue(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(
            rewriter, loc,
            AffineMap::get(1, 0, rewriter.getAffineDimExpr(0).ceilDiv(part)),
            OpFoldResult(count)));
    count = arith::MinSIOp::create(rewriter, loc, count, number(parts));
  } else {
    count = number(parts);
  }
  SmallVector<Value> neutrals;
  if (loop.isReduce())
    neutrals = createNeutrals(rewriter, loop);
  ForOp outer =
      createLoopLike(rewriter, loop, loop.getDim(), count, loop.getSeeds(),
                     LevelAttr::get(loop.getContext(), LevelKind::Seq, 0));
  outer->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  auto enter = [&](ForOp around) {
    if (loop.isReduce())
      rewriter.setInsertionPointToEnd(around.getBodyBlock());
    else
      rewriter.setInsertionPoint(around.getBodyBlock()->getTerminator());
  };
  enter(outer);
  ForOp inner =
      createLoopLike(rewriter, loop, loop.getDim(), rewriter.getIndexAttr(part),
                     neutrals, loop.getLevelAttr());
  if (loop.isReduce())
    YieldOp::create(rewriter, loc, inner.getResults());
  enter(inner);
  AffineExpr index =
      rewriter.getAffineDimExpr(0) * part + rewriter.getAffineDimExpr(1);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(),
              toValue(rewriter, loc,
                      affine::makeComposedFoldedAffineApply(
                          rewriter, loc, AffineMap::get(2, 0, index),
                          {OpFoldResult(outer.getInductionVar()),
                           OpFoldResult(inner.getInductionVar())})));
  for (Operation &op : loop.getBodyBlock()->without_terminator())
    rewriter.clone(op, mapping);
  if (loop.isReduce())
    rewriter.clone(*loop.getYield(), mapping);
  rewriter.replaceOp(loop, outer.getResults());
}

/// The most iterations of `extent` that ask for `words` words each and, all
/// together, for no more than is allowed, as a divisor.
static int64_t fitPart(int64_t extent, int64_t words) {
  int64_t part = std::clamp<int64_t>(kMostWords / words, 1, extent);
  while (extent % part)
    --part;
  return part;
}

/// Iterations of `loop` that its loads allow to take together; 0 if none of
/// these stands in front of branches.
static int64_t getPart(ForOp loop) {
  int64_t words =
      countWords(loop, [](LoadOp load) { return bool(load.getMask()); });
  return words ? fitPart(*loop.getStaticExtent(), words) : 0;
}

void arrc::kernel::runInOrder(ForOp loop) {
  loop.setLevelAttr(LevelAttr::get(loop.getContext(), LevelKind::Seq, 0));
}

/// Whether iterations of `loop` taken together would do nothing sooner: loads
/// at edges and updates have branches of their own, and checks tell where they
/// failed by the loops around them.
static bool branchesAnyway(ForOp loop) {
  return loop.getBody()
      .walk([](Operation *op) {
        auto load = dyn_cast<LoadOp>(op);
        return isa<UpdateOp, CheckOp>(op) || (load && load.getEdge())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void arrc::kernel::foldInParts(IRRewriter &rewriter, ForOp tail) {
  SmallVector<ForOp> folds;
  tail.getBody().walk([&](ForOp loop) {
    if (loop.isReduce() && loop.getLevelKind() == LevelKind::Unroll &&
        loop.getStaticExtent())
      folds.push_back(loop);
  });
  for (ForOp loop : folds)
    if (int64_t part = getPart(loop);
        part > 1 && part < int64_t(*loop.getStaticExtent()))
      splitParts(rewriter, loop, part);
}

int64_t arrc::kernel::getMaskedPart(ForOp body, int64_t extent,
                                    int64_t copies) {
  int64_t words = countWords(
      body, [](LoadOp load) { return isa<BlockArgument>(load.getSource()); });
  bool isPlain = llvm::none_of(body.getBodyBlock()->without_terminator(),
                               [](Operation &op) { return isa<ForOp>(op); });
  return words && isPlain && !branchesAnyway(body)
             ? fitPart(extent, words * copies)
             : 1;
}

void arrc::kernel::takeInParts(IRRewriter &rewriter, Operation *root) {
  SmallVector<ForOp> loops;
  root->walk([&](ForOp loop) {
    if (loop.getLevelKind() == LevelKind::Unroll)
      loops.push_back(loop);
  });
  for (ForOp loop : loops) {
    int64_t part =
        loop.isScan() || !loop.getStaticExtent() || branchesAnyway(loop)
            ? 0
            : getPart(loop);
    if (part < 2)
      runInOrder(loop);
    else if (part < int64_t(*loop.getStaticExtent()))
      splitParts(rewriter, loop, part);
  }
}
