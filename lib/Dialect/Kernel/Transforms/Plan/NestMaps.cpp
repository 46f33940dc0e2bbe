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
                                            /*leaves=*/64};

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
  // Neighbours that are read again want register tiles.
  if (llvm::any_of(nest,
                   [&](ForOp loop) { return readsNeighbours(last, loop); }))
    return false;
  std::optional<NestFacts> facts = computeNestFacts(
      nest, {}, [&](OpFoldResult size) { return getSize(size); });
  if (!facts || facts->accesses.empty())
    return false;
  facts->jams = true;
  NestWidths widths = getWidths(*facts);
  SmallVector<NestShares> candidates =
      makeMapCandidates(*facts, getThreads(), widths);
  return !candidates.empty() &&
         addJudged(nest, {}, *facts, candidates, widths, when,
                   mayDeal(nest) ? kMostDealt : kMost);
}
