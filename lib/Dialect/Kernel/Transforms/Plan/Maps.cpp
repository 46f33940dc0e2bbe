//===- Maps.cpp - Schedules of maps over blocks of threads ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Threads along the dimension in which accesses are contiguous, several
// elements each where they are one access; the next dimension shares the block,
// and a thread takes a few of its rows, which read the same halo. Where there
// are few rows and they are long, a thread takes them all.
//
//   i = [block.1, thread.y 8, unroll 2], j = [block.0, thread.x 32, vector 4]
//   few  i = [block.1, unroll 4], j = [block.0, thread.x 256, vector 4]
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Judge.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Support/StoredBytes.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Threads of a block, and of a block whose threads do much each.
static constexpr int64_t kThreads = 256, kHeavyThreads = 128;
/// Rows that are few; loads of an element, of which a thread may have copies.
static constexpr int64_t kFewRows = 4;
static constexpr unsigned kFewLoads = 16;
/// Groups of planes of which the first and the last are few.
static constexpr int64_t kInnerGroups = 4;
/// Iterations of a thread that steps through a sequence for several together.
static constexpr int64_t kSteppedTogether = 8;

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

/// The accesses to arrays in memory that go from one element to the next with
/// `along`.
static SmallVector<Access> getAccessesAlong(ForOp along) {
  AccessPattern pattern = AccessPattern::getMostly(along);
  return llvm::to_vector(
      llvm::make_filter_range(pattern.getAccesses(), [&](const Access &access) {
        return !access.indices.empty() &&
               !access.array.getDefiningOp<LocalOp>() &&
               access.indices.back().getCoefficient(along.getInductionVar()) ==
                   1;
      }));
}

int64_t DevicePlanner::getVectorWidth(ForOp along) {
  int64_t bytes = 0;
  bool aligned = true, isWindow = false;
  for (const Access &access : getAccessesAlong(along)) {
    const LinearIndex &last = access.indices.back();
    auto type = cast<MemRefType>(access.array.getType());
    bytes = std::max(bytes, getStoredBytes(type.getElementType()));
    aligned &= last.getTerms().size() == 1 && type.getRank() == 1 &&
               type.getLayout().isIdentity();
    if (last.getConstant() % 16 != 0) {
      aligned &= !access.writes;
      isWindow = true;
    }
    if (auto load = dyn_cast<LoadOp>(access.op))
      aligned &= !load.getEdge();
  }
  int64_t width = bytes ? std::max<int64_t>(vectorBytes / bytes, 1) : 1;
  return aligned && (!isWindow || isWindowWorthVectors(along, width)) ? width
                                                                      : 1;
}

int64_t DevicePlanner::getRowWidth(ForOp along,
                                   SmallVectorImpl<AffineExpr> &conditions,
                                   bool needsStores) {
  int64_t bytes = 0;
  bool stores = false;
  SmallVector<Value> arrays;
  for (const Access &access : getAccessesAlong(along)) {
    const LinearIndex &last = access.indices.back();
    auto type = cast<MemRefType>(access.array.getType());
    if (!isa<BlockArgument>(access.array) || !type.getLayout().isIdentity() ||
        access.isUpdate() || isa<ComplexType>(type.getElementType()))
      return 1;
    bytes = std::max(bytes, kernel::getElementBytes(access.array));
    // Reads of neighbours may lie anywhere.
    if (access.writes &&
        (last.getTerms().size() != 1 || last.getConstant() % vectorBytes != 0))
      return 1;
    stores |= access.writes;
    if (type.getRank() > 1)
      arrays.push_back(access.array);
  }
  int64_t width = bytes ? std::max<int64_t>(vectorBytes / bytes, 1) : 1;
  return width > 1 && (stores || !needsStores) &&
                 alignRows(arrays, width, conditions)
             ? width
             : 1;
}

bool DevicePlanner::alignRows(ArrayRef<Value> arrays, int64_t width,
                              SmallVectorImpl<AffineExpr> &conditions) {
  for (Value array : arrays) {
    int64_t last = cast<MemRefType>(array.getType()).getRank() - 1;
    OpFoldResult size = launch.getSize(cast<BlockArgument>(array), last);
    if (std::optional<int64_t> number = getConstantIntValue(size)) {
      if (*number % width != 0)
        return false;
      continue;
    }
    AffineExpr pitch = getSize(cast<Value>(size));
    if (!pitch)
      return false;
    AffineExpr condition = -(pitch % width);
    if (!llvm::is_contained(conditions, condition))
      conditions.push_back(condition);
  }
  return true;
}

unsigned DevicePlanner::findLane(ArrayRef<ForOp> nest) {
  unsigned along = nest.size() - 1;
  for (unsigned k = nest.size() - 1; k-- > 0;)
    if (score(nest[k]) > score(nest[along]))
      along = k;
  return along;
}

