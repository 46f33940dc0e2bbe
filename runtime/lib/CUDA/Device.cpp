//===- Device.cpp - memory, copies and launches on a CUDA card ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CUDA/Device.h"
#include "CUDA/CUDADevice.h"
#include "Core/Devices.h"

#include <algorithm>
#include <cstring>

using namespace arrt;
using namespace arrt::cuda;

static Address address(const void *data) {
  return Address(reinterpret_cast<uintptr_t>(data));
}

int32_t CUDADevice::check(Result result, const char *call,
                          const std::string &about) {
  if (result == success)
    return ARRT_STATUS_OK;
  errorText = label + ": " + driver.describe(call, result) + about;
  return result == outOfMemory ? ARRT_STATUS_MEMORY : ARRT_STATUS_DEVICE;
}

int32_t CUDADevice::open(int32_t number) {
  CUDA_CALL(cuDeviceGet, (&device, number));
  CUDA_CALL(cuDevicePrimaryCtxRetain, (&context, device));
  CUDA_CALL(cuCtxSetCurrent, (context));
  CUDA_CALL(cuStreamCreate, (&stream, streamNonBlocking));
  char card[128] = "";
  int major = 0, minor = 0;
  CUDA_CALL(cuDeviceGetName, (card, int(sizeof card), device));
  CUDA_CALL(cuDeviceGetAttribute, (&major, computeMajor, device));
  CUDA_CALL(cuDeviceGetAttribute, (&minor, computeMinor, device));
  cacheKey = std::string("cuda ") + card + " sm_" + std::to_string(major) +
             std::to_string(minor) + " driver " +
             std::to_string(driver.version);
  return ARRT_STATUS_OK;
}

CUDADevice::~CUDADevice() {
  if (!context)
    return;
  driver.cuCtxSetCurrent(context);
  if (stream)
    driver.cuStreamDestroy(stream);
  driver.cuDevicePrimaryCtxRelease(device);
}

int64_t CUDADevice::freeMemory() const {
  size_t free = 0, total = 0;
  driver.cuCtxSetCurrent(context);
  driver.cuMemGetInfo(&free, &total);
  return int64_t(free);
}

void *CUDADevice::allocate(int64_t bytes) {
  Address data = 0;
  // From any thread: the failure is the caller's to report, which knows the
  // array's name.
  if (driver.cuCtxSetCurrent(context) != success ||
      driver.cuMemAlloc(&data, size_t(bytes)) != success)
    return nullptr;
  return reinterpret_cast<void *>(uintptr_t(data));
}

void CUDADevice::release(void *data, int64_t) {
  // Waits for the work that uses it.
  driver.cuCtxSetCurrent(context);
  driver.cuStreamSynchronize(stream);
  driver.cuMemFree(address(data));
}

int32_t CUDADevice::copy(void *to, const void *from, int64_t bytes) {
  CUDA_CALL(cuCtxSetCurrent, (context));
  CUDA_CALL(cuMemcpyDtoDAsync,
            (address(to), address(from), size_t(bytes), stream));
  return ARRT_STATUS_OK;
}

int32_t CUDADevice::copyIn(void *to, const void *host, int64_t bytes) {
  CUDA_CALL(cuCtxSetCurrent, (context));
  // Pageable memory is staged before the call returns.
  CUDA_CALL(cuMemcpyHtoDAsync, (address(to), host, size_t(bytes), stream));
  return ARRT_STATUS_OK;
}

int32_t CUDADevice::copyOut(void *host, const void *from, int64_t bytes) {
  CUDA_CALL(cuCtxSetCurrent, (context));
  CUDA_CALL(cuMemcpyDtoHAsync, (host, address(from), size_t(bytes), stream));
  CUDA_CALL(cuStreamSynchronize, (stream));
  return ARRT_STATUS_OK;
}

bool CUDADevice::copyFrom(Device &other, void *to, const void *from,
                          int64_t bytes) {
  auto *source = dynamic_cast<CUDADevice *>(&other);
  if (!source || source->synchronize() ||
      driver.cuCtxSetCurrent(context) != success)
    return false;
  Result result =
      driver.cuMemcpyPeerAsync(address(to), context, address(from),
                               source->context, size_t(bytes), stream);
  // The source may be written again as soon as this returns.
  return result == success && driver.cuStreamSynchronize(stream) == success;
}

int32_t CUDADevice::fill(void *data, int64_t pattern, int32_t width,
                         int64_t bytes) {
  CUDA_CALL(cuCtxSetCurrent, (context));
  Address to = address(data);
  size_t count = size_t(bytes / width);
  auto low = uint32_t(pattern), high = uint32_t(uint64_t(pattern) >> 32);
  if (width == 1) {
    CUDA_CALL(cuMemsetD8Async, (to, (unsigned char)pattern, count, stream));
  } else if (width == 2) {
    CUDA_CALL(cuMemsetD16Async, (to, (unsigned short)pattern, count, stream));
  } else if (width == 4) {
    CUDA_CALL(cuMemsetD32Async, (to, low, count, stream));
  } else if (low == high) {
    CUDA_CALL(cuMemsetD32Async, (to, low, 2 * count, stream));
  } else {
    // Every other word, twice: rows of one word, 8 bytes apart.
    CUDA_CALL(cuMemsetD2D32Async, (to, 8, low, 1, count, stream));
    CUDA_CALL(cuMemsetD2D32Async, (to + 4, 8, high, 1, count, stream));
  }
  return ARRT_STATUS_OK;
}

