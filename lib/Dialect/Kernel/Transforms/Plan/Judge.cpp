//===- Judge.cpp - How long a schedule takes ------------------------------===//
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
// References: Little's law for GPUs (Volkov 2016); ROLLER (OSDI 2022).
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// What L2 takes longer for a line's worth of single sectors.
static constexpr double kSectorLoss = 0.5;
/// What a step past the end costs of one that counts.
static constexpr double kDeadLoss = 0.2;
/// How much more than each byte once a request may ask for to count as that:
/// what lies between sectors of neighbours is in the first cache.
static constexpr double kSpread = 1.3;
/// Bytes for which changing the page of memory would take as long as reading
/// them.
static constexpr double kPage = 20;
/// Threads of the block that folds the partial results of all, and how many of
/// these a thread reads before it waits (InterleavedPartials.h).
static constexpr double kLastBlock = 256, kMerged = 8;
/// How many of the registers that hold the values of a step live at a time.
static constexpr double kLiveRegisters = 0.2;
/// Instructions of a thread before its first iteration: where it is, and along
/// each dimension what it has to do.
static constexpr double kFrameWork = 10, kDimWork = 5;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

namespace {
struct Row {
  StringLiteral arch;
  DeviceRates rates;
};
} // namespace

// Threads, registers and blocks a multiprocessor: CUDA C++ Programming Guide,
// "Compute Capabilities". Rates: vendors' data sheets of T4, A100, H200, B200;
// latencies: measured on an H200, taken over for the others. What is measured
// was fitted to 1084 schedules of 144 random nests.
static constexpr Row kRows[] = {
    {"sm_90",
     {132, 2048, 65536, 32, 4.56e3, 7e3, 50e6, 1.75, 4, 128, 16, 192e3, 700,
      2500, 40, 1500, 228 * 1024}},
    {"sm_75",
     {40, 1024, 65536, 16, 0.3e3, 1.2e3, 4e6, 1.5, 4, 64, 16, 64e3, 600, 3000,
      40, 2000, 64 * 1024}},
    {"sm_80",
     {108, 2048, 65536, 32, 1.6e3, 4e3, 40e6, 1.4, 4, 128, 16, 160e3, 650, 2500,
      40, 1500, 164 * 1024}},
    {"sm_100",
     {148, 2048, 65536, 32, 7.5e3, 9e3, 100e6, 1.8, 4, 128, 16, 192e3, 750,
      2500, 40, 1500, 228 * 1024}},
};

const DeviceRates &arrc::kernel::getRates(DeviceAttr device) {
  for (const Row &row : kRows)
    if (row.arch == getArch(device))
      return row.rates;
  return kRows[0].rates;
}

//===----------------------------------------------------------------------===//
// Shares
//===----------------------------------------------------------------------===//

Roof arrc::kernel::getRoof(DeviceAttr device) {
  const DeviceRates &rates = getRates(device);
  constexpr double warp = 32;
  return {rates.memory * 1e9,
          rates.units * rates.issue * warp * rates.clock * 1e9,
          rates.launch * 1e-9, rates.cacheBytes};
}

int64_t NestShares::getThreads() const {
  int64_t threads = 1;
  for (const DimShare &share : dims)
    threads *= share.threads;
  return threads;
}

