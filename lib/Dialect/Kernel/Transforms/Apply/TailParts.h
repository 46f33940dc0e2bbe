//===- TailParts.h - Few steps at a time where masks are --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A part of kernel-split-boundary, on devices.
//
// Idea. A thread that takes many steps of a fold together asks for all of them
// before it waits. Where the fold ends most of these may be past the end, and
// the masked loads of all would want registers that the interior does not, of
// which a kernel has as many for all threads: there, a loop takes as many as
// ask for 16 words at a time, as many times as some are left.
//
// Before   kernel.for "k.2" (%u) in 32 at unroll reduce (%s) {
//            %i = %k + 8 %u  %in = cmpi slt, %i, %N
//            %v = kernel.load %X[%i] if %in .. }
// After    kernel.for "k.2" (%p) in (N - k) ceildiv 128 at seq reduce (%s) {
//            kernel.for "k.2" (%u) in 16 at unroll reduce (%neutral) {
//              %i = %k + 128 %p + 8 %u  the same } }
//
// Where a block has the end of a dimension, all its threads run the copy with
// masks, maps as well as folds: of dimensions that are about as long as what a
// block takes of them that is every second block, or every one.
//
// Legal: parts are in order. Iterations that are left out have a guard that
// yields what is neutral, or does all that the iteration would.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_TAILPARTS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_TAILPARTS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace mlir {
class IRRewriter;
} // namespace mlir

namespace arrc::kernel {

/// Rewrites the folds at `unroll` below `tail`.
void foldInParts(mlir::IRRewriter &rewriter, ForOp tail);

/// Rewrites all loops at `unroll` from `root` on, which is or holds the copy
/// with masks: those of which no two iterations may be taken together run in
/// order.
void takeInParts(mlir::IRRewriter &rewriter, mlir::Operation *root);

/// How many of `extent` iterations, each of which has a mask and runs the body
/// of `body` for `copies` elements, are taken together: a divisor of `extent`.
int64_t getMaskedPart(ForOp body, int64_t extent, int64_t copies);

/// The iterations one after the other, whose code is smaller.
void runInOrder(ForOp loop);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_TAILPARTS_H
