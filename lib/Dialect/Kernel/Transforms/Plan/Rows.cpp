//===- Rows.cpp - Schedules of loops inside of maps -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loops that walk memory while the parallel loops around them jump. By their
// length a thread, eight threads, a warp or a block have a row; several blocks
// where rows are few:
//
//   i = [block.0, thread.y 8], j = [seq, unroll 4, thread.x 32]
//
// One fold that is all that a row does is planned in RowFolds.cpp,
// rows that are read several times in PersistentRows.cpp, scans in
// Scans.cpp.
//
// Sums of floats run in two levels: a thread adds 16 terms before it adds their
// sum to what it has, as pairwise sums of arrays do.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "arrc/Support/Combiner.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Lengths up to which a row has a thread, eight threads, a warp.
static constexpr int64_t kTinyRow = 16, kShortRow = 128, kWarpRow = 4096;
/// Rows that are too few to have one block each, if they are that long.
static constexpr int64_t kFewRows = 264, kLongRow = 65536;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether a fold in the body of `loop` may be under a mask instead of a
/// branch: see kernel-mask-tails.
static bool mayBeMasked(ForOp loop) { return !holds<scf::WhileOp>(loop); }

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

SmallVector<ForOp> DevicePlanner::chooseLanes(ArrayRef<ForOp> nest) {
  ForOp around = nest.back();
  SmallVector<ForOp> lanes;
  // All loops inside take part, or none: what no thread loop is around would
  // run in all of them.
  SmallVector<ForOp> all;
  bool refused = false;
  around.getBody().walk([&](Operation *op) {
    if (auto loop = dyn_cast<ForOp>(op)) {
      refused |= loop.isScan() && !canSplitScan(loop);
      all.push_back(loop);
    } else if (op->getNumRegions() && !isa<UpdateOp>(op)) {
      refused |= op->walk([](ForOp) {
                     return WalkResult::interrupt();
                   }).wasInterrupted();
    }
  });
  if (refused || all.empty())
    return {};
  int64_t gain = 0;
  for (ForOp loop : all) {
    if (hasInnerLoop(loop))
      continue;
    ForOp best;
    int64_t most = 0;
    for (ForOp outer = loop; outer != around;
         outer = outer->getParentOfType<ForOp>()) {
      if ((outer.isReduce() && !isCommutativeCombiner(outer.getCombiner())) ||
          (outer.isScan() && outer != loop))
        return {};
      if (!best || score(outer) > most) {
        best = outer;
        most = score(outer);
      }
    }
    if (!llvm::is_contained(lanes, best)) {
      lanes.push_back(best);
      gain += most;
    }
  }
  // Lanes do not nest, and a dimension is walked by threads everywhere or
  // nowhere.
  for (ForOp lane : lanes)
    for (ForOp loop : all) {
      bool nested =
          loop != lane && (loop->isAncestor(lane) || lane->isAncestor(loop));
      if (nested && (llvm::is_contained(lanes, loop) ||
                     loop.getDimAttr() == lane.getDimAttr()))
        return {};
      if (loop.getDimAttr() == lane.getDimAttr() &&
          !llvm::is_contained(lanes, loop))
        return {};
    }
  int64_t outer = score(nest.back());
  for (ForOp loop : nest)
    outer = std::max(outer, score(loop));
  // A handful of iterations outside cannot fill the device.
  int64_t iterations = 1;
  for (ForOp loop : nest)
    iterations *= loop.getStaticExtent().value_or(1 << 16);
  bool few = iterations <= 64;
  return gain > 0 && (outer < 0 || few) ? lanes : SmallVector<ForOp>();
}

