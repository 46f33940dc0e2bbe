//===- BoundLoops.h - Loops that end behind a check that fails --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loops over ranges that arrays give, which may give anything.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_BOUNDLOOPS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_BOUNDLOOPS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Lets the loops of `launch` whose extents are read from arrays end with the
/// first step whose index is outside of the array that it is checked against.
void boundLoops(LaunchOp launch);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_BOUNDLOOPS_H
