//===- Narrow.cpp - Maps over rows that start anywhere --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Rows of a few elements, or of a number of them that is no multiple of what
// one access takes: accesses are single elements, so a thread asks for several
// before it waits, 32 bytes of what it reads once. Rows of up to 32 elements
// are told apart by size. As many lanes as a row has elements, up to the next
// power of two, leave the block's rows next to each other in memory, and what a
// warp asks for is whole sectors; where the row ends is no matter of the block
// but of the thread, whose copies need no masks of their own.
//
//   up to 4   i = [block.0, unroll 8, thread.y 64], j = [thread.x 4]
//   up to 32  i = [block.0, unroll 8, thread.y 8], j = [thread.x 32]
//   long      i = [block.0], j = [block.1, unroll 8, thread.x 256]
//             Few rows are enough; blocks that read the same of b[j] run at the
//             same time
//
// Transposes of which one side is that narrow need no tiles: lanes along a
// narrow row of the result read a sector each of a few rows; lanes across
// narrow rows of the operand use all of what they touch, row by row.
//
//   result    i = [block.0, unroll 8, thread.y 64], j = [thread.x 4]
//   operand   i = [seq], j = [block.0, unroll 4, thread.x 256]
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "arrc/Analysis/AccessPattern.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Bytes that a thread asks for before it waits.
static constexpr int64_t kFlightBytes = 32;
/// Iterations that a thread takes together at most, and operations of one.
static constexpr int64_t kMostCopies = 8, kMostOperations = 16;
/// Spans of a block that a long row has at least.
static constexpr int64_t kSpans = 4;
/// Elements of a narrow row of a transpose.
static constexpr int64_t kNarrowSide = 8;

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

bool arrc::kernel::isStream(ForOp last, ForOp lane, ForOp next) {
  int64_t operations = 0;
  bool hasEdges = false;
  last.getBody().walk([&](Operation *op) {
    operations += !op->hasTrait<OpTrait::ConstantLike>();
    auto load = dyn_cast<LoadOp>(op);
    hasEdges |= load && load.getEdge();
  });
  return operations <= kMostOperations && !hasEdges && !isExpensive(last) &&
         !readsNeighbours(last, lane) && !readsNeighbours(last, next);
}

/// Iterations of `last` that a thread takes together: it asks for enough of the
/// arrays that it reads once. No loads, nothing to wait for.
static int64_t getCopies(ForOp last, ForOp lane, ForOp next) {
  Variation alongLane(lane), alongNext(next);
  AccessPattern pattern(last);
  llvm::SmallPtrSet<Value, 4> arrays;
  int64_t bytes = 0;
  for (const Access &access : pattern.getAccesses()) {
    bool isOnce = getLaneStep(access, lane, alongLane).kind != LaneStep::Same &&
                  getLaneStep(access, next, alongNext).kind != LaneStep::Same;
    if (access.reads && isOnce && !access.array.getDefiningOp<LocalOp>() &&
        arrays.insert(access.array).second)
      bytes += kernel::getElementBytes(access.array);
  }
  int64_t wanted = bytes ? kFlightBytes / bytes : 4;
  return llvm::bit_floor<uint64_t>(std::clamp<int64_t>(wanted, 1, kMostCopies));
}

/// Whether some array stays while `loop` goes on.
static bool readsAgain(ForOp last, ForOp loop) {
  Variation variation(loop);
  AccessPattern pattern(last);
  return llvm::any_of(pattern.getAccesses(), [&](const Access &access) {
    return access.reads && !access.indices.empty() &&
           getLaneStep(access, loop, variation).kind == LaneStep::Same;
  });
}

