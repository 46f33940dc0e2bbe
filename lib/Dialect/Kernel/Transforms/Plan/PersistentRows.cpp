//===- PersistentRows.cpp - Rows that stay on chip ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Several loops over the same row (softmax, normalisation, mean then variance)
// read it once: each thread keeps its elements in registers from the first loop
// to the last. All digits of the row have sizes then, so there is a version for
// each class of lengths; threads past the end hold what nobody reads.
//
//   up to 64, two, four, eight or sixteen threads a row, with 16 bytes each:
//     i = [block.0, thread.y 128], j = [thread.x 2, vector 4]
//   up to 32, where they start anywhere, a thread a row, copied as a whole
//     (ShortRows.cpp):
//     i = [block.0, unroll 2, thread.x 64], j = [unroll 8]
//   up to 64 of these, eight threads a row:
//     i = [block.0, thread.y 32], j = [unroll 8, thread.x 8]
//   up to 256, sixteen threads a row; up to 320, 512 and 1024, a warp:
//     i = [block.0, thread.y 8], j = [unroll 4, thread.x 32, vector 4]
//   up to 4096, a block a row:
//     j = [unroll 4, thread.x 256, vector 4]
//   up to 10240 and 16384, a block a row:
//     j = [unroll 8, thread.x 512, vector 4]
//   longer by much, several blocks a row (CooperativeRows.cpp)
//   beyond: what a loop computes for another is computed again
//
// These are lengths of rows of which one word an element is kept; where more
// are, they are shorter. Rows that start anywhere are read element by element:
// there every element that a thread has more costs as much as a load, so that
// their classes are closer.
//
//===----------------------------------------------------------------------===//

#include "../Shared/RowReuse.h"
#include "Device.h"

#include "arrc/Analysis/AccessPattern.h"

#include "llvm/ADT/SetVector.h"

#include <array>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {

/// How rows up to a length run: lanes, rows of a block, elements of a lane (0:
/// those of one access).
struct RowClass {
  int64_t lanes, rows, elements;
  /// Whether it is for rows that start at aligned places, and for others.
  bool wide, narrow;
};

} // namespace

static constexpr RowClass kClasses[] = {
    {1, 256, 8, false, true},  {2, 128, 0, true, false},
    {4, 64, 0, true, false},   {8, 32, 0, true, false},
    {16, 16, 0, true, false},  {8, 32, 4, false, true},
    {8, 32, 8, false, true},   {16, 16, 16, true, false},
    {32, 8, 10, false, true},  {32, 8, 16, true, true},
    {32, 8, 32, true, true},   {256, 1, 16, true, true},
    {512, 1, 20, false, true}, {512, 1, 32, true, false},
    {1024, 1, 16, false, true}};
/// Lengths of rows that a thread keeps whole, of one word an element.
static constexpr std::array<int64_t, 4> kWholeRows = {4, 8, 16, 32};

/// Whether the lanes of `row` run side by side over one range, each in threads
/// that keep its elements.
static bool areKeepable(ForOp row, ArrayRef<ForOp> lanes) {
  ForOp first = lanes.front();
  return llvm::all_of(lanes, [&](ForOp lane) {
    return lane->getParentOp() == row && !lane.isScan() && mayBeJammed(lane) &&
           !hasInnerLoop(lane) &&
           lane.getMixedExtent() == first.getMixedExtent();
  });
}

/// Elements of one access along the lanes, where `conditions` hold: the pitch
/// of each array that they walk is a multiple.
int64_t DevicePlanner::getKeptWidth(ArrayRef<ForOp> lanes, AffineExpr length,
                                    SmallVectorImpl<AffineExpr> &conditions) {
  int64_t bytes = 0;
  SmallVector<Value> arrays;
  for (ForOp lane : lanes) {
    AccessPattern pattern(lane);
    for (const Access &access : pattern.getAccesses()) {
      if (access.indices.empty() || access.array.getDefiningOp<LocalOp>() ||
          access.indices.back() != LinearIndex(lane.getInductionVar()))
        continue;
      auto type = cast<MemRefType>(access.array.getType());
      if (!type.getLayout().isIdentity() ||
          isa<ComplexType>(type.getElementType()))
        return 1;
      bytes = std::max(bytes, kernel::getElementBytes(access.array));
      if (type.getRank() > 1)
        arrays.push_back(access.array);
    }
  }
  int64_t width = bytes ? std::max<int64_t>(vectorBytes / bytes, 1) : 1;
  conditions.push_back(-(length % width));
  return alignRows(arrays, width, conditions) ? width : 1;
}

std::optional<DevicePlanner::KeptRow> DevicePlanner::findKeptRow(ForOp row) {
  std::optional<int64_t> words = countKeptWords(row);
  if (!words)
    return std::nullopt;
  KeptRow kept;
  kept.words = *words;
  llvm::SetVector<Value> arrays;
  for (const RowLoads &group : collectRowLoads(row))
    arrays.insert(group.array);
  llvm::append_range(kept.locals, row.getBodyBlock()->getOps<LocalOp>());

  // Clauses name arrays and locals.
  for (Value array : arrays)
    kept.arrayNames.push_back(nameArray(array));
  for (auto [number, local] : llvm::enumerate(kept.locals)) {
    kept.localNames.push_back(
        StringAttr::get(context, "kept" + std::to_string(number)));
    local.setLocalNameAttr(kept.localNames.back());
  }
  return kept;
}

/// A clause of a schedule about an array or a local.
static ClauseAttr makeClause(StringAttr name, StringRef digit,
                             StringRef space) {
  MLIRContext *context = name.getContext();
  return ClauseAttr::get(context, name, StringAttr::get(context, digit),
                         StringAttr::get(context, space), 0);
}

