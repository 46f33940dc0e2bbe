//===- RowFolds.cpp - Schedules of folds of rows --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Folds that walk memory while the loops around them jump, and that are all
// that a launch does. By the length of a row
//
//   up to 4      a thread takes four rows whole
//   up to 64     4 or 16 threads with 16 bytes each, where rows are aligned
//   up to 8      a thread takes two rows whole
//   up to 32     4 or 8 threads, several rows each
//   up to 128    eight threads
//   up to 4096   a warp
//   longer       a block, or several where rows are few: spans of neighbours
//
// Two folds, the inner one along memory: a block an output, threads along both.
//
// Folds of what is computed (integrals, random paths) can be folded by anybody:
// a thread takes a whole one where they are enough for the device, a warp, a
// block or several where they are fewer and long.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "../Shared/NestScalars.h"

#include "arrc/Analysis/Coalescing.h"
#include "arrc/Support/Combiner.h"

#include <utility>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// The length from which several blocks compute a row.
static constexpr int64_t kComputedRow = 16384;
/// Rows up to which a thread has one of those that a fold goes over: it is
/// through before threads that share the row have folded their parts.
static constexpr int64_t kShortRow = 32;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void DevicePlanner::planRowFold(ArrayRef<ForOp> nest, ForOp fold,
                                const RowShape &shape) {
  raised.clear();
  ForOp row = nest.back();
  SmallVector<ForOp> folds = getNest(fold);
  ForOp inner = folds.back(),
        outer = folds.size() > 1 ? folds.front() : ForOp();
  int64_t together = mayBeJammed(row) ? shape.together : 1;
  unsigned axis = nest.size();
  for (ForOp loop : nest) {
    --axis;
    bool isRow = loop == row;
    setDigits(loop,
              {{LevelKind::Block, 0},
               {LevelKind::Unroll, isRow ? together : 1},
               {LevelKind::Thread, isRow ? getUsefulThreads(row, shape.y) : 1}},
              axis, shape.x == 1 ? 0 : 1);
  }
  auto getRun = [&](ForOp loop, int64_t step) -> int64_t {
    std::optional<int64_t> extent = loop.getStaticExtent();
    bool isLong = !extent || *extent > 4 * kRun * step;
    return rounds(fold) && isLong ? kRun : 1;
  };
  for (ForOp loop : folds)
    setFold(loop, {{LevelKind::Seq, 0}}, 0, 0);
  if (outer) {
    int64_t step = shape.outerY;
    setFold(outer,
            {{LevelKind::Seq, 0},
             {LevelKind::Seq, getRun(outer, step * shape.blocks)},
             {LevelKind::Block, shape.blocks},
             {LevelKind::Thread, shape.outerY}},
            nest.size(), 1);
  }
  if (shape.closed)
    setFold(inner,
            {{LevelKind::Unroll, shape.unroll},
             {LevelKind::Thread, shape.x},
             {LevelKind::Vector, shape.width}},
            0, 0);
  else if (shape.span)
    setFold(inner,
            {{LevelKind::Block, 0},
             {LevelKind::Seq, shape.span},
             {LevelKind::Unroll, shape.unroll},
             {LevelKind::Thread, shape.x}},
            nest.size(), 0);
  else
    setFold(inner,
            {{LevelKind::Seq, 0},
             {LevelKind::Seq, getRun(inner, shape.x * shape.unroll)},
             {LevelKind::Unroll, shape.unroll},
             {LevelKind::Thread, shape.x}},
            0, 0);
}

AffineExpr DevicePlanner::getSize(ArrayRef<ForOp> nest) {
  AffineExpr product = getAffineConstantExpr(1, context);
  for (ForOp loop : nest) {
    AffineExpr size = product ? getSize(loop) : AffineExpr();
    product = size ? product * size : AffineExpr();
  }
  return product;
}

