//===- Driver.h - the OpenCL loader, found at run time ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_OPENCL_DRIVER_H
#define ARRT_OPENCL_DRIVER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace arrt::opencl {

/// An OpenCL status; 0 is success.
using Result = int32_t;
constexpr Result success = 0, allocationFailed = -4, outOfResources = -5,
                 outOfHostMemory = -6, noPlatform = -1001;

using PlatformRef = struct _cl_platform_id *;
using DeviceRef = struct _cl_device_id *;
using ContextRef = struct _cl_context *;
using QueueRef = struct _cl_command_queue *;
using MemoryRef = struct _cl_mem *;
using ProgramRef = struct _cl_program *;
using KernelRef = struct _cl_kernel *;
using EventRef = struct _cl_event *;

/// What clGetPlatformInfo, clGetDeviceInfo and clGetProgramInfo are asked.
enum Question : uint32_t {
  platformName = 0x0902,
  deviceType = 0x1000,
  deviceUnits = 0x1002,
  deviceMaxGroup = 0x1004,
  deviceMaxAllocation = 0x1010,
  deviceFloatConfig = 0x101B,
  deviceCacheBytes = 0x101E,
  deviceBaseAlignBits = 0x1019,
  deviceMemory = 0x101F,
  deviceLocalMemory = 0x1023,
  deviceName = 0x102B,
  driverVersion = 0x102D,
  deviceVersion = 0x102F,
  deviceExtensions = 0x1030,
  deviceDoubleConfig = 0x1032,
  deviceHalfConfig = 0x1033,
  deviceILVersion = 0x105B,
  deviceMaxSubgroups = 0x105C,
  deviceWarpNV = 0x4003,
  deviceWavefrontAMD = 0x4043,
  deviceSubgroupSizesIntel = 0x4108,
  deviceFloatAtomics = 0x4231,
  deviceDoubleAtomics = 0x4232,
  programBinaryBytes = 0x1165,
  programBinaries = 0x1166,
  programBuildLog = 0x1183,
};
constexpr uint64_t typeCPU = 2, typeAll = 0xFFFFFFFF;
/// Of deviceFloatConfig: f32 division and square roots can be correctly
/// rounded.
constexpr uint64_t roundsDivideAndSqrt = 1 << 7;
/// Of deviceFloatAtomics: additions to global memory.
constexpr uint64_t globalAtomicAdd = 2;
constexpr uint64_t memoryReadWrite = 1;
constexpr uint32_t subBufferRegion = 0x1220;
/// cl_buffer_region.
struct Region {
  size_t origin, bytes;
};

/// The functions of the loader.
struct Driver {
#define OPENCL_FUNCTION(result, name, parameters) result(*name) parameters;
#include "OpenCL/OpenCLSymbols.def"

  /// `clBuildProgram: CL_BUILD_PROGRAM_FAILURE`.
  std::string describe(const char *call, Result result) const;
  /// A text about a platform or a device; "" if there is none.
  std::string text(PlatformRef platform, Question what) const;
  std::string text(DeviceRef device, Question what) const;
  /// A number about a device; 0 if there is none.
  template <typename T> T number(DeviceRef device, Question what) const {
    T value = 0;
    clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
    return value;
  }
};

/// A device that some implementation shows.
struct FoundDevice {
  PlatformRef platform;
  DeviceRef device;
  bool takesIL;     ///< clCreateProgramWithIL works
  bool wrapsBinary; ///< its program binary is SPIR-V behind three words
  bool isMesaCPU;   ///< rusticl on llvmpipe
  std::string problem, remedy; ///< why it cannot be used
};

/// The loader, or null with why, and what to do about it. ARRC_OPENCL_LIBRARY
/// names another file than libOpenCL.so.1.
const Driver *findDriver(std::string &problem, std::string &remedy);

/// All devices: those that can be used first, and of these the host's cores
/// last.
std::vector<FoundDevice> findDevices(const Driver &driver);

} // namespace arrt::opencl

#endif // ARRT_OPENCL_DRIVER_H
