//===- Judge.cpp - How long a schedule takes ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What bounds memory is priced in PriceAccesses.cpp. Beside what all
// multiprocessors can do together stands what a warp takes alone: each of its
// trips to memory, and the instructions that wait for each other; with few
// warps that is longer.
//
// Constants are fitted to 4407 schedules of 219 random nests, timed on an H200
// (bench/judge.py); those of windows to 319 schedules of 23 others.
//
// References: Little's law for GPUs (Volkov 2016); ROLLER (OSDI 2022).
//
//===----------------------------------------------------------------------===//

#include "PriceNest.h"

#include "../Shared/EvenThreads.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// What a step past the end costs of one that counts, of which there are no
/// more than these beside it: threads that have none leave early; what the copy
/// with masks costs besides, where a block takes iterations together that are
/// not all there, and the steps of a fold that fill no whole group.
static constexpr double kDeadLoss = 0.1, kMostDead = 3, kMaskLoss = 0.15,
                        kRestLoss = 0.07;
/// What the threads of a block with an end of a row take longer for each
/// element that they take together along it; windows are read with their ends.
static constexpr double kEndLoss = 0.06;
/// The same of neighbours of a window.
static constexpr double kTapMaskLoss = 2;
/// Trips to memory that one takes as long as, with what waits for its values.
static constexpr double kTrips = 3.6;
/// Trips that a step beside all groups of a fold takes as long as, if it has
/// special functions.
static constexpr double kRestTrip = 1.2;
/// Cycles of a warp for an instruction and for a special function, alone.
static constexpr double kAlone = 1.3, kAloneSpecial = 64;
/// Instructions issued for each that is counted, for indices and conditions;
/// turns of the unit of special functions, whose instructions are among these;
/// the time of a line in the first cache, as some of a request share one.
static constexpr double kIndexWork = 1.6, kSpecialShare = 0.35,
                        kLineShare = 0.55;
/// What folding the parts of threads takes longer than its instructions.
static constexpr double kFoldLoss = 1.65;
/// Blocks a multiprocessor that even out, as one that ends early takes another:
/// with as few or fewer all wait for the slowest one. What the time is of what
/// the limits say with many blocks, and how much more with few.
static constexpr double kFewBlocks = 4, kEven = 0.93, kUneven = 0.28;
/// Threads of the block that folds the partial results of all, and how many of
/// these a thread reads before it waits (InterleavedPartials.h).
static constexpr double kLastBlock = 256, kMerged = 8;
/// Registers for a word that is loaded, for one that a thread folds into, and
/// for a special function and each that is under way beside it.
static constexpr double kLoadRegisters = 0.45, kResultRegisters = 2.2,
                        kSpecialRegisters = 1.2;
/// Instructions for a load of a step that a group of a fold takes too many.
static constexpr double kMaskWork = 8;
/// Instructions of a thread before its first iteration: where it is, and along
/// each dimension what it has to do.
static constexpr double kFrameWork = 10, kDimWork = 5;

//===----------------------------------------------------------------------===//
// Shares
//===----------------------------------------------------------------------===//

int64_t NestShares::getThreads() const {
  int64_t threads = 1;
  for (const DimShare &share : dims)
    threads *= share.threads;
  return threads;
}

bool NestShares::splits() const {
  return llvm::any_of(dims,
                      [](const DimShare &share) { return share.isSplit(); });
}

bool arrc::kernel::isDealable(const NestFacts &facts,
                              const NestShares &shares) {
  for (auto [dim, share] : llvm::enumerate(shares.dims))
    if (facts.dims[dim].folds &&
        (share.threads > 1 || share.width > 1 || share.isSplit()))
      return false;
  return true;
}

NestShares arrc::kernel::dealOut(const NestFacts &facts,
                                 const NestNumbers &numbers,
                                 NestShares shares) {
  // Who has all threads of a block needs no numbers.
  int64_t block = shares.getThreads(), room = 1, taken = 1;
  if (shares.dims[shares.lane].threads == block)
    return shares;
  auto deal = [&](unsigned dim) {
    DimShare &share = shares.dims[dim];
    if (share.threads == 1)
      return;
    room *= share.threads;
    int64_t items =
        std::ceil(numbers.extents[dim] / (share.unroll * share.width));
    bool goesOn = llvm::any_of(facts.accesses, [&](const NestAccess &access) {
      return access.isNext(dim);
    });
    share.threads = dealEvenly(items, room / taken, goesOn ? kEvenUnit : 1);
    taken *= share.threads;
  };
  deal(shares.lane);
  if (shares.next)
    deal(*shares.next);
  shares.idle = block - taken;
  return shares;
}

