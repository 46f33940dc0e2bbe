//===- CPUFolds.cpp - Folds of columns ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A fold of columns reads along the kept dimension, and with each step another
// row. Walked column by column it would touch a line of the cache for each
// element, so, with R rows of K columns:
//
//   known    R large, K one of a few numbers: lanes along the rows, all columns
//            side by side, which are loaded at once (StridedLoads.cpp)
//   vector   R large, K one, two or four vectors: accumulators in registers
//   narrow   R large, K less: lanes along the rows, a few pages at a time
//   cut      R large: blocks of rows, each with accumulators for all columns,
//            to which whole rows are added
//   strips   R or K small: a few vectors of columns, accumulators in registers
//   tiles    else: blocks of columns, with accumulators in the first cache
//
// Where accumulators are in memory, four rows are added to them at a time.
//
//===----------------------------------------------------------------------===//

#include "CPU.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/Combiner.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Columns of a tile whose accumulators stay in the first cache, where there
/// are many columns and few, and how many those are.
static constexpr int64_t kColumnElements = 4096, kFewerElements = 1024,
                         kManyColumns = 131072;
/// Rows that are added at a time: accumulators are read and written less often,
/// and memory has more to do.
static constexpr int64_t kRowsAtOnce = 4, kPlaceRows = 16;
/// Rows from which on they are cut into blocks.
static constexpr int64_t kManyRows = 1024;
/// Rows and columns that strips are for, vectors of a strip, and strips of a
/// block.
static constexpr int64_t kFewRows = 8, kFewColumns = 256, kStripVectors = 4,
                         kBlockStrips = 16;

/// Elements of the longest rows that are loaded at once, as far as accumulators
/// for all of them fit into registers.
static constexpr int64_t kMostElements = 8;

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

ForOp CPUPlanner::findColumnFold(ForOp along) {
  ForOp fold;
  for (Operation &op : along.getBodyBlock()->without_terminator()) {
    if (auto loop = dyn_cast<ForOp>(op)) {
      if (fold || !loop.isReduce() || hasInnerLoop(loop) ||
          !isCommutativeCombiner(loop.getCombiner()))
        return {};
      fold = loop;
    } else if (!fold && !isScalarOp(&op) && !isa<LoadOp>(op)) {
      return {};
    }
  }
  if (!fold || (fold.getStaticExtent() && *fold.getStaticExtent() < 64))
    return {};
  bool reads = false;
  AccessPattern pattern(fold);
  for (const Access &access : pattern.getAccesses()) {
    if (access.indices.empty())
      continue;
    LinearIndex row;
    for (const LinearIndex &index : access.getRow())
      row.add(index, 1);
    reads |= row.getCoefficient(fold.getInductionVar()) != 0 &&
             access.indices.back().getCoefficient(along.getInductionVar());
  }
  return reads ? fold : ForOp();
}

bool CPUPlanner::require(ForOp loop, Bound bound, int64_t limit,
                         SmallVectorImpl<Condition> &conditions) {
  std::optional<int64_t> least = getLeast(loop.getMixedExtent()),
                         most = getMost(loop);
  if ((bound != Bound::Least && least && *least > limit) ||
      (bound != Bound::Most && most && *most < limit))
    return false;
  if ((bound == Bound::Most || (least && *least >= limit)) &&
      (bound == Bound::Least || (most && *most <= limit)))
    return true;
  BlockArgument size = getSize(loop);
  if (size)
    conditions.push_back({size, bound, limit});
  return static_cast<bool>(size);
}

bool CPUPlanner::readsWholeRows(ForOp loop, ForOp row) {
  bool reads = false;
  AccessPattern pattern(loop);
  for (const Access &access : pattern.getAccesses()) {
    auto load = dyn_cast<LoadOp>(access.op);
    if (!load || access.indices.empty())
      continue;
    auto array = dyn_cast<BlockArgument>(load.getSource());
    size_t rank = access.indices.size();
    if (rank < 2 || !array || array.getOwner() != launch.getBodyBlock() ||
        !cast<MemRefType>(array.getType()).getLayout().isIdentity() ||
        launch.getSize(array, rank - 1) != loop.getMixedExtent() ||
        access.indices[rank - 1].getCoefficient(loop.getInductionVar()) != 1)
      return false;
    int64_t step =
        access.indices[rank - 2].getCoefficient(row.getInductionVar());
    if (step != 1 && step != 0)
      return false;
    reads |= step == 1;
  }
  return reads;
}

bool CPUPlanner::chooseKnownColumns() {
  if (!root.isParallel() || innermost.size() != 1 || !root.getStaticExtent() ||
      *root.getStaticExtent() < 2 || *root.getStaticExtent() > kMostElements)
    return false;
  ForOp fold = findColumnFold(root);
  if (!fold || !mayRunInLanes(fold) || !readsWholeRows(root, fold))
    return false;
  lanes.insert(root);
  return true;
}

ScheduleAttr CPUPlanner::makeKnownColumns(StringRef dim, StringRef rows,
                                          int64_t columns, bool inBlocks) {
  DigitAttr seq = digit(LevelKind::Seq);
  DigitAttr vector = digit(LevelKind::Vector, getWidth());
  Digits rowDigits{seq, vector};
  SmallVector<std::string> names{nameDigit(dim, 0), nameDigit(dim, 1),
                                 nameDigit(rows, 1), nameDigit(rows, 0)};
  if (inBlocks) {
    rowDigits = {digit(LevelKind::Block, kFoldBlocks), seq,
                 digit(LevelKind::Seq, kNarrowSteps), vector};
    names = {nameDigit(rows, 0), nameDigit(rows, 1), nameDigit(dim, 0),
             nameDigit(dim, 1),  nameDigit(rows, 3), nameDigit(rows, 2)};
  }
  return makeSchedule({{rows.str(), rowDigits},
                       {dim.str(), {seq, digit(LevelKind::Unroll, columns)}}},
                      names);
}

