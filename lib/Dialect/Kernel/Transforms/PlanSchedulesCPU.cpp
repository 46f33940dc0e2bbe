//===- PlanSchedulesCPU.cpp - Schedules of a CPU --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   lanes    along the dimension in which most accesses are contiguous: the
//            innermost loop, or a parallel loop around it (sums of columns,
//            matrix products), never a gather where a unit step is to be had
//   blocks   the parallel loops at the root; a block along the lanes has a
//            fixed number of elements. A fold at the root has a partial result
//            a block
//   folds    along the lanes: several vectors of accumulators, folded once at
//            the end; across the lanes: a few vectors of columns at a time
//   tiles    a fold that reads one operand along the lanes and another that
//            stays keeps a block of accumulators (matrix products)
//
// Block sizes depend on the shape of the program alone, never on the number of
// workers or cores, so the tree of every fold is the same everywhere.
//
//===----------------------------------------------------------------------===//

#include "PlanSchedules.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/Combiner.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Elements of one block along the lanes.
static constexpr int64_t kBlockElements = 16384;
/// Work that is not worth a second worker.
static constexpr int64_t kSmallWork = 16384;
/// Columns of a tile whose accumulators stay in the first cache.
static constexpr int64_t kColumnElements = 1024;
/// Rows from which on they are cut into blocks, and how many of those.
static constexpr int64_t kManyRows = 1024, kRowBlocks = 32;
/// Accumulators of a fold, in vectors.
static constexpr int64_t kFoldVectors = 4;
/// Steps of a sum in a row.
static constexpr int64_t kRun = 16;

//===----------------------------------------------------------------------===//
// Legality and profitability
//===----------------------------------------------------------------------===//

