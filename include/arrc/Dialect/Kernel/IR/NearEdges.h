//===- NearEdges.h - Reads next to the edge of an array ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// An index that an edge mode turns into one inside may lie any number of
// periods away, which costs a division. That of a neighbour lies one element
// outside at most.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_NEAREDGES_H
#define ARRC_DIALECT_KERNEL_IR_NEAREDGES_H

#include "llvm/ADT/StringRef.h"

namespace arrc::kernel {

/// Marks a load of which no index with an edge mode lies further outside than
/// the dimension has elements. kernel-split-loops finds them: it takes apart
/// the loops that show it.
inline constexpr llvm::StringLiteral kNearAttr = "kernel.near";

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_IR_NEAREDGES_H