bool DevicePlanner::planRowFold(ArrayRef<ForOp> nest, ArrayRef<ForOp> lanes) {
  ForOp fold = findRaisableFold(nest);
  if (!fold || lanes.size() != 1 || getThreads() < 256)
    return false;
  SmallVector<ForOp> folds = getNest(fold);
  ForOp inner = folds.back();
  if (folds.size() > 1 || lanes.front() != inner || countLoads(inner) > 2 ||
      isExpensive(inner) || hasInnerLoop(inner))
    return false;
  AffineExpr length = getSize(inner);
  if (!length)
    return false;
  int64_t threads = getThreads();
  AffineExpr rows = getSize(nest);
  SmallVector<AffineExpr> aligned;
  int64_t width = getRowWidth(inner, aligned, /*needsStores=*/false);
  auto when = [&](std::initializer_list<AffineExpr> more) {
    SmallVector<AffineExpr> conditions(aligned);
    conditions.append(more);
    return addVersion(conditions);
  };
  // Few elements: a thread takes whole rows.
  planRowFold(nest, fold,
              {.y = threads, .unroll = 4, .together = 4, .closed = true});
  if (addVersion(4 - length))
    return true;
  // 16 bytes a thread, several rows.
  if (width > 1)
    for (int64_t most : {16, 64}) {
      int64_t x = std::max<int64_t>(std::min(most / width, most / 4), 2);
      int64_t unroll = std::max<int64_t>(most / (x * width), 1);
      planRowFold(nest, fold,
                  {.x = x,
                   .width = width,
                   .y = threads / x,
                   .unroll = getUsefulGroups(inner, x * width, unroll),
                   .together = 4,
                   .closed = true});
      if (when({x * width * unroll - length}))
        return true;
    }
  // Elements one by one, of as many rows that a warp reads whole lines.
  for (auto [most, x] : {std::pair<int64_t, int64_t>(8, 1), {16, 4}, {32, 8}}) {
    planRowFold(nest, fold,
                {.x = x,
                 .y = threads / x,
                 .unroll = getUsefulGroups(inner, x, most / x),
                 .together = x == 1 ? 2 : 4,
                 .closed = true});
    if (addVersion(most - length))
      return true;
  }
  planRowFold(nest, fold, {.x = 8, .y = threads / 8, .unroll = 8});
  if (addVersion(128 - length))
    return true;
  planRowFold(nest, fold, {.x = 32, .y = threads / 32, .unroll = 8});
  if (addVersion(4096 - length))
    return true;
  // Few long rows: several blocks each, which take spans of neighbours.
  if (rows) {
    planRowFold(nest, fold, {.x = threads, .unroll = 8, .span = kRun});
    if (addVersion({2 * units - rows, length - 65536}))
      return true;
  }
  planRowFold(nest, fold, {.x = threads, .unroll = 8});
  return true;
}

//===----------------------------------------------------------------------===//
// Folds over rows
//===----------------------------------------------------------------------===//

bool DevicePlanner::planShortRows(ArrayRef<ForOp> nest, ArrayRef<ForOp> lanes) {
  for (ForOp loop : nest)
    if (!loop.isReduce() || !isCommutativeCombiner(loop.getCombiner()))
      return false;
  SmallVector<AffineExpr> conditions;
  for (ForOp lane : lanes) {
    AffineExpr length = getSize(lane);
    if (!length)
      return false;
    if (!llvm::is_contained(conditions, kShortRow - length))
      conditions.push_back(kShortRow - length);
  }
  auto dimsBefore = dims;
  auto treesBefore = trees;
  // As many blocks as there are rows for, while these are few.
  if (AffineExpr rows = nest.size() == 1 ? getSize(nest.front()) : AffineExpr();
      rows && isHostExtent(nest.front())) {
    int64_t x = getThreads();
    setDigits(nest.front(), {{LevelKind::Block, 0}, {LevelKind::Thread, x}});
    conditions.push_back(getFixedBlocks() * x - rows);
    if (addVersion(conditions))
      return true;
    conditions.pop_back();
  }
  planFold(nest);
  if (addVersion(conditions))
    return true;
  dims = std::move(dimsBefore);
  trees = std::move(treesBefore);
  return false;
}