ScheduleAttr CPUPlanner::makeWholeRows(StringRef dim, StringRef rows,
                                       int64_t vectors, DigitAttr several) {
  DigitAttr seq = digit(LevelKind::Seq);
  Digits columns{seq};
  SmallVector<std::string> names{nameDigit(rows, 0)};
  if (vectors > 1)
    columns.push_back(digit(LevelKind::Unroll, vectors));
  columns.push_back(digit(LevelKind::Vector, getWidth()));
  for (size_t number = columns.size(); number-- > 0;)
    names.push_back(nameDigit(dim, number));
  names.push_back(nameDigit(rows, 1));
  names.push_back(nameDigit(rows, 2));
  return makeSchedule(
      {{rows.str(), {digit(LevelKind::Block, kFoldBlocks), seq, several}},
       {dim.str(), columns}},
      names);
}

bool CPUPlanner::planColumnFold() {
  ForOp along = blocks.back();
  if (lanes.size() != 1 || lanes[0] != along || innermost.size() != 1 ||
      isTileOfSome(along))
    return false;
  ForOp fold = findColumnFold(along);
  if (!fold)
    return false;
  int64_t width = getWidth();
  std::string k = along.getDim().str(), r = fold.getDim().str();
  using List = SmallVector<std::pair<std::string, Digits>>;
  // Tiles and strips stand below all outer dimensions.
  List outer;
  SmallVector<std::string> outerNames;
  for (auto [i, loop] : llvm::enumerate(ArrayRef(blocks).drop_back())) {
    std::string dim = ForOp(loop).getDim().str();
    outer.push_back({dim, {digit(LevelKind::Block, 0, blocks.size() - 1 - i)}});
    outerNames.push_back(dim + ".0");
  }
  DigitAttr block = digit(LevelKind::Block), seq = digit(LevelKind::Seq);
  DigitAttr vector = digit(LevelKind::Vector, width);
  // A place is widened for memory, so rows are many and run in order.
  DigitAttr several = findsPlaces() ? digit(LevelKind::Seq, kPlaceRows)
                                    : digit(LevelKind::Unroll, kRowsAtOnce);
  auto below = [&](Digits kept, Digits rowDigits, ArrayRef<std::string> names) {
    List list(outer);
    list.push_back({k, kept});
    list.push_back({r, rowDigits});
    SmallVector<std::string> all(outerNames);
    llvm::append_range(all, names);
    return makeSchedule(list, all);
  };
  SmallVector<Condition> many;
  if (blocks.size() == 1) {
    bool isMany = require(fold, Bound::Least, kManyRows, many);
    bool turns = isMany && mayRunInLanes(fold);
    std::optional<int64_t> number = along.getStaticExtent();
    if (number && *number > kMostElements)
      number.reset();
    if (turns && readsWholeRows(along, fold))
      for (int64_t columns : number ? ArrayRef(*number) : kKnownElements) {
        if (!number && columns * fold.getNumResults() > kMostElements)
          continue;
        addVersionIf(many, along, Bound::Equal, columns, [&] {
          return makeKnownColumns(k, r, columns, /*inBlocks=*/true);
        });
      }
    // Lanes along fewer columns than a vector has were not asked for.
    if (number && *number < kNarrowLanes) {
      addVersion({}, makeKnownColumns(k, r, *number, /*inBlocks=*/false));
      writeVersions();
      return true;
    }
    for (int64_t vectors : {1, 2, 4})
      if (isMany &&
          (vectors == 1 || vectors * countParts(fold) <= kStripVectors))
        addVersionIf(many, along, Bound::Equal, vectors * width,
                     [&] { return makeWholeRows(k, r, vectors, several); });
    if (turns)
      addVersionIf(many, along, Bound::Most, width - 1, [&] {
        return makeSchedule({{r,
                              {digit(LevelKind::Block, kFoldBlocks), seq,
                               digit(LevelKind::Seq, kNarrowSteps), vector}},
                             {k, {seq}}},
                            {r + ".0", r + ".1", k + ".0", r + ".3", r + ".2"});
      });
    // Places make accumulators of many columns large beside what is read.
    int64_t parts = findsPlaces() ? kManyTasks : kFoldBlocks;
    if (isMany)
      addVersion(many, makeSchedule(
                           {{r, {digit(LevelKind::Block, parts), seq, several}},
                            {k, {seq, vector}}},
                           {r + ".0", r + ".1", k + ".1", k + ".0", r + ".2"}));
  }
  auto strips = [&] {
    return below({block, digit(LevelKind::Seq, kBlockStrips),
                  digit(LevelKind::Unroll, kStripVectors), vector},
                 {seq}, {k + ".0", k + ".2", k + ".3", k + ".1", r + ".0"});
  };
  if (blocks.size() == 1)
    addVersionIf({}, fold, Bound::Most, kFewRows, strips);
  else
    addVersionIf({}, along, Bound::Most, kFewColumns, strips);
  auto tiles = [&](int64_t columns) {
    return below({block, digit(LevelKind::Seq, columns / width), vector},
                 {seq, several},
                 {k + ".0", r + ".0", k + ".2", k + ".1", r + ".1"});
  };
  // Long tiles where there are enough of them.
  auto longTiles = [&] { return tiles(kColumnElements); };
  if (blocks.size() > 1)
    addVersionIf({}, blocks.front(), Bound::Least, kManyTasks, longTiles);
  addVersionIf({}, along, Bound::Least, kManyColumns, longTiles);
  addVersion({}, tiles(kFewerElements));
  writeVersions();
  return true;
}