int32_t CUDADevice::synchronize() {
  CUDA_CALL(cuCtxSetCurrent, (context));
  CUDA_CALL(cuStreamSynchronize, (stream));
  return ARRT_STATUS_OK;
}

int32_t CUDADevice::launch(const Launch &launch) {
  auto &kernel = *static_cast<Kernel *>(launch.kernel);
  auto about = [&] {
    auto triple = [](auto *sizes) {
      return std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) +
             " x " + std::to_string(sizes[2]);
    };
    return std::string(" for '") + launch.name + "' on " + triple(launch.grid) +
           " blocks of " + triple(launch.block) + " threads with " +
           std::to_string(launch.shared) + " bytes of shared memory";
  };
  for (int d = 0; d < 3; ++d)
    if (launch.grid[d] > (d ? 65535 : INT32_MAX)) {
      errorText = label + ": too many blocks" + about();
      return ARRT_STATUS_DEVICE;
    }
  CUDA_CALL(cuCtxSetCurrent, (context));
  if (launch.shared > kernel.allowedShared) {
    // Above 48 KiB only on request.
    if (int32_t status =
            check(driver.cuFuncSetAttribute(kernel.function, maxDynamicShared,
                                            int(launch.shared)),
                  "cuFuncSetAttribute", about()))
      return status;
    kernel.allowedShared = launch.shared;
  }
  Result result = driver.cuLaunchKernel(
      kernel.function, unsigned(launch.grid[0]), unsigned(launch.grid[1]),
      unsigned(launch.grid[2]), unsigned(launch.block[0]),
      unsigned(launch.block[1]), unsigned(launch.block[2]),
      unsigned(launch.shared), stream, launch.args, nullptr);
  return result == success ? ARRT_STATUS_OK
                           : check(result, "cuLaunchKernel", about());
}

//===----------------------------------------------------------------------===//
// Finding cards
//===----------------------------------------------------------------------===//

std::unique_ptr<Device> arrt::makeCUDADevice(int32_t number,
                                             std::string &error) {
  std::string problem, remedy;
  const Driver *driver = findDriver(problem, remedy);
  if (!driver) {
    error = "there is no CUDA device: " + problem + "\nhelp: " + remedy;
    return nullptr;
  }
  int count = 0;
  driver->cuDeviceGetCount(&count);
  if (number < 0 || number >= count) {
    error = "there is no CUDA device " + std::to_string(number) + ": " +
            (count == 0 ? std::string("the driver shows none")
                        : "the last one is " + std::to_string(count - 1)) +
            "\nhelp: see 'arrc devices'";
    return nullptr;
  }
  auto device = std::make_unique<CUDADevice>(*driver, number);
  if (device->open(number)) {
    error = device->error();
    return nullptr;
  }
  return device;
}

void arrt::listCUDADevices(std::vector<arrt_device_info> &infos) {
  std::string problem, remedy;
  const Driver *driver = findDriver(problem, remedy);
  int count = 0;
  if (driver)
    driver->cuDeviceGetCount(&count);
  if (count == 0) {
    arrt_device_info info = makeDeviceInfo(ARRT_TARGET_CUDA, -1);
    setText(info.problem,
            driver ? "the driver shows no card" : problem.c_str());
    setText(info.remedy, driver ? "see nvidia-smi and CUDA_VISIBLE_DEVICES"
                                : remedy.c_str());
    infos.push_back(info);
  }
  for (int number = 0; number < count; ++number) {
    arrt_device_info info = makeDeviceInfo(ARRT_TARGET_CUDA, number);
    DeviceId device = 0;
    if (Result result = driver->cuDeviceGet(&device, number)) {
      setText(info.problem, driver->describe("cuDeviceGet", result).c_str());
      setText(info.remedy, "see nvidia-smi");
      infos.push_back(info);
      continue;
    }
    auto get = [&](Attribute attribute) {
      int value = 0;
      driver->cuDeviceGetAttribute(&value, attribute, device);
      return value;
    };
    driver->cuDeviceGetName(info.name, int(sizeof info.name), device);
    size_t bytes = 0;
    driver->cuDeviceTotalMem(&bytes, device);
    info.memory = int64_t(bytes);
    info.compute = 10 * get(computeMajor) + get(computeMinor);
    setText(info.arch, ("sm_" + std::to_string(info.compute)).c_str());
    info.shared_memory =
        std::max(get(maxSharedPerBlock), get(maxSharedPerBlockOptIn));
    info.units = get(multiprocessors);
    info.warp = get(warpSize);
    info.max_threads = get(maxThreadsPerBlock);
    info.features = ARRT_FEATURE_F64 | ARRT_FEATURE_F16 |
                    ARRT_FEATURE_I64_ATOMICS | ARRT_FEATURE_SUBGROUPS |
                    ARRT_FEATURE_F32_ATOMICS | ARRT_FEATURE_F64_ATOMICS |
                    ARRT_FEATURE_ORDERED_BLOCKS | ARRT_FEATURE_PEER_COPIES;
    info.shared_default = get(maxSharedPerBlock);
    info.shared_unit = get(maxSharedPerUnit);
    info.max_allocation = info.memory;
    info.cache = get(cacheBytes);
    info.registers = get(maxRegistersPerUnit);
    info.unit_threads = get(maxThreadsPerUnit);
    info.unit_blocks = get(maxBlocksPerUnit);
    info.align = 1;
    info.memory_clock = get(memoryClock);
    info.memory_bits = get(memoryBits);
    info.subgroups[0] = info.warp;
    infos.push_back(info);
  }
}
