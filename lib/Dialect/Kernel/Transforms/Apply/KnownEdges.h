//===- KnownEdges.h - Loads that are inside without an edge -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_KNOWNEDGES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_KNOWNEDGES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Takes edges away where another access of the same block has the same index
/// in a dimension of the same size, without an edge: that index is inside.
void dropKnownEdges(LaunchOp launch);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_KNOWNEDGES_H
