//===- LoadMasks.cpp - What loads below a guard are masked by -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LoadMasks.h"

#include "../Shared/NestScalars.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

Value arrc::kernel::conjoin(IRRewriter &rewriter, Location loc, Value mask,
                            Value other) {
  if (!other)
    return mask;
  return arith::AndIOp::create(rewriter, loc, mask, other);
}

/// Adds the terms of a conjunction to `terms`.
static void splitMask(Value mask, SmallVectorImpl<Value> &terms) {
  if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
    splitMask(both.getLhs(), terms);
    splitMask(both.getRhs(), terms);
    return;
  }
  terms.push_back(mask);
}

/// Adds the loops whose iterations `value` tells apart; false if it is computed
/// of anything else that is not the same for the whole launch.
static bool findOrigins(Value value, llvm::SmallPtrSetImpl<Value> &origins) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (getLoopOf(value))
      origins.insert(argument);
    return getLoopOf(value) ||
           isa<LaunchOp>(argument.getOwner()->getParentOp());
  }
  Operation *op = value.getDefiningOp();
  return isScalarOp(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return findOrigins(operand, origins);
         });
}

/// Whether a block only starts where the dimension that ends at `end` has an
/// element: one of the loops of `origins` has a block for each tile of it.
static bool hasElements(const llvm::SmallPtrSetImpl<Value> &origins,
                        Value end) {
  if (std::optional<int64_t> number = getConstantIntValue(end))
    return *number > 0;
  return llvm::any_of(origins, [](Value origin) {
    ForOp loop = getLoopOf(origin);
    return loop.getLevelKind() == LevelKind::Block && !loop.getStaticExtent();
  });
}

void LoadMasks::takeLast(IRRewriter &rewriter, scf::IfOp guard) {
  rewriter.setInsertionPoint(guard);
  SmallVector<Value> terms;
  splitMask(all, terms);
  for (Value term : terms) {
    auto compare = term.getDefiningOp<arith::CmpIOp>();
    llvm::SmallPtrSet<Value, 4> own, ends;
    bool isEnd = compare &&
                 compare.getPredicate() == arith::CmpIPredicate::slt &&
                 compare.getLhs().getType().isIndex() &&
                 findOrigins(compare.getLhs(), own) &&
                 findOrigins(compare.getRhs(), ends) && ends.empty();
    bool isThreads = isEnd && llvm::all_of(own, [](Value origin) {
                       LevelAttr level = getLoopOf(origin).getLevelAttr();
                       return level && (level.isThread() || level.isBlock());
                     });
    if (!isThreads || !hasElements(own, compare.getRhs())) {
      others = others ? conjoin(rewriter, guard.getLoc(), others, term) : term;
      continue;
    }
    Location loc = guard.getLoc();
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    Value last = arith::SubIOp::create(rewriter, loc, compare.getRhs(), one);
    Value index = arith::MinSIOp::create(rewriter, loc, compare.getLhs(), last);
    rewriter.replaceUsesWithIf(compare.getLhs(), index, [&](OpOperand &use) {
      return guard.getThenRegion().isAncestor(
          use.getOwner()->getParentRegion());
    });
    clamped.push_back(index);
    origins.insert(own.begin(), own.end());
  }
}

bool LoadMasks::isClamped(LoadOp load) const {
  llvm::SmallPtrSet<Value, 16> seen;
  SmallVector<Value> work(load.getIndices());
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (llvm::is_contained(clamped, value) || !seen.insert(value).second)
      continue;
    if (origins.contains(value))
      return false;
    if (Operation *op = value.getDefiningOp())
      llvm::append_range(work, op->getOperands());
  }
  return true;
}

Value LoadMasks::get(LoadOp load) const {
  return clamped.empty() || !readsInput(load) || !isClamped(load) ? all
                                                                  : others;
}
