//===- ColumnScans.cpp - Schedules of scans across rows on devices --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Lanes along the dimension that stays and is contiguous. Where there are
// columns enough, each has a thread, which takes several elements at a time. Of
// others a block has a tile of rows, which the threads along y share; the
// carries of its columns go from tile to tile in the block, or from block to
// block where there are too few columns to fill the device:
//
//   i = [block.0, thread.x 256], l = [seq, unroll 16]
//   i = [block.0, thread.x 32, vector 2], l = [seq, thread.y 8, unroll 8]
//   i = [block.0, thread.x 32], l = [block.1, thread.y 8, unroll 32]
//
// Up to 16 columns have as many lanes, beside those of rows next to them:
//
//   i = [block.0, thread.x 4], l = [block.1, thread.z 8, unroll 32, thread.y 8]
//
// Which of these at which sizes the prices say (JudgedScans.cpp). Scans.cpp has
// scans of everything and of rows.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "JudgedScans.h"
#include "Scans.h"
#include "VersionTree.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include <array>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Columns that a thread scans at a time, where they are aligned.
static constexpr int64_t kColumns = 2;
/// Schedules of a launch that need no alignment, those besides that do, and the
/// leaves of the trees that choose among them.
static constexpr unsigned kSchedules = 5, kAligned = 2, kLeaves = 8,
                          kAlignedLeaves = 4;
/// Lanes where there are no more columns, and schedules for each.
static constexpr std::array<int64_t, 3> kFewLanes = {4, 8, 16};
static constexpr unsigned kFewSchedules = 2;
/// Points at which schedules are picked, and by which the tree asks; elements
/// at these points.
static constexpr unsigned kPickPoints = 160, kPoints = 1280;
static constexpr double kLeastElements = 1 << 18, kMostElements = 1 << 30;

void DevicePlanner::setScanShape(ArrayRef<ForOp> nest, ForOp scan,
                                 const ScanFacts &facts,
                                 const ScanShape &shape) {
  setGrid(nest, nest[facts.lane], shape.lanes, shape.width,
          facts.beside ? nest[*facts.beside] : ForOp(), shape.beside);
  LevelKind tiles = shape.looksBack ? LevelKind::Block : LevelKind::Seq;
  if (shape.groups == 1)
    return setDigits(scan,
                     {{tiles, 0},
                      {LevelKind::Thread, shape.threads},
                      {LevelKind::Unroll, shape.unroll}},
                     nest.size(), 1);
  // Rows in the same sub-group shuffle, sub-groups have a stretch of the tile
  // each.
  setDigits(scan,
            {{tiles, 0},
             {LevelKind::Unroll, shape.unroll},
             {LevelKind::Thread, shape.threads}},
            nest.size(), 1);
  Digits &digits = dims[scan.getDimAttr()];
  auto level = LevelAttr::get(context, LevelKind::Thread, /*axis=*/2);
  digits.insert(digits.begin() + 1,
                DigitAttr::get(context, level, shape.groups));
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
  ScanFacts facts;
  facts.lane = findLane(nest);
  if (nest.size() > 1)
    facts.beside =
        facts.lane == nest.size() - 1 ? nest.size() - 2 : nest.size() - 1;
  facts.words = countWords(scan);
  facts.isSplit = mayRunAgain(launch) || !canWait;
  std::optional<NestFacts> known = computeNestFacts(
      nest, {scan}, [&](OpFoldResult size) { return getSize(size); });
  if (!known || known->accesses.empty()) {
    setScanShape(nest, scan, facts,
                 {.threads = getThreads() / 32,
                  .unroll = std::max<int64_t>(kRowWords / facts.words, 2),
                  .looksBack = true});
    return true;
  }
  return addScanVersions(nest, scan, *known, facts);
}

