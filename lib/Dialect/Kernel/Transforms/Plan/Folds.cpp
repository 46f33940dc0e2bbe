//===- Folds.cpp - Schedules of folds on devices --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Folds that are all that a launch does; those of rows are planned in
// RowFolds.cpp. They wait for memory alone: a thread asks for 64
// to 128 bytes before it waits, in pieces of 16 where rows are known to be
// aligned, and folds what came as one tree: it needs one accumulator, and many
// threads fit. Which version runs is decided by sizes, of which there are
// classes only.
//
//   root      blocks take spans of neighbours and are many; the last one folds
//             their results.
//             i = [block.0, seq 8, unroll 4, thread.x 256, vector 4]
//             Long arrays: seq 4, unroll 16, which asks for 256 bytes a thread
//             (1 to 2 % on an H200, where fewer threads then fit)
//   columns   the loop around the fold walks memory. Many: a thread walks down
//             alone. j = [block.0, thread.x 128, vector 4], i = [seq, unroll 8]
//             Few: rows stream by, the last block finishes.
//             j = [thread.x 16, vector 4],
//             i = [seq, block.0 528, unroll 6, thread.y 16]
//             Between: threads and blocks share the rows, and a second grid
//             folds the partial results of blocks
//
// Sums of floats run in two levels: a thread adds 16 steps before it adds their
// sum to what it has, as pairwise sums of arrays do.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "../Shared/NestScalars.h"

#include "arrc/Support/Combiner.h"
#include "arrc/Support/StoredBytes.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Steps of a thread in a fold at the root, and in one of a long array.
static constexpr int64_t kSpan = 8, kLongSpan = 4;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

