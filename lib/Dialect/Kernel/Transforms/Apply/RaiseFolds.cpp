//===- RaiseFolds.cpp - Folds above parallel loops ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A sum of columns walks memory badly with the fold inside: one short
// piece of each row at a time. With the fold's digit above the parallel ones
// each row is read whole; then there is one accumulator for each of their
// iterations, in a local, and the parallel loops become phases.
//
// Before   for j.0 { for j.1 { %s = for i.0 at block reduce {
//              for i.1 reduce { body } }   after(%s) } }
// After    %acc = local[i.0][j.0][j.1]         // order = [i.0, i.1, j.1, j.0]
//          for i.0 at block {
//            for j.1 { for j.0 { %acc[i.0, j.0, j.1] = neutral } }
//            for i.1 at seq {
//              for j.1 { for j.0 { %acc[..] = %acc[..] by body } } } }
//          for j.1 { for j.0 {
//            %s = for i.0 at seq reduce { %acc[i.0, j.0, j.1] }  after(%s) } }
//
// Without a digit of the fold at `block` the local has the parallel dimensions
// only, and lives inside the loops that stay outside: tiles of a matrix
// product. With some, each block has accumulators of its own, which are folded
// afterwards by all threads of a block that the parallel loops leave; if
// nothing else is raised they need no neutral elements first. Parallel loops
// between these digits and those that are raised in sequence stand around all
// phases: tiles that several blocks share.
//
// A digit of the fold at thread that stands above parallel ones as well deals
// the fold to threads with accumulators of their own, which the threads of a
// block fold when the sequence ends (order = [i.1, i.2, j.1, j.0]):
//
//          %own = local[i.2][j.1][j.0]
//          for i.1 at seq {                       // operands are staged here
//            for i.2 at thread.y { for j.1 { for j.0 {
//              %own[..] = %own[..] by body } } } }
//          for j.1 { for j.0 {
//            %s = for i.2 at thread.y reduce { %own[i.2, j.1, j.0] }  after(%s)
//          } }
//
// Legal where what is raised runs in sequence or at block: each accumulator
// sees its contributions one by one, and the operator commutes. What stands
// before the fold in the parallel loops only computes, so it may run in every
// phase. Pays where rows are long and many; the accumulators are read and
// written once a row.
//
//===----------------------------------------------------------------------===//

#include "FoldRaiser.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

FoldRaiser::FoldRaiser(IRRewriter &rewriter, ArrayRef<ForOp> parallels,
                       ForOp fold, function_ref<unsigned(ForOp)> position)
    : rewriter(rewriter), fold(fold), loc(fold.getLoc()), parallels(parallels),
      folds(getNest(fold)), outerScalars(parallels), innerScalars(folds) {
  Block *body = ForOp(parallels.back()).getBodyBlock();
  innerScalars.addAround(outerScalars);
  innerScalars.addAround(body, fold);
  if (body != getPlace())
    innerScalars.addAround(getPlace(), fold);
  unsigned lastParallel = 0, firstRaised = -1u, firstInSequence = -1u;
  for (ForOp loop : parallels)
    lastParallel = std::max(lastParallel, position(loop));
  auto insertSorted = [&](SmallVectorImpl<ForOp> &list, ForOp loop) {
    auto *at = llvm::find_if(
        list, [&](ForOp l) { return position(l) > position(loop); });
    list.insert(at, loop);
  };
  for (ForOp loop : folds) {
    if (position(loop) >= lastParallel) {
      insertSorted(kept, loop);
      continue;
    }
    if (loop.getLevelKind() == LevelKind::Thread) {
      insertSorted(dealt, loop);
      continue;
    }
    firstRaised = std::min(firstRaised, position(loop));
    if (loop.getLevelKind() != LevelKind::Block)
      firstInSequence = std::min(firstInSequence, position(loop));
    insertSorted(loop.getLevelKind() == LevelKind::Block ? blocks : raised,
                 loop);
  }
  for (ForOp loop : parallels)
    insertSorted(position(loop) < firstRaised                          ? outer
                 : !raised.empty() && position(loop) < firstInSequence ? tiles
                                                                       : inner,
                 loop);
}

/// The block that the fold stands in.
Block *FoldRaiser::getPlace() { return fold->getBlock(); }

