//===- SpoiledTiles.cpp - Products that lose their tiles ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A fold reads each row of one operand for all columns of the other, and the
// other way round: tiles of both in registers and shared memory read either
// once. They need a nest of parallel loops with nothing else in it:
//
//   tiles      for i { for j { %s = for k reduce { %A[i, k] * %B[k, j] } .. } }
//   none       for i { %m = for j reduce max { %s = for k reduce { .. } .. }
//                      for j { %C[i, j] = .. } }
//
//===----------------------------------------------------------------------===//

#include "SpoiledTiles.h"

#include "../Shared/NestScalars.h"

#include "arrc/Analysis/Coalescing.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Points of a fold that need no tiles.
static constexpr int64_t kShortFold = 16;

/// Whether what `load` reads changes with `loop`.
static bool moves(LoadOp load, const Variation &loop) {
  return llvm::any_of(load.getIndices(),
                      [&](Value index) { return loop.contains(index); });
}

/// The loops around `fold` in which one operand stays while another moves, of
/// which there are two; nothing if it is no such fold.
static std::optional<std::pair<ForOp, ForOp>> getReuse(ForOp fold) {
  if (std::optional<int64_t> extent = fold.getStaticExtent();
      !fold.isReduce() || (extent && *extent <= kShortFold) ||
      !fold.getBodyBlock()->getOps<ForOp>().empty())
    return std::nullopt;
  Variation along(fold);
  SmallVector<LoadOp> operands;
  for (auto load : fold.getBodyBlock()->getOps<LoadOp>())
    if (isa<BlockArgument>(load.getSource()) && moves(load, along))
      operands.push_back(load);
  SmallVector<ForOp> loops = getLoopsAround(fold);
  SmallVector<Variation> variations;
  for (ForOp loop : loops)
    variations.emplace_back(loop);
  auto findReuse = [&](LoadOp stays, LoadOp goes) {
    for (auto [loop, variation] : llvm::zip(loops, variations))
      if (!moves(stays, variation) && moves(goes, variation))
        return loop;
    return ForOp();
  };
  for (LoadOp a : operands)
    for (LoadOp b : operands) {
      ForOp ofB = findReuse(a, b), ofA = findReuse(b, a);
      if (ofA && ofB)
        return std::pair(ofA, ofB);
    }
  return std::nullopt;
}

/// Whether the loops around `fold` are parallel ones with nothing else in them
/// but folds of the same steps, which become one with it.
static bool hasTiles(ForOp fold) {
  // A fold over several dimensions is a nest of loops.
  ForOp first = fold;
  for (auto outer = dyn_cast<ForOp>(first->getParentOp());
       outer && outer.isReduce() && llvm::is_contained(getNest(outer), fold);
       outer = dyn_cast<ForOp>(first->getParentOp()))
    first = outer;
  ForOp inner = first;
  for (ForOp loop : getLoopsAround(first)) {
    bool isAlone =
        llvm::all_of(loop.getBodyBlock()->getOps<ForOp>(), [&](ForOp other) {
          return other == inner ||
                 (inner == first && other.isReduce() &&
                  other.getMixedExtent() == first.getMixedExtent());
        });
    if (!loop.isParallel() || inner->getParentOp() != loop || !isAlone)
      return false;
    inner = loop;
  }
  return true;
}

/// Whether `launch` stores an array with a dimension for each of the two.
static bool storesAsMuch(LaunchOp launch, std::pair<ForOp, ForOp> reuse) {
  WalkResult found = launch.getBody().walk([&](StoreOp store) {
    if (!isa<BlockArgument>(store.getDest()) || store.getIndices().size() < 2)
      return WalkResult::advance();
    SmallVector<ForOp> around = getLoopsAround(store);
    auto walks = [&](ForOp loop) {
      return llvm::any_of(around, [&](ForOp other) {
        return other.getMixedExtent() == loop.getMixedExtent();
      });
    };
    return around.size() > 1 && walks(reuse.first) && walks(reuse.second)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

bool arrc::kernel::spoilsTiles(LaunchOp launch) {
  WalkResult found = launch.getBody().walk([&](ForOp fold) {
    std::optional<std::pair<ForOp, ForOp>> reuse = getReuse(fold);
    return reuse && !hasTiles(fold) && storesAsMuch(launch, *reuse)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}
