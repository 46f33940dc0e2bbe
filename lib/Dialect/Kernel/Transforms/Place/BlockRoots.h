//===- BlockRoots.h - What stands at block at the root ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The first half of kernel-split-launches: inside of one launch, folds and
// scans at block become parallel nests and what runs once after them.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_BLOCKROOTS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_BLOCKROOTS_H

#include "../Shared/HostSlice.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {

/// Whether `op` is a loop at block.
bool isBlockLoop(mlir::Operation *op);

/// Whether the launch may write elements of `array`: it writes an argument of
/// this element type. Loads of other arrays may be repeated anywhere.
bool mayBeWritten(LaunchOp launch, mlir::Value array);

/// Whether blocks that have started go on, so that others may wait for them.
bool hasOrderedBlocks(DeviceAttr device);

/// Rewrites the root loops of `launch` until each is a nest of parallel block
/// loops whose extents the host knows, or holds no block loop at all, behind
/// `sinkLoads`. Scans over blocks stay where these are ordered, and they may
/// look back.
void rewriteBlockRoots(mlir::IRRewriter &rewriter, LaunchOp launch,
                       DeviceAttr device);

/// Moves loads that no loop of the root needs behind the loops, where what
/// follows writes their arrays.
void sinkLoads(mlir::IRRewriter &rewriter, LaunchOp launch);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_BLOCKROOTS_H
