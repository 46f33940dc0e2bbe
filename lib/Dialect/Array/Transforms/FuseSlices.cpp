//===- FuseSlices.cpp - A slice update is part of the array around it -----===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. To put a slice into an array that lives on, the array is copied, the
// slice is computed, and often copied as well. Computing every element of the
// new array where it stands goes over memory once:
//
//   %s = array.map (%i) in (%k) { f(%a, %i) }
//   %r = tensor.insert_slice %s into %a[1] [%k]
//   ->
//   %r = array.map (%i) in (%n) {
//     %v = scf.if 1 <= %i < 1 + %k { f(%a, %i - 1) } else { %a[%i] } }
//
// A slice that follows from one element of the array for each of its own reads
// that array once a point (SliceMap.h):
//
//   %s = array.view %a (d0) -> (1, d0) in (%m)
//   %r = tensor.insert_slice %s into %a[0, 0] [1, %m]
//   ->
//   %r = array.map (%i, %j) in (%n, %m) {
//     %k = arith.select (%i == 0), 1, %i
//     %v = array.at %a[%k, %j] }
//
// It is part of the loop that has just made the array, or of those that read
// it: nothing is computed more often, and no edge is a loop of its own.
//
// Where the array has just been made, and the slice follows from the elements
// that it replaces, the new map reads the old one at its own index alone, so
// that both are one loop.
//
// Others that read the slice read the new array where the slice is. A fold over
// the slice goes over all of the array, whose other elements give the neutral
// element, so that it and the map are one loop:
//
//   %d = array.reduce (%i) in (%k) { g(%s[%i]) }
//   ->
//   %d = array.reduce (%i) in (%n) {
//     scf.if 1 <= %i < 1 + %k { g(%r[%i]) } else { %init } }
//
// Legal always: slices lie inside of their arrays. Reads of the slice's body
// hold where the branch is taken, so they lose `inbounds` and are proved again.
// A sum of floats has other brackets, as it has for other sizes.
//
// Pays if the array must be copied anyway: it is an argument, or the slice is
// computed from other elements of it. Or if it is filled first and then only
// read: concatenated arrays are computed where they are read. Or if whoever
// reads the array before the update can be in one loop with the map. Or if the
// slice is all of the array but its edges, and these are assigned next, or
// another loop of the block can be one with the map (UpdatePartners.h): asked
// once producers are fused, when what is left are the loops of a step. Else an
// array that dies here is updated in place, which is cheaper.
//
// Source: in-place updates as in Futhark (Henriksen et al., PLDI 2017), and
// where they do not pay.
//
//===----------------------------------------------------------------------===//

#include "FuseProducers.h"
#include "IndexProver.h"
#include "SliceMap.h"
#include "SliceUpdate.h"
#include "UpdatePartners.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/SourceNames.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Dialect/Array/IR/GuardedRead.h"
#include "arrc/Dialect/Array/IR/WrittenSchedule.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace arrc::array {
#define GEN_PASS_DEF_FUSESLICESPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Additions in what may be computed again at each read of an array: positions
/// are compared, and all of that is gone inside of most loops.
static constexpr int64_t kMostReadWork = 8;

/// Whether bodies alone read `array`, slices put into it included.
static bool isReadInBodiesOnly(Value array) {
  return llvm::all_of(array.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<AtOp>(user))
      return user->getParentOfType<IndexSpaceOpInterface>() != nullptr;
    auto insert = dyn_cast<tensor::InsertSliceOp>(user);
    return (isa<BindOp, ExtendOp>(user) ||
            (insert && use.get() == insert.getDest())) &&
           isReadInBodiesOnly(user->getResult(0));
  });
}

/// Adds the reads of `array` in bodies, also under names for its sizes; false
/// if something but these and `insert` uses it.
static bool collectReads(Value array, tensor::InsertSliceOp insert,
                         SmallVectorImpl<AtOp> &reads) {
  return visitUses(array, [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto at = dyn_cast<AtOp>(user);
        at && at->getParentOfType<IndexSpaceOpInterface>()) {
      reads.push_back(at);
      return true;
    }
    return user == insert && use.get() != insert.getDest();
  });
}

/// Whether `value` is known where `op` stands.
static bool isKnownAt(Value value, Operation *op) {
  Operation *made = value.getDefiningOp();
  if (!made || made->getBlock() != op->getBlock())
    return value.getParentRegion()->isAncestor(op->getParentRegion());
  return made->isBeforeInBlock(op);
}

namespace {
/// What makes a slice that is put into an array.
struct SliceSource {
  explicit SliceSource(tensor::InsertSliceOp insert);

  /// A map of scalars, or null: the slice is an array then.
  IndexSpaceOpInterface space;
  /// Who reads the slice by itself.
  SmallVector<AtOp> others;
};
} // namespace

