//===- StageLoops.h - Loops of copies to the chip ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A part of kernel-stage-operands: what copies of boxes (StageBox.cpp) and of
// rows (StageRows.cpp) have in common.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_STAGELOOPS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_STAGELOOPS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

#include <array>

namespace arrc::kernel {

/// Whether loops at thread stand around `at`, or it is one: a copy there would
/// not be that of a block.
bool isBelowThreads(ForOp at);

/// Threads along x, y and z below `at`.
std::array<int64_t, 3> countThreads(ForOp at);

/// A parallel loop of the copy of `array` that belongs to `at`, at the
/// insertion point, which moves inside.
ForOp openCopyLoop(mlir::IRRewriter &rewriter, ForOp at,
                   mlir::BlockArgument array, llvm::StringRef suffix,
                   int64_t extent, LevelAttr level);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_STAGELOOPS_H
