//===- WorkerMemory.cpp - what the tasks of a worker use ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/WorkerMemory.h"

#include <algorithm>

using namespace arrt;

void *WorkerMemory::allocate(Pool &pool, int64_t bytes) {
  for (Block &block : blocks)
    if (!block.isUsed && block.bytes >= bytes) {
      block.isUsed = true;
      return block.data;
    }
  // One that is too small makes room.
  auto small = std::find_if(blocks.begin(), blocks.end(),
                            [](const Block &block) { return !block.isUsed; });
  if (small != blocks.end()) {
    pool.release(small->data);
    blocks.erase(small);
  }
  // The frame does not end it: `giveBack` does.
  void *data = pool.allocate(bytes, 0);
  if (data)
    blocks.push_back({data, bytes, true});
  return data;
}

void WorkerMemory::release(void *data) {
  for (Block &block : blocks)
    if (block.data == data)
      block.isUsed = false;
}

void WorkerMemory::giveBack(Pool &pool) {
  for (const Block &block : blocks)
    pool.release(block.data);
  blocks.clear();
}
