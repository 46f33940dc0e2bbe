//===- Staging.cpp - small uploads that do not wait -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CUDA/Staging.h"
#include "CUDA/CUDADevice.h"

#include <cstring>

using namespace arrt;
using namespace arrt::cuda;

int32_t Staging::copyIn(CUDADevice &device, Address to, const void *host,
                        size_t bytes) {
  const Driver &driver = device.driver;
  auto check = [&](Result result, const char *call) {
    return device.check(result, call);
  };
  for (EventRef &event : events)
    if (!event)
      CUDA_CALL(cuEventCreate, (&event, eventNoTiming));
  if (!memory) {
    void *data = nullptr;
    CUDA_CALL(cuMemHostAlloc, (&data, 2 * halfBytes, 0));
    memory = static_cast<char *>(data);
  }
  if (used + bytes > halfBytes) {
    CUDA_CALL(cuEventRecord, (events[half], device.stream));
    isRecorded[half] = true;
    half = 1 - half;
    used = 0;
    if (isRecorded[half])
      CUDA_CALL(cuEventSynchronize, (events[half]));
    isRecorded[half] = false;
  }
  char *place = memory + size_t(half) * halfBytes + used;
  std::memcpy(place, host, bytes);
  // Each starts at a cache line.
  used += (bytes + 63) / 64 * 64;
  CUDA_CALL(cuMemcpyHtoDAsync, (to, place, bytes, device.stream));
  return ARRT_STATUS_OK;
}

void Staging::release(const Driver &driver) {
  for (EventRef &event : events)
    if (event)
      driver.cuEventDestroy(event);
  if (memory)
    driver.cuMemFreeHost(memory);
  memory = nullptr;
}
