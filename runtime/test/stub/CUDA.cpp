//===- CUDA.cpp - a CUDA driver without a card ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// As strict as the driver: addresses must be allocated, handles alive, a
// context current, limits kept. Work is done at once. Graphs and the linker
// stand in CUDAGraph.cpp and CUDALink.cpp; modules and launches are the stub's
// (CUDAModule.cpp) or the emulator's (../emulator/Driver.cpp).
//
//===----------------------------------------------------------------------===//

#include "stub/CUDAState.h"
#include "stub/Hidden.h"

#include <cstdlib>
#include <cstring>
#include <map>

using namespace arrt::cuda;
using namespace stub;

namespace {
constexpr size_t memoryBytes = size_t(1) << 32;
constexpr int mostCards = 16;

/// How many cards there are: ARRC_EMULATOR_CARDS, else 2.
int numCards() {
  const char *text = std::getenv("ARRC_EMULATOR_CARDS");
  int number = text ? std::atoi(text) : 2;
  return number < 1 || number > mostCards ? 2 : number;
}

struct Piece {
  size_t bytes;
  char *place; ///< where the host has them
};
struct State {
  std::map<Address, Piece> memory;
  size_t used = 0;
  CUctx_st contexts[mostCards];
  State() {
    for (int card = 0; card < mostCards; ++card)
      contexts[card].device = card;
  }
};
State &state() {
  static State *all = new State;
  return *all;
}

/// True if the bytes are all in one piece of memory that is allocated.
bool isMemory(Address data, size_t bytes) {
  auto next = state().memory.upper_bound(data);
  if (next == state().memory.begin())
    return false;
  --next;
  return data + bytes <= next->first + next->second.bytes;
}

/// Where the driver reaches memory of the device.
char *locate(Address data) {
  auto &[begin, piece] = *--state().memory.upper_bound(data);
  return piece.place + (data - begin);
}
} // namespace

