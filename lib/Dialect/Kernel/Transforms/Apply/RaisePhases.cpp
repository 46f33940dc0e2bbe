//===- RaisePhases.cpp - The phases around a raised fold ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The accumulators of a fold that is raised (RaiseFolds.cpp), what is added to
// them, and how they become results.
//
//===----------------------------------------------------------------------===//

#include "FoldRaiser.h"

#include "../Shared/InterleavedPartials.h"

#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <array>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {
/// Folds in folds: what the innermost one yields is what all come to.
class FoldNest {
public:
  FoldNest(IRRewriter &rewriter, ArrayRef<Value> seeds,
           ArrayRef<Value> neutrals)
      : rewriter(rewriter), seeds(seeds), neutrals(neutrals) {}

  /// A fold like `model` inside of those that are open; its index.
  Value open(ForOp model, const Twine &suffix, OpFoldResult extent,
             LevelAttr level) {
    ForOp copy =
        createLoopLike(rewriter, model, (model.getDim() + suffix).str(), extent,
                       outermost ? neutrals : seeds, level);
    if (outermost)
      YieldOp::create(rewriter, copy.getLoc(), copy.getResults());
    else
      outermost = copy;
    rewriter.setInsertionPointToEnd(copy.getBodyBlock());
    return copy.getInductionVar();
  }

  /// Folds like `loops`, one inside of the other, over all that their digits
  /// may have if `whole`.
  LogicalResult openAll(ArrayRef<ForOp> loops, StringRef suffix,
                        NestScalars &scalars, IRMapping &mapping,
                        bool whole = false) {
    for (ForOp loop : loops) {
      FailureOr<OpFoldResult> extent =
          whole ? scalars.cloneBound(rewriter, loop, mapping)
                : scalars.cloneExtent(rewriter, loop, mapping);
      if (failed(extent))
        return failure();
      mapping.map(loop.getInductionVar(),
                  open(loop, suffix, *extent, loop.getLevelAttr()));
    }
    return success();
  }

  /// Ends all of them with `values`, which are what there is if there are none.
  SmallVector<Value> close(SmallVector<Value> values) {
    if (!outermost)
      return values;
    YieldOp::create(rewriter, outermost.getLoc(), values);
    rewriter.setInsertionPointAfter(outermost);
    return SmallVector<Value>(outermost.getResults());
  }

  explicit operator bool() { return bool(outermost); }

private:
  IRRewriter &rewriter;
  ArrayRef<Value> seeds, neutrals;
  ForOp outermost;
};
} // namespace

std::pair<int64_t, unsigned> FoldRaiser::getMergers() {
  constexpr unsigned axes = 3;
  std::array<bool, axes> isTaken{};
  for (ForOp loop : llvm::concat<ForOp>(tiles, inner))
    if (loop.getLevelKind() == LevelKind::Thread && loop.getStaticExtent() != 1)
      isTaken[loop.getLevelAttr().getAxis()] = true;
  // On another axis than their own the threads of the fold would be a factor of
  // the block's, not the same threads.
  int64_t threads = 1;
  unsigned axis = 0;
  while (axis + 1 < axes && isTaken[axis])
    ++axis;
  for (ForOp loop : llvm::concat<ForOp>(raised, kept)) {
    if (loop.getLevelKind() != LevelKind::Thread)
      continue;
    unsigned own = loop.getLevelAttr().getAxis();
    int64_t extent = loop.getStaticExtent().value_or(1);
    if (!isTaken[own] && extent > threads) {
      threads = extent;
      axis = own;
    }
  }
  return {threads, axis};
}

SmallVector<Value> FoldRaiser::loadAll(ArrayRef<Value> arrays,
                                       ArrayRef<Value> place) {
  return llvm::map_to_vector(arrays, [&](Value array) -> Value {
    return LoadOp::create(rewriter, loc, array, place);
  });
}

