//===- BlockRoots.cpp - What stands at block at the root ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Folds and scans at block become parallel nests (BlockFolds.h). Block loops
// that stand elsewhere, or whose extent only the device knows, run in sequence,
// which every block loop may.
//
//===----------------------------------------------------------------------===//

#include "BlockRoots.h"

#include "../Shared/LaunchAccess.h"
#include "../Shared/NestScalars.h"
#include "BlockFolds.h"

#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Dialect/Kernel/Transforms/CooperativeRows.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

bool arrc::kernel::isBlockLoop(Operation *op) {
  auto loop = dyn_cast<ForOp>(op);
  return loop && loop.getLevelKind() == LevelKind::Block;
}

//===----------------------------------------------------------------------===//
// Which loops make up a root nest
//===----------------------------------------------------------------------===//

static void runInSequence(ForOp loop) {
  loop.setLevelAttr(LevelAttr::get(loop.getContext(), LevelKind::Seq, 0));
}

bool arrc::kernel::mayBeWritten(LaunchOp launch, Value array) {
  auto bufferOf = [&](BlockArgument argument) {
    return getBuffer(launch.getOperandOf(argument).get());
  };
  auto source = dyn_cast<BlockArgument>(array);
  auto overlaps = [&](BlockArgument dest) {
    return dest == source || !source ||
           (cast<MemRefType>(dest.getType()).getElementType() ==
                cast<MemRefType>(source.getType()).getElementType() &&
            !areDistinctBuffers(bufferOf(dest), bufferOf(source)));
  };
  return launch.getBody()
      .walk([&](Operation *op) {
        Value dest = getWrittenArray(op);
        auto argument = dyn_cast_if_present<BlockArgument>(dest);
        return argument && overlaps(argument) ? WalkResult::interrupt()
                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The next parallel block loop of the nest that `outer` is part of: all that
/// it does besides operations that every block can repeat, which are moved
/// into the loop unless its extent needs them.
static ForOp getNextParallel(LaunchOp launch, ForOp outer) {
  ForOp inner;
  SmallVector<Operation *> loads;
  for (Operation &op : outer.getBodyBlock()->without_terminator()) {
    if (isBlockLoop(&op)) {
      if (inner)
        return {};
      inner = cast<ForOp>(op);
      continue;
    }
    if (isScalarOp(&op))
      continue;
    auto load = dyn_cast<LoadOp>(op);
    if (!load || inner || mayBeWritten(launch, load.getSource()))
      return {};
    loads.push_back(&op);
  }
  if (!inner || !inner.isParallel() ||
      !isKnownToHost(launch, inner.getMixedExtent()))
    return {};
  // Known to the host, so the extent needs no load. What uses the loads goes
  // along.
  llvm::SmallPtrSet<Operation *, 8> moving(loads.begin(), loads.end());
  SmallVector<Operation *> order;
  for (Operation &op : outer.getBodyBlock()->without_terminator()) {
    if (&op == inner)
      break;
    bool uses = llvm::any_of(op.getOperands(), [&](Value v) {
      return v.getDefiningOp() && moving.contains(v.getDefiningOp());
    });
    if (uses)
      moving.insert(&op);
    if (moving.contains(&op))
      order.push_back(&op);
  }
  for (Operation *op : llvm::reverse(order))
    op->moveBefore(&inner.getBodyBlock()->front());
  return inner;
}

/// The loops of the block nest that starts at `root`, which is at block;
/// nothing if it has to run in sequence. All other block loops below do, but
/// for `lookBack`.
static SmallVector<ForOp> settleNest(LaunchOp launch, ForOp root,
                                     ForOp lookBack) {
  SmallVector<ForOp> nest;
  auto isKnown = [&](ForOp loop) {
    return isKnownToHost(launch, loop.getMixedExtent());
  };
  if (isBlockLoop(root) && isKnown(root)) {
    nest.push_back(root);
    if (root.isParallel()) {
      while (ForOp inner = getNextParallel(launch, nest.back()))
        nest.push_back(inner);
    } else if (root.isReduce()) {
      ForOp inner = getOnlyLoop(root);
      while (inner && inner->getParentOp() == nest.back() &&
             isBlockLoop(inner) && isKnown(inner)) {
        nest.push_back(inner);
        inner = getOnlyLoop(inner);
      }
    }
  }
  root->walk([&](ForOp loop) {
    if (isBlockLoop(loop) && !llvm::is_contained(nest, loop) &&
        loop != lookBack &&
        !(nest.size() && loop->getParentOp() == nest.back() &&
          isCooperative(loop)))
      runInSequence(loop);
  });
  return nest;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Threads of what runs once after `nest`: no more than its blocks have, as
/// these may run it.
static int64_t getTailThreads(ForOp nest, int64_t most) {
  int64_t along = 0;
  bool threads = false;
  nest.getBody().walk([&](ForOp loop) {
    if (loop.getLevelKind() != LevelKind::Thread)
      return;
    threads = true;
    if (loop.getLevelAttr().getAxis() == 0)
      along = std::max<int64_t>(along, loop.getStaticExtent().value_or(0));
  });
  return threads ? std::max<int64_t>(along, 1) : std::min<int64_t>(256, most);
}

bool arrc::kernel::hasOrderedBlocks(DeviceAttr device) {
  return device.getInteger("ordered_blocks", 0) != 0;
}

void arrc::kernel::rewriteBlockRoots(IRRewriter &rewriter, LaunchOp launch,
                                     DeviceAttr device) {
  sinkLoads(rewriter, launch);
  int64_t threads = device.getInteger("max_threads", 256);
  bool orderedBlocks = hasOrderedBlocks(device);
  SmallVector<Operation *> roots;
  for (Operation &op : launch.getBodyBlock()->without_terminator())
    roots.push_back(&op);
  for (Operation *op : roots) {
    auto root = dyn_cast<ForOp>(op);
    if (!root) {
      op->walk([](ForOp loop) {
        if (isBlockLoop(loop))
          runInSequence(loop);
      });
      continue;
    }
    ForOp lookBack = orderedBlocks ? findLookBack(launch, root) : ForOp();
    SmallVector<ForOp> nest = settleNest(launch, root, lookBack);
    if (nest.empty() || root.isParallel() || root == lookBack)
      continue;
    int64_t tailThreads = getTailThreads(root, threads);
    if (root.isReduce())
      rewriteBlockFold(rewriter, nest, tailThreads);
    else if (!rewriteBlockScan(rewriter, root, tailThreads))
      runInSequence(root);
  }
}
