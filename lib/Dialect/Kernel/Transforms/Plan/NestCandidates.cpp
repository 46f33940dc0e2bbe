//===- NestCandidates.cpp - Ways to run a nest ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each question has a few answers, whatever the nest is called:
//
//   which dimension do lanes walk?     one in which some access goes to the
//                                      next element, or to the next short row
//   how many of them side by side?     1, 2, 4 .. a block
//   who are the other threads?         a fold, or the next parallel dimension
//   how much does a thread ask for     64 or 128 bytes, in steps of a fold or
//   before it waits?                   of a short row
//   is there enough to do?             else folds are cut into spans, which are
//                                      blocks of their own
//
// A map has the first four alone; a thread may take iterations of any of its
// dimensions together, 32 or 64 bytes of them.
//
//===----------------------------------------------------------------------===//

#include "NestCandidates.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace arrc::kernel;

/// Bytes that a thread asks for before it waits.
static constexpr int64_t kFlightBytes[] = {16, 64, 128}, kMapBytes[] = {32, 64};
/// Steps of a thread in a span that is cut from a fold, and blocks among which
/// a long fold is dealt out.
static constexpr int64_t kSpans[] = {4, 16, 64},
                         kSplits[] = {16, 64, 256, 1024};
/// Words of a step that a thread of a fold, and elements that one of a map
/// keeps at most.
static constexpr int64_t kMostTogether = 16, kMostMapped = 8;

/// Results of a window along the dimension of the lanes, whose stores touch
/// sectors as often as there are such neighbours.
static constexpr int64_t kMostOfLane = 4;

/// The extent of a dimension if it is a number.
static std::optional<int64_t> getExtent(const NestDim &dim) {
  if (auto number = dyn_cast<AffineConstantExpr>(dim.size))
    return number.getValue();
  return std::nullopt;
}

/// The dimension in which `access` goes to the next element, if there is one.
static std::optional<unsigned> findFastest(const NestAccess &access) {
  for (unsigned dim = 0; dim < access.steps.size(); ++dim)
    if (access.isNext(dim))
      return dim;
  return std::nullopt;
}

/// Dimensions that lanes may walk: those in which some access goes to the next
/// element, and those in which it goes to the next row of such elements, as
/// rows may be short. The innermost ones if there are none.
static SmallVector<unsigned> findLanes(const NestFacts &facts) {
  llvm::SmallSetVector<unsigned, 4> lanes, rows;
  for (const NestAccess &access : facts.accesses) {
    std::optional<unsigned> fastest = findFastest(access);
    if (!fastest)
      continue;
    lanes.insert(*fastest);
    for (auto [dim, step] : llvm::enumerate(access.steps))
      if (step.kind == NestStep::Fixed &&
          step.elements == facts.dims[*fastest].size)
        rows.insert(dim);
  }
  lanes.insert_range(rows);
  if (lanes.empty()) {
    lanes.insert(facts.dims.size() - 1);
    for (unsigned dim = facts.dims.size(); dim-- > 0;)
      if (facts.isParallel(dim)) {
        lanes.insert(dim);
        break;
      }
  }
  return lanes.takeVector();
}

/// Dimensions of which a thread may take several iterations together: a fold
/// that threads walk, else the innermost one; and those in which an access goes
/// to the next element, if lanes do not walk them.
static SmallVector<unsigned> findUnrolled(const NestFacts &facts,
                                          const NestShares &shares) {
  llvm::SmallSetVector<unsigned, 4> dims;
  if (!facts.jams)
    return {};
  std::optional<unsigned> fold;
  for (unsigned dim = 0; dim < facts.dims.size(); ++dim)
    if (facts.dims[dim].folds &&
        (!fold || dim == shares.lane || dim == shares.next))
      fold = dim;
  if (fold)
    dims.insert(*fold);
  for (const NestAccess &access : facts.accesses)
    if (std::optional<unsigned> fastest = findFastest(access);
        fastest && *fastest != shares.lane)
      dims.insert(*fastest);
  return dims.takeVector();
}

/// Bytes that one iteration loads.
static int64_t getLoadBytes(const NestFacts &facts) {
  int64_t bytes = 0;
  for (const NestAccess &access : facts.accesses)
    if (!access.writes)
      bytes += access.bytes;
  return std::max<int64_t>(bytes, 1);
}

