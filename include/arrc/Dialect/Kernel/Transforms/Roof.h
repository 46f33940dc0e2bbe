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

  /// The least time of a launch.
  double getSeconds(double bytes, double operations) const {
    return launchSeconds +
           std::max(bytes / bytesPerSecond, operations / operationsPerSecond);
  }
};

/// The roof of a device; that of one like it where its row has no rates.
Roof getRoof(DeviceAttr device);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_ROOF_H
