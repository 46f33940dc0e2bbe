//===- Module.cpp - from PTX to kernels on a CUDA card --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// PTX goes through the driver's linker and not through cuModuleLoadData: the
// linker hands out the code that it made, which the cache keeps. A cubin of the
// compiler's is loaded as it is.
//
//===----------------------------------------------------------------------===//

#include "CUDA/CUDADevice.h"
#include "Core/Cache.h"

#include <cstring>

using namespace arrt;
using namespace arrt::cuda;

int32_t CUDADevice::link(const arrt_image &image, std::string &code) {
  char errors[8192] = "";
  JITOption options[] = {errorLog, errorLogBytes};
  void *values[] = {errors,
                    reinterpret_cast<void *>(uintptr_t(sizeof errors - 1))};
  LinkRef linker = nullptr;
  CUDA_CALL(cuLinkCreate, (2, options, values, &linker));
  // The driver wants a terminated text.
  std::string text(static_cast<const char *>(image.data), size_t(image.bytes));
  text.resize(std::strlen(text.c_str()));
  const char *call = "cuLinkAddData";
  Result result =
      driver.cuLinkAddData(linker, inputPTX, &text[0], text.size() + 1,
                           "kernels.ptx", 0, nullptr, nullptr);
  void *made = nullptr;
  size_t bytes = 0;
  if (result == success) {
    call = "cuLinkComplete";
    result = driver.cuLinkComplete(linker, &made, &bytes);
  }
  if (result == success)
    code.assign(static_cast<const char *>(made), bytes);
  driver.cuLinkDestroy(linker);
  if (result == success)
    return ARRT_STATUS_OK;
  std::string about = "; the driver's compiler refuses the kernels";
  if (*errors)
    about += ":\n" + std::string(errors);
  if (result == unsupportedPTX)
    about += "\nhelp: the driver is older than the code: update the driver";
  return check(result, call, about);
}

bool CUDADevice::takes(int32_t format) const {
  return format == ARRT_IMAGE_PTX || format == ARRT_IMAGE_CUBIN;
}

std::unique_ptr<arrt::Module> CUDADevice::load(const arrt_image &image) {
  if (check(driver.cuCtxSetCurrent(context), "cuCtxSetCurrent"))
    return nullptr;
  ModuleRef module = nullptr;
  auto loadCode = [&](const void *code) {
    return check(driver.cuModuleLoadData(&module, code), "cuModuleLoadData");
  };
  if (image.format == ARRT_IMAGE_CUBIN) {
    if (loadCode(image.data))
      return nullptr;
    return std::make_unique<CUDAModule>(*this, module);
  }
  std::string key = cacheKey;
  if (image.options)
    key += std::string(" ") + image.options;
  CacheEntry entry(key, image.data, size_t(image.bytes));
  std::vector<char> kept;
  // What the driver does not load any more is made again.
  if (!entry.read(kept) || loadCode(kept.data())) {
    std::string code;
    if (link(image, code) || loadCode(code.data()))
      return nullptr;
    entry.write(code.data(), code.size());
  }
  return std::make_unique<CUDAModule>(*this, module);
}

CUDAModule::~CUDAModule() {
  device.driver.cuCtxSetCurrent(device.context);
  device.driver.cuModuleUnload(module);
}

void *CUDAModule::kernel(const char *name) {
  auto found = kernels.find(name);
  if (found != kernels.end())
    return &found->second;
  Kernel kernel;
  auto check = [&](Result result, const char *call) {
    return device.check(result, call, std::string(" for '") + name + "'");
  };
  if (check(device.driver.cuCtxSetCurrent(device.context), "cuCtxSetCurrent") ||
      check(device.driver.cuModuleGetFunction(&kernel.function, module, name),
            "cuModuleGetFunction"))
    return nullptr;
  return &kernels.emplace(name, kernel).first->second;
}
