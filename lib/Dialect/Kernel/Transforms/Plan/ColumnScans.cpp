//===- ColumnScans.cpp - Schedules of scans across rows on devices --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Lanes along the dimension that stays and is contiguous. Short columns have a
// thread each: i = [block.0, thread.x 256], l = [seq]. Of others a block has a
// tile of rows, which the threads along y share; the carries of its columns go
// from tile to tile, or along the rows in the block where there are columns
// enough to fill the device:
//
//   i = [block.0, thread.x 32, vector 4], l = [block.1, thread.y 8, unroll 8]
//
// Up to 16 columns have as many lanes, beside those of rows next to them:
//
//   i = [block.0, thread.x 4], l = [block.1, thread.z 8, unroll 32, thread.y 8]
//
// Scans.cpp has those of everything and of rows.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Scans.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Columns that a thread scans at a time, where they are aligned; how many are
/// few, and the least length at which that counts.
static constexpr int64_t kColumns = 2, kFewColumns = 512, kManyRows = 8192;
/// Elements of columns that a thread takes alone, and of those that it does
/// where half of all threads have one.
static constexpr int64_t kShortColumn = 8, kMediumColumn = 64;

bool DevicePlanner::planShortColumns(ArrayRef<ForOp> nest, ForOp lane,
                                     ForOp scan) {
  AffineExpr columns = getSize(lane), rows = getSize(scan), all = getSize(nest);
  if (!columns || !rows)
    return false;
  int64_t threads = getThreads();
  // The dimension whose columns share a block where those along the lanes are
  // few.
  ForOp beside =
      nest.size() == 1
          ? ForOp()
          : nest[nest.back() == lane ? nest.size() - 2 : nest.size() - 1];
  auto add = [&](int64_t x, ArrayRef<AffineExpr> when) {
    setGrid(nest, lane, getUsefulThreads(lane, x), 1, beside,
            beside ? getUsefulThreads(beside, threads / x) : 1);
    setDigits(scan, {{LevelKind::Seq, 0}});
    SmallVector<AffineExpr> isShort(when), isMedium(when);
    isShort.push_back(kShortColumn - rows);
    if (addVersion(isShort))
      return true;
    isMedium.push_back(kMediumColumn - rows);
    if (!all)
      return false;
    isMedium.push_back(all - units * unitThreads / 2);
    return addVersion(isMedium);
  };
  if (add(threads, {columns - threads / 2}))
    return true;
  return beside &&
         (add(4, {4 - columns}) || add(16, {16 - columns}) || add(32, {}));
}

bool DevicePlanner::planScanColumns(ArrayRef<ForOp> nest) {
  ForOp scan = findOnlyScan(nest);
  if (!scan || !canSplitScan(scan) || !mayBeTiled(scan) ||
      !isHostExtent(scan) || !scan.use_empty())
    return false;
  for (ForOp loop : nest)
    if (!loop.isParallel() || !isHostExtent(loop))
      return false;
  // Where arrays lie across each other, the dimension along which more of them
  // lie.
  ForOp lane = nest[findLane(nest)];
  int64_t across = score(lane);
  if ((across <= 0 && across < score(scan) * getIterations(scan)) ||
      getThreads() < 64)
    return false;
  keepsTiles = true;
  int64_t words = countWords(scan);
  auto plan = [&](int64_t x, int64_t y, int64_t width, int64_t kept,
                  LevelKind rows) {
    setGrid(nest, lane, x, width);
    setDigits(
        scan,
        {{rows, 0},
         {LevelKind::Thread, y},
         {LevelKind::Unroll, std::max<int64_t>(kept / (words * width), 2)}},
        nest.size(), 1);
  };
  // Whole rows in few lanes: the rows of a request lie next to each other, so
  // that it touches no sector but those of its elements. Rows in the same
  // sub-group shuffle, sub-groups have a stretch of the tile each.
  auto planWhole = [&](int64_t x, int64_t groups, int64_t kept) {
    setGrid(nest, lane, x, 1);
    setDigits(scan,
              {{LevelKind::Block, 0},
               {LevelKind::Unroll, std::max<int64_t>(kept / words, 2)},
               {LevelKind::Thread, subgroup / x}},
              nest.size(), 1);
    Digits &digits = dims[scan.getDimAttr()];
    auto level = LevelAttr::get(context, LevelKind::Thread, /*axis=*/2);
    digits.insert(digits.begin() + 1, DigitAttr::get(context, level, groups));
  };
  int64_t y = getThreads() / 32;
  SmallVector<AffineExpr> aligned;
  int64_t width = std::min<int64_t>(getRowWidth(lane, aligned), kColumns);
  AffineExpr columns = getSize(lane), rows = getSize(scan);
  if (planShortColumns(nest, lane, scan))
    return true;
  // Few columns are as fast as their tiles follow each other: a tile looks back
  // at as many as a column has threads, and waits for those before. Long tiles
  // of many threads are few.
  if (columns) {
    int64_t most = std::min<int64_t>(2 * getThreads(), maxThreads);
    for (int64_t x : {4, 8, 16}) {
      if (subgroup == 32)
        planWhole(x, y, kRowWords);
      else
        plan(x, most / x, 1, kTileWords, LevelKind::Block);
      if (addVersion(x - columns))
        return true;
    }
    plan(32, most / 32, 1, kRowWords, LevelKind::Block);
    SmallVector<AffineExpr> few = {kFewColumns - columns};
    if (rows)
      few.push_back(rows - kManyRows);
    if (addVersion(few))
      return true;
  }
  if (width > 1 && columns) {
    // Whole tiles only.
    aligned.push_back(-(columns % (32 * width)));
    SmallVector<AffineExpr> many = aligned;
    many.push_back(columns - 32 * width * units * 8);
    plan(32, y, width, kRowWords, LevelKind::Seq);
    if (addVersion(many))
      return true;
    plan(32, y, width, kRowWords, LevelKind::Block);
    if (addVersion(aligned))
      return true;
  }
  plan(32, y, 1, kRowWords, LevelKind::Block);
  return true;
}
