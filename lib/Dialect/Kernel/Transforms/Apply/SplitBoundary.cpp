//===- SplitBoundary.cpp - The interior without masks and edges -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Masks and edge modes matter in the first and the last iterations of a
// loop only. Its range [0, n) becomes [0, lo) [lo, hi) [hi, n), where between
// lo and hi every mask is on and every index inside, for all lanes.
//
// Before   for %k in %n at seq {                           // i = 16 k + v
//            %in = cmpi slt, %i, %N
//            kernel.load %X[%i - 1] edge [clamp] if %in }
// After    for %k in %lo at seq { the same }
//          for %k in %hi - %lo at seq { kernel.load %X[%i - 1] }
//          for %k in %n - %hi at seq { the same }
//
// Where no sequential loop decides (lanes around a fold), a branch that is the
// same for all lanes takes a copy of the jammed loops without masks:
//
//          if 16 b + 16 <= %N { for %v in 16 at vector { plain } }
//          else               { for %v in 16 at vector { masked } }
//
// On a device threads are lanes too: the branch is the same for a whole block,
// and the masked copy takes few iterations together (TailParts.h). Where loads
// have an edge along rows, of which a block has a long piece, there is a third
// copy: of a row of 512 elements a half of all blocks has an end, and in every
// one of 256. It is expanded as the plain one, with the edges of rows
// (KnownEdges.cpp takes most of them away again). So is there one for the end
// of a dimension of which a thread has one element: it keeps what the thread
// asks of that, once, around all else.
//
// lo and hi come from the linear forms of the indices: a condition
// c k + r + lanes < 0 holds for all lanes from the extreme of the lanes on. A
// comparison with what is near the start of the loop (`i == 0`, `i >= 1`) has
// its interior behind that, one with anything else before it. Forms that fall
// with k are turned first: -x - 1 is negative where x is not.
//
// Legal: the three ranges are the one, in order, so folds and scans pass
// through their seeds. Pays where the interior is long; code grows threefold,
// so that only loops around jammed ones are split, by what those take part in,
// and rows that are left over run one after the other.
//
//===----------------------------------------------------------------------===//

