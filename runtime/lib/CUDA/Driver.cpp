//===- Driver.cpp - the CUDA driver, found at run time --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CUDA/Driver.h"
#include "Core/Library.h"

using namespace arrt;
using namespace arrt::cuda;

std::string Driver::describe(const char *call, Result result) const {
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  std::string all = std::string(call) + ": ";
  all += name ? name : "error " + std::to_string(int(result));
  return text ? all + " (" + text + ")" : all;
}

bool Driver::isFatal(Result result) {
  return result == uncorrectableECC || result == illegalAddress ||
         result == launchTimeout || result == deviceAssert ||
         (result >= hardwareStackError && result <= launchFailed);
}

static Found<Driver> find() {
  static const LibraryName library = {
      "ARRC_CUDA_LIBRARY", "libcuda.so.1",
      "install NVIDIA's driver (Debian: nvidia-driver); a container needs the "
      "host's, docker run --gpus all",
      "install driver 450 or newer"};
  Found<Driver> found;
  Driver &driver = found.driver;
#define CUDA_FUNCTION(name, symbol, parameters) {#symbol, &driver.name},
#define CUDA_OPTIONAL(name, symbol, parameters) {#symbol, &driver.name, false},
  if (!findLibrary(library,
                   {
#include "CUDA/CUDASymbols.def"
                   },
                   found.problem, found.remedy))
    return found;
  Result result = driver.cuInit(0);
  if (result == success)
    result = driver.cuDriverGetVersion(&driver.version);
  if (result == success)
    return found;
  found.problem = driver.describe("cuInit", result);
  if (result == noDevice)
    found.remedy = "no card is visible: see nvidia-smi and "
                   "CUDA_VISIBLE_DEVICES; a container needs docker run --gpus "
                   "all";
  else if (result == systemMismatch)
    found.remedy = "library and kernel module of the driver differ: restart";
  else
    found.remedy = "see whether nvidia-smi works";
  return found;
}

const Driver *cuda::findDriver(std::string &problem, std::string &remedy) {
  static const Found<Driver> found = find();
  return found.get(problem, remedy);
}