/// Whether lanes along `loop` are possible at all.
static bool mayRunInLanes(ForOp loop, const Variation &variation) {
  if (loop.isScan() || !variation.isUniform() ||
      (loop.getStaticExtent() && *loop.getStaticExtent() < 4))
    return false;
  if (loop.isReduce() && !isCommutativeCombiner(loop.getCombiner()))
    return false;
  return !loop.getBody()
              .walk([](Operation *op) {
                bool never = isa<LocalOp, scf::WhileOp, scf::ForOp, CheckOp,
                                 UpdateOp, PrefixOp>(op) ||
                             llvm::any_of(op->getResultTypes(), [](Type type) {
                               return isa<ComplexType>(type);
                             });
                return never ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Contiguous accesses along `loop`, each gather counted as two less.
static int scoreLanes(ForOp loop) {
  Variation variation(loop);
  if (!mayRunInLanes(loop, variation))
    return -1000;
  AccessScore score = scoreAccesses(loop, variation);
  return score.contiguous - 2 * score.gathers;
}

//===----------------------------------------------------------------------===//
// Planner
//===----------------------------------------------------------------------===//

namespace {

/// Plans one launch.
class Planner {
public:
  Planner(LaunchOp launch, DeviceAttr device)
      : launch(launch), context(launch.getContext()),
        vectorBytes(device.getInteger("vector_bytes", 64)) {}

  /// Writes the schedule, unless the launch is better left to the lowering.
  void run() {
    if (!findRoot())
      return;
    launch.getBody().walk([&](ForOp loop) {
      if (!hasInnerLoop(loop))
        innermost.push_back(loop);
    });
    chooseLanes();
    if (lanes.empty())
      return;
    findBlocks();
    if (planColumnFold())
      return;
    chooseDigits();
    if (!planShortRows())
      launch.setScheduleAttr(makeSchedule());
  }

private:
  /// The one loop at the root, unless it must run in order.
  bool findRoot() {
    for (auto loop : launch.getBody().getOps<ForOp>()) {
      if (root)
        return false;
      root = loop;
    }
    if (!root || root.isScan())
      return false;
    // A dimension within itself would have its digits twice on a path.
    return !hasNestedDim(launch);
  }

  /// For each innermost loop the best of it and the parallel loops around it.
  void chooseLanes() {
    llvm::MapVector<Operation *, int> scores;
    auto score = [&](ForOp loop) {
      auto [it, isNew] = scores.insert({loop, 0});
      if (isNew)
        it->second = scoreLanes(loop);
      return it->second;
    };
    for (ForOp loop : innermost) {
      ForOp best = loop;
      for (auto outer = dyn_cast<ForOp>(loop->getParentOp());
           outer && outer.isParallel();
           outer = dyn_cast<ForOp>(outer->getParentOp()))
        if (score(outer) > score(best))
          best = outer;
      if (score(best) > 0)
        lanes.insert(best);
    }
    // Lanes do not nest: the choice that gains more stays.
    for (ForOp loop : llvm::to_vector(lanes)) {
      SmallVector<ForOp> inside;
      int sum = 0;
      for (ForOp other : lanes)
        if (loop->isProperAncestor(other)) {
          inside.push_back(other);
          sum += score(other);
        }
      if (inside.empty())
        continue;
      if (sum >= score(loop))
        lanes.remove(loop);
      else
        for (ForOp other : inside)
          lanes.remove(other);
    }
    // A dimension has the same digits everywhere.
    llvm::StringSet<> refused;
    launch.getBody().walk([&](ForOp loop) {
      if (lanes.contains(loop))
        return;
      bool nested = llvm::any_of(lanes, [&](ForOp other) {
        return loop->isAncestor(other) || other->isAncestor(loop);
      });
      if (nested || loop.isScan())
        refused.insert(loop.getDim());
    });
    for (ForOp loop : llvm::to_vector(lanes))
      if (refused.contains(loop.getDim()))
        lanes.remove(loop);
  }

  /// The parallel loops that make up the root, or its fold.
  void findBlocks() {
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

  /// Product of all extents, if they are numbers.
  std::optional<int64_t> getWork() {
    int64_t work = 1;
    llvm::StringSet<> seen;
    bool known = true;
    launch.getBody().walk([&](ForOp loop) {
      known &= loop.getStaticExtent().has_value();
      if (known && seen.insert(loop.getDim()).second)
        work *= *loop.getStaticExtent();
    });
    return known ? std::optional(work) : std::nullopt;
  }

  ScheduleAttr makeSchedule() {
    return ScheduleAttr::get(context, dims, order, {}, {}, {}, {},
                             /*splitBoundary=*/true, 64);
  }

  LevelAttr level(LevelKind kind, unsigned axis = 0) {
    return LevelAttr::get(context, kind, axis);
  }

  /// Whether `loop` is around lanes that fold: then one operand of the fold may
  /// stay while `loop` goes on, and another while the lanes do.
  bool isTiled(ForOp loop, ForOp along) {
    if (!loop.isParallel() || !loop->isProperAncestor(along) ||
        !hasInnerLoop(along))
      return false;
    Variation outer(loop), inner(along);
    bool staysOuter = false, staysInner = false;
    along.getBody().walk([&](LoadOp load) {
      if (load->getParentOp() == along)
        return;
      auto stays = [&](const Variation &variation) {
        return llvm::none_of(load.getIndices(), [&](Value index) {
          return variation.contains(index);
        });
      };
      staysOuter |= stays(outer) && !stays(inner);
      staysInner |= stays(inner) && !stays(outer);
    });
    return staysOuter && staysInner;
  }

  /// The fold inside the lanes that walks whole rows: it reads along the lanes,
  /// and with each step another row. Nothing else may stand in the launch.
  ForOp findColumnFold(ForOp along) {
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

  void setPlan(ArrayRef<std::pair<StringRef, SmallVector<DigitAttr>>> digits,
               ArrayRef<StringRef> names) {
    dims.clear();
    order.clear();
    for (auto &[dim, list] : digits)
      dims.push_back(
          DimDigitsAttr::get(context, StringAttr::get(context, dim), list));
    for (StringRef name : names)
      order.push_back(StringAttr::get(context, name));
  }

  /// Sums of columns: whole rows are added to accumulators in memory. Many rows
  /// are cut into blocks; else tiles of columns are.
  bool planColumnFold() {
    ForOp along = blocks.back();
    if (lanes.size() != 1 || lanes[0] != along || innermost.size() != 1 ||
        isTileOfSome(along))
      return false;
    ForOp fold = findColumnFold(along);
    if (!fold)
      return false;
    int64_t width = std::max<int64_t>(vectorBytes / getElementBytes(launch), 4);
    auto digit = [&](LevelAttr at, int64_t size = 0) {
      return DigitAttr::get(context, at, size);
    };
    std::string kept = along.getDim().str(), folded = fold.getDim().str();
    DigitAttr vector = digit(level(LevelKind::Vector), width);
    DigitAttr seq = digit(level(LevelKind::Seq));
    // Tiles of columns below all outer dimensions.
    SmallVector<std::pair<StringRef, SmallVector<DigitAttr>>> digits;
    SmallVector<std::string> names;
    for (auto [i, outer] : llvm::enumerate(ArrayRef(blocks).drop_back())) {
      unsigned axis = blocks.size() - 1 - i;
      digits.push_back(
          {ForOp(outer).getDim(), {digit(level(LevelKind::Block, axis))}});
      names.push_back((ForOp(outer).getDim() + ".0").str());
    }
    digits.push_back(
        {kept,
         {digit(level(LevelKind::Block, 0)),
          digit(level(LevelKind::Seq), kColumnElements / width), vector}});
    digits.push_back({folded, {seq}});
    names.push_back(kept + ".0");
    names.push_back(folded + ".0");
    names.push_back(kept + ".2");
    names.push_back(kept + ".1");
    setPlan(digits, SmallVector<StringRef>(names.begin(), names.end()));
    ScheduleAttr tiles = makeSchedule();
    auto rows = dyn_cast_if_present<BlockArgument>(fold.getExtent());
    bool isArgument = rows && rows.getOwner() == launch.getBodyBlock();
    bool isMany = fold.getStaticExtent().value_or(0) >= kManyRows;
    if (blocks.size() != 1 || (!isArgument && !isMany)) {
      launch.setScheduleAttr(tiles);
      return true;
    }
    // Blocks of rows, each with accumulators for all columns.
    std::string cutNames[] = {folded + ".0", folded + ".1", kept + ".1",
                              kept + ".0"};
    setPlan({{folded, {digit(level(LevelKind::Block, 0), kRowBlocks), seq}},
             {kept, {seq, vector}}},
            SmallVector<StringRef>(std::begin(cutNames), std::end(cutNames)));
    ScheduleAttr cut = makeSchedule();
    if (isMany) {
      launch.setScheduleAttr(cut);
      return true;
    }
    setVersions(rows, kManyRows, cut, tiles);
    return true;
  }

  /// `large` where the size is at least `limit`, else `other`.
  void setVersions(BlockArgument size, int64_t limit, ScheduleAttr large,
                   ScheduleAttr other) {
    auto when = IntegerSet::get(0, 1, {getAffineSymbolExpr(0, context) - limit},
                                {false});
    launch.setVersionsAttr(Builder(context).getArrayAttr(
        {VersionAttr::get(context, IntegerSetAttr::get(when), large),
         VersionAttr::get(context, IntegerSetAttr(), other)}));
    launch.setVersionSizes(
        SmallVector<int64_t>{static_cast<int64_t>(size.getArgNumber())});
  }

  /// Folds along the lanes of rows that may be shorter than one step of all
  /// accumulators: then lanes cost more than they give, and the rows run
  /// element by element.
  bool planShortRows() {
    ForOp first = lanes.front();
    if (blocks.front() == first || !first.isReduce())
      return false;
    StringAttr dim = first.getDimAttr();
    BlockArgument size;
    for (ForOp loop : lanes) {
      auto extent = dyn_cast_if_present<BlockArgument>(loop.getExtent());
      if (loop.getDimAttr() != dim || !extent ||
          extent.getOwner() != launch.getBodyBlock() ||
          (size && size != extent))
        return false;
      size = extent;
    }
    ScheduleAttr full = makeSchedule();
    int64_t step = 1;
    SmallVector<DimDigitsAttr> shortDims;
    for (DimDigitsAttr digits : dims) {
      if (digits.getDim() != dim) {
        shortDims.push_back(digits);
        continue;
      }
      for (DigitAttr digit : digits.getDigits())
        step *= digit.getLevel().isSeq() ? 1 : digit.getSize();
      if (!digits.getDigits().front().getLevel().isSeq())
        return false;
      shortDims.push_back(DimDigitsAttr::get(
          context, dim, {DigitAttr::get(context, level(LevelKind::Seq), 0)}));
    }
    SmallVector<StringAttr> shortOrder;
    for (StringAttr digit : order)
      if (digit.getValue().rsplit('.').first != dim.getValue() ||
          digit.getValue().ends_with(".0"))
        shortOrder.push_back(digit);
    setVersions(size, step, full,
                ScheduleAttr::get(context, shortDims, shortOrder, {}, {}, {},
                                  {}, /*splitBoundary=*/false, 64));
    return true;
  }

  void chooseDigits() {
    int64_t width = std::max<int64_t>(vectorBytes / getElementBytes(launch), 4);
    std::optional<int64_t> work = getWork();
    bool small = work && *work <= kSmallWork;
    SmallVector<StringAttr> blockOrder, innerOrder;
    llvm::StringSet<> done;
    // In nest order: outer dimensions first.
    launch.getBody().walk<WalkOrder::PreOrder>([&](ForOp loop) {
      if (!done.insert(loop.getDim()).second)
        return;
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
        if (!isBlock && !tiled)
          return keepWhole(loop, innerOrder, digits);
        add(isBlock ? level(LevelKind::Block, axis) : level(LevelKind::Seq), 0);
        if (tiled)
          add(level(LevelKind::Unroll), 4);
      }
      dims.push_back(DimDigitsAttr::get(context, loop.getDimAttr(), digits));
    });
    // Jammed loops stand outside of the sequential ones that they share.
    order = blockOrder;
    llvm::append_range(order, innerOrder);
    sortInner(blockOrder.size());
  }

  /// One sequential digit.
  void keepWhole(ForOp loop, SmallVectorImpl<StringAttr> &names,
                 SmallVectorImpl<DigitAttr> &digits) {
    names.push_back(StringAttr::get(context, loop.getDim() + ".0"));
    digits.push_back(DigitAttr::get(context, level(LevelKind::Seq), 0));
    dims.push_back(DimDigitsAttr::get(context, loop.getDimAttr(), digits));
  }

  /// The digits of a dimension with lanes; `axis` is -1 without blocks.
  void addLanes(ForOp loop, int axis, int64_t width,
                function_ref<void(LevelAttr, int64_t)> add) {
    bool folds = false, sums = false, expensive = false;
    launch.getBody().walk([&](ForOp other) {
      if (other.getDim() != loop.getDim())
        return;
      folds |= other.isReduce();
      sums |= other.isReduce() && rounds(other);
      expensive |= isExpensive(other);
    });
    bool around = hasInnerLoop(loop);
    int64_t unroll = 1;
    if (folds)
      unroll = expensive ? 1 : kFoldVectors;
    if (around)
      unroll = isTileOfSome(loop) ? 2 : kFoldVectors;
    if (std::optional<int64_t> extent = loop.getStaticExtent()) {
      while (width > 4 && width / 2 >= *extent)
        width /= 2;
      while (unroll > 1 && width * unroll / 2 >= *extent)
        unroll /= 2;
    }
    int64_t steps = std::max<int64_t>(kBlockElements / (width * unroll), 1);
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
          add(level(LevelKind::Seq), 2 * kRun);
    }
    if (unroll > 1)
      add(level(LevelKind::Unroll), unroll);
    add(level(LevelKind::Vector), width);
  }

  bool isTileOfSome(ForOp along) {
    for (auto outer = along->getParentOfType<ForOp>(); outer;
         outer = outer->getParentOfType<ForOp>())
      if (isTiled(outer, along))
        return true;
    return false;
  }

  /// Within each dimension: unroll, vector, then seq; dimensions that share a
  /// nest keep their jammed digits outside of its sequential ones.
  void sortInner(size_t first) {
    auto rank = [&](StringAttr digit) -> unsigned {
      auto [dim, number] = digit.getValue().rsplit('.');
      unsigned index = 0;
      (void)number.getAsInteger(10, index);
      for (DimDigitsAttr digits : dims)
        if (digits.getDim() == dim)
          switch (digits.getDigits()[index].getLevel().getKind()) {
          case LevelKind::Unroll:
            return 0;
          case LevelKind::Vector:
            return 1;
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

  LaunchOp launch;
  MLIRContext *context;
  int64_t vectorBytes;
  ForOp root;
  SmallVector<ForOp> innermost, blocks;
  llvm::SetVector<ForOp> lanes;
  SmallVector<DimDigitsAttr> dims;
  SmallVector<StringAttr> order;
};

} // namespace

void arrc::kernel::planForCPU(LaunchOp launch, DeviceAttr device) {
  Planner(launch, device).run();
}
