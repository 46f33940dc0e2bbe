//===- DistinctReads.h - Whether elements are read once ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Answers whether the reads of an array, in all iterations of the loops around
// them, are of different elements: then computing elements where they are read
// computes none twice. Each read is a relation between indices of loops and
// elements; that two of them never meet is a system without solution.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_DISTINCTREADS_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_DISTINCTREADS_H

#include "arrc/Analysis/AccessPattern.h"

#include "mlir/IR/Operation.h"

namespace arrc::array {

/// A read of an array below the loops between its producer and it.
struct PlacedRead {
  /// An operation that runs where the read stands.
  mlir::Operation *place;
  /// The subscripts for the producer's indices.
  llvm::ArrayRef<LinearIndex> point;
};

/// Whether no two iterations read the same element, as every index of a loop
/// between the producer and the read decides one subscript alone.
bool decidesOwnElement(mlir::Operation *producer, const PlacedRead &read);

/// Whether no element is read twice, by one read or by two. Reads of the same
/// elements in maps side by side over one range count once: they become one
/// loop.
bool areDistinct(mlir::Operation *producer, llvm::ArrayRef<PlacedRead> reads);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_DISTINCTREADS_H