//===----------------------------------------------------------------------===//
// Price
//===----------------------------------------------------------------------===//

void Price::placeDims() {
  for (auto [dim, share] : llvm::enumerate(shares.dims)) {
    double extent = extents[dim];
    double tile = share.threads * share.width;
    used.push_back(extent / (std::ceil(extent / tile) * tile));
    useful *= used.back();
    double own = extent;
    if (!facts.dims[dim].folds) {
      outputs *= extent;
      tiles.push_back(std::ceil(extent / (tile * share.unroll)));
      double group = share.width * share.unroll;
      kept *= group;
      double all = 1 - std::fmod(extent, tile * share.unroll) / extent;
      if (group > 1)
        whole *= all;
      // Neighbours that are not all there no longer share what they read.
      if (share.width > 1 && !(dim == shares.lane && shares.vectors))
        shared *= all;
      trips.push_back(dim == shares.lane ? share.unroll : group);
      groups.push_back(trips.back());
    } else {
      foldThreads *= share.threads;
      tiles.push_back(1);
      if (share.span) {
        own = std::min(extent, double(share.span) * share.unroll * tile);
        tiles.back() = std::ceil(extent / own);
      } else if (share.blocks) {
        double group = share.unroll * tile;
        own = std::ceil(extent / (share.blocks * group)) * group;
        tiles.back() = share.blocks;
        // Some blocks may have nothing to do.
        useful *= std::min(1.0, extent / (share.blocks * own));
      }
      parts *= tiles.back();
      trips.push_back(std::ceil(own / tile));
      groups.push_back(std::min(double(share.unroll), trips.back()));
      // Steps that fill no group branch, each around its functions.
      double rest = std::fmod(own, tile * share.unroll) / tile;
      if (rest > 0)
        masked += (share.unroll - std::ceil(rest)) / trips.back();
      double alone = facts.special ? rest * kRestTrip : 0;
      waits *= std::floor(own / (tile * share.unroll)) +
               (rest > 0 ? std::max(alone, 1.0) : 0);
      if (share.unroll > 1)
        inGroups *= 1 - rest * tile / own;
      if (share.unroll > 1 && facts.special)
        singly = std::max(singly, rest * tile / own);
    }
    iterations *= trips.back();
    together *= groups.back();
    // Steps past the end are masked, with all that a thread takes beside them.
    dead *= std::ceil(extent / (tile * share.unroll)) * share.unroll /
            std::ceil(extent / tile);
  }
}

void Price::placeBlocks() {
  // The last parallel dimension is the first along which blocks start; folds
  // come after all.
  apart.resize(tiles.size());
  for (bool folds : {false, true})
    for (unsigned k = 0; k < tiles.size(); ++k) {
      unsigned dim = folds ? k : tiles.size() - 1 - k;
      if (facts.dims[dim].folds != folds)
        continue;
      apart[dim] = blocks;
      blocks *= tiles[dim];
    }
}

double Price::getFolding(double waves) const {
  double folding = 0;
  // Threads fold their parts: shuffles, then a barrier where warps meet.
  if (foldThreads > 1) {
    double rounds = std::log2(foldThreads) * 2;
    folding += warps * kept * rounds * 2 * facts.carried / 4 /
               (std::min(blocks, rates.units) * rates.issue * rates.clock);
    if (foldThreads > kWarp || (shares.next && shares.getThreads() > kWarp))
      folding += std::ceil(waves) * rates.barrier * 4;
  }
  if (shares.splits())
    folding += getMerge();
  return folding * kFoldLoss;
}

