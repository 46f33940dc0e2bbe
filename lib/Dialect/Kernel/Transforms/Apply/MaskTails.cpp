//===- MaskTails.cpp - Mask what digits past the end must not touch -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A vector or a block of threads runs as a whole; what lies past the end
// of the dimension must touch nothing and add nothing, but may compute.
//
// Before   %c = scf.if %in -> (f32) {           // put there by the split
//            %v = kernel.load %X[%i]  %e = math.exp %v  scf.yield %e
//          } else { scf.yield %zero }
// After    %v = kernel.load %X[%i] if %in       // zero where masked off
//          %e = math.exp %v                     // exp(0) is 1: not neutral
//          %c = arith.select %in, %e, %zero
//
// Legal: masked loads give zero and everything between has no effect; an
// integer division gets the divisor 1 where its own may be zero; a check holds
// where the mask is off. Loops inside run as long as what they count with says,
// for which masked loads have given zero.
//
// Threads of a device branch: there only guards around loops that threads share
// (a fold across threads, a barrier) or around elements of a row that a thread
// keeps become masks, and the others stay. Of those whose iterations a thread
// takes together the loads move out, under masks, so that all of a step are
// under way before the first branch waits for one:
//
// Before   scf.if %in -> (f32) {
//            %v = kernel.load %X[%i]  %e = math.exp %v  scf.yield %e } ..
// After    %v = kernel.load %X[%i] if %in
//          scf.if %in -> (f32) { %e = math.exp %v  scf.yield %e } ..
//
// A thread of a block that folds, and that has one element of a dimension,
// takes the last element where its own is past the end (LoadMasks.h).
//
// What a guard asks of a dimension of which a thread has one element is the
// same for all that the thread takes together: it is asked once, around them.
// Blocks at the end of that dimension (each one, where it is short) then run
// the others as the interior does.
//
// Before   kernel.for %u in 8 at unroll {
//            scf.if %in_j { scf.if %in_k { .. } } }
// After    scf.if %in_k {
//            kernel.for %u in 8 at unroll { scf.if %in_j { .. } } }
//
//===----------------------------------------------------------------------===//

#include "LoadMasks.h"

