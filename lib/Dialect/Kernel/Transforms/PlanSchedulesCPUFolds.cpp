//===- PlanSchedulesCPUFolds.cpp - Folds of columns and of short rows -----===//
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
//   vector   R large, K a vector: accumulators in registers
//   narrow   R large, K less: lanes along the rows, a few pages at a time
//   cut      R large: blocks of rows, each with accumulators for all columns,
//            to which whole rows are added
//   strips   R or K small: a few vectors of columns, accumulators in registers
//   tiles    else: blocks of columns, with accumulators in the first cache
//
// Where accumulators are in memory, four rows are added to them at a time.
//
// A fold of rows of m elements, which are next to each other:
//
//   levels   m large: sums of sums, for their error
//   plain    else one loop over all accumulators; where more is done with a row
//            than to fold it, two rows at a time: what one waits for the other
//            hides
//   known    m one of a few numbers: lanes along the rows, whose elements are
//            loaded at once
//   narrow   m less than a vector: a quarter of one, eight rows at a time,
//            whose lanes are folded together
//   short    m less than that: lanes along the rows, where that is possible
//
//===----------------------------------------------------------------------===//

#include "PlanSchedulesCPU.h"

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
/// Rows from which on they are cut into blocks, and how many of those.
static constexpr int64_t kManyRows = 1024, kRowBlocks = 32;
/// Rows and columns that strips are for, vectors of a strip, and strips of a
/// block.
static constexpr int64_t kFewRows = 8, kFewColumns = 256, kStripVectors = 4,
                         kBlockStrips = 16;
/// Vectors of rows whose lines stay in the first cache while their columns are
/// folded by lanes along the rows.
static constexpr int64_t kNarrowSteps = 32;
/// Elements of a row from which on a sum has levels.
static constexpr int64_t kLongRow = 2048;
/// Shorter rows with more to do than a fold that are walked at a time.
static constexpr int64_t kKeptRows = 2;
/// Elements of rows that are folded by short vectors, how many at a time, and
/// how often.
static constexpr int64_t kNarrowLanes = 4, kNarrowRows = 8, kNarrowGroups = 32;

/// Elements of rows that have a version of their own, and vectors of rows of a
/// block.
static constexpr int64_t kKnownElements[] = {2, 3, 4, 8}, kKnownSteps = 128;
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
    } else if (!fold && !isScalarOp(&op)) {
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
    for (const LinearIndex &index : ArrayRef(access.indices).drop_back())
      row.add(index, 1);
    reads |= row.getCoefficient(fold.getInductionVar()) != 0 &&
             access.indices.back().getCoefficient(along.getInductionVar());
  }
  return reads ? fold : ForOp();
}