extern "C" {

Result cuInit(unsigned) {
  ENTER(cuInit);
  return success;
}
Result cuDriverGetVersion(int *version) {
  ENTER(cuDriverGetVersion);
  *version = 12040;
  return success;
}
Result cuGetErrorName(Result error, const char **text) {
  *text = error == outOfMemory      ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == noDevice       ? "CUDA_ERROR_NO_DEVICE"
          : error == invalidPTX     ? "CUDA_ERROR_INVALID_PTX"
          : error == illegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == launchFailed   ? "CUDA_ERROR_LAUNCH_FAILED"
          : error == launchTimeout  ? "CUDA_ERROR_LAUNCH_TIMEOUT"
                                    : "CUDA_ERROR_OF_THE_STUB";
  return success;
}
Result cuGetErrorString(Result error, const char **text) {
  *text = card().explain(error);
  return success;
}

Result cuDeviceGetCount(int *count) {
  ENTER(cuDeviceGetCount);
  *count = numCards();
  return success;
}
Result cuDeviceGet(DeviceId *device, int number) {
  ENTER(cuDeviceGet);
  *device = number;
  return number >= 0 && number < numCards() ? success : invalidValue;
}
Result cuDeviceGetName(char *name, int length, DeviceId) {
  ENTER(cuDeviceGetName);
  std::strncpy(name, card().name, size_t(length));
  return success;
}
Result cuDeviceGetAttribute(int *value, Attribute attribute, DeviceId) {
  ENTER(cuDeviceGetAttribute);
  *value = attribute == maxThreadsPerBlock       ? 1024
           : attribute == maxSharedPerBlock      ? 48 << 10
           : attribute == computeMinor           ? card().compute % 10
           : attribute == maxSharedPerBlockOptIn ? mostSharedBytes
           : attribute == warpSize               ? 32
           : attribute == multiprocessors        ? 132
           : attribute == computeMajor           ? card().compute / 10
           : attribute == maxRegistersPerUnit    ? 65536
           : attribute == maxThreadsPerUnit      ? 2048
           : attribute == maxBlocksPerUnit       ? 32
           : attribute == maxSharedPerUnit       ? 228 << 10
                                                 : 0;
  return success;
}
Result cuDeviceTotalMem_v2(size_t *bytes, DeviceId) {
  ENTER(cuDeviceTotalMem);
  *bytes = memoryBytes;
  return success;
}
Result cuDevicePrimaryCtxRetain(ContextRef *context, DeviceId device) {
  ENTER(cuDevicePrimaryCtxRetain);
  ++calls().held;
  *context = &state().contexts[device];
  return success;
}
Result cuDevicePrimaryCtxRelease_v2(DeviceId) {
  ENTER(cuDevicePrimaryCtxRelease);
  --calls().held;
  return success;
}
Result cuCtxSetCurrent(ContextRef context) {
  ENTER(cuCtxSetCurrent);
  current = context;
  return success;
}
Result cuCtxSynchronize() {
  ENTER_CURRENT(cuCtxSynchronize);
  return success;
}

Result cuStreamCreate(StreamRef *stream, unsigned) {
  ENTER_CURRENT(cuStreamCreate);
  *stream = calls().begin<CUstream_st>();
  return success;
}
Result cuStreamDestroy_v2(StreamRef stream) {
  ENTER_CURRENT(cuStreamDestroy);
  return calls().end(stream) ? success : invalidValue;
}
Result cuStreamSynchronize(StreamRef stream) {
  ENTER_CURRENT(cuStreamSynchronize);
  if (!isAlive(stream))
    return invalidValue;
  return stream->captured ? captureUnsupported : success;
}

Result cuEventCreate(EventRef *event, unsigned) {
  ENTER_CURRENT(cuEventCreate);
  *event = calls().begin<CUevent_st>();
  return success;
}
Result cuEventDestroy_v2(EventRef event) {
  ENTER_CURRENT(cuEventDestroy);
  return calls().end(event) ? success : invalidValue;
}
Result cuEventRecord(EventRef event, StreamRef stream) {
  ENTER_CURRENT(cuEventRecord);
  return isAlive(event) && isAlive(stream) ? success : invalidValue;
}
Result cuStreamWaitEvent(StreamRef stream, EventRef event, unsigned) {
  ENTER_CURRENT(cuStreamWaitEvent);
  return isAlive(event) && isAlive(stream) ? success : invalidValue;
}
Result cuEventSynchronize(EventRef event) {
  ENTER_CURRENT(cuEventSynchronize);
  return isAlive(event) ? success : invalidValue;
}

Result cuDeviceCanAccessPeer(int *can, DeviceId device, DeviceId peer) {
  ENTER(cuDeviceCanAccessPeer);
  *can = device != peer;
  return success;
}
Result cuCtxEnablePeerAccess(ContextRef peer, unsigned flags) {
  ENTER_CURRENT(cuCtxEnablePeerAccess);
  return peer == current || flags ? invalidValue : success;
}
Result cuMemHostAlloc(void **data, size_t bytes, unsigned) {
  ENTER_CURRENT(cuMemHostAlloc);
  calls().handles.insert(*data = std::malloc(bytes));
  // Kernels reach it, too.
  auto *place = static_cast<char *>(*data);
  card().allocated(reinterpret_cast<uintptr_t>(place), bytes, place);
  return success;
}
Result cuMemFreeHost(void *data) {
  ENTER_CURRENT(cuMemFreeHost);
  if (!calls().handles.erase(data))
    return invalidValue;
  card().freed(reinterpret_cast<uintptr_t>(data), static_cast<char *>(data));
  std::free(data);
  return success;
}

Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  ENTER_CURRENT(cuMemGetInfo);
  *free = memoryBytes - state().used;
  *total = memoryBytes;
  return success;
}
Result cuMemAlloc_v2(Address *data, size_t bytes) {
  ENTER_CURRENT(cuMemAlloc);
  if (bytes > memoryBytes - state().used)
    return outOfMemory;
  // With a gap, so that what is behind is nobody's.
  void *block = std::aligned_alloc(512, (bytes + 511) / 512 * 512 + 512);
  if (!block)
    return outOfMemory;
  std::memset(block, 0xdb, bytes);
  *data = card().isHidden ? hide(bytes)
                          : Address(reinterpret_cast<uintptr_t>(block));
  if (!*data) {
    std::free(block);
    return outOfMemory;
  }
  state().memory[*data] = {bytes, static_cast<char *>(block)};
  card().allocated(*data, bytes, static_cast<char *>(block));
  ++calls().held;
  state().used += bytes;
  return success;
}
Result cuMemFree_v2(Address data) {
  ENTER_CURRENT(cuMemFree);
  auto found = state().memory.find(data);
  if (found == state().memory.end())
    return invalidValue;
  auto [bytes, place] = found->second;
  state().used -= bytes;
  card().freed(data, place);
  state().memory.erase(found);
  --calls().held;
  if (card().isHidden)
    unhide(data);
  std::free(place);
  return success;
}
Result cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes,
                            StreamRef stream) {
  ENTER_CURRENT(cuMemcpyHtoDAsync);
  if (!isMemory(to, bytes) || !isAlive(stream))
    return invalidValue;
  // Memory that is not pinned must not change until a graph has run.
  if (stream->captured)
    return captureUnsupported;
  std::memcpy(locate(to), from, bytes);
  card().written(locate(to), bytes);
  return success;
}
Result cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes,
                            StreamRef stream) {
  ENTER_CURRENT(cuMemcpyDtoHAsync);
  if (!isMemory(from, bytes) || !isAlive(stream))
    return invalidValue;
  if (stream->captured)
    return captureUnsupported;
  std::memcpy(to, locate(from), bytes);
  return success;
}
static Result copy(Address to, Address from, size_t bytes, StreamRef stream) {
  return run(stream, [bytes, there = locate(to), here = locate(from)] {
    std::memcpy(there, here, bytes);
    card().written(there, bytes);
    return success;
  });
}
Result cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes,
                            StreamRef stream) {
  ENTER_CURRENT(cuMemcpyDtoDAsync);
  if (!isMemory(to, bytes) || !isMemory(from, bytes) || !isAlive(stream))
    return invalidValue;
  return copy(to, from, bytes, stream);
}
Result cuMemcpyPeerAsync(Address to, ContextRef, Address from, ContextRef,
                         size_t bytes, StreamRef stream) {
  ENTER_CURRENT(cuMemcpyPeerAsync);
  if (!isMemory(to, bytes) || !isMemory(from, bytes) || !isAlive(stream))
    return invalidValue;
  return copy(to, from, bytes, stream);
}