/// Elements of a step that a thread of a fold keeps at most: as many more as
/// they are narrow, since registers hold them as they were loaded.
static int64_t getMostTogether(const NestFacts &facts) {
  int64_t loads = llvm::count_if(
      facts.accesses, [](const NestAccess &access) { return !access.writes; });
  return std::max<int64_t>(kWordBytes * loads / getLoadBytes(facts), 1) *
         kMostTogether;
}

/// Whether `number` iterations of a dimension together are not too many.
static bool isUseful(const NestDim &dim, int64_t number) {
  std::optional<int64_t> extent = getExtent(dim);
  return !extent || number == 1 || number / 2 < *extent;
}

/// Whether some vectors of `width` along `dim` begin between the multiples of
/// their size, so that they are loaded in parts: shorter ones have fewer.
static bool isShifted(const NestFacts &facts, unsigned dim, int64_t width) {
  return llvm::any_of(facts.accesses, [&](const NestAccess &access) {
    return !access.taps && access.isNext(dim) &&
           llvm::mod(access.start, width) != 0;
  });
}

/// Calls `add` with each way to deal out threads: along a dimension that lanes
/// may walk, and another one for what is left of a block.
static void forEachBlock(const NestFacts &facts, int64_t threads,
                         const NestWidths &widths,
                         llvm::function_ref<void(const NestShares &)> add) {
  unsigned count = facts.dims.size();
  for (unsigned lane : findLanes(facts)) {
    llvm::SmallSetVector<int64_t, 4> wanted;
    wanted.insert(1);
    wanted.insert(widths.anywhere[lane]);
    wanted.insert(widths.widths[lane]);
    if (isShifted(facts, lane, widths.widths[lane]))
      wanted.insert(widths.widths[lane] / 2);
    for (int64_t width : wanted)
      for (int64_t x = 1; x <= threads; x *= 2) {
        if (!isUseful(facts.dims[lane], x * width))
          continue;
        NestShares shares;
        shares.dims.resize(count);
        shares.lane = lane;
        shares.dims[lane].threads = x;
        shares.dims[lane].width = width;
        if (x == threads) {
          add(shares);
          continue;
        }
        for (unsigned next = 0; next < count; ++next) {
          if (next == lane || !isUseful(facts.dims[next], threads / x))
            continue;
          shares.next = next;
          shares.dims[next].threads = threads / x;
          add(shares);
          shares.dims[next].threads = 1;
        }
      }
  }
}

/// Calls `add` with each way to take iterations of `dim` together: as many as
/// ask for some number of `flights` of bytes, `most` at most.
static void forEachUnroll(const NestFacts &facts, const NestShares &shares,
                          unsigned dim, ArrayRef<int64_t> flights, int64_t most,
                          llvm::function_ref<void(const NestShares &)> add) {
  int64_t bytes = getLoadBytes(facts), before = 0;
  int64_t width = shares.dims[shares.lane].width;
  for (int64_t flight : flights) {
    int64_t wanted = std::max<int64_t>(flight / (bytes * width), 1);
    int64_t unroll = std::clamp<int64_t>(llvm::bit_floor<uint64_t>(wanted), 1,
                                         std::max<int64_t>(most / width, 1));
    const DimShare &share = shares.dims[dim];
    if (std::optional<int64_t> extent = getExtent(facts.dims[dim]))
      while (unroll > 1 && share.threads * share.width * unroll / 2 >= *extent)
        unroll /= 2;
    if (unroll == before)
      continue;
    before = unroll;
    NestShares more = shares;
    more.dims[dim].unroll = unroll;
    add(more);
  }
}

