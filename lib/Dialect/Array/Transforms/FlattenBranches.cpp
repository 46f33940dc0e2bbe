//===- FlattenBranches.cpp - Pure cheap branches become selects -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. A branch in a body stops a loop from becoming SIMD code, and splits the
// threads of a warp. Where both sides may be computed, they are, and a select
// takes one:
//
//   %v = scf.if %c -> f32 {          %x = arith.mulf %a, %b
//     %x = arith.mulf %a, %b   ->    %y = arith.addf %a, %b
//     scf.yield %x                   %v = arith.select %c, %x, %y
//   } else { .. }
//
// Legal if nothing on either side can fail or has an effect where it was not
// run: a read is proved inside, a divisor is not zero. A check of one side is
// made to hold on the other. What both sides do stands in front of the branch
// before that is asked: it runs in any case.
//
// Pays if both sides together are cheap, counted in additions: bounce-back
// against a collision, boundary formulas. A loop is never cheap, but a product
// that points share is best computed for all of them (BranchedProduct.h). In a
// time loop a branch over numbers (the next width of a step, the half of an
// interval, a number of a series or another one) is one that the host would
// wait for a device to take: what a step decides with selects, the device
// decides.
//
// Source: if-conversion (Allen, Kennedy, Porterfield, Warren, POPL 1983).
//
//===----------------------------------------------------------------------===//

#include "BodyCost.h"
#include "BranchedProduct.h"
#include "IndexProver.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/Divisors.h"
#include "arrc/Dialect/Array/IR/GuardedRead.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace arrc::array {
#define GEN_PASS_DEF_FLATTENBRANCHESPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Why `op` must not run where it did not; empty if it may.
static StringRef whyNotAnywhere(Operation &op) {
  if (isa<CheckOp>(op) || op.hasTrait<OpTrait::IsTerminator>())
    return "";
  if (op.getNumRegions() != 0)
    return isa<scf::IfOp>(op) ? "a branch inside stays" : "there is a loop";
  // In its branch it is an element or a few, as a choice between arrays all.
  if (isa<tensor::InsertSliceOp>(op))
    return "a part of an array is assigned";
  if (auto at = dyn_cast<AtOp>(op))
    return at.getInbounds() && !at->hasAttr(kGuardedAttr)
               ? ""
               : "a read may be out of bounds";
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::RemSIOp>(op))
    return isNotZero(op.getOperand(1)) ? "" : "a divisor may be zero";
  if (!isMemoryEffectFree(&op) || !isSpeculatable(&op))
    return isa<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp>(op)
               ? "a division may fail"
               : "an operation must not be moved";
  return "";
}

/// Whether a step of a time loop chooses between numbers that follow from
/// numbers and from elements of arrays.
static bool isChoiceOfStep(scf::IfOp op) {
  auto isNumber = [](Type type) { return !isa<ShapedType>(type); };
  if (!op->getParentOfType<scf::ForOp>() &&
      !op->getParentOfType<scf::WhileOp>())
    return false;
  if (!op.getNumResults() || !llvm::all_of(op.getResultTypes(), isNumber))
    return false;
  for (Region *region : op.getRegions())
    for (Operation &inner : region->getOps())
      if (isa<CheckOp>(inner) || inner.getNumRegions() != 0 ||
          !(isa<AtOp>(inner) ||
            llvm::all_of(inner.getOperandTypes(), isNumber)) ||
          !llvm::all_of(inner.getResultTypes(), isNumber))
        return false;
  return true;
}