ForOp DevicePlanner::findRaisableFold(ArrayRef<ForOp> nest, bool jams) {
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
  if (!fold || !isCommutativeCombiner(fold.getCombiner()) ||
      (jams && !mayBeJammed(fold)))
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
// Profitability
//===----------------------------------------------------------------------===//

/// Bytes that a thread asks for before it waits: a multiprocessor that holds
/// 1536 threads then has about 96 KB under way.
static constexpr int64_t kFlightBytes = 64;
/// The same where an array is so long that blocks of this many bytes a thread
/// are many.
static constexpr int64_t kManyFlightBytes = 256;
/// The same of narrow columns, where a warp reads a part of a row at a time.
static constexpr int64_t kNarrowFlightBytes = 96;
static constexpr int64_t kManyBlocks = 1024;
/// Elements that a thread takes together at most.
static constexpr int64_t kMostCopies = 16;

/// Blocks of all columns that a multiprocessor holds, with up to 64 registers a
/// thread. All share the rows alike: one that has to wait for a place would
/// work when the others are done, alone.
static constexpr int64_t kResident = 4;

/// Bytes that one iteration of `loop` loads.
static int64_t getLoadBytes(ForOp loop) {
  int64_t bytes = 0;
  loop.getBody().walk([&](LoadOp load) {
    auto type = cast<MemRefType>(load.getSource().getType());
    if (type.getRank() && !load.getSource().getDefiningOp<LocalOp>())
      bytes += getStoredBytes(type.getElementType());
  });
  return std::max<int64_t>(bytes, 1);
}

/// Iterations of `loop`, beside `width` elements of each, that a thread takes
/// together.
static int64_t getCopies(ForOp loop, int64_t width) {
  if (!mayBeJammed(loop) || hasInnerLoop(loop) || isExpensive(loop))
    return 1;
  int64_t wanted = kFlightBytes / (getLoadBytes(loop) * width);
  int64_t most = std::min<int64_t>(kMostCopies / width, 8);
  return std::max<int64_t>(llvm::bit_floor<uint64_t>(std::min(wanted, most)),
                           1);
}

void DevicePlanner::setFold(ForOp fold, DigitList list, unsigned blockAxis,
                            unsigned threadAxis) {
  SmallVector<std::pair<LevelKind, int64_t>> used(list);
  llvm::erase(used, std::make_pair(LevelKind::Block, int64_t(1)));
  setDigits(fold, used, blockAxis, threadAxis);
  trees.insert(fold.getDim());
  for (auto [k, digit] : llvm::enumerate(dims[fold.getDimAttr()]))
    if (digit.getLevel().getKind() == LevelKind::Block)
      raised.insert(getDigitName(fold, k));
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Loads of `inner` whose elements differ between terms of `fold`: what stays
/// for a column is read once.
static unsigned countTerms(ForOp fold, ForOp inner) {
  unsigned count = 0;
  inner.getBody().walk([&](LoadOp load) {
    bool stays = llvm::all_of(load.getIndices(), [&](Value index) {
      return fold.isDefinedOutsideOfLoop(index);
    });
    count += !stays && !load.getSource().getDefiningOp<LocalOp>();
  });
  return count;
}

void DevicePlanner::planColumns(ArrayRef<ForOp> nest, ForOp fold,
                                const ColumnShape &shape) {
  raised.clear();
  ForOp lane = nest[findLane(nest)];
  ForOp beside =
      nest.size() > 1
          ? nest[nest.back() == lane ? nest.size() - 2 : nest.size() - 1]
          : ForOp();
  SmallVector<ForOp> folds = getNest(fold);
  ForOp inner = folds.back();
  int64_t x = shape.whole ? shape.x : getUsefulThreads(lane, shape.x);
  int64_t y = getUsefulThreads(inner, shape.y);
  // What is dear keeps a thread busy with a few terms.
  int64_t together =
      isExpensive(inner) ? std::min<int64_t>(shape.unroll, 2) : shape.unroll;
  int64_t unroll = getUsefulGroups(inner, y, together);
  std::optional<int64_t> extent = inner.getStaticExtent();
  bool isLong = !extent || *extent > 4 * kRun * y * unroll * shape.blocks;
  int64_t run = rounds(fold) && isLong ? kRun : 1;
  if (shape.whole)
    setDigits(lane, {{LevelKind::Thread, x}, {LevelKind::Vector, shape.width}});
  else
    setGrid(nest, lane, x, shape.width, beside, shape.outputs);
  for (ForOp loop : folds) {
    using List = SmallVector<std::pair<LevelKind, int64_t>>;
    List list{{LevelKind::Seq, 0}};
    if (loop == inner)
      list.push_back({LevelKind::Seq, run});
    if (loop == fold && shape.blocks > 1)
      list.push_back({LevelKind::Block, shape.blocks});
    if (loop == inner) {
      // Rows of threads are neighbours: short ones are read together.
      list.push_back({LevelKind::Unroll, unroll});
      list.push_back({LevelKind::Thread, y});
    }
    setFold(loop, list, nest.size() - shape.whole, 1);
  }
}

bool DevicePlanner::planColumns(ArrayRef<ForOp> nest) {
  ForOp fold = findRaisableFold(nest);
  if (!fold || getThreads() < 64)
    return false;
  ForOp lane = nest[findLane(nest)];
  if (score(lane) <= 0)
    return false;
  SmallVector<ForOp> folds = getNest(fold);
  ForOp inner = folds.back();
  // Operands that stay while the lanes go on are read once for a warp: blocks
  // of outputs, not of terms, let them stay.
  if (countTerms(fold, inner) != 1)
    return false;
  // A few sizes decide, where they can be told apart: rows that are aligned
  // are read by 16 bytes a thread.
  SmallVector<AffineExpr> aligned;
  int64_t width = getRowWidth(lane, aligned);
  AffineExpr columns = getSize(lane), rows = getSize(fold);
  AffineExpr outer = nest.size() == 2
                         ? getSize(nest[nest.front() == lane ? 1 : 0])
                         : AffineExpr();
  int64_t threads = getThreads(), y = threads / 32;
  int64_t copies =
      std::max<int64_t>(std::min<int64_t>(8, 2 * getCopies(inner, width)), 4);
  auto when = [&](std::initializer_list<AffineExpr> more) {
    SmallVector<AffineExpr> conditions(aligned);
    conditions.append(more);
    return addVersion(conditions);
  };
  bool isPlain = nest.size() == 1 && folds.size() == 1;
  int64_t fill = units * 2048;
  if (isPlain && columns && rows) {
    // Enough columns for all threads.
    if (width > 1) {
      planColumns(nest, fold,
                  {.x = threads / 2, .width = width, .unroll = copies});
      if (when({columns - fill}))
        return true;
    }
    // Few columns: rows stream by, and the last block finishes.
    planColumns(nest, fold,
                {.x = 1,
                 .width = 4,
                 .y = threads,
                 .blocks = kResident * units,
                 .unroll = getLoadBytes(inner) <= 4 ? 6 : 4,
                 .whole = true});
    if (addVersion(4 - columns))
      return true;
    if (width > 1)
      for (int64_t most : {8, 16, 32, 64}) {
        int64_t x = std::max<int64_t>(most / width, 1);
        planColumns(nest, fold,
                    {.x = x,
                     .width = width,
                     .y = threads / x,
                     .blocks = kResident * units,
                     .unroll = 6,
                     .whole = true});
        if (when({x * width - columns}))
          return true;
      }
    for (int64_t x : {8, 16, 32}) {
      planColumns(nest, fold,
                  {.x = x,
                   .y = threads / x,
                   .blocks = kResident * units,
                   .unroll = std::max<int64_t>(
                       kNarrowFlightBytes / getLoadBytes(inner), 4),
                   .whole = true});
      if (addVersion(x - columns))
        return true;
    }
    // Enough columns, whose rows start anywhere.
    planColumns(nest, fold, {.x = threads, .unroll = 8});
    if (addVersion(columns - fill))
      return true;
    planColumns(nest, fold,
                {.x = 32, .y = y, .blocks = 4 * units, .unroll = 8});
    if (addVersion({1024 - columns, rows - 8192}))
      return true;
    planColumns(nest, fold, {.x = 32, .y = y, .blocks = 32, .unroll = 8});
    if (addVersion(rows - 512))
      return true;
    planColumns(nest, fold, {.x = threads, .unroll = 4});
    if (addVersion(32 - rows))
      return true;
  } else if (width > 1 && columns && outer && folds.size() == 1) {
    // Few long ones: blocks share the rows.
    if (rows) {
      planColumns(nest, fold,
                  {.x = 16,
                   .width = width,
                   .y = threads / 16,
                   .blocks = 16,
                   .unroll = copies});
      if (when({1024 - columns, 2 * units - outer, rows - 2048}))
        return true;
    }
    // Many columns, or many short ones: each thread walks down alone.
    planColumns(nest, fold,
                {.x = threads / 2, .width = width, .unroll = copies});
    if (when({columns - 4096, outer - 64}))
      return true;
    planColumns(
        nest, fold,
        {.x = 16, .width = width, .outputs = threads / 16, .unroll = copies});
    if (when({16 * width - columns, outer - 4096}))
      return true;
    planColumns(nest, fold,
                {.x = 32, .width = width, .y = y, .unroll = copies});
    if (when({}))
      return true;
  } else if (width > 1 && columns && folds.size() == 2) {
    planColumns(nest, fold,
                {.x = 16,
                 .width = width,
                 .y = threads / 16,
                 .blocks = 16,
                 .unroll = copies});
    if (when({16 * width - columns}))
      return true;
    planColumns(
        nest, fold,
        {.x = 32, .width = width, .y = y, .blocks = 16, .unroll = copies});
    if (when({}))
      return true;
  }
  if (columns && !isPlain) {
    planColumns(nest, fold, {.x = 8, .y = threads / 8, .unroll = 8});
    if (addVersion(8 - columns))
      return true;
  }
  planColumns(nest, fold, {.x = 32, .y = y, .unroll = 8});
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
  int64_t copies = getCopies(last, width);
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
    int64_t step = x * width * copies;
    trees.insert(first.getDim());
    // Blocks take spans of neighbours and are many, so that none waits long for
    // the others; short arrays spread over all of the device.
    AffineExpr length = getSize(first);
    if (length && jams && isHostExtent(first)) {
      auto plan = [&](int64_t span, int64_t copies) {
        setDigits(first, {{LevelKind::Block, 0},
                          {LevelKind::Seq, span},
                          {LevelKind::Unroll, copies},
                          {LevelKind::Thread, x},
                          {LevelKind::Vector, width}});
      };
      plan(1, copies);
      if (addVersion(2 * getFixedBlocks() * step - length))
        return;
      plan(kSpan, copies);
      // Long arrays: fewer blocks, and few threads that ask for much hide as
      // much of the memory's latency as many that ask for little.
      int64_t many = kManyFlightBytes / (getLoadBytes(last) * width);
      if (width > 1 && many > copies && copies > 1 &&
          !addVersion(kManyBlocks * kLongSpan * many * x * width - length))
        plan(kLongSpan, many);
      return;
    }
    std::optional<int64_t> extent = first.getStaticExtent();
    bool isLong = !extent || *extent > kRun * getFixedBlocks() * step;
    setDigits(first, {{LevelKind::Seq, 0},
                      {LevelKind::Seq, rounds(first) && isLong ? kRun : 1},
                      {LevelKind::Block, getBlocks(first, step)},
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
