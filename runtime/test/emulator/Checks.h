//===- Checks.h - races and memory that was never written ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether accesses of different threads to one byte are ordered: in a block by
/// its barriers, in a warp by bar.warp.sync, between blocks by a fence before
/// and behind the atomic operations or strong loads and stores that tell of
/// each other. Time is counted per block: an epoch ends with a barrier. Also
/// whether what is loaded was ever stored.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_CHECKS_H
#define ARRT_TEST_EMULATOR_CHECKS_H

#include "emulator/Program.h"

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace emulator {

class Warp;

class Races {
public:
  /// Accesses of a lane; a store that leaves the bytes as they are is no race
  /// with another one. `isStrong`: may meet other strong ones at any time.
  void load(Warp &warp, const Instruction &at, int lane, const char *place,
            uint64_t bytes, bool isStrong);
  void store(Warp &warp, const Instruction &at, int lane, const char *place,
             uint64_t bytes, bool isStrong, bool isSame);
  /// A fence of the lanes.
  void fence(Warp &warp, Mask mask);
  /// New memory of a block, where an old one's may have been.
  void forget(const char *begin, uint64_t bytes);

private:
  /// Who touched a byte.
  struct Touch {
    uint32_t block = ~0u, thread = 0, epoch = 0, warpEpoch = 0;
    const Instruction *at = nullptr;
    bool isStrong = false;
  };
  struct Shadow {
    Touch writer, readers[2];
  };
  static constexpr uint64_t pageBytes = 1024;
  struct Page {
    Shadow bytes[pageBytes];
  };
  /// What of a block has happened before: the epochs below one, and that one of
  /// a thread.
  struct Known {
    uint32_t epoch = 0, thread = 0;
    uint32_t byThread = 0, atEpoch = 0; ///< who learned it, and when
  };
  using Clock = std::map<uint32_t, Known>;
  struct Thread {
    bool hasFence = false;
    Clock released; ///< at its last fence
    Clock pending;  ///< read from strong variables since its last fence
  };

  Shadow &shadow(const char *place);
  Touch touch(const Warp &warp, const Instruction &at, int lane,
              bool isStrong) const;
  bool isOrdered(const Touch &before, const Touch &now) const;
  void check(Warp &warp, const Touch &before, const Touch &now, int lane,
             const char *what) const;
  void release(const Touch &now, const char *place);
  void acquire(const Touch &now, const char *place);
  void fence(const Touch &now);
  static void merge(Clock &into, const Clock &from);
  Thread &thread(const Touch &now) {
    return threads[uint64_t(now.block) << 32 | now.thread];
  }

  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  std::unordered_map<uint64_t, Thread> threads;
  std::unordered_map<uint32_t, Clock> seen;          ///< of blocks
  std::unordered_map<const char *, Clock> variables; ///< strong ones
};

/// The bytes that were written since they were allocated.
class Written {
public:
  void allocate(uint64_t begin, uint64_t bytes);
  void add(uint64_t begin, uint64_t bytes);
  /// False if one of the bytes is in an allocation and was not written; of
  /// whole words, if none of a word's bytes was: kernels read the words that
  /// hold the bytes which they want.
  bool holds(uint64_t begin, uint64_t bytes) const;
  void free(uint64_t begin) { pieces.erase(begin); }

private:
  /// A bit a byte of each allocation.
  std::map<uint64_t, std::vector<bool>> pieces;
};

/// ARRC_EMULATOR_CHECK: a list of `races`, `init`.
bool isCheckOn(const char *name);

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_CHECKS_H
