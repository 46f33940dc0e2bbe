//===- Scans.cpp - Schedules of scans on devices --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Scans for blocks of threads. Each thread keeps several elements in registers,
// so that they are read once: U chunks of V neighbours, V being what one access
// of 16 bytes holds (ScanTiles.cpp has the code that comes of it).
//
//   root      a block a tile; the carry goes from tile to tile
//             l = [block.0, thread.y 8, unroll 8, thread.x 32, vector 4],
//             or thread.y 32 where that leaves tiles enough
//   rows      a block a row, which is whole in registers or a loop over tiles
//             i = [block.0], l = [seq, thread.y 16, unroll 8, thread.x 32,
//             vector 4]
//             Short ones have 4, 8 or 32 lanes, so that few are idle and nobody
//             waits; the shortest a thread. Where rows are few and long their
//             tiles have blocks, as at the root.
//             i = [block.0, thread.y 32], l = [seq 1, unroll 8, thread.x 8]
//             i = [block.1], l = [block.0, thread.y 8, unroll 16, thread.x 32]
//
// where each sub-group has a stretch of the tile, so that a block hands on one
// number for each; without sub-groups all threads share each chunk:
// l = [block.0, unroll 4, thread.x 256, vector 4].
//
// A block waits for the tiles before its own for longer than its data take, and
// what covers that is the data of the others: all that the registers hold, 32
// words a thread. With half of that a scan of 2^28 floats takes 0.86 ms on an
// H200, whichever way the rest is cut. With all of it blocks of 256 threads
// take 0.73 ms and blocks of 1024, which have a multiprocessor each and a
// quarter of the numbers to hand on, 0.68 ms. ColumnScans.cpp has scans across
// rows.
//
// A filter keeps flags in place of sums, and what it keeps of a tile waits in
// shared memory: tiles are as large as let several blocks have theirs there.
//
// Where accesses of 16 bytes would not be aligned, V is 1: neighbouring threads
// still touch neighbours. What cannot be jammed has an element a step:
// l = [block.0, thread.x 256, seq 8]. A scan that cannot be split runs in one
// thread.
//
//===----------------------------------------------------------------------===//

#include "Scans.h"
#include "../Shared/RowReuse.h"
#include "Device.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include <array>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Elements of a scan that a thread takes one after the other.
static constexpr int64_t kScanItems = 8;
/// Words of 32 bits that a thread keeps of a tile that sub-groups share.
static constexpr int64_t kGroupWords = 32;
/// Bytes that a block keeps of what it filters.
static constexpr int64_t kStretchBytes = 32768;
/// Threads of a block that fills a multiprocessor, and the least number of
/// tiles for each of these that makes such blocks worth it.
static constexpr int64_t kLargeBlock = 1024, kLargeTiles = 2;
/// Elements of the rows that a thread takes alone, that a block of 512 threads
/// keeps, and of rows that have several blocks where they are few.
static constexpr int64_t kTinyRow = 4, kWholeRow = 16384, kLongRow = 65536;
/// Of those that a thread takes where the block copies all its rows.
static constexpr std::array<int64_t, 3> kWholeRows = {kTinyRow, 16, 32};

bool arrc::kernel::mayBeTiled(ForOp scan) {
  return !hasInnerLoop(scan) &&
         !holds<scf::WhileOp, scf::ForOp, CheckOp, UpdateOp, LocalOp>(scan);
}

int64_t arrc::kernel::countWords(ForOp scan) {
  int64_t words = 0;
  // Flags and bytes share words.
  std::optional<NarrowSum> narrow = getNarrowSum(scan);
  if (narrow && narrow->value.getType().getIntOrFloatBitWidth() <= 8)
    words = 0;
  else if (narrow)
    words = 1;
  else
    for (Type type : scan.getResultTypes())
      words += getWords(type);
  SmallVector<Value> kept;
  SmallVector<Operation *> cheap;
  collectKept(scan, kept, cheap);
  if (narrow)
    llvm::erase(kept, narrow->value);
  ValueRange folded = scan.getPrefix().getValues();
  for (Value value : kept)
    if (!llvm::is_contained(folded, value))
      words += getWords(value.getType());
  return std::max<int64_t>(words, 1);
}