bool NestShares::splits() const {
  return llvm::any_of(dims, [](const DimShare &share) { return share.span; });
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {

/// What a warp asks for with one access.
struct Request {
  /// Sectors and lines of one step; the same of all steps taken together, and
  /// bytes of each stretch of these.
  double sectors = 1, lines = 1, together = 1, togetherLines = 1, stretch = 1;
};

/// Prices one nest.
class Price {
public:
  Price(const NestFacts &facts, const NestNumbers &numbers,
        const NestShares &shares, const DeviceRates &rates)
      : facts(facts), shares(shares), rates(rates), extents(numbers.extents),
        steps(numbers.steps) {}

  double get();

private:
  Request ask(unsigned number) const;
  void addAccess(unsigned number);
  double getMerge(double outputs, double parts, double threads) const;

  const NestFacts &facts;
  const NestShares &shares;
  const DeviceRates &rates;
  ArrayRef<double> extents;
  ArrayRef<SmallVector<double, 4>> steps;

  /// Steps that a thread takes along each dimension, and those together.
  SmallVector<double, 4> trips;
  double blocks = 1, resident = 1, warps = 1, iterations = 1, together = 1;
  /// Blocks next to each other along the lanes.
  double laneBlocks = 1;
  /// Bytes from memory and L2, cycles of the first cache, bytes under way;
  /// loads of an iteration, and those of bytes.
  double memory = 0, cache = 0, cycles = 0, flight = 0, loads = 0, bytes = 0;
};

} // namespace

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
  double laneStep = step[shares.lane];
  add(lane.width, laneStep);
  double x = std::min(lane.threads, threads);
  add(x, laneStep * lane.width);
  if (shares.next)
    add(threads / x, step[*shares.next]);
  // Rows that are no multiples of sectors begin anywhere in one.
  bool isAligned = llvm::all_of(step, [&](double elements) {
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
  for (auto [dim, share] : llvm::enumerate(shares.dims))
    add(std::min(double(share.unroll), trips[dim]),
        step[dim] * share.threads * share.width);
  Stretches all = findStretches(parts, access.bytes, kSector);
  request.together = getUnits(all, kSector);
  request.togetherLines =
      getUnits(findStretches(parts, access.bytes, kLine), kLine);
  request.stretch = all.bytes;
  return request;
}

void Price::addAccess(unsigned number) {
  const NestAccess &access = facts.accesses[number];
  ArrayRef<double> step = steps[number];
  Request request = ask(number);
  // Iterations for which the access runs anew.
  double runs = 1, unique = access.bytes, repeated = 1;
  bool walksOn = false;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    double stride = std::abs(step[dim]);
    const DimShare &share = shares.dims[dim];
    // A value that stays is loaded once for all steps of the loops inside.
    if (stride || !facts.dims[dim].folds)
      runs *= trips[dim];
    if (stride) {
      unique *= extent;
      if (trips[dim] > share.unroll &&
          stride * share.threads * share.width * access.bytes < kSector)
        walksOn = true;
    } else {
      repeated *= extent;
    }
  }
  double units = warps * runs / together;
  double raw = units * request.together * kSector;
  if (access.writes) {
    // Parts of sectors meet in L2.
    memory += unique;
    cache += std::max(raw, unique);
    cycles +=
        warps * runs *
        std::max(request.lines, request.sectors * kSector / rates.firstCache);
    return;
  }
  // The same sectors again by the same threads: the first cache has them, if
  // what its warps are at fits; it has room for lines, of which some sectors
  // may be missing.
  double residentWarps = std::min(resident, std::ceil(blocks / rates.units)) *
                         std::ceil(shares.getThreads() / double(kWarp));
  if (walksOn &&
      request.togetherLines * kLine * residentWarps < rates.firstCacheBytes)
    raw = std::max(unique, raw * std::min(1.0, unique / raw * 1.1));
  // L2 answers for single sectors more slowly than for whole lines.
  cache += raw * (1 + kSectorLoss * std::max(0.0, 1 - request.stretch / kLine));
  // Other threads' sectors come from L2, as long as it holds what is between:
  // of neighbours along the lanes that is at most what all of them walk.
  double spread = raw / unique;
  double between = repeated > 1 ? unique : unique * laneBlocks / blocks;
  bool held = spread < kSpread || between < rates.cacheBytes / 2;
  // Memory is slower where pages are left for every few sectors.
  double scattered = 1 + kPage / std::max(request.stretch, double(kSector));
  memory += (held || repeated > 1 ? unique : raw) * scattered;
  cycles +=
      warps * runs *
      std::max(request.lines, request.sectors * kSector / rates.firstCache);
  flight += request.together * kSector / together * kStepsUnderWay;
  loads += runs / iterations;
  if (access.bytes == 1)
    bytes += runs / iterations;
}

double Price::get() {
  double threads = shares.getThreads(), foldThreads = 1, useful = 1;
  double outputs = 1, parts = 1, dead = 1;
  for (auto [dim, share] : llvm::enumerate(shares.dims)) {
    double extent = extents[dim];
    double tile = share.threads * share.width;
    useful *= extent / (std::ceil(extent / tile) * tile);
    double own = extent;
    if (!facts.dims[dim].folds) {
      outputs *= extent;
      double tiles = std::ceil(extent / (tile * share.unroll));
      blocks *= tiles;
      if (dim == shares.lane)
        laneBlocks = tiles;
      trips.push_back(share.unroll);
    } else {
      foldThreads *= share.threads;
      if (share.span) {
        own = std::min(extent, double(share.span) * share.unroll * tile);
        parts *= std::ceil(extent / own);
      }
      trips.push_back(std::ceil(own / tile));
    }
    iterations *= trips.back();
    together *= std::min(double(share.unroll), trips.back());
    // Steps past the end are masked, with all that a thread takes beside them.
    dead *= std::ceil(extent / (tile * share.unroll)) * share.unroll /
            std::ceil(extent / tile);
  }
  blocks *= parts;
  double width = shares.dims[shares.lane].width;
  Demand demand;
  demand.blocks = blocks;
  demand.threads = threads;
  demand.registers = kFrameRegisters + facts.registers *
                                           std::min(width * together, 32.0) *
                                           kLiveRegisters;
  resident = countResident(demand, rates);
  if (resident < 1)
    return INFINITY;
  warps = blocks * std::ceil(threads / double(kWarp));
  for (unsigned number = 0; number < facts.accesses.size(); ++number)
    addAccess(number);

  double done = warps * iterations;
  demand.memoryBytes = memory;
  demand.cacheBytes = cache;
  demand.requestBytes = cycles * rates.firstCache;
  demand.instructions =
      done * (width * (facts.work + kByteWork * bytes) + 3 * loads) +
      done / together * 6 + warps * (kFrameWork + kDimWork * extents.size());
  demand.special = done * width * facts.special;
  demand.flight = flight * useful;
  demand.trips = iterations / together;
  double time =
      getTime(demand, rates).nanoseconds * (1 + kDeadLoss * (dead - 1));
  double busyUnits = std::min(blocks, rates.units);
  double waves = std::ceil(blocks / (rates.units * resident));
  // Threads fold their parts: shuffles, then a barrier where warps meet.
  if (foldThreads > 1) {
    double rounds = std::log2(foldThreads) * 2;
    time += done / iterations * rounds * 2 * facts.carried / 4 /
            (busyUnits * rates.issue * rates.clock);
    if (foldThreads > kWarp || (shares.next && threads > kWarp))
      time += waves * rates.barrier * 4;
  }
  if (shares.splits())
    time += getMerge(outputs, parts, foldThreads);
  return rates.launch + time;
}

/// What blocks leave behind is written, read and folded: by the threads that
/// folded, in a launch of its own, or for one result by the last block.
double Price::getMerge(double outputs, double parts, double threads) const {
  bool isOne = outputs == 1;
  double steps = std::ceil(parts / ((isOne ? kLastBlock : threads) * kMerged));
  double bytes = 2 * outputs * parts * facts.carried;
  return (isOne ? rates.gridBarrier : rates.launch) +
         std::max(steps * rates.latency, bytes / rates.memory);
}

double arrc::kernel::judge(const NestFacts &facts, const NestNumbers &numbers,
                           const NestShares &shares, const DeviceRates &rates) {
  return Price(facts, numbers, shares, rates).get();
}
