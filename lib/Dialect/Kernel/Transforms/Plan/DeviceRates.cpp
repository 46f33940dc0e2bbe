//===- DeviceRates.cpp - What devices can do ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Judge.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {
struct Row {
  StringLiteral arch;
  DeviceRates rates;
};
} // namespace

// Threads, registers and blocks a multiprocessor: CUDA C++ Programming Guide,
// "Compute Capabilities". Rates: vendors' data sheets of T4, A100, H200, B200;
// latencies: measured on an H200, taken over for the others.
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

Roof arrc::kernel::getRoof(DeviceAttr device) {
  const DeviceRates &rates = getRates(device);
  constexpr double warp = 32;
  return {rates.memory * 1e9,
          rates.units * rates.issue * warp * rates.clock * 1e9,
          rates.launch * 1e-9, rates.cacheBytes};
}