void DevicePlanner::planRows(ArrayRef<ForOp> nest, ArrayRef<ForOp> lanes) {
  if (planScanRows(nest, lanes))
    return;
  ForOp last = nest.back();
  bool follows = isHostExtent(nest.front()), folds = last.isReduce();
  bool scans = llvm::any_of(lanes, [](ForOp lane) { return lane.isScan(); });
  bool shares =
      !folds && !scans && !holds<LocalOp>(last) && mayBeMasked(last) && follows;
  bool sums = llvm::any_of(lanes, [](ForOp lane) { return rounds(lane); });
  // `x` threads a row, `y` rows a block, `blocks` blocks a row.
  auto plan = [&](int64_t x, int64_t y, int64_t copies, int64_t blocks = 1) {
    raised.clear();
    x = std::min(x, maxThreads);
    y = std::max<int64_t>(std::min(y, maxThreads / x), 1);
    y = shares ? getUsefulThreads(last, y) : 1;
    unsigned axis = nest.size();
    for (auto [k, loop] : llvm::enumerate(nest)) {
      --axis;
      if (k == 0 && (folds || !follows))
        setDigits(loop,
                  {{LevelKind::Seq, 0}, {LevelKind::Block, getFixedBlocks()}});
      else if (folds)
        setDigits(loop, {{LevelKind::Seq, 0}});
      else
        setDigits(
            loop,
            {{LevelKind::Block, 0}, {LevelKind::Thread, loop == last ? y : 1}},
            axis, x == 1 ? 0 : 1);
    }
    for (ForOp lane : lanes) {
      int64_t unroll = mayBeJammed(lane) && !hasInnerLoop(lane) &&
                               !isExpensive(lane) && !scans &&
                               countLoads(lane) <= 3
                           ? copies
                           : 1;
      int64_t threads = std::min(x, getUsefulThreads(lane, x));
      std::optional<int64_t> extent = lane.getStaticExtent();
      unroll = getUsefulGroups(lane, threads, unroll);
      bool isLong = !extent || *extent > 4 * kRun * threads * unroll * blocks;
      int64_t run = sums && !scans && isLong && x > 32 ? kRun : 1;
      if (blocks > 1)
        raised.insert(getDigitName(lane, run > 1 ? 2 : 1));
      if (x == 1)
        setDigits(lane, {{LevelKind::Seq, 0}});
      else if (blocks > 1)
        setDigits(lane,
                  {{LevelKind::Seq, 0},
                   {LevelKind::Seq, run},
                   {LevelKind::Block, blocks},
                   {LevelKind::Unroll, unroll},
                   {LevelKind::Thread, threads}},
                  nest.size(), 0);
      else
        setDigits(lane, {{LevelKind::Seq, 0},
                         {LevelKind::Seq, run},
                         {LevelKind::Unroll, unroll},
                         {LevelKind::Thread, std::max<int64_t>(threads, 2)}});
    }
  };
  // One length for all lanes, if it is known before the launch.
  int64_t full = getThreads();
  AffineExpr length;
  for (ForOp lane : lanes) {
    AffineExpr mine = getSize(lane);
    if (!mine || (length && length != mine)) {
      length = {};
      break;
    }
    length = mine;
  }
  if (length && !folds && follows && planPersistentRows(nest, lanes, length))
    return;
  if (!length)
    return shares ? plan(8, full / 8, 1) : plan(64, 1, 2);
  if (!shares) {
    plan(64, 1, 2);
    return addVersion(1024 - length) ? void() : plan(full, 1, 4);
  }
  plan(1, full, 1);
  if (addVersion(kTinyRow - length))
    return;
  plan(8, full / 8, 4);
  if (addVersion(kShortRow - length))
    return;
  plan(32, full / 32, 4);
  if (addVersion(kWarpRow - length))
    return;
  AffineExpr rows = nest.size() == 1 ? getSize(last) : AffineExpr();
  if (ForOp fold = findRaisableFold(nest);
      rows && fold && lanes.size() == 1 && fold == lanes.front() && full > 32) {
    // Four that compute much are as good as eight that only add.
    if (!hasInnerLoop(fold) && mayBeJammed(fold) && countLoads(fold) <= 3)
      planRowFold(nest, fold, {.x = full, .unroll = 4, .span = kRun});
    else
      plan(full, 1, 8, 64);
    if (addVersion({kFewRows - rows, length - kLongRow}))
      return;
  }
  plan(full, 1, 8);
}
