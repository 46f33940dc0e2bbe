//===- Columns.h - Columns and rows walked several times --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A part of kernel-split-columns: which launches are taken apart, and when.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_COLUMNS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_COLUMNS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace arrc::kernel {

/// The loops around columns, outermost first, and those side by side in them.
struct Columns {
  llvm::SmallVector<ForOp> nest, walks;
  /// They are rows.
  bool along = false;
  /// What is computed of columns is folded: the loops around are one fold, and
  /// the loop within is a part of it.
  bool folded = false, whole = false;
  /// No array is read.
  bool computed = false;
};

/// Those of `launch`, if the host knows the extents and each operation in the
/// innermost loop can go with one of the loops in it, or be repeated.
std::optional<Columns> findColumns(LaunchOp launch);

/// Whether columns are few and long for a device of so many multiprocessors,
/// computed on the host.
mlir::Value createFewColumns(mlir::IRRewriter &rewriter, LaunchOp launch,
                             const Columns &columns, int64_t units);

/// Says so of the sizes of rows in `launch`, for who plans what becomes of it.
void assumeFewColumns(mlir::IRRewriter &rewriter, LaunchOp launch,
                      const Columns &columns, int64_t units);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_COLUMNS_H
