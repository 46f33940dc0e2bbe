//===- Device.cpp - Schedules of blocks of threads ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each root loop is planned alone: it becomes a grid of its own.
//
//   maps     the parallel loops at the root. Threads along the dimension in
//            which accesses are contiguous (and along the next one, where there
//            is one), blocks along the others; what stands inside runs in each
//            thread. i = [block.0, unroll 2, thread.x 256, vector 4]
//   rows     inner loops that walk memory while the outer ones jump: a block
//            or a thread.y a row, thread.x along the row. By its length
//            i = [block.0, thread.y 8], j = [seq, unroll 4, thread.x 32]
//   folds    at the root: blocks of spans, several loads a thread under way.
//            i = [block.0, seq 8, unroll 4, thread.x 256, vector 4].
//            Operators that do not commute keep the digits in index order:
//            i = [block.0 1056, thread.x 256, seq]
//
// Thread counts are numbers of the schedule alone, so the tree of every fold is
// the same for the same row of the device table. A root that runs at `seq` runs
// in one thread: that is always right, and what is left for scans that cannot
// be split. Others are cut like folds that do not commute:
// i = [block.0, thread.x 256, seq 8]
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "../Shared/NestScalars.h"
#include "WideVersions.h"

#include "arrc/Analysis/CostModel.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Support/Combiner.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Threads of a block.
static constexpr int64_t kThreads = 256;
/// Blocks a multiprocessor of a grid whose size does not follow the data.
static constexpr int64_t kBlocksPerUnit = 8;
/// Operations, and values carried on, of sequences that a thread steps through
/// for several iterations together.
static constexpr int64_t kSequenceWork = 48, kSequenceValues = 4;
/// Iterations that a loop counts for around an access, if it has as many.
static constexpr int64_t kIterations = 16;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

ForOp arrc::kernel::findOnlyFold(ForOp loop, bool stores) {
  ForOp fold;
  for (Operation &op : loop.getBodyBlock()->without_terminator()) {
    if (auto inner = dyn_cast<ForOp>(op)) {
      if (fold)
        return {};
      fold = inner;
    } else if (!isScalarOp(&op) && !isa<LoadOp>(op) &&
               !(stores && fold && isa<StoreOp>(op))) {
      return {};
    }
  }
  return fold && fold.isReduce() && isCommutativeCombiner(fold.getCombiner())
             ? fold
             : ForOp();
}

bool arrc::kernel::isHostExtent(ForOp loop) {
  if (!loop.getExtent())
    return true;
  SmallVector<Value> work{loop.getExtent()};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (!isa<LaunchOp>(argument.getOwner()->getParentOp()))
        return false;
      continue;
    }
    if (!isScalarOp(value.getDefiningOp()))
      return false;
    llvm::append_range(work, value.getDefiningOp()->getOperands());
  }
  return true;
}

bool arrc::kernel::mayBeJammed(ForOp loop) {
  return !holds<scf::WhileOp, scf::ForOp, UpdateOp, LocalOp, PrefixOp>(loop);
}

bool arrc::kernel::mayStepTogether(ArrayRef<ForOp> nest) {
  ForOp last = nest.back();
  if (holds<scf::WhileOp, UpdateOp, LocalOp, PrefixOp, ForOp>(last))
    return false;
  auto isOutside = [&](Value bound) {
    return !ForOp(nest.front())
                ->isAncestor(bound.getParentRegion()->getParentOp());
  };
  int64_t operations = 0, carried = 0;
  bool isSame = true;
  last.getBody().walk([&](Operation *op) {
    operations += std::max<int64_t>(getWork(op), 0);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      carried += loop.getNumResults();
      // In a branch each iteration would have a loop of its own.
      isSame &= !loop->getParentOfType<scf::IfOp>();
      isSame &= isOutside(loop.getLowerBound()) &&
                isOutside(loop.getUpperBound()) && isOutside(loop.getStep());
    }
  });
  return isSame && operations <= kSequenceWork && carried <= kSequenceValues;
}

//===----------------------------------------------------------------------===//
// Planner
//===----------------------------------------------------------------------===//

