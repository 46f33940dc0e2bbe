//===- Device.cpp - memory, copies and launches on an OpenCL device -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "OpenCL/Device.h"
#include "Core/Devices.h"
#include "OpenCL/OpenCLDevice.h"

#include <algorithm>
#include <cstring>

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
  cacheKey = "opencl " + driver.text(found.platform, platformName) + " / " +
             driver.text(found.device, deviceName) + " / " +
             driver.text(found.device, deviceVersion) + " / " +
             driver.text(found.device, driverVersion);
  return ARRT_STATUS_OK;
}

OpenCLDevice::~OpenCLDevice() {
  if (queue) {
    driver.clFinish(queue);
    driver.clReleaseCommandQueue(queue);
  }
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
  // Some implementations promise more than they have.
  if (size > maxAllocation || usedBytes + size > memoryBytes)
    return nullptr;
  Result result = success;
  MemoryRef memory = driver.clCreateBuffer(context, memoryReadWrite,
                                           size_t(size), nullptr, &result);
  if (!memory)
    return nullptr;
  uint64_t address = nextAddress;
  // A gap behind each, so that a range that ends at its end is found there.
  nextAddress += (size / 4096 + 2) * 4096;
  usedBytes += size;
  Block &block = blocks[address];
  block.memory = memory;
  block.bytes = size_t(size);
  return reinterpret_cast<void *>(uintptr_t(address));
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
  blocks.erase(it);
}

int32_t OpenCLDevice::find(const void *data, int64_t bytes, Place &place) {
  auto address = uint64_t(reinterpret_cast<uintptr_t>(data));
  std::lock_guard<std::mutex> lock(mutex);
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
  Place place;
  if (int32_t status = find(data, 0, place)) {
    errorText += std::string(", for argument ") + std::to_string(number) +
                 " of '" + launch.name + "'";
    return status;
  }
  Block &block = *place.block;
  memory = block.memory;
  if (place.offset == 0)
    return ARRT_STATUS_OK;
  MemoryRef &part = block.parts[place.offset];
  if (!part) {
    if (place.offset % baseAlign || place.offset >= block.bytes) {
      errorText = label + ": argument " + std::to_string(number) + " of '" +
                  launch.name + "' starts " + std::to_string(place.offset) +
                  " bytes into its memory, and the device wants multiples of " +
                  std::to_string(baseAlign);
      return ARRT_STATUS_DEVICE;
    }
    Region region = {place.offset, block.bytes - place.offset};
    Result result = success;
    part = driver.clCreateSubBuffer(block.memory, memoryReadWrite,
                                    subBufferRegion, &region, &result);
    if (!part)
      return check(result, "clCreateSubBuffer");
  }
  memory = part;
  return ARRT_STATUS_OK;
}

int32_t OpenCLDevice::setArguments(KernelRef kernel, const Launch &launch) {
  for (int i = 0; launch.letters[i]; ++i) {
    char letter = launch.letters[i];
    const void *value = launch.args[i];
    size_t bytes = size_t(letter - '0');
    MemoryRef memory = nullptr;
    if (letter == 'p' || letter == 'e') {
      const void *data;
      std::memcpy(&data, value, sizeof data);
      if (int32_t status = argument(data, launch, i, memory))
        return status;
      value = &memory;
      bytes = sizeof memory;
    } else if (letter == 'l') {
      value = nullptr;
      // No size 0: OpenCL has none.
      bytes = size_t(std::max<int64_t>(launch.shared, 1));
    }
    if (int32_t status = check(
            driver.clSetKernelArg(kernel, uint32_t(i), bytes, value),
            "clSetKernelArg",
            " for argument " + std::to_string(i) + " of '" + launch.name + "'"))
      return status;
  }
  return ARRT_STATUS_OK;
}

