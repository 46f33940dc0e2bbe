//===- NestTaps.h - The taps of a window ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Reads of one array whose places differ by numbers: those of a stencil, of a
// moving average, of a convolution. Iterations that a thread or a block takes
// together read most of these elements several times; here they are counted
// once.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_NESTTAPS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_NESTTAPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <optional>

namespace arrc {
struct Access;
}

namespace arrc::kernel {

/// Results that a thread has of a window along one dimension, bytes of what
/// they read at one tap (registers), and taps of all of them: the code of a
/// tile stays within the instruction cache.
inline constexpr int64_t kMostNeighbours = 8, kTileBytes = 64, kMostTaps = 1024;

class NestTaps {
public:
  using Place = llvm::SmallVector<int64_t, 4>;

  /// One tap. `moves` says for each dimension of the nest how far an iteration
  /// goes along each dimension of the array.
  explicit NestTaps(llvm::SmallVector<Place, 4> moves);

  /// Adds a tap, by its distance from the first along each dimension of the
  /// array.
  void add(Place distance);

  size_t size() const { return taps.size(); }

  /// Elements that neighbouring iterations read, `counts` along each dimension
  /// of the nest; or accesses of `width` neighbours that hold them, where rows
  /// begin at multiples of that.
  double countElements(llvm::ArrayRef<int64_t> counts, int64_t width = 1) const;

  /// Rows of the array that such iterations read elements of.
  double countRows(llvm::ArrayRef<int64_t> counts) const;

  /// Elements along each dimension of the array from the first to the last one
  /// that such iterations read.
  llvm::SmallVector<double, 4> getBox(llvm::ArrayRef<int64_t> counts) const;

  /// How many iterations of `dim` lie between the first and the last one that
  /// read an element, along a dimension of the array that `dim` walks.
  double getReach(unsigned dim) const;

private:
  /// Accesses of `width` elements, or rows if it is 0.
  double count(llvm::ArrayRef<int64_t> counts, int64_t width) const;

  llvm::SmallVector<Place, 4> moves;
  llvm::SmallVector<Place, 0> taps;
  /// The least and the largest distance along each dimension of the array.
  Place least, most;
  /// What `count` said before.
  mutable std::map<Place, double> known;
};

/// How far `access` is from `first` along each dimension of the array that both
/// read, if these are numbers.
std::optional<NestTaps::Place> findDistance(const Access &access,
                                            const Access &first);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_NESTTAPS_H
