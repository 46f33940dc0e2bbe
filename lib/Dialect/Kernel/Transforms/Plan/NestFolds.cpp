//===- NestFolds.cpp - Schedules of folds of any kind ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Folds of several arrays, of broadcast and permuted ones, over any dimensions:
// the facts of the nest give candidates (NestCandidates.h), of which those that
// are best at sample sizes become versions (JudgedVersions.cpp).
//
//===----------------------------------------------------------------------===//

#include "../Shared/NestScalars.h"
#include "Device.h"
#include "NestCandidates.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Schedules of a launch that need no alignment, and those besides that do;
/// questions about sizes cost the host next to nothing.
static constexpr MostVersions kMost = {/*schedules=*/12, /*aligned=*/6,
                                       /*leaves=*/96};
/// Dimensions for which these are enough, and schedules for each beyond: any of
/// them may be what is short.
static constexpr unsigned kFewDims = 3, kMoreSchedules = 2;

bool DevicePlanner::planNestFold(ArrayRef<ForOp> nest, ForOp fold) {
  MostVersions most = kMost;
  size_t count = nest.size() + getNest(fold).size();
  if (count > kFewDims)
    most.schedules += kMoreSchedules * (count - kFewDims);
  return planNestFold(nest, fold, most);
}

bool DevicePlanner::planNestFold(ArrayRef<ForOp> nest, ForOp fold,
                                 const MostVersions &most) {
  if (getThreads() < 64)
    return false;
  SmallVector<ForOp> folds = getNest(fold);
  std::optional<NestFacts> facts = computeNestFacts(
      nest, folds, [&](OpFoldResult size) { return getSize(size); });
  if (!facts || !facts->streams())
    return false;
  facts->rounds = rounds(fold);
  facts->jams = mayBeJammed(folds.back()) && !isExpensive(folds.back());
  NestWidths widths = getWidths(*facts);
  SmallVector<NestShares> candidates =
      makeFoldCandidates(*facts, getThreads(), widths);
  // Dimensions of a few numbers have too little for a block's threads.
  return !candidates.empty() &&
         addJudged(nest, folds, *facts, candidates, widths, {}, most);
}
