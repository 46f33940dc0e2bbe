//===- CPU.cpp - Schedules of a CPU ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   lanes    CPULanes.cpp
//   blocks   the parallel loops at the root; a block along the lanes has a
//            fixed number of elements. A fold at the root has a partial result
//            a block
//   folds    along the lanes: several vectors of accumulators, folded once at
//            the end; across the lanes: CPUFolds.cpp
//   scans    along the lanes: a vector at a time. At the root blocks fold
//            first, and scan when all have
//   tiles    a fold that reads one operand along the lanes and another that
//            stays keeps a block of accumulators (matrix products)
//
// Block sizes depend on the shape of the program alone, never on the number of
// workers or cores, so the tree of every fold is the same everywhere.
//
//===----------------------------------------------------------------------===//

#include "CPU.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "arrc/Support/ArgCombiner.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Elements of one block along the lanes.
static constexpr int64_t kBlockElements = 16384;
/// The same where each takes a sequence of steps: much, and of some more than
/// of others. The vectors that are one there: a step waits for the one before.
static constexpr int64_t kSequenceElements = 512, kSequenceVectors = 2;
/// Work that is not worth a second worker.
static constexpr int64_t kSmallWork = 16384;
/// Vectors of columns that a scan walks.
static constexpr int64_t kScanVectors = 8;
/// Values that a largest or smallest one is on the way.
static constexpr int64_t kExtremumParts = 3;
/// Vectors that are one where the place of an extremum is looked for.
static constexpr int64_t kPlaceVectors = 2;
/// Operations on vectors that hide how long a fold waits for its addition: two
/// a cycle for four cycles, twice over. So many stand in a step, of one vector
/// or of several.
static constexpr int64_t kHidden = 16;
/// Steps of a sum in a row.
static constexpr int64_t kRun = 32;
/// The same of a sum that is not cut otherwise, and the copies of it beside
/// each other from which on the sums of runs would not fit into registers.
static constexpr int64_t kPlainRun = 128, kManyCopies = 8;

CPUPlanner::CPUPlanner(LaunchOp launch, DeviceAttr device)
    : launch(launch), context(launch.getContext()),
      vectorBytes(device.getInteger("vector_bytes", 64)) {}

void CPUPlanner::run() {
  if (!findRoot() || planRootScan())
    return;
  launch.getBody().walk([&](ForOp loop) {
    if (!hasInnerLoop(loop))
      innermost.push_back(loop);
  });
  chooseLanes();
  Square square = findSquare();
  if (square.inLanes && planSquares(square))
    return;
  if (lanes.empty() && !chooseKnownColumns()) {
    planSquares(square);
    return;
  }
  findBlocks();
  if (planColumnFold())
    return;
  chooseDigits();
  if (!planRows() && !planNarrow() && !planNarrowProduct())
    launch.setScheduleAttr(cutSums(makeSchedule(), {}));
}

bool CPUPlanner::findRoot() {
  for (auto loop : launch.getBody().getOps<ForOp>()) {
    if (root)
      return false;
    root = loop;
  }
  // A dimension within itself would have its digits twice on a path, and two
  // within each other have no order.
  return root && !sortDims().empty();
}

bool CPUPlanner::planRootScan() {
  if (!root.isScan())
    return false;
  // Without a plan it runs in order.
  if (hasInnerLoop(root) || !canSplitScan(root))
    return true;
  std::string dim = root.getDim().str();
  int64_t width = getWidth();
  if (isSmall())
    return true;
  launch.setScheduleAttr(makeSchedule(
      {{dim,
        {digit(LevelKind::Block), digit(LevelKind::Seq, kBlockElements / width),
         digit(LevelKind::Vector, width)}}},
      {dim + ".0", dim + ".1", dim + ".2"}));
  return true;
}

void CPUPlanner::findBlocks() {
  blocks.push_back(root);
  if (root.isReduce())
    return;
  while (true) {
    ForOp inner;
    for (Operation &op : blocks.back().getBodyBlock()->without_terminator()) {
      auto loop = dyn_cast<ForOp>(op);
      if (loop ? static_cast<bool>(inner) || !loop.isParallel()
               : !isScalarOp(&op))
        return;
      if (loop)
        inner = loop;
    }
    if (!inner)
      return;
    blocks.push_back(inner);
  }
}

