//===- Memory.h - what is allocated on the emulated card -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_MEMORY_H
#define ARRT_TEST_EMULATOR_MEMORY_H

#include <cstdint>
#include <map>

namespace emulator {

/// Addresses from `begin` up to `end`.
struct Range {
  uint64_t begin = 1, end = 0;
  uint64_t shift = 0; ///< to where the host has them
  bool holds(uint64_t address, uint64_t bytes) const {
    return address >= begin && address + bytes <= end;
  }
  /// Where the host has the byte at an address of the range.
  char *locate(uint64_t address) const {
    return reinterpret_cast<char *>(uintptr_t(address + shift));
  }
};

/// The ranges that kernels may touch. Addresses of the device's memory are not
/// the host's.
class Memory {
public:
  /// Addresses from `begin` on, whose bytes the host has at `place`.
  void add(uint64_t begin, uint64_t bytes, uint64_t place) {
    ranges[begin] = {begin, begin + bytes, place - begin};
  }
  void remove(uint64_t begin) { ranges.erase(begin); }
  /// The last range that begins at or before an address, or an empty one.
  Range find(uint64_t address) const {
    auto next = ranges.upper_bound(address);
    return next == ranges.begin() ? Range() : std::prev(next)->second;
  }

private:
  std::map<uint64_t, Range> ranges;
};

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_MEMORY_H
