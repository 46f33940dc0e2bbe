//===- Readers.h - Who reads what a map makes -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The reads of a producer's elements by bodies, and what needs its array as a
// whole. Part of arr-fuse-producers: which of them are legal places for a copy
// of the body, and whether one costs less than memory (Recomputation.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_READERS_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_READERS_H

#include "FuseProducers.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"

#include <set>
#include <vector>

namespace arrc::array {

/// Additions in the time that a read takes which the first cache answers.
inline constexpr int64_t kReadWork = 4;
/// Registers for the elements that a thread has at a time: two blocks of 256
/// threads have all that a multiprocessor has.
inline constexpr int64_t kRegisters = 128;

/// The reads of one element at one place: they share a copy of the body.
struct Place {
  /// In the order of the block.
  llvm::SmallVector<AtOp> reads;
  /// The boundary through which all of them read, or null.
  ExtendOp extend;
  /// The subscripts for the producer's indices.
  llvm::SmallVector<LinearIndex> point;
};

/// Who reads a producer.
struct Readers {
  llvm::SmallVector<Place> places;
  /// The uses that need the array itself.
  llvm::SmallVector<mlir::Operation *> needing;
};

/// Whether the place is where the producer's own element is, so that the loops
/// of both can be one.
bool isOwnElement(IndexSpaceOpInterface producer, const Place &place);

/// How far an element lies from the point that reads it, in each dimension.
using Distance = std::vector<int64_t>;

/// Whether computing the elements of a producer that lie at `distances` from
/// each point costs less than to read them from memory, where that takes as
/// long for a byte as `workPerByte` additions, and whether threads have
/// registers for that and `beside - 1` others. `maps` read them; of a producer
/// that is `kept` they are computed besides.
bool isCheaperAgain(IndexSpaceOpInterface producer,
                    llvm::ArrayRef<IndexSpaceOpInterface> maps,
                    std::set<Distance> distances, bool kept,
                    int64_t workPerByte, int64_t beside = 1);

/// The same for all who read the producer: whether they can be one kernel, and
/// that pays.
bool costsLessThanMemory(IndexSpaceOpInterface producer, const Readers &readers,
                         const Repetition &repetition);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_READERS_H
