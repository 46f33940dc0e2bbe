//===- CPURows.cpp - Folds of rows ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A fold of rows of m elements, which are next to each other:
//
//   cut      few rows, m very large: blocks of elements, so that there is work
//            for all threads
//   levels   m large: sums of sums, for their error
//   piled    another fold around that of the rows, and what is kept between the
//            two in memory: a tile of results at a time, so that rows are read
//            in the order in which they lie
//   plain    else one loop over all accumulators; where more is done with a row
//            than to fold it, two rows at a time: what one waits for the other
//            hides
//   known    m one of a few numbers: lanes along the rows, whose elements are
//            loaded at once
//   narrow   m less than a vector: a quarter of one, up to eight rows at a
//            time, whose lanes are folded together
//   short    m less than that: lanes along the rows, where that is possible
//
//===----------------------------------------------------------------------===//

#include "../Shared/NestScalars.h"
#include "CPU.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/Combiner.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Elements of a row from which on a sum has levels.
static constexpr int64_t kLongRow = 2048;
/// Shorter rows with more to do than a fold that are walked at a time.
static constexpr int64_t kKeptRows = 2;
/// Most rows that are folded by short vectors at a time, how often, and what is
/// in registers meanwhile: processors with longer vectors have more of them.
static constexpr int64_t kNarrowRows = 8, kNarrowGroups = 32,
                         kNarrowAccumulators = 12;
/// Operations of straight code for rows whose elements stand beside each other:
/// each such version is a copy of them.
static constexpr int64_t kStraightOperations = 128;
/// Results of a tile to which rows are added, those where tiles are all the
/// tasks that there are, and narrow rows that are added at a time.
static constexpr int64_t kPiledResults = 512, kFewerPiled = 128,
                         kPiledAtOnce = 4;
/// Vectors of rows of a block, where rows have few elements that are known.
static constexpr int64_t kKnownSteps = 128;

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
ScheduleAttr CPUPlanner::makeNarrowRows(ForOp fold) {
  int64_t count =
      std::clamp<int64_t>(llvm::bit_floor<uint64_t>(std::min(
                              kNarrowAccumulators / countParts(fold),
                              kStraightOperations / countOperations(fold))),
                          2, kNarrowRows);
  StringRef dim = fold.getDim();
  SmallVector<std::pair<std::string, Digits>> list;
  SmallVector<std::string> names;
  std::string rows = startRows(list, names);
  list.back().second.push_back(digit(LevelKind::Seq, kNarrowGroups));
  list.back().second.push_back(digit(LevelKind::Unroll, count));
  list.push_back(
      {dim.str(),
       {digit(LevelKind::Seq), digit(LevelKind::Vector, kNarrowLanes)}});
  names.push_back(rows + ".1");
  names.push_back(rows + ".2");
  names.push_back((dim + ".1").str());
  names.push_back((dim + ".0").str());
  return makeSchedule(list, names);
}

/// Whether no other loop stands in `row`, and numbers alone before `fold`.
static bool isOnlyLoop(ForOp row, ForOp fold) {
  if (fold->getParentOp() != row)
    return false;
  bool before = true;
  for (Operation &op : row.getBodyBlock()->without_terminator()) {
    if (&op == fold)
      before = false;
    else if (before ? !isScalarOp(&op) : op.getNumRegions() != 0)
      return false;
  }
  return true;
}

/// Whether the fold of a row is all there is, so that it can be cut. A row that
/// is folded itself runs in order around it.
static bool isOnlyFold(ForOp row, ForOp fold) {
  return !row.isReduce() && isOnlyLoop(row, fold) && !hasInnerLoop(fold) &&
         isCommutativeCombiner(fold.getCombiner());
}

/// Whether some load in `fold` has its rows of `kept` within those of `around`,
/// and none the other way round.
static bool liesWithin(ForOp kept, ForOp around, ForOp fold) {
  bool within = false;
  AccessPattern pattern(fold);
  for (const Access &access : pattern.getAccesses()) {
    auto findDim = [&](ForOp loop) {
      int last = -1;
      for (auto [dim, index] : llvm::enumerate(access.indices))
        if (index.getCoefficient(loop.getInductionVar()) != 0)
          last = dim;
      return last;
    };
    int inner = findDim(kept), outer = findDim(around);
    if (inner < 0 || outer < 0)
      continue;
    if (inner < outer)
      return false;
    within |= inner > outer;
  }
  return within;
}

ScheduleAttr CPUPlanner::makePiledRows(StringRef pile, StringRef dim,
                                       int64_t count, Digits digits) {
  int64_t results = blocks.size() > 1 ? kPiledResults : kFewerPiled;
  SmallVector<std::pair<std::string, Digits>> list;
  SmallVector<std::string> names;
  std::string kept = startRows(list, names);
  Digits &tile = list.back().second;
  tile.push_back(digit(LevelKind::Seq, results / count));
  names.push_back((pile + ".0").str());
  names.push_back(kept + ".1");
  if (count > 1) {
    tile.push_back(digit(LevelKind::Unroll, count));
    names.push_back(kept + ".2");
  }
  list.push_back({pile.str(), {digit(LevelKind::Seq)}});
  for (size_t number = digits.size(); number-- > 0;)
    names.push_back(nameDigit(dim, number));
  list.push_back({dim.str(), digits});
  return makeSchedule(list, names);
}

