//===- BatchUpdates.cpp - Histograms of bodies as histograms of batches ---===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A histogram of the host has all threads of the device; one in a body
// has the thread of its point, which goes over the values one after the other.
// The histograms of all points are one, whose bins are numbered by the point,
// too:
//
//   Before   array.map (%j) in (%d) {
//              %h = array.scatter (%i) in (%n) into (%zeros : tensor<kxf32>) {
//                .. array.yield %v at [%bin] } by arith.addf
//              array.yield %h }
//   After    %rows = array.map (%j) in (%d) { array.yield %zeros }
//            array.scatter (%j, %i) in (%d, %n) into (%rows : tensor<?xkxf32>)
//            {
//              .. array.yield %v at [%j, %bin] } by arith.addf
//
// A body that reads its histogram has a view of it.
//
// Legal: values meet at a bin in the order of %i, as before, and the bins of
// other points are others. What the body computes in front of the histogram is
// pure, and computed for each value.
//
// Pays on devices, unless a point has a few values: those stay with a thread.
//
//===----------------------------------------------------------------------===//

#include "BodySlice.h"
#include "IndexProver.h"
#include "UnrollPatterns.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"
#include "arrc/Support/BuildInside.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace arrc::array {
#define GEN_PASS_DEF_BATCHUPDATESPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Values of a point that stay with its thread.
static constexpr int64_t kFewValues = 1024;

/// Whether a point has a few values, and how many is a number.
static bool hasFewValues(ScatterOp scatter) {
  int64_t count = 1;
  for (OpFoldResult extent : scatter.getMixedExtents()) {
    std::optional<int64_t> number = getConstantIntValue(extent);
    if (!number)
      return false;
    count *= std::min(*number, kFewValues + 1);
  }
  return count <= kFewValues;
}

/// The scalars of the body of `map` that `scatter` uses, with what they are
/// computed of, in order; false if some of it is no scalar.
static bool collectScalars(MapOp map, ScatterOp scatter,
                           SmallVectorImpl<Operation *> &scalars) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(scatter->getRegions(), used);
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == map.getBodyBlock();
  };
  for (Value value : used)
    if (value.getParentBlock() == map.getBodyBlock())
      (void)getBackwardSlice(value, &slice, options);
  for (Operation *op : topologicalSort(slice)) {
    if (op->getNumRegions() || !isMemoryEffectFree(op) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
      return false;
    scalars.push_back(op);
  }
  return true;
}

/// The sizes of the histograms of `scatter`, if they are known outside of
/// `map`.
static bool getSizes(ScatterOp scatter,
                     llvm::function_ref<bool(OpFoldResult)> isOutside,
                     SmallVectorImpl<OpFoldResult> &sizes) {
  Value first = scatter.getInto().front();
  int64_t rank = cast<RankedTensorType>(first.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    OpFoldResult size = getKnownSize(first, dim);
    if (!size || !isOutside(size))
      return false;
    sizes.push_back(size);
  }
  return llvm::all_of(scatter.getInto(), [&](Value array) {
    return cast<RankedTensorType>(array.getType()).getRank() == rank;
  });
}

