//===- CPUMaps.cpp - Maps and scans whose lanes are few -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What is said of all lanes wastes most of them where the dimension is narrow,
// by its size at run time:
//
//   maps, scans of rows    fewer elements than half a vector are walked one by
//              one: i = [block.0], j = [seq]
//   scans of columns    of as many vectors of columns as there are:
//              j = [block.0, unroll 4, vector 16], i = [seq]
//   products   one vector that is as short as the columns allow:
//              i = [block.1, unroll 4], j = [block.0, vector 4], l = [seq]
//              Of few rows and long folds all rows with each stretch of the
//              other operand, which is read once:
//              i = [block.1, seq 16], j = [block.0, seq 32, vector 16],
//              l = [seq, unroll 4], order = [.., l.0, j.2, j.1, i.1, l.1]
//
// A map that stores along one dimension and loads along another works on
// squares, whose rows are loaded as vectors and transposed in registers:
//
//   y[i, j] = x[j, i]
//   i = [block.1, seq 4, unroll 16], j = [block.0, seq 4, vector 16],
//   order = [i.0, j.0, i.1, j.1, i.2, j.2]
//
// If it does something else besides, its squares are of the lines that stay in
// the first cache:
//
//   i = [block.1, seq 16], j = [block.0, seq 16], order = [i.0, j.0, i.1, j.1]
//
//===----------------------------------------------------------------------===//

#include "../Shared/NestScalars.h"
#include "CPU.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/Combiner.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Both sides of a square, in elements, and those of the squares that one task
/// walks one after the other.
static constexpr int64_t kSquare = 16, kPatch = 64;
/// Rows of a square whose elements take so much arithmetic that it hides them.
static constexpr int64_t kFewRows = 4;
/// Columns that are scanned one after the other; vectors of more at a time.
static constexpr int64_t kScalarColumns = 4, kSomeVectors = 4;
/// Steps of a product from which on the rows of an operand that its tiles of
/// results walk are too many for the table of pages; the steps and the rows of
/// results that are taken together then.
static constexpr int64_t kLongFold = 1024, kPanelSteps = 256, kTileRows = 64;
/// Rows of a product that are so few that the other operand is read once, in
/// stretches of so many vectors, some steps at a time: results of a stretch are
/// in the first cache. The fewest tasks then.
static constexpr int64_t kReadOnceRows = 16, kStretch = 32, kStepsAtOnce = 4,
                         kFewTasks = 8;
/// Tiles beside each other that one task takes, so that it reads whole
/// stretches of the other operand, and the fewest such tasks.
static constexpr int64_t kColumnTiles = 8, kWideTasks = 16;
/// Rows and tiles beside each other from which on a task takes one tile.
static constexpr int64_t kSomeRows = 8, kSomeTiles = 4;
/// Operations of a map that is worth a second version.
static constexpr size_t kSmallBody = 32;

/// Whether some access goes from one element to the next with `loop`.
static bool walksMemory(const AccessPattern &pattern, ForOp loop) {
  return llvm::any_of(pattern.getAccesses(), [&](const Access &access) {
    return !access.indices.empty() &&
           access.indices.back().getCoefficient(loop.getInductionVar()) == 1;
  });
}

/// Whether lanes along `inner` read neighbours, what stays, or whole squares
/// with the steps of `across`; and read at least one of these.
static bool readsSquares(const AccessPattern &pattern, ForOp inner,
                         ForOp across) {
  Variation variation(inner);
  bool any = false;
  for (const Access &access : pattern.getAccesses()) {
    unsigned moving = 0;
    for (const LinearIndex &index : access.indices)
      moving += llvm::any_of(index.getTerms(), [&](auto &term) {
        return variation.contains(term.first);
      });
    if (moving == 0 && access.reads)
      continue;
    Value lane = inner.getInductionVar();
    if (moving == 1 && access.indices.back().getCoefficient(lane) == 1)
      continue;
    auto steps = [&](const LinearIndex &index) {
      return index.getCoefficient(lane) != 0;
    };
    if (moving != 1 || access.writes || cast<LoadOp>(access.op).getMask() ||
        cast<LoadOp>(access.op).getEdge() ||
        llvm::none_of(access.indices, steps) ||
        access.indices.back().getCoefficient(across.getInductionVar()) != 1 ||
        !cast<MemRefType>(access.array.getType())
             .getElementType()
             .isIntOrIndexOrFloat())
      return false;
    any = true;
  }
  return any;
}

CPUPlanner::Square CPUPlanner::findSquare() {
  if (!root.isParallel() || innermost.size() != 1)
    return {};
  SmallVector<ForOp> nest = getNest(root);
  ForOp inner = innermost.front(), across;
  if (nest.back() != inner || nest.size() < 2 ||
      !llvm::all_of(nest, [](ForOp loop) { return loop.isParallel(); }))
    return {};
  AccessPattern pattern = AccessPattern::getMostly(inner);
  if (!walksMemory(pattern, inner))
    return {};
  for (ForOp loop : ArrayRef(nest).drop_back())
    if (walksMemory(pattern, loop))
      across = loop;
  for (ForOp loop : {inner, across})
    if (!loop || (loop.getStaticExtent() && *loop.getStaticExtent() < kSquare))
      return {};
  return {nest, across,
          mayRunInLanes(inner) &&
              readsSquares(AccessPattern(inner), inner, across)};
}

