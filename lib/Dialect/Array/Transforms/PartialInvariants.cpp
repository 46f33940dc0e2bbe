//===- PartialInvariants.cpp - What some indices alone decide -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. The mean of a row, written where it is used, is the same for all
// elements of the row:
//
// Before   array.map (%i, %j) in (%n, %m) {
//            %s = array.reduce (%k) in (%m) { %a[%i, %k] } ..
//            yield %a[%i, %j] - %s }
// After    %r = array.map (%i) in (%n) { array.reduce (%k) in (%m) .. }
//          array.map (%i, %j) in (%n, %m) { yield %a[%i, %j] - %r[%i] }
//
// Legal: pure and speculatable, and safe wherever its indices are known, as the
// dimensions that are left out may be empty. Pays where the fold has more steps
// than writing its result and reading it takes. In the body of another space
// the map gives an array for each point of that one, as a program's own
// `let` does.
//
//===----------------------------------------------------------------------===//

#include "PartialInvariants.h"

#include "BodySlice.h"

using namespace mlir;
using namespace arrc::array;

/// Points of a fold that take no more time than a read.
static constexpr int64_t kFewPoints = 16;

namespace {
/// Folds of a body that the same indices decide, and what they are computed of
/// there.
struct PartialInvariant {
  BodySlice slice;
  SmallVector<ReduceOp> folds;
};
} // namespace

static bool hasFewPoints(ReduceOp fold) {
  int64_t points = 1;
  for (int64_t extent : fold.getStaticExtents())
    if (ShapedType::isDynamic(extent) ||
        __builtin_mul_overflow(points, extent, &points) || points > kFewPoints)
      return false;
  return true;
}

/// The folds of a body that some of its indices decide, but not all.
static void collect(IndexSpaceOpInterface space, IndexProver &prover,
                    SmallVectorImpl<PartialInvariant> &all) {
  if (space.getNumIndices() < 2)
    return;
  for (Operation &op : space.getBodyBlock()->without_terminator()) {
    auto fold = dyn_cast<ReduceOp>(op);
    if (!fold || hasFewPoints(fold) ||
        llvm::any_of(fold.getResultTypes(),
                     [](Type type) { return isa<RankedTensorType>(type); }))
      continue;
    PartialInvariant found{BodySlice(space), {fold}};
    if (!found.slice.add(fold, prover) || !found.slice.mayRunAnywhere())
      continue;
    ArrayRef<unsigned> indices = found.slice.getIndices();
    if (indices.empty() || indices.size() == space.getNumIndices())
      continue;
    auto same = llvm::find_if(all, [&](const PartialInvariant &other) {
      return other.slice.getSpace() == space &&
             other.slice.getIndices() == indices;
    });
    if (same == all.end()) {
      all.push_back(std::move(found));
      continue;
    }
    same->folds.push_back(fold);
    same->slice.add(found.slice);
  }
}

/// The map over the indices that decide, in front of the space.
static Operation *hoist(RewriterBase &rewriter, PartialInvariant &found) {
  SmallVector<Value> results;
  for (ReduceOp fold : found.folds)
    llvm::append_range(results, fold->getResults());
  MapOp map = found.slice.createMap(rewriter, results);
  SmallVector<Value> indices = found.slice.getIndexValues();
  ValueRange arrays = map->getResults();
  for (ReduceOp fold : found.folds) {
    rewriter.setInsertionPoint(fold);
    SmallVector<Value> read;
    for (Value array : arrays.take_front(fold->getNumResults()))
      read.push_back(AtOp::create(rewriter, fold.getLoc(), array, indices,
                                  /*inbounds=*/true));
    arrays = arrays.drop_front(fold->getNumResults());
    rewriter.replaceAllUsesWith(fold->getResults(), read);
  }
  return map;
}

SmallVector<Operation *>
arrc::array::hoistPartialInvariants(Operation *root, IndexProver &prover) {
  // All are found first: what the prover knows is known of this text.
  SmallVector<PartialInvariant> all;
  root->walk([&](IndexSpaceOpInterface space) { collect(space, prover, all); });
  IRRewriter rewriter(root->getContext());
  SmallVector<Operation *> maps;
  for (PartialInvariant &found : all)
    maps.push_back(hoist(rewriter, found));
  // Those of other sets of indices may have been computed of them.
  for (PartialInvariant &found : all)
    for (ReduceOp fold : llvm::reverse(found.folds))
      if (fold->use_empty())
        rewriter.eraseOp(fold);
  return maps;
}