void DevicePlanner::setTiles(ForOp scan, LevelKind level, int64_t threads,
                             int64_t copies, int64_t width) {
  // Where blocks do not look back the threads along x scan what these leave,
  // in the last block: all that there are.
  bool grouped = subgroup > 1 && threads > subgroup &&
                 threads % subgroup == 0 &&
                 (level != LevelKind::Block || !mayRunAgain(launch));
  setDigits(scan, {{level, 0},
                   {LevelKind::Unroll, copies},
                   {LevelKind::Thread, grouped ? subgroup : threads},
                   {LevelKind::Vector, width}});
  if (!grouped)
    return;
  Digits &digits = dims[scan.getDimAttr()];
  auto groups = LevelAttr::get(context, LevelKind::Thread, /*axis=*/1);
  digits.insert(digits.begin() + 1,
                DigitAttr::get(context, groups, threads / subgroup));
}

void DevicePlanner::planScan(ForOp scan) {
  int64_t threads = getThreads();
  if (!canSplitScan(scan))
    return setDigits(scan, {{LevelKind::Seq, 0}});
  if (!isHostExtent(scan))
    return setDigits(scan, {{LevelKind::Block, getFixedBlocks()},
                            {LevelKind::Thread, threads},
                            {LevelKind::Seq, 0}});
  if (!mayBeTiled(scan))
    return setDigits(scan, {{LevelKind::Block, 0},
                            {LevelKind::Thread, threads},
                            {LevelKind::Seq, kScanItems}});
  int64_t width = getVectorWidth(scan);
  int64_t words = countWords(scan);
  threads = std::max<int64_t>(getUsefulThreads(scan, threads), 2);
  // An operator on tuples needs registers of its own.
  bool light = scan.getNumResults() == 1;
  int64_t kept = subgroup > 1 && light ? kGroupWords : kTileWords;
  int64_t copies = std::max<int64_t>(kept / (words * width), 1);
  if (width * copies == 1)
    copies = 2;
  std::optional<int64_t> extent = scan.getStaticExtent();
  while (extent && copies * width > 2 && copies > 1 &&
         threads * width * copies / 2 >= *extent)
    copies /= 2;
  keepsTiles = true;
  AffineExpr length = getSize(scan);
  // What a block keeps of a tile waits in shared memory, in which several
  // blocks have room, and their scans.
  std::optional<Compaction> compaction = getCompaction(scan);
  int64_t room = std::min(subgroup > 1 ? sharedBytes / 4 * 3 : sharedBytes / 2,
                          kStretchBytes);
  while (compaction && copies > 1 &&
         threads * width * copies * getBytes(*compaction) > room)
    copies /= 2;
  // These have 64 registers a thread; values of 64 bits are folded in 80.
  if (subgroup == 32 && light && words == 1 && !compaction &&
      maxThreads >= kLargeBlock && length) {
    setTiles(scan, LevelKind::Block, kLargeBlock, copies, width);
    int64_t tile = kLargeBlock * copies * width;
    if (addVersion({length - units * kLargeTiles * tile}))
      return;
  }
  setTiles(scan, LevelKind::Block, threads, copies, width);
}

void DevicePlanner::planScanRows(ArrayRef<ForOp> nest, ForOp scan,
                                 const ScanRowShape &shape) {
  bool follows = isHostExtent(nest.front());
  unsigned axis = nest.size();
  if (shape.rows == LevelKind::Block)
    ++axis;
  int64_t x = std::min(shape.threads, maxThreads);
  int64_t y = follows ? getUsefulThreads(nest.back(), std::min(shape.together,
                                                               maxThreads / x))
                      : 1;
  for (auto [k, loop] : llvm::enumerate(nest)) {
    --axis;
    if (k == 0 && !follows)
      setDigits(loop,
                {{LevelKind::Seq, 0}, {LevelKind::Block, getFixedBlocks()}});
    else
      setDigits(loop,
                {{LevelKind::Block, 0},
                 {LevelKind::Thread, loop == nest.back() ? y : 1}},
                axis, x == 1 ? 0 : 1);
  }
  if (x == 1)
    return setDigits(scan, {{LevelKind::Seq, 0}});
  setTiles(scan, shape.rows, x, shape.copies, shape.width);
  if (shape.whole)
    dims[scan.getDimAttr()].front() =
        DigitAttr::get(context, LevelAttr::get(context, LevelKind::Seq, 0), 1);
}

ForOp arrc::kernel::findOnlyScan(ArrayRef<ForOp> nest) {
  ForOp last = nest.back(), scan;
  for (Operation &op : last.getBodyBlock()->without_terminator()) {
    if (auto loop = dyn_cast<ForOp>(op)) {
      if (scan || !loop.isScan())
        return {};
      scan = loop;
    } else if (!isScalarOp(&op)) {
      return {};
    }
  }
  return scan;
}

bool DevicePlanner::planScanRows(ArrayRef<ForOp> nest) {
  ForOp scan = findOnlyScan(nest);
  return scan && isHostExtent(scan) && scan.use_empty() &&
         llvm::all_of(nest,
                      [](ForOp loop) {
                        return loop.isParallel() && isHostExtent(loop);
                      }) &&
         planScanRows(nest, scan);
}