bool CPUPlanner::planSquares(const Square &square) {
  if (square.nest.empty())
    return false;
  int64_t width = std::min(getWidth(), kSquare);
  ForOp inner = square.nest.back();
  int64_t rows = inner.getBodyBlock()->getOperations().size() > kSmallBody
                     ? kFewRows
                     : width;
  SmallVector<std::pair<std::string, Digits>> list;
  SmallVector<std::string> names, inside, squares;
  for (auto [k, block] : llvm::enumerate(square.nest)) {
    ForOp loop = block;
    std::string dim = loop.getDim().str();
    list.push_back(
        {dim, {digit(LevelKind::Block, 0, square.nest.size() - 1 - k)}});
    names.push_back(dim + ".0");
    if (loop != inner && loop != square.across)
      continue;
    Digits &digits = list.back().second;
    bool isLanes = loop == inner;
    int64_t side = isLanes ? width : rows;
    digits.push_back(
        digit(LevelKind::Seq, square.inLanes ? kPatch / side : kSquare));
    inside.push_back(dim + ".1");
    if (!square.inLanes)
      continue;
    digits.push_back(
        digit(isLanes ? LevelKind::Vector : LevelKind::Unroll, side));
    squares.push_back(dim + ".2");
  }
  // Squares are whole where both sides are that long.
  SmallVector<Condition> whole;
  if (!require(inner, Bound::Least, kSquare, whole) ||
      !require(square.across, Bound::Least, kSquare, whole))
    return false;
  llvm::append_range(names, inside);
  llvm::append_range(names, squares);
  addVersion(whole, makeSchedule(list, names));
  // Else as it is written.
  addVersion({}, ScheduleAttr::get(context, {}, {}, {}, {}, {}, {},
                                   /*splitBoundary=*/false, 64));
  writeVersions();
  return true;
}

bool CPUPlanner::planNarrow() {
  if (lanes.size() != 1 || innermost.size() != 1)
    return false;
  ForOp lane = lanes.front(), inner = innermost.front();
  BlockArgument size = getSize(lane);
  // Lanes along a map, along the columns of a scan, or along the scan.
  bool isMap = lane == inner && lane == blocks.back() && blocks.size() > 1 &&
               lane.getBodyBlock()->getOperations().size() <= kSmallBody;
  bool isColumns =
      lane == blocks.back() && inner.isScan() && inner->getParentOp() == lane;
  bool isRow =
      lane == inner && lane.isScan() && lane->getParentOp() == blocks.back();
  if (!size || (!isMap && !isColumns && !isRow) ||
      dims.size() != blocks.size() + !isMap)
    return false;
  auto make = [&](int64_t vectors) {
    SmallVector<std::pair<std::string, Digits>> list;
    SmallVector<std::string> names, inside;
    for (auto [k, block] : llvm::enumerate(blocks)) {
      ForOp loop = block;
      std::string dim = loop.getDim().str();
      Digits digits{digit(LevelKind::Block, 0, blocks.size() - 1 - k)};
      names.push_back(dim + ".0");
      if (loop == lane && isMap)
        digits.front() = digit(LevelKind::Seq);
      if (loop == lane && vectors > 1)
        digits.push_back(digit(LevelKind::Unroll, vectors));
      if (loop == lane && vectors > 0)
        digits.push_back(digit(LevelKind::Vector, getWidth()));
      for (size_t n = 1; n < digits.size(); ++n)
        names.push_back(nameDigit(dim, n));
      list.push_back({dim, digits});
    }
    if (!isMap) {
      list.push_back({inner.getDim().str(), {digit(LevelKind::Seq)}});
      names.push_back((inner.getDim() + ".0").str());
    }
    return makeSchedule(list, names);
  };
  if (!isColumns) {
    addVersion({{size, Bound::Most, getWidth() / 2 - 1}}, make(0));
  } else {
    addVersion({{size, Bound::Most, kScalarColumns}}, make(0));
    addVersion({{size, Bound::Most, getWidth()}}, make(1));
    addVersion({{size, Bound::Most, kSomeVectors * getWidth()}},
               make(kSomeVectors));
  }
  addVersion({}, makeSchedule());
  writeVersions();
  return true;
}

ScheduleAttr CPUPlanner::narrowLanes(ForOp loop, int64_t width) {
  SmallVector<DimDigitsAttr> list(dims);
  std::string dim = loop.getDim().str();
  for (DimDigitsAttr &each : list)
    if (each.getDim() == loop.getDim())
      each = DimDigitsAttr::get(
          context, each.getDim(),
          {each.getDigits().front(), digit(LevelKind::Vector, width)});
  // The jammed vectors go; the lanes take their name.
  SmallVector<StringAttr> names;
  for (StringAttr name : order)
    if (name.getValue() == dim + ".2")
      names.push_back(StringAttr::get(context, dim + ".1"));
    else if (name.getValue() != dim + ".1")
      names.push_back(name);
  return ScheduleAttr::get(context, list, names, {}, {}, {}, {},
                           /*splitBoundary=*/true, 64);
}

