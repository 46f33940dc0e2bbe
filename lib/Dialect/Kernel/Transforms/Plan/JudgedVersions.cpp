//===- JudgedVersions.cpp - Candidates become versions --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Ways to run a nest are priced at sample sizes (Plan/Judge.h), and the best
// become a few versions (Plan/VersionTree.h): what folds (NestFolds.cpp) and
// maps (NestMaps.cpp) share.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "NestCandidates.h"
#include "VersionTree.h"

#include "llvm/ADT/SmallBitVector.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Points that choose candidates, and how many each chooses; points at which
/// the few schedules are picked of these, and points by which the tree asks.
static constexpr unsigned kScouts = 48, kChosen = 4, kPickPoints = 160,
                          kPoints = 2560;
/// Where launches say who the threads are, more of them can be had: points that
/// choose them.
static constexpr unsigned kDealingScouts = 96;
/// Elements of the nest at sample points.
static constexpr double kLeastElements = 1 << 18, kMostElements = 1 << 30;

void DevicePlanner::setShares(ArrayRef<ForOp> nest, ArrayRef<ForOp> folds,
                              const NestShares &shares) {
  raised.clear();
  unsigned blockAxis = nest.size();
  auto getThreadAxis = [&](unsigned dim) {
    return dim == shares.lane || shares.dims[shares.lane].threads == 1 ? 0 : 1;
  };
  for (auto [dim, found] : llvm::enumerate(nest)) {
    ForOp loop = found;
    const DimShare &share = shares.dims[dim];
    setDigits(loop,
              {{LevelKind::Block, 0},
               {LevelKind::Unroll, share.unroll},
               {LevelKind::Thread, share.threads},
               {dim == shares.lane && shares.vectors ? LevelKind::Vector
                                                     : LevelKind::Unroll,
                share.width}},
              nest.size() - 1 - dim, getThreadAxis(dim));
  }
  for (auto [number, found] : llvm::enumerate(folds)) {
    ForOp loop = found;
    unsigned dim = nest.size() + number;
    const DimShare &share = shares.dims[dim];
    SmallVector<std::pair<LevelKind, int64_t>> list;
    if (share.span) {
      list.push_back({LevelKind::Block, 0});
      list.push_back({LevelKind::Seq, share.span});
    } else {
      std::optional<int64_t> extent = loop.getStaticExtent();
      int64_t blocks = std::max<int64_t>(share.blocks, 1);
      bool isLong = !extent || *extent > kRun * blocks * share.threads *
                                             share.width * share.unroll;
      list.push_back({LevelKind::Seq, 0});
      list.push_back({LevelKind::Seq, rounds(loop) && isLong ? kRun : 1});
      list.push_back({LevelKind::Block, blocks});
    }
    list.append({{LevelKind::Unroll, share.unroll},
                 {LevelKind::Thread, share.threads},
                 {LevelKind::Vector, share.width}});
    setFold(loop, list, share.isSplit() ? blockAxis++ : 0, getThreadAxis(dim));
  }
}

NestWidths DevicePlanner::getWidths(const NestFacts &facts) {
  bool hasFolds =
      llvm::any_of(facts.dims, [](const NestDim &dim) { return dim.folds; });
  NestWidths result;
  for (auto [dim, nestDim] : llvm::enumerate(facts.dims)) {
    SmallVector<AffineExpr> conditions;
    result.widths.push_back(
        getRowWidth(nestDim.loop, conditions, facts.isParallel(dim)));
    result.alignments.push_back(std::move(conditions));
    // Words hold bytes wherever they begin; results would be stored one by one.
    int64_t most = 0;
    for (const NestAccess &access : facts.accesses)
      if (!access.writes && access.isNext(dim))
        most = std::max(most, access.bytes);
    result.anywhere.push_back(hasFolds && most == 1 ? kWordBytes : 1);
  }
  return result;
}

AffineExpr DevicePlanner::getSize(OpFoldResult size) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return getAffineConstantExpr(*number, context);
  return getSize(cast<Value>(size));
}

bool DevicePlanner::mayDeal(ArrayRef<ForOp> nest, const NestFacts &facts) {
  // The indices of errors are told by the digits of loops; what the blocks of a
  // part touch follows from their number where the size of a block is one.
  WalkResult checks =
      launch.getBody().walk([](CheckOp) { return WalkResult::interrupt(); });
  return !nest.empty() && !hasParts && !facts.hasWindows() && hasOneRoot &&
         !versionSizes.empty() && !checks.wasInterrupted() &&
         llvm::isPowerOf2_64(getThreads()) && stages.empty() && keeps.empty() &&
         privates.empty() &&
         llvm::all_of(nest, [](ForOp loop) { return loop.isParallel(); });
}

