//===- WorkerMemory.h - what the tasks of a worker use ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tasks take memory for a row or a tile each time they are handed a range.
/// From the pool, which all threads share, that would be two turns at its lock
/// for each block and range: on 16 threads a softmax of short rows took twice
/// as long. A worker therefore keeps the blocks that its last task used, small
/// ones as long as there is the context and beside the pool, large ones until
/// the call ends.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_WORKERMEMORY_H
#define ARRT_CORE_WORKERMEMORY_H

#include "Core/Pool.h"

#include <vector>

namespace arrt {

/// The blocks of one worker; used by its thread alone while tasks run.
class alignas(2 * ARRT_ALIGNMENT) WorkerMemory {
public:
  /// Bytes up to which a block is small.
  static constexpr int64_t smallBytes = int64_t(1) << 16;

  /// A block of at least `bytes`, which is not below 0; null if there is none.
  void *allocate(Pool &pool, Device &host, int64_t bytes);
  /// Ends the use of a block.
  void release(void *data);
  /// No task runs any more: nothing is in use, what a task that failed has left
  /// included. Large blocks go back to the pool.
  void endCall(Pool &pool);
  /// Gives the small blocks back.
  void clear(Device &host);

private:
  struct Block {
    void *data;
    int64_t bytes;
    bool isUsed, isSmall;
  };
  std::vector<Block> blocks;
};

} // namespace arrt

#endif // ARRT_CORE_WORKERMEMORY_H
