//===- Launch.h - the blocks of a launch -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Some blocks are resident at a time and their warps take turns, so protocols
/// between blocks are run as on a card: what waits for another block is waiting
/// while that one works. All of it follows from the options.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_LAUNCH_H
#define ARRT_TEST_EMULATOR_LAUNCH_H

#include "emulator/Checks.h"
#include "emulator/Memory.h"
#include "emulator/Statistics.h"
#include "emulator/Warp.h"

#include <memory>
#include <vector>

namespace emulator {

struct Grid {
  uint64_t blocks[3] = {1, 1, 1}, threads[3] = {1, 1, 1};
  uint64_t shared = 0; ///< bytes asked for at the launch
  uint64_t threadCount() const { return threads[0] * threads[1] * threads[2]; }
  uint64_t blockCount() const { return blocks[0] * blocks[1] * blocks[2]; }
};

/// How a launch is run: from the environment.
struct Options {
  int64_t resident = 8;        ///< ARRC_EMULATOR_BLOCKS
  int64_t slice = 2000;        ///< ARRC_EMULATOR_SLICE: instructions of a warp
  uint64_t seed = 0;           ///< ARRC_EMULATOR_SEED: another order; 0: none
  int64_t patience = 50000000; ///< ARRC_EMULATOR_PATIENCE: without a store
  const char *statistics =
      nullptr; ///< ARRC_EMULATOR_STATS: a file, - is stderr
  static Options fromEnvironment();
};

class Block {
public:
  ~Block();
  Block(Launch &launch, uint64_t number);

  /// Lanes have come to a barrier at which `count` threads are expected (0: all
  /// that have not ended).
  void arrive(int32_t barrier, int threads, uint64_t count);
  void exit(int threads);
  bool isDone() const { return alive == 0; }

  Launch &launch;
  const uint64_t number;
  uint32_t epoch = 0; ///< barriers so far
  uint64_t index[3];
  std::vector<char> shared;
  std::vector<std::unique_ptr<Warp>> warps;

private:
  void openIfFull(int32_t barrier);

  int64_t alive; ///< threads
  int64_t arrived[16] = {}, expected[16] = {};
};

class Launch {
public:
  /// `parameters`: the bytes of the arguments, placed as the program says.
  Launch(const Program &program, const Grid &grid, const Memory &memory,
         std::vector<char> parameters, const Options &options);
  /// Runs all blocks. Throws a Fault.
  void run();
  /// A number below `below` that follows from the seed.
  uint32_t random(uint32_t below);
  /// Something was stored: nothing is stuck.
  void noteProgress() { idle = 0; }

  const Program &program;
  const Grid grid;
  const Memory &memory;
  const std::vector<char> parameters;
  const Options options;
  Counts counts;
  /// For each access of the program the range that it was in.
  std::vector<Range> ranges;
  std::unique_ptr<Races> races; ///< if they are looked for
  Written *written = nullptr;   ///< if what is loaded must have been stored
  bool isEarly = false;         ///< each thread must wait for the launch before
  /// Memory of warps that have ended, for the next: pages that the system gives
  /// anew cost more than most warps run.
  std::vector<std::vector<uint64_t>> spareRegisters;
  std::vector<std::vector<char>> spareLocal;

private:
  [[noreturn]] void failStuck(const char *why) const;

  std::vector<std::unique_ptr<Block>> resident;
  int64_t idle = 0; ///< instructions since something was stored
  uint64_t state;
};

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_LAUNCH_H
