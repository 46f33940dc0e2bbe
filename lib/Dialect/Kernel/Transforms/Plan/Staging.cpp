//===- Staging.cpp - Operands that threads walk across --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A map that reads one array along one dimension and writes along another:
// whichever the threads walk, half of the accesses jump. A block takes a square
// of both, and copies what lies across on chip first.
//
//   y[i, j] = a[j, i] + b[i, j]
//   i = [block.1, unroll 8, thread.y 8], j = [block.0, unroll 2, thread.x 32],
//   stage = [A at j.0 shared pad 1]
//
// Squares of 64 where what a block keeps and what a thread does are small: then
// rows are 256 bytes on both sides, enough loads are under way, and what a
// block computes before the first of them is little beside them. Where rows
// begin inside of sectors, two blocks write what lies between them: 128 x 32,
// so that there are fewer of these places. Squares of 32 otherwise. Where one
// dimension has no more than 32 elements, all of them, 128 of the other one;
// where it has up to 8, there is no tile (Narrow.cpp).
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "arrc/Analysis/AccessPattern.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Elements of a tile along both dimensions, and rows that run side by side.
static constexpr int64_t kTile = 32, kTileRows = 8;
/// Elements of a side for which no tile pays.
static constexpr int64_t kShortSide = kTile / 2;
/// Elements along one dimension where the other one has no more than a tile.
static constexpr int64_t kLongTile = 128;
/// Bytes that memory reads and writes as one.
static constexpr int64_t kSectorBytes = 32;
/// Bytes of elements of which a row of a small tile fills sectors.
static constexpr int64_t kWideElement = 4;
/// Shared memory of all tiles of a block.
static constexpr int64_t kTileBytes = 24 << 10;
/// Operations of an element of which a thread may have sixteen copies.
static constexpr unsigned kFewOperations = 8;

ForOp arrc::kernel::getContiguous(ArrayRef<ForOp> nest,
                                  const LinearIndex &index) {
  for (ForOp loop : nest)
    if (std::abs(index.getCoefficient(loop.getInductionVar())) == 1)
      return loop;
  return {};
}

bool arrc::kernel::isRegular(ArrayRef<ForOp> nest, const LinearIndex &index,
                             ForOp lane, ForOp cross) {
  return llvm::all_of(index.getTerms(), [&](LinearIndex::Term term) {
    for (ForOp loop : nest)
      if (term.first == loop.getInductionVar())
        return (loop != lane && loop != cross) || std::abs(term.second) == 1;
    return !nest.front()->isAncestor(
        term.first.getParentBlock()->getParentOp());
  });
}

/// Whether both read the same place, a few elements apart.
static bool isNear(const Access &a, const Access &b) {
  return cast<LoadOp>(a.op).getEdge() == cast<LoadOp>(b.op).getEdge() &&
         llvm::all_of(llvm::zip(a.indices, b.indices), [](auto pair) {
           auto [x, y] = pair;
           std::optional<int64_t> distance = x.distanceFrom(y);
           return distance && std::abs(*distance) <= 4;
         });
}