//===----------------------------------------------------------------------===//
// What is computed
//===----------------------------------------------------------------------===//

/// Whether what `fold` touches lies side by side for none of the loops around,
/// and for its own only where all loops around touch the same; or all of it
/// stays the same while it folds.
static bool isComputed(ArrayRef<ForOp> nest, ForOp fold) {
  using Loops = SmallVector<std::pair<ForOp, Variation>>;
  auto withVariations = [](ArrayRef<ForOp> loops) {
    Loops result;
    for (ForOp loop : loops)
      result.emplace_back(loop, Variation(loop));
    return result;
  };
  Loops around = withVariations(nest), own = withVariations(getNest(fold));
  auto streams = [](const Access &access, const Loops &loops) {
    return llvm::any_of(loops, [&](const auto &loop) {
      return getLaneStep(access, loop.first, loop.second).kind ==
             LaneStep::Next;
    });
  };
  auto moves = [](const Access &access, const Loops &loops) {
    return llvm::any_of(loops, [&](const auto &loop) {
      return getLaneStep(access, loop.first, loop.second).kind !=
             LaneStep::Same;
    });
  };
  AccessPattern pattern(fold);
  auto accesses =
      llvm::make_filter_range(pattern.getAccesses(), [](const Access &access) {
        return !access.array.getDefiningOp<LocalOp>();
      });
  return llvm::none_of(accesses,
                       [&](const Access &access) {
                         return streams(access, around) ||
                                (streams(access, own) && moves(access, around));
                       }) ||
         llvm::none_of(accesses, [&](const Access &access) {
           return moves(access, own);
         });
}

bool DevicePlanner::planComputedFold(ArrayRef<ForOp> nest) {
  ForOp fold = findRaisableFold(nest, /*jams=*/false);
  int64_t threads = getThreads();
  if (!fold || threads < 256 || !isComputed(nest, fold))
    return false;
  SmallVector<ForOp> folds = getNest(fold);
  AffineExpr rows = getSize(nest), length = getSize(folds.back()),
             outer = folds.size() > 1 ? getSize(fold) : AffineExpr();
  if (!rows || !length || (folds.size() > 1 && !outer))
    return false;
  // The innermost of many folds is short.
  int64_t unroll = folds.size() <= 2 && mayBeJammed(folds.back()) &&
                           !isExpensive(folds.back())
                       ? 4
                       : 1;
  auto tryShape = [&](int64_t most, const RowShape &shape, AffineExpr isLong) {
    planRowFold(nest, fold, shape);
    return addVersion({most - rows, isLong});
  };
  if (outer) {
    // Lanes along the rows: what the inner folds do not change is computed once
    // for each of them, and what all rows read comes to all lanes at once. Rows
    // that lie far from each other are read along themselves.
    ForOp row = nest.back();
    SmallVector<std::pair<int64_t, int64_t>> shapes;
    if (score(row) >= 0)
      shapes = {{64 * units, 16}, {512 * units, threads / 32}};
    for (auto [most, y] : shapes) {
      planRowFold(nest, fold, {.outerY = y});
      setDigits(row, {{LevelKind::Block, 0}, {LevelKind::Thread, 32}});
      if (addVersion({most - rows, getSize(row) - 16, outer - y}))
        return true;
    }
    RowShape shape{.x = 32, .unroll = unroll, .outerY = threads / 32};
    if (tryShape(512 * units, shape, outer - threads / 32))
      return true;
  } else if (tryShape(2 * units, {.x = threads, .unroll = unroll, .span = kRun},
                      length - kComputedRow) ||
             tryShape(8 * units, {.x = threads, .unroll = unroll},
                      length - 8 * threads) ||
             tryShape(512 * units,
                      {.x = 32, .y = threads / 32, .unroll = unroll},
                      length - 128)) {
    return true;
  }
  raised.clear();
  dropDigits(folds);
  planMap(nest);
  return true;
}
