//===- JoinLaunches.h - Two trees in one launch -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_JOINLAUNCHES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_JOINLAUNCHES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::kernel {

/// Puts both trees into a new launch at the second one, and leaves the old
/// ones. `fromFirst` gets the operations that came from the first,
/// `replacements` the fused result of each result of the second.
LaunchOp joinLaunches(mlir::RewriterBase &rewriter, LaunchOp first,
                      LaunchOp second,
                      llvm::SmallPtrSetImpl<mlir::Operation *> &fromFirst,
                      llvm::SmallVectorImpl<unsigned> &replacements);

/// Makes locals of the outs that nothing outside uses, and contracts them; an
/// out that does not contract into the root loop stays one.
LaunchOp contractOuts(mlir::RewriterBase &rewriter, LaunchOp launch);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_JOINLAUNCHES_H