#include "../Shared/LaunchAccess.h"
#include "../Shared/RowReuse.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/Coalescing.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_MASKTAILSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Elements of a row that take branches, where one thread has it on chip.
static constexpr int64_t kBranchedElements = 8;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether everything below runs for masked lanes without harm.
static bool canMask(Region &region) {
  return llvm::all_of(region.getOps(), [](Operation &op) {
    if (isa<LoadOp, StoreOp, UpdateOp, CheckOp, LocalOp, PrefixOp>(op))
      return true;
    if (isa<ForOp, scf::IfOp, scf::ForOp>(op)) {
      if (auto loop = dyn_cast<ForOp>(op))
        return canMask(loop.getBody());
      return llvm::all_of(op.getRegions(),
                          [](Region &inner) { return canMask(inner); });
    }
    return op.hasTrait<OpTrait::IsTerminator>() ||
           (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
  });
}

/// Whether threads work together somewhere below.
static bool hasThreadLoop(Region &region) {
  return region
      .walk([](ForOp loop) {
        return loop.getLevelKind() == LevelKind::Thread
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` is an access to a local in which each iteration has an element
/// of its own, those past the end as well.
static bool hasOwnElement(Operation *op) {
  Value array;
  if (auto load = dyn_cast<LoadOp>(op))
    array = load.getSource();
  else if (auto store = dyn_cast<StoreOp>(op))
    array = store.getDest();
  Operation *local = array ? array.getDefiningOp() : nullptr;
  return local && local->hasAttr(kOwnElementsAttr);
}

/// Whether threads stand between `op` and the local that it accesses.
static bool isShared(Operation *op, Operation *local) {
  for (Operation *loop = op->getParentOp(); loop != local->getParentOp();
       loop = loop->getParentOp())
    if (auto inner = dyn_cast<ForOp>(loop);
        inner && inner.getLevelKind() == LevelKind::Thread)
      return true;
  return false;
}

/// Whether what stands below fills or reads registers of the thread: the
/// elements of a row that it keeps take each step together, so that all are
/// under way. A thread that has a short row alone, and finds it on chip, takes
/// branches instead: elements that the row does not have cost more.
static bool keepsElements(Region &region) {
  bool keeps = false, together = false;
  region.walk([&](Operation *op) {
    if (!Access::isAccess(op))
      return;
    Value array = getAccessedArray(op);
    Operation *local = array.getDefiningOp();
    if (hasOwnElement(op)) {
      keeps = true;
      together |= isShared(op, local) ||
                  cast<MemRefType>(array.getType()).getNumElements() >
                      kBranchedElements;
    } else {
      together |= !isa_and_present<LocalOp>(local);
    }
  });
  return keeps && together;
}

/// A guard of the split: the other branch yields values only.
static bool isMaskable(scf::IfOp guard, bool keepsBranches) {
  if (!guard->hasAttr(kTailAttr) ||
      (keepsBranches && !hasThreadLoop(guard.getThenRegion()) &&
       !keepsElements(guard.getThenRegion())) ||
      !canMask(guard.getThenRegion()))
    return false;
  return guard.getElseRegion().empty() ||
         llvm::all_of(guard.elseBlock()->without_terminator(),
                      [](Operation &op) { return isScalarOp(&op); });
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// The divisor becomes 1 where the mask is off.
static void maskDivisor(IRRewriter &rewriter, Operation *op, Value mask) {
  Value divisor = op->getOperand(1);
  if (matchPattern(divisor, m_Constant()))
    return;
  rewriter.setInsertionPoint(op);
  Value one = arith::ConstantOp::create(
      rewriter, op->getLoc(), rewriter.getIntegerAttr(divisor.getType(), 1));
  Value safe =
      arith::SelectOp::create(rewriter, op->getLoc(), mask, divisor, one);
  rewriter.modifyOpInPlace(op, [&] { op->setOperand(1, safe); });
}

/// Masks all effects below `region`.
static void maskRegion(IRRewriter &rewriter, Region &region, Value mask,
                       const LoadMasks &loadMasks) {
  region.walk([&](Operation *op) {
    // Operators see values that are already selected.
    auto loop = dyn_cast<ForOp>(op->getParentOp());
    if (isa<UpdateOp>(op->getParentOp()) ||
        (loop && op->getParentRegion() == &loop.getCombiner()))
      return;
    Location loc = op->getLoc();
    rewriter.setInsertionPoint(op);
    if (hasOwnElement(op)) {
      // Past the end it is touched by nobody else.
    } else if (auto load = dyn_cast<LoadOp>(op)) {
      if (Value own = loadMasks.get(load))
        load.getMaskMutable().assign(
            conjoin(rewriter, loc, own, load.getMask()));
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      store.getMaskMutable().assign(
          conjoin(rewriter, loc, mask, store.getMask()));
    } else if (auto update = dyn_cast<UpdateOp>(op)) {
      update.getMaskMutable().assign(
          conjoin(rewriter, loc, mask, update.getMask()));
    } else if (auto check = dyn_cast<CheckOp>(op)) {
      Value yes =
          arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
      Value off = arith::XOrIOp::create(rewriter, loc, mask, yes);
      Value holds =
          arith::OrIOp::create(rewriter, loc, check.getCondition(), off);
      check.getConditionMutable().assign(holds);
    } else if (dividesIntegers(op)) {
      maskDivisor(rewriter, op, mask);
    }
  });
}

static void maskGuard(IRRewriter &rewriter, scf::IfOp guard,
                      bool takesLast = false) {
  Value mask = guard.getCondition();
  LoadMasks loadMasks(mask);
  if (takesLast)
    loadMasks.takeLast(rewriter, guard);
  maskRegion(rewriter, guard.getThenRegion(), mask, loadMasks);
  SmallVector<Value> values(guard.thenYield().getOperands());
  SmallVector<Value> others;
  if (!guard.getElseRegion().empty()) {
    others = SmallVector<Value>(guard.elseYield().getOperands());
    rewriter.eraseOp(guard.elseYield());
    rewriter.inlineBlockBefore(guard.elseBlock(), guard);
  }
  rewriter.eraseOp(guard.thenYield());
  rewriter.inlineBlockBefore(guard.thenBlock(), guard);
  rewriter.setInsertionPoint(guard);
  for (auto [value, other] : llvm::zip(values, others))
    value =
        arith::SelectOp::create(rewriter, guard.getLoc(), mask, value, other);
  rewriter.replaceOp(guard, values);
}

//===----------------------------------------------------------------------===//
// Loads of branches that stay
//===----------------------------------------------------------------------===//

/// What differs between the iterations that a thread takes together, of the
/// loops around `op`.
static SmallVector<Variation> findTakenTogether(Operation *op) {
  SmallVector<Variation> loops;
  for (auto loop = op->getParentOfType<ForOp>(); loop;
       loop = loop->getParentOfType<ForOp>())
    if (LevelAttr level = loop.getLevelAttr();
        level && (level.isUnroll() || level.isVector()))
      loops.emplace_back(loop);
  return loops;
}

/// Whether `op`, which has no effect, may run where the mask is off.
static bool mayRunAhead(Operation *op) {
  return !dividesIntegers(op) || matchPattern(op->getOperand(1), m_Constant());
}

namespace {
/// A load that goes ahead of a guard, and how many checks stand before it.
struct LoadAhead {
  LoadOp load;
  size_t checks;
};
} // namespace

/// Moves loads of arrays in memory out of `guard`, with what their indices are
/// computed of; those behind a check are masked by what it asks. What stands
/// behind an effect or a loop stays there, and what would wait for a load that
/// only a check needs.
static void moveLoadsOut(IRRewriter &rewriter, scf::IfOp guard) {
  SmallVector<Variation> together = findTakenTogether(guard);
  if (together.empty())
    return;
  // An element that all of them read is loaded where it is used.
  auto differs = [&](LoadOp load) {
    return llvm::any_of(together, [&](const Variation &loop) {
      return llvm::any_of(load.getIndices(),
                          [&](Value index) { return loop.contains(index); });
    });
  };
  Block *block = guard.thenBlock();
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return op->getBlock() == block; };
  // What goes, what might, the conditions of checks so far and what these are
  // computed of.
  llvm::SetVector<Operation *> ahead, asked;
  llvm::SmallPtrSet<Operation *, 16> may;
  SmallVector<LoadAhead> loads;
  SmallVector<Value> checked;
  // Operations are visited in order: those before `op` are decided.
  auto isAhead = [&](Value value) {
    Operation *definition = value.getDefiningOp();
    return !definition || definition->getBlock() != block ||
           may.contains(definition);
  };
  auto takes = [&](Operation *op) {
    return llvm::all_of(op->getOperands(), isAhead);
  };
  auto takeLoad = [&](LoadOp load) {
    llvm::SetVector<Operation *> own;
    (void)getBackwardSlice(load.getOperation(), &own, options);
    if (llvm::any_of(asked, [&](Operation *op) {
          return isa<LoadOp>(op) && !own.contains(op);
        }))
      return;
    may.insert(load);
    loads.push_back({load, checked.size()});
    ahead.insert(own.begin(), own.end());
    ahead.insert(asked.begin(), asked.end());
  };
  for (Operation &op : block->without_terminator()) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      if (isa<BlockArgument>(load.getSource()) && differs(load) && takes(load))
        takeLoad(load);
    } else if (auto check = dyn_cast<CheckOp>(op)) {
      Value condition = check.getCondition();
      if (!isAhead(condition))
        break;
      if (llvm::is_contained(checked, condition))
        continue;
      checked.push_back(condition);
      (void)getBackwardSlice(condition, &asked, options);
    } else if (op.getNumRegions() || !isMemoryEffectFree(&op)) {
      break;
    } else if (mayRunAhead(&op) && takes(&op)) {
      may.insert(&op);
    }
  }
  for (Operation &op : llvm::make_early_inc_range(*block))
    if (ahead.contains(&op))
      rewriter.moveOpBefore(&op, guard);
  for (auto [load, count] : loads) {
    rewriter.setInsertionPoint(load);
    Location loc = load.getLoc();
    Value mask = conjoin(rewriter, loc, guard.getCondition(), load.getMask());
    for (Value condition : ArrayRef(checked).take_front(count))
      if (condition != load.getMask())
        mask = conjoin(rewriter, loc, mask, condition);
    rewriter.modifyOpInPlace(load, [&, load = load]() mutable {
      load.getMaskMutable().assign(mask);
    });
  }
}

//===----------------------------------------------------------------------===//
// Conditions of a thread
//===----------------------------------------------------------------------===//

/// The outermost loop around `guard` that the thread runs alone, if nothing is
/// done there but what this and other guards admit.
static ForOp findOwnLoops(scf::IfOp guard) {
  ForOp outermost;
  for (Operation *only = guard;;) {
    Operation *parent = only->getParentOp();
    if (!llvm::all_of(only->getBlock()->without_terminator(),
                      [&](Operation &op) {
                        return &op == only || isMemoryEffectFree(&op);
                      }))
      return outermost;
    auto loop = dyn_cast<ForOp>(parent);
    LevelAttr level = loop ? loop.getLevelAttr() : LevelAttr();
    if (level && !level.isThread() && !level.isBlock() && loop.isParallel())
      outermost = loop;
    else if (!isa<scf::IfOp>(parent) || parent->getNumResults() ||
             !parent->hasAttr(kTailAttr))
      return outermost;
    only = parent;
  }
}

/// Moves what `value` is computed of in front of `loop`; fails where that
/// depends on its iterations.
static bool moveOutOf(IRRewriter &rewriter, ForOp loop, Value value) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return loop->isAncestor(op); };
  (void)getBackwardSlice(value, &slice, options);
  bool isSame = llvm::all_of(slice, [&](Operation *op) {
    return isMemoryEffectFree(op) && !op->getNumRegions() &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return operand.getDefiningOp() ||
                    loop.isDefinedOutsideOfLoop(operand);
           });
  });
  if (isSame)
    for (Operation *op : slice)
      rewriter.moveOpBefore(op, loop);
  return isSame;
}

/// Asks what is the same in all iterations of the loops that a thread runs
/// around `guard` in front of them; fails where it is not.
static bool hoistGuard(IRRewriter &rewriter, scf::IfOp guard) {
  ForOp loop = guard.getNumResults() ? ForOp() : findOwnLoops(guard);
  Value condition = guard.getCondition();
  if (!loop || !moveOutOf(rewriter, loop, condition))
    return false;
  rewriter.setInsertionPoint(loop);
  auto around = scf::IfOp::create(rewriter, guard.getLoc(), condition,
                                  /*withElseRegion=*/false);
  around->setAttr(kTailAttr, rewriter.getUnitAttr());
  rewriter.moveOpBefore(loop, around.thenYield());
  rewriter.eraseOp(guard.thenYield());
  rewriter.inlineBlockBefore(guard.thenBlock(), guard);
  rewriter.eraseOp(guard);
  return true;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct MaskTailsPass
    : public arrc::kernel::impl::MaskTailsPassBase<MaskTailsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // One thread may branch as it likes.
    bool keepsBranches = isGPU(DeviceAttr::get(getOperation()));
    // Inner guards first: their masks are joined with the outer ones.
    SmallVector<scf::IfOp> guards;
    getOperation().walk([&](scf::IfOp guard) { guards.push_back(guard); });
    for (scf::IfOp guard : guards)
      if (isMaskable(guard, keepsBranches))
        maskGuard(rewriter, guard, /*takesLast=*/keepsBranches);
      else if (keepsBranches && guard->hasAttr(kTailAttr) &&
               !hoistGuard(rewriter, guard))
        moveLoadsOut(rewriter, guard);
  }
};

} // namespace
