//===- Driver.cpp - a CUDA driver that runs PTX on the host ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Modules, and what a launch does; the rest of the driver is the stub's
// (../stub/CUDA.cpp, CUDAGraph.cpp, CUDALaunch.cpp, CUDALink.cpp). Code that is
// linked is the text with a line before it.
//
//===----------------------------------------------------------------------===//

#include "emulator/Launch.h"
#include "stub/CUDAState.h"

#include <cstdlib>
#include <map>
#include <string>

using namespace arrt::cuda;
using namespace stub;

namespace arrt::cuda {
struct CUfunc_st {
  emulator::Program program;
  uint64_t shared = 48 << 10; ///< most that a launch may ask for
};
struct CUmod_st {
  std::unique_ptr<emulator::Module> module;
  std::map<std::string, CUfunc_st> functions;
};
} // namespace arrt::cuda

namespace {
constexpr char head[] = "// linked by the emulator\n";

/// The bytes of device memory that were written, if that is checked.
emulator::Written *written() {
  static auto *all =
      emulator::isCheckOn("init") ? new emulator::Written : nullptr;
  return all;
}
emulator::Memory &memory() {
  static auto *all = new emulator::Memory;
  return *all;
}
/// What the last error was about.
std::string &lastError() {
  static auto *text = new std::string;
  return *text;
}

const char *explain(Result error) {
  if (!lastError().empty() && (card().failure == error || error == invalidPTX))
    return lastError().c_str();
  return error == outOfMemory ? "out of memory" : "as the emulator says";
}

uint64_t number(const char *place) { return uint64_t(uintptr_t(place)); }

void noteAllocated(Address data, size_t bytes, char *place) {
  memory().add(data, bytes, number(place));
  if (written())
    written()->allocate(number(place), bytes);
}
void noteFreed(Address data, char *place) {
  memory().remove(data);
  if (written())
    written()->free(number(place));
}
void noteWritten(char *place, size_t bytes) {
  if (written())
    written()->add(number(place), bytes);
}

int computeFromEnvironment() {
  const char *arch = std::getenv("ARRC_EMULATOR_ARCH"); // sm_80
  int number = arch && *arch ? std::atoi(arch + (arch[0] == 's' ? 3 : 0)) : 0;
  return number ? number : 90;
}

/// Runs `work`; what it throws becomes the error that is returned.
template <typename Work> Result guarded(Work work) {
  try {
    return work();
  } catch (const emulator::Fault &fault) {
    lastError() = fault.text;
    return fault.code;
  }
}

Result link(const char *text, std::string &made, std::string &error) {
  Result result = guarded([&] {
    emulator::parse(text);
    return success;
  });
  (result ? error : made) = result ? lastError() : head + std::string(text);
  return result;
}
} // namespace

Card &stub::card() {
  static Card card = {"Emulated Card", computeFromEnvironment(),
                      explain,         link,
                      noteAllocated,   noteFreed,
                      noteWritten,     /*isHidden=*/true};
  return card;
}

Result stub::launch(FunctionRef function, const LaunchSettings &settings,
                    void **args) {
  if (settings.shared > function->shared)
    return invalidValue;
  const emulator::Program &program = function->program;
  // The driver takes the values at once.
  std::vector<char> parameters(size_t(program.parameterBytes));
  for (size_t i = 0; i < program.parameters.size(); ++i)
    std::memcpy(&parameters[size_t(program.parameters[i].place)], args[i],
                size_t(program.parameters[i].bytes));
  auto &[x, y, z] = settings.grid;
  auto &[i, j, k] = settings.block;
  emulator::Grid grid{{x, y, z}, {i, j, k}, settings.shared};
  bool isEarly = settings.count != 0;
  return run(settings.stream, [&program, grid, parameters, isEarly] {
    Result result = guarded([&] {
      emulator::Options options = emulator::Options::fromEnvironment();
      emulator::Launch launch(program, grid, memory(), parameters, options);
      launch.written = written();
      launch.isEarly = isEarly;
      launch.run();
      return success;
    });
    // As on a card: the context is of no use from here on.
    if (result)
      card().failure = result;
    return result;
  });
}

extern "C" {

Result cuModuleLoadData(ModuleRef *module, const void *code) {
  ENTER_CURRENT(cuModuleLoadData);
  std::string text = static_cast<const char *>(code);
  if (text.compare(0, sizeof head - 1, head) == 0)
    text.erase(0, sizeof head - 1); // so that lines are numbered as written
  return guarded([&] {
    auto parsed = emulator::parse(text);
    for (auto [begin, bytes] : parsed->ranges)
      memory().add(begin, bytes, begin);
    *module = calls().begin<CUmod_st>();
    (*module)->module = std::move(parsed);
    return success;
  });
}
Result cuModuleUnload(ModuleRef module) {
  ENTER_CURRENT(cuModuleUnload);
  if (!isAlive(module))
    return invalidValue;
  for (auto [begin, bytes] : module->module->ranges)
    memory().remove(begin);
  calls().end(module);
  return success;
}
Result cuModuleGetFunction(FunctionRef *function, ModuleRef module,
                           const char *name) {
  ENTER_CURRENT(cuModuleGetFunction);
  if (!isAlive(module))
    return invalidValue;
  auto found = module->module->functions.find(name);
  if (found == module->module->functions.end() || !found->second.isEntry)
    return notFound;
  return guarded([&] {
    auto &made = module->functions[name];
    made.program = emulator::link(*module->module, name);
    *function = &made;
    return success;
  });
}
Result cuFuncSetAttribute(FunctionRef function, FunctionAttribute attribute,
                          int value) {
  ENTER_CURRENT(cuFuncSetAttribute);
  if (attribute != maxDynamicShared || value < 0 ||
      uint64_t(value) + function->program.sharedBytes > mostSharedBytes)
    return invalidValue;
  function->shared = uint64_t(value);
  return success;
}

} // extern "C"
