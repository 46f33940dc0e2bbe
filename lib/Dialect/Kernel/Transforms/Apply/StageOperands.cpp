//===- StageOperands.cpp - Read what a block shares once ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. What the iterations below a digit read of an array is a box: the image
// of the inner digits under the index. The block copies it on chip, in the
// order in which it lies in memory, and reads it from there in its own.
//
// Before   for i.0, j.0 at block {                 // stage = [A at j.0 pad 1]
//            for i.1 in 8 at thread.y { for j.1 in 32 at thread.x {
//              for i.2 in 4 at unroll { %A[j, i] } } } }
// After    for i.0, j.0 at block {
//            %t = local : 32x33
//            for y in 8 at thread.y { for x in 32 at thread.x {
//              for k in 4 at unroll {
//                %t[8 k + y, x] = %A[32 j.0 + 8 k + y, 32 i.0 + x] } } }
//            for i.1 .. { for j.1 .. { for i.2 .. { %t[j.1, 4 i.1 + i.2] } } }
//            }
//
// Elements of the box that lie outside of the array are not read; with an edge
// mode the box holds what the mode reads. What then touches nothing but the
// chip needs no guard at the end of its dimension, and the last step of a
// sequential digit, which is not whole, stands apart: accumulators stay in
// registers.
//
// A box that is `turned` has its last dimension first on chip: what a thread
// reads together then lies together. One that is loaded `ahead`
// (StageAhead.cpp) hides the latency of memory behind the work on the step
// before. Whole rows of a block, which it may write as well, are staged by
// StageRows.cpp.
//
// Legal when the launch does not write the array, each index is a sum of inner
// digits with numbers as sizes and of values that are known at the digit, and
// no thread loop stands around it. Pays where neighbouring threads read far
// apart, or threads of one block read the same.
// Source: Baskaran et al., "Automatic data movement and computation mapping for
// multi-level parallel architectures with explicitly managed memories" (2008).
//
//===----------------------------------------------------------------------===//

#include "StageBox.h"
#include "StageRows.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include "llvm/ADT/MapVector.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_STAGEOPERANDSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// What staging makes superfluous
//===----------------------------------------------------------------------===//

