//===- Windows.cpp - Register tiles of windows ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Windows that meet the ends of arrays, and all whose rows begin at multiples
// of vectors; others are judged (NestMaps.cpp). Results of a window (a stencil,
// a moving average, a convolution) that lie next to each other read almost the
// same elements. What limits a thread with one result is how fast the first
// cache answers: a 5x5 window asks it 25 times for what memory delivers once. A
// thread with several neighbouring results loads each element once and keeps it
// in a register:
//
//   across the lanes   i = [block.1, thread.y 8, unroll 8], of 5x5 60 loads for
//                      8 results in place of 200
//   along the lanes    j = [block.0, thread.x 32, vector 4], where rows begin
//                      at multiples of 16 bytes: two accesses of 16 bytes for
//                      what 5 taps of 4 results read
//                      j = [block.0, thread.x 32, unroll 4], where rows begin
//                      anywhere and elements are narrow: 67 bytes for what 64
//                      taps of 4 results read
//   both               i = [block.1, thread.y 8, unroll 8],
//                      j = [block.0, thread.x 32, vector 4], where all elements
//                      are narrow: lanes load and store words. A 3x3 mean over
//                      u8[8192, 8191] takes 0.076 ms, by vectors of 2 0.079, of
//                      8 0.102, by single elements 0.096 (H200)
//
// How many results is a question of the footprint: what a tile reads, each
// element once, divided by its results. Of which loop is one of all caches: a
// block of one plane with 32 rows asks L2 for three times what its results
// read, one of four planes with 8 rows for 1.75 times, while their threads load
// the same:
//
//   i = [block.2], j = [block.1, thread.y 8, unroll 4]      7 points
//   i = [block.2, unroll 4], j = [block.1, thread.y 8]
//
// A fold of everything that such windows are read for (the largest change of a
// step, the norm of a residual) takes the same shapes: a thread folds its
// results as one tree, then its block does, and the block that ends last.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Judge.h"
#include "NestTaps.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/Coalescing.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <map>
#include <set>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Twice the results must save at least so much of the loads of each: they cost
/// registers, and threads that hide latency.
static constexpr double kWorth = 0.92;
/// Tiles that such a block takes one after the other, so that what it pays to
/// fold its threads' results counts less, where that leaves each multiprocessor
/// as many blocks. A Jacobi step with its largest change on 11000 x 11000 takes
/// 0.275 ms by sixteens, 0.282 by eights, 0.300 by fours and 0.369 one by one
/// (H200). Of planes there are fewer, and blocks at their ends take longer.
static constexpr int64_t kSteps[] = {16, 4, 1}, kStepBlocks = 4;

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

namespace {
/// Reads of one array that differ by numbers.
struct Taps {
  Access first;
  /// Distances from the first, a number a dimension.
  std::set<SmallVector<int64_t, 4>> offsets;
};
} // namespace

/// The reads below `last` of arrays in memory that `along` moves, of all if it
/// is null, in groups.
static SmallVector<Taps, 0> collectTaps(ForOp last, ForOp along) {
  SmallVector<Taps, 0> groups;
  AccessPattern pattern = AccessPattern::getMostly(last);
  for (const Access &access : pattern.getAccesses()) {
    if (access.writes || access.array.getDefiningOp<LocalOp>() ||
        (along && llvm::none_of(access.indices, [&](const LinearIndex &index) {
           return index.getCoefficient(along.getInductionVar());
         })))
      continue;
    bool found = false;
    for (Taps &taps : groups)
      if (std::optional<NestTaps::Place> offset =
              findDistance(access, taps.first)) {
        taps.offsets.insert(*offset);
        found = true;
        break;
      }
    if (!found) {
      SmallVector<int64_t, 4> same(access.indices.size());
      groups.push_back({access, {same}});
    }
  }
  return groups;
}

namespace {
/// Consecutive iterations of a loop.
struct Stretch {
  ForOp loop;
  int64_t count;
};
} // namespace

/// Elements of an array that iterations of `tile` read together, each once.
static int64_t countElements(const Taps &taps, ArrayRef<Stretch> tile) {
  std::set<SmallVector<int64_t, 4>> read = taps.offsets;
  for (const Stretch &stretch : tile) {
    std::set<SmallVector<int64_t, 4>> more;
    for (int64_t step = 0; step < stretch.count; ++step)
      for (SmallVector<int64_t, 4> place : read) {
        for (auto [distance, index] : llvm::zip(place, taps.first.indices))
          distance += step * index.getCoefficient(
                                 ForOp(stretch.loop).getInductionVar());
        more.insert(place);
      }
    read = std::move(more);
  }
  return read.size();
}

/// The same of all arrays.
static int64_t countElements(ArrayRef<Taps> groups, ForOp along,
                             int64_t copies) {
  int64_t count = 0;
  for (const Taps &taps : groups)
    count += countElements(taps, {{along, copies}});
  return count;
}

