//===- PlanSchedules.h - What the planners of devices share -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Questions about loops that planners of all devices ask, and their entries.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_PLANSCHEDULES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_PLANSCHEDULES_H

#include "arrc/Analysis/Coalescing.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "llvm/ADT/DenseSet.h"

namespace arrc::kernel {

/// Whether `op` is a sequence of steps.
bool isSteps(mlir::Operation *op);

/// How the accesses below a loop change with its index.
struct AccessScore {
  /// Accesses to neighbours in memory, those in the opposite order, and those
  /// that jump.
  int contiguous = 0, backward = 0, gathers = 0;
  /// Loads that jump in a sequence of steps: one lane alone would wait for
  /// each, several wait together.
  int chained = 0;
};

/// Counts the accesses below `loop`.
AccessScore scoreAccesses(ForOp loop, const Variation &variation);

/// Whether the body calls what takes long: then accumulators are not what it
/// waits for.
bool isExpensive(ForOp loop);

/// Whether the result of the fold depends on the order in which terms are
/// added.
bool rounds(ForOp fold);

/// Whether loops stand below `loop`.
bool hasInnerLoop(ForOp loop);

/// Bytes of one element of `array`; parts of complex numbers count alone.
int64_t getElementBytes(mlir::Value array);

/// Bytes of the widest element that `launch` touches.
int64_t getElementBytes(LaunchOp launch);

/// Writes the schedule or the versions of `launch` for a CPU, if it has one to
/// offer.
void planForCPU(LaunchOp launch, DeviceAttr device);

/// The same for a device that runs blocks of threads.
void planForDevice(LaunchOp launch, DeviceAttr device);

/// Of the schedules that a launch has got, keeps those that fold floats in
/// order; another if none is left.
void keepOrder(LaunchOp launch, DeviceAttr device);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_PLANSCHEDULES_H
