//===- StrideBlocks.h - As many blocks as there is room for -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A workspace has a part for each block of the grid. A million rows need no
// million parts: as many blocks as run at the same time, or as there is room
// for, take the rows in turn.
//
//   for b in B at block { body(b) }
//   =>
//   for c in C at block { scf.for b = c to B step C { body(b) } }
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_STRIDEBLOCKS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_STRIDEBLOCKS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {

/// What limits the blocks of a launch.
struct BlockRoom {
  /// Blocks that run at the same time.
  int64_t resident;
  /// Bytes of all parts together.
  int64_t bytes;
};

/// The room that `device` has for the blocks of `launch`.
BlockRoom getBlockRoom(DeviceAttr device, LaunchOp launch);

/// Whether the loops at block of `nest`, outermost first, are the grid of the
/// launch and may be strided: parallel, with nothing between them that is more
/// than arithmetic, and no others below.
bool canStride(llvm::ArrayRef<ForOp> nest);

/// Of a nest on the host, for each loop: the blocks that there are, and the
/// parts that they need.
struct BlockGrid {
  llvm::SmallVector<mlir::OpFoldResult> blocks, parts;
};

/// The grid for loops of `extents`, of which `used` touch their parts, of
/// `partBytes` each.
BlockGrid limitBlocks(mlir::OpBuilder &builder, mlir::Location loc,
                      llvm::ArrayRef<mlir::OpFoldResult> extents,
                      llvm::ArrayRef<mlir::OpFoldResult> used,
                      mlir::OpFoldResult partBytes, BlockRoom room);

/// Gives the loops of `nest` `blocks` iterations each, which together do all of
/// the old ones, and returns what takes their place.
llvm::SmallVector<ForOp>
strideBlocks(mlir::IRRewriter &rewriter, llvm::ArrayRef<ForOp> nest,
             llvm::ArrayRef<mlir::OpFoldResult> blocks);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_STRIDEBLOCKS_H
