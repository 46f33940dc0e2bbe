//===- Strategies.h - Who plans launches ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// `kernel-plan-schedules` asks one strategy after the other. The planners of
// CPUs and of devices are two of them; a plugin adds its own in front.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_STRATEGIES_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_STRATEGIES_H

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <string>
#include <vector>

namespace arrc::kernel {

/// A way to plan launches.
struct PlanStrategy {
  /// What it is called.
  std::string name;
  /// Gives a launch its schedule or its versions for a device. Returns false if
  /// the launch is left to the strategies behind. Functions are planned side by
  /// side.
  std::function<bool(LaunchOp launch, DeviceAttr device)> plan;
  /// The plugin that it came with; "" if it is the compiler's.
  std::string plugin = "";
};

/// Has `strategy` asked before all that are known. Not while passes run.
void registerStrategy(PlanStrategy strategy);

/// Strategies that are registered as long as it lives are those of a plugin.
class PluginRegistration {
public:
  explicit PluginRegistration(llvm::StringRef plugin);
  ~PluginRegistration();
  PluginRegistration(const PluginRegistration &) = delete;
  PluginRegistration &operator=(const PluginRegistration &) = delete;
};

/// As long as it lives, launches of a context are planned by the compiler's
/// strategies and those of these plugins alone: a process may compile with
/// other plugins as well.
class PluginsInUse {
public:
  PluginsInUse(mlir::MLIRContext &context, std::vector<std::string> plugins);
  ~PluginsInUse();
  PluginsInUse(const PluginsInUse &) = delete;
  PluginsInUse &operator=(const PluginsInUse &) = delete;

private:
  mlir::MLIRContext &context;
};

/// Those that plan launches of a context, in the order in which they are asked;
/// where no one says which plugins are in use, all.
std::vector<const PlanStrategy *> getStrategies(mlir::MLIRContext *context);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_STRATEGIES_H
