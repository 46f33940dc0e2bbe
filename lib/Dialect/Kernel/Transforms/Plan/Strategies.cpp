//===- Strategies.cpp - Who plans launches --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/Strategies.h"

#include "PlanSchedules.h"

#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <map>
#include <mutex>
#include <utility>

using namespace arrc;
using namespace arrc::kernel;

/// They stay where they are when others are registered, and are there until the
/// process ends: the code of a plugin's may be gone before statics are.
static std::deque<PlanStrategy> &strategies() {
  static auto &all = *new std::deque<PlanStrategy>{
      {"device",
       [](LaunchOp launch, DeviceAttr device) {
         if (!isGPU(device))
           return false;
         planForDevice(launch, device);
         return true;
       }},
      {"cpu",
       [](LaunchOp launch, DeviceAttr device) {
         planForCPU(launch, device);
         return true;
       }},
  };
  return all;
}

/// The plugin that is being registered.
static std::string &registering() {
  static std::string plugin;
  return plugin;
}

void arrc::kernel::registerStrategy(PlanStrategy strategy) {
  strategy.plugin = registering();
  strategies().push_front(std::move(strategy));
}

PluginRegistration::PluginRegistration(llvm::StringRef plugin) {
  registering() = plugin.str();
}

PluginRegistration::~PluginRegistration() { registering().clear(); }

namespace {
/// The plugins of contexts, which run in several threads.
struct InUse {
  std::mutex mutex;
  std::map<const mlir::MLIRContext *, std::vector<std::string>> plugins;
};
} // namespace

static InUse &inUse() {
  static InUse all;
  return all;
}

PluginsInUse::PluginsInUse(mlir::MLIRContext &context,
                           std::vector<std::string> plugins)
    : context(context) {
  std::lock_guard<std::mutex> guard(inUse().mutex);
  inUse().plugins[&context] = std::move(plugins);
}

PluginsInUse::~PluginsInUse() {
  std::lock_guard<std::mutex> guard(inUse().mutex);
  inUse().plugins.erase(&context);
}

std::vector<const PlanStrategy *>
arrc::kernel::getStrategies(mlir::MLIRContext *context) {
  std::lock_guard<std::mutex> guard(inUse().mutex);
  auto known = inUse().plugins.find(context);
  std::vector<const PlanStrategy *> wanted;
  for (const PlanStrategy &strategy : strategies())
    if (strategy.plugin.empty() || known == inUse().plugins.end() ||
        llvm::is_contained(known->second, strategy.plugin))
      wanted.push_back(&strategy);
  return wanted;
}
