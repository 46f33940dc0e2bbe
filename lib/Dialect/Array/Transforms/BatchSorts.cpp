//===- BatchSorts.cpp - Sorts of bodies as sorts of batches ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A sort of the host has launches of its own, by digits, over as many
// rows as there are; one in a body is a network. The rows of all points of a
// body are one array:
//
//   Before   array.map (%i) in (%n) {
//              %s = array.sort %row : tensor<?xf32> .. }
//   After    %rows = array.map (%i) in (%n) { yield %row }
//            %all = array.sort %rows : tensor<?x?xf32>
//            array.map (%i) in (%n) {
//              %s = array.view %all (d0)[s0] -> (s0, d0) [%i] .. }
//
// Legal: what the rows are computed of is pure, and the rows have one length.
// Pays where the sort reaches the host so; rows of a few elements stay in the
// registers of a thread (ElementNetwork.cpp). The batch takes memory that a row
// does not.
//
//===----------------------------------------------------------------------===//

#include "BodySlice.h"
#include "ElementNetwork.h"
#include "UnrollPatterns.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::array {
#define GEN_PASS_DEF_BATCHSORTSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// The space whose body `op` is in, without a loop or branch in between.
static IndexSpaceOpInterface getSpaceOf(Operation *op) {
  auto space = dyn_cast<IndexSpaceOpInterface>(op->getParentOp());
  return space && op->getBlock() == space.getBodyBlock() ? space : nullptr;
}

/// Whether nothing but index spaces is around `op`.
static bool isInSpacesAlone(Operation *op) {
  for (; isInBody(op); op = op->getParentOp())
    if (!getSpaceOf(op))
      return false;
  return true;
}

/// The sizes of a row of `sort`, if they are known in front of `space`.
static bool getRowSizes(SortOp sort, IndexSpaceOpInterface space,
                        SmallVectorImpl<OpFoldResult> &sizes) {
  auto type = cast<RankedTensorType>(sort.getKeys().getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    OpFoldResult size = getKnownSize(sort.getKeys(), dim);
    auto value = dyn_cast_if_present<Value>(size);
    if (!size ||
        (value && space->isAncestor(value.getParentRegion()->getParentOp())))
      return false;
    sizes.push_back(size);
  }
  return true;
}

/// The sort of the rows of all points, in front of the space; null if there can
/// be none.
static SortOp batch(RewriterBase &rewriter, IndexProver &prover, SortOp sort) {
  IndexSpaceOpInterface space = getSpaceOf(sort);
  SmallVector<OpFoldResult> sizes;
  if (!getRowSizes(sort, space, sizes))
    return {};
  BodySlice slice(space);
  for (Value array : sort.getArrays())
    if (!slice.add(array, prover))
      return {};
  if (!slice.mayRunAnywhere() || slice.getIndices().empty())
    slice.useAllIndices();

  MapOp rows = slice.createMap(rewriter, sort.getArrays());
  auto all = SortOp::create(rewriter, sort.getLoc(), rows->getResults(),
                            sort.getIsUnsigned());
  SmallVector<Value> indices = slice.getIndexValues();
  MLIRContext *context = rewriter.getContext();
  SmallVector<AffineExpr> places;
  for (size_t i = 0; i < indices.size(); ++i)
    places.push_back(getAffineSymbolExpr(i, context));
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    places.push_back(getAffineDimExpr(dim, context));
  auto map = AffineMap::get(sizes.size(), indices.size(), places, context);
  rewriter.setInsertionPoint(sort);
  SmallVector<Value> views;
  for (Value sorted : all.getResults())
    views.push_back(
        ViewOp::create(rewriter, sort.getLoc(), sorted, map, indices, sizes));
  rewriter.replaceOp(sort, views);
  return all;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct BatchSortsPass : arrc::array::impl::BatchSortsPassBase<BatchSortsPass> {
  void runOnOperation() override {
    SmallVector<SortOp> sorts;
    getOperation().walk([&](SortOp sort) {
      if (isInBody(sort) && isInSpacesAlone(sort) && !hasFewElements(sort))
        sorts.push_back(sort);
    });
    IRRewriter rewriter(&getContext());
    IndexProver prover(getOperation());
    for (SortOp sort : sorts)
      while (sort && isInBody(sort))
        sort = batch(rewriter, prover, sort);
  }
};
} // namespace