void DevicePlanner::setNarrow(ArrayRef<ForOp> nest, ForOp lane, int64_t x,
                              ForOp next, int64_t y, int64_t copies) {
  unsigned axis = nest.size() - 1;
  for (ForOp loop : nest) {
    if (loop == lane) {
      setDigits(loop, {{LevelKind::Thread, x}});
      continue;
    }
    int64_t threads = loop == next ? y : 1;
    setDigits(loop,
              {{LevelKind::Block, 0},
               {LevelKind::Unroll,
                loop == next ? getUsefulGroups(loop, y, copies) : 1},
               {LevelKind::Thread, threads}},
              --axis, 1);
  }
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

int64_t arrc::kernel::getStreamCopies(ForOp last, ForOp lane, ForOp next) {
  return isStream(last, lane, next) ? getCopies(last, lane, next) : 1;
}

bool DevicePlanner::planNarrowWindow(ArrayRef<ForOp> nest, ForOp window,
                                     AffineExpr columns) {
  ForOp last = nest.back(), next = nest[nest.size() - 2];
  for (int64_t x : {4, 8, 16}) {
    int64_t y = getThreads() / x;
    AffineExpr isShort = x - columns;
    ForOp chosen = takeWhereLong(nest, last, x, 1, window, next, y, isShort);
    setWindowGrid(nest, last, x, 1, chosen, next, y);
    if (addVersion(isShort))
      return true;
  }
  return false;
}

/// The loop that threads whose lanes walk a short row go along; null if windows
/// overlap along none. Neighbouring rows of a thread put those of a warp apart:
/// what a warp reads at one tap is one stretch only if it is another loop.
static ForOp findNarrowWindow(ArrayRef<ForOp> nest) {
  ForOp last = nest.back(), next = nest[nest.size() - 2];
  SmallVector<ForOp> others(nest);
  llvm::erase(others, next);
  ForOp apart = findWindowLoop(others, last, /*width=*/1, next, 8);
  return apart ? apart : findWindowLoop(nest, last, /*width=*/1, next, 8);
}

bool DevicePlanner::planNarrowMap(ArrayRef<ForOp> nest) {
  ForOp last = nest.back();
  if (nest.size() < 2 || nest[findLane(nest)] != last || !mayBeJammed(last) ||
      hasInnerLoop(last) || getThreads() < 64 ||
      !llvm::all_of(nest, [](ForOp loop) { return isHostExtent(loop); }))
    return false;
  ForOp next = nest[nest.size() - 2];
  AffineExpr columns = getSize(last);
  if (!columns)
    return false;
  int64_t threads = getThreads();
  if (ForOp window = findNarrowWindow(nest))
    return planNarrowWindow(nest, window, columns);
  if (!isStream(last, last, next))
    return false;
  int64_t copies = getCopies(last, last, next);
  // Dimensions further out may be what is long.
  int64_t rows = nest.size() > 2 ? std::min<int64_t>(copies, 4) : copies;
  bool loads = countLoads(last) > 0;
  for (int64_t x : {4, 8, 16, 32}) {
    // What only stores is the start of something longer.
    if (!loads && x != kNarrowSide && !last.getStaticExtent())
      continue;
    int64_t y = getUsefulThreads(next, threads / x);
    SmallVector<AffineExpr> conditions{x - columns};
    if (!fillsBlocks(nest, next, y * rows, conditions))
      continue;
    // Where fewer lanes were refused, as rows are few, most would be idle.
    if (nest.size() > 2)
      conditions.push_back(columns - (x / 2 + 1));
    setNarrow(nest, last, x, next, y, rows);
    if (addVersion(conditions))
      return true;
  }
  if (!loads)
    return false;
  bool together = readsAgain(last, next);
  unsigned axis = nest.size();
  for (ForOp loop : nest) {
    --axis;
    if (loop == last)
      setDigits(loop,
                {{LevelKind::Block, 0},
                 {LevelKind::Unroll, copies},
                 {LevelKind::Thread, threads}},
                together ? 1 : 0, 0);
    else
      setDigits(loop, {{LevelKind::Block, 0}},
                together && loop == next ? 0 : axis, 1);
  }
  return addVersion(columns - kSpans * copies * threads);
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

bool DevicePlanner::planNarrowTransposed(ArrayRef<ForOp> nest, ForOp lane,
                                         ForOp cross, AffineExpr columns,
                                         AffineExpr rows) {
  int64_t threads = getThreads();
  if (columns) {
    int64_t copies = getCopies(nest.back(), lane, cross);
    for (int64_t x : {int64_t(4), kNarrowSide}) {
      setNarrow(nest, lane, x, cross, getUsefulThreads(cross, threads / x),
                copies);
      if (addVersion(x - columns))
        return true;
    }
  }
  if (!rows)
    return false;
  unsigned axis = nest.size() - 1;
  for (ForOp loop : nest) {
    if (loop == cross)
      setDigits(loop, {{LevelKind::Seq, 0}});
    else if (loop == lane)
      setDigits(loop,
                {{LevelKind::Block, 0},
                 {LevelKind::Unroll, getUsefulGroups(loop, threads, 4)},
                 {LevelKind::Thread, getUsefulThreads(loop, threads)}},
                --axis, 0);
    else
      setDigits(loop, {{LevelKind::Block, 0}}, --axis);
  }
  return addVersion(kNarrowSide - rows);
}
