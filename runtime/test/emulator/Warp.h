//===- Warp.h - 32 lanes that run a program --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every lane has a place in the program. Those at one place are a group; the
/// group at the lowest place is run until it meets another one, so that lanes
/// which part meet again. That is how statistics see requests as the hardware
/// does; what a lane calculates does not depend on it.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_WARP_H
#define ARRT_TEST_EMULATOR_WARP_H

#include "emulator/Program.h"

#include <vector>

namespace emulator {

class Block;
class Launch;

class Warp {
public:
  Warp(Block &block, int32_t number, int32_t threads);
  ~Warp();

  /// Runs about so many instructions of a group, or up to where nothing can be
  /// run; the number that was run.
  int64_t run(int64_t most);
  bool isDone() const { return alive == 0; }
  bool isReady() const { return (alive & ~waiting & ~parked) != 0; }

  uint64_t *cells(int32_t slot) { return &registers[size_t(slot) * lanes]; }
  Mask &predicate(int32_t slot) { return predicates[size_t(slot)]; }
  /// A predicate that is read, negated where the flag says so.
  Mask readPredicate(const Instruction &of, int index) const {
    Mask value = predicates[size_t(of.fromPredicate[index])];
    return of.flags & (index ? negated1 : negated0) ? ~value : value;
  }
  void setPredicate(int32_t slot, Mask mask, Mask value) {
    Mask &set = predicates[size_t(slot)];
    set = (set & ~mask) | (value & mask);
  }
  /// Memory of a lane, in which an offset of local space points.
  char *local(int lane) { return &localMemory[size_t(lane) * localBytes]; }

  // Control, for handlers.

  int32_t next() const { return place + 1; }
  /// The lanes of a mask go on there, the others of the group behind.
  void branch(Mask mask, int32_t target);
  /// Each lane goes on where its cell says.
  void branchTo(Mask mask, const uint64_t *targets);
  /// The lanes have ended.
  void exit(Mask mask);
  /// The lanes stay before this instruction until all that are named are here:
  /// true, with `mask` all of them, when it is to be done.
  bool gather(Mask &mask, const uint64_t *members);
  /// The lanes go on behind this instruction once a barrier is open.
  void wait(Mask mask, int32_t barrier);
  void open(int32_t barrier);
  /// Ends the launch.
  [[noreturn]] void fail(arrt::cuda::Result code, const Instruction &at,
                         const std::string &why, int lane = -1) const;
  /// Where lanes wait, for messages.
  std::string describeWaiting() const;

  Block &block;
  Launch &launch;
  const Program &program;
  const int32_t number; ///< in the block
  Mask alive;
  Mask carry = 0;
  Mask hasWaited = 0; ///< lanes for which the launch before has ended
  uint32_t epoch = 0; ///< barriers of the warp so far
  uint64_t localBytes;

private:
  void choose();
  void fillConstants();

  std::vector<uint64_t> registers;
  std::vector<Mask> predicates;
  std::vector<char> localMemory;
  int32_t places[lanes]; ///< of lanes that are not in the group
  Mask waiting = 0;      ///< at a barrier
  Mask parked = 0;       ///< for others of their warp
  Mask waitingAt[16] = {};
  // The group that runs, its place, and the next place where another waits.
  Mask active = 0;
  int32_t place = 0, limit = 0;
  bool isBroken = false; ///< the group has changed
  Mask starved = 0;      ///< could run in the last time slice and did not
};

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_WARP_H
