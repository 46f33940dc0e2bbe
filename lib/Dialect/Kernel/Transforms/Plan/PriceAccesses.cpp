//===- PriceAccesses.cpp - What the accesses of a nest move ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Memory. The 32 lanes of a warp and the iterations that a thread takes
// together ask for sectors of 32 bytes at once; these are counted one by one,
// at addresses that follow from the steps of the access. What one request does
// not use of a sector is used by a later one, if the thread walks on within
// the sector while the first cache still has it, or by other threads, if L2
// does.
//
//===----------------------------------------------------------------------===//

#include "PriceNest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// What L2 takes longer for a line's worth of single sectors.
static constexpr double kSectorLoss = 0.5;
/// How much more than each byte once a request may ask for to count as that:
/// what lies between sectors of neighbours is in the first cache.
static constexpr double kSpread = 1.3;
/// How often a sector that threads go on with is asked L2 for, on average.
static constexpr double kMissed = 1.1;
/// How much of the sectors that stores of neighbours touch again L2 pays for.
static constexpr double kPartLoss = 0.65;
/// Cycles of the first cache for a line of a window, most of which it has.
static constexpr double kTapLoss = 1.8;
/// Bytes for which changing the page of memory would take as long as reading
/// them.
static constexpr double kPage = 20;

namespace {
/// What is asked for together: stretches of neighbouring bytes.
struct Stretches {
  double count = 1, bytes = 1;
  /// How many units of `unit` bytes they touch; on average, if they begin at
  /// any multiple of `element`.
  double getUnits(double unit, double element, bool isAligned) const {
    return count *
           (isAligned ? std::ceil(bytes / unit) : 1 + (bytes - element) / unit);
  }
};
} // namespace

/// The stretches of `bytes` at each of the places that the parts span: (how
/// many, bytes apart). What is closer than `unit` is one stretch.
static Stretches findStretches(SmallVector<std::pair<double, double>, 8> parts,
                               double bytes, double unit) {
  llvm::sort(parts, llvm::less_second());
  Stretches found{1, bytes};
  for (auto [count, apart] : parts) {
    if (apart <= std::max(found.bytes, unit))
      found.bytes += (count - 1) * apart;
    else
      found.count *= count;
  }
  return found;
}

Request Price::ask(unsigned number) const {
  const NestAccess &access = facts.accesses[number];
  ArrayRef<double> step = steps[number];
  // Who asks together: (how many, bytes apart).
  SmallVector<std::pair<double, double>, 8> parts;
  int64_t threads = std::min(shares.getThreads(), kWarp);
  const DimShare &lane = shares.dims[shares.lane];
  auto add = [&](double count, double elements) {
    if (count > 1 && elements)
      parts.push_back({count, std::abs(elements) * access.bytes});
  };
  // Threads past the end ask for nothing.
  auto addThreads = [&](unsigned dim, double count) {
    add(std::max(count * used[dim], 1.0), step[dim] * shares.dims[dim].width);
  };
  add(shares.getVector(), step[shares.lane]);
  auto whole = parts;
  double x = std::min(lane.threads, threads);
  addThreads(shares.lane, x);
  if (shares.next)
    addThreads(*shares.next, threads / x);
  // Rows that are no multiples of sectors begin anywhere in one.
  bool isAnywhere = access.taps && shares.getVector() == 1;
  bool isAligned = !isAnywhere && llvm::all_of(step, [&](double elements) {
    double bytes = std::abs(elements) * access.bytes;
    return bytes <= kSector || std::fmod(bytes, kSector) == 0;
  });
  auto getUnits = [&](const Stretches &stretches, int64_t unit) {
    return stretches.getUnits(unit, access.bytes, isAligned);
  };
  Request request;
  request.sectors =
      getUnits(findStretches(parts, access.bytes, kSector), kSector);
  request.lines = getUnits(findStretches(parts, access.bytes, kLine), kLine);
  auto addUnrolled = [&] {
    if (!shares.vectors)
      add(lane.width, step[shares.lane]);
    for (auto [dim, share] : llvm::enumerate(shares.dims)) {
      add(countGroups(dim), step[dim] * share.threads * share.width);
      if (dim != shares.lane)
        add(share.width, step[dim]);
    }
  };
  addUnrolled();
  Stretches all = findStretches(parts, access.bytes, kSector);
  request.together = getUnits(all, kSector);
  request.stretch = all.bytes;
  parts = whole;
  addThreads(shares.lane, lane.threads);
  if (shares.next)
    addThreads(*shares.next, shares.dims[*shares.next].threads);
  addUnrolled();
  request.block =
      getUnits(findStretches(parts, access.bytes, kSector), kSector);
  request.blockLines =
      getUnits(findStretches(parts, access.bytes, kLine), kLine);
  return request;
}

