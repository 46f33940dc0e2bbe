//===- RaggedFolds.cpp - Folds as long as an array says -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   for i, j { sum for e in off[i]:off[i+1] { w[e] * x[at[e], j] } }
//
// A thread waits for the number of a row and then for the row, as often as the
// fold is long, and lanes whose folds are short wait for those whose folds are
// long. So lanes go along the columns by 16 bytes, as many as there are; others
// share the fold, neighbours next to each other, and a thread asks for four
// numbers at once, then for all of these rows:
//
//   up to 16  i = [block.0, thread.z 16], j = [thread.x 4, vector 4],
//             e = [seq, seq 16, unroll 4, thread.y 2]
//   longer    i = [block.1, thread.z 2], j = [block.0, thread.x 32, vector 4],
//             e = [seq, seq 16, unroll 4, thread.y 2]
//   none      i = [block.0, thread.y 16], e = [seq, seq 16, unroll 4, thread.x
//   8]
//
// Rows that begin anywhere have an element a lane. More lanes a fold than these
// have nothing to do where folds are short; the few threads of a block let
// others begin where they end.
//
// Folds of a dimension alone whose values lie side by side are cut by values
// before they are planned (SplitSegments.cpp).
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Threads of a block, those of one row's columns and fold together, and of its
/// fold at least.
static constexpr int64_t kThreads = 128, kRowThreads = 8, kFoldThreads = 2;
/// Terms that a thread asks for before it waits.
static constexpr int64_t kTerms = 4;
/// Lanes along the columns.
static constexpr int64_t kLanes = 32, kFewLanes = 16, kTinyLanes = 4;

bool DevicePlanner::planRaggedFold(ArrayRef<ForOp> nest) {
  if (!hasOneRoot || maxThreads < kThreads ||
      !llvm::all_of(
          nest, [](ForOp l) { return l.isParallel() && isHostExtent(l); }))
    return false;
  ForOp fold = findOnlyFold(nest.back(), /*stores=*/true);
  if (!fold || isHostExtent(fold) || hasInnerLoop(fold) || !mayBeJammed(fold) ||
      !llvm::all_of(fold.getResultTypes(),
                    [](Type type) { return type.isIntOrFloat(); }))
    return false;
  ForOp column = nest.size() > 1 && nest[findLane(nest)] == nest.back()
                     ? nest.back()
                     : ForOp();
  ForOp row = column ? nest[nest.size() - 2] : nest.back();
  // `lanes` along the columns; `isWhole`: these are all.
  auto plan = [&](int64_t lanes, int64_t width, bool isWhole) {
    int64_t shares = std::max(kFoldThreads, kRowThreads / lanes);
    unsigned axis = nest.size() - (column && isWhole ? 1 : 0);
    wholeOrder.clear();
    SmallVector<StringAttr> inner;
    for (ForOp loop : nest) {
      --axis;
      SmallVector<std::pair<LevelKind, int64_t>> digits;
      if (loop != column || !isWhole)
        digits.push_back({LevelKind::Block, 0});
      if (loop == column) {
        digits.push_back({LevelKind::Thread, lanes});
        digits.push_back({LevelKind::Vector, width});
      } else if (loop == row) {
        digits.push_back({LevelKind::Thread, kThreads / (lanes * shares)});
      }
      setDigits(loop, digits, axis, loop == column ? 0 : column ? 2 : 1);
      for (unsigned k : llvm::seq<unsigned>(0, dims[loop.getDimAttr()].size()))
        (k || (loop == column && isWhole) ? inner : wholeOrder)
            .push_back(getDigitName(loop, k));
    }
    setDigits(fold,
              {{LevelKind::Seq, 0},
               {LevelKind::Seq, rounds(fold) ? kRun : 1},
               {LevelKind::Unroll, kTerms},
               {LevelKind::Thread, shares}},
              0, column ? 1 : 0);
    unsigned last = dims[fold.getDimAttr()].size() - 1;
    inner.push_back(getDigitName(fold, last));
    for (unsigned k : llvm::seq<unsigned>(0, last))
      inner.push_back(getDigitName(fold, k));
    llvm::append_range(wholeOrder, inner);
  };
  if (!column) {
    plan(/*lanes=*/1, /*width=*/1, /*isWhole=*/true);
    return true;
  }
  SmallVector<AffineExpr> aligned;
  int64_t width = getRowWidth(column, aligned);
  AffineExpr columns = getSize(column);
  std::optional<int64_t> extent = column.getStaticExtent();
  SmallVector<int64_t> widths{1};
  if (width > 1)
    widths.insert(widths.begin(), width);
  for (int64_t each : widths) {
    SmallVector<AffineExpr> conditions;
    if (each > 1)
      conditions = aligned;
    SmallVector<int64_t> few{kTinyLanes, kFewLanes};
    if (extent)
      few = {std::min<int64_t>(ceilPower(llvm::divideCeil(*extent, each)),
                               kLanes)};
    for (int64_t lanes : few) {
      if (!columns)
        continue;
      plan(lanes, each, /*isWhole=*/true);
      SmallVector<AffineExpr> fits(conditions);
      fits.push_back(lanes * each - columns);
      if (addVersion(fits))
        return true;
    }
    plan(kLanes, each, /*isWhole=*/false);
    if (addVersion(conditions))
      return true;
  }
  return true;
}
