//===- PerfectNests.cpp - Nothing between the loops of a nest -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Invariant code motion leaves loads and arithmetic between two loops. No
// schedule can then interchange or merge these, or cut the inner one into
// blocks. They move into the inner loop, if that is the only one to use them:
//
//   for i { %b = load B[i]   sum for j { .. %b .. } }
//   =>
//   for i { sum for j { %b = load B[i]  .. %b .. } }
//
// Legal when nothing in the launch writes the array, and all users are in the
// inner loop. It costs nothing: machine code is cleared of it when the loops
// have their final order.
//
//===----------------------------------------------------------------------===//

#include "../Shared/LaunchAccess.h"
#include "../Shared/NestScalars.h"

#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_PERFECTNESTSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Whether the launch may write elements of its argument `array`.
static bool writes(LaunchOp launch, BlockArgument array) {
  Value read = getBuffer(launch.getOperandOf(array).get());
  return launch.getBody()
      .walk([&](Operation *op) {
        Value dest = getWrittenArray(op);
        auto argument = dyn_cast_if_present<BlockArgument>(dest);
        bool may = argument &&
                   !areDistinctBuffers(
                       getBuffer(launch.getOperandOf(argument).get()), read);
        return may ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` gives the same anywhere in its launch.
static bool isMovable(LaunchOp launch, Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op)) {
    auto array = dyn_cast<BlockArgument>(load.getSource());
    return array && !writes(launch, array);
  }
  return isScalarOp(op);
}

/// The only loop in the body of `outer`, if it folds; null else.
static ForOp getOnlyFold(ForOp outer) {
  ForOp fold;
  for (auto loop : outer.getBodyBlock()->getOps<ForOp>()) {
    if (fold || !loop.isReduce())
      return {};
    fold = loop;
  }
  return fold;
}

/// Moves what stands before the only fold in `outer` into it. Loads move only
/// with all that stands in the way, or the nest stays as imperfect as it was.
static void clear(LaunchOp launch, ForOp outer) {
  ForOp fold = getOnlyFold(outer);
  if (!fold || llvm::any_of(fold.getSeeds(), [&](Value seed) {
        return seed.getParentBlock() == outer.getBodyBlock();
      }))
    return;
  SmallVector<Operation *> moved;
  for (Operation *op = fold->getPrevNode(); op; op = op->getPrevNode()) {
    if (op->hasTrait<OpTrait::ConstantLike>())
      continue;
    bool inside = llvm::all_of(op->getUsers(), [&](Operation *user) {
      return fold->isProperAncestor(user) || llvm::is_contained(moved, user);
    });
    if (!inside || !isMovable(launch, op) ||
        llvm::is_contained(op->getUsers(), fold.getOperation()))
      return;
    moved.push_back(op);
  }
  // The last one first: each goes to the front of what is there.
  for (Operation *op : moved)
    op->moveBefore(fold.getBodyBlock(), fold.getBodyBlock()->begin());
}

namespace {

struct PerfectNestsPass
    : public arrc::kernel::impl::PerfectNestsPassBase<PerfectNestsPass> {
  void runOnOperation() override {
    getOperation().walk([](LaunchOp launch) {
      if (launch.getScheduleAttr() || launch.getVersions() ||
          launch.isScheduled())
        return;
      launch.getBody().walk<WalkOrder::PreOrder>(
          [&](ForOp loop) { clear(launch, loop); });
    });
  }
};

} // namespace