int64_t DevicePlanner::getFixedBlocks() const { return units * kBlocksPerUnit; }

int64_t DevicePlanner::getThreads() const {
  return std::min(kThreads, maxThreads);
}

/// Whether the digits of a loop may stand in any order; scans and folds that do
/// not commute keep theirs.
static bool mayOrderDigits(ForOp loop) {
  return loop.isParallel() ||
         (loop.isReduce() && isCommutativeCombiner(loop.getCombiner()));
}

/// Threads that fold a row stand outside of what each of them folds, those that
/// scan it inside: loops that keep the order of their digits get a dimension of
/// their own where one before them has another order.
static void separateScans(ForOp root,
                          function_ref<StringAttr(ForOp, StringRef)> rename) {
  llvm::DenseSet<StringAttr> ordered, free;
  llvm::DenseMap<StringAttr, StringAttr> names;
  SmallVector<ForOp> loops;
  root->walk<WalkOrder::PreOrder>([&](ForOp loop) { loops.push_back(loop); });
  for (ForOp loop : loops) {
    StringAttr dim = loop.getDimAttr();
    if (mayOrderDigits(loop)) {
      free.insert(dim);
    } else if (ordered.contains(dim) || !free.contains(dim)) {
      ordered.insert(dim);
    } else if (StringAttr name = names.lookup(dim)) {
      loop.setDim(name);
    } else {
      names[dim] = rename(loop, dim);
      ordered.insert(names[dim]);
    }
  }
}

void DevicePlanner::separateDims() {
  llvm::StringSet<> used;
  launch.getBody().walk([&](ForOp loop) { used.insert(loop.getDim()); });
  auto rename = [&](ForOp loop, StringRef old) {
    std::string name;
    for (unsigned k = 2;
         !used.insert(name = (old + "_" + Twine(k)).str()).second; ++k)
      ;
    StringAttr from = StringAttr::get(context, old);
    loop->walk([&](ForOp inner) {
      if (inner.getDimAttr() == from)
        inner.setDim(name);
    });
    return StringAttr::get(context, name);
  };
  // Root loops share nothing on chip; a dimension within itself is another one.
  llvm::StringSet<> before;
  for (auto root : launch.getBody().getOps<ForOp>()) {
    llvm::SetVector<StringAttr> mine;
    root->walk([&](ForOp loop) { mine.insert(loop.getDimAttr()); });
    for (StringAttr dim : mine)
      if (before.contains(dim))
        rename(root, dim);
    root->walk<WalkOrder::PreOrder>([&](ForOp loop) {
      for (auto outer = loop->getParentOfType<ForOp>(); outer;
           outer = outer->getParentOfType<ForOp>())
        if (outer.getDim() == loop.getDim()) {
          rename(loop, loop.getDim());
          break;
        }
    });
    separateScans(root, rename);
    root->walk([&](ForOp loop) { before.insert(loop.getDim()); });
  }
}

void DevicePlanner::setDigits(ForOp loop, DigitList list, unsigned blockAxis,
                              unsigned threadAxis) {
  Digits digits;
  for (auto [kind, size] : list) {
    // One iteration needs no loop; a thread does, to be told apart.
    if (size == 1 && kind != LevelKind::Block)
      continue;
    unsigned axis = kind == LevelKind::Block    ? blockAxis
                    : kind == LevelKind::Thread ? threadAxis
                                                : 0;
    digits.push_back(
        DigitAttr::get(context, LevelAttr::get(context, kind, axis), size));
  }
  dims[loop.getDimAttr()] = std::move(digits);
}

void DevicePlanner::setGrid(ArrayRef<ForOp> nest, ForOp lane, int64_t x,
                            int64_t width, ForOp beside, int64_t y,
                            int64_t copies) {
  unsigned axis = nest.size();
  for (ForOp loop : nest) {
    --axis;
    if (loop == lane)
      setDigits(loop,
                {{LevelKind::Block, 0},
                 {LevelKind::Thread, x},
                 {LevelKind::Vector, width}},
                axis, 0);
    else
      setDigits(loop,
                {{LevelKind::Block, 0},
                 {LevelKind::Thread, loop == beside ? y : 1},
                 {LevelKind::Unroll, loop == beside ? copies : 1}},
                axis, 1);
  }
}

