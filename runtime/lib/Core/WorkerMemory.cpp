//===- WorkerMemory.cpp - what the tasks of a worker use ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/WorkerMemory.h"

#include <algorithm>

using namespace arrt;

void *WorkerMemory::allocate(Pool &pool, Device &host, int64_t bytes) {
  for (Block &block : blocks)
    if (!block.isUsed && block.bytes >= bytes) {
      block.isUsed = true;
      return block.data;
    }
  // One of the kind that is too small makes room.
  bool isSmall = bytes <= smallBytes;
  auto other =
      std::find_if(blocks.begin(), blocks.end(), [&](const Block &block) {
        return !block.isUsed && block.isSmall == isSmall;
      });
  if (other != blocks.end()) {
    if (isSmall)
      host.release(other->data, other->bytes);
    else
      pool.release(other->data);
    blocks.erase(other);
  }
  bytes = std::max<int64_t>(bytes, 1);
  // The frame does not end a block: `endCall` does.
  void *data = isSmall ? host.allocate(bytes) : pool.allocate(bytes, 0);
  if (data)
    blocks.push_back({data, bytes, true, isSmall});
  return data;
}

void WorkerMemory::release(void *data) {
  for (Block &block : blocks)
    if (block.data == data)
      block.isUsed = false;
}

void WorkerMemory::endCall(Pool &pool) {
  auto large = std::partition(blocks.begin(), blocks.end(),
                              [](const Block &block) { return block.isSmall; });
  for (auto block = large; block != blocks.end(); ++block)
    pool.release(block->data);
  blocks.erase(large, blocks.end());
  for (Block &block : blocks)
    block.isUsed = false;
}

void WorkerMemory::clear(Device &host) {
  for (const Block &block : blocks)
    if (block.isSmall)
      host.release(block.data, block.bytes);
  blocks.clear();
}