#include "Interior.h"
#include "TailParts.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/IndexLimits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SetVector.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_SPLITBOUNDARYPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether a prefix stands in `loop` that has to stay alone: that of a scan
/// around it, which must not be met twice; on a device any, as scans there are
/// told by their form.
static bool hasPrefix(ForOp loop, bool isDevice) {
  return loop
      ->walk([&](PrefixOp prefix) {
        auto scan = prefix->getParentOfType<ForOp>();
        while (scan && !scan.isScan())
          scan = scan->getParentOfType<ForOp>();
        bool inside = scan && loop->isAncestor(scan);
        return inside && !isDevice ? WalkResult::advance()
                                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Loops that are split: in sequence, and scans go on from their own total.
static bool mayBeSplit(ForOp loop, bool isDevice) {
  return loop.getLevelKind() == LevelKind::Seq && !hasPrefix(loop, isDevice);
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Whether all numbers of the program in the ranges that count are as small as
/// what counts elements; null where there are none.
static Value createCountsHold(IRRewriter &rewriter, const Interior &interior,
                              function_ref<bool(const IndexRange &)> counts) {
  Location loc = ForOp(interior.loop).getLoc();
  // What kernels with 32 bits compare with has to fit there.
  int64_t most = interior.isDevice ? INT32_MAX : maxGivenSize;
  llvm::SmallSetVector<Value, 4> numbers;
  for (const IndexRange &range :
       llvm::concat<const IndexRange>(interior.lower, interior.upper))
    if (counts(range))
      numbers.insert_range(range.counts);
  Value holds;
  auto require = [&](arith::CmpIPredicate predicate, Value value,
                     int64_t limit) {
    Value bound = arith::ConstantOp::create(
        rewriter, loc, rewriter.getIntegerAttr(value.getType(), limit));
    Value condition =
        arith::CmpIOp::create(rewriter, loc, predicate, value, bound);
    holds =
        holds
            ? arith::AndIOp::create(rewriter, loc, holds, condition).getResult()
            : condition;
  };
  for (Value value : numbers) {
    require(arith::CmpIPredicate::sle, value, most);
    require(arith::CmpIPredicate::sge, value, -most);
  }
  return holds;
}

/// A copy of the loop over `count` iterations from `first` on.
static ForOp copyRange(IRRewriter &rewriter, ForOp loop, Value first,
                       Value count, ValueRange seeds, IRMapping &mapping) {
  ForOp copy = createLoopLike(rewriter, loop, loop.getDim(), count, seeds,
                              loop.getLevelAttr());
  OpBuilder::InsertionGuard guard(rewriter);
  if (copy.isReduce())
    rewriter.setInsertionPointToEnd(copy.getBodyBlock());
  else
    rewriter.setInsertionPoint(copy.getBodyBlock()->getTerminator());
  Value index = copy.getInductionVar();
  if (first) {
    AffineExpr sum =
        rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1);
    index = toValue(rewriter, loop.getLoc(),
                    affine::makeComposedFoldedAffineApply(
                        rewriter, loop.getLoc(), AffineMap::get(2, 0, sum),
                        {index, first}));
  }
  mapping.map(loop.getInductionVar(), index);
  for (Operation &op : loop.getBodyBlock()->without_terminator())
    rewriter.clone(op, mapping);
  if (copy.isReduce())
    rewriter.clone(*loop.getYield(), mapping);
  return copy;
}

/// What a copy of jammed loops for blocks at an end keeps of masks and edges.
enum class Kept {
  None,
  /// Masks and edges along rows.
  Rows,
  /// What a thread asks once.
  Once
};

/// Takes masks and edges away in the interior copy, but for those `kept`.
static void simplify(IRRewriter &rewriter, const Interior &interior,
                     IRMapping &mapping, Kept kept = Kept::None) {
  OpBuilder::InsertionGuard guard(rewriter);
  for (const Interior::Mask &mask : interior.masks) {
    if ((kept == Kept::Rows && mask.alongRow) ||
        (kept == Kept::Once && mask.askedOnce))
      continue;
    Value copy = mapping.lookup(arith::CmpIOp(mask.compare).getResult());
    rewriter.setInsertionPointAfterValue(copy);
    Value known = arith::ConstantOp::create(rewriter, copy.getLoc(),
                                            rewriter.getBoolAttr(mask.holds));
    rewriter.replaceAllUsesWith(copy, known);
  }
  // The last first, as bounds are taken of bounds.
  for (auto [bound, operand, alongRow] : llvm::reverse(interior.bounds)) {
    if (kept == Kept::Rows && alongRow)
      continue;
    rewriter.replaceAllUsesWith(
        mapping.lookup(bound->getResult(0)),
        mapping.lookupOrDefault(bound->getOperand(operand)));
  }
  for (auto [load, dim, alongRow] : interior.edges) {
    if (kept == Kept::Rows && alongRow)
      continue;
    auto copy =
        mapping.lookup(LoadOp(load).getResult()).getDefiningOp<LoadOp>();
    SmallVector<EdgeMode> modes(copy.getEdge()->getModes());
    modes[dim] = EdgeMode::None;
    copy.setEdgeAttr(EdgesAttr::get(copy.getContext(), modes));
  }
}

/// What runs once, for iterations of which some are left over, is not expanded.
static void rollUpRows(ForOp tail) {
  tail.getBody().walk([](ForOp loop) {
    if (loop.getLevelKind() == LevelKind::Unroll && loop.isParallel())
      runInOrder(loop);
  });
}

/// Neither are updates, each of which has a branch of its own there.
static void rollUpUpdates(Region &tail) {
  tail.walk([](ForOp loop) {
    bool updates = false;
    if (loop.getLevelKind() == LevelKind::Vector && loop.isParallel())
      loop.getBody().walk([&](UpdateOp) { updates = true; });
    if (updates)
      runInOrder(loop);
  });
}

/// Whether `loop` records errors, by its own index.
static bool hasChecks(ForOp loop) {
  return loop.getBody()
      .walk([](CheckOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// One loop that asks in each iteration whether it is from `first` (0 if null)
/// to `last`.
static void splitInside(IRRewriter &rewriter, const Interior &interior,
                        Value first, Value last) {
  ForOp loop = interior.loop;
  Location loc = loop.getLoc();
  Block *body = loop.getBodyBlock();
  SmallVector<Operation *> ops;
  for (Operation &op : body->without_terminator())
    ops.push_back(&op);
  rewriter.setInsertionPoint(body->getTerminator());
  Value index = loop.getInductionVar();
  Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                       index, last);
  if (first)
    inside = arith::AndIOp::create(
        rewriter, loc, inside,
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sge, index,
                              first));
  auto branch = scf::IfOp::create(rewriter, loc, inside,
                                  /*withElseRegion=*/true);
  IRMapping mapping;
  rewriter.setInsertionPoint(branch.thenYield());
  for (Operation *op : ops)
    rewriter.clone(*op, mapping);
  simplify(rewriter, interior, mapping);
  Operation *end = branch.elseYield();
  for (Operation *op : ops)
    rewriter.moveOpBefore(op, end);
  if (interior.isDevice)
    rollUpUpdates(branch.getElseRegion());
}

static void split(IRRewriter &rewriter, const Interior &interior) {
  ForOp loop = interior.loop;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value end = toValue(rewriter, loc, loop.getMixedExtent());
  Value first;
  for (const IndexRange &range : interior.lower) {
    Value bound = createBound(rewriter, loc, range.lowest, range.step);
    first =
        first ? arith::MaxSIOp::create(rewriter, loc, first, bound).getResult()
              : bound;
  }
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value last = end;
  for (const IndexRange &range : interior.upper) {
    Value bound = createBound(rewriter, loc, range.highest, range.step);
    last = arith::MinSIOp::create(rewriter, loc, last, bound);
  }
  if (first) {
    first = arith::MaxSIOp::create(rewriter, loc, first, zero);
    first = arith::MinSIOp::create(rewriter, loc, first, end);
  }
  Value before = first ? first : zero;
  last = arith::MaxSIOp::create(rewriter, loc, last, before);
  if (Value hold = createCountsHold(rewriter, interior,
                                    [](const IndexRange &) { return true; }))
    last = arith::SelectOp::create(rewriter, loc, hold, last, before);
  // The index of an error is told by the indices of loops.
  if (loop.isParallel() && hasChecks(loop))
    return splitInside(rewriter, interior, first, last);

  SmallVector<Value> folded(loop.getSeeds());
  if (first) {
    IRMapping mapping;
    ForOp edge = copyRange(rewriter, loop, {}, first, folded, mapping);
    folded = SmallVector<Value>(edge.getResults());
  }
  Value count = last;
  if (first)
    count = arith::SubIOp::create(rewriter, loc, last, first);
  IRMapping mapping;
  ForOp inner = copyRange(rewriter, loop, first, count, folded, mapping);
  simplify(rewriter, interior, mapping);
  folded = SmallVector<Value>(inner.getResults());
  Value left = arith::SubIOp::create(rewriter, loc, end, last);
  IRMapping tailMapping;
  ForOp tail = copyRange(rewriter, loop, last, left, folded, tailMapping);
  if (interior.isDevice) {
    rollUpUpdates(tail.getBody());
    foldInParts(rewriter, tail);
  } else {
    rollUpRows(tail);
  }
  rewriter.replaceOp(loop, tail.getResults());
}

/// Marks the copy with masks for the rest of this pass.
static constexpr StringLiteral kMaskedAttr = "kernel.masked";

static bool isInMaskedCopy(Operation *op) {
  for (; op; op = op->getParentOp())
    if (op->hasAttr(kMaskedAttr))
      return true;
  return false;
}

/// Whether each iteration of `loop` has a mask or an edge of its own.
static bool hasOwnMasks(ForOp loop) {
  return loop
      ->walk([&](Operation *op) {
        auto load = dyn_cast<LoadOp>(op);
        auto compare = dyn_cast<arith::CmpIOp>(op);
        bool own = (load && load.getEdge()) ||
                   (compare && compare.getLhs().getType().isIndex() &&
                    LinearIndex(compare.getLhs())
                        .getCoefficient(loop.getInductionVar()));
        return own ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Blocks at an end take few iterations together, as their loads want registers
/// besides, and in order what is no single access.
static void rollUp(IRRewriter &rewriter, Operation *root) {
  OpBuilder::InsertionGuard guard(rewriter);
  root->setAttr(kMaskedAttr, UnitAttr::get(root->getContext()));
  root->walk([](ForOp loop) {
    if (loop.getLevelKind() == LevelKind::Vector && hasOwnMasks(loop))
      runInOrder(loop);
  });
  takeInParts(rewriter, root);
}

/// Whether all iterations of the jammed loop are inside by those bounds along
/// rows, or by the others.
static Value createInside(IRRewriter &rewriter, const Interior &interior,
                          function_ref<bool(const IndexRange &)> counts) {
  Location loc = ForOp(interior.loop).getLoc();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value inside;
  auto require = [&](arith::CmpIPredicate predicate, const LinearIndex &form) {
    Value condition = arith::CmpIOp::create(
        rewriter, loc, predicate, createBound(rewriter, loc, form, 1), zero);
    inside = inside ? arith::AndIOp::create(rewriter, loc, inside, condition)
                          .getResult()
                    : condition;
  };
  // A bound is the first iteration at which the form is not negative; for no
  // iteration at all, step 0 stands on the right side of it or not.
  for (const IndexRange &range : interior.lower)
    if (counts(range))
      require(arith::CmpIPredicate::sle, range.lowest);
  for (const IndexRange &range : interior.upper)
    if (counts(range))
      require(arith::CmpIPredicate::sgt, range.highest);
  if (Value hold = createCountsHold(rewriter, interior, counts))
    inside = arith::AndIOp::create(rewriter, loc, inside, hold);
  return inside;
}

/// Branches between copies of jammed loops. On a device, whose blocks take long
/// pieces of rows, many have an end of a row: these keep the edges there, in
/// code that is expanded as in the interior, if they are in nothing else at an
/// edge. So do those at the end of a dimension of which a thread has one
/// element: where it is short that is all of them.
static void splitJammed(IRRewriter &rewriter, const Interior &interior) {
  ForOp loop = interior.loop;
  Location loc = loop.getLoc();
  bool hasRows =
      interior.isDevice &&
      (llvm::any_of(interior.edges,
                    [](const Interior::Edge &edge) { return edge.alongRow; }) ||
       llvm::any_of(interior.masks, [](const Interior::Mask &mask) {
         return mask.isEdge && mask.alongRow;
       }));
  Kept kept = hasRows ? Kept::Rows : Kept::Once;
  auto isKept = [&](const IndexRange &range) {
    return hasRows ? range.alongRow : range.askedOnce;
  };
  auto isOther = [&](const IndexRange &range) { return !isKept(range); };
  auto ranges = llvm::concat<const IndexRange>(interior.lower, interior.upper);
  bool hasEnds = hasRows || (llvm::any_of(ranges, isKept) &&
                             llvm::any_of(ranges, isOther));
  enum Copy { Plain, Ends, Masked };
  auto emit = [&](Copy which) {
    IRMapping mapping;
    Operation *copy = rewriter.clone(*loop, mapping);
    scf::YieldOp::create(rewriter, loc, copy->getResults());
    if (which == Ends && hasRows)
      copy->setAttr(kMaskedAttr, rewriter.getUnitAttr());
    if (which != Masked)
      simplify(rewriter, interior, mapping, which == Ends ? kept : Kept::None);
    else if (interior.isDevice)
      rollUp(rewriter, copy);
  };
  auto branch = [&](Value inside, function_ref<void()> yes,
                    function_ref<void()> no) {
    auto op = scf::IfOp::create(rewriter, loc, loop.getResultTypes(), inside,
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(op.thenBlock());
    yes();
    rewriter.setInsertionPointToStart(op.elseBlock());
    no();
    return op;
  };
  rewriter.setInsertionPoint(loop);
  auto yield = [&](scf::IfOp inner) {
    scf::YieldOp::create(rewriter, loc, inner.getResults());
  };
  auto emitPlain = [&] { emit(Plain); };
  auto emitEnds = [&] { emit(Ends); };
  auto emitMasked = [&] { emit(Masked); };
  scf::IfOp top;
  if (hasRows) {
    auto splitRows = [&] {
      return branch(createInside(rewriter, interior, isKept), emitPlain,
                    emitEnds);
    };
    Value inside = createInside(rewriter, interior, isOther);
    top = inside ? branch(
                       inside, [&] { yield(splitRows()); }, emitMasked)
                 : splitRows();
  } else {
    // The interior comes first: what is staged for these loops asks the same,
    // so that one branch serves all of it.
    auto isAny = [](const IndexRange &) { return true; };
    top = branch(createInside(rewriter, interior, isAny), emitPlain, [&] {
      if (!hasEnds)
        return emitMasked();
      yield(branch(createInside(rewriter, interior, isOther), emitEnds,
                   emitMasked));
    });
  }
  rewriter.replaceOp(loop, top.getResults());
}

/// The outermost jammed loops of a launch.
static SmallVector<ForOp> getJammedRoots(LaunchOp launch) {
  SmallVector<ForOp> roots;
  launch.getBody().walk<WalkOrder::PreOrder>([&](ForOp loop) {
    if (!getJammedLoop(loop.getInductionVar()))
      return WalkResult::advance();
    roots.push_back(loop);
    return WalkResult::skip();
  });
  return roots;
}

/// The loops that run in sequence, inner ones first; an outer loop around
/// copies is left whole on devices, and around copies of copies everywhere.
static void splitSequential(IRRewriter &rewriter, LaunchOp launch,
                            bool isDevice) {
  SmallVector<ForOp> loops;
  launch.getBody().walk([&](ForOp loop) {
    if (mayBeSplit(loop, isDevice) && !isInMaskedCopy(loop))
      loops.push_back(loop);
  });
  // Levels of copies inside: on a CPU, whose code may grow more, two.
  llvm::SmallDenseMap<Operation *, unsigned> around;
  for (ForOp loop : loops) {
    unsigned level = around.lookup(loop);
    if (level > (isDevice ? 0 : 1))
      continue;
    Interior interior(loop, isDevice);
    interior.collect();
    if (interior.lower.empty() && interior.upper.empty())
      continue;
    for (Operation *op = loop->getParentOp(); op != launch;
         op = op->getParentOp())
      around[op] = std::max(around.lookup(op), level + 1);
    split(rewriter, interior);
  }
}

/// The loops whose iterations run together.
static void splitRoots(IRRewriter &rewriter, LaunchOp launch, bool isDevice) {
  for (ForOp loop : getJammedRoots(launch)) {
    if (hasPrefix(loop, isDevice))
      continue;
    Interior interior(loop, isDevice);
    interior.collect();
    if (!interior.lower.empty() || !interior.upper.empty())
      splitJammed(rewriter, interior);
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct SplitBoundaryPass
    : public arrc::kernel::impl::SplitBoundaryPassBase<SplitBoundaryPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    bool isDevice = isGPU(DeviceAttr::get(getOperation()));
    getOperation().walk([&](LaunchOp launch) {
      ScheduleAttr schedule = launch.getScheduleAttr();
      if (!schedule || !schedule.getSplitBoundary())
        return;
      // Where code is large for its loops, what few blocks run stays as it is.
      if (isDevice)
        splitRoots(rewriter, launch, isDevice);
      splitSequential(rewriter, launch, isDevice);
      if (!isDevice)
        splitRoots(rewriter, launch, isDevice);
      launch.getBody().walk([](ForOp loop) { loop->removeAttr(kMaskedAttr); });
    });
  }
};

} // namespace