StringAttr DevicePlanner::getDigitName(ForOp loop, unsigned digit) {
  return StringAttr::get(context, loop.getDim() + "." + Twine(digit));
}

StringAttr DevicePlanner::nameArray(Value array) {
  unsigned number = cast<BlockArgument>(array).getArgNumber();
  auto name = StringAttr::get(context, "S" + Twine(number));
  launch.setArgName(number, name);
  return name;
}

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

int64_t arrc::kernel::getIterations(Operation *op) {
  if (!isa<ForOp, scf::ForOp, scf::WhileOp>(op))
    return 1;
  int64_t count = kIterations;
  if (auto loop = dyn_cast<ForOp>(op))
    if (loop.getStaticExtent())
      count = *loop.getStaticExtent();
  return std::clamp<int64_t>(count, 1, kIterations);
}

/// Bytes to neighbours count for `loop`, those far from each other against it;
/// loops around an access count as a few iterations, but not those of the nest
/// that begins here: they could as well stand outside.
int64_t DevicePlanner::score(ForOp loop) {
  Variation variation(loop);
  SmallVector<ForOp> nest = getNest(loop);
  int64_t sum = 0;
  AccessPattern pattern = AccessPattern::getMostly(loop);
  for (const Access &access : pattern.getAccesses()) {
    // What lives on chip is not walked.
    if (access.array.getDefiningOp<LocalOp>())
      continue;
    int64_t weight = kernel::getElementBytes(access.array);
    for (Operation *op = access.op->getParentOp(); op != loop;
         op = op->getParentOp())
      weight *= llvm::is_contained(nest, op) ? 1 : getIterations(op);
    LaneStep step = getLaneStep(access, loop, variation);
    if (step.kind != LaneStep::Same)
      sum += step.kind == LaneStep::Next ? weight : -2 * weight;
  }
  return sum;
}

unsigned arrc::kernel::countLoads(ForOp loop) {
  unsigned count = 0;
  loop.getBody().walk([&](LoadOp load) {
    // A number for all threads is loaded once.
    bool moves = llvm::any_of(load.getIndices(), [](Value index) {
      return llvm::any_of(LinearIndex(index).getTerms(), [](auto term) {
        return !isa<BlockArgument>(term.first) || getLoopOf(term.first);
      });
    });
    count += moves && !load.getSource().getDefiningOp<LocalOp>();
  });
  return count;
}

int64_t arrc::kernel::ceilPower(int64_t number) {
  return llvm::PowerOf2Ceil(std::max<int64_t>(number, 1));
}

int64_t arrc::kernel::getUsefulThreads(ForOp loop, int64_t limit) {
  std::optional<int64_t> extent = loop.getStaticExtent();
  if (!extent || *extent >= limit)
    return limit;
  return ceilPower(*extent);
}

