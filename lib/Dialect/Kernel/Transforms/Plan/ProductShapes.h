//===- ProductShapes.h - Shapes of tiles of products ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What a thread and a block compute of a product (Products.cpp), and for which
// sizes.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_PRODUCTSHAPES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_PRODUCTSHAPES_H

#include "Device.h"

namespace arrc::kernel {

/// What a thread computes, and when.
struct ProductShape {
  ThreadTile rows, columns;
  int64_t depth;
  /// Sizes for which it is taken; no end if 0.
  int64_t leastRows, leastColumns, mostRows = 0, mostColumns = 0;
  /// Threads along both, and blocks that share the fold.
  int64_t y = Product::threads, x = Product::threads, blocks = 1;
  /// Tiles up to which it is taken; no end if 0. Tiles from which on it is.
  int64_t mostTiles = 0, leastTiles = 0;
  /// Of what waves of blocks have place for, the sevenths that must be taken,
  /// or 0: one block more than a wave takes as long as twice as many.
  int64_t leastFill = 0;
  /// Steps for which it is taken.
  int64_t leastDepth = depth;
  /// Whether operands along the columns are staged, and the box of the next
  /// step is loaded while threads work on this one.
  bool stagesColumns = true, ahead = true;

  /// Whether warps multiply matrices.
  bool multiplies = false;

  /// Whether there may be enough of them for wide accesses to pay.
  bool isLarge = false;

  /// Of a block.
  int64_t countRows() const { return y * rows.size(); }
  int64_t countColumns() const { return x * columns.size(); }
};

/// Shapes for a product, the best first: as many outputs as registers allow,
/// and no more code than pays. Threads along x read neighbouring groups of at
/// most 16 bytes. One block of 16 x 8 outputs a thread is as much at work on a
/// multiprocessor as two of 8 x 8, and reads three quarters of their operands.
llvm::SmallVector<ProductShape> getShapes(const Product &product, int64_t units,
                                          bool isBatch);

/// Shapes for a product of which warps multiply matrices.
llvm::SmallVector<ProductShape> getMatrixShapes(const Product &product,
                                                int64_t units);

/// Whether the fold walks along the rows of `array` in memory: on chip,
/// neighbouring rows or columns of the product lie together. What is both
/// operands has one place for both.
bool isTurned(const Product &product, mlir::Value array);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_PRODUCTSHAPES_H
