//===- PersistentColumns.cpp - Columns that stay on chip ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Several loops over the same column (softmax, normalisation, mean then
// variance along an axis that is not the last) read it once. Threads next to
// each other have columns next to each other, threads beside them share their
// elements, which stay in registers from the first loop to the last:
//
//   up to 8, and up to 16 and 32 where columns are enough for all threads, a
//   thread a column:
//     j = [block.0, thread.x 256], i = [unroll 8]
//   up to 64, 128 and 256 in blocks of 256 threads, and up to 512, 1024 and
//   2048 in blocks of 512, of which two fit on a multiprocessor: one waits for
//   its elements while the other folds. The more threads share a column, the
//   fewer columns a block has, down to 32 bytes of them
//     j = [block.0, thread.x 64], i = [unroll 32, thread.y 4]
//     j = [block.0, thread.x 8], i = [unroll 32, thread.y 64]
//   beyond: columns are walked again by each loop, and what one computes for
//   another is computed again
//
// Of planes with few columns (channels, components) a block has several planes:
//     i = [block.1, thread.z 8], j = [block.0, thread.x 8], l = [unroll 16,
//     thread.y 4]
//
// These are lengths of columns of which one word an element is kept; where more
// are, they are shorter.
//
//===----------------------------------------------------------------------===//

#include "../Shared/RowReuse.h"
#include "Device.h"

#include "arrc/Support/Combiner.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {
/// How columns up to a length run: columns of a block, threads and elements of
/// each.
struct ColumnClass {
  int64_t columns, threads, elements;
};
} // namespace

static constexpr ColumnClass kClasses[] = {
    {256, 1, 8},  {256, 1, 16}, {256, 1, 32}, {64, 4, 16},
    {32, 8, 8},   {64, 4, 32},  {32, 8, 16},  {32, 8, 32},
    {32, 16, 32}, {16, 32, 32}, {8, 64, 32}};
/// Elements of a column that a thread has for itself whatever their number, and
/// columns a multiprocessor that are enough for more.
static constexpr int64_t kShortColumn = 8, kEnoughColumns = 512;
namespace {
/// What columns of a class are where planes have few: so many of a plane, up to
/// some number of them.
struct NarrowPlanes {
  int64_t classColumns, columns, most;
};
} // namespace

/// The narrowest first; for these a class has one thread a column up to some
/// length, and more up to another: what lies between is the next class's.
static constexpr NarrowPlanes kNarrowPlanes[] = {
    {256, 8, 8}, {256, 16, 64}, {256, 32, 128}, {64, 8, 16}, {32, 8, 16}};
static constexpr int64_t kNarrowAlone = 16, kNarrowShared = 32;

/// Columns of a block that planes of any width may have; the length up to which
/// classes are for these alone.
static constexpr int64_t kPlaneColumns = 32, kPlaneLength = 128;

int64_t arrc::kernel::getLongestPersistentColumn(int64_t words) {
  const ColumnClass &longest = std::end(kClasses)[-1];
  return longest.threads * (longest.elements / words);
}

/// The loops side by side in the body of `column`, if they all run over one
/// range, in an order of their own. Empty if not.
static SmallVector<ForOp> getColumnWalks(ForOp column) {
  SmallVector<ForOp> walks;
  bool fits = true;
  for (Operation &op : column.getBodyBlock()->without_terminator()) {
    auto walk = dyn_cast<ForOp>(op);
    if (!walk) {
      // Loops below anything else would run in all threads.
      fits &= op.getNumRegions() == 0;
      continue;
    }
    fits &= !walk.isScan() && mayBeJammed(walk) && !hasInnerLoop(walk) &&
            isHostExtent(walk) &&
            (walk.isParallel() || isCommutativeCombiner(walk.getCombiner()));
    walks.push_back(walk);
    fits &= walk.getMixedExtent() == walks.front().getMixedExtent();
  }
  return fits && walks.size() > 1 ? walks : SmallVector<ForOp>();
}

