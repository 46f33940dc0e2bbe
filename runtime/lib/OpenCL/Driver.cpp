//===- Driver.cpp - the OpenCL loader, found at run time ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "OpenCL/Driver.h"
#include "Core/Library.h"

#include <algorithm>

using namespace arrt;
using namespace arrt::opencl;

std::string Driver::describe(const char *call, Result result) const {
  struct Row {
    Result result;
    const char *name;
  };
  static const Row rows[] = {
      {-1, "CL_DEVICE_NOT_FOUND"},
      {-2, "CL_DEVICE_NOT_AVAILABLE"},
      {-3, "CL_COMPILER_NOT_AVAILABLE"},
      {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
      {-5, "CL_OUT_OF_RESOURCES"},
      {-6, "CL_OUT_OF_HOST_MEMORY"},
      {-8, "CL_MEM_COPY_OVERLAP"},
      {-11, "CL_BUILD_PROGRAM_FAILURE"},
      {-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET"},
      {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
      {-30, "CL_INVALID_VALUE"},
      {-33, "CL_INVALID_DEVICE"},
      {-34, "CL_INVALID_CONTEXT"},
      {-36, "CL_INVALID_COMMAND_QUEUE"},
      {-37, "CL_INVALID_HOST_PTR"},
      {-38, "CL_INVALID_MEM_OBJECT"},
      {-42, "CL_INVALID_BINARY"},
      {-44, "CL_INVALID_PROGRAM"},
      {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
      {-46, "CL_INVALID_KERNEL_NAME"},
      {-47, "CL_INVALID_KERNEL_DEFINITION"},
      {-48, "CL_INVALID_KERNEL"},
      {-49, "CL_INVALID_ARG_INDEX"},
      {-50, "CL_INVALID_ARG_VALUE"},
      {-51, "CL_INVALID_ARG_SIZE"},
      {-52, "CL_INVALID_KERNEL_ARGS"},
      {-54, "CL_INVALID_WORK_GROUP_SIZE"},
      {-55, "CL_INVALID_WORK_ITEM_SIZE"},
      {-59, "CL_INVALID_OPERATION"},
      {-61, "CL_INVALID_BUFFER_SIZE"},
      {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
      {-1001, "CL_PLATFORM_NOT_FOUND_KHR"}};
  std::string text = std::string(call) + ": ";
  for (const Row &row : rows)
    if (row.result == result)
      return text + row.name;
  return text + "error " + std::to_string(result);
}

/// A text, by the two calls that OpenCL wants.
template <typename Get> static std::string textOf(Get get) {
  size_t bytes = 0;
  if (get(0, nullptr, &bytes) != success || bytes == 0)
    return "";
  std::string text(bytes, '\0');
  if (get(bytes, &text[0], nullptr) != success)
    return "";
  return text.c_str();
}

std::string Driver::text(PlatformRef platform, Question what) const {
  return textOf([&](size_t bytes, void *value, size_t *needed) {
    return clGetPlatformInfo(platform, what, bytes, value, needed);
  });
}

std::string Driver::text(DeviceRef device, Question what) const {
  return textOf([&](size_t bytes, void *value, size_t *needed) {
    return clGetDeviceInfo(device, what, bytes, value, needed);
  });
}

static Found<Driver> find() {
  static const LibraryName library = {
      "ARRC_OPENCL_LIBRARY", "libOpenCL.so.1",
      "install ocl-icd-libopencl1 and the driver of the device's vendor",
      "install a loader for OpenCL 2.1 or newer"};
  Found<Driver> found;
#define OPENCL_FUNCTION(result, name, parameters) {#name, &found.driver.name},
#define OPENCL_OPTIONAL(result, name, parameters)                              \
  {#name, &found.driver.name, false},
  findLibrary(library,
              {
#include "OpenCL/OpenCLSymbols.def"
              },
              found.problem, found.remedy);
  return found;
}

const Driver *opencl::findDriver(std::string &problem, std::string &remedy) {
  static const Found<Driver> found = find();
  return found.get(problem, remedy);
}

std::vector<FoundDevice> opencl::findDevices(const Driver &driver) {
  std::vector<FoundDevice> found;
  PlatformRef platforms[16];
  uint32_t numPlatforms = 0;
  if (driver.clGetPlatformIDs(16, platforms, &numPlatforms) != success)
    return found;
  for (uint32_t p = 0; p < std::min(numPlatforms, 16u); ++p) {
    DeviceRef devices[32];
    uint32_t numDevices = 0;
    if (driver.clGetDeviceIDs(platforms[p], typeAll, 32, devices,
                              &numDevices) != success)
      continue;
    bool isRusticl = driver.text(platforms[p], platformName) == "rusticl";
    for (uint32_t d = 0; d < std::min(numDevices, 32u); ++d) {
      FoundDevice device = {platforms[p], devices[d], false, isRusticl,
                            false,        "",         ""};
      device.isMesaCPU =
          isRusticl &&
          driver.text(devices[d], deviceName).rfind("llvmpipe", 0) == 0;
      device.takesIL =
          driver.text(devices[d], deviceILVersion).find("SPIR-V") !=
          std::string::npos;
      if (!device.takesIL && !isRusticl) {
        device.problem = "takes no SPIR-V";
        device.remedy = "update the vendor's driver: it needs OpenCL 2.1 or "
                        "cl_khr_il_program";
      }
      found.push_back(device);
    }
  }
  // Cards, then processors, then what cannot be used; else in found order.
  std::vector<FoundDevice> ordered;
  for (int wanted = 0; wanted < 3; ++wanted)
    for (const FoundDevice &device : found) {
      auto type = driver.number<uint64_t>(device.device, deviceType);
      int rank = !device.problem.empty() ? 2 : type & typeCPU ? 1 : 0;
      if (rank == wanted)
        ordered.push_back(device);
    }
  return ordered;
}