/// What code depends on: not on who the threads are where its launch says it.
static SmallVector<int64_t> getKernel(const NestFacts &facts,
                                      const NestShares &shares) {
  SmallVector<int64_t> kernel;
  bool isFixed = !isDealable(facts, shares);
  for (const DimShare &share : shares.dims)
    llvm::append_values(kernel, share.unroll, share.width, share.span,
                        share.blocks, isFixed ? share.threads : 0);
  // Accesses of several elements are those of lanes.
  kernel.push_back(isFixed || shares.getVector() > 1 ? shares.lane : -1);
  return kernel;
}

/// The schedules of `all` that are kernels of the first `have` or of `more`
/// others, and each best among these at some point, where `costs` holds for
/// each point the cost of each.
static SmallVector<NestShares>
chooseKernels(const NestFacts &facts, ArrayRef<NestShares> all,
              ArrayRef<SmallVector<double>> costs, unsigned have,
              unsigned more) {
  SmallVector<SmallVector<int64_t>> kernels;
  SmallVector<unsigned> kernelOf;
  unsigned haveKernels = 0;
  for (auto [number, shares] : llvm::enumerate(all)) {
    SmallVector<int64_t> mine = getKernel(facts, shares);
    kernelOf.push_back(llvm::find(kernels, mine) - kernels.begin());
    if (kernelOf.back() == kernels.size())
      kernels.push_back(std::move(mine));
    if (number < have)
      haveKernels = kernels.size();
  }
  // A kernel costs what its best schedule does.
  SmallVector<SmallVector<double>> kernelCosts;
  for (ArrayRef<double> row : costs) {
    SmallVector<double> &least =
        kernelCosts.emplace_back(SmallVector<double>(kernels.size(), INFINITY));
    for (auto [cost, kernel] : llvm::zip(row, kernelOf))
      least[kernel] = std::min(least[kernel], cost);
  }
  llvm::SmallBitVector isChosen(kernels.size());
  isChosen.set(0, haveKernels);
  for (unsigned kernel : chooseMore(kernelCosts, haveKernels, more))
    isChosen.set(kernel);
  llvm::SetVector<unsigned> best;
  for (ArrayRef<double> row : costs) {
    std::optional<unsigned> least;
    for (auto [number, cost] : llvm::enumerate(row))
      if (isChosen[kernelOf[number]] && (!least || cost < row[*least]))
        least = number;
    best.insert(*least);
  }
  SmallVector<NestShares> result;
  for (unsigned number : best)
    result.push_back(all[number]);
  return result;
}

/// The dimension along which one access may take several elements where rows
/// are aligned, and most bytes are neighbours; none if there is no such one.
static std::optional<unsigned> findVectors(const NestFacts &facts,
                                           const NestWidths &widths) {
  std::optional<unsigned> along;
  int64_t most = 0;
  for (auto [dim, width] : llvm::enumerate(widths.widths)) {
    if (width <= widths.anywhere[dim])
      continue;
    int64_t bytes = 0;
    for (const NestAccess &access : facts.accesses)
      if (access.isNext(dim))
        bytes += access.bytes * llvm::count_if(access.steps, [](NestStep step) {
                   return step.kind != NestStep::Same;
                 });
    if (bytes > most) {
      most = bytes;
      along = dim;
    }
  }
  return along;
}