double Price::countTaps(const NestAccess &access, int64_t width) const {
  SmallVector<int64_t, 4> counts;
  double apart = 1;
  for (auto [dim, share] : llvm::enumerate(shares.dims)) {
    counts.push_back(share.width);
    // Those of other steps lie elsewhere.
    if (access.steps[dim].kind != NestStep::Same)
      apart *= countGroups(dim);
  }
  return apart * access.taps->countElements(counts, width);
}

double Price::countTapLoads(const NestAccess &access) const {
  int64_t vector = shares.getVector();
  double loads = countTaps(access, vector);
  if (access.bytes * vector >= kWordBytes)
    return loads;
  // Narrow ones are loaded by the words that hold them, and begin anywhere in
  // the first of a row.
  SmallVector<int64_t, 4> own;
  for (const DimShare &share : shares.dims)
    own.push_back(share.width);
  double rows = std::ceil(loads / access.taps->getBox(own).back());
  return std::min(loads, countTaps(access, kWordBytes / access.bytes) + rows);
}

void Price::askOnce(unsigned number, Request &request) const {
  const NestAccess &access = facts.accesses[number];
  int64_t threads = std::min(shares.getThreads(), kWarp);
  int64_t x = std::min(shares.dims[shares.lane].threads, threads);
  double apart = 1;
  SmallVector<int64_t, 4> warp, block;
  for (auto [dim, share] : llvm::enumerate(shares.dims)) {
    int64_t ofWarp = dim == shares.lane                   ? x
                     : shares.next && dim == *shares.next ? threads / x
                                                          : 1;
    auto getCount = [&](int64_t count) {
      return std::max<int64_t>(std::llround(count * used[dim]), 1) *
             share.width;
    };
    warp.push_back(getCount(ofWarp));
    block.push_back(getCount(share.threads));
    if (steps[number][dim])
      apart *= countGroups(dim);
  }
  // Rows begin anywhere in a sector.
  auto countUnits = [&](ArrayRef<int64_t> counts, double unit) {
    double elements = access.taps->getBox(counts).back();
    return apart * access.taps->countRows(counts) *
           (1 + (elements - 1) * access.bytes / unit);
  };
  request.together = countUnits(warp, kSector);
  request.block = countUnits(block, kSector);
  request.blockLines = countUnits(block, kLine);
  request.stretch = access.taps->getBox(block).back() * access.bytes;
}

/// Accesses of powers of two that `width` elements from `start` on take where
/// none may begin at another multiple than of its own size.
static int64_t countPieces(int64_t start, int64_t width) {
  int64_t at = llvm::mod(start, width), end = at + width, pieces = 0;
  for (; at < end; ++pieces) {
    int64_t most = at ? at & -at : width;
    at += std::min(most, int64_t(llvm::bit_floor(uint64_t(end - at))));
  }
  return pieces;
}

double Price::countRequests(unsigned number) const {
  const NestAccess &access = facts.accesses[number];
  if (access.taps)
    return countTapLoads(access);
  if (!shares.vectors)
    return steps[number][shares.lane] ? shares.dims[shares.lane].width : 1;
  double vector = shares.dims[shares.lane].width * access.bytes;
  if (vector == access.bytes || access.writes || !steps[number][shares.lane])
    return 1;
  if (!access.isNext(shares.lane))
    return shares.dims[shares.lane].width;
  bool isAligned = true;
  for (auto [dim, elements] : llvm::enumerate(steps[number]))
    isAligned &= dim == shares.lane ||
                 std::fmod(std::abs(elements) * access.bytes, vector) == 0;
  return isAligned ? countPieces(access.start, shares.dims[shares.lane].width)
                   : vector / kWordBytes + 1;
}