/// Bytes that the threads of `tile`, as many as blocks have beside the lanes,
/// read for each result: of elements next to each other along `lane` one, as
/// all lanes together hardly read more than their own.
static double countBytes(ArrayRef<Taps> groups, ForOp lane,
                         ArrayRef<Stretch> tile) {
  int64_t bytes = 0, results = 1;
  for (const Stretch &stretch : tile)
    results *= stretch.count;
  for (Taps taps : groups) {
    std::set<SmallVector<int64_t, 4>> rows;
    for (SmallVector<int64_t, 4> place : taps.offsets) {
      for (auto [distance, index] : llvm::zip(place, taps.first.indices))
        if (lane && index.getCoefficient(lane.getInductionVar()))
          distance = 0;
      rows.insert(place);
    }
    taps.offsets = std::move(rows);
    bytes +=
        countElements(taps, tile) * kernel::getElementBytes(taps.first.array);
  }
  return double(bytes) / results;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

int64_t arrc::kernel::getWindowCopies(ForOp last, ForOp along, int64_t width) {
  SmallVector<Taps, 0> groups = collectTaps(last, along);
  if (groups.empty())
    return 1;
  int64_t taps = countElements(groups, along, 1);
  int64_t copies = 1, bytes = 1;
  for (const Taps &group : groups)
    bytes = std::max(bytes, kernel::getElementBytes(group.first.array));
  double loads = taps;
  for (int64_t more = 2; more <= kMostNeighbours; more *= 2) {
    if (more * width * bytes > kTileBytes || more * width * taps > kMostTaps)
      break;
    // Neighbours on both sides without what is between: two share nothing,
    // four do.
    double next = double(countElements(groups, along, more)) / more;
    if (next > kWorth * loads)
      continue;
    copies = more;
    loads = next;
  }
  return copies;
}

ForOp arrc::kernel::findWindowLoop(ArrayRef<ForOp> nest, ForOp lane,
                                   int64_t width, ForOp beside, int64_t y) {
  const DeviceRates &rates =
      getRates(DeviceAttr::get(lane->getParentOfType<LaunchOp>()));
  double firstCache = rates.units * rates.clock * rates.firstCache;
  SmallVector<Taps, 0> groups = collectTaps(nest.back(), {});
  ForOp best;
  double least = INFINITY;
  for (ForOp loop : llvm::reverse(nest)) {
    int64_t copies =
        loop == lane ? 1 : getWindowCopies(nest.back(), loop, width);
    if (copies < 2)
      continue;
    SmallVector<Stretch> block{{loop, copies}};
    if (loop == beside)
      block.front().count *= y;
    else if (beside)
      block.push_back({beside, y});
    // What a thread loads, from the first cache; what its block does, from L2:
    // no shape may lose in one what it saves in the other.
    double time = countBytes(groups, {}, {{loop, copies}}) / firstCache +
                  countBytes(groups, lane, block) / rates.cache;
    if (time < least) {
      least = time;
      best = loop;
    }
  }
  return best;
}

bool arrc::kernel::isWindowWorthVectors(ForOp lane, int64_t width) {
  int64_t taps = 0, accesses = 0;
  for (const Taps &group : collectTaps(lane, lane)) {
    // Of each row that the window touches: the taps, and the accesses of
    // `width` elements that the iterations of a vector need for them.
    std::map<SmallVector<int64_t, 4>, std::set<int64_t>> rows;
    int64_t begin = group.first.indices.back().getConstant();
    for (SmallVector<int64_t, 4> offset : group.offsets) {
      int64_t place = begin + offset.pop_back_val();
      for (int64_t element = 0; element < width; ++element)
        rows[offset].insert(llvm::divideFloorSigned(place + element, width));
    }
    taps += group.offsets.size();
    for (const auto &[row, chunks] : rows)
      accesses += chunks.size();
  }
  return accesses <= kWorth * taps;
}

/// Lines that an access of a warp touches in the first cache, where each lane's
/// elements begin `copies` behind those of the lane before.
static double countLines(int64_t copies, int64_t bytes) {
  return std::max(1.0, double(kWarp * copies * bytes) / kLine);
}

/// Whether each access goes to the next element with `lane`, or stays.
static bool hasNeighbours(const AccessPattern &pattern, ForOp lane) {
  for (const Access &access : pattern.getAccesses()) {
    if (access.array.getDefiningOp<LocalOp>())
      continue;
    if (access.isUpdate())
      return false;
    for (const LinearIndex &index : access.indices) {
      int64_t step = index.getCoefficient(lane.getInductionVar());
      if (step && (step != 1 || &index != &access.indices.back()))
        return false;
    }
  }
  return true;
}

int64_t arrc::kernel::getWordCopies(ForOp last, ForOp lane) {
  constexpr int64_t word = 4;
  // Branches of so many results would be too much code.
  for (Operation &op : last.getBodyBlock()->without_terminator())
    if (op.getNumRegions())
      return 1;
  AccessPattern pattern = AccessPattern::getMostly(last);
  int64_t bytes = 0;
  for (const Access &access : pattern.getAccesses())
    if (!access.array.getDefiningOp<LocalOp>() && !access.indices.empty())
      bytes = std::max(bytes, kernel::getElementBytes(access.array));
  return bytes && bytes < word && hasNeighbours(pattern, lane) ? word / bytes
                                                               : 1;
}

int64_t arrc::kernel::getLaneCopies(ForOp last, ForOp lane) {
  AccessPattern pattern = AccessPattern::getMostly(last);
  if (!hasNeighbours(pattern, lane))
    return 1;
  SmallVector<Taps, 0> groups = collectTaps(last, lane);
  const DeviceRates &rates =
      getRates(DeviceAttr::get(lane->getParentOfType<LaunchOp>()));
  double firstCache = rates.units * rates.clock * rates.firstCache;
  int64_t best = 1, taps = countElements(groups, lane, 1);
  double least = INFINITY;
  for (int64_t copies = 1; copies <= kMostNeighbours; copies *= 2) {
    // Of a result of each lane: lines for the first cache, and what it passes
    // on of stores, which it does not join.
    double lines = 0, sectors = 0;
    for (const Taps &group : groups)
      lines += double(countElements(group, {{lane, copies}})) / copies *
               countLines(copies, getElementBytes(group.first.array));
    for (const Access &access : pattern.getAccesses())
      if (access.writes && !access.array.getDefiningOp<LocalOp>()) {
        int64_t bytes = getElementBytes(access.array);
        lines += countLines(copies, bytes);
        sectors += countSectors(copies, bytes);
      }
    double time = lines * kLine / firstCache + sectors * kSector / rates.cache;
    if (copies * taps <= kMostTaps && time <= kWorth * least) {
      least = time;
      best = copies;
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

bool DevicePlanner::planSmallFold(ArrayRef<ForOp> nest) {
  ForOp last = nest.back(), lane = nest[findLane(nest)];
  ForOp next = nest[lane == last ? nest.size() - 2 : nest.size() - 1];
  AffineExpr length = getSize(lane), rows = getSize(next), size = getSize(nest);
  if (!holds<StoreOp>(last) || maxThreads < kWideThreads || !length || !rows ||
      !size || !llvm::all_of(nest, isHostExtent))
    return false;
  setGrid(nest, lane, kWideLanes, 1, next, kWideThreads / kWideLanes);
  raiseFolds(nest);
  // Each has a thread where a device has place for twice as many.
  if (addVersion({units * unitThreads / 2 - size, length - kWideLanes,
                  rows - kWideThreads / kWideLanes}))
    return true;
  dropFolds(nest);
  return false;
}

bool DevicePlanner::planWindowFold(ArrayRef<ForOp> nest) {
  ForOp last = nest.back(), lane = nest[findLane(nest)];
  if (!mayBeJammed(last) || isExpensive(last) || maxThreads < kWideThreads ||
      !llvm::all_of(
          nest,
          [](ForOp loop) { return loop.isReduce() && isHostExtent(loop); }))
    return false;
  ForOp next = nest[lane == last ? nest.size() - 2 : nest.size() - 1];
  AffineExpr length = getSize(lane), rows = getSize(next);
  if (!length || !rows)
    return false;
  int64_t x = kWideLanes, y = kWideThreads / kWideLanes;
  SmallVector<AffineExpr> aligned;
  int64_t width = getRowWidth(lane, aligned, /*needsStores=*/false);
  auto plan = [&](int64_t width, int64_t steps,
                  SmallVector<AffineExpr> conditions) {
    ForOp window = findWindowLoop(nest, lane, width, next, y);
    if (!window)
      return false;
    int64_t tile =
        kWideThreads * width * getWindowCopies(last, window, width) * steps;
    if (steps > 1)
      requireBlocks(nest, kStepBlocks * tile, conditions);
    else if (width > 1)
      requireBlocks(nest, tile, conditions);
    if (width > 1)
      conditions.append({-(length % width), length - kWideThreads});
    else
      conditions.append({length - x, rows - y});
    window = chooseWindow(nest, lane, x, width, next, y, conditions, steps);
    if (!window)
      return false;
    setWindowGrid(nest, lane, x, width, window, next, y, steps);
    return addVersion(conditions);
  };
  ArrayRef<int64_t> ladder(kSteps);
  // Devices that share a launch get whole blocks each: of many small ones no
  // device gets much more than others.
  if (hasParts)
    ladder = ladder.take_back();
  else if (nest.size() > 2)
    ladder = ladder.drop_front();
  for (int64_t steps : ladder)
    if (width > 1 && plan(width, steps, aligned))
      return true;
  for (int64_t steps : ladder)
    if (plan(1, steps, {}))
      return true;
  dropFolds(nest);
  return false;
}

void DevicePlanner::dropFolds(ArrayRef<ForOp> nest) {
  raised.clear();
  dropDigits(nest);
  for (ForOp loop : nest)
    trees.erase(loop.getDim());
}
