//===- WorkerMemory.h - what the tasks of a worker use -----------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tasks take memory for a row or a tile each time they are handed a range.
/// From the pool, which all threads share, that would be two turns at its lock
/// for each block and range: on 16 threads a softmax of short rows took three
/// times as long. A worker therefore keeps the blocks that its last task used.
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
  /// A block of at least `bytes`, or null.
  void *allocate(Pool &pool, int64_t bytes);
  /// Ends the use of a block.
  void release(void *data);
  /// No task runs any more: all goes back, also what a task that failed has
  /// left.
  void giveBack(Pool &pool);

private:
  struct Block {
    void *data;
    int64_t bytes;
    bool isUsed;
  };
  std::vector<Block> blocks;
};

} // namespace arrt

#endif // ARRT_CORE_WORKERMEMORY_H
