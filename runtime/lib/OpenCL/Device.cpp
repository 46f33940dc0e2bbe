//===- Device.cpp - memory, copies and launches on an OpenCL device -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "OpenCL/OpenCLDevice.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace arrt;
using namespace arrt::opencl;

int32_t OpenCLDevice::check(Result result, const char *call,
                            const std::string &about) {
  if (result == success)
    return ARRT_STATUS_OK;
  errorText = label + ": " + driver.describe(call, result) + about;
  bool isMemory = result == allocationFailed || result == outOfHostMemory;
  return isMemory ? ARRT_STATUS_MEMORY : ARRT_STATUS_DEVICE;
}

int32_t OpenCLDevice::open() {
  Result result = success;
  context = driver.clCreateContext(nullptr, 1, &found.device, nullptr, nullptr,
                                   &result);
  if (!context)
    return check(result, "clCreateContext");
  queue = driver.clCreateCommandQueue(context, found.device, 0, &result);
  if (!queue)
    return check(result, "clCreateCommandQueue");
  size_t bits = driver.number<uint32_t>(found.device, deviceBaseAlignBits);
  baseAlign = std::max<size_t>(bits / 8, 1);
  memoryBytes = driver.number<uint64_t>(found.device, deviceMemory);
  maxAllocation = driver.number<uint64_t>(found.device, deviceMaxAllocation);
  if (driver.number<uint64_t>(found.device, deviceFloatConfig) &
      roundsDivideAndSqrt)
    buildOptions = "-cl-fp32-correctly-rounded-divide-sqrt";
  cacheKey = "opencl " + driver.text(found.platform, platformName) + " / " +
             driver.text(found.device, deviceName) + " / " +
             driver.text(found.device, deviceVersion) + " / " +
             driver.text(found.device, driverVersion) + " / " + buildOptions;
  return ARRT_STATUS_OK;
}

OpenCLDevice::~OpenCLDevice() {
  if (queue) {
    driver.clFinish(queue);
    driver.clReleaseCommandQueue(queue);
  }
  if (timedQueue)
    driver.clReleaseCommandQueue(timedQueue);
  if (context)
    driver.clReleaseContext(context);
}

int64_t OpenCLDevice::freeMemory() const {
  std::lock_guard<std::mutex> lock(mutex);
  return int64_t(memoryBytes - std::min(memoryBytes, usedBytes));
}

void *OpenCLDevice::allocate(int64_t bytes) {
  auto size = uint64_t(bytes);
  std::lock_guard<std::mutex> lock(mutex);
  auto fail = [&](std::string problem) {
    allocationText = std::move(problem);
    return nullptr;
  };
  // Some implementations promise more than they have.
  if (size > memoryBytes - std::min(memoryBytes, usedBytes))
    return fail("");
  if (size > maxAllocation)
    return fail(label + ": no array can be larger than " +
                std::to_string(maxAllocation) + " bytes on this device");
  Result result = success;
  MemoryRef memory = driver.clCreateBuffer(context, memoryReadWrite,
                                           size_t(size), nullptr, &result);
  if (!memory) {
    bool isMemory = result == allocationFailed || result == outOfHostMemory ||
                    result == outOfResources;
    return fail(isMemory
                    ? ""
                    : label + ": " + driver.describe("clCreateBuffer", result));
  }
  uint64_t address = nextAddress;
  // A gap behind each, so that a range that ends at its end is found there.
  nextAddress += (size / 4096 + 2) * 4096;
  usedBytes += size;
  Block &block = blocks[address];
  block.memory = memory;
  block.bytes = size_t(size);
  return reinterpret_cast<void *>(uintptr_t(address));
}

std::string OpenCLDevice::allocationProblem() {
  std::lock_guard<std::mutex> lock(mutex);
  return allocationText;
}

void OpenCLDevice::release(void *data, int64_t) {
  driver.clFinish(queue);
  std::lock_guard<std::mutex> lock(mutex);
  auto it = blocks.find(reinterpret_cast<uintptr_t>(data));
  if (it == blocks.end())
    return;
  for (auto &[offset, part] : it->second.parts)
    driver.clReleaseMemObject(part);
  driver.clReleaseMemObject(it->second.memory);
  usedBytes -= it->second.bytes;
  ++releases;
  blocks.erase(it);
}

