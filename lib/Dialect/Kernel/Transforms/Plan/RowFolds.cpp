//===- RowFolds.cpp - Schedules of folds of rows --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Folds that the judge has no say in (NestFolds.cpp): what they read tells
// nothing of how to run them.
//
// Short rows that a fold goes over: a thread has one.
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
  unsigned axis = nest.size();
  for (ForOp loop : nest) {
    --axis;
    bool isRow = loop == row;
    setDigits(loop,
              {{LevelKind::Block, 0},
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
    setFold(outer,
            {{LevelKind::Seq, 0},
             {LevelKind::Seq, getRun(outer, shape.outerY)},
             {LevelKind::Thread, shape.outerY}},
            nest.size(), 1);
  }
  if (shape.span)
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
