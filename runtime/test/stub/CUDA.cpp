//===- CUDA.cpp - a CUDA driver without a card ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// As strict as the driver: addresses must be allocated, handles alive, a
// context current, limits kept. Work is done at once.
//
//===----------------------------------------------------------------------===//

#include "stub/CUDAState.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

using namespace arrt::cuda;
using namespace stub;

namespace {
constexpr size_t memoryBytes = size_t(1) << 32;

struct State {
  std::map<Address, size_t> memory;
  size_t used = 0;
  CUctx_st contexts[2] = {{0}, {1}};
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
  return data + bytes <= next->first + next->second;
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
  *text = error == outOfMemory  ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == noDevice   ? "CUDA_ERROR_NO_DEVICE"
          : error == invalidPTX ? "CUDA_ERROR_INVALID_PTX"
                                : "CUDA_ERROR_OF_THE_STUB";
  return success;
}
Result cuGetErrorString(Result, const char **text) {
  *text = "as the stub says";
  return success;
}

Result cuDeviceGetCount(int *count) {
  ENTER(cuDeviceGetCount);
  *count = 2;
  return success;
}
Result cuDeviceGet(DeviceId *device, int number) {
  ENTER(cuDeviceGet);
  *device = number;
  return number >= 0 && number < 2 ? success : invalidValue;
}
Result cuDeviceGetName(char *name, int length, DeviceId) {
  ENTER(cuDeviceGetName);
  std::strncpy(name, "Stub Card", size_t(length));
  return success;
}
Result cuDeviceGetAttribute(int *value, Attribute attribute, DeviceId) {
  ENTER(cuDeviceGetAttribute);
  *value = attribute == maxThreadsPerBlock       ? 1024
           : attribute == maxSharedPerBlock      ? 48 << 10
           : attribute == maxSharedPerBlockOptIn ? 227 << 10
           : attribute == warpSize               ? 32
           : attribute == multiprocessors        ? 132
           : attribute == computeMajor           ? 9
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
  return success;
}
Result cuMemFreeHost(void *data) {
  ENTER_CURRENT(cuMemFreeHost);
  if (!calls().handles.erase(data))
    return invalidValue;
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
  void *block = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (!block)
    return outOfMemory;
  std::memset(block, 0xdb, bytes);
  *data = Address(reinterpret_cast<uintptr_t>(block));
  state().memory[*data] = bytes;
  ++calls().held;
  state().used += bytes;
  return success;
}
Result cuMemFree_v2(Address data) {
  ENTER_CURRENT(cuMemFree);
  auto found = state().memory.find(data);
  if (found == state().memory.end())
    return invalidValue;
  state().used -= found->second;
  state().memory.erase(found);
  --calls().held;
  std::free(reinterpret_cast<void *>(uintptr_t(data)));
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
  std::memcpy(pointer(to), from, bytes);
  return success;
}
Result cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes,
                            StreamRef stream) {
  ENTER_CURRENT(cuMemcpyDtoHAsync);
  if (!isMemory(from, bytes) || !isAlive(stream))
    return invalidValue;
  if (stream->captured)
    return captureUnsupported;
  std::memcpy(to, pointer(from), bytes);
  return success;
}
Result cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes,
                            StreamRef stream) {
  ENTER_CURRENT(cuMemcpyDtoDAsync);
  if (!isMemory(to, bytes) || !isMemory(from, bytes) || !isAlive(stream))
    return invalidValue;
  return run(stream, [=] { std::memcpy(pointer(to), pointer(from), bytes); });
}
Result cuMemcpyPeerAsync(Address to, ContextRef, Address from, ContextRef,
                         size_t bytes, StreamRef stream) {
  ENTER_CURRENT(cuMemcpyPeerAsync);
  if (!isMemory(to, bytes) || !isMemory(from, bytes) || !isAlive(stream))
    return invalidValue;
  return run(stream, [=] { std::memcpy(pointer(to), pointer(from), bytes); });
}