void DevicePlanner::addKeptClauses(const KeptRow &kept, StringAttr digit,
                                   bool isDear) {
  for (StringAttr name : kept.arrayNames)
    stages.push_back(makeClause(name, digit, "register"));
  for (auto [local, name] : llvm::zip(kept.locals, kept.localNames))
    keeps.push_back(makeClause(
        name, "", isDear && isCheapAgain(local) ? "recompute" : "register"));
}

void DevicePlanner::addRecomputeClauses(const KeptRow &kept) {
  for (auto [local, name] : llvm::zip(kept.locals, kept.localNames))
    if (isCheapAgain(local))
      keeps.push_back(makeClause(name, "", "recompute"));
}

bool DevicePlanner::addKeptVersion(ArrayRef<AffineExpr> conditions,
                                   const KeptRow &kept, ForOp row,
                                   bool isDear) {
  addKeptClauses(kept, getDigitName(row, dims[row.getDimAttr()].size() - 1),
                 isDear);
  keepsRows = true;
  if (addVersion(conditions))
    return true;
  stages.clear();
  keeps.clear();
  keepsRows = false;
  return false;
}

bool DevicePlanner::planPersistentRows(ArrayRef<ForOp> nest,
                                       ArrayRef<ForOp> lanes,
                                       AffineExpr length) {
  ForOp row = nest.back();
  if (!row.isParallel() || holds<scf::WhileOp>(row) || !areKeepable(row, lanes))
    return false;

  // One range is one dimension.
  for (ForOp lane : lanes)
    lane.setDimAttr(ForOp(lanes.front()).getDimAttr());

  std::optional<KeptRow> kept = findKeptRow(row);
  if (!kept)
    return false;
  auto planOutside = [&](int64_t rows, bool alone) {
    unsigned axis = nest.size();
    for (ForOp loop : nest) {
      --axis;
      setDigits(
          loop,
          {{LevelKind::Block, 0},
           {LevelKind::Thread, loop == row ? getUsefulThreads(row, rows) : 1}},
          axis, alone ? 0 : 1);
    }
  };
  ForOp lane = lanes.front();
  std::optional<int64_t> extent = lane.getStaticExtent();
  SmallVector<AffineExpr> aligned;
  int64_t width = getKeptWidth(lanes, length, aligned);
  // Lengths of rows that a thread keeps whole.
  int64_t whole = 0;
  auto addClass = [&](const RowClass &shape, bool isWide) {
    int64_t x = std::min(shape.lanes, maxThreads);
    int64_t y = std::min(shape.rows, maxThreads / x);
    int64_t elements = shape.elements ? shape.elements / kept->words : width;
    int64_t vector = isWide ? width : 1;
    if (elements < 2 || (isWide && (width < 2 || elements % width)) ||
        (!isWide && x * elements <= whole))
      return false;
    SmallVector<AffineExpr> conditions{x * elements - length};
    if (isWide)
      llvm::append_range(conditions, aligned);
    int64_t unroll = elements / vector;
    if (extent && *extent <= x * elements)
      unroll = std::max<int64_t>(llvm::divideCeil(*extent, x * vector), 1);
    planOutside(y, x == 1);
    setDigits(lane, {{LevelKind::Unroll, unroll},
                     {LevelKind::Thread, x},
                     {LevelKind::Vector, vector}});
    return addKeptVersion(conditions, *kept, row);
  };
  auto addThread = [&](ArrayRef<OwnRows> list, int64_t most) {
    if (most * kept->words > kWholeRows.back() || !setOwnRows(row, list, most))
      return false;
    whole = most;
    setDigits(lane, {{LevelKind::Unroll, extent.value_or(most)}});
    return addKeptVersion({most - length}, *kept, row);
  };
  // Rows that all start at aligned places take wide accesses, others neighbours
  // in neighbouring threads. The shortest of these have a thread each, and a
  // block all that lies in memory.
  SmallVector<OwnRows> own;
  if (nest.size() == 1)
    own = findOwnRows(row, lane);
  for (bool isWide : {true, false}) {
    if (!isWide)
      for (int64_t most : kWholeRows)
        if (addThread(own, most))
          return true;
    for (const RowClass &shape : kClasses)
      if ((isWide ? shape.wide : shape.narrow) && addClass(shape, isWide))
        return true;
  }

  if (planCooperativeRows(nest, lanes, *kept, length, width, aligned))
    return true;

  // Longer ones are read again, mostly from a cache.
  int64_t threads = std::min<int64_t>(512, maxThreads);
  bool sums = llvm::any_of(lanes, [](ForOp lane) { return rounds(lane); });
  planOutside(1, false);
  addRecomputeClauses(*kept);
  auto planLong = [&](int64_t threads, int64_t unroll, int64_t vector) {
    setDigits(lane, {{LevelKind::Seq, 0},
                     {LevelKind::Seq, sums ? kRun : 1},
                     {LevelKind::Unroll, unroll},
                     {LevelKind::Thread, threads},
                     {LevelKind::Vector, vector}});
  };
  // So few that a multiprocessor has one: its block has all that is under way.
  if (AffineExpr count = nest.size() == 1 ? getSize(row) : AffineExpr()) {
    planLong(std::min<int64_t>(1024, maxThreads), 8, 1);
    if (addVersion(units - count))
      return true;
  }
  if (width > 1 && width <= 4) {
    planLong(threads, 2, width);
    if (addVersion(aligned))
      return true;
  }
  planLong(threads, 4, 1);
  return true;
}