void CPUPlanner::addLongProducts(ForOp lane, ForOp fold) {
  ForOp rows;
  for (ForOp loop : blocks)
    if (isTiled(loop, lane))
      rows = loop;
  if (!rows || !isCommutativeCombiner(fold.getCombiner()))
    return;
  SmallVector<Condition> longFold;
  if (!require(fold, Bound::Least, kLongFold, longFold))
    return;
  auto addIf = [&](ArrayRef<Condition> rest, int64_t columns,
                   function_ref<ScheduleAttr()> makeIt) {
    addVersionIf(rest, lane, Bound::Least, columns, makeIt);
  };
  int64_t tile = 2 * getWidth();
  SmallVector<Condition> few(longFold), some(longFold);
  if (require(rows, Bound::Most, kReadOnceRows, few))
    addIf(few, kFewTasks * kStretch * getWidth(),
          [&] { return makeFewRows(rows, lane, fold); });
  addIf(longFold, kWideTasks * kColumnTiles * tile,
        [&] { return makeLongProduct(rows, lane, fold, kColumnTiles); });
  if (require(rows, Bound::Least, kSomeRows, some))
    addIf(some, kSomeTiles * tile,
          [&] { return makeLongProduct(rows, lane, fold, /*columnTiles=*/1); });
}

ScheduleAttr CPUPlanner::makeLongProduct(ForOp rows, ForOp lane, ForOp fold,
                                         int64_t columnTiles) {
  SmallVector<std::pair<std::string, Digits>> list;
  SmallVector<std::string> names;
  for (DimDigitsAttr each : dims) {
    Digits digits(each.getDigits());
    std::string dim = each.getDim().str();
    if (dim == rows.getDim())
      digits.insert(digits.begin() + 1,
                    digit(LevelKind::Seq, kTileRows / digits.back().getSize()));
    if (dim == lane.getDim() && columnTiles > 1)
      digits.insert(digits.begin() + 1, digit(LevelKind::Seq, columnTiles));
    if (dim == fold.getDim())
      digits.push_back(digit(LevelKind::Seq, kPanelSteps));
    list.push_back({dim, digits});
  }
  for (ForOp loop : blocks)
    names.push_back(nameDigit(loop.getDim(), 0));
  names.push_back(nameDigit(fold.getDim(), 0));
  // All rows of a tile while the columns of the panel are in the first cache.
  if (columnTiles > 1)
    names.push_back(nameDigit(lane.getDim(), 1));
  for (ForOp loop : blocks)
    for (auto &[dim, digits] : list)
      if (dim == loop.getDim())
        for (size_t number = loop == lane && columnTiles > 1 ? 2 : 1;
             number < digits.size(); ++number)
          names.push_back(nameDigit(dim, number));
  names.push_back(nameDigit(fold.getDim(), 1));
  return makeSchedule(list, names);
}

ScheduleAttr CPUPlanner::makeFewRows(ForOp rows, ForOp lane, ForOp fold) {
  SmallVector<std::pair<std::string, Digits>> list;
  SmallVector<std::string> names;
  for (DimDigitsAttr each : dims) {
    Digits digits(each.getDigits());
    std::string dim = each.getDim().str();
    DigitAttr first = digits.front();
    if (dim == rows.getDim())
      digits = {first, digit(LevelKind::Seq, kReadOnceRows)};
    if (dim == lane.getDim())
      digits = {first, digit(LevelKind::Seq, kStretch),
                digit(LevelKind::Vector, getWidth())};
    if (dim == fold.getDim())
      digits = {first, digit(LevelKind::Unroll, kStepsAtOnce)};
    list.push_back({dim, digits});
  }
  for (ForOp loop : blocks)
    names.push_back(nameDigit(loop.getDim(), 0));
  names.append({nameDigit(fold.getDim(), 0), nameDigit(lane.getDim(), 2),
                nameDigit(lane.getDim(), 1), nameDigit(rows.getDim(), 1),
                nameDigit(fold.getDim(), 1)});
  return makeSchedule(list, names);
}

bool CPUPlanner::planNarrowProduct() {
  if (lanes.size() != 1 || innermost.size() != 1)
    return false;
  ForOp lane = lanes.front(), inner = innermost.front();
  BlockArgument size = getSize(lane);
  if (!size || lane != blocks.back() || !inner.isReduce() ||
      inner->getParentOp() != lane || !isTileOfSome(lane))
    return false;
  auto *digits = llvm::find_if(
      dims, [&](DimDigitsAttr each) { return each.getDim() == lane.getDim(); });
  if (digits->getDigits().size() != 3 ||
      digits->getDigits()[1].getLevel().getKind() != LevelKind::Unroll)
    return false;
  // A tile that is half empty is all masks.
  for (int64_t width = kNarrowLanes; width <= getWidth(); width *= 2)
    addVersion({{size, Bound::Most, width}}, narrowLanes(lane, width));
  addLongProducts(lane, inner);
  addVersion({}, makeSchedule());
  writeVersions();
  return true;
}
