//===- FoldColumns.cpp - Schedules of folds of columns on devices ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The loop around the fold walks memory.
//
//   many      a thread walks down alone.
//             j = [block.0, thread.x 128, vector 4], i = [seq, unroll 8]
//   few       rows stream by, the last block finishes.
//             j = [thread.x 16, vector 4],
//             i = [seq, block.0 528, unroll 6, thread.y 16]
//   between   threads and blocks share the rows, and a second grid folds the
//             partial results of blocks
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "NestCandidates.h"

#include "../Shared/NestScalars.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Bytes that a thread asks for before it waits in narrow columns, where a warp
/// reads a part of a row at a time.
static constexpr int64_t kNarrowFlightBytes = 96;
/// Blocks of all columns that a multiprocessor holds, with up to 64 registers a
/// thread. All share the rows alike: one that has to wait for a place would
/// work when the others are done, alone.
static constexpr int64_t kResident = 4;
/// Terms for each of the threads that share a fold, below which they are few.
static constexpr int64_t kFewTerms = 2;
/// Schedules beside those of aligned rows.
static constexpr MostVersions kMostBeside = {/*schedules=*/4, /*aligned=*/0,
                                             /*leaves=*/64};

/// Loads of `inner` whose elements differ between terms of `fold`: what stays
/// for a column is read once.
static unsigned countTerms(ForOp fold, ForOp inner) {
  unsigned count = 0;
  inner.getBody().walk([&](LoadOp load) {
    bool stays = llvm::all_of(load.getIndices(), [&](Value index) {
      return fold.isDefinedOutsideOfLoop(index);
    });
    count += !stays && !load.getSource().getDefiningOp<LocalOp>();
  });
  return count;
}

/// Whether what is folded walks memory along `lane`: results alone are written
/// once, and no reason to deal out the terms in the order of columns.
static bool walksColumns(ForOp fold, ForOp lane) {
  AccessPattern pattern(fold);
  return llvm::any_of(pattern.getAccesses(), [&](const Access &access) {
    return llvm::any_of(access.indices, [&](const LinearIndex &index) {
      return index.getCoefficient(lane.getInductionVar()) != 0;
    });
  });
}

void DevicePlanner::planColumns(ArrayRef<ForOp> nest, ForOp fold,
                                const ColumnShape &shape) {
  raised.clear();
  ForOp lane = nest[findLane(nest)];
  ForOp beside =
      nest.size() > 1
          ? nest[nest.back() == lane ? nest.size() - 2 : nest.size() - 1]
          : ForOp();
  SmallVector<ForOp> folds = getNest(fold);
  ForOp inner = folds.back();
  int64_t x = shape.whole ? shape.x : getUsefulThreads(lane, shape.x);
  int64_t y = getUsefulThreads(inner, shape.y);
  // What is dear keeps a thread busy with a few terms.
  int64_t together =
      isExpensive(inner) ? std::min<int64_t>(shape.unroll, 2) : shape.unroll;
  int64_t unroll = getUsefulGroups(inner, y, together);
  std::optional<int64_t> extent = inner.getStaticExtent();
  bool isLong = !extent || *extent > 4 * kRun * y * unroll * shape.blocks;
  int64_t run = rounds(fold) && isLong ? kRun : 1;
  if (shape.whole)
    setDigits(lane, {{LevelKind::Thread, x}, {LevelKind::Vector, shape.width}});
  else
    setGrid(nest, lane, x, shape.width, beside, shape.outputs);
  for (ForOp loop : folds) {
    using List = SmallVector<std::pair<LevelKind, int64_t>>;
    List list{{LevelKind::Seq, 0}};
    if (loop == inner)
      list.push_back({LevelKind::Seq, run});
    if (loop == fold && shape.blocks > 1)
      list.push_back({LevelKind::Block, shape.blocks});
    if (loop == inner) {
      // Rows of threads are neighbours: short ones are read together.
      list.push_back({LevelKind::Unroll, unroll});
      list.push_back({LevelKind::Thread, y});
    }
    setFold(loop, list, nest.size() - shape.whole, 1);
  }
}