LogicalResult FoldRaiser::check() {
  auto refuse = [&](const Twine &reason) -> LogicalResult {
    return fold.emitError("the fold over '")
           << fold.getDim() << "' cannot be moved outside: " << reason;
  };
  for (Operation &op :
       llvm::make_range(getPlace()->begin(), fold->getIterator()))
    if (!mayBeRepeated(&op, fold))
      return refuse("something is read or written before it");
  if (!isCommutativeCombiner(fold.getCombiner()))
    return refuse("its operator is not known to commute");
  for (Type type : fold.getResultTypes())
    if (!type.isIntOrIndexOrFloat())
      return refuse("its accumulators are no numbers");
  // Jammed iterations take each step together: all would read the accumulator
  // before any writes it.
  if (llvm::any_of(raised, [](ForOp loop) {
        return loop.getLevelKind() != LevelKind::Seq;
      }))
    return refuse("a jammed digit would stand above the accumulators");
  if (!blocks.empty() && !outer.empty())
    return refuse("its blocks would stand inside of other loops");
  if (!dealt.empty() && raised.empty())
    return refuse("its threads have nothing to do in sequence");
  return success();
}

LogicalResult FoldRaiser::open(ArrayRef<ForOp> loops, NestScalars &scalars,
                               IRMapping &mapping, bool whole) {
  for (ForOp loop : loops) {
    FailureOr<OpFoldResult> extent =
        whole ? scalars.cloneBound(rewriter, loop, mapping)
              : scalars.cloneExtent(rewriter, loop, mapping);
    if (failed(extent))
      return failure();
    auto copy =
        ForOp::create(rewriter, loop.getLoc(), loop.getDim(), *extent,
                      ForKind::Parallel, ValueRange(), loop.getLevelAttr());
    mapping.map(loop.getInductionVar(), copy.getInductionVar());
    rewriter.setInsertionPoint(copy.getBodyBlock()->getTerminator());
  }
  return success();
}

LogicalResult FoldRaiser::openPhase(IRMapping &mapping, bool guarded) {
  for (ForOp loop : inner)
    if (!mapping.contains(loop.getInductionVar()) &&
        failed(open(loop, outerScalars, mapping)))
      return failure();
  outerScalars.cloneAll(rewriter, mapping);
  auto cloneBefore = [&](Block *block) {
    for (Operation &op : block->without_terminator()) {
      if (&op == fold.getOperation())
        return;
      if (isScalarOp(&op) || isa<LoadOp>(op))
        rewriter.clone(op, mapping);
    }
  };
  // The body of the innermost loop computes the condition of its guard.
  Block *body = parallels.back().getBodyBlock();
  Value condition = outerScalars.createCondition(rewriter, loc, mapping);
  if (body != getPlace()) {
    cloneBefore(body);
    Value own = mapping.lookupOrDefault(
        cast<scf::IfOp>(getPlace()->getParentOp()).getCondition());
    condition =
        condition
            ? arith::AndIOp::create(rewriter, loc, condition, own).getResult()
            : own;
  }
  if (!guarded)
    return success();
  if (condition) {
    auto guard = scf::IfOp::create(rewriter, loc, condition,
                                   /*withElseRegion=*/false);
    guard->setAttr(kTailAttr, rewriter.getUnitAttr());
    rewriter.setInsertionPoint(guard.thenYield());
  }
  cloneBefore(getPlace());
  return success();
}

SmallVector<Value> FoldRaiser::guard(Value inside,
                                     function_ref<SmallVector<Value>()> body) {
  if (!inside)
    return body();
  auto branch = scf::IfOp::create(rewriter, loc, fold.getResultTypes(), inside,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  branch->setAttr(kTailAttr, rewriter.getUnitAttr());
  rewriter.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, neutrals);
  rewriter.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(rewriter, loc, body());
  rewriter.setInsertionPointAfter(branch);
  return SmallVector<Value>(branch.getResults());
}

SmallVector<Value> FoldRaiser::getPlaceInLocal(Value block,
                                               const IRMapping &mapping) {
  SmallVector<Value> indices;
  if (block)
    indices.push_back(block);
  // In nest order, so that lanes are contiguous.
  for (ForOp loop : parallels)
    if (!llvm::is_contained(outer, loop))
      indices.push_back(mapping.lookup(loop.getInductionVar()));
  return indices;
}

SmallVector<Value> FoldRaiser::getPlaceInOwn(const IRMapping &mapping) {
  SmallVector<Value> indices;
  for (ForOp loop : dealt)
    indices.push_back(mapping.lookup(loop.getInductionVar()));
  for (ForOp loop : parallels)
    if (llvm::is_contained(inner, loop))
      indices.push_back(mapping.lookup(loop.getInductionVar()));
  return indices;
}