bool DevicePlanner::addScanVersions(ArrayRef<ForOp> nest, ForOp scan,
                                    const NestFacts &facts,
                                    const ScanFacts &shared) {
  AffineExpr columns = facts.dims[shared.lane].size,
             all = getAffineConstantExpr(1, context);
  for (const NestDim &dim : ArrayRef(facts.dims).drop_back())
    all = all * dim.size;
  SmallVector<AffineExpr> features;
  for (AffineExpr feature : {columns, facts.dims.back().size, all})
    if (!isa<AffineConstantExpr>(feature) &&
        !llvm::is_contained(features, feature))
      features.push_back(feature);
  SmallVector<SizePoint> points =
      samplePoints(versionSizes.size(), all * facts.dims.back().size,
                   kLeastElements, kMostElements, kPoints);
  const DeviceRates &rates = getRates(DeviceAttr::get(launch));
  auto makeShapes = [&](int64_t width) {
    return makeScanShapes(shared, width, getThreads(),
                          std::min<int64_t>(2 * getThreads(), maxThreads),
                          subgroup);
  };
  // The shapes of few lanes have points of their own: those of few columns.
  SmallVector<ScanShape> shapes = makeShapes(1);
  auto take = [&](ArrayRef<ScanShape> list, int64_t least, int64_t most) {
    SmallVector<ScanShape> taken;
    llvm::copy_if(list, std::back_inserter(taken), [&](const ScanShape &shape) {
      return shape.lanes >= least && shape.lanes <= most;
    });
    return taken;
  };
  SmallVector<SizePoint> inside;
  auto price = [&](ArrayRef<ScanShape> list, size_t count) {
    SmallVector<SmallVector<double>> costs;
    for (const SizePoint &point : ArrayRef(inside).take_front(count)) {
      NestNumbers sizes(facts, point);
      SmallVector<double> &row = costs.emplace_back();
      for (const ScanShape &shape : list)
        row.push_back(judgeScan(facts, sizes, shared, shape, rates));
    }
    return costs;
  };
  // `few`, and at most `more` of `list` besides.
  auto extend = [&](ArrayRef<ScanShape> few, ArrayRef<ScanShape> list,
                    unsigned more) {
    SmallVector<ScanShape> both(few), chosen(few);
    llvm::append_range(both, list);
    for (unsigned number :
         chooseMore(price(both, kPickPoints), few.size(), more))
      chosen.push_back(both[number]);
    return chosen;
  };
  auto addTree = [&](ArrayRef<ScanShape> few, ArrayRef<AffineExpr> when,
                     unsigned leaves) {
    SmallVector<VersionLeaf> tree =
        chooseVersions(inside, price(few, inside.size()), features, leaves);
    for (auto [number, leaf] : llvm::enumerate(tree)) {
      // The next leaf says the same of these sizes.
      const VersionLeaf *next =
          number + 1 < tree.size() ? &tree[number + 1] : nullptr;
      if (next && next->choice == leaf.choice &&
          llvm::all_of(next->conditions, [&](AffineExpr condition) {
            return llvm::is_contained(leaf.conditions, condition);
          }))
        continue;
      setScanShape(nest, scan, shared, few[leaf.choice]);
      SmallVector<AffineExpr> conditions(leaf.conditions);
      llvm::append_range(conditions, when);
      if (conditions.empty() || addVersion(conditions))
        return true;
    }
    return false;
  };
  for (int64_t lanes : kFewLanes) {
    SmallVector<ScanShape> few = take(shapes, lanes, lanes);
    inside.clear();
    llvm::copy_if(points, std::back_inserter(inside),
                  [&](const SizePoint &point) {
                    int64_t count = evaluate(columns, point);
                    return count <= lanes && (count > lanes / 2 || lanes == 4);
                  });
    if (!few.empty() && !inside.empty() &&
        addTree(extend({}, few, kFewSchedules), {lanes - columns},
                kFewSchedules))
      return true;
  }
  inside.clear();
  llvm::copy_if(points, std::back_inserter(inside),
                [&](const SizePoint &point) {
                  return evaluate(columns, point) > kFewLanes.back();
                });
  // Sizes that are numbers may be none of these.
  if (inside.empty())
    inside = points;
  SmallVector<ScanShape> few =
      extend({}, take(shapes, 32, maxThreads), kSchedules);
  SmallVector<AffineExpr> aligned;
  int64_t width =
      std::min<int64_t>(getRowWidth(nest[shared.lane], aligned), kColumns);
  if (width > 1) {
    // Whole tiles only.
    aligned.push_back(-(columns % (32 * width)));
    if (addTree(extend(few, take(makeShapes(width), 32, maxThreads), kAligned),
                aligned, kAlignedLeaves))
      return true;
  }
  return addTree(few, {}, kLeaves);
}
