//===- PlanSchedulesRows.cpp - Schedules of folds and scans ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Folds for blocks of threads, inside of parallel loops and at the root. Which
// version runs is decided by sizes, of which there are classes only.
//
//   rows      the fold walks memory: by its length a thread, eight threads, a
//             warp or a block a row; several blocks a row where there are few.
//             i = [block.0], j = [seq, unroll 8, thread.x 256]
//   columns   the loop around the fold walks memory: threads next to each other
//             take columns, thread.y and blocks share the rows. Partial results
//             of blocks are a local, which a second grid folds.
//             j = [block.0, thread.x 32], i = [seq, block.1 32, thread.y 8,
//             unroll 8], order = [i.1, ..]
//   others    one thread folds alone, with several accumulators
//
// Sums of floats run in two levels: a thread adds 16 terms before it adds their
// sum to what it has, as pairwise sums of arrays do.
//
//===----------------------------------------------------------------------===//

#include "NestScalars.h"
#include "PlanSchedulesDevice.h"
#include "SplitScans.h"

#include "arrc/Support/Combiner.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Elements of a scan that a thread takes.
static constexpr int64_t kScanItems = 8;
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
      while (extent && unroll > 1 && threads * unroll / 2 >= *extent)
        unroll /= 2;
      bool isLong = !extent || *extent > 4 * kRun * threads * unroll * blocks;
      int64_t run = sums && !scans && isLong && x > 32 ? kRun : 1;
      if (blocks > 1)
        raised.insert((lane.getDim() + "." + Twine(run > 1 ? 2 : 1)).str());
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
    plan(full, 1, 8, 64);
    if (addVersion({kFewRows - rows, length - kLongRow}))
      return;
  }
  plan(full, 1, 8);
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

//===----------------------------------------------------------------------===//
// Scans at the root
//===----------------------------------------------------------------------===//

void DevicePlanner::planScan(ForOp scan) {
  int64_t threads = getThreads();
  if (!canSplitScan(scan))
    setDigits(scan, {{LevelKind::Seq, 0}});
  else if (isHostExtent(scan))
    setDigits(scan, {{LevelKind::Block, 0},
                     {LevelKind::Thread, threads},
                     {LevelKind::Seq, kScanItems}});
  else
    setDigits(scan, {{LevelKind::Block, getFixedBlocks()},
                     {LevelKind::Thread, threads},
                     {LevelKind::Seq, 0}});
}
