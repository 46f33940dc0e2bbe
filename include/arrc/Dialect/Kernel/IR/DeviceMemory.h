//===- DeviceMemory.h - Whose memory arrays are in --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_DEVICEMEMORY_H
#define ARRC_DIALECT_KERNEL_IR_DEVICEMEMORY_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Whether arrays are memory of devices, which the host's code leaves to the
/// runtime: those of GPUs, and those of a CPU whose launches run in parts.
bool hasOwnMemory(DeviceAttr device);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_IR_DEVICEMEMORY_H