/// Stores `count` values, `pitch` bytes apart.
static Result set(Address data, size_t pitch, const void *value, size_t bytes,
                  size_t count, StreamRef stream) {
  if (data % bytes || !isAlive(stream) ||
      (count && !isMemory(data, pitch * (count - 1) + bytes)))
    return invalidValue;
  uint64_t kept = 0;
  std::memcpy(&kept, value, bytes);
  return run(stream, [=] {
    for (size_t i = 0; i < count; ++i)
      std::memcpy(pointer(data + i * pitch), &kept, bytes);
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

Result cuLinkCreate_v2(unsigned count, JITOption *options, void **values,
                       LinkRef *link) {
  ENTER_CURRENT(cuLinkCreate);
  *link = calls().begin<CUlinkState_st>();
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == errorLog)
      (*link)->errors = static_cast<char *>(values[i]);
    else if (options[i] == errorLogBytes)
      (*link)->errorBytes = size_t(reinterpret_cast<uintptr_t>(values[i]));
  return success;
}
Result cuLinkAddData_v2(LinkRef link, JITInput kind, void *data, size_t bytes,
                        const char *, unsigned, JITOption *, void **) {
  ENTER_CURRENT(cuLinkAddData);
  auto *text = static_cast<const char *>(data);
  if (!isAlive(link) || kind != inputPTX || !bytes || text[bytes - 1])
    return invalidValue;
  link->text = text;
  if (link->text.find(".version") != std::string::npos)
    return success;
  std::strncpy(link->errors, "line 1: expected .version", link->errorBytes);
  return invalidPTX;
}
Result cuLinkComplete(LinkRef link, void **code, size_t *bytes) {
  ENTER_CURRENT(cuLinkComplete);
  link->made = "cubin of the stub\n" + link->text;
  *code = &link->made[0];
  *bytes = link->made.size() + 1;
  return success;
}
Result cuLinkDestroy(LinkRef link) {
  ENTER_CURRENT(cuLinkDestroy);
  return calls().end(link) ? success : invalidValue;
}
Result cuModuleLoadData(ModuleRef *module, const void *code) {
  ENTER_CURRENT(cuModuleLoadData);
  auto *text = static_cast<const char *>(code);
  bool isDecide = std::strstr(text, ".entry arrt_decide(");
  if (!isDecide && std::strncmp(text, "cubin of the stub\n", 18))
    return invalidPTX;
  *module = calls().begin<CUmod_st>();
  (*module)->text = isDecide ? text : text + 18;
  return success;
}
Result cuModuleUnload(ModuleRef module) {
  ENTER_CURRENT(cuModuleUnload);
  return calls().end(module) ? success : invalidValue;
}
Result cuModuleGetFunction(FunctionRef *function, ModuleRef module,
                           const char *name) {
  ENTER_CURRENT(cuModuleGetFunction);
  std::string entry = std::string(".entry ") + name + "(";
  const stub::Kernel *kernel = std::strcmp(name, decideKernel.name.c_str())
                                   ? stub::findKernel(name)
                                   : &decideKernel;
  if (!isAlive(module) || !kernel ||
      module->text.find(entry) == std::string::npos)
    return notFound;
  *function = &module->functions[name];
  (*function)->kernel = kernel;
  return success;
}
Result cuFuncSetAttribute(FunctionRef function, FunctionAttribute attribute,
                          int value) {
  ENTER_CURRENT(cuFuncSetAttribute);
  if (attribute != maxDynamicShared || value > 227 << 10)
    return invalidValue;
  function->shared = value;
  return success;
}
Result cuLaunchKernel(FunctionRef function, unsigned gridX, unsigned gridY,
                      unsigned gridZ, unsigned blockX, unsigned blockY,
                      unsigned blockZ, unsigned shared, StreamRef stream,
                      void **args, void **) {
  ENTER_CURRENT(cuLaunchKernel);
  if (!gridX || !gridY || !gridZ || gridY > 65535 || gridZ > 65535 || !blockX ||
      !blockY || !blockZ || blockX * blockY * blockZ > 1024 || blockZ > 64 ||
      int(shared) > function->shared || !isAlive(stream))
    return invalidValue;
  stub::Grid grid = {
      {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, int64_t(shared)};
  // The driver takes the values at once.
  std::vector<uint64_t> values(size_t(function->kernel->arguments()));
  for (size_t i = 0; i < values.size(); ++i)
    std::memcpy(&values[i], args[i], function->kernel->bytes(i));
  return run(stream, [=]() mutable {
    std::vector<void *> places;
    for (uint64_t &value : values)
      places.push_back(&value);
    function->kernel->run(grid, places.data());
  });
}

} // extern "C"