void Price::addAccess(unsigned number) {
  const NestAccess &access = facts.accesses[number];
  ArrayRef<double> step = steps[number];
  Traffic &traffic = traffics.emplace_back();
  Request &request = traffic.request = ask(number);
  if (access.taps)
    askOnce(number, request);
  // Iterations for which the access runs anew.
  double runs = 1, group = 1, unique = access.bytes;
  bool walksOn = false;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    double stride = std::abs(step[dim]);
    const DimShare &share = shares.dims[dim];
    // A value that stays is loaded once for all steps of a loop.
    if (!stride)
      continue;
    runs *= trips[dim];
    group *= groups[dim];
    unique *= extent;
    if (trips[dim] > groups[dim] &&
        stride * share.threads * share.width * access.bytes < kSector)
      walksOn = true;
  }
  double rounds = runs / group;
  double raw = warps * rounds * request.together * kSector;
  double requests = countRequests(number);
  double lines =
      std::max(request.lines, request.sectors * kSector / rates.firstCache);
  // What a thread reads of a window together is counted together; each of the
  // words that hold bytes goes over all lines again.
  if (access.taps)
    cycles += warps * rounds * requests * lines * kTapLoss;
  else
    cycles +=
        warps * runs * (access.isNext(shares.lane) ? requests : 1) * lines;
  traffic.unique = unique;
  if (access.writes) {
    // Parts of sectors meet in L2.
    if (!shares.vectors)
      raw += kPartLoss *
             (warps * runs * requests * request.sectors * kSector - raw);
    traffic.raw = std::max(raw, unique);
    cache += traffic.raw;
    return;
  }
  // The first cache has the sectors that warps of a block share, and those that
  // the same threads go on with, if what all blocks are at fits; it has room
  // for lines, of which some sectors may be missing.
  double residentBlocks = std::min(resident, std::ceil(blocks / rates.units));
  if (request.blockLines * kLine * residentBlocks < rates.firstCacheBytes) {
    raw = std::min(raw, blocks * rounds * request.block * kSector);
    if (walksOn)
      raw = std::max(unique, std::min(raw, unique * kMissed));
  }
  traffic.raw = raw;
  // L2 answers for single sectors more slowly than for whole lines.
  cache += raw * (1 + kSectorLoss * std::max(0.0, 1 - request.stretch / kLine));
  flight += request.together * kSector / together * kSteps;
  if (access.taps) {
    // All addresses are one and a number.
    taps += rounds / iterations *
            (requests + countTaps(access, 1) * access.tapWork);
    return;
  }
  loads += runs / iterations * requests;
  if (access.bytes == 1)
    bytes += runs / iterations;
}

void Price::addMemory(unsigned number, double moved) {
  const NestAccess &access = facts.accesses[number];
  const Traffic &traffic = traffics[number];
  if (access.writes) {
    memory += traffic.unique;
    return;
  }
  // What other blocks ask for again comes from L2, as long as it holds what
  // those move that start in between.
  double bytes = traffic.unique, spread = traffic.raw / traffic.unique;
  for (auto [dim, elements] : llvm::enumerate(steps[number])) {
    double step = std::abs(elements) * access.bytes;
    const DimShare &share = shares.dims[dim];
    // Or the margin of a window.
    if (access.taps && tiles[dim] > 1 &&
        moved * apart[dim] >= rates.cacheBytes / 2)
      bytes *= 1 + access.taps->getReach(dim) /
                       (share.threads * share.width * share.unroll);
    if (step >= kSector || moved * apart[dim] < rates.cacheBytes / 2)
      continue;
    // The next block along it touches the same elements, or the same sectors.
    double tile = step * share.threads * share.width * share.unroll;
    if (!step && traffic.unique > rates.cacheBytes / 2)
      bytes *= tiles[dim];
    else if (step && tiles[dim] > 1 && spread > kSpread)
      bytes *= std::min(1 + (kSector - access.bytes) / tile, spread);
  }
  // Memory is slower where pages are left for every few sectors.
  double scattered =
      1 + kPage / std::max(traffic.request.stretch, double(kSector));
  memory += std::min(bytes, traffic.raw) * scattered;
}