SmallVector<NestShares>
arrc::kernel::makeFoldCandidates(const NestFacts &facts, int64_t threads,
                                 const NestWidths &widths) {
  unsigned count = facts.dims.size();
  SmallVector<NestShares> result;
  // The last step: folds in one piece, or cut: the one that threads walk or
  // the outermost one, alone or with all others.
  auto addCuts = [&](const NestShares &shares) {
    result.push_back(shares);
    llvm::SmallSetVector<unsigned, 2> cuts;
    for (unsigned dim = 0; dim < count; ++dim)
      if (facts.dims[dim].folds &&
          (cuts.empty() || shares.dims[dim].threads > 1))
        cuts.insert(dim);
    for (unsigned dim : cuts) {
      for (int64_t blocks : kSplits) {
        if (!isUseful(facts.dims[dim], blocks))
          continue;
        NestShares cut = shares;
        cut.dims[dim].blocks = blocks;
        result.push_back(cut);
      }
      for (int64_t span : kSpans) {
        NestShares cut = shares;
        cut.dims[dim].span = span;
        result.push_back(cut);
        bool isOnly = true;
        for (unsigned other = 0; other < count; ++other)
          if (other != dim && facts.dims[other].folds) {
            cut.dims[other].span = 1;
            isOnly = false;
          }
        if (!isOnly)
          result.push_back(cut);
      }
    }
  };
  int64_t most = getMostTogether(facts);
  forEachBlock(facts, threads, widths, [&](const NestShares &shares) {
    SmallVector<unsigned> dims = findUnrolled(facts, shares);
    if (dims.empty())
      addCuts(shares);
    for (unsigned dim : dims)
      forEachUnroll(facts, shares, dim, kFlightBytes, most, addCuts);
  });
  return result;
}

SmallVector<NestShares>
arrc::kernel::makeMapCandidates(const NestFacts &facts, int64_t threads,
                                const NestWidths &widths) {
  SmallVector<NestShares> result;
  forEachBlock(facts, threads, widths, [&](const NestShares &shares) {
    result.push_back(shares);
    if (!facts.jams)
      return;
    for (unsigned dim = 0; dim < facts.dims.size(); ++dim)
      forEachUnroll(facts, shares, dim, kMapBytes, kMostMapped,
                    [&](const NestShares &more) {
                      if (more.dims[dim].unroll > 1)
                        result.push_back(more);
                    });
  });
  return result;
}

/// Calls `add` with each way in which a thread takes neighbours along the
/// dimensions from `dim` on of which windows read the same elements, with
/// `more` results besides those that it has.
static void forEachTile(const NestFacts &facts, const NestShares &shares,
                        unsigned dim, int64_t more,
                        llvm::function_ref<void(const NestShares &)> add) {
  if (dim == facts.dims.size())
    return add(shares);
  forEachTile(facts, shares, dim + 1, more, add);
  if (!facts.readsNeighbours(dim) ||
      (dim == shares.lane && shares.getVector() > 1))
    return;
  int64_t most = dim == shares.lane ? kMostOfLane : kMostNeighbours;
  for (int64_t width = 2; width <= std::min(more, most); width *= 2) {
    if (!isUseful(facts.dims[dim], shares.dims[dim].threads * width))
      return;
    NestShares tile = shares;
    tile.dims[dim].width = width;
    if (dim == shares.lane)
      tile.vectors = false;
    forEachTile(facts, tile, dim + 1, more / width, add);
  }
}

SmallVector<NestShares>
arrc::kernel::makeWindowCandidates(const NestFacts &facts, int64_t threads,
                                   const NestWidths &widths) {
  int64_t taps = 1, bytes = 1;
  for (const NestAccess &access : facts.accesses) {
    bytes = std::max(bytes, access.bytes);
    if (access.taps)
      taps = std::max<int64_t>(taps, access.taps->size());
  }
  SmallVector<NestShares> result;
  forEachBlock(facts, threads, widths, [&](const NestShares &shares) {
    if (shares.dims[shares.lane].threads == 1)
      return;
    int64_t most = std::min(kTileBytes / bytes, kMostTaps / taps) /
                   shares.dims[shares.lane].width;
    forEachTile(facts, shares, 0, most,
                [&](const NestShares &tile) { result.push_back(tile); });
    for (unsigned dim = 0; dim < facts.dims.size(); ++dim)
      for (int64_t unroll = 2; unroll <= std::min(most, kMostMapped);
           unroll *= 2) {
        if (!isUseful(facts.dims[dim], shares.dims[dim].threads *
                                           shares.dims[dim].width * unroll))
          break;
        NestShares more = shares;
        more.dims[dim].unroll = unroll;
        result.push_back(more);
      }
  });
  return result;
}