int32_t OpenCLDevice::launch(const Launch &launch) {
  auto kernel = static_cast<KernelRef>(launch.kernel);
  if (int32_t status = setArguments(kernel, launch))
    return status;
  size_t global[3], local[3];
  for (int d = 0; d < 3; ++d) {
    local[d] = size_t(launch.block[d]);
    global[d] = size_t(launch.grid[d]) * local[d];
  }
  Result result = driver.clEnqueueNDRangeKernel(
      queue, kernel, 3, nullptr, global, local, 0, nullptr, nullptr);
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

//===----------------------------------------------------------------------===//
// Finding devices
//===----------------------------------------------------------------------===//

static const char *const noDeviceRemedy =
    "install the vendor's driver, or one for the CPU: mesa-opencl-icd with "
    "RUSTICL_ENABLE=llvmpipe; see /etc/OpenCL/vendors";

std::unique_ptr<Device> arrt::makeOpenCLDevice(int32_t number,
                                               std::string &error) {
  std::string problem, remedy;
  const Driver *driver = findDriver(problem, remedy);
  if (!driver) {
    error = "there is no OpenCL device: " + problem + "\nhelp: " + remedy;
    return nullptr;
  }
  std::vector<FoundDevice> found = findDevices(*driver);
  if (number < 0 || size_t(number) >= found.size() ||
      !found[size_t(number)].problem.empty()) {
    error = "there is no OpenCL device " + std::to_string(number) +
            " that can be used\nhelp: see 'arrc devices'";
    return nullptr;
  }
  auto device =
      std::make_unique<OpenCLDevice>(*driver, found[size_t(number)], number);
  if (device->open()) {
    error = device->error();
    return nullptr;
  }
  return device;
}

/// The facts of a device that kernels depend on.
static void describe(const Driver &driver, DeviceRef device,
                     arrt_device_info &info) {
  std::string extensions = driver.text(device, deviceExtensions) + " ";
  auto has = [&](const char *extension) {
    return extensions.find(std::string(extension) + " ") != std::string::npos;
  };
  auto addsTo = [&](Question what) {
    return has("cl_ext_float_atomics") &&
           (driver.number<uint64_t>(device, what) & globalAtomicAdd);
  };
  auto note = [&](bool is, uint32_t feature) {
    info.features |= is ? feature : 0;
  };
  note(driver.number<uint64_t>(device, deviceDoubleConfig), ARRT_FEATURE_F64);
  note(has("cl_khr_fp16"), ARRT_FEATURE_F16);
  note(has("cl_khr_int64_base_atomics") && has("cl_khr_int64_extended_atomics"),
       ARRT_FEATURE_I64_ATOMICS);
  note(has("cl_khr_subgroups"), ARRT_FEATURE_SUBGROUPS);
  note(addsTo(deviceFloatAtomics), ARRT_FEATURE_F32_ATOMICS);
  note(addsTo(deviceDoubleAtomics), ARRT_FEATURE_F64_ATOMICS);

  info.shared_default = info.shared_memory;
  info.max_allocation =
      int64_t(driver.number<uint64_t>(device, deviceMaxAllocation));
  info.cache = int64_t(driver.number<uint64_t>(device, deviceCacheBytes));
  info.align =
      int32_t(driver.number<uint32_t>(device, deviceBaseAlignBits) / 8);
  size_t sizes[8] = {}, bytes = 0;
  if (has("cl_intel_required_subgroup_size") &&
      driver.clGetDeviceInfo(device, deviceSubgroupSizesIntel, sizeof sizes,
                             sizes, &bytes) == success)
    for (size_t i = 0; i < bytes / sizeof *sizes; ++i)
      info.subgroups[i] = int32_t(sizes[i]);
  if (has("cl_nv_device_attribute_query"))
    info.warp = int32_t(driver.number<uint32_t>(device, deviceWarpNV));
  else if (has("cl_amd_device_attribute_query"))
    info.warp = int32_t(driver.number<uint32_t>(device, deviceWavefrontAMD));
  if (info.warp && !info.subgroups[0])
    info.subgroups[0] = info.warp;
}

void arrt::listOpenCLDevices(std::vector<arrt_device_info> &infos) {
  std::string problem, remedy;
  const Driver *driver = findDriver(problem, remedy);
  std::vector<FoundDevice> found;
  if (driver)
    found = findDevices(*driver);
  if (found.empty()) {
    arrt_device_info info = makeDeviceInfo(ARRT_TARGET_OPENCL, -1);
    setText(info.problem,
            driver ? "no implementation shows a device" : problem.c_str());
    setText(info.remedy, driver ? noDeviceRemedy : remedy.c_str());
    infos.push_back(info);
  }
  for (size_t number = 0; number < found.size(); ++number) {
    DeviceRef device = found[number].device;
    bool isUsable = found[number].problem.empty();
    arrt_device_info info =
        makeDeviceInfo(ARRT_TARGET_OPENCL, isUsable ? int32_t(number) : -1);
    setText(info.problem, found[number].problem.c_str());
    setText(info.remedy, found[number].remedy.c_str());
    setText(info.name, driver->text(device, deviceName).c_str());
    setText(info.arch, driver->text(device, deviceVersion).c_str());
    info.memory = int64_t(driver->number<uint64_t>(device, deviceMemory));
    info.shared_memory =
        int64_t(driver->number<uint64_t>(device, deviceLocalMemory));
    info.units = int32_t(driver->number<uint32_t>(device, deviceUnits));
    info.max_threads = int32_t(driver->number<size_t>(device, deviceMaxGroup));
    info.is_host =
        (driver->number<uint64_t>(device, deviceType) & typeCPU) != 0;
    describe(*driver, device, info);
    infos.push_back(info);
  }
}
