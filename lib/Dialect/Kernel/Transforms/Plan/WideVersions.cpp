//===- WideVersions.cpp - Versions for more than 2^31 elements ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A kernel counts in 32 bits or in 64. Most versions of a launch are of use
// below 2^31 elements alone, or gain little beyond: there a kernel waits for
// memory whatever it does, as long as its threads have something to do. So few
// of them exist in 64 bits. The last one does, as it takes all sizes, and
// others that keep more of the device busy at sizes that large, up to kMost
// kernels; none that gains less than a factor of kWorth:
//
//   idle lanes   a block with 1024 threads a row, of rows with 8 elements
//   idle units   a block a row, of two rows
//
// Versions that deal threads are one kernel, and stay together.
//
//===----------------------------------------------------------------------===//

#include "WideVersions.h"

#include "NestFacts.h"
#include "VersionTree.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Elements of the arrays at sample sizes: more than 32 bits count, and what
/// fits into the memory of a device.
static constexpr double kLeastElements = double(int64_t(1) << 31),
                        kMostElements = double(int64_t(1) << 36);
static constexpr unsigned kPoints = 256;
/// Kernels in 64 bits, and what one more has to gain at some sizes.
static constexpr unsigned kMost = 3;
static constexpr double kWorth = 4;

namespace {

/// What is known of one launch.
class WideChooser {
public:
  WideChooser(LaunchOp launch, ArrayRef<PlannedVersion> versions,
              ArrayRef<int64_t> sizes, int64_t threads)
      : launch(launch), versions(versions), conditionSizes(sizes),
        threads(threads) {}

  llvm::SmallBitVector run();

private:
  unsigned getSymbol(int64_t argument);
  void collectExtents();
  SmallVector<SizePoint> collectPoints();
  double getIdleness(ScheduleAttr schedule, const SizePoint &point) const;
  void price(const SizePoint &point);
  std::pair<double, double> getLoss(const llvm::SmallBitVector &wide) const;
  void addKernel(unsigned version, llvm::SmallBitVector &among) const;

  LaunchOp launch;
  ArrayRef<PlannedVersion> versions;
  ArrayRef<int64_t> conditionSizes;
  int64_t threads;
  /// Arguments that are sizes, and the iterations of each dimension: a number,
  /// or one of them.
  SmallVector<int64_t> arguments;
  llvm::MapVector<StringAttr, AffineExpr> extents;
  /// For each sample the versions whose conditions hold, and how idle the
  /// device is with each.
  std::vector<llvm::SmallBitVector> holding;
  std::vector<SmallVector<double>> idleness;
};

} // namespace

unsigned WideChooser::getSymbol(int64_t argument) {
  auto *known = llvm::find(arguments, argument);
  if (known == arguments.end())
    arguments.push_back(argument);
  return llvm::find(arguments, argument) - arguments.begin();
}

void WideChooser::collectExtents() {
  MLIRContext *context = launch.getContext();
  launch.getBody().walk([&](ForOp loop) {
    AffineExpr extent;
    if (std::optional<int64_t> number = loop.getStaticExtent())
      extent = getAffineConstantExpr(*number, context);
    else if (auto argument = dyn_cast<BlockArgument>(loop.getExtent());
             argument && argument.getOwner() == launch.getBodyBlock())
      extent = getAffineSymbolExpr(getSymbol(argument.getArgNumber()), context);
    if (extent)
      extents.insert({loop.getDimAttr(), extent});
  });
}

/// Sizes at which some array, or what a nest has to do, is large.
SmallVector<SizePoint> WideChooser::collectPoints() {
  MLIRContext *context = launch.getContext();
  SmallVector<AffineExpr> counts;
  auto addCount = [&](AffineExpr count) {
    if (!isa<AffineConstantExpr>(count) && !llvm::is_contained(counts, count))
      counts.push_back(count);
  };
  for (BlockArgument argument : launch.getBodyBlock()->getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    AffineExpr count = getAffineConstantExpr(1, context);
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      OpFoldResult size = launch.getSize(argument, dim);
      if (std::optional<int64_t> number = getConstantIntValue(size))
        count = count * *number;
      else
        count = count *
                getAffineSymbolExpr(
                    getSymbol(
                        cast<BlockArgument>(cast<Value>(size)).getArgNumber()),
                    context);
    }
    addCount(count);
  }
  for (auto &[dim, extent] : extents)
    addCount(extent);
  SmallVector<SizePoint> points;
  for (AffineExpr count : counts)
    llvm::append_range(points,
                       samplePoints(arguments.size(), count, kLeastElements,
                                    kMostElements, kPoints / counts.size()));
  return points;
}

