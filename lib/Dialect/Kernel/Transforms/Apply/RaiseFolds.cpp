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
// Legal where what is raised runs in sequence or at block: each accumulator
// sees its contributions one by one, and the operator commutes. What stands
// before the fold in the parallel loops only computes, so it may run in every
// phase. Pays where rows are long and many; the accumulators are read and
// written once a row.
//
//===----------------------------------------------------------------------===//

#include "../Shared/InterleavedPartials.h"
#include "../Shared/NestScalars.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <array>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {

/// A fold inside a nest of parallel loops, and the order that splits both.
class FoldRaiser {
public:
  FoldRaiser(IRRewriter &rewriter, ArrayRef<ForOp> parallels, ForOp fold,
             function_ref<unsigned(ForOp)> position)
      : rewriter(rewriter), fold(fold), loc(fold.getLoc()),
        parallels(parallels), folds(getNest(fold)), outerScalars(parallels),
        innerScalars(folds) {
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
      firstRaised = std::min(firstRaised, position(loop));
      if (loop.getLevelKind() != LevelKind::Block)
        firstInSequence = std::min(firstInSequence, position(loop));
      insertSorted(loop.getLevelKind() == LevelKind::Block ? blocks : raised,
                   loop);
    }
    for (ForOp loop : parallels)
      insertSorted(position(loop) < firstRaised ? outer
                   : !raised.empty() && position(loop) < firstInSequence
                       ? tiles
                       : inner,
                   loop);
  }

  bool isNeeded() const { return !blocks.empty() || !raised.empty(); }

  LogicalResult run();

private:
  LogicalResult check();
  Block *getPlace();
  /// Loops over `loops` at the insertion point, which moves inside.
  LogicalResult open(ArrayRef<ForOp> loops, NestScalars &scalars,
                     IRMapping &mapping);
  /// The inner parallel loops, their scalars and, if asked for, their guard.
  LogicalResult openPhase(IRMapping &mapping, bool guarded);
  LogicalResult createLocals(IRMapping &mapping);
  LogicalResult emitContributions(IRMapping &mapping);
  LogicalResult emitResults(IRMapping &mapping);
  /// What `body` gives where `inside` holds, if it is not null, and neutral
  /// elements elsewhere.
  SmallVector<Value> guard(Value inside,
                           function_ref<SmallVector<Value>()> body);
  /// Indices of the accumulators of one iteration of the parallel loops in
  /// block `block`, null if there are no blocks.
  SmallVector<Value> getPlaceInLocal(Value block, const IRMapping &mapping);
  /// The number of a block in the order of the loops at block.
  Value getBlock(const IRMapping &mapping);
  /// The threads of the fold along one axis that no parallel loop takes, and
  /// this axis.
  std::pair<int64_t, unsigned> getMergers();

  IRRewriter &rewriter;
  ForOp fold;
  Location loc;
  SmallVector<ForOp> parallels, folds;
  NestScalars outerScalars, innerScalars;
  /// Parallel loops that stay outside, those that stand between the fold's
  /// digits at block and the phases, and those that become phases.
  SmallVector<ForOp> outer, tiles, inner;
  /// The fold's digits: at block, raised, and kept inside.
  SmallVector<ForOp> blocks, raised, kept;
  SmallVector<Value> neutrals, locals;
  /// Extents of the loops at block, and their product.
  SmallVector<OpFoldResult> blockExtents;
  OpFoldResult blockCount;
};

} // namespace

/// The block that the fold stands in.
Block *FoldRaiser::getPlace() { return fold->getBlock(); }

/// Whether `op` may stand in every phase: it only computes, or reads what the
/// launch does not write, but for the very element, behind the fold.
static bool mayBeRepeated(Operation *op, ForOp fold) {
  if (isScalarOp(op))
    return true;
  auto load = dyn_cast<LoadOp>(op);
  return load && isa<BlockArgument>(load.getSource()) &&
         llvm::all_of(load.getSource().getUsers(), [&](Operation *user) {
           return isa<LoadOp>(user) ||
                  (isa<StoreOp>(user) && user->getBlock() == op->getBlock() &&
                   fold->isBeforeInBlock(user) &&
                   llvm::equal(Access(user).indices, Access(op).indices));
         });
}

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
  return success();
}

LogicalResult FoldRaiser::open(ArrayRef<ForOp> loops, NestScalars &scalars,
                               IRMapping &mapping) {
  for (ForOp loop : loops) {
    FailureOr<OpFoldResult> extent =
        scalars.cloneExtent(rewriter, loop, mapping);
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
  if (failed(open(inner, outerScalars, mapping)))
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
      failed(openPhase(mapping, /*guarded=*/true)))
    return failure();
  OpBuilder::InsertPoint end = rewriter.saveInsertionPoint();
  SmallVector<Value> place = getPlaceInLocal(getBlock(mapping), mapping), old;
  auto loadOld = [&] {
    for (Value local : locals)
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
  for (auto [value, local] : llvm::zip(combined, locals))
    StoreOp::create(rewriter, loc, value, local, place);
  return success();
}

/// Afterwards: the accumulators are results, and the rest of the body follows.
LogicalResult FoldRaiser::emitResults(IRMapping &mapping) {
  if (failed(open(tiles, outerScalars, mapping)) ||
      failed(openPhase(mapping, /*guarded=*/true)))
    return failure();
  SmallVector<Value> seeds;
  for (Value seed : fold.getSeeds())
    seeds.push_back(mapping.lookupOrDefault(seed));
  OpBuilder::InsertPoint end = rewriter.saveInsertionPoint();
  ForOp outermost;
  Value block, inside;
  auto openFold = [&](const Twine &suffix, OpFoldResult extent, LevelKind kind,
                      unsigned axis = 0) {
    ForOp model = blocks.front();
    ForOp copy =
        createLoopLike(rewriter, model, (model.getDim() + suffix).str(), extent,
                       outermost ? ValueRange(neutrals) : ValueRange(seeds),
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
  mapping.map(fold.getResults(), results);
  for (Operation *op = fold->getNextNode();
       !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode())
    rewriter.clone(*op, mapping);
  return success();
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
  if (failed(createLocals(mapping)))
    return failure();
  OpBuilder::InsertPoint scope = rewriter.saveInsertionPoint();
  {
    IRMapping local(mapping);
    if (failed(open(blocks, innerScalars, local)) ||
        failed(open(tiles, outerScalars, local)))
      return failure();
    // With nothing raised each accumulator gets one contribution a block.
    if (!raised.empty()) {
      OpBuilder::InsertPoint inside = rewriter.saveInsertionPoint();
      IRMapping first(local);
      if (failed(openPhase(first, /*guarded=*/false)))
        return failure();
      SmallVector<Value> place = getPlaceInLocal(getBlock(first), first);
      for (auto [neutral, array] : llvm::zip(neutrals, locals))
        StoreOp::create(rewriter, loc, neutral, array, place);
      rewriter.restoreInsertionPoint(inside);
    }
    IRMapping second(local);
    if (failed(emitContributions(second)))
      return failure();
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
