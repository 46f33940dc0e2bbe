//===- Module.cpp - from SPIR-V to kernels on an OpenCL device ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The standard way is clCreateProgramWithIL. Mesa's rusticl did not offer it at
// first, but its program binary is SPIR-V behind three words. What the driver
// made of a program is kept by the cache as the driver's own binary.
//
//===----------------------------------------------------------------------===//

#include "Core/Cache.h"
#include "OpenCL/OpenCLDevice.h"

#include <cstring>
#include <vector>

using namespace arrt;
using namespace arrt::opencl;

bool OpenCLDevice::takes(int32_t format) const {
  return format == ARRT_IMAGE_SPIRV;
}

std::string OpenCLDevice::logOf(ProgramRef program) {
  size_t bytes = 0;
  if (driver.clGetProgramBuildInfo(program, found.device, programBuildLog, 0,
                                   nullptr, &bytes) != success ||
      bytes <= 1)
    return "";
  std::string log(bytes, '\0');
  driver.clGetProgramBuildInfo(program, found.device, programBuildLog, bytes,
                               &log[0], nullptr);
  log = log.c_str();
  return log.find_first_not_of(" \n") == std::string::npos ? "" : ":\n" + log;
}

bool OpenCLDevice::build(ProgramRef program) {
  Result result = driver.clBuildProgram(program, 1, &found.device, buildOptions,
                                        nullptr, nullptr);
  if (result == success)
    return true;
  check(result, "clBuildProgram",
        "; the driver's compiler refuses the kernels" + logOf(program));
  return false;
}

ProgramRef OpenCLDevice::fromBinary(const void *code, size_t bytes) {
  auto *data = static_cast<const unsigned char *>(code);
  Result result = success, status = success;
  ProgramRef program = driver.clCreateProgramWithBinary(
      context, 1, &found.device, &bytes, &data, &status, &result);
  if (!program)
    check(result, "clCreateProgramWithBinary");
  return program;
}

ProgramRef OpenCLDevice::makeProgram(const arrt_image &image) {
  size_t bytes = size_t(image.bytes);
  if (found.takesIL && !found.wrapsBinary) {
    Result result = success;
    ProgramRef program =
        driver.clCreateProgramWithIL(context, image.data, bytes, &result);
    if (!program)
      check(result, "clCreateProgramWithIL",
            "; the driver refuses the kernels");
    return program;
  }
  // The version of the format, the bytes that follow, and their kind.
  uint32_t head[3] = {1, uint32_t(bytes), 4};
  std::string wrapped(reinterpret_cast<const char *>(head), sizeof head);
  wrapped.append(static_cast<const char *>(image.data), bytes);
  return fromBinary(wrapped.data(), wrapped.size());
}

std::string OpenCLDevice::binaryOf(ProgramRef program) {
  size_t bytes = 0;
  if (driver.clGetProgramInfo(program, programBinaryBytes, sizeof bytes, &bytes,
                              nullptr) != success ||
      bytes == 0)
    return "";
  std::string code(bytes, '\0');
  char *place = &code[0];
  if (driver.clGetProgramInfo(program, programBinaries, sizeof place, &place,
                              nullptr) != success)
    return "";
  return code;
}

std::unique_ptr<arrt::Module> OpenCLDevice::load(const arrt_image &image) {
  // Drivers have been seen to crash on what is no SPIR-V.
  constexpr uint32_t magic = 0x07230203;
  uint32_t first = 0;
  if (image.bytes >= 20)
    std::memcpy(&first, image.data, sizeof first);
  if (first != magic) {
    errorText = label + ": the kernels are no SPIR-V";
    return nullptr;
  }
  std::string key = cacheKey;
  if (image.options)
    key += std::string(" ") + image.options;
  CacheEntry entry(key, image.data, size_t(image.bytes));
  std::vector<char> kept;
  if (entry.read(kept)) {
    // What the driver does not take any more is made again.
    ProgramRef program = fromBinary(kept.data(), kept.size());
    if (program && build(program))
      return std::make_unique<OpenCLModule>(*this, program);
    if (program)
      driver.clReleaseProgram(program);
  }
  ProgramRef program = makeProgram(image);
  if (!program)
    return nullptr;
  if (!build(program)) {
    driver.clReleaseProgram(program);
    return nullptr;
  }
  std::string code = binaryOf(program);
  entry.write(code.data(), code.size());
  return std::make_unique<OpenCLModule>(*this, program);
}

OpenCLModule::~OpenCLModule() {
  for (auto &[name, kernel] : kernels)
    device.driver.clReleaseKernel(kernel.kernel);
  device.driver.clReleaseProgram(program);
}

void *OpenCLModule::kernel(const char *name) {
  auto found = kernels.find(name);
  if (found != kernels.end())
    return &found->second;
  Result result = success;
  Kernel kernel;
  kernel.kernel = device.driver.clCreateKernel(program, name, &result);
  if (kernel.kernel)
    return &kernels.emplace(name, kernel).first->second;
  device.check(result, "clCreateKernel",
               std::string(" for '") + name + "'" + device.logOf(program));
  return nullptr;
}
