//===- LocalLifetime.h - Which locals live at the same time -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A local holds something from its first to its last access in one iteration of
// the loop around it. Locals of branches of which one runs, or of loops that
// run one after the other, can have one place.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_LOCALLIFETIME_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_LOCALLIFETIME_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Whether no thread has elements of both locals at the same time.
bool areApart(LocalOp a, LocalOp b);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_LOCALLIFETIME_H
