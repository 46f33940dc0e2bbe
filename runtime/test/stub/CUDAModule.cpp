//===- CUDAModule.cpp - modules and launches of the CUDA stub -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Code is not run: its kernels are those of stub/Kernels.cpp with that name.
//
//===----------------------------------------------------------------------===//

#include "stub/CUDAState.h"
#include "stub/Kernels.h"

#include <cstring>
#include <map>
#include <string>

using namespace arrt::cuda;
using namespace stub;

namespace arrt::cuda {
struct CUfunc_st {
  const stub::Kernel *kernel = nullptr;
  int shared = 48 << 10;
};
struct CUmod_st {
  std::string text;
  std::map<std::string, CUfunc_st> functions;
};
} // namespace arrt::cuda

/// The first line of what was linked.
static constexpr char head[] = "cubin of the stub\n";

static Result link(const char *text, std::string &made, std::string &error) {
  if (!std::strstr(text, ".version")) {
    error = "line 1: expected .version";
    return invalidPTX;
  }
  made = head + std::string(text);
  return success;
}

Card &stub::card() {
  static Card card = {"Stub Card",
                      90,
                      [](Result) { return "as the stub says"; },
                      link,
                      [](Address, size_t, char *) {},
                      [](Address, char *) {},
                      [](char *, size_t) {},
                      /*isHidden=*/false};
  return card;
}

/// The runtime's own kernel for loops: see lib/CUDA/LoopGraph.cpp.
static void decide(const stub::Grid &, void **args) {
  auto get = [&](int i) {
    uint64_t value;
    std::memcpy(&value, args[i], sizeof value);
    return value;
  };
  auto *left = static_cast<int64_t *>(pointer(get(3)));
  *left -= int64_t(get(4));
  bool goes = *static_cast<char *>(pointer(get(2))) && *left > 0;
  *static_cast<uint64_t *>(pointer(get(0))) = goes;
  if (!goes)
    *static_cast<uint64_t *>(pointer(get(1))) = 0;
}
static const stub::Kernel decideKernel = {"arrt_decide", "88888", decide};

Result stub::launch(FunctionRef function, const LaunchSettings &settings,
                    void **args) {
  if (int(settings.shared) > function->shared)
    return invalidValue;
  // The driver takes the values at once.
  std::vector<uint64_t> values(size_t(function->kernel->arguments()));
  for (size_t i = 0; i < values.size(); ++i)
    std::memcpy(&values[i], args[i], function->kernel->bytes(i));
  auto &[x, y, z] = settings.grid;
  auto &[i, j, k] = settings.block;
  stub::Grid grid{{x, y, z}, {i, j, k}, int64_t(settings.shared)};
  return run(settings.stream, [=]() mutable {
    std::vector<void *> places;
    for (uint64_t &value : values)
      places.push_back(&value);
    function->kernel->run(grid, places.data());
    return success;
  });
}

extern "C" {

Result cuModuleLoadData(ModuleRef *module, const void *code) {
  ENTER_CURRENT(cuModuleLoadData);
  auto *text = static_cast<const char *>(code);
  bool isDecide = std::strstr(text, ".entry arrt_decide(");
  if (!isDecide && std::strncmp(text, head, sizeof head - 1))
    return invalidPTX;
  *module = calls().begin<CUmod_st>();
  (*module)->text = isDecide ? text : text + sizeof head - 1;
  return success;
}
Result cuModuleUnload(ModuleRef module) {
  ENTER_CURRENT(cuModuleUnload);
  return calls().end(module) ? success : invalidValue;
}
Result cuModuleGetFunction(FunctionRef *function, ModuleRef module,
                           const char *name) {
  ENTER_CURRENT(cuModuleGetFunction);
  std::string entry = std::string(".entry ") + name + "(";
  const stub::Kernel *kernel = std::strcmp(name, decideKernel.name.c_str())
                                   ? stub::findKernel(name)
                                   : &decideKernel;
  if (!isAlive(module) || !kernel ||
      module->text.find(entry) == std::string::npos)
    return notFound;
  *function = &module->functions[name];
  (*function)->kernel = kernel;
  return success;
}
Result cuFuncGetAttribute(int *value, FunctionAttribute attribute,
                          FunctionRef function) {
  ENTER_CURRENT(cuFuncGetAttribute);
  *value = attribute == threadRegisters ? 24 : attribute == localBytes ? 8 : 0;
  return success;
}
Result cuFuncSetAttribute(FunctionRef function, FunctionAttribute attribute,
                          int value) {
  ENTER_CURRENT(cuFuncSetAttribute);
  if (attribute != maxDynamicShared || value > mostSharedBytes)
    return invalidValue;
  function->shared = value;
  return success;
}

} // extern "C"