SliceSource::SliceSource(tensor::InsertSliceOp insert)
    : space(findOwnProducer(insert.getSource())) {
  auto made =
      skipBinds(insert.getSource()).getDefiningOp<IndexSpaceOpInterface>();
  if (space || !made || !isa<MapOp, StencilOp>(made.getOperation()) ||
      made->getBlock() != insert->getBlock() || hasWrittenSchedule(made) ||
      made->getNumResults() != 1 ||
      isa<RankedTensorType>(made.getYield().getValues().front().getType()) ||
      !collectReads(made->getResult(0), insert, others))
    return;
  // The new array must be there for whoever reads the slice first.
  if (llvm::all_of(insert->getOperands(), [&](Value value) {
        return value == insert.getSource() || isKnownAt(value, made);
      }))
    space = made;
}

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

/// Whether `map` reads `array` at another element than the one where its own
/// goes.
static bool readsElsewhere(IndexSpaceOpInterface map, Value array,
                           tensor::InsertSliceOp insert) {
  bool elsewhere = false;
  map->walk([&](AtOp at) {
    if (skipBoundaries(at.getSource()) != array)
      return;
    for (auto [d, index] : llvm::enumerate(at.getIndices())) {
      LinearIndex own = LinearIndex::ofValue(map.getIndices()[d]);
      OpFoldResult offset = insert.getMixedOffsets()[d];
      own.add(isa<Value>(offset) ? LinearIndex::ofValue(cast<Value>(offset))
                                 : LinearIndex(*getConstantIntValue(offset)),
              1);
      elsewhere |= LinearIndex(index) != own;
    }
  });
  return elsewhere;
}

/// Whether edges are put into the array next, which are computed with a map
/// that has just made it, and are loops of their own behind an update.
static bool hasEdgesNext(tensor::InsertSliceOp insert) {
  return !visitUses(insert.getResult(), [&](OpOperand &use) {
    auto next = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    return !next || use.get() != next.getDest() ||
           next->getBlock() != insert->getBlock() || isAllButEdges(next) ||
           !SliceMap::get(next);
  });
}

