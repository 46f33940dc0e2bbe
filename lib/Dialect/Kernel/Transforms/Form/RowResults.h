//===- RowResults.h - Rows that steps write, where they end up --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ROWRESULTS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ROWRESULTS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Writes a row that an ordered loop makes element by element, and that is then
/// copied into a result, there at once; false if `local` is no such row.
bool placeInResult(mlir::RewriterBase &rewriter, LaunchOp launch,
                   LocalOp local);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ROWRESULTS_H
