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

#include <optional>

namespace arrc {

/// The buffer behind a memref, as far as it can be followed through views.
mlir::Value getBuffer(mlir::Value memref);

/// The memref that `memref` is another type of: the same elements from the same
/// place on.
mlir::Value getSameElements(mlir::Value memref);

/// Marks a `memref.view` that shows one array of an allocation that several
/// share (kernel-pack-fields): the first of its units, and how many they are. A
/// unit is a byte, or `pitch` bytes where the offset is a multiple of a value.
inline constexpr llvm::StringLiteral kPlaneAttr = "kernel.plane";

/// An array that lies in an allocation beside others.
struct Plane {
  /// The allocation, as the view gets it.
  mlir::Value pack;
  /// The plane begins `first * pitch` bytes in; null for 1.
  mlir::Value pitch;
  int64_t first = 0;
  int64_t width = 0;

  /// Whether both are of one allocation and no byte is of both.
  bool isBeside(const Plane &other) const {
    bool isBefore = first + width <= other.first;
    return pack == other.pack &&
           (isBefore || other.first + other.width <= first);
  }
};

/// The plane that `memref` shows, if it is a view of one.
std::optional<Plane> getPlane(mlir::Value memref);

/// Whether two buffers are known not to overlap.
bool areDistinctBuffers(mlir::Value lhs, mlir::Value rhs);

/// Whether no array that the launch writes overlaps another of its arrays.
bool buffersAreDistinct(kernel::LaunchOp launch);

} // namespace arrc

#endif // ARRC_ANALYSIS_BUFFERDISTINCTNESS_H