/// Whether iterations of `op` are sequences of steps.
static bool hasSequence(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isSteps(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool CPUPlanner::isSmall() {
  int64_t work = 1;
  llvm::StringSet<> seen;
  bool known = !hasSequence(launch);
  launch.getBody().walk([&](ForOp loop) {
    known &= loop.getStaticExtent().has_value();
    if (known && seen.insert(loop.getDim()).second)
      work *= *loop.getStaticExtent();
  });
  return known && work <= kSmallWork;
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

SmallVector<ForOp> CPUPlanner::sortDims() {
  // A dimension may have loops beside others and inside of them.
  llvm::MapVector<StringAttr, ForOp> first;
  llvm::DenseMap<StringAttr, llvm::SmallSetVector<StringAttr, 4>> around;
  launch.getBody().walk<WalkOrder::PreOrder>([&](ForOp loop) {
    first.insert({loop.getDimAttr(), loop});
    for (auto outer = loop->getParentOfType<ForOp>(); outer;
         outer = outer->getParentOfType<ForOp>())
      around[loop.getDimAttr()].insert(outer.getDimAttr());
  });
  SmallVector<ForOp> sorted;
  llvm::SmallDenseSet<StringAttr> done;
  while (!first.empty()) {
    auto *next = llvm::find_if(first, [&](auto &entry) {
      return llvm::all_of(around[entry.first],
                          [&](StringAttr dim) { return done.contains(dim); });
    });
    if (next == first.end())
      return {};
    sorted.push_back(next->second);
    done.insert(next->first);
    first.erase(next);
  }
  return sorted;
}

void CPUPlanner::chooseDigits() {
  int64_t width = getWidth();
  bool small = isSmall();
  SmallVector<StringAttr> blockOrder, innerOrder;
  for (ForOp loop : sortDims()) {
    auto lane = llvm::find_if(
        lanes, [&](ForOp l) { return ForOp(l).getDim() == loop.getDim(); });
    auto *block = llvm::find(blocks, loop);
    bool isBlock = block != blocks.end() && !small;
    unsigned axis = blocks.end() - block - 1;
    SmallVector<DigitAttr> digits;
    auto add = [&](LevelAttr at, int64_t size) {
      std::string name = (loop.getDim() + "." + Twine(digits.size())).str();
      (at.isBlock() ? blockOrder : innerOrder)
          .push_back(StringAttr::get(context, name));
      digits.push_back(DigitAttr::get(context, at, size));
    };
    if (lane != lanes.end()) {
      addLanes(*lane, isBlock ? axis : -1, width, add);
    } else {
      bool tiled = llvm::any_of(
          lanes, [&](ForOp along) { return isTiled(loop, along); });
      if (!isBlock && !tiled) {
        keepWhole(loop, innerOrder, digits);
        continue;
      }
      add(isBlock ? level(LevelKind::Block, axis) : level(LevelKind::Seq), 0);
      if (tiled)
        add(level(LevelKind::Unroll), 4);
    }
    dims.push_back(DimDigitsAttr::get(context, loop.getDimAttr(), digits));
  }
  // Jammed loops stand outside of the sequential ones that they share.
  order = blockOrder;
  llvm::append_range(order, innerOrder);
  sortInner(blockOrder.size());
}

void CPUPlanner::keepWhole(ForOp loop, SmallVectorImpl<StringAttr> &names,
                           SmallVectorImpl<DigitAttr> &digits) {
  names.push_back(StringAttr::get(context, loop.getDim() + ".0"));
  digits.push_back(DigitAttr::get(context, level(LevelKind::Seq), 0));
  dims.push_back(DimDigitsAttr::get(context, loop.getDimAttr(), digits));
}

/// Whether a scan stands below `loop`.
static bool hasScan(ForOp loop) {
  return loop.getBody()
      .walk([](PrefixOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

bool arrc::kernel::isExtremum(ForOp fold) {
  return llvm::all_of(fold.getCombiner().front().without_terminator(),
                      [](Operation &op) {
                        return isa<arith::MaximumFOp, arith::MinimumFOp>(op);
                      });
}

int64_t arrc::kernel::countOperations(ForOp loop) {
  int64_t operations = 1;
  loop.getBody().walk([&](Operation *op) {
    // Places are computed once a vector, or beside its arithmetic.
    operations +=
        op->getNumResults() == 1 && op->getNumRegions() == 0 &&
        isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
        !op->getResult(0).getType().isIndex() &&
        !op->hasTrait<OpTrait::ConstantLike>();
  });
  return operations;
}

int64_t arrc::kernel::getFoldVectors(ForOp loop) {
  if (isExpensive(loop))
    return 1;
  int64_t needed = llvm::bit_ceil<uint64_t>(kHidden / countOperations(loop));
  return std::clamp<int64_t>(needed, 1, kFoldVectors);
}

bool arrc::kernel::isInOrder(ForOp loop) {
  return loop.isScan() ||
         (loop.isReduce() && !isCommutativeCombiner(loop.getCombiner()));
}

int64_t arrc::kernel::countParts(ForOp fold) {
  return isExtremum(fold) ? kExtremumParts : fold.getNumResults();
}

void CPUPlanner::addLanes(ForOp loop, int axis, int64_t width,
                          function_ref<void(LevelAttr, int64_t)> add) {
  bool folds = false, sums = false, scans = false, extrema = true;
  int64_t vectors = kFoldVectors;
  launch.getBody().walk([&](ForOp other) {
    if (other.getDim() != loop.getDim())
      return;
    folds |= other.isReduce();
    scans |= other.isScan();
    sums |= other.isReduce() && rounds(other);
    vectors = std::min(vectors, getFoldVectors(other));
    extrema &= !other.isReduce() || isExtremum(other);
  });
  bool around = hasInnerLoop(loop);
  int64_t unroll = 1;
  if (folds)
    unroll = findsPlaces() ? 1
             : extrema     ? std::min(kExtremumVectors, vectors)
                           : vectors;
  if (around)
    unroll = isTileOfSome(loop) ? 2
             : hasScan(loop)    ? kScanVectors
                                : kFoldVectors;
  // A scan takes one vector after the other.
  if (scans) {
    unroll = 1;
    sums = false;
  }
  if (std::optional<int64_t> extent = loop.getStaticExtent()) {
    while (width > 4 && width / 2 >= *extent)
      width /= 2;
    while (unroll > 1 && width * unroll / 2 >= *extent)
      unroll /= 2;
  }
  int64_t elements =
      !folds && hasSequence(loop) ? kSequenceElements : kBlockElements;
  int64_t steps = std::max<int64_t>(elements / (width * unroll), 1);
  std::optional<int64_t> extent = loop.getStaticExtent();
  bool isShort = extent && *extent <= steps * width * unroll && axis == 0 &&
                 blocks.size() > 1;
  if (axis >= 0 && !isShort) {
    add(level(LevelKind::Block, axis), 0);
    // Sums run in levels: errors grow with each run, not with all terms.
    bool runs = sums && !around && steps > kRun;
    if (runs)
      add(level(LevelKind::Seq), steps / kRun);
    if (!around)
      add(level(LevelKind::Seq), runs ? kRun : steps);
  } else {
    add(level(LevelKind::Seq), 0);
    for (int more = 0; more < 2; ++more)
      if (sums && !around && (!extent || *extent > kBlockElements))
        add(level(LevelKind::Seq), kRun);
  }
  if (unroll > 1)
    add(level(LevelKind::Unroll), unroll);
  add(level(LevelKind::Vector), width);
}

void CPUPlanner::sortInner(size_t first) {
  // The digits of a scan, and of a fold that does not commute, stay in the
  // order of the elements. Other folds join their vectors before their lanes.
  llvm::StringSet<> scanned, folded;
  launch.getBody().walk([&](ForOp loop) {
    if (!loop.isParallel())
      (isInOrder(loop) ? scanned : folded).insert(loop.getDim());
  });
  auto rank = [&](StringAttr digit) -> unsigned {
    auto [dim, number] = digit.getValue().rsplit('.');
    if (scanned.contains(dim))
      return 2;
    unsigned index = 0;
    (void)number.getAsInteger(10, index);
    for (DimDigitsAttr digits : dims)
      if (digits.getDim() == dim)
        switch (digits.getDigits()[index].getLevel().getKind()) {
        case LevelKind::Unroll:
          return folded.contains(dim) ? 1 : 0;
        case LevelKind::Vector:
          return folded.contains(dim) ? 0 : 1;
        default:
          return 2;
        }
    return 2;
  };
  // Only neighbours of one dimension change places: other dimensions may be
  // loops inside.
  auto sameDim = [](StringAttr a, StringAttr b) {
    return a.getValue().rsplit('.').first == b.getValue().rsplit('.').first;
  };
  for (size_t i = first + 1; i < order.size(); ++i)
    for (size_t k = i; k > first && sameDim(order[k], order[k - 1]) &&
                       rank(order[k]) < rank(order[k - 1]);
         --k)
      std::swap(order[k], order[k - 1]);
}

//===----------------------------------------------------------------------===//
// Schedules and versions
//===----------------------------------------------------------------------===//

bool CPUPlanner::findsPlaces() const {
  return LaunchOp(launch)
      .walk([](ForOp loop) {
        for (unsigned k = 0; loop.isReduce() && k < loop.getNumResults(); ++k)
          if (matchArgStep(loop.getCombiner(), k))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

int64_t CPUPlanner::getWidth() const {
  // Lanes keep a value and a count of its width, whatever the index that is
  // stored; what waits for itself is two comparisons, which several vectors
  // hide.
  if (findsPlaces()) {
    int64_t bytes = 4;
    LaunchOp(launch)->walk([&](LoadOp load) {
      bytes = std::max(bytes, kernel::getElementBytes(load.getSource()));
    });
    return kPlaceVectors * vectorBytes / bytes;
  }
  int64_t vectors = hasSequence(launch) ? kSequenceVectors : 1;
  return std::max<int64_t>(vectors * vectorBytes / getElementBytes(launch), 4);
}

ScheduleAttr CPUPlanner::makeSchedule(bool splitBoundary) const {
  return ScheduleAttr::get(context, dims, order, {}, {}, {}, {}, splitBoundary,
                           64);
}

ScheduleAttr
CPUPlanner::makeSchedule(ArrayRef<std::pair<std::string, Digits>> digits,
                         ArrayRef<std::string> names) {
  SmallVector<DimDigitsAttr> all;
  for (auto &[dim, list] : digits)
    all.push_back(
        DimDigitsAttr::get(context, StringAttr::get(context, dim), list));
  SmallVector<StringAttr> places;
  for (const std::string &name : names)
    places.push_back(StringAttr::get(context, name));
  return ScheduleAttr::get(context, all, places, {}, {}, {}, {},
                           /*splitBoundary=*/true, 64);
}

BlockArgument CPUPlanner::getSize(ForOp loop) {
  auto size = dyn_cast_if_present<BlockArgument>(loop.getExtent());
  return size && size.getOwner() == launch.getBodyBlock() ? size
                                                          : BlockArgument();
}

void CPUPlanner::addVersion(ArrayRef<Condition> conditions,
                            ScheduleAttr schedule) {
  if (versions.empty() || !versions.back().first.empty())
    versions.push_back({SmallVector<Condition>(conditions), schedule});
}

void CPUPlanner::addVersionIf(ArrayRef<Condition> given, ForOp loop,
                              Bound bound, int64_t limit,
                              function_ref<ScheduleAttr()> makeIt) {
  SmallVector<Condition> conditions(given);
  if (require(loop, bound, limit, conditions))
    addVersion(conditions, makeIt());
}

ScheduleAttr CPUPlanner::cutSums(ScheduleAttr schedule,
                                 ArrayRef<Condition> conditions) {
  // The accumulators of a product fill the registers.
  if (llvm::any_of(lanes, [&](ForOp along) { return isTileOfSome(along); }))
    return schedule;
  SmallVector<DimDigitsAttr> all(schedule.getDims());
  SmallVector<StringAttr> names(schedule.getOrder());
  auto getDim = [](StringAttr name) {
    return name.getValue().rsplit('.').first;
  };
  for (DimDigitsAttr &each : all) {
    StringRef dim = each.getDim();
    SmallVector<DigitAttr> digits(each.getDigits());
    auto isSeq = [](DigitAttr digit) { return digit.getLevel().isSeq(); };
    auto *open = llvm::find_if(digits, isSeq);
    if (open == digits.end() || open->getSize() ||
        llvm::count_if(digits, isSeq) > 1)
      continue;
    bool sums = true;
    llvm::StringSet<> inside;
    launch.getBody().walk([&](ForOp loop) {
      if (loop.getDim() != dim)
        return;
      std::optional<int64_t> extent = loop.getStaticExtent();
      sums &= loop.isReduce() && rounds(loop) &&
              isCommutativeCombiner(loop.getCombiner()) &&
              (!extent || *extent > 4 * kPlainRun) &&
              llvm::none_of(conditions, [&](const Condition &condition) {
                return condition.size == getSize(loop) &&
                       condition.bound != Bound::Least;
              });
      loop.getBody().walk([&](ForOp inner) { inside.insert(inner.getDim()); });
    });
    int64_t copies = 1;
    for (DimDigitsAttr other : all)
      for (DigitAttr digit : other.getDigits())
        if (digit.getLevel().getKind() == LevelKind::Unroll)
          copies *= digit.getSize();
    size_t position = open - digits.begin();
    auto *at =
        llvm::find(names, StringAttr::get(context, nameDigit(dim, position)));
    // What stands below has its accumulators in memory, unless it is folded.
    if (!sums || copies >= kManyCopies ||
        !std::all_of(at, names.end(), [&](StringAttr name) {
          return getDim(name) == dim || inside.contains(getDim(name));
        }))
      continue;
    size_t place = at - names.begin();
    for (StringAttr &name : names) {
      unsigned number = 0;
      if (getDim(name) == dim &&
          !name.getValue().rsplit('.').second.getAsInteger(10, number) &&
          number > position)
        name = StringAttr::get(context, nameDigit(dim, number + 1));
    }
    names.insert(names.begin() + place + 1,
                 StringAttr::get(context, nameDigit(dim, position + 1)));
    digits.insert(digits.begin() + position + 1,
                  digit(LevelKind::Seq, kPlainRun));
    each = DimDigitsAttr::get(context, each.getDim(), digits);
  }
  return ScheduleAttr::get(context, all, names, {}, {}, {}, {},
                           schedule.getSplitBoundary(), 64);
}

void CPUPlanner::writeVersions() {
  // A version stands for what those before it were not taken for.
  SmallVector<Condition> rest;
  for (auto &[conditions, schedule] : versions) {
    SmallVector<Condition> known(conditions);
    llvm::append_range(known, rest);
    schedule = cutSums(schedule, known);
    if (conditions.size() == 1 && conditions[0].bound == Bound::Least)
      rest.push_back({conditions[0].size, Bound::Most, conditions[0].limit});
  }
  if (versions.size() == 1) {
    launch.setScheduleAttr(versions.front().second);
    return;
  }
  llvm::SetVector<BlockArgument> sizes;
  for (auto &[conditions, schedule] : versions)
    for (const Condition &condition : conditions)
      sizes.insert(condition.size);
  SmallVector<Attribute> list;
  for (auto &[conditions, schedule] : versions) {
    SmallVector<AffineExpr> forms;
    SmallVector<bool> equal;
    for (const Condition &condition : conditions) {
      const auto *at = llvm::find(sizes, condition.size);
      AffineExpr size =
          getAffineSymbolExpr(std::distance(sizes.begin(), at), context);
      forms.push_back(condition.bound == Bound::Most ? condition.limit - size
                                                     : size - condition.limit);
      equal.push_back(condition.bound == Bound::Equal);
    }
    IntegerSetAttr when;
    if (!forms.empty())
      when =
          IntegerSetAttr::get(IntegerSet::get(0, sizes.size(), forms, equal));
    list.push_back(VersionAttr::get(context, when, schedule));
  }
  launch.setVersionsAttr(Builder(context).getArrayAttr(list));
  SmallVector<int64_t> numbers;
  for (BlockArgument size : sizes)
    numbers.push_back(size.getArgNumber());
  launch.setVersionSizes(numbers);
}

void arrc::kernel::planForCPU(LaunchOp launch, DeviceAttr device) {
  CPUPlanner(launch, device).run();
}