int64_t arrc::kernel::getUsefulGroups(ForOp loop, int64_t size, int64_t limit) {
  if (std::optional<int64_t> extent = loop.getStaticExtent())
    while (limit > 1 && size * limit / 2 >= *extent)
      limit /= 2;
  return limit;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void DevicePlanner::planRoot(ForOp root) {
  if (root.isScan())
    return planScan(root);
  SmallVector<ForOp> nest = getNest(root);
  // Grids and thread counts follow from operands.
  for (size_t k = 1; k < nest.size(); ++k)
    if (!isHostExtent(nest[k])) {
      nest.truncate(k);
      break;
    }
  if (root.isParallel() &&
      (planUpdates(nest) || planProduct(nest) || planAllPairs(nest) ||
       planDistances(nest) || planRaggedFold(nest)))
    return;
  if (planChunks(nest))
    return;
  SmallVector<ForOp> lanes = chooseLanes(nest);
  bool foldsAll = root.isReduce() && nest.size() > 1 &&
                  isCommutativeCombiner(root.getCombiner()) &&
                  !hasInnerLoop(nest.back());
  if (foldsAll && (planWindowFold(nest) || planSmallFold(nest)))
    return;
  if (!lanes.empty()) {
    if (foldsAll && planNestFold({}, root))
      return;
    if (root.isReduce() && planShortRows(nest, lanes))
      return;
    if (ForOp fold = findRaisableFold(nest);
        fold && root.isParallel() && planNestFold(nest, fold))
      return;
    return planRows(nest, lanes);
  }
  if (root.isReduce()) {
    if (foldsAll && planNestFold({}, root))
      return;
    return planFold(nest);
  }
  if (planComputedFold(nest) || planScanColumns(nest) || planScanRows(nest) ||
      planColumns(nest))
    return;
  if (ForOp fold = findRaisableFold(nest); fold && planNestFold(nest, fold))
    return;
  if (!planPersistentColumns(nest) && !planTransposed(nest))
    planMap(nest);
}

/// Digits from the outermost loop to the innermost. In each perfect nest blocks
/// and threads stand outside, then what one thread does together, then what it
/// does in order.
SmallVector<StringAttr> DevicePlanner::makeOrder() {
  if (!wholeOrder.empty())
    return wholeOrder;
  SmallVector<StringAttr> order(raised.getArrayRef());
  llvm::DenseSet<StringAttr> done;
  launch.getBody().walk<WalkOrder::PreOrder>([&](ForOp head) {
    auto outer = head->getParentOfType<ForOp>();
    if (outer && getOnlyLoop(outer) == head)
      return;
    SmallVector<std::pair<unsigned, StringAttr>> group;
    bool sorts = mayOrderDigits(head);
    for (ForOp loop : getNest(head)) {
      auto it = dims.find(loop.getDimAttr());
      if (it == dims.end() || !done.insert(loop.getDimAttr()).second)
        continue;
      for (auto [k, digit] : llvm::enumerate(it->second)) {
        StringAttr name = getDigitName(loop, k);
        if (raised.contains(name))
          continue;
        LevelAttr level = digit.getLevel();
        // Higher axes stand outside of lower ones.
        unsigned inner = 99 - std::min(level.getAxis(), 99u);
        unsigned rank = 0;
        switch (level.getKind()) {
        case LevelKind::Block:
          rank = inner;
          break;
        case LevelKind::Thread:
          rank = 100 + inner;
          break;
        case LevelKind::Unroll:
          rank = 201;
          break;
        case LevelKind::Vector:
          rank = 202;
          break;
        case LevelKind::Seq:
          rank = trees.contains(loop.getDim()) ? 200 : 203;
          break;
        }
        group.push_back({sorts ? rank : 0, name});
      }
    }
    // By insertion: few digits, and equal ones stay in order.
    for (size_t i = 1; i < group.size(); ++i)
      for (size_t k = i; k > 0 && group[k].first < group[k - 1].first; --k)
        std::swap(group[k], group[k - 1]);
    for (auto &[rank, name] : group)
      order.push_back(name);
  });
  return order;
}

ScheduleAttr DevicePlanner::makeSchedule() {
  SmallVector<DimDigitsAttr> list;
  for (auto &[dim, digits] : dims)
    list.push_back(DimDigitsAttr::get(context, dim, digits));
  return ScheduleAttr::get(
      context, list, deals ? SmallVector<StringAttr>() : makeOrder(), stages,
      keeps, privates, {},
      /*splitBoundary=*/(wholeOrder.empty() || splitsOrdered) && !keepsRows &&
          !keepsTiles,
      64, deals, multiplies);
}

AffineExpr DevicePlanner::getSize(ForOp loop) {
  if (std::optional<int64_t> extent = loop.getStaticExtent())
    return getAffineConstantExpr(*extent, context);
  return getSize(loop.getExtent());
}

AffineExpr DevicePlanner::getSize(Value size) {
  auto argument = dyn_cast<BlockArgument>(size);
  if (!mayAsk || !argument || argument.getOwner() != launch.getBodyBlock())
    return {};
  int64_t number = argument.getArgNumber();
  auto *known = llvm::find(versionSizes, number);
  unsigned symbol = std::distance(versionSizes.begin(), known);
  if (known == versionSizes.end())
    versionSizes.push_back(number);
  return getAffineSymbolExpr(symbol, context);
}

std::optional<bool> DevicePlanner::isKnown(AffineExpr condition) const {
  if (auto number = dyn_cast<AffineConstantExpr>(condition))
    return number.getValue() >= 0;
  for (auto [position, size] : llvm::enumerate(versionSizes)) {
    AffineExpr symbol = getAffineSymbolExpr(position, context);
    auto getRest = [&](AffineExpr rest) {
      return dyn_cast<AffineConstantExpr>(
          simplifyAffineExpr(rest, 0, versionSizes.size()));
    };
    AffineConstantExpr below = getRest(condition + symbol),
                       above = getRest(condition - symbol);
    if (!below && !above)
      continue;
    Value operand = launch->getOperand(size);
    while (auto fact = operand.getDefiningOp<array::AssumeOp>()) {
      std::optional<int64_t> least = fact.getLower(), most = fact.getUpper();
      if (below && least && *least > below.getValue())
        return false;
      if (below && most && *most <= below.getValue())
        return true;
      if (above && most && *most < -above.getValue())
        return false;
      if (above && least && *least >= -above.getValue())
        return true;
      operand = fact.getValue();
    }
  }
  return std::nullopt;
}

bool DevicePlanner::addVersion(ArrayRef<AffineExpr> conditions) {
  SmallVector<AffineExpr> open;
  for (AffineExpr condition : conditions) {
    std::optional<bool> holds = isKnown(condition);
    if (!holds)
      open.push_back(condition);
    else if (!*holds)
      return false;
  }
  if (open.empty())
    return true;
  versions.push_back({open, makeSchedule()});
  return false;
}

void DevicePlanner::dropUnusedSizes() {
  llvm::SmallBitVector used(versionSizes.size());
  for (auto &[conditions, schedule] : versions)
    for (AffineExpr condition : conditions)
      condition.walk([&](AffineExpr part) {
        if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
          used.set(symbol.getPosition());
      });
  if (used.all())
    return;
  SmallVector<AffineExpr> symbols(versionSizes.size());
  SmallVector<int64_t> sizes;
  for (unsigned symbol : used.set_bits()) {
    symbols[symbol] = getAffineSymbolExpr(sizes.size(), context);
    sizes.push_back(versionSizes[symbol]);
  }
  for (auto &[conditions, schedule] : versions)
    for (AffineExpr &condition : conditions)
      condition = condition.replaceSymbols(symbols);
  versionSizes = std::move(sizes);
}

/// The root whose sizes conditions of versions may ask for: of several roots
/// the only one that updates arrays, as the others prepare and finish what it
/// does.
static ForOp findAskingRoot(ArrayRef<ForOp> roots) {
  if (roots.size() == 1)
    return roots.front();
  ForOp found;
  for (ForOp root : roots) {
    if (!holds<UpdateOp>(root))
      continue;
    if (found)
      return {};
    found = root;
  }
  return found;
}

void DevicePlanner::run() {
  auto roots = llvm::to_vector(launch.getBody().getOps<ForOp>());
  if (roots.empty())
    return;
  hasOneRoot = roots.size() == 1;
  separateDims();
  ForOp asking = findAskingRoot(roots);
  for (ForOp root : roots)
    if (root != asking)
      planRoot(root);
  // Last, so that its versions hold the digits of all roots.
  if (asking) {
    mayAsk = true;
    planRoot(asking);
  }
  if (versions.empty())
    return launch.setScheduleAttr(makeSchedule());
  dropUnusedSizes();
  versions.push_back({{}, makeSchedule()});
  setVersions(launch, versions, versionSizes, units * unitThreads);
}

void arrc::kernel::planForDevice(LaunchOp launch, DeviceAttr device) {
  DevicePlanner(launch, device).run();
}
