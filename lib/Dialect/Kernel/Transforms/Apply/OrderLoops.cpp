//===- OrderLoops.cpp - Put the loops of a nest into their order ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. After the split each dimension is a nest of its digits. This pass
// permutes the loops of each perfect nest (one dimension or several) into the
// order of the schedule; without one, into block, thread, seq, unroll, vector.
//
// Before   for i.0 at block { for i.1 at seq { for i.2 at vector { body } } }
// After    for i.0 at block { for i.2 at vector { for i.1 at seq { body } } }
//          for order = [i.0, i.2, i.1]: one vector accumulator in a fold
//
// A fold's digit that the order puts above parallel ones is raised first: see
// RaiseFolds.cpp.
//
// Legal: independent iterations run in any order. A fold is permuted if its
// operator commutes; one that does not keeps its digits in index order. A loop
// is not moved out of the loop that its extent depends on.
//
//===----------------------------------------------------------------------===//

#include "../Shared/NestScalars.h"

#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <numeric>

namespace arrc::kernel {
#define GEN_PASS_DEF_ORDERLOOPSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Where the schedule orders `loop`: nothing without an order; loops that it
/// does not list come last, but for blocks, which are made of what threads took
/// together and come first.
static std::optional<unsigned> getPosition(ScheduleAttr schedule, ForOp loop) {
  if (!schedule || schedule.getOrder().empty())
    return std::nullopt;
  auto listed = llvm::find_if(schedule.getOrder(), [&](StringAttr digit) {
    return digit.getValue() == loop.getDim();
  });
  if (listed == schedule.getOrder().end() &&
      loop.getLevelKind() == LevelKind::Block)
    return 0;
  return std::distance(schedule.getOrder().begin(), listed);
}

/// Positions of the loops of `nest` in their new order.
static SmallVector<unsigned> getOrder(ArrayRef<ForOp> nest,
                                      ScheduleAttr schedule) {
  auto rank = [&](unsigned i) -> unsigned {
    ForOp loop = nest[i];
    if (std::optional<unsigned> listed = getPosition(schedule, loop))
      return *listed;
    return static_cast<unsigned>(loop.getLevelKind());
  };
  SmallVector<unsigned> order(nest.size());
  std::iota(order.begin(), order.end(), 0);
  // Few loops: sorting by insertion is stable and needs no buffer.
  for (unsigned i = 1; i < order.size(); ++i)
    for (unsigned k = i; k > 0 && rank(order[k]) < rank(order[k - 1]); --k)
      std::swap(order[k], order[k - 1]);
  return order;
}

/// What a fold allows.
static LogicalResult checkFold(ArrayRef<ForOp> nest, ArrayRef<unsigned> order) {
  if (!ForOp(nest[0]).isReduce() || llvm::is_sorted(order) ||
      isCommutativeCombiner(ForOp(nest[0]).getCombiner()))
    return success();
  return ForOp(nest[0]).emitError(
      "the order would change that of a fold that does not commute");
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Builds the nest anew in its order in front of the old one.
static LogicalResult reorder(IRRewriter &rewriter, ArrayRef<ForOp> nest,
                             ArrayRef<unsigned> order) {
  IRMapping mapping;
  ForOp outermost = nest.front();
  rewriter.setInsertionPoint(outermost);

  NestScalars scalars(nest);

  SmallVector<ForOp> built;
  for (unsigned i : order) {
    ForOp old = nest[i];
    FailureOr<OpFoldResult> extent =
        scalars.cloneExtent(rewriter, old, mapping);
    if (failed(extent)) {
      if (!built.empty())
        rewriter.eraseOp(built.front());
      return failure();
    }
    // The outermost loop has the seeds of the nest, the others neutral ones;
    // where those are the fold's own seeds they are the same values.
    SmallVector<Value> seeds(outermost.getSeeds());
    if (!built.empty() && old.isReduce())
      seeds = createNeutrals(rewriter, built.front());
    ForOp loop = createLoopLike(rewriter, old, old.getDim(), *extent, seeds,
                                old.getLevelAttr());
    if (!built.empty() && loop.isReduce())
      YieldOp::create(rewriter, loop.getLoc(), loop.getResults());
    built.push_back(loop);
    mapping.map(old.getInductionVar(), loop.getInductionVar());
    if (loop.isReduce())
      rewriter.setInsertionPointToEnd(loop.getBodyBlock());
    else
      rewriter.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  }

  // The innermost body.
  ForOp last = nest.back();
  scalars.cloneAll(rewriter, mapping);
  Block *innermost = rewriter.getInsertionBlock();
  scf::IfOp guard;
  if (scalars.hasGuards()) {
    Location loc = last.getLoc();
    Value all = scalars.createCondition(rewriter, loc, mapping);
    SmallVector<Value> neutrals;
    if (last.isReduce())
      neutrals = createNeutrals(rewriter, built.front());
    guard = scf::IfOp::create(rewriter, loc, last.getResultTypes(), all,
                              /*addThenBlock=*/true,
                              /*addElseBlock=*/last.isReduce());
    guard->setAttr(kTailAttr, rewriter.getUnitAttr());
    if (last.isReduce()) {
      rewriter.setInsertionPointToEnd(guard.elseBlock());
      scf::YieldOp::create(rewriter, loc, neutrals);
    }
    rewriter.setInsertionPointToStart(guard.thenBlock());
  }
  for (Operation &op : last.getBodyBlock()->without_terminator())
    rewriter.clone(op, mapping);
  SmallVector<Value> values;
  for (Value value : last.getYield().getValues())
    values.push_back(mapping.lookupOrDefault(value));
  if (guard) {
    scf::YieldOp::create(rewriter, last.getLoc(), values);
    values = SmallVector<Value>(guard.getResults());
    rewriter.setInsertionPointToEnd(innermost);
  }
  if (last.isReduce())
    YieldOp::create(rewriter, last.getLoc(), values);
  rewriter.replaceOp(outermost, built.front().getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct OrderLoopsPass
    : public arrc::kernel::impl::OrderLoopsPassBase<OrderLoopsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    WalkResult walked = getOperation().walk([&](LaunchOp launch) {
      if (launch.isScheduled() && failed(orderLaunch(rewriter, launch)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  static LogicalResult orderLaunch(IRRewriter &rewriter, LaunchOp launch) {
    ScheduleAttr schedule = launch.getScheduleAttr();
    // A parallel loop that the order does not list stays outside of the folds
    // in it: nothing asks for these above it.
    if (schedule && !schedule.getOrder().empty() &&
        failed(raiseFolds(rewriter, launch, [&](ForOp loop) {
          unsigned position = *getPosition(schedule, loop);
          bool isListed = position < schedule.getOrder().size();
          return isListed || !loop.isParallel() ? position : 0;
        })))
      return failure();
    // Inner nests first; an outer nest is cloned with them.
    SmallVector<ForOp> heads;
    launch.getBody().walk([&](ForOp loop) {
      auto outer = loop->getParentOfType<ForOp>();
      if (!outer || getOnlyLoop(outer) != loop)
        heads.push_back(loop);
    });
    for (ForOp head : heads) {
      SmallVector<ForOp> nest = getNest(head);
      SmallVector<unsigned> order = getOrder(nest, launch.getScheduleAttr());
      if (llvm::is_sorted(order))
        continue;
      if (failed(checkFold(nest, order)) ||
          failed(reorder(rewriter, nest, order)))
        return failure();
    }
    return checkAcross(launch);
  }

  /// An order that asks for a fold's digit above a parallel one around it.
  static LogicalResult checkAcross(LaunchOp launch) {
    ScheduleAttr schedule = launch.getScheduleAttr();
    if (!schedule)
      return success();
    unsigned unlisted = schedule.getOrder().size();
    ForOp wrong, around, below;
    launch.getBody().walk([&](ForOp loop) {
      auto outer = loop->getParentOfType<ForOp>();
      if (loop.isParallel() && loop.getLevelKind() == LevelKind::Block)
        for (auto above = outer; above; above = above->getParentOfType<ForOp>())
          if (above.getLevelKind() == LevelKind::Thread)
            below = loop;
      std::optional<unsigned> inside = getPosition(schedule, loop);
      if (outer && inside && *inside < *getPosition(schedule, outer) &&
          *getPosition(schedule, outer) != unlisted) {
        wrong = loop;
        around = outer;
      }
    });
    if (wrong)
      return wrong.emitError("the order puts '")
             << wrong.getDim() << "' outside of '" << around.getDim()
             << "', and they are no perfect nest";
    if (below)
      return below.emitError("the order puts blocks '")
             << below.getDim() << "' inside of threads";
    return success();
  }
};

} // namespace
