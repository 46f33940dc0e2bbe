//===- PlanSchedulesFolds.cpp - Schedules of folds on devices -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Folds for blocks of threads whose terms threads next to each other do not
// share: those at the root, and those of columns.
//
//===----------------------------------------------------------------------===//

#include "PlanSchedulesDevice.h"

#include "NestScalars.h"

#include "arrc/Support/Combiner.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

ForOp DevicePlanner::findRaisableFold(ArrayRef<ForOp> nest) {
  ForOp fold;
  for (Operation &op :
       ForOp(nest.back()).getBodyBlock()->without_terminator()) {
    if (auto loop = dyn_cast<ForOp>(op)) {
      if (fold || !loop.isReduce())
        return {};
      fold = loop;
    } else if ((!fold && !isScalarOp(&op)) ||
               (op.getNumRegions() && !isa<UpdateOp>(op))) {
      return {};
    }
  }
  if (!fold || !isCommutativeCombiner(fold.getCombiner()) || !mayBeJammed(fold))
    return {};
  SmallVector<ForOp> folds = getNest(fold);
  if (hasInnerLoop(folds.back()))
    return {};
  for (Type type : fold.getResultTypes())
    if (!type.isIntOrIndexOrFloat())
      return {};
  for (ForOp loop : folds)
    if (!isHostExtent(loop))
      return {};
  for (ForOp loop : nest)
    if (!isHostExtent(loop) || !loop.isParallel())
      return {};
  return fold;
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

bool DevicePlanner::planColumns(ArrayRef<ForOp> nest) {
  ForOp fold = findRaisableFold(nest);
  if (!fold || getThreads() < 64)
    return false;
  ForOp lane = nest[findLane(nest)];
  if (score(lane) <= 0)
    return false;
  SmallVector<ForOp> folds = getNest(fold);
  ForOp inner = folds.back();
  bool isPlain = nest.size() == 1 && folds.size() == 1;
  // Operands that stay while the lanes go on are read once for a warp: blocks
  // of outputs, not of terms, let them stay.
  int64_t loads = countLoads(inner);
  bool reads = loads == 1 && !isExpensive(inner);
  if (!reads)
    return false;
  // `x` columns and `y` rows of threads, `blocks` blocks of rows.
  auto plan = [&](int64_t x, int64_t y, int64_t blocks, int64_t unroll) {
    raised.clear();
    x = getUsefulThreads(lane, x);
    y = getUsefulThreads(fold, y);
    std::optional<int64_t> extent = inner.getStaticExtent();
    int64_t shared = inner == fold ? y : 1;
    while (extent && unroll > 1 && shared * unroll / 2 >= *extent)
      unroll /= 2;
    bool isLong = !extent || *extent > 4 * kRun * shared * unroll * blocks;
    int64_t run = rounds(fold) && isLong ? kRun : 1;
    unsigned axis = nest.size();
    for (ForOp loop : nest) {
      --axis;
      if (loop == lane)
        setDigits(loop, {{LevelKind::Block, 0}, {LevelKind::Thread, x}}, axis,
                  0);
      else
        setDigits(loop, {{LevelKind::Block, 0}}, axis);
    }
    for (ForOp loop : folds) {
      int64_t mine = loop == inner ? run : 1,
              copies = loop == inner ? unroll : 1;
      int64_t threads = loop == fold ? y : 1;
      if (loop == fold && blocks > 1) {
        raised.insert((loop.getDim() + "." + Twine(mine > 1 ? 2 : 1)).str());
        setDigits(loop,
                  {{LevelKind::Seq, 0},
                   {LevelKind::Seq, mine},
                   {LevelKind::Block, blocks},
                   {LevelKind::Thread, threads},
                   {LevelKind::Unroll, copies}},
                  nest.size(), 1);
      } else {
        setDigits(loop,
                  {{LevelKind::Seq, 0},
                   {LevelKind::Seq, mine},
                   {LevelKind::Thread, threads},
                   {LevelKind::Unroll, copies}},
                  0, 1);
      }
    }
  };
  AffineExpr columns = isPlain ? getSize(lane) : AffineExpr();
  AffineExpr rows = isPlain ? getSize(fold) : AffineExpr();
  int64_t y = getThreads() / 32;
  if (columns && rows) {
    plan(getThreads(), 1, 1, 4);
    if (addVersion(32 - rows))
      return true;
    plan(8, 4 * y, 4 * units, 8);
    if (addVersion(8 - columns))
      return true;
    plan(32, y, 4 * units, 8);
    if (addVersion(64 - columns))
      return true;
    plan(32, y, 32, 8);
    if (addVersion({16384 - columns, rows - 512}))
      return true;
  }
  plan(32, y, 1, 8);
  return true;
}

//===----------------------------------------------------------------------===//
// Folds of single threads
//===----------------------------------------------------------------------===//

void DevicePlanner::unrollInnerFolds(ForOp around) {
  around.getBody().walk([&](ForOp loop) {
    bool simple = loop.isReduce() && !hasInnerLoop(loop) && mayBeJammed(loop) &&
                  !isExpensive(loop) && countLoads(loop) <= 4 &&
                  isCommutativeCombiner(loop.getCombiner()) &&
                  loop->getParentOp() == around &&
                  !dims.count(loop.getDimAttr());
    unsigned sharing = 0;
    launch.getBody().walk([&](ForOp other) {
      sharing += other.getDimAttr() == loop.getDimAttr();
    });
    std::optional<int64_t> extent = loop.getStaticExtent();
    bool isLong = !extent || *extent > 16 * kRun;
    if (simple && sharing == 1 && (!extent || *extent >= 16))
      setDigits(loop, {{LevelKind::Seq, 0},
                       {LevelKind::Seq, isLong && rounds(loop) ? kRun : 1},
                       {LevelKind::Unroll, 4}});
  });
}

//===----------------------------------------------------------------------===//
// Folds at the root
//===----------------------------------------------------------------------===//

void DevicePlanner::planFold(ArrayRef<ForOp> nest) {
  ForOp first = nest.front(), last = nest.back();
  int64_t threads = getThreads();
  if (!isCommutativeCombiner(first.getCombiner())) {
    setDigits(first, {{LevelKind::Block, getFixedBlocks()},
                      {LevelKind::Thread, threads},
                      {LevelKind::Seq, 0}});
    for (ForOp loop : nest.drop_front())
      setDigits(loop, {{LevelKind::Seq, 0}});
    return;
  }
  unsigned along = findLane(nest);
  ForOp lane = nest[along];
  bool jams = mayBeJammed(last) && !hasInnerLoop(last);
  int64_t width = jams && nest.size() == 1 ? getVectorWidth(lane) : 1;
  int64_t copies = !jams || isExpensive(last) ? 1
                   : countLoads(last) <= 2    ? 4
                                              : 2;
  if (width >= 8)
    copies = 1;
  int64_t x = getUsefulThreads(
      lane, nest.size() == 1 ? threads : std::min<int64_t>(threads, 32));
  auto getBlocks = [&](ForOp loop, int64_t step) {
    std::optional<int64_t> extent = loop.getStaticExtent();
    if (!extent)
      return getFixedBlocks();
    return std::clamp<int64_t>(llvm::divideCeil(*extent, step), 1,
                               getFixedBlocks());
  };
  if (nest.size() == 1) {
    std::optional<int64_t> extent = first.getStaticExtent();
    bool isLong =
        !extent || *extent > kRun * getFixedBlocks() * x * width * copies;
    setDigits(first, {{LevelKind::Seq, 0},
                      {LevelKind::Seq, rounds(first) && isLong ? kRun : 1},
                      {LevelKind::Block, getBlocks(first, x * width * copies)},
                      {LevelKind::Unroll, copies},
                      {LevelKind::Thread, x},
                      {LevelKind::Vector, width}});
    return;
  }
  // Blocks and thread.y along one other dimension, the rest in order.
  ForOp spread = along == 0 ? nest[1] : first;
  int64_t y = getUsefulThreads(spread, threads / x);
  for (ForOp loop : nest) {
    if (loop == lane)
      setDigits(loop,
                {{LevelKind::Seq, 0},
                 {LevelKind::Seq, rounds(loop) ? kRun : 1},
                 {LevelKind::Unroll, copies},
                 {LevelKind::Thread, x}},
                0, 0);
    else if (loop == spread)
      setDigits(loop,
                {{LevelKind::Seq, 0},
                 {LevelKind::Block, getBlocks(loop, y)},
                 {LevelKind::Thread, y}},
                0, 1);
    else
      setDigits(loop, {{LevelKind::Seq, 0}});
  }
}