Value FoldRaiser::getBlock(const IRMapping &mapping) {
  if (blocks.empty())
    return {};
  SmallVector<OpFoldResult> numbers;
  for (ForOp loop : blocks)
    numbers.push_back(mapping.lookup(loop.getInductionVar()));
  OpFoldResult number = numbers.front();
  AffineExpr outer, inner, extent;
  bindSymbols(rewriter.getContext(), outer, inner, extent);
  for (unsigned k = 1; k < blocks.size(); ++k)
    number = affine::makeComposedFoldedAffineApply(
        rewriter, loc, outer * extent + inner,
        {number, numbers[k], blockExtents[k]});
  return toValue(rewriter, loc, number);
}

LogicalResult FoldRaiser::run() {
  if (failed(check()))
    return failure();
  ForOp head = parallels.front();
  rewriter.setInsertionPoint(head);
  IRMapping mapping;
  if (failed(open(outer, outerScalars, mapping)))
    return failure();
  neutrals = createNeutrals(rewriter, fold);
  // Threads of one block leave nothing for others.
  bool merges = !dealt.empty() && !blocks.empty();
  if (failed(dealt.empty() || merges ? createLocals(mapping)
                                     : createOwn(mapping)))
    return failure();
  OpBuilder::InsertPoint scope = rewriter.saveInsertionPoint();
  {
    IRMapping local(mapping);
    if (failed(open(blocks, innerScalars, local)) ||
        failed(open(tiles, outerScalars, local)))
      return failure();
    if (merges && failed(createOwn(local)))
      return failure();
    OpBuilder::InsertPoint inside = rewriter.saveInsertionPoint();
    // With nothing raised each accumulator gets one contribution a block.
    if (!raised.empty()) {
      IRMapping first(local);
      if (failed(open(dealt, innerScalars, first, /*whole=*/true)) ||
          failed(openPhase(first, /*guarded=*/false)))
        return failure();
      SmallVector<Value> place = getAccumulatorPlace(first);
      for (auto [neutral, array] : llvm::zip(neutrals, getAccumulators()))
        StoreOp::create(rewriter, loc, neutral, array, place);
      rewriter.restoreInsertionPoint(inside);
    }
    IRMapping second(local);
    if (failed(emitContributions(second)))
      return failure();
    if (merges) {
      rewriter.restoreInsertionPoint(inside);
      IRMapping third(local);
      if (failed(emitMerge(third)))
        return failure();
    }
  }
  rewriter.restoreInsertionPoint(scope);
  if (failed(emitResults(mapping)))
    return failure();
  rewriter.eraseOp(head);
  return success();
}

/// The parallel loops around `fold`, with nothing else between; outermost
/// first.
static SmallVector<ForOp> getParallelNest(ForOp fold) {
  SmallVector<ForOp> nest;
  Operation *parent = fold->getParentOp();
  if (auto guard = dyn_cast<scf::IfOp>(parent);
      guard && guard->hasAttr(kTailAttr))
    parent = guard->getParentOp();
  auto loop = dyn_cast<ForOp>(parent);
  if (!loop || !loop.isParallel() ||
      (parent != fold->getParentOp() &&
       getOnlyOp(*loop.getBodyBlock()) != fold->getParentOp()))
    return nest;
  nest.push_back(loop);
  while (true) {
    auto outer = loop->getParentOfType<ForOp>();
    if (!outer || getOnlyLoop(outer) != loop)
      break;
    nest.insert(nest.begin(), outer);
    loop = outer;
  }
  return nest;
}

LogicalResult arrc::kernel::raiseFolds(IRRewriter &rewriter, LaunchOp launch,
                                       function_ref<unsigned(ForOp)> position) {
  SmallVector<ForOp> heads;
  launch.getBody().walk([&](ForOp loop) {
    auto outer = loop->getParentOfType<ForOp>();
    if (loop.isReduce() && (!outer || getOnlyLoop(outer) != loop))
      heads.push_back(loop);
  });
  for (ForOp fold : heads) {
    SmallVector<ForOp> parallels = getParallelNest(fold);
    if (parallels.empty())
      continue;
    FoldRaiser raiser(rewriter, parallels, fold, position);
    if (!raiser.isNeeded())
      continue;
    if (failed(raiser.run()))
      return failure();
    // Other folds of the same nest have moved with it.
    return raiseFolds(rewriter, launch, position);
  }
  return success();
}
