//===- DeviceLimits.h - What a device does not allow ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_DEVICELIMITS_H
#define ARRC_DIALECT_KERNEL_IR_DEVICELIMITS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include <string>

namespace arrc::kernel {

/// Why a block of `device` cannot have so many threads; empty if it can.
std::string whyTooManyThreads(DeviceAttr device, int64_t threads);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_IR_DEVICELIMITS_H
