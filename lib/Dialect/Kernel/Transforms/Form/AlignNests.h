//===- AlignNests.h - One order of loops for two nests ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ALIGNNESTS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ALIGNNESTS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {

/// Exchanges the parallel loops of one of the two root nests of `launch` so
/// that those come first that walk with the other nest, whose parallel loops
/// hold folds over the rest: softmax over columns. Nothing if it is not so.
void alignNests(mlir::RewriterBase &rewriter, LaunchOp launch);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ALIGNNESTS_H