double Price::countEnds() const {
  double most = 0;
  for (auto [dim, share] : llvm::enumerate(shares.dims)) {
    bool hasEnds = llvm::any_of(facts.accesses, [&](const NestAccess &access) {
      return access.hasEnds && !access.taps && access.isNext(dim);
    });
    if (!hasEnds)
      continue;
    double together = share.width * share.unroll;
    double steps = std::ceil(extents[dim] / (share.threads * together));
    most = std::max(most, together * std::min(1.0, 2 / steps));
  }
  return most;
}

double Price::countGroups(unsigned dim) const {
  return dim == shares.lane ? groups[dim]
                            : groups[dim] / shares.dims[dim].width;
}

double Price::countLoaded() const {
  double words = facts.loadWords * shares.dims[shares.lane].width * together;
  for (const NestAccess &access : facts.accesses)
    if (access.taps)
      words += std::max(access.bytes / 4.0, 1.0) * countTaps(access, 1);
  return words;
}

NestPrice Price::get() {
  placeDims();
  placeBlocks();
  double width = shares.dims[shares.lane].width, threads = shares.getThreads();
  Demand demand;
  demand.blocks = blocks;
  demand.threads = threads + shares.idle;
  demand.registers = kFrameRegisters +
                     kResultRegisters * kept * facts.carried / 4 +
                     kLoadRegisters * countLoaded() +
                     (facts.special ? kSpecialRegisters * (6 + together) : 0);
  resident = countResident(demand, rates);
  if (resident < 1)
    return {INFINITY, "registers", demand};
  warps = blocks * std::ceil(threads / double(kWarp));
  for (unsigned number = 0; number < facts.accesses.size(); ++number)
    addAccess(number);
  double moved = 0;
  for (const Traffic &traffic : traffics)
    moved += traffic.raw / blocks;
  for (unsigned number = 0; number < facts.accesses.size(); ++number)
    addMemory(number, moved);

  double done = warps * iterations;
  // The multiprocessor with the most blocks decides.
  double waves = blocks / (rates.units * resident),
         share = blocks / rates.units;
  double uneven = share > 1 ? std::ceil(share) / share : 1;
  double work = 0, special = 0;
  for (const NestWork &part : facts.parts) {
    double times = part.dims[shares.lane] ? width : 1;
    for (unsigned dim : part.dims.set_bits())
      times *= trips[dim];
    work += warps * times * part.work;
    special += warps * times * part.special;
  }
  double instructions =
      work + done * (width * kByteWork * bytes + 3 * loads + taps) +
      done * masked * kMaskWork * loads + done / together * 6 +
      warps * (kFrameWork + kDimWork * extents.size());
  demand.memoryBytes = memory;
  demand.cacheBytes = uneven * cache;
  demand.requestBytes = uneven * cycles * rates.firstCache * kLineShare;
  demand.instructions = uneven * instructions * kIndexWork;
  demand.special = uneven * special * kSpecialShare;
  demand.flight = flight * useful / (1 + (kSteps - 1) * singly);
  demand.trips = waits * kTrips;
  demand.alone = (instructions * kAlone + special * kAloneSpecial) / warps;
  auto [time, limit] = getTime(demand, rates);
  time *= (1 + kMaskLoss * (1 - whole) + kTapMaskLoss * (1 - shared) +
           kRestLoss * (1 - inGroups) + kEndLoss * countEnds()) *
          (1 + kDeadLoss * std::min(dead - 1, kMostDead));
  time *= kEven + kUneven * std::min(1.0, kFewBlocks / share);
  double folding = getFolding(waves);
  return {rates.launch + time + folding, limit, demand, folding};
}

/// What blocks leave behind is written, read and folded: by the threads that
/// folded, in a launch of its own, or for one result by the last block.
double Price::getMerge() const {
  bool isOne = outputs == 1;
  double steps =
      std::ceil(parts / ((isOne ? kLastBlock : foldThreads) * kMerged));
  double bytes = 2 * outputs * parts * facts.carried;
  return (isOne ? rates.gridBarrier : rates.launch) +
         std::max(steps * rates.latency, bytes / rates.memory);
}

NestPrice arrc::kernel::judge(const NestFacts &facts,
                              const NestNumbers &numbers,
                              const NestShares &shares,
                              const DeviceRates &rates) {
  return Price(facts, numbers, shares, rates).get();
}
