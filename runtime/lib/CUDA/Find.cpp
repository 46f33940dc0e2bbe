//===- Find.cpp - which CUDA cards there are ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CUDA/CUDADevice.h"
#include "CUDA/Device.h"
#include "Core/Devices.h"

#include <algorithm>

using namespace arrt;
using namespace arrt::cuda;

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
                    ARRT_FEATURE_ORDERED_BLOCKS | ARRT_FEATURE_PEER_COPIES |
                    ARRT_FEATURE_EXACT_F32;
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
