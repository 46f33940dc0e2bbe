//===- LocalSizes.h - Locals with more room than elements -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Where the host cannot know how many elements a local has, it reserves room
// for the most that there may be.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_LOCALSIZES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_LOCALSIZES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {

/// Gives `local` room for `most` elements along the dimension of its dynamic
/// size `number`. Loads whose edges lie where its elements end find these
/// edges by themselves from then on.
void setRoom(mlir::RewriterBase &rewriter, LocalOp local, unsigned number,
             mlir::Value most);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_LOCALSIZES_H