/// The same of a fold and of what it holds.
static StringRef whyNotAnywhere(ReduceOp fold) {
  // The reads in it need its indices. The prover is asked here alone.
  if (llvm::any_of(fold.getDynamicExtents(), [](Value extent) {
        return !extent.getDefiningOp<tensor::DimOp>();
      })) {
    IndexProver prover(fold->getParentOfType<func::FuncOp>());
    for (Value extent : fold.getDynamicExtents())
      if (!prover.isNotNegative(prover.getForm(extent)))
        return "an extent may be negative";
  }
  StringRef reason;
  fold->walk([&](Operation *op) {
    if (op == fold)
      return WalkResult::advance();
    reason =
        isa<CheckOp>(op) ? "there is a check in a loop" : whyNotAnywhere(*op);
    return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return reason;
}

/// Why the branch must stay; empty if it may go, with `product`.
static StringRef whyNotFlat(scf::IfOp op, ReduceOp product) {
  for (Region *region : op.getRegions())
    for (Operation &inner : region->getOps()) {
      StringRef reason = product && &inner == product ? whyNotAnywhere(product)
                                                      : whyNotAnywhere(inner);
      if (!reason.empty())
        return reason;
    }
  return "";
}

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

/// What both sides cost together, beside `product`.
static int64_t costOf(scf::IfOp op, ReduceOp product) {
  BodyCost cost;
  for (Region *region : op.getRegions())
    for (Operation &inner : region->getOps())
      if (!product || &inner != product)
        cost.add(&inner);
  return cost.work + cost.reads;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Whether `op` gives the same in front of the branch that it stands in, if all
/// that it needs is there.
static bool mayStandBefore(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>() || op.getNumRegions() != 0 ||
      op.hasAttr(kGuardedAttr))
    return false;
  return isa<CheckOp, AtOp>(op) || isMemoryEffectFree(&op);
}

/// Moves what both sides do in front of the branch.
static void moveCommon(RewriterBase &rewriter, scf::IfOp op) {
  if (op.getElseRegion().empty())
    return;
  Block &other = op.getElseRegion().front();
  for (Operation &mine : llvm::make_early_inc_range(*op.thenBlock())) {
    if (!mayStandBefore(mine) || llvm::any_of(mine.getOperands(), [&](Value v) {
          return v.getParentRegion() == &op.getThenRegion();
        }))
      continue;
    auto same = llvm::find_if(other, [&](Operation &theirs) {
      return OperationEquivalence::isEquivalentTo(
          &mine, &theirs, OperationEquivalence::IgnoreLocations);
    });
    if (same == other.end())
      continue;
    rewriter.moveOpBefore(&mine, op);
    rewriter.replaceOp(&*same, mine.getResults());
  }
}

/// Moves one side in front of the branch. Its checks hold where `taken` is not
/// `side`.
static void moveOut(RewriterBase &rewriter, scf::IfOp op, Region &region,
                    bool side) {
  if (region.empty())
    return;
  for (Operation &inner :
       llvm::make_early_inc_range(region.front().without_terminator())) {
    rewriter.moveOpBefore(&inner, op);
    auto check = dyn_cast<CheckOp>(inner);
    if (!check)
      continue;
    rewriter.setInsertionPoint(check);
    Value yes = arith::ConstantOp::create(rewriter, check.getLoc(),
                                          rewriter.getBoolAttr(true));
    Value ok = arith::SelectOp::create(
        rewriter, check.getLoc(), op.getCondition(), side ? check.getOk() : yes,
        side ? yes : check.getOk());
    rewriter.modifyOpInPlace(check, [&] { check.getOkMutable().assign(ok); });
  }
}

static void flatten(RewriterBase &rewriter, scf::IfOp op) {
  moveOut(rewriter, op, op.getThenRegion(), true);
  moveOut(rewriter, op, op.getElseRegion(), false);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> values;
  if (op.getNumResults())
    for (auto [yes, no] :
         llvm::zip(op.thenYield().getResults(), op.elseYield().getResults()))
      values.push_back(
          yes == no ? yes
                    : arith::SelectOp::create(rewriter, op.getLoc(),
                                              op.getCondition(), yes, no));
  rewriter.replaceOp(op, values);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct FlattenBranchesPass
    : arrc::array::impl::FlattenBranchesPassBase<FlattenBranchesPass> {
  using FlattenBranchesPassBase::FlattenBranchesPassBase;

  void runOnOperation() override {
    // Inner branches first: what is flat inside may let the outer one go.
    SmallVector<scf::IfOp> branches;
    getOperation().walk<WalkOrder::PostOrder>([&](scf::IfOp op) {
      if (op->getParentOfType<IndexSpaceOpInterface>() || isChoiceOfStep(op))
        branches.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (scf::IfOp op : branches)
      flattenOrSay(rewriter, op);
  }

  void flattenOrSay(RewriterBase &rewriter, scf::IfOp op) {
    auto options =
        remark::RemarkOpts::name("FlattenBranch").category("flatten-branches");
    moveCommon(rewriter, op);
    ReduceOp product = getBranchedProduct(op);
    if (StringRef reason = whyNotFlat(op, product); !reason.empty()) {
      remark::missed(op.getLoc(), options) << remark::reason("{0}", reason);
      return;
    }
    int64_t cost = costOf(op, product);
    if (cost > maxCost) {
      remark::missed(op.getLoc(), options)
          << remark::reason("both sides cost {0} operations, more than {1}",
                            cost, maxCost.getValue());
      return;
    }
    remark::passed(op.getLoc(), options)
        << remark::add("computes both sides, {0} operations", cost);
    flatten(rewriter, op);
  }
};
} // namespace
