//===- FuseFilters.cpp - Folds of what a filter keeps ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. What is filtered only to be folded need not be stored, and the fold
// need not wait for its number: it goes over all points, and those that are
// dropped give the neutral element.
//
//   Before   %count, %r = array.filter (%i) in (%n) { ..
//              array.yield %keep, %x : i1, f32 } : tensor<?xf32>
//            %s = array.reduce (%k) in (%count) init (%z : f32) {
//              %v = array.at %r[%k]
//              %w = arith.mulf %v, %v
//              array.yield %w : f32 } by arith.addf
//   After    %s = array.reduce (%i) in (%n) init (%z : f32) { ..
//              %u = scf.if %keep { %w = arith.mulf %x, %x  scf.yield %w }
//                   else { scf.yield %z }
//              array.yield %u : f32 } by arith.addf
//
// Legal if the fold uses its index for nothing but to read the arrays of the
// filter there: `init` is neutral, and the order of the points stays. A sum of
// floats has other brackets, as it has for other sizes.
//
// Pays if nobody else needs the arrays, in one fold or a few: they share a
// launch, which reads what the filter reads once.
//
// Reference: foldr/build of `filter` (Gill, Launchbury, Peyton Jones, FPCA
// 1993).
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/WrittenSchedule.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SetVector.h"

namespace arrc::array {
#define GEN_PASS_DEF_FUSEFILTERSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Folds that may read a filter in its place.
static constexpr unsigned kMostFolds = 4;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// `size` behind facts about it.
static Value skipFacts(Value size) {
  while (size) {
    if (auto fact = size.getDefiningOp<AssumeOp>())
      size = fact.getValue();
    else if (auto outer = size.getDefiningOp<arith::IndexCastOp>();
             outer && outer.getIn().getDefiningOp<arith::IndexCastOp>())
      size = outer.getIn().getDefiningOp<arith::IndexCastOp>().getIn();
    else
      break;
  }
  return size;
}

/// The reads of `array`, which may have names for its sizes; false if there are
/// other uses.
static bool collectReads(Value array, SmallVectorImpl<AtOp> &reads) {
  for (Operation *user : array.getUsers()) {
    if (auto bind = dyn_cast<BindOp>(user)) {
      if (!collectReads(bind.getResult(), reads))
        return false;
    } else if (auto at = dyn_cast<AtOp>(user)) {
      reads.push_back(at);
    } else {
      return false;
    }
  }
  return true;
}

/// The folds that are all that reads `filter`; none if they cannot replace it.
static SmallVector<ReduceOp> findFolds(FilterOp filter,
                                       SmallVectorImpl<AtOp> &reads) {
  for (Value array : filter.getArrays())
    if (cast<RankedTensorType>(array.getType()).getRank() != 1 ||
        !collectReads(array, reads))
      return {};
  llvm::SmallSetVector<Operation *, 4> folds;
  for (AtOp read : reads) {
    auto fold = dyn_cast_if_present<ReduceOp>(read->getParentOp());
    if (!fold || fold->getBlock() != filter->getBlock() ||
        fold.getExtents().size() != 1 || fold.getStaticExtents().size() != 1 ||
        read->getParentRegion() != &fold.getBody() ||
        skipFacts(fold.getExtents().front()) != filter.getCount() ||
        read.getIndices().front() != fold.getBody().getArgument(0) ||
        hasWrittenSchedule(fold))
      return {};
    folds.insert(fold);
  }
  SmallVector<ReduceOp> list;
  for (Operation *op : folds) {
    auto fold = cast<ReduceOp>(op);
    for (Operation *user : fold.getBody().getArgument(0).getUsers())
      if (!isa<AtOp>(user) || !llvm::is_contained(reads, cast<AtOp>(user)))
        return {};
    if (!llvm::all_of(fold.getInit().getTypes(),
                      [](Type type) { return !isa<RankedTensorType>(type); }))
      return {};
    list.push_back(fold);
  }
  return list;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

static void fuse(IRRewriter &b, FilterOp filter, ReduceOp fold) {
  Location loc = fold.getLoc();
  b.setInsertionPoint(fold);
  auto all = ReduceOp::create(b, loc, filter.getMixedExtents(),
                              filter.getDimsAttr(), fold.getInit());
  all.getCombiner().takeBody(fold.getCombiner());
  Block *body = b.createBlock(&all.getBody(), {}, b.getIndexType(), loc);
  Block &kept = filter.getBody().front();
  IRMapping mapping;
  mapping.map(kept.getArgument(0), body->getArgument(0));
  for (Operation &op : kept.without_terminator())
    b.clone(op, mapping);
  SmallVector<Value> values;
  for (Value value : cast<YieldOp>(kept.getTerminator()).getValues())
    values.push_back(mapping.lookupOrDefault(value));
  auto branch = scf::IfOp::create(b, loc, fold.getResultTypes(), values.front(),
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Block &each = fold.getBody().front();
    IRMapping inner;
    for (Operation &op : each.without_terminator()) {
      if (auto read = dyn_cast<AtOp>(op)) {
        Value source = read.getSource();
        while (auto bind = source.getDefiningOp<BindOp>())
          source = bind.getSource();
        if (source.getDefiningOp() == filter) {
          inner.map(read.getResult(),
                    values[cast<OpResult>(source).getResultNumber()]);
          continue;
        }
      }
      b.clone(op, inner);
    }
    SmallVector<Value> yielded;
    for (Value value : cast<YieldOp>(each.getTerminator()).getValues())
      yielded.push_back(inner.lookupOrDefault(value));
    scf::YieldOp::create(b, loc, yielded);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, fold.getInit());
  }
  YieldOp::create(b, loc, branch.getResults());
  b.replaceOp(fold, all.getResults());
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct FuseFiltersPass
    : public arrc::array::impl::FuseFiltersPassBase<FuseFiltersPass> {
  void runOnOperation() override {
    SmallVector<FilterOp> filters;
    getOperation().walk([&](FilterOp filter) {
      if (!hasWrittenSchedule(filter))
        filters.push_back(filter);
    });
    IRRewriter rewriter(&getContext());
    // Last ones first: what they filter may have been filtered before.
    for (FilterOp filter : llvm::reverse(filters)) {
      SmallVector<AtOp> reads;
      SmallVector<ReduceOp> folds = findFolds(filter, reads);
      if (folds.size() > kMostFolds)
        continue;
      for (ReduceOp fold : folds)
        fuse(rewriter, filter, fold);
    }
  }
};

} // namespace