LogicalResult FoldRaiser::createAccumulators(IRMapping &mapping,
                                             OpFoldResult copies,
                                             ArrayRef<ForOp> threads,
                                             function_ref<bool(ForOp)> has,
                                             SmallVectorImpl<Value> &arrays) {
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  if (copies)
    dispatchIndexOpFoldResult(copies, sizes, shape);
  auto add = [&](ForOp loop, NestScalars &scalars) -> LogicalResult {
    FailureOr<OpFoldResult> extent =
        scalars.cloneBound(rewriter, loop, mapping);
    if (succeeded(extent))
      dispatchIndexOpFoldResult(*extent, sizes, shape);
    return extent;
  };
  for (ForOp loop : threads)
    if (failed(add(loop, innerScalars)))
      return failure();
  for (ForOp loop : parallels)
    if (has(loop) && failed(add(loop, outerScalars)))
      return failure();
  for (Type type : fold.getResultTypes())
    arrays.push_back(LocalOp::create(
        rewriter, loc, MemRefType::get(shape, type), sizes, StringAttr()));
  return success();
}

LogicalResult FoldRaiser::createOwn(IRMapping &mapping) {
  return createAccumulators(
      mapping, {}, dealt,
      [&](ForOp loop) { return llvm::is_contained(inner, loop); }, own);
}

LogicalResult FoldRaiser::createLocals(IRMapping &mapping) {
  if (!blocks.empty()) {
    AffineExpr x, y;
    bindSymbols(rewriter.getContext(), x, y);
    blockCount = rewriter.getIndexAttr(1);
    for (ForOp loop : blocks) {
      FailureOr<OpFoldResult> extent =
          innerScalars.cloneExtent(rewriter, loop, mapping);
      if (failed(extent))
        return failure();
      blockExtents.push_back(*extent);
      blockCount = affine::makeComposedFoldedAffineApply(rewriter, loc, x * y,
                                                         {blockCount, *extent});
    }
  }
  return createAccumulators(
      mapping, blockCount, {},
      [&](ForOp loop) { return !llvm::is_contained(outer, loop); }, locals);
}

/// Inside of the raised loops: contributions are added to the accumulators.
LogicalResult FoldRaiser::emitContributions(IRMapping &mapping) {
  if (failed(open(raised, innerScalars, mapping)) ||
      failed(open(dealt, innerScalars, mapping)) ||
      failed(openPhase(mapping, /*guarded=*/true)))
    return failure();
  SmallVector<Value> place = getAccumulatorPlace(mapping), old;
  // What runs in order goes on from the accumulators: products that are added
  // need no second addition.
  bool goesOn =
      !raised.empty() && !kept.empty() && llvm::all_of(kept, [](ForOp loop) {
        return loop.getLevelKind() == LevelKind::Seq;
      });
  if (goesOn)
    old = loadAll(getAccumulators(), place);
  SmallVector<Value> seeds = goesOn ? old : neutrals;
  // Digits that stay inside fold as before.
  FoldNest nest(rewriter, seeds, neutrals);
  if (failed(nest.openAll(kept, "", innerScalars, mapping)))
    return failure();
  innerScalars.cloneAll(rewriter, mapping);
  ForOp last = folds.back();
  // Past the end of an outer dimension there is nothing to add.
  Value inside = innerScalars.createCondition(rewriter, loc, mapping);
  SmallVector<Value> values = guard(inside, [&] {
    for (Operation &op : last.getBodyBlock()->without_terminator())
      rewriter.clone(op, mapping);
    SmallVector<Value> yielded;
    for (Value value : last.getYield().getValues())
      yielded.push_back(mapping.lookupOrDefault(value));
    return yielded;
  });
  values = nest.close(values);
  if (!raised.empty() && !goesOn) {
    old = loadAll(getAccumulators(), place);
    values = inlineCombiner(rewriter, fold.getCombiner(), old, values);
  }
  for (auto [value, local] : llvm::zip(values, getAccumulators()))
    StoreOp::create(rewriter, loc, value, local, place);
  return success();
}

FailureOr<SmallVector<Value>> FoldRaiser::foldDealt(IRMapping &mapping,
                                                    ArrayRef<Value> seeds) {
  FoldNest nest(rewriter, seeds, neutrals);
  if (failed(nest.openAll(dealt, ".fold", innerScalars, mapping,
                          /*whole=*/true)))
    return failure();
  return nest.close(loadAll(own, getPlaceInOwn(mapping)));
}

