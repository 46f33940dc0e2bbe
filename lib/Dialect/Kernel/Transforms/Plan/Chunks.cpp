//===- Chunks.cpp - Schedules of arrays that steps rewrite ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A map whose body makes an array and rewrites it step by step (a chunk that is
// sorted by a network, a row that relaxes). A thread that has such an array by
// itself has it in memory, where every step fetches and stores it. A block that
// has it keeps it in shared memory, and its threads share the loops of a step:
//
//   b = [block.0], i = [seq, thread.y 8, thread.x 32]
//
// Pays where the loops of a step have work for a warp, and what stands between
// them is little: all threads wait for it.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "../Shared/NestScalars.h"
#include "../Shared/ShareInBlock.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>
#include <optional>
#include <utility>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Warps of a block, and elements that one of its threads takes.
static constexpr int64_t kMostWarps = 8, kElements = 4;
/// Rows from which on all warps have something to do.
static constexpr int64_t kLongRow = kMostWarps * kLanesOfBlock * kElements;
/// Iterations that a loop counts for whose extent is not a number.
static constexpr int64_t kUnknownExtent = 64;

namespace {

/// What the steps below a loop do to arrays of its body.
struct ChunkWork {
  /// Iterations of the shortest and of the longest loop.
  int64_t shortest = std::numeric_limits<int64_t>::max(), longest = 0;
  /// Extents that are no numbers.
  llvm::SmallSetVector<Value, 2> lengths;
  /// Accesses of loops, times their iterations, and accesses between them.
  int64_t shared = 0, alone = 0;
  bool rewrites = false;
};

} // namespace

/// Whether `op` touches an array that is made below `map`.
static bool touchesLocal(Operation *op, ForOp map) {
  Value array;
  if (auto load = dyn_cast<LoadOp>(op))
    array = load.getSource();
  else if (auto store = dyn_cast<StoreOp>(op))
    array = store.getDest();
  auto local = array ? array.getDefiningOp<LocalOp>() : LocalOp();
  return local && map->isAncestor(local);
}

/// Reads the body of `map`; nothing where its threads could not share it.
static std::optional<ChunkWork> findChunkWork(ForOp map) {
  ChunkWork work;
  bool fits = true;
  map.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<UpdateOp>(op)) {
      fits = false;
      return WalkResult::interrupt();
    }
    // In a branch threads may not wait for each other.
    if (isa<scf::IfOp>(op) && op->walk([](ForOp) {
                                  return WalkResult::interrupt();
                                }).wasInterrupted()) {
      fits = false;
      return WalkResult::interrupt();
    }
    bool inSteps = op->getParentOp() != map && [&] {
      for (Operation *up = op->getParentOp(); up != map; up = up->getParentOp())
        if (isSteps(up))
          return true;
      return false;
    }();
    if (auto loop = dyn_cast<ForOp>(op)) {
      fits &= isShareable(loop) && !holds<UpdateOp>(loop);
      loop.getBody().walk([&](ForOp inner) { fits &= !inner.isScan(); });
      if (!fits)
        return WalkResult::interrupt();
      if (!inSteps)
        return WalkResult::skip();
      int64_t iterations = 1, accesses = 0;
      for (ForOp dim : getNest(loop)) {
        iterations *= dim.getStaticExtent().value_or(kUnknownExtent);
        if (dim.getExtent())
          work.lengths.insert(dim.getExtent());
      }
      work.shortest = std::min(work.shortest, iterations);
      work.longest = std::max(work.longest, iterations);
      loop.getBody().walk([&](Operation *inner) {
        accesses += isa<LoadOp, StoreOp>(inner);
        work.rewrites |= isa<StoreOp>(inner) && touchesLocal(inner, map);
      });
      work.shared += accesses * iterations;
      return WalkResult::skip();
    }
    if (inSteps && isa<LoadOp, StoreOp>(op))
      ++work.alone;
    return WalkResult::advance();
  });
  return fits && work.rewrites ? std::optional(work) : std::nullopt;
}

bool DevicePlanner::planChunks(ArrayRef<ForOp> nest) {
  ForOp last = nest.back();
  if (!subgroup || maxThreads < kLanesOfBlock ||
      !llvm::all_of(
          nest,
          [](ForOp loop) { return loop.isParallel() && isHostExtent(loop); }))
    return false;
  std::optional<ChunkWork> work = findChunkWork(last);
  if (!work || work->shortest < kLanesOfBlock)
    return false;
  SmallVector<AffineExpr> sizes;
  for (Value length : work->lengths) {
    sizes.push_back(getSize(length));
    if (!sizes.back())
      return false;
  }
  // A thread takes some elements: more threads would wait for each other
  // without need. All warps go through what one thread could do.
  auto countWarps = [&](int64_t length) {
    int64_t most = std::min(kMostWarps, maxThreads / kLanesOfBlock);
    return std::clamp<int64_t>(ceilPower(length) / (kElements * kLanesOfBlock),
                               1, most);
  };
  if (work->alone * countWarps(work->longest) * kLanesOfBlock > work->shared)
    return false;
  auto plan = [&](int64_t warps) {
    unsigned axis = nest.size();
    for (ForOp loop : nest)
      setDigits(loop, {{LevelKind::Block, 0}}, --axis);
    for (DimDigitsAttr dim : shareInBlock(last, warps))
      dims[dim.getDim()] = Digits(dim.getDigits());
  };
  auto before = dims;
  // Threads wait between the loops: there is no boundary apart.
  bool kept = std::exchange(keepsTiles, true);
  if (work->lengths.empty()) {
    plan(countWarps(work->longest));
    return true;
  }
  // Lengths that only the call knows: long rows have all warps.
  for (int64_t least : {kLongRow, kLanesOfBlock}) {
    SmallVector<AffineExpr> conditions;
    for (AffineExpr size : sizes)
      conditions.push_back(size - least);
    plan(countWarps(least == kLongRow ? least : kUnknownExtent));
    if (addVersion(conditions))
      return true;
  }
  keepsTiles = kept;
  dims = std::move(before);
  return false;
}
