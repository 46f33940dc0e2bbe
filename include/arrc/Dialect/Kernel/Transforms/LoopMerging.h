//===- LoopMerging.h - Merging loops and contracting locals -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What `kernel-merge-loops`, `kernel-contract-locals` and
// `kernel-fuse-launches` share: fusing launches asks the same questions and
// makes the same rewrites as the two passes inside one launch. So do scripts.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_LOOPMERGING_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_LOOPMERGING_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

#include <string>

namespace arrc::kernel {

/// The operations that stand between two of one block.
llvm::SmallVector<mlir::Operation *>
getOperationsBetween(mlir::Operation *first, mlir::Operation *second);

/// What `whyNotMerge` says where the second loop needs all of the first.
inline constexpr char kUsesResult[] =
    "the second needs a result of all of the first";

/// Why `first` and `second`, siblings in this order, may not become one loop;
/// empty if they may.
std::string whyNotMerge(ForOp first, ForOp second);

/// Makes one loop of two for which `whyNotMerge` is empty, in the place of the
/// first.
ForOp mergeLoops(mlir::RewriterBase &rewriter, ForOp first, ForOp second);

/// Merges the sibling loops of `block` that share an array, then those in the
/// merged bodies. With `explain` each pair gets a remark.
void mergeSiblingLoops(mlir::RewriterBase &rewriter, mlir::Block &block,
                       bool explain);

/// Makes one launch, `fused`, of two, whether that pays or not. Returns why
/// that may not be done, and has changed nothing then; "" otherwise.
std::string fuseLaunches(mlir::RewriterBase &rewriter, LaunchOp first,
                         LaunchOp second, LaunchOp &fused);

/// Gives loops of different index sets different names: loops share a name only
/// if their extents are one value, and no loop has the name of one around it.
void separateDims(LaunchOp launch);

/// Replaces loads by the values stored at their index earlier in the
/// iteration, moves locals into the only loop that uses them (dropping the
/// dimension that the loop fixes), and removes locals that nothing reads.
void contractLocals(mlir::RewriterBase &rewriter, LaunchOp launch);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_LOOPMERGING_H