LogicalResult FoldRaiser::emitMerge(IRMapping &mapping) {
  if (failed(openPhase(mapping, /*guarded=*/true)))
    return failure();
  SmallVector<Value> place = getPlaceInLocal(getBlock(mapping), mapping);
  FailureOr<SmallVector<Value>> merged = foldDealt(mapping, neutrals);
  if (failed(merged))
    return failure();
  for (auto [value, local] : llvm::zip(*merged, locals))
    StoreOp::create(rewriter, loc, value, local, place);
  return success();
}

SmallVector<Value> FoldRaiser::foldBlocks(const IRMapping &mapping,
                                          ArrayRef<Value> seeds) {
  FoldNest nest(rewriter, seeds, neutrals);
  Value block, inside;
  auto openFold = [&](const Twine &suffix, OpFoldResult extent, LevelKind kind,
                      unsigned axis = 0) {
    return nest.open(blocks.front(), suffix, extent,
                     LevelAttr::get(fold.getContext(), kind, axis));
  };
  if (!blocks.empty()) {
    // Partial results lie among the threads in turn, and of long lists each
    // reads several at a time.
    auto [threads, axis] = getMergers();
    std::optional<int64_t> known = getConstantIntValue(blockCount);
    Value thread = threads > 1
                       ? openFold(".fold.0", rewriter.getIndexAttr(threads),
                                  LevelKind::Thread, axis)
                       : arith::ConstantIndexOp::create(rewriter, loc, 0);
    InterleavedPartials partials(threads, known);
    Value number = toValue(rewriter, loc, blockCount);
    Value count = partials.countSteps(rewriter, loc, thread, number);
    Value step = openFold(".fold.1", count, LevelKind::Seq), copy;
    if (partials.together > 1)
      copy = openFold(".fold.2", rewriter.getIndexAttr(partials.together),
                      LevelKind::Unroll);
    else
      copy = arith::ConstantIndexOp::create(rewriter, loc, 0);
    block = partials.getIndex(rewriter, loc, thread, step, copy);
    if (partials.together > 1)
      inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                     block, number);
  }
  SmallVector<Value> results = guard(
      inside, [&] { return loadAll(locals, getPlaceInLocal(block, mapping)); });
  return nest ? nest.close(results)
              : inlineCombiner(rewriter, fold.getCombiner(), seeds, results);
}

/// Of what blocks have left behind there is little for each result, which a
/// thread with many of them would take after each other: iterations that it
/// took together are blocks.
LogicalResult FoldRaiser::spreadResults(IRMapping &mapping) {
  // Without blocks of results the block that ends last folds all.
  unsigned axis = 0;
  for (ForOp loop : parallels)
    if (loop.getLevelKind() == LevelKind::Block)
      axis = std::max(axis, loop.getLevelAttr().getAxis() + 1);
  if (axis == 0)
    return success();
  for (ForOp loop : inner) {
    if (loop.getLevelKind() != LevelKind::Unroll)
      continue;
    if (failed(open(loop, outerScalars, mapping)))
      return failure();
    auto copy = cast<ForOp>(rewriter.getInsertionBlock()->getParentOp());
    // Under another name: the order of the schedule is about what it was.
    copy.setDim((loop.getDim() + ".block").str());
    copy.setLevelAttr(
        LevelAttr::get(fold.getContext(), LevelKind::Block, axis++));
  }
  return success();
}

/// Afterwards: the accumulators are results, and the rest of the body follows.
LogicalResult FoldRaiser::emitResults(IRMapping &mapping) {
  if (failed(open(tiles, outerScalars, mapping)) ||
      (!blocks.empty() && failed(spreadResults(mapping))) ||
      failed(openPhase(mapping, /*guarded=*/true)))
    return failure();
  SmallVector<Value> seeds;
  for (Value seed : fold.getSeeds())
    seeds.push_back(mapping.lookupOrDefault(seed));
  FailureOr<SmallVector<Value>> results =
      locals.empty() ? foldDealt(mapping, seeds) : foldBlocks(mapping, seeds);
  if (failed(results))
    return failure();
  mapping.map(fold.getResults(), *results);
  for (Operation *op = fold->getNextNode();
       !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode())
    rewriter.clone(*op, mapping);
  return success();
}
