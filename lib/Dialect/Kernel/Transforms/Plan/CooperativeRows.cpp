//===- CooperativeRows.cpp - Rows that several blocks keep ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Rows that are walked several times and too long for one block: each of
// several keeps a part in shared memory, and they wait for each other where a
// fold ends (CooperativeRows.h). One read and one write of memory, where a
// block that reads its row again has one read more a loop.
//
//   i = [block.0], j = [block.1, seq 3, unroll 6, thread.x 256, vector 4]
//   i = [block.0], j = [block.1, seq 3, unroll 24, thread.x 256]
//
// A row has at most as many blocks as there are multiprocessors. Three share
// one: from its first to its last a row takes about 16 us, in which others have
// to move memory, so that what matters is how much all blocks keep. What one
// loop computes for another is computed again if that is cheap. Longer rows
// still have a launch for each loop where they are few (SplitColumns.cpp).
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "arrc/Dialect/Kernel/Transforms/CooperativeRows.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// What blocks wait for each other pays from a length on.
static constexpr int64_t kSharedRow = 65536;

bool DevicePlanner::planCooperativeRows(ArrayRef<ForOp> nest,
                                        ArrayRef<ForOp> lanes,
                                        const KeptRow &kept, AffineExpr length,
                                        int64_t width,
                                        ArrayRef<AffineExpr> aligned) {
  ForOp row = nest.back(), lane = lanes.front();
  if (!hasOneRoot || maxThreads < kCooperativeThreads)
    return false;
  for (bool isWide : {true, false}) {
    int64_t vector = isWide ? width : 1;
    CooperativeShape shape = getCooperativeShape(launch, row, vector);
    if (!shape.most || (isWide && width < 2))
      continue;
    SmallVector<AffineExpr> conditions{shape.most - length,
                                       length - kSharedRow};
    if (isWide)
      llvm::append_range(conditions, aligned);
    unsigned axis = nest.size();
    for (ForOp loop : nest)
      setDigits(loop, {{LevelKind::Block, 0}}, --axis, 1);
    setDigits(lane,
              {{LevelKind::Block, 0},
               {LevelKind::Seq, shape.steps},
               {LevelKind::Unroll, shape.together / vector},
               {LevelKind::Thread, kCooperativeThreads},
               {LevelKind::Vector, vector}},
              nest.size(), 0);
    if (addKeptVersion(conditions, kept, row, /*isDear=*/true))
      return true;
  }
  return false;
}
