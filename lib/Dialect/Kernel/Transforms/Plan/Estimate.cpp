//===- Estimate.cpp - How long a kernel takes -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Schedules are judged before there is code (Judge.cpp), by what their loops
// will ask for. Once there is code, that is counted. How long it takes is said
// here, of both.
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

using namespace arrc::kernel;

/// How much longer memory takes to answer than L2, and than what it takes on
/// average, as some of the trips of a row end in caches.
static constexpr double kCacheLatency = 0.4, kTripLatency = 0.3;
/// How much of the time of what is not the limit is not hidden behind it.
static constexpr double kExposed = 0.05;
/// How much of a wave that is not full is lost: blocks end at different times.
static constexpr double kLastWave = 0.1;
/// What all do together and what each does alone take longer than either where
/// they take equally long: the power of the mean that is taken of them.
static constexpr double kMeeting = 4;

double arrc::kernel::countResident(const Demand &demand,
                                   const DeviceRates &rates) {
  double resident = std::min(
      {rates.blocks, std::floor(rates.threads / demand.threads),
       std::floor(rates.registers /
                  (std::min(demand.registers, 255.0) * demand.threads))});
  if (demand.sharedBytes > 0)
    resident =
        std::min(resident, std::floor(rates.shared / demand.sharedBytes));
  return resident;
}

Time arrc::kernel::getTime(const Demand &demand, const DeviceRates &rates) {
  double resident = std::max(1.0, countResident(demand, rates));
  double busy = std::min(demand.blocks, rates.units * resident);
  // A multiprocessor without a block does nothing.
  double units = std::clamp(demand.blocks, 1.0, rates.units);
  double cycles = units * rates.clock;
  // Bytes under way bound the rate (Little's law).
  double underWay =
      demand.flight > 0
          ? busy * std::ceil(demand.threads / kWarp) * demand.flight
          : INFINITY;
  double waiting = underWay / rates.latency;
  std::pair<double, llvm::StringRef> parts[] = {
      {demand.memoryBytes / std::min(rates.memory, waiting),
       waiting < rates.memory ? "latency" : "memory"},
      {demand.cacheBytes / std::min(rates.cache, waiting / kCacheLatency),
       waiting / kCacheLatency < rates.cache ? "latency" : "L2"},
      {demand.requestBytes / (cycles * rates.firstCache), "L1"},
      {demand.turns / cycles, "shared memory"},
      {demand.instructions / (cycles * rates.issue), "instructions"},
      {demand.special * kWarp * kSpecialTurns / (cycles * rates.special),
       "special functions"}};
  auto [time, limit] =
      *std::max_element(std::begin(parts), std::end(parts),
                        [](auto &a, auto &b) { return a.first < b.first; });
  double most = time;
  for (auto &[other, name] : parts)
    time += other < most ? kExposed * other : 0;
  // A card starts a block a cycle, whatever these do: 0.605 ns each on an H100.
  if (double starting = demand.blocks / rates.clock; starting > time) {
    time = starting;
    limit = "the start of blocks";
  }
  // The last blocks run alone.
  double waves = demand.blocks / (rates.units * resident);
  if (waves > 1)
    time *= 1 + (std::ceil(waves) / waves - 1) * kLastWave;
  // A thread that takes one step after the other waits for each.
  double inRow = std::ceil(waves) *
                 (demand.trips * rates.latency * kTripLatency +
                  demand.barriers * rates.barrier + demand.alone / rates.clock);
  double both = std::max(inRow, time);
  both *= std::pow(std::pow(inRow / both, kMeeting) +
                       std::pow(time / both, kMeeting),
                   1 / kMeeting);
  return {both, inRow > time ? "latency" : limit};
}

Estimate arrc::kernel::estimate(const Demand &demand, DeviceAttr device) {
  const DeviceRates &rates = getRates(device);
  Time time = getTime(demand, rates);
  return {1e-9 * (rates.launch + time.nanoseconds),
          time.nanoseconds < rates.launch ? "the launch" : time.limit};
}