bool DevicePlanner::planScanRows(ArrayRef<ForOp> nest, ArrayRef<ForOp> lanes) {
  ForOp scan = lanes.front();
  if (lanes.size() != 1 || !scan.isScan() || !canSplitScan(scan) ||
      !mayBeTiled(scan) || !ForOp(nest.back()).isParallel())
    return false;
  int64_t words = countWords(scan), threads = getThreads();
  keepsTiles = true;
  SmallVector<AffineExpr> aligned;
  int64_t width = getRowWidth(scan, aligned);
  AffineExpr length = getSize(scan);
  // Rows of at most that many elements, of one word each: lanes, rows of a
  // block, and words of a lane (0: those of one access).
  struct Short {
    int64_t lanes, together, kept;
  };
  // Few long rows: their tiles have blocks of their own.
  AffineExpr count = nest.size() == 1 ? getSize(nest.front()) : AffineExpr();
  auto addLong = [&](int64_t vector) {
    planScanRows(
        nest, scan,
        {.threads = threads,
         .copies = std::max<int64_t>(
             (vector > 1 ? kGroupWords : kTileWords) / words / vector, 2),
         .width = vector,
         .rows = LevelKind::Block});
    SmallVector<AffineExpr> conditions{units * 2 - count, length - kLongRow};
    if (vector > 1)
      llvm::append_range(conditions, aligned);
    return addVersion(conditions);
  };
  bool mayBeLong = count && length && scan.use_empty() && subgroup >= 32 &&
                   isHostExtent(scan) && isHostExtent(nest.front());
  auto addShort = [&](const Short &rows, int64_t vector) {
    int64_t copies = rows.kept ? rows.kept / (words * vector) : 1;
    if (copies * vector < 2 || (rows.lanes < 32 && subgroup < rows.lanes))
      return false;
    planScanRows(nest, scan,
                 {.threads = rows.lanes,
                  .together = rows.together,
                  .copies = copies,
                  .width = vector,
                  .whole = true});
    SmallVector<AffineExpr> conditions{rows.lanes * copies * vector - length};
    if (vector > 1)
      llvm::append_range(conditions, aligned);
    return addVersion(conditions);
  };
  bool mayShare =
      subgroup >= 32 && threads >= 256 && isHostExtent(nest.front()) && length;
  if (width > 1 && length) {
    auto add = [&](std::initializer_list<AffineExpr> more) {
      SmallVector<AffineExpr> conditions(more);
      llvm::append_range(conditions, aligned);
      return addVersion(conditions);
    };
    if (mayShare)
      for (const Short &rows : {Short{2, 128, 0},
                                {4, 64, 0},
                                {8, 32, 0},
                                {16, 16, 0},
                                {32, 8, 8},
                                {32, 8, 32}})
        if (addShort(rows, width))
          return true;
    if (addShort({64, 1, kRowWords}, width))
      return true;
    // A row that fills most of its registers.
    planScanRows(nest, scan,
                 {.threads = 512,
                  .copies = std::max<int64_t>(kRowWords / width / words, 1),
                  .width = width});
    if (add({kWholeRow - length, length - kWholeRow / 2 - 1}))
      return true;
    if (mayBeLong && addLong(width))
      return true;
    planScanRows(
        nest, scan,
        {.threads = threads,
         .copies = std::max<int64_t>(kRowWords / (2 * width * words), 1),
         .width = width});
    if (add({}))
      return true;
  }
  if (mayShare) {
    // A thread a row: all rows of a block go through shared memory, or few
    // elements do not.
    SmallVector<OwnRows> own;
    if (nest.size() == 1)
      own = findOwnRows(nest.front(), scan);
    for (int64_t most : kWholeRows) {
      planScanRows(nest, scan, {.threads = 1, .together = threads});
      bool isStaged = setOwnRows(nest.back(), own, most);
      if ((isStaged || most == kTinyRow) && addVersion(most - length))
        return true;
      stages.clear();
    }
  }
  if (mayShare)
    for (const Short &rows : {Short{4, 64, 4},
                              {8, 32, 8},
                              {32, 8, 8},
                              {32, 8, 10},
                              {32, 8, 16},
                              {128, 1, 8}})
      if (addShort(rows, 1))
        return true;
  if (mayBeLong && addLong(1))
    return true;
  planScanRows(nest, scan,
               {.threads = threads,
                .copies = std::max<int64_t>(kTileWords / 2 / words, 2)});
  return true;
}
