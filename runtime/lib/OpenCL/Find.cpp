//===- Find.cpp - which OpenCL devices there are --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Devices.h"
#include "OpenCL/Device.h"
#include "OpenCL/OpenCLDevice.h"

using namespace arrt;
using namespace arrt::opencl;

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
static void describe(const Driver &driver, const FoundDevice &found,
                     arrt_device_info &info) {
  DeviceRef device = found.device;
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
  // Mesa's own compiler for the CPU has them, and does not say so.
  note((has("cl_khr_int64_base_atomics") &&
        has("cl_khr_int64_extended_atomics")) ||
           found.isMesaCPU,
       ARRT_FEATURE_I64_ATOMICS);
  note(driver.number<uint64_t>(device, deviceFloatConfig) & roundsDivideAndSqrt,
       ARRT_FEATURE_EXACT_F32);
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
    describe(*driver, found[number], info);
    infos.push_back(info);
  }
}