bool CPUPlanner::require(ForOp loop, Bound bound, int64_t limit,
                         SmallVectorImpl<Condition> &conditions) {
  if (std::optional<int64_t> extent = loop.getStaticExtent())
    return bound == Bound::Least  ? *extent >= limit
           : bound == Bound::Most ? *extent <= limit
                                  : *extent == limit;
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
  auto name = [](StringRef of, unsigned number) {
    return (of + "." + Twine(number)).str();
  };
  Digits rowDigits{seq, vector};
  SmallVector<std::string> names{name(dim, 0), name(dim, 1), name(rows, 1),
                                 name(rows, 0)};
  if (inBlocks) {
    rowDigits = {digit(LevelKind::Block, kRowBlocks), seq,
                 digit(LevelKind::Seq, kNarrowSteps), vector};
    names = {name(rows, 0), name(rows, 1), name(dim, 0),
             name(dim, 1),  name(rows, 3), name(rows, 2)};
  }
  return makeSchedule({{rows.str(), rowDigits},
                       {dim.str(), {seq, digit(LevelKind::Unroll, columns)}}},
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
  auto addIf = [&](bool possible, ArrayRef<Condition> conditions,
                   ScheduleAttr schedule) {
    if (possible)
      addVersion(conditions, schedule);
  };
  SmallVector<Condition> narrow, many, few;
  if (blocks.size() == 1) {
    bool isMany = require(fold, Bound::Least, kManyRows, many);
    narrow = many;
    bool turns = isMany && mayRunInLanes(fold);
    std::optional<int64_t> number = along.getStaticExtent();
    if (number && *number > kMostElements)
      number.reset();
    if (turns && readsWholeRows(along, fold))
      for (int64_t columns : number ? ArrayRef(*number) : kKnownElements) {
        if (!number && columns * fold.getNumResults() > kMostElements)
          continue;
        SmallVector<Condition> known(many);
        addIf(require(along, Bound::Equal, columns, known), known,
              makeKnownColumns(k, r, columns, /*inBlocks=*/true));
      }
    // Lanes along fewer columns than a vector has were not asked for.
    if (number && *number < kNarrowLanes) {
      addVersion({}, makeKnownColumns(k, r, *number, /*inBlocks=*/false));
      writeVersions();
      return true;
    }
    SmallVector<Condition> whole(many);
    if (isMany && require(along, Bound::Equal, width, whole))
      addVersion(whole,
                 makeSchedule(
                     {{r, {digit(LevelKind::Block, kRowBlocks), seq, several}},
                      {k, {seq, vector}}},
                     {r + ".0", k + ".1", k + ".0", r + ".1", r + ".2"}));
    addIf(turns && require(along, Bound::Most, width - 1, narrow), narrow,
          makeSchedule({{r,
                         {digit(LevelKind::Block, kRowBlocks), seq,
                          digit(LevelKind::Seq, kNarrowSteps), vector}},
                        {k, {seq}}},
                       {r + ".0", r + ".1", k + ".0", r + ".3", r + ".2"}));
    addIf(
        isMany, many,
        makeSchedule({{r, {digit(LevelKind::Block, kRowBlocks), seq, several}},
                      {k, {seq, vector}}},
                     {r + ".0", r + ".1", k + ".1", k + ".0", r + ".2"}));
  }
  bool isFew = blocks.size() == 1
                   ? require(fold, Bound::Most, kFewRows, few)
                   : require(along, Bound::Most, kFewColumns, few);
  addIf(isFew, few,
        below({block, digit(LevelKind::Seq, kBlockStrips),
               digit(LevelKind::Unroll, kStripVectors), vector},
              {seq}, {k + ".0", k + ".2", k + ".3", k + ".1", r + ".0"}));
  auto tiles = [&](int64_t columns) {
    return below({block, digit(LevelKind::Seq, columns / width), vector},
                 {seq, several},
                 {k + ".0", r + ".0", k + ".2", k + ".1", r + ".1"});
  };
  SmallVector<Condition> wide;
  addIf(require(along, Bound::Least, kManyColumns, wide), wide,
        tiles(kColumnElements));
  addVersion({}, tiles(kFewerElements));
  writeVersions();
  return true;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Of the digits `list` those at `seq` but the first, or all but the first, are
/// left out; gives the positions of the others.
static SmallVector<unsigned> keepDigits(ArrayRef<DigitAttr> list, bool lanes) {
  SmallVector<unsigned> kept{0};
  for (unsigned position = 1; position < list.size() && lanes; ++position)
    if (!list[position].getLevel().isSeq())
      kept.push_back(position);
  return kept;
}

ScheduleAttr CPUPlanner::simplifyRows(const llvm::SetVector<StringAttr> &rows,
                                      bool keepLanes) {
  SmallVector<DimDigitsAttr> list;
  llvm::StringMap<SmallVector<unsigned>> kept;
  for (DimDigitsAttr each : dims) {
    if (rows.contains(each.getDim())) {
      auto &positions = kept[each.getDim().getValue()];
      positions = keepDigits(each.getDigits(), keepLanes);
      SmallVector<DigitAttr> digits;
      for (unsigned position : positions)
        digits.push_back(each.getDigits()[position]);
      each = DimDigitsAttr::get(context, each.getDim(), digits);
    }
    list.push_back(each);
  }
  SmallVector<StringAttr> names;
  for (StringAttr name : order) {
    auto [stem, number] = name.getValue().rsplit('.');
    auto of = kept.find(stem);
    unsigned position = 0;
    (void)number.getAsInteger(10, position);
    if (of == kept.end()) {
      names.push_back(name);
      continue;
    }
    auto *at = llvm::find(of->second, position);
    if (at != of->second.end())
      names.push_back(StringAttr::get(
          context, stem + "." + Twine(std::distance(of->second.begin(), at))));
  }
  return ScheduleAttr::get(context, list, names, {}, {}, {}, {},
                           /*splitBoundary=*/keepLanes, 64);
}

std::string
CPUPlanner::startRows(SmallVectorImpl<std::pair<std::string, Digits>> &list,
                      SmallVectorImpl<std::string> &names) {
  for (auto [i, loop] : llvm::enumerate(blocks)) {
    list.push_back({ForOp(loop).getDim().str(),
                    {digit(LevelKind::Block, 0, blocks.size() - 1 - i)}});
    names.push_back(list.back().first + ".0");
  }
  return list.back().first;
}

/// Lanes along the rows, whose elements run in order.
ScheduleAttr CPUPlanner::makeShortRows(StringRef dim) {
  SmallVector<std::pair<std::string, Digits>> list;
  SmallVector<std::string> names;
  std::string rows = startRows(list, names);
  list.back().second.push_back(digit(LevelKind::Seq, kNarrowSteps));
  list.back().second.push_back(digit(LevelKind::Vector, getWidth()));
  list.push_back({dim.str(), {digit(LevelKind::Seq)}});
  names.push_back(rows + ".2");
  names.push_back(rows + ".1");
  names.push_back((dim + ".0").str());
  return makeSchedule(list, names);
}

ScheduleAttr CPUPlanner::joinRows(const llvm::SetVector<StringAttr> &rows,
                                  int64_t count) {
  ScheduleAttr schedule = simplifyRows(rows, /*keepLanes=*/true);
  StringAttr outer = ForOp(blocks.back()).getDimAttr();
  SmallVector<DimDigitsAttr> list;
  llvm::StringSet<> left;
  for (DimDigitsAttr each : schedule.getDims()) {
    SmallVector<DigitAttr> digits(each.getDigits());
    if (each.getDim() == outer)
      digits.push_back(digit(LevelKind::Unroll, count));
    // The rows are what runs at a time.
    if (rows.contains(each.getDim())) {
      for (auto [position, one] : llvm::enumerate(each.getDigits()))
        if (one.getLevel().getKind() == LevelKind::Unroll) {
          digits.erase(digits.begin() + position);
          left.insert((each.getDim().getValue() + "." + Twine(position)).str());
        }
    }
    list.push_back(DimDigitsAttr::get(context, each.getDim(), digits));
  }
  // Names are numbers of digits: those behind one that went are one less.
  SmallVector<StringAttr> names;
  for (StringAttr name : schedule.getOrder()) {
    if (left.contains(name.getValue()))
      continue;
    auto [stem, number] = name.getValue().rsplit('.');
    unsigned position = 0, less = 0;
    (void)number.getAsInteger(10, position);
    for (unsigned p = 0; p < position; ++p)
      less += left.contains((stem + "." + Twine(p)).str());
    names.push_back(
        StringAttr::get(context, stem + "." + Twine(position - less)));
    if (stem == outer.getValue() && position == 0)
      names.push_back(StringAttr::get(context, stem + ".1"));
  }
  return ScheduleAttr::get(context, list, names, {}, {}, {}, {},
                           /*splitBoundary=*/true, 64);
}

ScheduleAttr CPUPlanner::makeKnownRows(const llvm::SetVector<StringAttr> &rows,
                                       int64_t elements) {
  SmallVector<std::pair<std::string, Digits>> list;
  SmallVector<std::string> names;
  std::string outer = startRows(list, names);
  list.back().second.push_back(digit(LevelKind::Seq, kKnownSteps));
  list.back().second.push_back(digit(LevelKind::Vector, getWidth()));
  names.push_back(outer + ".2");
  names.push_back(outer + ".1");
  for (StringAttr dim : rows) {
    list.push_back(
        {dim.str(),
         {digit(LevelKind::Seq), digit(LevelKind::Unroll, elements)}});
    names.push_back((dim.getValue() + ".0").str());
    names.push_back((dim.getValue() + ".1").str());
  }
  return makeSchedule(list, names);
}

/// Short vectors along the rows, several rows at a time.
ScheduleAttr CPUPlanner::makeNarrowRows(StringRef dim) {
  SmallVector<std::pair<std::string, Digits>> list;
  SmallVector<std::string> names;
  std::string rows = startRows(list, names);
  list.back().second.push_back(digit(LevelKind::Seq, kNarrowGroups));
  list.back().second.push_back(digit(LevelKind::Unroll, kNarrowRows));
  list.push_back(
      {dim.str(),
       {digit(LevelKind::Seq), digit(LevelKind::Vector, kNarrowLanes)}});
  names.push_back(rows + ".1");
  names.push_back(rows + ".2");
  names.push_back((dim + ".1").str());
  names.push_back((dim + ".0").str());
  return makeSchedule(list, names);
}

bool CPUPlanner::planRows() {
  ForOp first = lanes.front();
  if (blocks.front() == first || !first.isReduce() || isSmall())
    return false;
  llvm::SetVector<StringAttr> rows;
  for (ForOp loop : lanes) {
    if ((!getSize(loop) && !loop.getStaticExtent()) ||
        loop.getMixedExtent() != first.getMixedExtent())
      return false;
    rows.insert(loop.getDimAttr());
  }
  auto addIf = [&](Bound bound, int64_t limit,
                   function_ref<ScheduleAttr()> makeIt) {
    SmallVector<Condition> conditions;
    if (require(first, bound, limit, conditions))
      addVersion(conditions, makeIt());
  };
  bool levels = false;
  for (DimDigitsAttr each : dims) {
    if (!rows.contains(each.getDim()))
      continue;
    ArrayRef<DigitAttr> digits = each.getDigits();
    if (!digits.front().getLevel().isSeq())
      return false;
    levels |= keepDigits(digits, true).size() < digits.size();
  }
  if (levels)
    addIf(Bound::Least, kLongRow, [&] { return makeSchedule(); });
  bool joins = llvm::all_of(dims, [&](DimDigitsAttr each) {
    return each.getDim() != ForOp(blocks.back()).getDimAttr() ||
           each.getDigits().size() == 1;
  });
  bool alone = rows.size() == 1 && dims.size() == blocks.size() + 1;
  // Folds side by side, of the same rows.
  bool known =
      dims.size() == blocks.size() + rows.size() &&
      mayRunInLanes(blocks.back()) && llvm::all_of(lanes, [&](ForOp loop) {
        return loop.isReduce() && loop->getParentOp() == blocks.back() &&
               readsWholeRows(loop, blocks.back());
      });
  if (joins && known)
    for (int64_t elements : kKnownElements)
      addIf(Bound::Equal, elements,
            [&] { return makeKnownRows(rows, elements); });
  // Short vectors stand around the rows, which only folds allow that commute.
  bool inOrder = launch.getBody()
                     .walk([&](ForOp loop) {
                       return loop.isReduce() &&
                                      rows.contains(loop.getDimAttr()) &&
                                      !isCommutativeCombiner(loop.getCombiner())
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
  bool isNarrow = joins && alone && !inOrder && getWidth() > kNarrowLanes;
  // Long vectors pay from where all accumulators are of use; where much is
  // computed of an element, a few lanes are better than none.
  bool isDear = joins && !alone && llvm::any_of(lanes, isExpensive);
  int64_t least = isNarrow ? kFoldVectors * getWidth()
                  : isDear ? kNarrowLanes
                           : getWidth();
  addIf(Bound::Least, least, [&] {
    return joins && !alone ? joinRows(rows, kKeptRows)
           : levels        ? simplifyRows(rows, true)
                           : makeSchedule();
  });
  if (isNarrow)
    addIf(Bound::Least, kNarrowLanes,
          [&] { return makeNarrowRows(rows.front().getValue()); });
  bool turns = alone && mayRunInLanes(blocks.back());
  addVersion({}, turns ? makeShortRows(rows.front().getValue())
                       : simplifyRows(rows, false));
  writeVersions();
  return true;
}
