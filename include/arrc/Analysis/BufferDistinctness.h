//===- BufferDistinctness.h - Which buffers never overlap -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Answers about the arrays of a launch on memrefs: which are one buffer, which
// surely are two. Code for them may then say `noalias`. What is not proved is
// answered with no.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_BUFFERDISTINCTNESS_H
#define ARRC_ANALYSIS_BUFFERDISTINCTNESS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc {

/// The buffer behind a memref, as far as it can be followed through views.
mlir::Value getBuffer(mlir::Value memref);

/// The memref that `memref` is another type of: the same elements from the same
/// place on.
mlir::Value getSameElements(mlir::Value memref);

/// Whether two buffers are known not to overlap.
bool areDistinctBuffers(mlir::Value lhs, mlir::Value rhs);

/// Whether no array that the launch writes overlaps another of its arrays.
bool buffersAreDistinct(kernel::LaunchOp launch);

} // namespace arrc

#endif // ARRC_ANALYSIS_BUFFERDISTINCTNESS_H
