//===- StrideBlocks.cpp - As many blocks as there is room for -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "StrideBlocks.h"

#include "BlockRoots.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Threads and blocks that a multiprocessor holds, at most.
static constexpr int64_t kUnitThreads = 2048, kUnitBlocks = 32;

/// Memory of a device of which nobody said how much it has.
static constexpr int64_t kMemoryBytes = int64_t(16) << 30;

/// The part of the memory that the workspaces of a launch may take: programs
/// are written so that their arrays fill the card, not what compilers add.
static constexpr int64_t kShare = 8;

BlockRoom arrc::kernel::getBlockRoom(DeviceAttr device, LaunchOp launch) {
  int64_t most[3] = {1, 1, 1};
  launch.getBody().walk([&](ForOp loop) {
    if (!loop.getLevelAttr() || loop.getLevelKind() != LevelKind::Thread)
      return;
    int64_t &extent = most[loop.getLevelAttr().getAxis() % 3];
    extent = std::max<int64_t>(extent, loop.getStaticExtent().value_or(1));
  });
  int64_t threads = most[0] * most[1] * most[2];
  int64_t blocks = std::clamp<int64_t>(kUnitThreads / threads, 1, kUnitBlocks);
  return {device.getInteger("units", 32) * blocks,
          device.getInteger("memory_bytes", kMemoryBytes) / kShare};
}

bool arrc::kernel::canStride(ArrayRef<ForOp> nest) {
  if (nest.empty())
    return false;
  Operation *around = nullptr;
  for (ForOp loop : nest) {
    if (!loop.isParallel() || (around ? loop->getParentOp() != around
                                      : !isa<LaunchOp>(loop->getParentOp())))
      return false;
    if (around)
      for (Operation &op : loop->getBlock()->without_terminator())
        if (&op != loop.getOperation() && !isScalarOp(&op))
          return false;
    around = loop;
  }
  ForOp inner = nest.back();
  return !inner.getBody()
              .walk([](Operation *op) {
                return isBlockLoop(op) ? WalkResult::interrupt()
                                       : WalkResult::advance();
              })
              .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// The grid, on the host
//===----------------------------------------------------------------------===//

BlockGrid arrc::kernel::limitBlocks(OpBuilder &builder, Location loc,
                                    ArrayRef<OpFoldResult> extents,
                                    ArrayRef<OpFoldResult> used,
                                    OpFoldResult partBytes, BlockRoom room) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto least = [&](Value a, Value b) -> Value {
    return builder.createOrFold<arith::MinSIOp>(loc, a, b);
  };
  auto positive = [&](Value a) -> Value {
    return builder.createOrFold<arith::MaxSIOp>(loc, a, number(1));
  };
  Value left;
  if (std::optional<int64_t> bytes = getConstantIntValue(partBytes)) {
    int64_t fitting = room.bytes / std::max<int64_t>(*bytes, 1);
    left = number(std::clamp<int64_t>(fitting, 1, room.resident));
  } else {
    Value fitting =
        arith::DivSIOp::create(builder, loc, number(room.bytes),
                               positive(toValue(builder, loc, partBytes)));
    left = positive(least(fitting, number(room.resident)));
  }
  BlockGrid grid;
  grid.blocks.resize(extents.size());
  grid.parts.resize(extents.size());
  for (size_t d = extents.size(); d-- > 0;) {
    Value extent = toValue(builder, loc, extents[d]);
    Value parts = least(toValue(builder, loc, used[d]), left);
    // Blocks that touch no part may be as many as they like.
    Value fits = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::sle, toValue(builder, loc, used[d]), left);
    grid.blocks[d] = getAsOpFoldResult(
        builder.createOrFold<arith::SelectOp>(loc, fits, extent, left));
    grid.parts[d] = getAsOpFoldResult(parts);
    if (d > 0)
      left = positive(
          builder.createOrFold<arith::DivSIOp>(loc, left, positive(parts)));
  }
  return grid;
}

//===----------------------------------------------------------------------===//
// The loops, in the kernel
//===----------------------------------------------------------------------===//

/// Moves what computes `value` in front of `before`. The host knows it, so it
/// depends on no loop.
static void moveBefore(IRRewriter &rewriter, Value value, Operation *before) {
  Operation *op = value.getDefiningOp();
  if (!op || !before->isAncestor(op))
    return;
  for (Value operand : op->getOperands())
    moveBefore(rewriter, operand, before);
  rewriter.moveOpBefore(op, before);
}

SmallVector<ForOp> arrc::kernel::strideBlocks(IRRewriter &rewriter,
                                              ArrayRef<ForOp> nest,
                                              ArrayRef<OpFoldResult> blocks) {
  ForOp outermost = nest.front(), innermost = nest.back();
  rewriter.setInsertionPoint(outermost);
  SmallVector<Value> ends;
  for (ForOp loop : nest) {
    if (Value extent = loop.getExtent())
      moveBefore(rewriter, extent, outermost);
    ends.push_back(toValue(rewriter, loop.getLoc(), loop.getMixedExtent()));
  }
  SmallVector<Value> counts;
  for (OpFoldResult count : blocks)
    counts.push_back(toValue(rewriter, outermost.getLoc(), count));
  // The blocks, and loops in the innermost one around all that there was.
  SmallVector<ForOp> grid;
  for (auto [number, count] : llvm::enumerate(counts)) {
    ForOp loop = nest[number];
    grid.push_back(createLoopLike(rewriter, loop, loop.getDim(),
                                  getAsOpFoldResult(count), ValueRange(),
                                  loop.getLevelAttr()));
    grid.back()->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    rewriter.setInsertionPointToStart(grid.back().getBodyBlock());
  }
  for (auto [number, count] : llvm::enumerate(counts)) {
    ForOp loop = nest[number];
    auto turns =
        scf::ForOp::create(rewriter, loop.getLoc(),
                           grid[number].getInductionVar(), ends[number], count);
    rewriter.setInsertionPointToStart(turns.getBody());
    rewriter.replaceAllUsesWith(loop.getInductionVar(),
                                turns.getInductionVar());
  }
  // What stands around an inner loop is arithmetic, and goes first.
  Operation *before = &*rewriter.getInsertionPoint();
  for (ForOp loop : nest)
    for (Operation &op :
         llvm::make_early_inc_range(loop.getBodyBlock()->without_terminator()))
      if (loop == innermost || !isBlockLoop(&op))
        rewriter.moveOpBefore(&op, before);
  rewriter.eraseOp(outermost);
  return grid;
}
