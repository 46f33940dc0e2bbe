//===- NestMaps.cpp - Schedules of maps over several dimensions -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Elementwise work over dimensions that stay apart, as some operand lacks one
// of them or has them in another order: any of them may be short, so that
// blocks of a fixed shape would leave most of their threads idle. The facts of
// the nest give candidates (NestCandidates.h), of which those that are best at
// sample sizes become versions (JudgedVersions.cpp).
//
// Windows whose rows begin anywhere likewise: a thread takes neighbours along
// any of the dimensions along which they read the same elements, which are
// counted once (NestTaps.h):
//
//   i = [block.2, unroll 4], j = [block.1, thread.y 8, unroll 4],
//   k = [block.0, thread.x 32]                            3 x 3 x 7 taps
//
// Those that meet the ends of arrays have other work there than the judge
// knows: Windows.cpp.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "NestCandidates.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Schedules of a launch that need no alignment, and those besides that do;
/// kernels where the launch says who the threads are.
static constexpr MostVersions kMost = {/*schedules=*/6, /*aligned=*/2,
                                       /*leaves=*/24},
                              kMostDealt = {/*schedules=*/3, /*aligned=*/1,
                                            /*leaves=*/64},
                              kMostWindows = {/*schedules=*/6, /*aligned=*/2,
                                              /*leaves=*/64};
/// Schedules besides for each dimension of windows: any may be the short one.
static constexpr unsigned kMoreSchedules = 2;

bool DevicePlanner::planNestMap(ArrayRef<ForOp> nest,
                                ArrayRef<AffineExpr> when) {
  ForOp last = nest.back();
  bool hasEdges = false;
  last.getBody().walk([&](LoadOp load) { hasEdges |= !!load.getEdge(); });
  if (nest.size() < 2 || getThreads() < 64 || hasEdges || hasInnerLoop(last) ||
      !mayBeJammed(last) || !llvm::all_of(nest, [](ForOp loop) {
        return loop.isParallel() && isHostExtent(loop);
      }))
    return false;
  std::optional<NestFacts> facts = computeNestFacts(
      nest, {}, [&](OpFoldResult size) { return getSize(size); });
  if (!facts || facts->accesses.empty())
    return false;
  facts->jams = true;
  NestWidths widths = getWidths(*facts);
  // Windows of narrow elements are loaded and stored by words, wherever rows
  // begin.
  if (facts->hasWindows())
    for (auto [loop, width] : llvm::zip(nest, widths.anywhere))
      width = std::max(width, getWordCopies(last, loop));
  SmallVector<NestShares> candidates =
      facts->hasWindows() ? makeWindowCandidates(*facts, getThreads(), widths)
                          : makeMapCandidates(*facts, getThreads(), widths);
  MostVersions most = mayDeal(nest, *facts) ? kMostDealt : kMost;
  if (facts->hasWindows()) {
    most = kMostWindows;
    most.schedules += kMoreSchedules * (nest.size() - 1);
  }
  return !candidates.empty() &&
         addJudged(nest, {}, *facts, candidates, widths, when, most);
}
