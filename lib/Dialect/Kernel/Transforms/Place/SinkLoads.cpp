//===- SinkLoads.cpp - Loads that only the tail of a launch needs ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A part of kernel-split-launches. A counter that a launch counts up is read
// before its loops and written behind them:
//
// Before   %c = load %C   for b at block { .. }   store %c + 1, %C
// After    for b at block { .. }   %c = load %C   store %c + 1, %C
//
// In front of the loops the load would need a launch of its own, as other
// blocks may be at the store already; behind them it is a part of the tail.
//
// Legal: nothing between the two places writes the array, and no loop needs
// the value.
//
//===----------------------------------------------------------------------===//

#include "../Shared/LaunchAccess.h"
#include "../Shared/NestScalars.h"
#include "BlockRoots.h"

#include "arrc/Analysis/BufferDistinctness.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Whether `op` may write where `load` reads.
static bool mayWrite(LaunchOp launch, Operation *op, LoadOp load) {
  auto source = dyn_cast<BlockArgument>(load.getSource());
  return op
      ->walk([&](Operation *inner) {
        Value dest = getWrittenArray(inner);
        auto argument = dyn_cast_if_present<BlockArgument>(dest);
        auto elementOf = [](Value array) {
          return cast<MemRefType>(array.getType()).getElementType();
        };
        bool may =
            dest == load.getSource() ||
            (argument && source && elementOf(argument) == elementOf(source) &&
             !areDistinctBuffers(getBuffer(launch.getOperandOf(argument).get()),
                                 getBuffer(launch.getOperandOf(source).get())));
        return may ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Moves a load that no nest needs behind the first nest after it, with the
/// scalars that are computed from it: in front of a nest it would need a launch
/// of its own, if what follows writes the array.
static bool sinkLoad(IRRewriter &rewriter, LaunchOp launch, LoadOp load) {
  Block *body = launch.getBodyBlock();
  if (!mayBeWritten(launch, load.getSource()))
    return false;
  // Stands for all that moves.
  llvm::SmallPtrSet<Operation *, 8> moving{load};
  Operation *nest = nullptr;
  for (Operation *op = load->getNextNode(); op && !nest;
       op = op->getNextNode()) {
    bool uses = false;
    op->walk([&](Operation *inner) {
      uses |= llvm::any_of(inner->getOperands(), [&](Value v) {
        Operation *def = v.getDefiningOp();
        return def && moving.contains(def);
      });
    });
    if (uses && isScalarOp(op))
      moving.insert(op);
    else if (uses || mayWrite(launch, op, load))
      return false;
    if (isBlockLoop(op))
      nest = op;
  }
  if (!nest)
    return false;
  // First all, then each: what has moved is met again behind the nest.
  SmallVector<Operation *> inOrder;
  for (Operation &op : *body)
    if (moving.contains(&op))
      inOrder.push_back(&op);
  Operation *after = nest;
  for (Operation *op : inOrder) {
    rewriter.moveOpAfter(op, after);
    after = op;
  }
  return true;
}

void arrc::kernel::sinkLoads(IRRewriter &rewriter, LaunchOp launch) {
  SmallVector<LoadOp> loads(launch.getBody().getOps<LoadOp>());
  for (LoadOp load : loads)
    while (sinkLoad(rewriter, launch, load))
      ;
}
