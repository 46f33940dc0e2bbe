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

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <string>

namespace arrc::kernel {

/// A way to plan launches.
struct PlanStrategy {
  /// What it is called.
  std::string name;
  /// Gives a launch its schedule or its versions for a device. Returns false if
  /// the launch is left to the strategies behind. Functions are planned side by
  /// side.
  std::function<bool(LaunchOp launch, DeviceAttr device)> plan;
};

/// Has `strategy` asked before all that are known. Not while passes run.
void registerStrategy(PlanStrategy strategy);

/// All of them, in the order in which they are asked.
llvm::ArrayRef<PlanStrategy> getStrategies();

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_STRATEGIES_H
