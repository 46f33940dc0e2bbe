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

namespace {
/// What looking for the driver gave, once a process.
struct Found {
  Driver driver;
  std::string problem, remedy;
  Found();
};
} // namespace

Found::Found() {
  remedy = "install NVIDIA's driver (Debian: nvidia-driver); a container needs "
           "the host's, docker run --gpus all";
  Library library("ARRC_CUDA_LIBRARY", "libcuda.so.1");
  if (!library.isOpen()) {
    problem = library.error();
    return;
  }
#define CUDA_FUNCTION(name, symbol, parameters)                                \
  if (!library.find(#symbol, driver.name)) {                                   \
    problem = library.error();                                                 \
    remedy = "install driver 450 or newer";                                    \
    return;                                                                    \
  }
#include "CUDA/CUDASymbols.def"
  Result result = driver.cuInit(0);
  if (result == success)
    result = driver.cuDriverGetVersion(&driver.version);
  if (result == success)
    return;
  problem = driver.describe("cuInit", result);
  if (result == noDevice)
    remedy = "no card is visible: see nvidia-smi and CUDA_VISIBLE_DEVICES; a "
             "container needs docker run --gpus all";
  else if (result == systemMismatch)
    remedy = "library and kernel module of the driver differ: restart";
  else
    remedy = "see whether nvidia-smi works";
}

const Driver *cuda::findDriver(std::string &problem, std::string &remedy) {
  static const Found found;
  problem = found.problem;
  remedy = found.remedy;
  return problem.empty() ? &found.driver : nullptr;
}
