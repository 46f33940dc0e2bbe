//===- GatheredRows.cpp - Maps over rows whose numbers are read -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   for i, j { a[idx[i], j] }
//
// A thread waits twice, for the number of the row and for the row, and rows do
// not merge into one dimension: short ones would leave most of a block without
// work, and one element a thread leaves memory idle while it waits. So lanes go
// along the row by 16 bytes, as many as it has, and a thread asks for the
// numbers of several rows at once, then for all of these rows:
//
//   up to 16  i = [block.0, unroll 4, thread.y 64], j = [thread.x 4, vector 4]
//   up to 64  i = [block.0, unroll 4, thread.y 16], j = [thread.x 16, vector 4]
//   longer    i = [block.1, unroll 4, thread.y 8],
//             j = [block.0, thread.x 32, vector 4]
//
// The lanes of a row ask for its number in one request. Rows that begin
// anywhere are planned as other maps are (Narrow.cpp, Maps.cpp).
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "arrc/Analysis/Coalescing.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Bytes of rows that a thread asks for before it waits: of its time it spends
/// but a third on that, and as much on the numbers before.
static constexpr int64_t kFlightBytes = 64;
/// Lanes of a row, of a short and of a tiny one.
static constexpr int64_t kLanes = 32, kFewLanes = 16, kTinyLanes = 4;
/// Rows that a thread takes at most.
static constexpr int64_t kMostRows = 8;

/// Bytes of an element of the rows of `last` whose numbers are read, or are
/// computed from what is, for each iteration of `next`; 0 if there are none.
static int64_t getGatheredBytes(ForOp last, ForOp next) {
  Variation variation(next);
  // A row that a boundary chooses is a neighbour at most points.
  AccessPattern pattern = AccessPattern::getMostly(last);
  int64_t bytes = 0;
  for (const Access &access : pattern.getAccesses()) {
    if (!access.reads || access.indices.size() < 2 ||
        access.array.getDefiningOp<LocalOp>() ||
        access.indices.back().getCoefficient(last.getInductionVar()) != 1)
      continue;
    for (const LinearIndex &index : access.getRow())
      for (auto [value, factor] : index.getTerms())
        if (!getLoopOf(value) && variation.contains(value))
          bytes = std::max(bytes, kernel::getElementBytes(access.array));
  }
  return bytes;
}

bool DevicePlanner::planGatheredRows(ArrayRef<ForOp> nest) {
  ForOp last = nest.back();
  if (nest.size() < 2 || nest[findLane(nest)] != last || !mayBeJammed(last) ||
      hasInnerLoop(last) || isExpensive(last) || maxThreads < 256 ||
      !llvm::all_of(nest, [](ForOp loop) { return isHostExtent(loop); }))
    return false;
  ForOp next = nest[nest.size() - 2];
  int64_t bytes = getGatheredBytes(last, next), threads = getThreads();
  SmallVector<AffineExpr> aligned;
  int64_t width = bytes ? getRowWidth(last, aligned) : 1;
  AffineExpr columns = width > 1 ? getSize(last) : AffineExpr();
  if (!columns)
    return false;
  int64_t rows =
      std::clamp<int64_t>(kFlightBytes / (bytes * width), 1, kMostRows);
  auto plan = [&](int64_t x, bool isWhole) {
    int64_t y = getUsefulThreads(next, threads / x);
    unsigned axis = nest.size() - (isWhole ? 1 : 0);
    for (ForOp loop : nest) {
      --axis;
      if (loop != last)
        setDigits(loop,
                  {{LevelKind::Block, 0},
                   {LevelKind::Unroll,
                    loop == next ? getUsefulGroups(loop, y, rows) : 1},
                   {LevelKind::Thread, loop == next ? y : 1}},
                  axis, 1);
      else if (isWhole)
        setDigits(loop, {{LevelKind::Thread, x}, {LevelKind::Vector, width}});
      else
        setDigits(loop, {{LevelKind::Block, 0},
                         {LevelKind::Thread, x},
                         {LevelKind::Vector, width}});
    }
  };
  // A number of elements has its own number of lanes.
  SmallVector<int64_t> lanes{kTinyLanes, kFewLanes};
  if (std::optional<int64_t> extent = last.getStaticExtent())
    lanes = {std::min(ceilPower(llvm::divideCeil(*extent, width)), kLanes)};
  for (int64_t x : lanes) {
    plan(x, /*isWhole=*/true);
    SmallVector<AffineExpr> conditions(aligned);
    conditions.push_back(x * width - columns);
    if (addVersion(conditions))
      return true;
  }
  plan(kLanes, /*isWhole=*/false);
  SmallVector<AffineExpr> conditions(aligned);
  conditions.push_back(columns - lanes.back() * width - 1);
  if (addVersion(conditions))
    return true;
  dropDigits(nest);
  return false;
}
