//===- Statistics.h - what a launch did ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_STATISTICS_H
#define ARRT_TEST_EMULATOR_STATISTICS_H

#include "emulator/Program.h"

#include <bitset>
#include <string>
#include <unordered_map>
#include <vector>

namespace emulator {

struct Grid;

/// Requests of one kind: a request is one instruction of one warp.
struct Traffic {
  uint64_t requests = 0;
  uint64_t bytes = 0; ///< that lanes asked for
  /// Sectors of 32 bytes that a request touches; of shared memory wavefronts:
  /// the most words in one bank.
  uint64_t pieces = 0;
};

/// The sectors of global memory that a launch touches, each counted once.
class Footprint {
public:
  void add(uint64_t address) {
    auto &page = pages[address >> 15];
    auto sector = size_t(address >> 5 & 1023);
    if (!page[sector]) {
      page[sector] = true;
      ++count;
    }
  }
  uint64_t sectors() const { return count; }

private:
  std::unordered_map<uint64_t, std::bitset<1024>> pages;
  uint64_t count = 0;
};

struct Counts {
  uint64_t instructions = 0;     ///< of threads
  uint64_t warpInstructions = 0; ///< of groups
  uint64_t barriers = 0;
  /// Off unless ARRC_EMULATOR_STATS is set: an access of the program each.
  std::vector<Traffic> accesses;
  Footprint read, written;

  /// Notes a request: `addresses` of the lanes of a mask, `bytes` each.
  void note(const Instruction &access, const uint64_t *addresses, Mask mask,
            uint64_t bytes);
};

/// Appends the table of a launch to the file that ARRC_EMULATOR_STATS names.
void writeStatistics(const char *file, const Program &program, const Grid &grid,
                     const Counts &counts);

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_STATISTICS_H