/// Stores `count` values, `pitch` bytes apart.
static Result set(Address data, size_t pitch, const void *value, size_t bytes,
                  size_t count, StreamRef stream) {
  if (data % bytes || !isAlive(stream) ||
      (count && !isMemory(data, pitch * (count - 1) + bytes)))
    return invalidValue;
  uint64_t kept = 0;
  std::memcpy(&kept, value, bytes);
  char *place = count ? locate(data) : nullptr;
  return run(stream, [=] {
    for (size_t i = 0; i < count; ++i)
      std::memcpy(place + i * pitch, &kept, bytes);
    card().written(place, count ? pitch * (count - 1) + bytes : 0);
    return success;
  });
}
Result cuMemsetD8Async(Address data, unsigned char value, size_t count,
                       StreamRef stream) {
  ENTER_CURRENT(cuMemsetD8Async);
  return set(data, 1, &value, 1, count, stream);
}
Result cuMemsetD16Async(Address data, unsigned short value, size_t count,
                        StreamRef stream) {
  ENTER_CURRENT(cuMemsetD16Async);
  return set(data, 2, &value, 2, count, stream);
}
Result cuMemsetD32Async(Address data, unsigned value, size_t count,
                        StreamRef stream) {
  ENTER_CURRENT(cuMemsetD32Async);
  return set(data, 4, &value, 4, count, stream);
}
Result cuMemsetD2D32Async(Address data, size_t pitch, unsigned value,
                          size_t width, size_t height, StreamRef stream) {
  ENTER_CURRENT(cuMemsetD2D32Async);
  return width == 1 ? set(data, pitch, &value, 4, height, stream)
                    : invalidValue;
}

} // extern "C"
