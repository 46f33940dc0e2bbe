//===- NearEdges.h - Which reads stay next to an array ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Part of kernel-split-loops.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_NEAREDGES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_NEAREDGES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Marks the loads of `launch` that lie no further outside of a dimension than
/// it has elements (`kNearAttr`).
void markNearEdges(LaunchOp launch);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_NEAREDGES_H