void CPUPlanner::addPiledRows(ForOp fold) {
  ForOp kept = blocks.back();
  auto around = dyn_cast<ForOp>(fold->getParentOp());
  if (!around || !around.isReduce() || !isOnlyLoop(kept, around) ||
      !isOnlyLoop(around, fold) || hasInnerLoop(fold) || findsPlaces() ||
      !liesWithin(kept, around, fold))
    return;
  // The fold around moves out of the results that a tile has; out of a fold of
  // these only if it is the same one.
  if (!isCommutativeCombiner(around.getCombiner()) ||
      (!kept.isParallel() && getOnlyLoop(kept) != around))
    return;
  // A tile is one task.
  SmallVector<Condition> many;
  if (blocks.size() > 1
          ? !require(blocks.front(), Bound::Least, kManyTasks, many)
          : !require(kept, Bound::Least, kManyTasks * kFewerPiled, many))
    return;
  auto add = [&](int64_t least, int64_t count, Digits digits) {
    addVersionIf(many, fold, Bound::Least, least, [&] {
      return makePiledRows(around.getDim(), fold.getDim(), count, digits);
    });
  };
  DigitAttr seq = digit(LevelKind::Seq);
  int64_t width = getWidth();
  int64_t vectors = getFoldVectors(fold);
  if (isExtremum(fold))
    vectors = std::min(vectors, kExtremumVectors);
  Digits digits{seq};
  if (vectors > 1)
    digits.push_back(digit(LevelKind::Unroll, vectors));
  digits.push_back(digit(LevelKind::Vector, width));
  add(vectors * width, 1, digits);
  add(kNarrowLanes, kPiledAtOnce,
      {seq, digit(LevelKind::Vector, kNarrowLanes)});
}

ScheduleAttr CPUPlanner::makeCutRows(ForOp fold) {
  std::string row = root.getDim().str();
  DigitAttr seq = digit(LevelKind::Seq);
  auto name = [&](unsigned number) { return nameDigit(fold.getDim(), number); };
  Digits digits{digit(LevelKind::Block, kFoldBlocks), seq,
                digit(LevelKind::Seq, kNarrowSteps)};
  SmallVector<std::string> names{name(0), row + ".0"};
  if (int64_t vectors = getFoldVectors(fold); vectors > 1)
    digits.push_back(digit(LevelKind::Unroll, vectors));
  digits.push_back(digit(LevelKind::Vector, getWidth()));
  for (unsigned number = digits.size() - 1; number > 2; --number)
    names.push_back(name(number));
  names.push_back(name(1));
  names.push_back(name(2));
  return makeSchedule({{row, {seq}}, {fold.getDim().str(), digits}}, names);
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
    addVersionIf({}, first, bound, limit, makeIt);
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
  bool alone = rows.size() == 1 && dims.size() == blocks.size() + 1;
  SmallVector<Condition> few;
  if (alone && blocks.size() == 1 && isOnlyFold(root, first) &&
      require(root, Bound::Most, kFewLongRows, few) &&
      require(first, Bound::Least, kCutRow, few))
    addVersion(few, makeCutRows(first));
  if (levels)
    addIf(Bound::Least, kLongRow, [&] { return makeSchedule(); });
  bool joins = llvm::all_of(dims, [&](DimDigitsAttr each) {
    return each.getDim() != ForOp(blocks.back()).getDimAttr() ||
           each.getDigits().size() == 1;
  });
  if (joins && rows.size() == 1 && dims.size() == blocks.size() + 2)
    addPiledRows(first);
  int64_t operations = 0;
  for (ForOp loop : lanes)
    operations += countOperations(loop);
  // Folds side by side, of the same rows.
  bool known =
      dims.size() == blocks.size() + rows.size() &&
      mayRunInLanes(blocks.back()) && llvm::all_of(lanes, [&](ForOp loop) {
        return loop.isReduce() && loop->getParentOp() == blocks.back() &&
               readsWholeRows(loop, blocks.back());
      });
  if (joins && known)
    for (int64_t elements : kKnownElements)
      if (elements * operations <= kStraightOperations)
        addIf(Bound::Equal, elements,
              [&] { return makeKnownRows(rows, elements); });
  // Short vectors stand around the rows, which only folds allow that commute.
  bool inOrder =
      launch.getBody()
          .walk([&](ForOp loop) {
            return rows.contains(loop.getDimAttr()) && isInOrder(loop)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  bool isNarrow = joins && alone && !inOrder &&
                  2 * operations <= kStraightOperations &&
                  getWidth() > kNarrowLanes;
  // Long vectors pay from where all accumulators are of use; where much is
  // computed of an element, a few lanes are better than none.
  bool turns = alone && mayRunInLanes(blocks.back());
  bool isDear = joins && !turns && llvm::any_of(lanes, [](ForOp loop) {
                  return getFoldVectors(loop) == 1;
                });
  int64_t least = isNarrow ? kFoldVectors * getWidth()
                  : isDear ? kNarrowLanes
                           : getWidth();
  addIf(Bound::Least, least, [&] {
    return joins && !alone ? joinRows(rows, kKeptRows)
           : levels        ? simplifyRows(rows, true)
                           : makeSchedule();
  });
  if (isNarrow)
    addIf(Bound::Least, kNarrowLanes, [&] { return makeNarrowRows(first); });
  addVersion({}, turns ? makeShortRows(rows.front().getValue())
                       : simplifyRows(rows, false));
  writeVersions();
  return true;
}