/// Why the update stays one; empty if it becomes part of a map.
/// `pieces` are maps that updates before this one became, `withPartners` and
/// `workPerByte` say which loops beside it count.
static StringRef whyNotWorth(tensor::InsertSliceOp insert,
                             const SliceSource &source,
                             const llvm::SmallPtrSetImpl<Operation *> &pieces,
                             bool withPartners, int64_t workPerByte) {
  IndexSpaceOpInterface map = source.space;
  Value dest = skipBinds(insert.getDest());
  bool readOnly = isReadInBodiesOnly(insert.getResult());
  Operation *made = dest.getDefiningOp();
  if (source.others.empty() &&
      (isa_and_present<tensor::SplatOp>(made) || pieces.contains(made)))
    return readOnly ? "" : "the slices are written where they belong";
  bool isParameter = bool(getParameter(dest));
  if (!map)
    return readOnly && isParameter ? "" : "the slice is an array of its own";
  if (isParameter || readsElsewhere(map, dest, insert))
    return "";
  if (withPartners && isAllButEdges(insert) &&
      (hasEdgesNext(insert) || hasPartner(insert, map, workPerByte)))
    return "";
  return "the array is updated in place";
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Builds the map that takes the place of one update.
class UpdateBuilder {
public:
  UpdateBuilder(RewriterBase &rewriter, tensor::InsertSliceOp insert,
                const SliceSource &made)
      : rewriter(rewriter), insert(insert), source(made.space),
        others(made.others), loc(insert.getLoc()),
        offsets(insert.getMixedOffsets()) {}

  MapOp build(ArrayRef<OpFoldResult> extents) {
    // Others may read the slice before it is put into the array.
    rewriter.setInsertionPoint(others.empty() ? insert.getOperation()
                                              : source.getOperation());
    box.emplace(rewriter, insert, extents);
    auto map =
        MapOp::create(rewriter, loc, TypeRange(insert.getType()), extents,
                      source ? getDimNames(source) : ArrayAttr());
    SmallVector<Type> types(extents.size(), rewriter.getIndexType());
    Block *body = rewriter.createBlock(
        &map.getBody(), {}, types, SmallVector<Location>(types.size(), loc));
    Value inside = box->contains(rewriter, body->getArguments());
    Type element = insert.getType().getElementType();
    auto branch = scf::IfOp::create(rewriter, loc, TypeRange(element), inside,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(rewriter, loc, readSlice(body->getArguments()));
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, readAround(body->getArguments()));
    rewriter.setInsertionPointToEnd(body);
    YieldOp::create(rewriter, loc, branch.getResults());
    rewriter.replaceOp(insert, map.getResults());
    readFrom(map, extents);
    // What made the slice goes, with the names of its sizes.
    if (source)
      eraseUnused(rewriter, source);
    return map;
  }

private:
  Value readSlice(ValueRange indices) {
    if (source)
      return inlineBody(source, indices).front();
    SmallVector<Value> point;
    for (auto [d, index] : llvm::enumerate(indices))
      point.push_back(shift(rewriter, loc, index, offsets[d], -1));
    return AtOp::create(rewriter, loc, insert.getSource(), point,
                        /*inbounds=*/false);
  }

  /// Who reads the slice reads the new array; folds over the slice go over the
  /// array.
  void readFrom(MapOp map, ArrayRef<OpFoldResult> extents) {
    SmallVector<ReduceOp> folds;
    for (AtOp at : others) {
      auto fold = at->getParentOfType<ReduceOp>();
      if (fold && isOverSlice(fold) && !llvm::is_contained(folds, fold))
        folds.push_back(fold);
      SmallVector<Value> point;
      rewriter.setInsertionPoint(at);
      AffineExpr sum =
          rewriter.getAffineDimExpr(0) + rewriter.getAffineSymbolExpr(0);
      for (auto [index, offset] : llvm::zip(at.getIndices(), offsets))
        point.push_back(getValueOrCreateConstantIndexOp(
            rewriter, loc,
            affine::makeComposedFoldedAffineApply(rewriter, loc, sum,
                                                  {index, offset})));
      rewriter.replaceOpWithNewOp<AtOp>(at, map.getResult(0), point,
                                        at.getInbounds());
    }
    for (ReduceOp fold : folds)
      widen(fold, extents);
  }

  /// Whether `fold` stands beside the update and goes over the slice.
  bool isOverSlice(ReduceOp fold) {
    return fold->getBlock() == source->getBlock() &&
           !hasWrittenSchedule(fold) &&
           llvm::equal(fold.getMixedExtents(), source.getMixedExtents(),
                       [](OpFoldResult a, OpFoldResult b) {
                         return isEqualConstantIntOrValue(a, b);
                       }) &&
           llvm::none_of(fold.getInit().getTypes(),
                         [](Type type) { return isa<RankedTensorType>(type); });
  }

  void widen(ReduceOp fold, ArrayRef<OpFoldResult> extents) {
    OpBuilder::InsertionGuard guard(rewriter);
    Location loc = fold.getLoc();
    rewriter.setInsertionPoint(fold);
    auto wide = ReduceOp::create(rewriter, loc, extents, fold.getDimsAttr(),
                                 fold.getInit());
    wide.getCombiner().takeBody(fold.getCombiner());
    SmallVector<Type> types(extents.size(), rewriter.getIndexType());
    Block *body = rewriter.createBlock(
        &wide.getBody(), {}, types, SmallVector<Location>(types.size(), loc));
    Value inside = box->contains(rewriter, body->getArguments());
    auto branch = scf::IfOp::create(rewriter, loc, fold.getResultTypes(),
                                    inside, /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> values;
    for (Value value :
         inlineBody(cast<IndexSpaceOpInterface>(fold.getOperation()),
                    body->getArguments()))
      values.push_back(value);
    scf::YieldOp::create(rewriter, loc, values);
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, fold.getInit());
    rewriter.setInsertionPointToEnd(body);
    YieldOp::create(rewriter, loc, branch.getResults());
    rewriter.replaceOp(fold, wide.getResults());
  }

  /// The values of `space` where `indices` of the array are in the slice.
  SmallVector<Value> inlineBody(IndexSpaceOpInterface space,
                                ValueRange indices) {
    IRMapping mapping;
    for (auto [index, own, offset] :
         llvm::zip(indices, space.getIndices(), offsets))
      mapping.map(own, shift(rewriter, loc, index, offset, -1));
    for (Operation &op : space.getBodyBlock()->without_terminator()) {
      Operation *copy = rewriter.clone(op, mapping);
      copy->walk([](AtOp at) { at.setInbounds(false); });
    }
    return llvm::map_to_vector(space.getYield().getValues(), [&](Value value) {
      return mapping.lookupOrDefault(value);
    });
  }

  Value readAround(ValueRange indices) {
    if (auto splat =
            skipBinds(insert.getDest()).getDefiningOp<tensor::SplatOp>())
      return splat.getInput();
    return AtOp::create(rewriter, loc, insert.getDest(), indices,
                        /*inbounds=*/true);
  }

  RewriterBase &rewriter;
  tensor::InsertSliceOp insert;
  IndexSpaceOpInterface source;
  ArrayRef<AtOp> others;
  Location loc;
  SmallVector<OpFoldResult> offsets;
  /// The points that are replaced; kept, as the update goes before its readers.
  std::optional<SliceBox> box;
};
} // namespace

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct FuseSlicesPass : arrc::array::impl::FuseSlicesPassBase<FuseSlicesPass> {
  using FuseSlicesPassBase::FuseSlicesPassBase;

  void runOnOperation() override {
    SmallVector<tensor::InsertSliceOp> updates;
    getOperation().walk([&](tensor::InsertSliceOp op) {
      if (!op->getParentOfType<IndexSpaceOpInterface>())
        updates.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    pieces.clear();
    for (tensor::InsertSliceOp op : updates)
      fuse(rewriter, op);
    // The last first: what it becomes reads the one before.
    updates.clear();
    getOperation().walk(
        [&](tensor::InsertSliceOp op) { updates.push_back(op); });
    for (tensor::InsertSliceOp op : llvm::reverse(updates))
      fuseIntoReaders(rewriter, op);
    guardReads();
  }

  /// Lets an update that is only read by bodies be computed there.
  void fuseIntoReaders(RewriterBase &rewriter, tensor::InsertSliceOp op) {
    if (!isReadInBodiesOnly(op.getResult()))
      return;
    std::optional<SliceMap> update = SliceMap::get(op);
    if (!update)
      return;
    MapOp map = update->build(rewriter);
    Value result = map.getResult(0);
    rewriter.replaceAllUsesWith(op.getResult(), result);
    if (!vanishesInReaders(cast<IndexSpaceOpInterface>(*map),
                           {kMostReadWork})) {
      rewriter.replaceAllUsesWith(result, op.getResult());
      rewriter.eraseOp(map);
      return;
    }
    remark::passed(op.getLoc(), getRemark())
        << remark::add("the slice is computed where the array is read");
    update->replace(rewriter, map);
  }

  /// Reads that only a branch keeps inside stay there, unless the prover makes
  /// them safe.
  void guardReads() {
    SmallVector<AtOp> open;
    getOperation().walk([&](AtOp at) {
      if (at->hasAttr(kGuardedAttr) && !at.getInbounds())
        open.push_back(at);
    });
    if (open.empty())
      return;
    IndexProver prover(getOperation());
    for (AtOp at : open) {
      IndexProver::Assumption assumption = prover.assumeConditionsAt(at);
      bool isProved = llvm::all_of(
          llvm::enumerate(at.getIndices()), [&](const auto &index) {
            OpFoldResult size = getKnownSize(at.getSource(), index.index());
            return size && prover.isInside(index.value(), size);
          });
      if (isProved)
        at->removeAttr(kGuardedAttr);
      else
        at.setInbounds(true);
    }
  }

  void fuse(RewriterBase &rewriter, tensor::InsertSliceOp op) {
    auto options = getRemark();
    if (std::optional<SliceUpdate> update = SliceUpdate::get(op);
        update && update->canJoin(op.getDest(), op) &&
        update->readsOwnPlaces(op.getDest())) {
      remark::passed(op.getLoc(), options)
          << remark::add("the slice is computed with the array before it");
      pieces.insert(update->join(rewriter));
      eraseUnused(rewriter, update->space);
      return;
    }
    if (std::optional<SliceMap> update = SliceMap::get(op);
        update &&
        update->endsItsMaker(withPartners &&
                             (workPerByte || update->readsOwnPoint()))) {
      remark::passed(op.getLoc(), options)
          << remark::add("the slice is computed with the array before it");
      update->replace(rewriter, update->build(rewriter));
      return;
    }
    RankedTensorType type = op.getType();
    if (op.getSourceType().getRank() != type.getRank() ||
        !llvm::all_of(op.getMixedStrides(), [](OpFoldResult stride) {
          return getConstantIntValue(stride) == 1;
        }))
      return;
    SmallVector<OpFoldResult> extents;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (OpFoldResult size = getKnownSize(op.getDest(), d))
        extents.push_back(size);
      else
        return;
    SliceSource source(op);
    if (StringRef why =
            whyNotWorth(op, source, pieces, withPartners, workPerByte);
        !why.empty()) {
      remark::missed(op.getLoc(), options) << remark::reason("{0}", why);
      return;
    }
    remark::passed(op.getLoc(), options)
        << remark::add("the slice is computed with the array around it");
    // Names of the slice's sizes would be uses of it.
    for (Value array = op.getSource(); source.space && source.others.empty() &&
                                       array.getDefiningOp<BindOp>();) {
      auto bind = array.getDefiningOp<BindOp>();
      array = bind.getSource();
      rewriter.modifyOpInPlace(op,
                               [&] { op.getSourceMutable().assign(array); });
      rewriter.eraseOp(bind);
    }
    pieces.insert(UpdateBuilder(rewriter, op, source).build(extents));
  }

  static remark::RemarkOpts getRemark() {
    return remark::RemarkOpts::name("FuseSlice").category("fuse-slices");
  }

  llvm::SmallPtrSet<Operation *, 8> pieces;
};
} // namespace