/// Replaces the histogram of each point of `map`.
static bool batch(RewriterBase &rewriter, IndexProver &prover, MapOp map,
                  ScatterOp scatter) {
  auto isOutside = [&](OpFoldResult size) {
    auto value = dyn_cast<Value>(size);
    return !value || !map->isAncestor(value.getParentRegion()->getParentOp());
  };
  SmallVector<Operation *> scalars;
  auto yield = cast<YieldOp>(map.getBodyBlock()->getTerminator());
  bool isRead = llvm::any_of(scatter->getUsers(),
                             [&](Operation *user) { return user != yield; });
  SmallVector<OpFoldResult> sizes;
  if (!llvm::all_of(scatter.getMixedExtents(), isOutside) ||
      (isRead && !getSizes(scatter, isOutside, sizes)) ||
      !collectScalars(map, scatter, scalars))
    return false;
  BodySlice slice(map);
  for (Value array : scatter.getInto())
    if (!slice.add(array, prover))
      return false;
  slice.useAllIndices();
  MapOp rows = slice.createMap(rewriter, scatter.getInto());
  SmallVector<OpFoldResult> extents = map.getMixedExtents();
  llvm::append_range(extents, scatter.getMixedExtents());
  SmallVector<std::string> text =
      cast<IndexSpaceOpInterface>(map.getOperation()).getIndexNames();
  llvm::append_range(
      text,
      cast<IndexSpaceOpInterface>(scatter.getOperation()).getIndexNames());
  SmallVector<StringRef> names(text.begin(), text.end());
  size_t count = map.getMixedExtents().size();
  Location loc = scatter.getLoc();
  auto build = [&](OpBuilder &nested, Location, ValueRange indices) {
    buildInside(rewriter, nested, [&] {
      IRMapping mapping;
      mapping.map(map.getBodyBlock()->getArguments(),
                  indices.take_front(count));
      mapping.map(scatter.getBody().getArguments(), indices.drop_front(count));
      for (Operation *op : scalars)
        rewriter.clone(*op, mapping);
      for (Operation &op : scatter.getBody().front().without_terminator())
        rewriter.clone(op, mapping);
      auto old = cast<YieldOp>(scatter.getBody().front().getTerminator());
      SmallVector<Value> values, at(indices.take_front(count));
      for (Value value : old.getValues())
        values.push_back(mapping.lookupOrDefault(value));
      for (Value index : old.getIndices())
        at.push_back(mapping.lookupOrDefault(index));
      YieldOp::create(rewriter, loc, values, at);
    });
  };
  auto all = ScatterOp::create(
      rewriter, loc, extents, names, rows->getResults(), scatter.getOob(),
      build, [&](OpBuilder &nested, Location, ValueRange operands) {
        IRMapping mapping;
        Block &by = scatter.getCombiner().front();
        mapping.map(by.getArguments(), operands);
        for (Operation &op : by)
          nested.clone(op, mapping);
      });
  for (auto [result, value] : llvm::zip(map.getResults(), yield.getValues()))
    if (value.getDefiningOp() == scatter)
      rewriter.replaceAllUsesWith(
          result, all.getResult(cast<OpResult>(value).getResultNumber()));
  // What only was a result is none any more.
  if (!isRead) {
    SmallVector<Value> before(scatter.getInto());
    rewriter.replaceOp(scatter, before);
    return true;
  }
  MLIRContext *context = rewriter.getContext();
  SmallVector<AffineExpr> places;
  for (size_t i = 0; i < count; ++i)
    places.push_back(getAffineSymbolExpr(i, context));
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    places.push_back(getAffineDimExpr(dim, context));
  auto at = AffineMap::get(sizes.size(), count, places, context);
  rewriter.setInsertionPoint(scatter);
  SmallVector<Value> views;
  for (Value bins : all.getResults())
    views.push_back(ViewOp::create(rewriter, loc, bins, at,
                                   map.getBodyBlock()->getArguments(), sizes));
  rewriter.replaceOp(scatter, views);
  return true;
}

namespace {
struct BatchUpdatesPass
    : arrc::array::impl::BatchUpdatesPassBase<BatchUpdatesPass> {
  void runOnOperation() override {
    SmallVector<ScatterOp> scatters;
    getOperation().walk([&](ScatterOp scatter) {
      auto map = dyn_cast<MapOp>(scatter->getParentOp());
      if (map && !isInBody(map) && scatter.getCombinerRegion() &&
          !hasFewValues(scatter))
        scatters.push_back(scatter);
    });
    IRRewriter rewriter(&getContext());
    IndexProver prover(getOperation());
    for (ScatterOp scatter : scatters)
      (void)batch(rewriter, prover, cast<MapOp>(scatter->getParentOp()),
                  scatter);
  }
};
} // namespace
