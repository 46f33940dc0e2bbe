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
// Legal always: slices lie inside of their arrays. Reads of the slice's body
// hold where the branch is taken, so they lose `inbounds` and are proved again.
//
// Pays if the array must be copied anyway: it is an argument, or the slice is
// computed from other elements of it. Or if it is filled first and then only
// read: concatenated arrays are computed where they are read. An array that
// dies here is updated in place, which is cheaper.
//
// Source: in-place updates as in Futhark (Henriksen et al., PLDI 2017), and
// where they do not pay.
//
//===----------------------------------------------------------------------===//

#include "FuseProducers.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/SourceNames.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/Binds.h"
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

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

/// Whether `map` reads `array` at another element than the one where its own
/// goes.
static bool readsElsewhere(IndexSpaceOpInterface map, Value array,
                           tensor::InsertSliceOp insert) {
  bool elsewhere = false;
  map->walk([&](AtOp at) {
    Value source = at.getSource();
    while (isa_and_present<BindOp, ExtendOp>(source.getDefiningOp()))
      source = source.getDefiningOp()->getOperand(0);
    if (source != array)
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

/// Why the update stays one; empty if it becomes part of a map.
/// `pieces` are maps that updates before this one became.
static StringRef whyNotWorth(tensor::InsertSliceOp insert,
                             IndexSpaceOpInterface map,
                             const llvm::SmallPtrSetImpl<Operation *> &pieces) {
  Value dest = skipBinds(insert.getDest());
  bool readOnly = isReadInBodiesOnly(insert.getResult());
  Operation *made = dest.getDefiningOp();
  if (isa_and_present<tensor::SplatOp>(made) || pieces.contains(made))
    return readOnly ? "" : "the slices are written where they belong";
  bool isParameter = bool(getParameter(dest));
  if (!map)
    return readOnly && isParameter ? "" : "the slice is an array of its own";
  if (isParameter || readsElsewhere(map, dest, insert))
    return "";
  return "the array is updated in place";
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// `value` minus `offset`.
static Value subtract(OpBuilder &b, Location loc, Value value,
                      OpFoldResult offset) {
  AffineExpr form = b.getAffineDimExpr(0) - b.getAffineSymbolExpr(0);
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(b, loc, form, {value, offset}));
}

namespace {
/// Builds the map that takes the place of one update.
class UpdateBuilder {
public:
  UpdateBuilder(RewriterBase &rewriter, tensor::InsertSliceOp insert,
                IndexSpaceOpInterface source)
      : rewriter(rewriter), insert(insert), source(source),
        loc(insert.getLoc()), offsets(insert.getMixedOffsets()) {}

  MapOp build(ArrayRef<OpFoldResult> extents) {
    rewriter.setInsertionPoint(insert);
    findEnds(extents);
    auto map = MapOp::create(rewriter, loc, TypeRange(insert.getType()),
                             extents, /*dims=*/getNames());
    SmallVector<Type> types(extents.size(), rewriter.getIndexType());
    Block *body = rewriter.createBlock(
        &map.getBody(), {}, types, SmallVector<Location>(types.size(), loc));
    Value inside = buildCondition(body->getArguments());
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
    // What made the slice goes, with the names of its sizes.
    if (source && source->use_empty())
      rewriter.eraseOp(source);
    return map;
  }

private:
  /// Where the slice ends in each dimension that it does not fill.
  void findEnds(ArrayRef<OpFoldResult> extents) {
    AffineExpr sum =
        rewriter.getAffineSymbolExpr(0) + rewriter.getAffineSymbolExpr(1);
    for (auto [d, size] : llvm::enumerate(insert.getMixedSizes())) {
      bool fills = getConstantIntValue(offsets[d]) == 0 &&
                   isEqualConstantIntOrValue(size, extents[d]);
      ends.push_back(fills ? Value()
                           : getValueOrCreateConstantIndexOp(
                                 rewriter, loc,
                                 affine::makeComposedFoldedAffineApply(
                                     rewriter, loc, sum, {offsets[d], size})));
    }
  }

  ArrayAttr getNames() {
    if (!source)
      return {};
    if (auto map = dyn_cast<MapOp>(*source))
      return map.getDimsAttr();
    return cast<StencilOp>(*source).getDimsAttr();
  }

  Value buildCondition(ValueRange indices) {
    Value all;
    auto also = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
      Value one = arith::CmpIOp::create(rewriter, loc, predicate, lhs, rhs);
      all = all ? Value(arith::AndIOp::create(rewriter, loc, all, one)) : one;
    };
    for (auto [d, index] : llvm::enumerate(indices)) {
      if (!ends[d])
        continue;
      if (getConstantIntValue(offsets[d]) != 0)
        also(arith::CmpIPredicate::sge, index,
             getValueOrCreateConstantIndexOp(rewriter, loc, offsets[d]));
      also(arith::CmpIPredicate::slt, index, ends[d]);
    }
    return all ? all
               : Value(arith::ConstantOp::create(rewriter, loc,
                                                 rewriter.getBoolAttr(true)));
  }

  Value readSlice(ValueRange indices) {
    SmallVector<Value> point;
    for (auto [d, index] : llvm::enumerate(indices))
      point.push_back(subtract(rewriter, loc, index, offsets[d]));
    if (!source)
      return AtOp::create(rewriter, loc, insert.getSource(), point,
                          /*inbounds=*/false);
    IRMapping mapping;
    mapping.map(source.getIndices(), point);
    for (Operation &op : source.getBodyBlock()->without_terminator()) {
      Operation *copy = rewriter.clone(op, mapping);
      copy->walk([](AtOp at) { at.setInbounds(false); });
    }
    return mapping.lookupOrDefault(source.getYield().getValues().front());
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
  Location loc;
  SmallVector<OpFoldResult> offsets;
  /// Null where the slice fills the dimension.
  SmallVector<Value> ends;
};
} // namespace

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct FuseSlicesPass : arrc::array::impl::FuseSlicesPassBase<FuseSlicesPass> {
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
  }

  void fuse(RewriterBase &rewriter, tensor::InsertSliceOp op) {
    auto options =
        remark::RemarkOpts::name("FuseSlice").category("fuse-slices");
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
    IndexSpaceOpInterface source = findOwnProducer(op.getSource());
    if (StringRef why = whyNotWorth(op, source, pieces); !why.empty()) {
      remark::missed(op.getLoc(), options) << remark::reason("{0}", why);
      return;
    }
    remark::passed(op.getLoc(), options)
        << remark::add("the slice is computed with the array around it");
    // Names of the slice's sizes would be uses of it.
    for (Value array = op.getSource();
         source && array.getDefiningOp<BindOp>();) {
      auto bind = array.getDefiningOp<BindOp>();
      array = bind.getSource();
      rewriter.modifyOpInPlace(op,
                               [&] { op.getSourceMutable().assign(array); });
      rewriter.eraseOp(bind);
    }
    pieces.insert(UpdateBuilder(rewriter, op, source).build(extents));
  }

  llvm::SmallPtrSet<Operation *, 8> pieces;
};
} // namespace
