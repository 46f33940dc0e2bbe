//===- StageRows.h - Short rows of a block, copied as a whole ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_STAGEROWS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_STAGEROWS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

#include <string>

namespace arrc::kernel {

/// Keeps the rows of `array` that the iterations below `at`, a loop at block,
/// read and write on chip: copied in front of these iterations and behind them.
/// Returns why that cannot be; empty if it is done.
std::string stageRows(mlir::IRRewriter &rewriter, LaunchOp launch, ForOp at,
                      mlir::BlockArgument array);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_STAGEROWS_H
