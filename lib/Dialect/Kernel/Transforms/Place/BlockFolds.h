//===- BlockFolds.h - Folds and scans at block ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A fold or scan over blocks as parallel nests, and what runs once after them.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_BLOCKFOLDS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_BLOCKFOLDS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {

/// Rewrites `nest`, loops at block of a launch's root that fold, whose extents
/// the host knows. The partials of all blocks are folded by `threads` threads.
void rewriteBlockFold(mlir::IRRewriter &rewriter, llvm::ArrayRef<ForOp> nest,
                      int64_t threads);

/// The same of a scan; false if it has to stay whole.
bool rewriteBlockScan(mlir::IRRewriter &rewriter, ForOp scan, int64_t threads);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_BLOCKFOLDS_H
