//===- BarrierPlaces.h - Where barriers have to stand -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A least set of places for barriers, out of those that all threads of a block
// reach. The kernel is followed with a barrier at every place; two accesses are
// in order if one of the barriers between them stays. That makes each pair of
// accesses a set of places of which one is needed, and the answer a hitting set
// of least cost.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_GPU_BARRIERPLACES_H
#define ARRC_ANALYSIS_GPU_BARRIERPLACES_H

#include "arrc/Analysis/GPU/Trace.h"

#include "llvm/ADT/SmallVector.h"

#include <set>
#include <vector>

namespace arrc::lanes {

class BarrierPlaces {
public:
  /// `places` are barriers of the kernel that `everywhere` followed, all of
  /// which stand there.
  BarrierPlaces(const Trace &everywhere,
                llvm::ArrayRef<mlir::Operation *> places);

  /// Asks for a barrier between two events of the trace. False if there is no
  /// place between them.
  bool separate(size_t first, size_t second);
  /// Whether something was asked for that was not before.
  bool isChanged() const { return changed; }
  /// Places, by their index, that do what was asked for: such that a thread
  /// comes by barriers least often, and of those the last ones of the text.
  std::vector<unsigned> findLeast();

private:
  /// How often a thread comes by: for each power of numbers that are not known
  /// a factor, the highest one first.
  using Cost = std::vector<int64_t>;
  using Places = llvm::SmallVector<unsigned, 8>;

  struct Search;

  const Trace &trace;
  /// The place behind each epoch; ~0 for barriers that are no place.
  std::vector<unsigned> behind;
  std::vector<Cost> costs;
  /// Of each one is needed.
  std::set<Places> needs;
  bool changed = false;
};

} // namespace arrc::lanes

#endif // ARRC_ANALYSIS_GPU_BARRIERPLACES_H
