//===- TailParts.cpp - Few steps at a time where a fold ends --------------===//
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

/// Words that one iteration of `loop` asks for in front of its branches.
static int64_t countWordsAhead(ForOp loop) {
  int64_t words = 0;
  loop.getBody().walk([&](LoadOp load) {
    if (!load.getMask())
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

/// The guard that decides what the innermost fold of `loop` gets, and nothing
/// beside it.
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
        !llvm::all_of(loop.getYield()->getOperands(), [&](Value value) {
          return value.getDefiningOp() == only;
        }))
      return {};
    if (guard)
      return guard->hasAttr(kTailAttr) ? guard : scf::IfOp();
    if (!inner.isReduce())
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

static void foldInParts(IRRewriter &rewriter, ForOp loop, int64_t part) {
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
  SmallVector<Value> neutrals = createNeutrals(rewriter, loop);
  ForOp outer =
      createLoopLike(rewriter, loop, loop.getDim(), count, loop.getSeeds(),
                     LevelAttr::get(loop.getContext(), LevelKind::Seq, 0));
  rewriter.setInsertionPointToEnd(outer.getBodyBlock());
  ForOp inner =
      createLoopLike(rewriter, loop, loop.getDim(), rewriter.getIndexAttr(part),
                     neutrals, loop.getLevelAttr());
  YieldOp::create(rewriter, loc, inner.getResults());
  rewriter.setInsertionPointToEnd(inner.getBodyBlock());
  AffineExpr index =
      rewriter.getAffineDimExpr(0) * part + rewriter.getAffineDimExpr(1);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(),
              toValue(rewriter, loc,
                      affine::makeComposedFoldedAffineApply(
                          rewriter, loc, AffineMap::get(2, 0, index),
                          {OpFoldResult(outer.getInductionVar()),
                           OpFoldResult(inner.getInductionVar())})));
  for (Operation &op : loop.getBodyBlock()->getOperations())
    rewriter.clone(op, mapping);
  rewriter.replaceOp(loop, outer.getResults());
}

void arrc::kernel::foldInParts(IRRewriter &rewriter, ForOp tail) {
  SmallVector<ForOp> folds;
  tail.getBody().walk([&](ForOp loop) {
    if (loop.isReduce() && loop.getLevelKind() == LevelKind::Unroll &&
        loop.getStaticExtent())
      folds.push_back(loop);
  });
  for (ForOp loop : folds) {
    int64_t words = countWordsAhead(loop), extent = *loop.getStaticExtent();
    if (!words)
      continue;
    int64_t part = std::clamp<int64_t>(kMostWords / words, 1, extent);
    while (extent % part)
      --part;
    if (part > 1 && part < extent)
      ::foldInParts(rewriter, loop, part);
  }
}