bool DevicePlanner::planColumns(ArrayRef<ForOp> nest) {
  ForOp fold = findRaisableFold(nest);
  if (!fold || getThreads() < 64)
    return false;
  ForOp lane = nest[findLane(nest)];
  if (score(lane) <= 0 || !walksColumns(fold, lane))
    return false;
  SmallVector<ForOp> folds = getNest(fold);
  ForOp inner = folds.back();
  // Operands that stay while the lanes go on are read once for a warp: blocks
  // of outputs, not of terms, let them stay.
  if (countTerms(fold, inner) != 1 || readsNarrow(inner))
    return false;
  // A few sizes decide, where they can be told apart: rows that are aligned
  // are read by 16 bytes a thread.
  SmallVector<AffineExpr> aligned;
  int64_t width = getRowWidth(lane, aligned);
  AffineExpr columns = getSize(lane), rows = getSize(fold);
  AffineExpr outer = nest.size() == 2
                         ? getSize(nest[nest.front() == lane ? 1 : 0])
                         : AffineExpr();
  int64_t threads = getThreads(), y = threads / 32;
  int64_t copies = std::max<int64_t>(
      std::min<int64_t>(8, 2 * getFoldCopies(inner, width)), 4);
  auto when = [&](std::initializer_list<AffineExpr> more) {
    SmallVector<AffineExpr> conditions(aligned);
    conditions.append(more);
    return addVersion(conditions);
  };
  bool isPlain = nest.size() == 1 && folds.size() == 1;
  int64_t fill = units * 2048;
  if (isPlain && columns && rows) {
    // Enough columns for all threads.
    if (width > 1) {
      planColumns(nest, fold,
                  {.x = threads / 2, .width = width, .unroll = copies});
      if (when({columns - fill}))
        return true;
    }
    // Few columns: rows stream by, and the last block finishes.
    planColumns(nest, fold,
                {.x = 1,
                 .width = 4,
                 .y = threads,
                 .blocks = kResident * units,
                 .unroll = getLoadBytes(inner) <= 4 ? 6 : 4,
                 .whole = true});
    if (addVersion(4 - columns))
      return true;
    if (width > 1)
      for (int64_t most : {8, 16, 32, 64}) {
        int64_t x = std::max<int64_t>(most / width, 1);
        planColumns(nest, fold,
                    {.x = x,
                     .width = width,
                     .y = threads / x,
                     .blocks = kResident * units,
                     .unroll = 6,
                     .whole = true});
        if (when({x * width - columns}))
          return true;
      }
    for (int64_t x : {8, 16, 32}) {
      planColumns(nest, fold,
                  {.x = x,
                   .y = threads / x,
                   .blocks = kResident * units,
                   .unroll = std::max<int64_t>(
                       kNarrowFlightBytes / getLoadBytes(inner), 4),
                   .whole = true});
      if (addVersion(x - columns))
        return true;
    }
    // Enough columns, whose rows start anywhere.
    planColumns(nest, fold, {.x = threads, .unroll = 8});
    if (addVersion(columns - fill))
      return true;
    planColumns(nest, fold,
                {.x = 32, .y = y, .blocks = 4 * units, .unroll = 8});
    if (addVersion({1024 - columns, rows - 8192}))
      return true;
    planColumns(nest, fold, {.x = 32, .y = y, .blocks = 32, .unroll = 8});
    if (addVersion(rows - 512))
      return true;
    planColumns(nest, fold, {.x = threads, .unroll = 4});
    if (addVersion(32 - rows))
      return true;
  } else if (width > 1 && columns && outer && folds.size() == 1) {
    // Few long ones: blocks share the rows.
    if (rows) {
      planColumns(nest, fold,
                  {.x = 16,
                   .width = width,
                   .y = threads / 16,
                   .blocks = 16,
                   .unroll = copies});
      if (when({1024 - columns, 2 * units - outer, rows - 2048}))
        return true;
    }
    // Many columns, or many short ones: each thread walks down alone.
    planColumns(nest, fold,
                {.x = threads / 2, .width = width, .unroll = copies});
    if (when({columns - 4096, outer - 64}))
      return true;
    planColumns(
        nest, fold,
        {.x = 16, .width = width, .outputs = threads / 16, .unroll = copies});
    if (when({16 * width - columns, outer - 4096}))
      return true;
    if (rows) {
      planColumns(nest, fold,
                  {.x = 32, .width = width, .y = y, .unroll = copies});
      if (when({rows - kFewTerms * y}))
        return true;
    }
  } else if (width > 1 && columns && folds.size() == 2) {
    planColumns(nest, fold,
                {.x = 16,
                 .width = width,
                 .y = threads / 16,
                 .blocks = 16,
                 .unroll = copies});
    if (when({16 * width - columns}))
      return true;
    planColumns(
        nest, fold,
        {.x = 32, .width = width, .y = y, .blocks = 16, .unroll = copies});
    if (when({}))
      return true;
  }
  // Short folds, which leave few terms for several threads, and rows that begin
  // anywhere.
  if (!isPlain && planNestFold(nest, fold, kMostBeside))
    return true;
  planColumns(nest, fold, {.x = 32, .y = y, .unroll = 8});
  return true;
}
