//===- ScanTiles.h - Scans of tiles in registers ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A part of kernel-split-loops: scans whose threads keep several elements.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_SCANTILES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_SCANTILES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {

/// Replaces `scan`, which may be split, by the nest of such digits.
void buildTiledScan(mlir::IRRewriter &rewriter, ForOp scan,
                    DimDigitsAttr digits);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_SCANTILES_H
