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

LogicalResult FoldRaiser::createOwn(IRMapping &mapping) {
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  auto add = [&](ForOp loop, NestScalars &scalars) -> LogicalResult {
    FailureOr<OpFoldResult> extent =
        scalars.cloneBound(rewriter, loop, mapping);
    if (succeeded(extent))
      dispatchIndexOpFoldResult(*extent, sizes, shape);
    return extent;
  };
  for (ForOp loop : dealt)
    if (failed(add(loop, innerScalars)))
      return failure();
  for (ForOp loop : parallels)
    if (llvm::is_contained(inner, loop) && failed(add(loop, outerScalars)))
      return failure();
  for (Type type : fold.getResultTypes())
    own.push_back(LocalOp::create(rewriter, loc, MemRefType::get(shape, type),
                                  sizes, StringAttr()));
  return success();
}

LogicalResult FoldRaiser::createLocals(IRMapping &mapping) {
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
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
    dispatchIndexOpFoldResult(blockCount, sizes, shape);
  }
  for (ForOp loop : parallels) {
    if (llvm::is_contained(outer, loop))
      continue;
    FailureOr<OpFoldResult> extent =
        outerScalars.cloneBound(rewriter, loop, mapping);
    if (failed(extent))
      return failure();
    dispatchIndexOpFoldResult(*extent, sizes, shape);
  }
  for (Type type : fold.getResultTypes())
    locals.push_back(LocalOp::create(
        rewriter, loc, MemRefType::get(shape, type), sizes, StringAttr()));
  return success();
}

/// Inside of the raised loops: contributions are added to the accumulators.
LogicalResult FoldRaiser::emitContributions(IRMapping &mapping) {
  if (failed(open(raised, innerScalars, mapping)) ||
      failed(open(dealt, innerScalars, mapping)) ||
      failed(openPhase(mapping, /*guarded=*/true)))
    return failure();
  OpBuilder::InsertPoint end = rewriter.saveInsertionPoint();
  SmallVector<Value> place = getAccumulatorPlace(mapping), old;
  auto loadOld = [&] {
    for (Value local : getAccumulators())
      old.push_back(LoadOp::create(rewriter, loc, local, place));
  };
  // What runs in order goes on from the accumulators: products that are added
  // need no second addition.
  bool goesOn =
      !raised.empty() && !kept.empty() && llvm::all_of(kept, [](ForOp loop) {
        return loop.getLevelKind() == LevelKind::Seq;
      });
  if (goesOn)
    loadOld();
  SmallVector<Value> seeds = goesOn ? old : neutrals;
  // Digits that stay inside fold as before.
  ForOp outermost;
  for (ForOp loop : kept) {
    FailureOr<OpFoldResult> extent =
        innerScalars.cloneExtent(rewriter, loop, mapping);
    if (failed(extent))
      return failure();
    ForOp copy =
        createLoopLike(rewriter, loop, loop.getDim(), *extent,
                       outermost ? neutrals : seeds, loop.getLevelAttr());
    if (outermost)
      YieldOp::create(rewriter, loc, copy.getResults());
    else
      outermost = copy;
    mapping.map(loop.getInductionVar(), copy.getInductionVar());
    rewriter.setInsertionPointToEnd(copy.getBodyBlock());
  }
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
  if (outermost) {
    YieldOp::create(rewriter, loc, values);
    values = SmallVector<Value>(outermost.getResults());
    rewriter.restoreInsertionPoint(end);
  }
  SmallVector<Value> combined = values;
  if (!raised.empty() && !goesOn) {
    loadOld();
    combined = inlineCombiner(rewriter, fold.getCombiner(), old, values);
  }
  for (auto [value, local] : llvm::zip(combined, getAccumulators()))
    StoreOp::create(rewriter, loc, value, local, place);
  return success();
}

FailureOr<SmallVector<Value>> FoldRaiser::foldDealt(IRMapping &mapping,
                                                    ArrayRef<Value> seeds) {
  ForOp outermost;
  for (ForOp loop : dealt) {
    FailureOr<OpFoldResult> extent =
        innerScalars.cloneBound(rewriter, loop, mapping);
    if (failed(extent))
      return failure();
    ForOp copy = createLoopLike(
        rewriter, loop, (loop.getDim() + ".fold").str(), *extent,
        outermost ? ArrayRef<Value>(neutrals) : seeds, loop.getLevelAttr());
    if (outermost)
      YieldOp::create(rewriter, loc, copy.getResults());
    else
      outermost = copy;
    mapping.map(loop.getInductionVar(), copy.getInductionVar());
    rewriter.setInsertionPointToEnd(copy.getBodyBlock());
  }
  SmallVector<Value> place = getPlaceInOwn(mapping), loaded;
  for (Value local : own)
    loaded.push_back(LoadOp::create(rewriter, loc, local, place));
  YieldOp::create(rewriter, loc, loaded);
  rewriter.setInsertionPointAfter(outermost);
  return SmallVector<Value>(outermost.getResults());
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
  OpBuilder::InsertPoint end = rewriter.saveInsertionPoint();
  ForOp outermost;
  Value block, inside;
  auto openFold = [&](const Twine &suffix, OpFoldResult extent, LevelKind kind,
                      unsigned axis = 0) {
    ForOp model = blocks.front();
    ForOp copy =
        createLoopLike(rewriter, model, (model.getDim() + suffix).str(), extent,
                       outermost ? ArrayRef<Value>(neutrals) : seeds,
                       LevelAttr::get(fold.getContext(), kind, axis));
    if (outermost)
      YieldOp::create(rewriter, loc, copy.getResults());
    else
      outermost = copy;
    rewriter.setInsertionPointToEnd(copy.getBodyBlock());
    return copy.getInductionVar();
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
  SmallVector<Value> results = guard(inside, [&] {
    SmallVector<Value> place = getPlaceInLocal(block, mapping), loaded;
    for (Value local : locals)
      loaded.push_back(LoadOp::create(rewriter, loc, local, place));
    return loaded;
  });
  if (outermost) {
    YieldOp::create(rewriter, loc, results);
    results = SmallVector<Value>(outermost.getResults());
    rewriter.restoreInsertionPoint(end);
  } else {
    results = inlineCombiner(rewriter, fold.getCombiner(), seeds, results);
  }
  return results;
}

/// Afterwards: the accumulators are results, and the rest of the body follows.
LogicalResult FoldRaiser::emitResults(IRMapping &mapping) {
  if (failed(open(tiles, outerScalars, mapping)) ||
      failed(openPhase(mapping, /*guarded=*/true)))
    return failure();
  SmallVector<Value> seeds;
  for (Value seed : fold.getSeeds())
    seeds.push_back(mapping.lookupOrDefault(seed));
  if (!dealt.empty() && blocks.empty()) {
    FailureOr<SmallVector<Value>> results = foldDealt(mapping, seeds);
    if (failed(results))
      return failure();
    mapping.map(fold.getResults(), *results);
  } else {
    mapping.map(fold.getResults(), foldBlocks(mapping, seeds));
  }
  for (Operation *op = fold->getNextNode();
       !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode())
    rewriter.clone(*op, mapping);
  return success();
}