bool DevicePlanner::planPersistentColumns(ArrayRef<ForOp> nest) {
  ForOp column = nest.back();
  if (!column.isParallel() || nest[findLane(nest)] != column ||
      score(column) <= 0 || !llvm::all_of(nest, isHostExtent) ||
      holds<scf::WhileOp, UpdateOp>(column) || maxThreads < 256)
    return false;
  SmallVector<ForOp> walks = getColumnWalks(column);
  if (walks.empty())
    return false;
  // One range is one dimension, whatever the program calls it: what loops keep
  // for each other they walk together.
  SmallVector<StringAttr> names;
  for (ForOp walk : walks) {
    names.push_back(walk.getDimAttr());
    walk.setDimAttr(names.front());
  }
  std::optional<KeptRow> kept = findKeptRow(column);
  if (!kept) {
    for (auto [walk, name] : llvm::zip(walks, names))
      ForOp(walk).setDimAttr(name);
    return false;
  }
  ForOp walk = walks.front();
  AffineExpr length = getSize(walk);
  ForOp plane = nest.size() > 1 ? nest[nest.size() - 2] : ForOp();
  auto planColumnsOf = [&](int64_t x, int64_t planes = 1) {
    unsigned axis = nest.size();
    for (ForOp loop : nest) {
      --axis;
      int64_t threads = loop == column ? x : loop == plane ? planes : 1;
      setDigits(loop, {{LevelKind::Block, 0}, {LevelKind::Thread, threads}},
                axis, loop == column ? 0 : 2);
    }
  };
  std::optional<int64_t> extent = walk.getStaticExtent();
  for (const ColumnClass &shape : kClasses) {
    int64_t elements = shape.elements / kept->words;
    if (!length || elements < 2 || shape.columns * shape.threads > maxThreads ||
        (nest.size() == 1 && shape.columns == kPlaneColumns &&
         shape.threads * shape.elements <= kPlaneLength))
      continue;
    int64_t unroll = elements;
    if (extent && *extent <= shape.threads * elements)
      unroll = std::max<int64_t>(llvm::divideCeil(*extent, shape.threads), 1);
    auto add = [&](int64_t columns, ArrayRef<AffineExpr> more) {
      planColumnsOf(columns, shape.columns / columns);
      setDigits(
          walk,
          {{LevelKind::Unroll, unroll}, {LevelKind::Thread, shape.threads}}, 0,
          1);
      StringAttr digit =
          getDigitName(column, dims[column.getDimAttr()].size() - 1);
      addKeptClauses(*kept, digit);
      keepsRows = true;
      SmallVector<AffineExpr> conditions{shape.threads * elements - length};
      llvm::append_range(conditions, more);
      if (shape.threads == 1 && elements > kShortColumn)
        requireBlocks(nest, kEnoughColumns, conditions);
      if (addVersion(conditions))
        return true;
      stages.clear();
      keeps.clear();
      keepsRows = false;
      return false;
    };
    AffineExpr columns = plane ? getSize(column) : AffineExpr();
    if (columns && elements >= (shape.threads == 1 ? 1 : kNarrowShared) &&
        elements <= (shape.threads == 1 ? kNarrowAlone : kNarrowShared))
      for (auto [classColumns, few, most] : kNarrowPlanes)
        if (classColumns == shape.columns && add(few, {most - columns}))
          return true;
    // Of planes lanes have the columns of one alone.
    SmallVector<AffineExpr> wide;
    if (columns && shape.columns > kPlaneColumns && elements > kShortColumn)
      wide.push_back(columns - shape.columns / 2);
    if (add(shape.columns, wide))
      return true;
  }
  // Longer ones are read again.
  bool sums = llvm::any_of(walks, [](ForOp walk) { return rounds(walk); });
  planColumnsOf(32);
  addRecomputeClauses(*kept);
  setDigits(walk,
            {{LevelKind::Seq, 0},
             {LevelKind::Seq, sums ? kRun : 1},
             {LevelKind::Unroll, 4},
             {LevelKind::Thread, std::min<int64_t>(maxThreads / 32, 16)}},
            0, 1);
  return true;
}