/// The threads that a device has for each one that has something to do.
double WideChooser::getIdleness(ScheduleAttr schedule,
                                const SizePoint &point) const {
  double used = 1, parallel = 1;
  for (DimDigitsAttr dim : schedule.getDims()) {
    auto it = extents.find(dim.getDim());
    if (it == extents.end())
      continue;
    double extent = std::max<int64_t>(evaluate(it->second, point), 1);
    double sized = 1, lanes = 1, blocks = 1, others = 1;
    for (DigitAttr digit : dim.getDigits()) {
      double size = std::max<int64_t>(digit.getSize(), 1);
      sized *= size;
      LevelAttr level = digit.getLevel();
      if (level.isThread())
        lanes *= size;
      else if (level.isBlock())
        blocks *= size;
      if (level.isVector())
        others *= size;
    }
    std::optional<unsigned> open = dim.getOpenDigit();
    if (open && dim.getDigits()[*open].getLevel().isBlock())
      blocks *= std::ceil(extent / sized);
    double tile = lanes * others;
    used *= extent / (std::ceil(extent / tile) * tile);
    parallel *= std::min(blocks * lanes, extent);
  }
  return std::max(1.0, double(threads) / parallel) / used;
}

void WideChooser::price(const SizePoint &point) {
  SmallVector<int64_t> values;
  for (int64_t argument : conditionSizes)
    values.push_back(
        point[llvm::find(arguments, argument) - arguments.begin()]);
  llvm::SmallBitVector &holds = holding.emplace_back(versions.size());
  SmallVector<double> &row = idleness.emplace_back();
  for (auto [number, version] : llvm::enumerate(versions)) {
    if (llvm::all_of(version.first, [&](AffineExpr condition) {
          return evaluate(condition, values) >= 0;
        }))
      holds.set(number);
    row.push_back(getIdleness(version.second, point));
  }
}

/// What is lost if only `wide` exist: the largest factor, and the sum of the
/// squares of logarithms.
std::pair<double, double>
WideChooser::getLoss(const llvm::SmallBitVector &wide) const {
  double sum = 0, most = 1;
  for (auto [holds, row] : llvm::zip(holding, idleness)) {
    llvm::SmallBitVector some(holds);
    some &= wide;
    double loss = row[some.find_first()] / row[holds.find_first()];
    if (loss <= 1)
      continue;
    most = std::max(most, loss);
    sum += std::log(loss) * std::log(loss);
  }
  return {most, sum};
}

/// What schedules that deal threads have in common.
static ArrayAttr getDealtKernel(ScheduleAttr schedule) {
  if (!schedule.getDeals())
    return {};
  SmallVector<Attribute> digits;
  for (DimDigitsAttr dim : schedule.getDims())
    for (DigitAttr digit : dim.getDigits())
      if (!digit.getLevel().isThread())
        digits.push_back(digit);
  return ArrayAttr::get(schedule.getContext(), digits);
}

void WideChooser::addKernel(unsigned version,
                            llvm::SmallBitVector &among) const {
  ArrayAttr kernel = getDealtKernel(versions[version].second);
  for (unsigned other = 0; other < versions.size(); ++other)
    if (other == version ||
        (kernel && kernel == getDealtKernel(versions[other].second)))
      among.set(other);
}

llvm::SmallBitVector WideChooser::run() {
  llvm::SmallBitVector wide(versions.size());
  addKernel(versions.size() - 1, wide);
  for (int64_t argument : conditionSizes)
    getSymbol(argument);
  collectExtents();
  for (const SizePoint &point : collectPoints())
    price(point);
  for (unsigned kernels = 1; kernels < kMost; ++kernels) {
    auto least = getLoss(wide);
    if (least.first <= kWorth)
      break;
    llvm::SmallBitVector best = wide;
    for (unsigned version = 0; version < versions.size(); ++version) {
      llvm::SmallBitVector more = wide;
      addKernel(version, more);
      if (auto loss = getLoss(more); loss < least) {
        least = loss;
        best = std::move(more);
      }
    }
    if (best == wide)
      break;
    wide = std::move(best);
  }
  return wide;
}

void arrc::kernel::setVersions(LaunchOp launch,
                               ArrayRef<PlannedVersion> versions,
                               ArrayRef<int64_t> sizes, int64_t threads) {
  MLIRContext *context = launch.getContext();
  llvm::SmallBitVector wide =
      WideChooser(launch, versions, sizes, threads).run();
  SmallVector<Attribute> list;
  for (auto [number, version] : llvm::enumerate(versions)) {
    auto &[conditions, schedule] = version;
    IntegerSetAttr when;
    if (!conditions.empty())
      when = IntegerSetAttr::get(
          IntegerSet::get(0, sizes.size(), conditions,
                          SmallVector<bool>(conditions.size(), false)));
    list.push_back(VersionAttr::get(
        context, when,
        wide.test(number) ? schedule : schedule.withIndexBits(32)));
  }
  launch.setVersionsAttr(ArrayAttr::get(context, list));
  launch.setVersionSizes(sizes);
}
