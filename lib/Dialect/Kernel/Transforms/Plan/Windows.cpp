//===- Windows.cpp - Register tiles of windows ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Results of a window (a stencil, a moving average, a convolution) that lie
// next to each other read almost the same elements. What limits a thread with
// one result is how fast the first cache answers: a 5x5 window asks it 25 times
// for what memory delivers once. A thread with several neighbouring results
// loads each element once and keeps it in a register:
//
//   across the lanes   i = [block.1, thread.y 8, unroll 8], of 5x5 60 loads for
//                      8 results in place of 200
//   along the lanes    j = [block.0, thread.x 32, vector 4], where rows begin
//                      at multiples of 16 bytes: two accesses of 16 bytes for
//                      what 5 taps of 4 results read
//
// How many results is a question of the footprint: what a tile reads, each
// element once, divided by its results.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "arrc/Analysis/AccessPattern.h"

#include "llvm/Support/MathExtras.h"

#include <map>
#include <set>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Iterations that a thread takes together, bytes of what they read at one tap
/// (registers), and taps of all of them: the code of a tile stays within the
/// instruction cache.
static constexpr int64_t kMostCopies = 8, kTileBytes = 64, kMostTaps = 1024;
/// Twice the results must save at least so much of the loads of each: they cost
/// registers, and threads that hide latency.
static constexpr double kWorth = 0.92;

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

namespace {
/// Reads of one array that differ by numbers.
struct Taps {
  Access first;
  /// Distances from the first, a number a dimension.
  std::set<SmallVector<int64_t, 4>> offsets;
};
} // namespace

/// The reads below `last` of arrays in memory that `along` moves, in groups.
static SmallVector<Taps, 0> collectTaps(ForOp last, ForOp along) {
  SmallVector<Taps, 0> groups;
  AccessPattern pattern(last);
  for (const Access &access : pattern.getAccesses()) {
    if (access.writes || access.array.getDefiningOp<LocalOp>() ||
        llvm::none_of(access.indices, [&](const LinearIndex &index) {
          return index.getCoefficient(along.getInductionVar());
        }))
      continue;
    bool found = false;
    for (Taps &taps : groups) {
      if (taps.first.array != access.array)
        continue;
      SmallVector<int64_t, 4> offset;
      for (auto [index, before] :
           llvm::zip(access.indices, taps.first.indices)) {
        std::optional<int64_t> distance = index.distanceFrom(before);
        if (!distance)
          break;
        offset.push_back(*distance);
      }
      if (offset.size() != access.indices.size())
        continue;
      taps.offsets.insert(offset);
      found = true;
      break;
    }
    if (!found) {
      SmallVector<int64_t, 4> same(access.indices.size());
      groups.push_back({access, {same}});
    }
  }
  return groups;
}

/// Elements that `copies` consecutive iterations of `along` read, each once.
static int64_t countElements(ArrayRef<Taps> groups, ForOp along,
                             int64_t copies) {
  int64_t count = 0;
  for (const Taps &taps : groups) {
    std::set<SmallVector<int64_t, 4>> read;
    for (int64_t copy = 0; copy < copies; ++copy)
      for (SmallVector<int64_t, 4> place : taps.offsets) {
        for (auto [distance, index] : llvm::zip(place, taps.first.indices))
          distance += copy * index.getCoefficient(along.getInductionVar());
        read.insert(place);
      }
    count += read.size();
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

int64_t arrc::kernel::getWindowCopies(ForOp last, ForOp along, int64_t width) {
  SmallVector<Taps, 0> groups = collectTaps(last, along);
  int64_t taps = countElements(groups, along, 1);
  int64_t copies = 1, bytes = 1;
  for (const Taps &group : groups)
    bytes = std::max(bytes, kernel::getElementBytes(group.first.array));
  double loads = taps;
  for (int64_t more = 2; more <= kMostCopies; more *= 2) {
    double next = double(countElements(groups, along, more)) / more;
    if (more * width * bytes > kTileBytes || more * width * taps > kMostTaps ||
        next > kWorth * loads)
      break;
    copies = more;
    loads = next;
  }
  return copies;
}

ForOp arrc::kernel::findWindowLoop(ArrayRef<ForOp> nest, ForOp lane,
                                   int64_t width) {
  ForOp best;
  double least = 1;
  for (ForOp loop : llvm::reverse(nest)) {
    int64_t copies =
        loop == lane ? 1 : getWindowCopies(nest.back(), loop, width);
    if (copies < 2)
      continue;
    SmallVector<Taps, 0> groups = collectTaps(nest.back(), loop);
    double left = double(countElements(groups, loop, copies)) /
                  (copies * countElements(groups, loop, 1));
    if (left < least) {
      least = left;
      best = loop;
    }
  }
  return best;
}

bool arrc::kernel::isWindowWorthVectors(ForOp lane, int64_t width) {
  int64_t taps = 0, accesses = 0;
  for (const Taps &group : collectTaps(lane, lane)) {
    // Of each row that the window touches: the taps, and the accesses of
    // `width` elements that the iterations of a vector need for them.
    std::map<SmallVector<int64_t, 4>, std::set<int64_t>> rows;
    int64_t begin = group.first.indices.back().getConstant();
    for (SmallVector<int64_t, 4> offset : group.offsets) {
      int64_t place = begin + offset.pop_back_val();
      for (int64_t element = 0; element < width; ++element)
        rows[offset].insert(llvm::divideFloorSigned(place + element, width));
    }
    taps += group.offsets.size();
    for (const auto &[row, chunks] : rows)
      accesses += chunks.size();
  }
  return accesses <= kWorth * taps;
}
