//===- Pool.cpp - blocks of device memory that are used again -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Pool.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace arrt;

Pool::~Pool() {
  trim();
  for (auto &[data, block] : used)
    device.release(data, block.bytes);
}

int64_t Pool::classSize(int64_t bytes) {
  constexpr int64_t smallest = ARRT_ALIGNMENT;
  if (bytes <= smallest)
    return smallest;
  if (bytes > INT64_MAX / 2)
    return -1;
  // The largest power of two not above bytes, cut into quarters, each a
  // multiple of the alignment.
  int64_t power = int64_t(1) << (63 - __builtin_clzll(bytes));
  int64_t step = std::max<int64_t>(power / 4, smallest);
  return (bytes + step - 1) / step * step;
}

int64_t Pool::rounded(int64_t bytes) const {
  if (bytes < 0)
    return -1;
  return isOff ? std::max<int64_t>(bytes, 1) : classSize(bytes);
}

void *Pool::allocate(int64_t bytes, uint64_t frame) {
  int64_t size = rounded(bytes);
  if (size < 0)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  void *data = nullptr;
  auto list = free.find(size);
  if (list != free.end() && !list->second.empty()) {
    data = list->second.back();
    list->second.pop_back();
    freeBytes -= size;
  } else {
    // Free blocks of other sizes go back before the limit refuses anything.
    if (limit && usedBytes + freeBytes > limit - size)
      trimLocked();
    if (limit && usedBytes > limit - size)
      return nullptr;
    data = device.allocate(size);
    if (!data) {
      trimLocked();
      data = device.allocate(size);
    }
    if (!data)
      return nullptr;
  }
  used[data] = Block{size, frame};
  usedBytes += size;
  peakBytes = std::max(peakBytes, usedBytes);
  return data;
}

Pool::Blocks::iterator Pool::noteFree(Blocks::iterator block) {
  auto [data, about] = *block;
  if (isHolding) {
    block->second.frame = 0;
    block->second.isHeld = true;
    held.push_back(data);
    return std::next(block);
  }
  usedBytes -= about.bytes;
  if (isOff) {
    device.release(data, about.bytes);
  } else {
    free[about.bytes].push_back(data);
    freeBytes += about.bytes;
  }
  return used.erase(block);
}

bool Pool::release(void *data) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = used.find(data);
  if (it == used.end() || (it->second.isHeld && isHolding))
    return false;
  noteFree(it);
  return true;
}

void Pool::hold() {
  std::lock_guard<std::mutex> lock(mutex);
  isHolding = true;
}

std::vector<void *> Pool::endHold() {
  std::lock_guard<std::mutex> lock(mutex);
  isHolding = false;
  return std::exchange(held, {});
}

bool Pool::setFrame(void *data, uint64_t frame) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = used.find(data);
  if (it == used.end())
    return false;
  it->second.frame = frame;
  return true;
}

void Pool::releaseFrame(uint64_t frame) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto it = used.begin(); it != used.end();)
    it = it->second.frame == frame ? noteFree(it) : std::next(it);
}

int64_t Pool::sizeOf(const void *data) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = used.find(const_cast<void *>(data));
  return it == used.end() ? -1 : it->second.bytes;
}

void Pool::trim() {
  std::lock_guard<std::mutex> lock(mutex);
  trimLocked();
}

void Pool::trimLocked() {
  for (auto &[bytes, blocks] : free)
    for (void *data : blocks)
      device.release(data, bytes);
  free.clear();
  freeBytes = 0;
}

int64_t Pool::inUse() const {
  std::lock_guard<std::mutex> lock(mutex);
  return usedBytes;
}

int64_t Pool::peak() const {
  std::lock_guard<std::mutex> lock(mutex);
  return peakBytes;
}

int64_t Pool::available() const {
  std::lock_guard<std::mutex> lock(mutex);
  int64_t rest = device.freeMemory() + freeBytes;
  return limit ? std::min(rest, limit - usedBytes) : rest;
}