bool arrc::kernel::readsNeighbours(ForOp last, ForOp loop) {
  AccessPattern pattern = AccessPattern::getMostly(last);
  ArrayRef<Access> accesses = pattern.getAccesses();
  for (auto [number, access] : llvm::enumerate(accesses)) {
    if (access.writes)
      continue;
    for (const Access &other : accesses.take_front(number)) {
      if (other.writes || other.array != access.array)
        continue;
      for (auto [index, before] : llvm::zip(access.indices, other.indices)) {
        std::optional<int64_t> distance = index.distanceFrom(before);
        if (index.getCoefficient(loop.getInductionVar()) == 1 && distance &&
            *distance != 0 && std::abs(*distance) <= 4)
          return true;
      }
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

void DevicePlanner::setWindowGrid(ArrayRef<ForOp> nest, ForOp lane, int64_t x,
                                  int64_t width, ForOp window, ForOp beside,
                                  int64_t y, int64_t steps) {
  y = getUsefulThreads(beside, y);
  int64_t rows = window == beside ? y : 1;
  int64_t copies = getUsefulGroups(window, rows,
                                   getWindowCopies(nest.back(), window, width));
  setGrid(nest, lane, x, width, beside, y);
  unsigned axis = std::distance(llvm::find(nest, window), nest.end()) - 1;
  setDigits(window,
            {{LevelKind::Block, 0},
             {LevelKind::Seq, steps},
             {LevelKind::Thread, rows},
             {LevelKind::Unroll, copies}},
            axis, 1);
  raiseFolds(nest);
}

ForOp DevicePlanner::chooseWindow(ArrayRef<ForOp> nest, ForOp lane, int64_t x,
                                  int64_t width, ForOp beside, int64_t y,
                                  ArrayRef<AffineExpr> conditions,
                                  int64_t steps) {
  ForOp window = findWindowLoop(nest, lane, width, beside, y);
  return takeWhereLong(nest, lane, x, width, window, beside, y, conditions,
                       steps);
}

ForOp DevicePlanner::takeWhereLong(ArrayRef<ForOp> nest, ForOp lane, int64_t x,
                                   int64_t width, ForOp window, ForOp beside,
                                   int64_t y, ArrayRef<AffineExpr> conditions,
                                   int64_t steps) {
  if (!window || window == beside ||
      getWindowCopies(nest.back(), beside, width) < 2)
    return window;
  // What is not inside runs iteration by iteration: of few planes most.
  int64_t copies = getWindowCopies(nest.back(), window, width);
  AffineExpr extent = getSize(window);
  if (!extent)
    return beside;
  AffineExpr isLong = extent - kInnerGroups * copies * steps;
  if (std::optional<bool> known = isKnown(isLong))
    return *known ? window : beside;
  SmallVector<AffineExpr> planes(conditions);
  planes.push_back(isLong);
  setWindowGrid(nest, lane, x, width, window, beside, y, steps);
  addVersion(planes);
  return beside;
}

bool DevicePlanner::fillsBlocks(ArrayRef<ForOp> nest, ForOp next,
                                int64_t iterations,
                                SmallVectorImpl<AffineExpr> &conditions) {
  // Of two dimensions one is long.
  if (nest.size() < 3)
    return true;
  if (std::optional<int64_t> extent = next.getStaticExtent())
    return *extent >= iterations;
  AffineExpr extent = getSize(next);
  if (extent)
    conditions.push_back(extent - iterations);
  return !!extent;
}

void DevicePlanner::requireBlocks(ArrayRef<ForOp> nest, int64_t tile,
                                  SmallVectorImpl<AffineExpr> &conditions) {
  AffineExpr points = getSize(nest);
  if (!points)
    return;
  auto units = int64_t(getRates(DeviceAttr::get(launch)).units);
  conditions.push_back(points - units * tile);
}

bool DevicePlanner::planWideMap(ArrayRef<ForOp> nest) {
  ForOp last = nest.back(), lane = nest[findLane(nest)];
  if (nest.size() < 2 || !mayBeJammed(last) || hasInnerLoop(last) ||
      maxThreads < kWideThreads || !isHostExtent(nest.front()))
    return false;
  SmallVector<AffineExpr> conditions;
  int64_t width = getRowWidth(lane, conditions);
  AffineExpr extent = getSize(lane);
  if (width < 2 || !extent)
    return false;
  ForOp next = nest[lane == last ? nest.size() - 2 : nest.size() - 1];
  if (ForOp window =
          findWindowLoop(nest, lane, width, next, kWideThreads / kWideLanes)) {
    conditions.push_back(extent - kWideThreads);
    int64_t copies = getWindowCopies(last, window, width);
    requireBlocks(nest, kWideThreads * width * copies, conditions);
    window = chooseWindow(nest, lane, kWideLanes, width, next,
                          kWideThreads / kWideLanes, conditions);
    setWindowGrid(nest, lane, kWideLanes, width, window, next,
                  kWideThreads / kWideLanes);
    if (addVersion(conditions))
      return true;
    dropDigits(nest);
    return false;
  }
  AffineExpr rows = getSize(next);
  if (rows && countLoads(last) <= kFewLoads && !readsNeighbours(last, next)) {
    SmallVector<AffineExpr> few = conditions;
    few.push_back(extent - kWideThreads * width);
    few.push_back(kFewRows - rows);
    setGrid(nest, lane, kWideThreads, width, next, 1,
            getUsefulGroups(next, 1, kFewRows));
    if (addVersion(few))
      return true;
  }
  conditions.push_back(extent - kWideThreads);
  int64_t x = kWideLanes, y = getUsefulThreads(next, kWideThreads / x);
  int64_t copies = width >= 8 || countLoads(last) > kFewLoads ? 1
                   : readsNeighbours(last, next)              ? 4
                                                              : 2;
  if (!fillsBlocks(nest, next, y * copies, conditions))
    return false;
  // What streams takes as much a thread without vectors.
  if (!isStream(last, lane, next))
    requireBlocks(nest, kWideThreads * width * copies, conditions);
  setGrid(nest, lane, x, width, next, y, getUsefulGroups(next, y, copies));
  if (addVersion(conditions))
    return true;
  dropDigits(nest);
  return false;
}

void DevicePlanner::planMap(ArrayRef<ForOp> nest) {
  if (planGatheredRows(nest) || (versions.empty() && planWideMap(nest)))
    return;
  // Neighbours that are read again want register tiles.
  bool isWindow = llvm::any_of(
      nest, [&](ForOp loop) { return readsNeighbours(nest.back(), loop); });
  if ((isWindow && planNestMap(nest)) || planNarrowMap(nest) ||
      (nest.size() == 1 && planOwnRowMap(nest.front())))
    return;
  // What is left of two dimensions has many rows of a length in between, if it
  // streams.
  if (!isWindow &&
      (nest.size() > 2 || !isStream(nest.back(), nest.back(), nest.front())) &&
      planNestMap(nest))
    return;
  ForOp last = nest.back();
  unsigned along = findLane(nest);
  ForOp lane = nest[along];
  bool jams = mayBeJammed(last), heavy = hasInnerLoop(last);
  if (jams && !heavy && isHostExtent(nest.front())) {
    ForOp beside;
    if (nest.size() > 1)
      beside = nest[along == nest.size() - 1 ? along - 1 : nest.size() - 1];
    int64_t x = getUsefulThreads(lane, kWideLanes), y = getThreads() / x;
    int64_t width = getUsefulGroups(lane, x, getWordCopies(last, lane));
    if (ForOp window = chooseWindow(nest, lane, x, width, beside, y, {}))
      return planWindow(nest, lane, x, width, window, beside, y);
    int64_t copies =
        beside ? getUsefulGroups(lane, x, getLaneCopies(last, lane)) : 1;
    if (copies > 1) {
      // Of few long rows most threads of such a block would have none: four of
      // u8[4, 12110525] by 64 taps take 0.26 ms in place of 0.82 (H200).
      int64_t whole = getUsefulThreads(lane, getThreads());
      if (whole > x) {
        setGrid(nest, lane, whole, 1, beside, 1);
        setDigits(lane,
                  {{LevelKind::Block, 0},
                   {LevelKind::Thread, whole},
                   {LevelKind::Unroll, copies}},
                  nest.size() - 1 - along, 0);
        if (addFewRows(beside, y - 1, lane, whole * copies))
          return;
      }
      setGrid(nest, lane, x, 1, beside, y);
      return setDigits(lane,
                       {{LevelKind::Block, 0},
                        {LevelKind::Thread, x},
                        {LevelKind::Unroll, copies}},
                       nest.size() - 1 - along, 0);
    }
  }
  // Where there is enough to do, threads step through several iterations.
  if (!jams && mayStepTogether(nest)) {
    setMapGrid(nest, /*jams=*/true);
    SmallVector<AffineExpr> conditions;
    requireBlocks(nest, kThreads * kSteppedTogether, conditions);
    if (!conditions.empty() && addVersion(conditions))
      return;
    dropDigits(nest);
  }
  if (jams && !heavy && planFewRows(nest, lane))
    return;
  setMapGrid(nest, jams && !heavy);
}

bool DevicePlanner::addFewRows(ForOp rows, int64_t most, ForOp lane,
                               int64_t least) {
  AffineExpr count = getSize(rows), length = getSize(lane);
  return count && length && addVersion({most - count, length - least});
}

void DevicePlanner::planWindow(ArrayRef<ForOp> nest, ForOp lane, int64_t x,
                               int64_t width, ForOp window, ForOp beside,
                               int64_t y) {
  // Of few rows most threads of a block over several would have none.
  int64_t whole = getUsefulThreads(lane, getThreads()), together = y;
  if (window == beside)
    together *= getWindowCopies(nest.back(), window, width);
  if (beside && whole > x) {
    setWindowGrid(nest, lane, whole, width, window, beside, 1);
    if (addFewRows(beside, together / 2, lane, whole * width))
      return;
  }
  setWindowGrid(nest, lane, x, width, window, beside, y);
}

bool DevicePlanner::planFewRows(ArrayRef<ForOp> nest, ForOp lane) {
  if (nest.size() != 2 || lane != nest.back() || !isHostExtent(nest.front()))
    return false;
  int64_t threads = getUsefulThreads(lane, kThreads);
  if (threads < kThreads || maxThreads < kThreads)
    return false;
  // As many a thread as it would take of several rows; these are not half of
  // what a block would have.
  int64_t copies = countLoads(lane) <= kFewLoads / 2 ? 2 : 1;
  setGrid(nest, lane, threads, 1, nest.front(), 1);
  setDigits(lane,
            {{LevelKind::Block, 0},
             {LevelKind::Unroll, copies},
             {LevelKind::Thread, threads}},
            0, 0);
  bool isAll = addFewRows(nest.front(), kThreads / kWideLanes * copies / 2,
                          lane, kFewRows * threads * copies);
  dropDigits(nest);
  return isAll;
}

void DevicePlanner::setMapGrid(ArrayRef<ForOp> nest, bool jams) {
  ForOp last = nest.back();
  unsigned along = findLane(nest);
  ForOp lane = nest[along];
  int64_t threads = std::min(jams ? kThreads : kHeavyThreads, maxThreads);
  bool follows = isHostExtent(nest.front());

  // The next dimension shares the block.
  ForOp next;
  if (nest.size() > 1)
    next = nest[along == nest.size() - 1 ? along - 1 : nest.size() - 1];
  int64_t x = getUsefulThreads(lane, threads), y = 1;
  if (next) {
    // Whole sectors in both directions, few threads past the end of either.
    int64_t wide = std::min({x, threads, int64_t(32)});
    y = getUsefulThreads(next, threads / wide);
    x = std::min(x, threads / y);
  }
  unsigned loads = countLoads(last);
  int64_t width = jams && nest.size() == 1 ? getVectorWidth(lane) : 1;
  int64_t copies = 1;
  if (jams)
    copies = width >= 8   ? 1
             : loads <= 2 ? 4 / std::min<int64_t>(width, 2)
             // Of what is narrow as many again, to have as much under way.
             : loads <= 8 ? (next && readsNarrow(last) ? 4 : 2)
                          : 1;
  if (jams && next && lane == last)
    copies = std::max(copies, getStreamCopies(last, lane, next));
  width = getUsefulGroups(lane, x, width);
  copies = next ? getUsefulGroups(next, y, copies)
                : getUsefulGroups(lane, x * width, copies);

  unsigned axis = nest.size();
  for (auto [k, loop] : llvm::enumerate(nest)) {
    --axis;
    if (loop == lane) {
      if (!follows && k == 0)
        setDigits(loop,
                  {{LevelKind::Seq, 0},
                   {LevelKind::Block, getFixedBlocks()},
                   {LevelKind::Thread, x},
                   {LevelKind::Vector, width}},
                  axis, 0);
      else
        setDigits(loop,
                  {{LevelKind::Block, 0},
                   {LevelKind::Unroll, next ? 1 : copies},
                   {LevelKind::Thread, x},
                   {LevelKind::Vector, width}},
                  axis, 0);
    } else if (!follows && k == 0) {
      setDigits(loop,
                {{LevelKind::Seq, 0},
                 {LevelKind::Block, getFixedBlocks()},
                 {LevelKind::Thread, loop == next ? y : 1}},
                axis, 1);
    } else {
      std::pair<LevelKind, int64_t> threads{LevelKind::Thread,
                                            loop == next ? y : 1};
      std::pair<LevelKind, int64_t> rows{LevelKind::Unroll,
                                         loop == next ? copies : 1};
      // Neighbouring rows in one thread: they read the same halo. Where they do
      // not, and a warp has several, these lie next to each other.
      if (x < kWideLanes && !readsNeighbours(last, loop))
        setDigits(loop, {{LevelKind::Block, 0}, rows, threads}, axis, 1);
      else
        setDigits(loop, {{LevelKind::Block, 0}, threads, rows}, axis, 1);
    }
  }
  unrollInnerFolds(last);
}