bool DevicePlanner::planTransposed(ArrayRef<ForOp> nest) {
  ForOp last = nest.back();
  if (nest.size() < 2 || !mayBeJammed(last) || hasInnerLoop(last) ||
      maxThreads < kTile * kTileRows ||
      !llvm::all_of(nest, [](ForOp loop) { return isHostExtent(loop); }))
    return false;
  AccessPattern pattern(last);
  // What is stored decides on the lanes.
  ForOp lane, cross;
  llvm::SmallSetVector<Value, 4> written;
  for (const Access &access : pattern.getAccesses()) {
    if (!access.writes)
      continue;
    if (access.indices.empty() || access.isUpdate())
      return false;
    ForOp along = getContiguous(nest, access.indices.back());
    if (!along || (lane && along != lane))
      return false;
    lane = along;
    written.insert(access.array);
  }
  if (!lane)
    return false;
  llvm::MapVector<Value, const Access *> tiles;
  llvm::SmallDenseSet<Value> refused;
  bool crossesTwice = false;
  for (const Access &access : pattern.getAccesses()) {
    if (access.writes || access.indices.size() < 2)
      continue;
    ForOp along = getContiguous(nest, access.indices.back());
    auto type = cast<MemRefType>(access.array.getType());
    bool crosses = along && along != lane && (!cross || along == cross) &&
                   type.isLastDimUnitStride() &&
                   isa<BlockArgument>(access.array) &&
                   !written.contains(access.array) &&
                   llvm::any_of(access.indices, [&](const LinearIndex &index) {
                     return index.getCoefficient(lane.getInductionVar()) != 0;
                   });
    // A box has two sides: each loop moves along one dimension.
    auto countDims = [&](ForOp loop) {
      return llvm::count_if(access.indices, [&](const LinearIndex &index) {
        return index.getCoefficient(loop.getInductionVar()) != 0;
      });
    };
    crosses = crosses && countDims(lane) == 1 && countDims(along) == 1 &&
              llvm::all_of(access.indices, [&](const LinearIndex &index) {
                return isRegular(nest, index, lane, along);
              });
    // What the threads read side by side stays.
    if (!crosses && std::abs(access.indices.back().getCoefficient(
                        lane.getInductionVar())) == 1)
      continue;
    auto known = tiles.find(access.array);
    crossesTwice |= along && cross && along != lane && along != cross;
    if (!crosses || (known != tiles.end() && !isNear(*known->second, access))) {
      refused.insert(access.array);
      continue;
    }
    cross = along;
    tiles.insert({access.array, &access});
  }
  // Elements of the tiles go along with a few around them.
  auto getBytes = [&](int64_t rows, int64_t columns) {
    int64_t bytes = 0;
    for (auto &[array, access] : tiles)
      if (!refused.contains(array))
        bytes += (rows + 4) * (columns + 5) * kernel::getElementBytes(array);
    return bytes;
  };
  if (!getBytes(kTile, kTile))
    return false;
  // Which side is short decides, where it is not known; squares have none, and
  // what computes more is worth no versions.
  bool isSmall = last.getBodyBlock()->getOperations().size() <= kFewOperations;
  auto isKnown = [](ForOp loop) {
    return loop.getStaticExtent() && *loop.getStaticExtent() <= kTile;
  };
  AffineExpr columns = getSize(lane), rows = getSize(cross);
  if (columns == rows || isKnown(cross) || (!isSmall && !isKnown(lane)))
    columns = {};
  if (!rows || rows == getSize(lane) || isKnown(lane) ||
      (!isSmall && !isKnown(cross)))
    rows = {};
  // Tiles would leave most threads idle where a side is short: what the others
  // of a block walk decides, if there are several dimensions or more is done
  // than to copy.
  if (nest.size() > 2 || !isSmall)
    for (ForOp loop : {lane, cross})
      if (AffineExpr extent = getSize(loop);
          extent && planNestMap(nest, {kShortSide - extent}))
        return true;
  // A tile has two sides: of three contiguous dimensions one would be walked
  // across its rows, where blocks of all three find them in the cache.
  if (crossesTwice && planNestMap(nest))
    return true;
  if (nest.size() == 2 &&
      planNarrowTransposed(nest, lane, cross, columns, rows))
    return true;

  // Neighbours of a tile in both directions run at the same time: what is read
  // is a part of longer rows, and memory wants these at once. A dimension that
  // is `closed` is no longer than a tile.
  size_t clauses = stages.size();
  auto setTiles = [&](int64_t alongLane, int64_t alongCross, ForOp closed) {
    unsigned axis = nest.size() - (closed ? 1 : 0);
    for (ForOp loop : nest) {
      if (loop != lane && loop != cross) {
        setDigits(loop, {{LevelKind::Block, 0}}, --axis);
        continue;
      }
      bool isLane = loop == lane;
      int64_t threads = isLane ? kTile : kTileRows;
      int64_t copies = (isLane ? alongLane : alongCross) / threads;
      SmallVector<std::pair<LevelKind, int64_t>> list;
      if (loop != closed)
        list.push_back({LevelKind::Block, 0});
      list.push_back(
          {LevelKind::Unroll, getUsefulGroups(loop, threads, copies)});
      list.push_back({LevelKind::Thread, threads});
      setDigits(loop, list, isLane || closed ? 0 : 1, isLane ? 0 : 1);
    }
    // The innermost of the block digits.
    StringAttr digit = getDigitName(closed == lane ? cross : lane, 0);
    stages.truncate(clauses);
    for (auto &[array, access] : tiles)
      if (!refused.contains(array))
        stages.push_back(ClauseAttr::get(context, nameArray(array), digit,
                                         StringAttr::get(context, "shared"),
                                         1));
  };
  for (ForOp closed : {lane, cross}) {
    AffineExpr extent = closed == lane ? columns : rows;
    int64_t length = isSmall && getBytes(kTile, kLongTile) <= kTileBytes
                         ? kLongTile
                         : 2 * kTile;
    if (!extent || getBytes(kTile, length) > kTileBytes)
      continue;
    setTiles(closed == lane ? kTile : length, closed == lane ? length : kTile,
             closed);
    if (addVersion(kTile - extent))
      return true;
    stages.truncate(clauses);
  }
  auto isShort = [](ForOp loop) {
    return loop.getStaticExtent() && *loop.getStaticExtent() < kTile / 2;
  };
  if (getBytes(kTile, kTile) > kTileBytes || isShort(lane) || isShort(cross))
    return false;
  bool isLarge = isSmall && getBytes(2 * kTile, 2 * kTile) <= kTileBytes;
  setTiles(isLarge ? 2 * kTile : kTile, isLarge ? 2 * kTile : kTile, {});
  // Rows that begin anywhere are written in longer pieces.
  SmallVector<Value> arrays;
  int64_t bytes = vectorBytes;
  for (Value array : written) {
    bytes = std::min(bytes, kernel::getElementBytes(array));
    if (isa<BlockArgument>(array) &&
        cast<MemRefType>(array.getType()).getRank() > 1)
      arrays.push_back(array);
  }
  int64_t length = kLongTile;
  while (length > kTile && getBytes(kTile, length) > kTileBytes)
    length /= 2;
  if (!isSmall || !hasOneRoot || bytes < kWideElement || length == kTile)
    return true;
  SmallVector<AffineExpr> aligned;
  if (alignRows(arrays, std::max<int64_t>(kSectorBytes / bytes, 1), aligned) &&
      addVersion(aligned))
    return true;
  stages.truncate(clauses);
  setTiles(length, kTile, {});
  return true;
}
