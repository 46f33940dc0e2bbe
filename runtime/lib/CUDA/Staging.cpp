//===- Staging.cpp - copies by way of pinned memory -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CUDA/Staging.h"
#include "CUDA/CUDADevice.h"

#include <algorithm>
#include <cstring>

using namespace arrt;
using namespace arrt::cuda;

// For CUDA_CALL.
#define STAGING_CALLS                                                          \
  const Driver &driver = device.driver;                                        \
  auto check = [&](Result result, const char *call) {                          \
    return device.check(result, call);                                         \
  }

int32_t Staging::make(CUDADevice &device, Pair &pair, size_t bytes) {
  STAGING_CALLS;
  for (EventRef &event : pair.events)
    if (!event)
      CUDA_CALL(cuEventCreate, (&event, eventNoTiming));
  if (!pair.memory) {
    void *data = nullptr;
    CUDA_CALL(cuMemHostAlloc, (&data, 2 * bytes, 0));
    pair.memory = static_cast<char *>(data);
  }
  return ARRT_STATUS_OK;
}

int32_t Staging::record(CUDADevice &device, Pair &pair, int which) {
  STAGING_CALLS;
  CUDA_CALL(cuEventRecord, (pair.events[which], device.stream));
  pair.isRecorded[which] = true;
  return ARRT_STATUS_OK;
}

int32_t Staging::wait(CUDADevice &device, Pair &pair, int which) {
  STAGING_CALLS;
  if (!pair.isRecorded[which])
    return ARRT_STATUS_OK;
  CUDA_CALL(cuEventSynchronize, (pair.events[which]));
  pair.isRecorded[which] = false;
  return ARRT_STATUS_OK;
}

void Staging::release(const Driver &driver, Pair &pair) {
  for (EventRef &event : pair.events)
    if (event)
      driver.cuEventDestroy(event);
  if (pair.memory)
    driver.cuMemFreeHost(pair.memory);
  pair = Pair();
}

void Staging::release(const Driver &driver) {
  release(driver, small);
  release(driver, large);
  if (back)
    driver.cuMemFreeHost(back);
  back = nullptr;
}

int32_t Staging::copyIn(CUDADevice &device, Address to, const void *host,
                        size_t bytes) {
  STAGING_CALLS;
  if (int32_t status = make(device, small, halfBytes))
    return status;
  if (used + bytes > halfBytes) {
    if (int32_t status = record(device, small, half))
      return status;
    half = 1 - half;
    used = 0;
    if (int32_t status = wait(device, small, half))
      return status;
  }
  char *place = small.memory + size_t(half) * halfBytes + used;
  std::memcpy(place, host, bytes);
  // Each starts at a cache line.
  used += (bytes + 63) / 64 * 64;
  CUDA_CALL(cuMemcpyHtoDAsync, (to, place, bytes, device.stream));
  return ARRT_STATUS_OK;
}

int32_t Staging::copyOut(CUDADevice &device, void *host, Address from,
                         size_t bytes) {
  STAGING_CALLS;
  if (!back)
    CUDA_CALL(cuMemHostAlloc, (&back, mostBackBytes, 0));
  CUDA_CALL(cuMemcpyDtoHAsync, (back, from, bytes, device.stream));
  CUDA_CALL(cuStreamSynchronize, (device.stream));
  std::memcpy(host, back, bytes);
  return ARRT_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// Large copies
//===----------------------------------------------------------------------===//

bool Staging::isLarge(const Device *cores, int64_t bytes) const {
  // Below, the driver's way ends sooner than pinned memory is made; few cores
  // are no faster than it.
  return bytes >= int64_t(1) << 26 && cores && cores->workers() >= 4;
}

/// A copy between two places of the host's memory by all cores.
static void copyByAll(Device &cores, void *to, const void *from, size_t bytes) {
  struct Job {
    char *to;
    const char *from;
    size_t bytes;
  } job{static_cast<char *>(to), static_cast<const char *>(from), bytes};
  static constexpr size_t block = size_t(1) << 18;
  cores.parallel(
      [](void *env, int64_t begin, int64_t end, int64_t) {
        auto &job = *static_cast<Job *>(env);
        size_t first = size_t(begin) * block;
        size_t last = std::min(size_t(end) * block, job.bytes);
        std::memcpy(job.to + first, job.from + first, last - first);
      },
      &job, int64_t((bytes + block - 1) / block), 1);
}

int32_t Staging::copyLargeIn(CUDADevice &device, Device &cores, Address to,
                             const void *host, size_t bytes) {
  STAGING_CALLS;
  if (int32_t status = make(device, large, pieceBytes))
    return status;
  int which = 0;
  for (size_t at = 0; at < bytes; at += pieceBytes, which = 1 - which) {
    size_t part = std::min(bytes - at, pieceBytes);
    char *piece = large.memory + size_t(which) * pieceBytes;
    if (int32_t status = wait(device, large, which))
      return status;
    copyByAll(cores, piece, static_cast<const char *>(host) + at, part);
    CUDA_CALL(cuMemcpyHtoDAsync, (to + at, piece, part, device.stream));
    if (int32_t status = record(device, large, which))
      return status;
  }
  return ARRT_STATUS_OK;
}

int32_t Staging::copyLargeOut(CUDADevice &device, Device &cores, void *host,
                              Address from, size_t bytes) {
  STAGING_CALLS;
  if (int32_t status = make(device, large, pieceBytes))
    return status;
  auto start = [&](size_t at, int which) -> int32_t {
    char *piece = large.memory + size_t(which) * pieceBytes;
    CUDA_CALL(
        cuMemcpyDtoHAsync,
        (piece, from + at, std::min(bytes - at, pieceBytes), device.stream));
    return record(device, large, which);
  };
  // The first two are under way, then each is followed by the one after next.
  for (int which = 0; which < 2 && size_t(which) * pieceBytes < bytes; ++which)
    if (int32_t status = start(size_t(which) * pieceBytes, which))
      return status;
  int which = 0;
  for (size_t at = 0; at < bytes; at += pieceBytes, which = 1 - which) {
    if (int32_t status = wait(device, large, which))
      return status;
    copyByAll(cores, static_cast<char *>(host) + at,
              large.memory + size_t(which) * pieceBytes,
              std::min(bytes - at, pieceBytes));
    size_t next = at + 2 * pieceBytes;
    if (next < bytes)
      if (int32_t status = start(next, which))
        return status;
  }
  return ARRT_STATUS_OK;
}
