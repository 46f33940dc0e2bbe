//===- Pool.cpp - blocks of device memory that are used again -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Pool.h"

#include <algorithm>

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

void *Pool::allocate(int64_t bytes, uint64_t frame) {
  int64_t size = bytes < 0 ? -1 : classSize(bytes);
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

void Pool::noteFree(void *data, int64_t bytes) {
  free[bytes].push_back(data);
  usedBytes -= bytes;
  freeBytes += bytes;
}

bool Pool::release(void *data) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = used.find(data);
  if (it == used.end())
    return false;
  noteFree(data, it->second.bytes);
  used.erase(it);
  return true;
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
  for (auto it = used.begin(); it != used.end();) {
    if (it->second.frame != frame) {
      ++it;
      continue;
    }
    noteFree(it->first, it->second.bytes);
    it = used.erase(it);
  }
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
