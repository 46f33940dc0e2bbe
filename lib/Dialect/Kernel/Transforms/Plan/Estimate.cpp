//===- Estimate.cpp - How long a kernel takes -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Schedules are judged before there is code (Judge.h). Once there is, what it
// asks for can be counted, and the same rates say how long that takes.
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include "arrc/Dialect/Kernel/Transforms/Roof.h"

#include <algorithm>
#include <utility>

using namespace arrc::kernel;

Estimate arrc::kernel::estimate(const Demand &demand, DeviceAttr device) {
  const DeviceRates &rates = getRates(device);
  // A multiprocessor without a block does nothing.
  double units = std::clamp(demand.blocks, 1.0, rates.units);
  double cycles = units * rates.clock;
  std::pair<double, llvm::StringRef> parts[] = {
      {demand.memoryBytes / rates.memory, "memory"},
      {demand.cacheBytes / rates.cache, "L2"},
      {demand.requestBytes / (cycles * rates.firstCache), "L1"},
      {demand.turns / cycles, "shared memory"},
      {demand.instructions / (cycles * rates.issue), "instructions"},
      {demand.special * kWarp * kSpecialTurns / (cycles * rates.special),
       "special functions"}};
  auto &[most, limit] =
      *std::max_element(std::begin(parts), std::end(parts),
                        [](auto &a, auto &b) { return a.first < b.first; });
  return {1e-9 * (rates.launch + most),
          most < rates.launch ? "the launch" : limit};
}
