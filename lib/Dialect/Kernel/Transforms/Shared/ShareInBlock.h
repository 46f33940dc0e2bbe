//===- ShareInBlock.h - The loops of a block, by its threads ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A block that runs statements in order, whose threads share the loops between
// them.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_SHAREINBLOCK_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_SHAREINBLOCK_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "llvm/ADT/SmallVector.h"

namespace arrc::kernel {

/// Lanes of a warp.
inline constexpr int64_t kLanesOfBlock = 32;

/// Whether threads may share the iterations of `loop`, and have enough of them.
bool isShareable(ForOp loop);

/// How the loops below `block` are dealt to `warps` warps of 32 threads: the
/// digits of each dimension that is. Loops of one dimension that are dealt in
/// different ways get names of their own.
llvm::SmallVector<DimDigitsAttr> shareInBlock(ForOp block, int64_t warps);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_SHAREINBLOCK_H