int32_t OpenCLDevice::find(const void *data, int64_t bytes, Place &place) {
  std::lock_guard<std::mutex> lock(mutex);
  return findLocked(data, bytes, place);
}

int32_t OpenCLDevice::findLocked(const void *data, int64_t bytes,
                                 Place &place) {
  auto address = uint64_t(reinterpret_cast<uintptr_t>(data));
  auto next = blocks.upper_bound(address);
  if (next != blocks.begin()) {
    auto it = std::prev(next);
    uint64_t offset = address - it->first;
    if (offset + uint64_t(bytes) <= it->second.bytes) {
      place = {&it->second, size_t(offset)};
      return ARRT_STATUS_OK;
    }
  }
  errorText = label + ": an address is not in memory of the device";
  return ARRT_STATUS_INTERNAL;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

int32_t OpenCLDevice::copy(void *to, const void *from, int64_t bytes) {
  Place target, source;
  if (int32_t status = find(to, bytes, target))
    return status;
  if (int32_t status = find(from, bytes, source))
    return status;
  OPENCL_CALL(clEnqueueCopyBuffer,
              (queue, source.block->memory, target.block->memory, source.offset,
               target.offset, size_t(bytes), 0, nullptr, nullptr));
  return ARRT_STATUS_OK;
}

int32_t OpenCLDevice::copyIn(void *to, const void *host, int64_t bytes) {
  Place target;
  if (int32_t status = find(to, bytes, target))
    return status;
  // The pattern of a fill is taken at once, so that nothing is waited for: what
  // is as large as a pattern can be is filled with it, once.
  bool isPattern = bytes <= 128 && (bytes & (bytes - 1)) == 0;
  if (isPattern && target.offset % size_t(bytes) == 0) {
    OPENCL_CALL(clEnqueueFillBuffer,
                (queue, target.block->memory, host, size_t(bytes),
                 target.offset, size_t(bytes), 0, nullptr, nullptr));
    return ARRT_STATUS_OK;
  }
  OPENCL_CALL(clEnqueueWriteBuffer,
              (queue, target.block->memory, 1, target.offset, size_t(bytes),
               host, 0, nullptr, nullptr));
  return ARRT_STATUS_OK;
}

int32_t OpenCLDevice::copyOut(void *host, const void *from, int64_t bytes) {
  Place source;
  if (int32_t status = find(from, bytes, source))
    return status;
  OPENCL_CALL(clEnqueueReadBuffer,
              (queue, source.block->memory, 1, source.offset, size_t(bytes),
               host, 0, nullptr, nullptr));
  return ARRT_STATUS_OK;
}

int32_t OpenCLDevice::fill(void *data, int64_t pattern, int32_t width,
                           int64_t bytes) {
  Place target;
  if (int32_t status = find(data, bytes, target))
    return status;
  OPENCL_CALL(clEnqueueFillBuffer,
              (queue, target.block->memory, &pattern, size_t(width),
               target.offset, size_t(bytes), 0, nullptr, nullptr));
  return ARRT_STATUS_OK;
}

int32_t OpenCLDevice::synchronize() {
  OPENCL_CALL(clFinish, (queue));
  return ARRT_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

int32_t OpenCLDevice::argument(const void *data, const Launch &launch,
                               int number, MemoryRef &memory) {
  auto about = [&] {
    return "argument " + std::to_string(number) + " of '" + launch.name + "'";
  };
  Place place;
  if (int32_t status = findLocked(data, 0, place)) {
    errorText += ", for " + about();
    return status;
  }
  Block &block = *place.block;
  memory = block.memory;
  if (place.offset == 0)
    return ARRT_STATUS_OK;
  MemoryRef &part = block.parts[place.offset];
  if (!part) {
    if (place.offset % baseAlign || place.offset >= block.bytes) {
      errorText = label + ": " + about() + " starts " +
                  std::to_string(place.offset) +
                  " bytes into its memory, and the device wants multiples of " +
                  std::to_string(baseAlign);
      return ARRT_STATUS_DEVICE;
    }
    Region region = {place.offset, block.bytes - place.offset};
    Result result = success;
    part = driver.clCreateSubBuffer(block.memory, memoryReadWrite,
                                    subBufferRegion, &region, &result);
    if (!part)
      return check(result, "clCreateSubBuffer", " for " + about());
  }
  memory = part;
  return ARRT_STATUS_OK;
}

int32_t OpenCLDevice::setArguments(Kernel &kernel, const Launch &launch) {
  std::lock_guard<std::mutex> lock(mutex);
  for (size_t i = 0; launch.letters[i]; ++i) {
    char letter = launch.letters[i];
    bool isMemory = letter == 'p' || letter == 'e' || letter == 't';
    // An index is 8 bytes here, of which the kernel may want the low half.
    size_t bytes = isMemory                         ? sizeof(MemoryRef)
                   : letter == 'o' || letter == 'x' ? size_t(launch.indexBytes)
                   : letter == 'l' // no size 0: OpenCL has none
                       ? size_t(std::max<int64_t>(launch.shared, 1))
                       : size_t(letter - '0');
    Kernel::Argument now;
    now.bytes = bytes;
    now.age = isMemory ? releases : 0;
    if (letter != 'l')
      std::memcpy(&now.value, launch.args[i], isMemory ? 8 : bytes);
    if (kernel.args.size() <= i)
      kernel.args.resize(i + 1);
    Kernel::Argument &kept = kernel.args[i];
    if (kept.bytes == now.bytes && kept.value == now.value &&
        kept.age == now.age)
      continue;
    const void *value = letter == 'l' ? nullptr : &now.value;
    MemoryRef memory = nullptr;
    if (isMemory) {
      auto *data = reinterpret_cast<const void *>(uintptr_t(now.value));
      if (int32_t status = argument(data, launch, int(i), memory))
        return status;
      value = &memory;
    }
    kept.bytes = 0;
    Result result =
        driver.clSetKernelArg(kernel.kernel, uint32_t(i), bytes, value);
    if (result != success)
      return check(result, "clSetKernelArg",
                   " for argument " + std::to_string(i) + " of '" +
                       launch.name + "'");
    kept = now;
  }
  return ARRT_STATUS_OK;
}

int32_t OpenCLDevice::launch(const Launch &launch) {
  auto &kernel = *static_cast<Kernel *>(launch.kernel);
  if (int32_t status = setArguments(kernel, launch))
    return status;
  size_t global[3], local[3];
  for (int d = 0; d < 3; ++d) {
    local[d] = size_t(launch.block[d]);
    global[d] = size_t(launch.grid[d]) * local[d];
  }
  Result result = driver.clEnqueueNDRangeKernel(
      isTiming ? timedQueue : queue, kernel.kernel, 3, nullptr, global, local,
      0, nullptr, isTiming ? &timed : nullptr);
  if (result == success)
    return ARRT_STATUS_OK;
  auto triple = [](const size_t *sizes) {
    return std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) + " x " +
           std::to_string(sizes[2]);
  };
  return check(result, "clEnqueueNDRangeKernel",
               std::string(" for '") + launch.name + "' on " + triple(global) +
                   " work-items in groups of " + triple(local));
}

// A queue that keeps times is slower: it is there for launches that are timed,
// alone, and empty when the other one goes on.

bool OpenCLDevice::beginTiming() {
  constexpr uint64_t keepsTimes = 2;
  if (!driver.clGetEventProfilingInfo || !driver.clReleaseEvent)
    return false;
  Result result = success;
  if (!timedQueue)
    timedQueue =
        driver.clCreateCommandQueue(context, found.device, keepsTimes, &result);
  timed = nullptr;
  return isTiming = timedQueue != nullptr;
}

double OpenCLDevice::endTiming() {
  constexpr uint32_t start = 0x1282, end = 0x1283;
  isTiming = false;
  uint64_t from = 0, to = 0;
  bool isKnown = driver.clFinish(timedQueue) == success && timed &&
                 driver.clGetEventProfilingInfo(timed, start, sizeof from,
                                                &from, nullptr) == success &&
                 driver.clGetEventProfilingInfo(timed, end, sizeof to, &to,
                                                nullptr) == success;
  if (timed)
    driver.clReleaseEvent(timed);
  return isKnown && to >= from ? double(to - from) * 1e-9 : -1;
}