bool DevicePlanner::addJudged(ArrayRef<ForOp> nest, ArrayRef<ForOp> folds,
                              const NestFacts &facts,
                              ArrayRef<NestShares> candidates,
                              const NestWidths &widths,
                              ArrayRef<AffineExpr> when,
                              const MostVersions &most) {
  // Features: every size, every two of them (threads walk no more), what there
  // is to do side by side, what is folded.
  AffineExpr one = getAffineConstantExpr(1, context), outer = one, inner = one;
  SmallVector<AffineExpr> features;
  auto addFeature = [&](AffineExpr feature) {
    if (!feature.isSymbolicOrConstant() || isa<AffineConstantExpr>(feature) ||
        llvm::is_contained(features, feature))
      return;
    features.push_back(feature);
  };
  for (const NestDim &dim : facts.dims) {
    addFeature(dim.size);
    (dim.folds ? inner : outer) = (dim.folds ? inner : outer) * dim.size;
  }
  addFeature(outer);
  addFeature(inner);
  for (auto [number, dim] : llvm::enumerate(facts.dims))
    for (const NestDim &other : ArrayRef(facts.dims).take_front(number))
      addFeature(other.size * dim.size);
  SmallVector<SizePoint> points =
      samplePoints(versionSizes.size(), outer * inner, kLeastElements,
                   kMostElements, when.empty() ? kPoints : 8 * kPoints);
  // Conditions may leave few.
  llvm::erase_if(points, [&](const SizePoint &point) {
    return llvm::any_of(when, [&](AffineExpr condition) {
      return evaluate(condition, point) < 0;
    });
  });
  if (points.size() > kPoints)
    points.truncate(kPoints);
  if (points.empty())
    return false;

  bool mayDealOut = mayDeal(nest, facts);
  const DeviceRates &rates = getRates(DeviceAttr::get(launch));
  printPrices(nest, folds, facts, candidates, widths, mayDealOut);
  SmallVector<NestNumbers> numbers;
  for (const SizePoint &point : points)
    numbers.emplace_back(facts, point);
  auto price = [&](unsigned point, ArrayRef<NestShares> list) {
    SmallVector<double> row;
    for (const NestShares &shares : list) {
      bool isDealt = mayDealOut && isDealable(facts, shares);
      row.push_back(
          judge(facts, numbers[point],
                isDealt ? dealOut(facts, numbers[point], shares) : shares,
                rates)
              .nanoseconds);
    }
    return row;
  };
  // What is among the best at some point.
  auto choose = [&](ArrayRef<NestShares> all, unsigned scouts) {
    llvm::SetVector<unsigned> chosen;
    for (unsigned k = 0; k < scouts; ++k) {
      SmallVector<double> row = price(k * points.size() / scouts, all);
      SmallVector<unsigned> best(row.size());
      std::iota(best.begin(), best.end(), 0);
      unsigned most = std::min<size_t>(kChosen, best.size());
      std::partial_sort(
          best.begin(), best.begin() + most, best.end(),
          [&](unsigned a, unsigned b) { return row[a] < row[b]; });
      chosen.insert(best.begin(), best.begin() + most);
    }
    SmallVector<NestShares> result;
    for (unsigned number : chosen)
      result.push_back(all[number]);
    return result;
  };
  // `few`, and at most `more` of `all` besides.
  auto extend = [&](ArrayRef<NestShares> few, ArrayRef<NestShares> all,
                    unsigned more) {
    SmallVector<NestShares> chosen(few), result(few);
    if (mayDealOut) {
      SmallVector<NestShares> dealt, fixed;
      for (const NestShares &shares : all)
        (isDealable(facts, shares) ? dealt : fixed).push_back(shares);
      if (!dealt.empty())
        llvm::append_range(chosen, choose(dealt, kDealingScouts));
      if (!fixed.empty())
        llvm::append_range(chosen, choose(fixed, kScouts));
    } else {
      llvm::append_range(chosen, choose(all, kScouts));
    }
    SmallVector<SmallVector<double>> costs;
    for (unsigned k = 0; k < std::min<size_t>(kPickPoints, points.size()); ++k)
      costs.push_back(price(k, chosen));
    if (mayDealOut)
      return chooseKernels(facts, chosen, costs, few.size(), more);
    for (unsigned number : chooseMore(costs, few.size(), more))
      result.push_back(chosen[number]);
    return result;
  };
  // The best of `few` at any sizes where all conditions of `aligned` hold.
  auto addTree = [&](ArrayRef<NestShares> few, ArrayRef<AffineExpr> aligned) {
    SmallVector<SmallVector<double>> costs;
    for (unsigned point = 0; point < points.size(); ++point)
      costs.push_back(price(point, few));
    for (const VersionLeaf &leaf :
         chooseVersions(points, costs, features, most.leaves)) {
      deals = mayDealOut && isDealable(facts, few[leaf.choice]);
      setShares(nest, folds, few[leaf.choice]);
      SmallVector<AffineExpr> conditions(leaf.conditions);
      llvm::append_range(conditions, aligned);
      if (conditions.empty() || addVersion(conditions))
        return true;
    }
    return false;
  };
  auto isWide = [&](const NestShares &shares) {
    return widths.needsAlignment(shares);
  };
  // What needs no alignment serves everywhere.
  SmallVector<NestShares> narrow;
  llvm::copy_if(candidates, std::back_inserter(narrow),
                [&](const NestShares &shares) { return !isWide(shares); });
  SmallVector<NestShares> few = extend({}, narrow, most.schedules);
  if (std::optional<unsigned> along = findVectors(facts, widths)) {
    SmallVector<NestShares> wide;
    for (const NestShares &shares : candidates)
      if (isWide(shares) && shares.lane == *along)
        wide.push_back(shares);
    SmallVector<AffineExpr> aligned(widths.alignments[*along]);
    llvm::append_range(aligned, when);
    if (most.aligned && !wide.empty() &&
        addTree(extend(few, wide, most.aligned), aligned))
      return true;
  }
  if (addTree(few, when))
    return true;
  deals = false;
  return false;
}
