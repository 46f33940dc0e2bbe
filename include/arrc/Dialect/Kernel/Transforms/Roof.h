//===- Roof.h - The limits of a device --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_ROOF_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_ROOF_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// What a device does at most, by the rates that its schedules are judged by.
struct Roof {
  double bytesPerSecond;      ///< from and to memory
  double operationsPerSecond; ///< of f32, a multiply-add being one
  double launchSeconds;
  double cacheBytes; ///< of L2

  /// The least time of a launch.
  double getSeconds(double bytes, double operations) const {
    return launchSeconds +
           std::max(bytes / bytesPerSecond, operations / operationsPerSecond);
  }
};

/// The roof of a device; that of one like it where its row has no rates.
Roof getRoof(DeviceAttr device);

/// What the kernel of a launch asks of a device, all blocks together, as it is
/// counted in its code.
struct Demand {
  double memoryBytes = 0;  ///< from and to memory
  double cacheBytes = 0;   ///< whole sectors that blocks ask L2 for
  double requestBytes = 0; ///< whole sectors that warps ask the first cache for
  double turns = 0;        ///< of the banks of shared memory
  double instructions = 0; ///< of whole warps
  double special = 0;      ///< divisions, roots and the like, of whole warps
  double blocks = 1;
  /// Threads and bytes of shared memory of a block, registers of a thread: they
  /// decide how many blocks run at a time.
  double threads = 32, sharedBytes = 0, registers = 0;
  /// Bytes that loads of a warp have under way at a time; 0 if it loads
  /// nothing.
  double flight = 0;
  /// Trips to memory, and barriers, that a thread waits for in a row.
  double trips = 0, barriers = 0;
  /// Cycles of a warp's instructions, as far as each needs the one before.
  double alone = 0;
};

/// Iterations of a thread whose loads are under way, where none needs the one
/// before: assemblers move loads ahead across iterations, unrolled or not, and
/// no further.
inline constexpr double kStepsUnderWay = 1.5;
/// Registers of a thread for addresses and counters.
inline constexpr double kFrameRegisters = 24;

/// How long a launch takes by what it asks for, and what it waits for.
struct Estimate {
  double seconds;
  /// `memory`, `L2`, `L1`, `shared memory`, `instructions`, `special
  /// functions`, `latency` or `the launch`.
  llvm::StringRef limit;
};

/// By the model that schedules are judged by.
Estimate estimate(const Demand &demand, DeviceAttr device);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_ROOF_H