/// Whether all that `guard` keeps away from the end of its dimension ends on
/// chip, each iteration having an element of its own: then what is computed
/// past the end is never looked at. `reads` are loads from elsewhere.
static bool isOnChip(scf::IfOp guard, ForOp at, ArrayRef<Value> tiles,
                     bool &reads) {
  SmallVector<Value> digits;
  for (Operation *op = guard->getParentOp(); op != at; op = op->getParentOp()) {
    auto loop = dyn_cast<ForOp>(op);
    if (!loop && !isa<scf::IfOp>(op))
      return false;
    if (loop)
      digits.push_back(loop.getInductionVar());
  }
  auto isDigit = [](Value index) { return getLoopOf(index) != nullptr; };
  auto fits = [&](Value array, OperandRange indices, bool writes) {
    if (!array.getDefiningOp<LocalOp>()) {
      reads = true;
      return !writes;
    }
    if (!writes && llvm::is_contained(tiles, array))
      return true;
    return llvm::all_of(indices, isDigit) &&
           (!writes || llvm::all_of(digits, [&](Value digit) {
             return llvm::is_contained(indices, digit);
           }));
  };
  return !guard.getThenRegion()
              .walk([&](Operation *op) {
                bool harmless;
                if (auto load = dyn_cast<LoadOp>(op))
                  harmless = !load.getEdge() &&
                             fits(load.getSource(), load.getIndices(), false);
                else if (auto store = dyn_cast<StoreOp>(op))
                  harmless = fits(store.getDest(), store.getIndices(), true);
                else
                  harmless = isa<ForOp>(op) || isScalarOp(op) ||
                             op->hasTrait<OpTrait::IsTerminator>();
                return harmless ? WalkResult::advance()
                                : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// The comparisons `index < size` that `condition` is made of; false if there
/// is anything else.
static bool collectBounds(Value condition,
                          SmallVectorImpl<arith::CmpIOp> &bounds) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return collectBounds(both.getLhs(), bounds) &&
           collectBounds(both.getRhs(), bounds);
  auto bound = condition.getDefiningOp<arith::CmpIOp>();
  if (!bound || bound.getPredicate() != arith::CmpIPredicate::slt ||
      !bound.getLhs().getType().isIndex())
    return false;
  bounds.push_back(bound);
  return true;
}

static void dropGuards(IRRewriter &rewriter, ForOp at, ArrayRef<Value> tiles) {
  SmallVector<scf::IfOp> guards;
  at.getBody().walk([&](scf::IfOp guard) {
    if (guard->hasAttr(kTailAttr) && guard.getElseRegion().empty() &&
        !guard->getNumResults())
      guards.push_back(guard);
  });
  for (scf::IfOp guard : guards) {
    bool reads = false;
    SmallVector<arith::CmpIOp> bounds;
    if (!isOnChip(guard, at, tiles, reads) ||
        (reads && !collectBounds(guard.getCondition(), bounds)))
      continue;
    // Past the end the last iteration is repeated; there is one.
    rewriter.setInsertionPoint(guard);
    for (arith::CmpIOp bound : bounds) {
      Location loc = bound.getLoc();
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
      Value last = arith::SubIOp::create(rewriter, loc, bound.getRhs(), one);
      Value index = bound.getLhs();
      Value clamped = arith::MinSIOp::create(rewriter, loc, index, last);
      rewriter.replaceUsesWithIf(index, clamped, [&](OpOperand &use) {
        return guard->isProperAncestor(use.getOwner());
      });
    }
    rewriter.eraseOp(guard.thenYield());
    rewriter.inlineBlockBefore(guard.thenBlock(), guard);
    rewriter.eraseOp(guard);
  }
}

/// Splits `at`, a sequential loop that is clipped with its inner digits, into
/// the steps in which these run whole and the one in which they do not.
static void splitLastStep(IRRewriter &rewriter, LaunchOp launch, ForOp at) {
  auto [dim, number] = at.getDim().rsplit('.');
  unsigned digit;
  DimDigitsAttr digits = launch.getScheduleAttr().lookup(dim);
  if (at.getLevelKind() != LevelKind::Seq || !at.isParallel() ||
      !at.getExtent() || !digits || number.getAsInteger(10, digit))
    return;
  auto count = at.getExtent().getDefiningOp<affine::AffineApplyOp>();
  AffineExpr formula = count ? count.getAffineMap().getResult(0) : AffineExpr();
  auto rounded = dyn_cast_if_present<AffineBinaryOpExpr>(formula);
  int64_t weight = digits.getWeight(digit);
  if (!rounded || rounded.getKind() != AffineExprKind::CeilDiv ||
      rounded.getRHS() != rewriter.getAffineConstantExpr(weight))
    return;
  Location loc = at.getLoc();
  rewriter.setInsertionPoint(at);
  AffineMap map = count.getAffineMap();
  Value whole = affine::AffineApplyOp::create(
      rewriter, loc,
      AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                     rounded.getLHS().floorDiv(weight)),
      count.getMapOperands());
  Value rest = arith::SubIOp::create(rewriter, loc, at.getExtent(), whole);
  rewriter.setInsertionPointAfter(at);
  auto last = cast<ForOp>(rewriter.clone(*at));
  last.setMixedExtent(rest);
  rewriter.setInsertionPointToStart(last.getBodyBlock());
  Value step = last.getInductionVar();
  auto index = arith::AddIOp::create(rewriter, loc, step, whole);
  rewriter.replaceAllUsesExcept(step, index, index);
  at.setMixedExtent(whole);
  at.getBody().walk([&](ForOp inner) {
    auto [name, place] = inner.getDim().rsplit('.');
    unsigned k;
    if (name == dim && !place.getAsInteger(10, k) && k > digit &&
        k < digits.getDigits().size() && inner.getExtent() &&
        digits.getDigits()[k].getSize())
      inner.setMixedExtent(
          rewriter.getIndexAttr(digits.getDigits()[k].getSize()));
  });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct StageOperandsPass
    : public arrc::kernel::impl::StageOperandsPassBase<StageOperandsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) {
      ScheduleAttr schedule = launch.getScheduleAttr();
      if (schedule && !schedule.getStage().empty() && launch.isScheduled())
        launches.push_back(launch);
    });
    for (LaunchOp launch : launches) {
      ScheduleAttr schedule = launch.getScheduleAttr();
      llvm::MapVector<Operation *, SmallVector<Value>> tiles;
      llvm::MapVector<Operation *, SmallVector<ForOp>> ahead;
      for (ClauseAttr clause : schedule.getStage())
        if (failed(stage(rewriter, launch, clause, tiles, ahead)))
          return signalPassFailure();
      for (auto &[loop, made] : tiles) {
        dropGuards(rewriter, cast<ForOp>(loop), made);
        splitLastStep(rewriter, launch, cast<ForOp>(loop));
        if (ahead.contains(loop))
          runAhead(rewriter, cast<ForOp>(loop), ahead[loop]);
      }
      setClauses(launch, {}, schedule.getKeep());
    }
  }

  static LogicalResult
  stage(IRRewriter &rewriter, LaunchOp launch, ClauseAttr clause,
        llvm::MapVector<Operation *, SmallVector<Value>> &tiles,
        llvm::MapVector<Operation *, SmallVector<ForOp>> &ahead) {
    StringRef name = clause.getArray(), digit = clause.getDigit();
    auto refuse = [&](const Twine &reason) {
      return launch.emitOpError("cannot stage '")
             << name << "' at '" << digit << "': " << reason;
    };
    bool isRows = clause.getSpace() == "rows";
    if (!isRows && !clause.getSpace().empty() && clause.getSpace() != "shared")
      return refuse("tiles are shared");
    BlockArgument array = findArray(launch, name);
    if (!array)
      return refuse("the launch has no such array");
    SmallVector<ForOp> loops;
    launch.getBody().walk([&](ForOp loop) {
      if (loop.getDim() == digit)
        loops.push_back(loop);
    });
    if (loops.empty())
      return refuse("there is no such digit");
    // Loops of one digit are phases: those that do not read have no box.
    bool done = false;
    std::string last;
    for (ForOp loop : loops) {
      if (isRows) {
        if (std::string reason = stageRows(rewriter, launch, loop, array);
            !reason.empty())
          return refuse(reason);
        done = true;
        continue;
      }
      auto boxes = collectBoxes(loop, array);
      if (boxes.empty() && last.empty())
        last = "nothing below the digit reads it";
      for (ArrayRef<LoadOp> loads : boxes) {
        StageBox box(rewriter, launch, loop, array, clause, loads);
        std::string reason = box.analyze();
        if (!reason.empty())
          return refuse(reason);
        tiles[loop].push_back(box.apply());
        if (clause.getAhead())
          ahead[loop].push_back(box.getCopy());
        done = true;
      }
    }
    return done ? success() : LogicalResult(refuse(last));
  }
};

} // namespace
