//===- Dependences.h - Threads that meet in memory --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Whether two threads touch the same place without a barrier between them, and
// which barriers no two threads need. Pairs of accesses are asked four tests,
// the cheap ones first: the greatest common divisor of all factors (GCD), the
// bounds of the distance (Banerjee), bits that are known, and integer points of
// a Presburger set. What is not affine is enumerated, thread by thread.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_GPU_DEPENDENCES_H
#define ARRC_ANALYSIS_GPU_DEPENDENCES_H

#include "arrc/Analysis/GPU/Trace.h"

#include <optional>
#include <vector>

namespace arrc::lanes {

/// Whether two accesses meet, made by two threads.
struct Meeting {
  enum Kind {
    Never,  ///< proved
    Surely, ///< two threads are known that do
    Maybe
  };
  Kind kind = Maybe;
  /// Which test decided: `gcd`, `banerjee`, `bits`, `presburger`, `enumerated`.
  llvm::StringRef test;
  /// For Surely, the threads.
  int64_t first = 0, second = 0;
};

/// How accesses of the threads of one block meet, those of one thread apart.
Meeting meet(const Trace &trace, const Event &a, const Event &b);
/// How accesses of threads of two blocks meet.
Meeting meetAcrossBlocks(const Trace &trace, const Event &a, const Event &b);

/// Two operations with no barrier between them.
struct RaceVerdict {
  const Event *a = nullptr, *b = nullptr;
  bool isAcrossBlocks = false;
  Meeting meeting;
};

/// All pairs of accesses of which one stores, an operation twice if it meets
/// itself; each with the worst that was found.
std::vector<RaceVerdict> getRaceVerdicts(const Trace &trace);

/// Two accesses of threads of a block that meet, or may, with no barrier
/// between them: indices into the events of a trace.
struct UnorderedPair {
  size_t first = 0, second = 0;
  Meeting meeting;
};

/// Such pairs, so that a barrier between each lies in all that it leaves out:
/// of each access the pair with the nearest one before it, and what lies before
/// such a pair is not compared with what lies behind it. None if there is none.
/// Nothing if that takes more than `mostPairs` comparisons.
std::optional<std::vector<UnorderedPair>> getUnorderedPairs(const Trace &trace,
                                                            size_t mostPairs);

struct BarrierVerdict {
  mlir::Operation *op = nullptr;
  bool isNeedless = false;
  /// Some threads of the block do not come by, or may not.
  bool isDivergent = false, mayBeDivergent = false;
  /// Why it is needed: two accesses that meet across it; null where it is kept
  /// as something around is not followed.
  const Event *before = nullptr, *after = nullptr;
  llvm::StringRef test;
  /// How often it is come by, and how often it is needed.
  unsigned times = 0, needed = 0;
};

/// All barriers in the order of the text. Each is judged with the needless ones
/// before it taken away.
std::vector<BarrierVerdict> getBarrierVerdicts(const Trace &trace);

} // namespace arrc::lanes

#endif // ARRC_ANALYSIS_GPU_DEPENDENCES_H
