//===- UpdatePartners.cpp - Loops beside updates of slices ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "UpdatePartners.h"

#include "FuseProducers.h"
#include "Readers.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Dialect/Array/IR/WrittenSchedule.h"

#include "mlir/Analysis/SliceAnalysis.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

bool arrc::array::isAllButEdges(tensor::InsertSliceOp insert) {
  if (insert.getSourceType().getRank() != insert.getType().getRank())
    return false;
  for (auto [d, size] : llvm::enumerate(insert.getMixedSizes())) {
    OpFoldResult extent = getKnownSize(insert.getDest(), d);
    if (!extent)
      return false;
    std::optional<int64_t> left =
        LinearIndex::ofSize(extent).distanceFrom(LinearIndex::ofSize(size));
    // Of few elements the edges may be most.
    std::optional<int64_t> number = getConstantIntValue(extent);
    if (!left || (number && 2 * *left > *number))
      return false;
  }
  return true;
}

namespace {
/// A loop over an array, or over all of it but its edges.
struct Walk {
  // Accessors of ops are not const.
  mutable IndexSpaceOpInterface space;
  /// The update that puts in what the loop makes, or null.
  mutable tensor::InsertSliceOp insert;

  /// What it makes.
  Operation *getMade() const {
    return insert ? insert.getOperation() : space.getOperation();
  }
  /// How far the element that `at` reads in it lies from where it is; nothing
  /// if that is no number.
  std::optional<Distance> getDistance(AtOp at) const;
  /// Whether it needs nothing of what `other` makes but the elements where it
  /// is, or such as cost less to compute again.
  bool canGoWith(const Walk &other, int64_t workPerByte) const;
  /// The arrays that it reads, and the one that it changes.
  llvm::SmallSetVector<Value, 4> getArrays() const;
};
} // namespace

std::optional<Distance> Walk::getDistance(AtOp at) const {
  if (at->getParentOfType<IndexSpaceOpInterface>() != space ||
      at.getIndices().size() != space.getNumIndices())
    return std::nullopt;
  Distance distance;
  for (auto [d, index] : llvm::enumerate(at.getIndices())) {
    // Where the point lies in the array.
    LinearIndex place = LinearIndex::ofValue(space.getIndices()[d]);
    if (insert)
      place.add(LinearIndex::ofSize(insert.getMixedOffsets()[d]), 1);
    std::optional<int64_t> apart =
        getMostly(LinearIndex(index)).distanceFrom(place);
    if (!apart)
      return std::nullopt;
    distance.push_back(*apart);
  }
  return distance;
}

bool Walk::canGoWith(const Walk &other, int64_t workPerByte) const {
  Operation *made = other.getMade();
  BackwardSliceOptions options;
  options.omitUsesFromAbove = false;
  options.inclusive = true;
  Distance own(space.getNumIndices(), 0);
  std::set<Distance> distances;
  WalkResult walked = space->walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (auto at = dyn_cast<AtOp>(op);
          at && operand == at.getSource() &&
          skipBinds(operand).getDefiningOp() == made) {
        std::optional<Distance> distance = getDistance(at);
        if (!distance)
          return WalkResult::interrupt();
        distances.insert(*distance);
        continue;
      }
      Operation *from = operand.getDefiningOp();
      if (!from || space->isAncestor(from))
        continue;
      SetVector<Operation *> needed;
      if (failed(getBackwardSlice(from, &needed, options)) ||
          needed.contains(made))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return false;
  bool readsOwn = llvm::all_of(
      distances, [&](const Distance &distance) { return distance == own; });
  return readsOwn || (workPerByte && !isa<ReduceOp>(space.getOperation()) &&
                      !isa<ReduceOp>(other.space.getOperation()) &&
                      isCheaperAgain(other.space, {space}, distances,
                                     /*kept=*/true, workPerByte));
}

llvm::SmallSetVector<Value, 4> Walk::getArrays() const {
  llvm::SmallSetVector<Value, 4> arrays;
  space->walk([&](AtOp at) { arrays.insert(skipViews(at.getSource())); });
  if (insert)
    arrays.insert(skipViews(insert.getDest()));
  for (Value result : getMade()->getResults())
    arrays.insert(result);
  return arrays;
}

/// What goes over arrays of the sizes of `insert` beside it.
static SmallVector<Walk> getOthers(tensor::InsertSliceOp insert,
                                   IndexSpaceOpInterface space) {
  auto hasSizes = [&](auto getSize, unsigned rank) {
    if (rank != unsigned(insert.getType().getRank()))
      return false;
    for (unsigned d = 0; d < rank; ++d) {
      OpFoldResult mine = getKnownSize(insert.getDest(), d), other = getSize(d);
      if (!other || !isEqualConstantIntOrValue(mine, other))
        return false;
    }
    return true;
  };
  SmallVector<Walk> others;
  for (Operation &op : *insert->getBlock()) {
    if (auto update = dyn_cast<tensor::InsertSliceOp>(op)) {
      IndexSpaceOpInterface made = findOwnProducer(update.getSource());
      if (update != insert && made && made != space &&
          made->getBlock() == insert->getBlock() && isAllButEdges(update) &&
          hasSizes(
              [&](unsigned d) { return getKnownSize(update.getDest(), d); },
              update.getType().getRank()))
        others.push_back({made, update});
      continue;
    }
    auto loop = dyn_cast<IndexSpaceOpInterface>(op);
    if (loop && loop != space &&
        isa<MapOp, StencilOp, ReduceOp>(loop.getOperation()) &&
        !hasWrittenSchedule(loop) &&
        hasSizes([&](unsigned d) { return loop.getMixedExtents()[d]; },
                 loop.getNumIndices()))
      others.push_back({loop, {}});
  }
  return others;
}

bool arrc::array::hasPartner(tensor::InsertSliceOp insert,
                             IndexSpaceOpInterface space, int64_t workPerByte) {
  Walk own{space, insert};
  llvm::SmallSetVector<Value, 4> arrays = own.getArrays();
  return llvm::any_of(getOthers(insert, space), [&](const Walk &other) {
    bool shares = llvm::any_of(
        other.getArrays(), [&](Value array) { return arrays.contains(array); });
    return shares && own.canGoWith(other, workPerByte) &&
           other.canGoWith(own, workPerByte);
  });
}
