//===- FuseBoundaries.cpp - Boundaries of fused producers -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Part of arr-fuse-producers: reads of a map through `array.extend`.
//
//===----------------------------------------------------------------------===//

#include "FuseProducers.h"

#include "arrc/Analysis/AccessPattern.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Whether `array` has the shape of the index space.
static bool hasExtents(Value array, IndexSpaceOpInterface space) {
  auto type = cast<RankedTensorType>(array.getType());
  if (type.getRank() != space.getNumIndices())
    return false;
  for (auto [dim, extent] : llvm::enumerate(space.getMixedExtents())) {
    OpFoldResult size = getKnownSize(array, dim);
    if (!size || !isEqualConstantIntOrValue(size, extent))
      return false;
  }
  return true;
}

bool arrc::array::canResolve(IndexSpaceOpInterface producer, ExtendOp extend) {
  // Dimensions inside of a yielded array are not extended.
  for (unsigned dim = producer.getNumIndices(); dim < extend.getModes().size();
       ++dim)
    if (extend.getMode(dim) != BoundaryMode::None)
      return false;
  return extend.getFills().empty();
}

bool arrc::array::canExtendReads(IndexSpaceOpInterface producer,
                                 ExtendOp extend) {
  return canResolve(producer, extend) && readsOwnIndexOnly(producer);
}

bool arrc::array::readsOwnIndexOnly(IndexSpaceOpInterface producer) {
  for (Value index : producer.getIndices())
    for (Operation *user : index.getUsers()) {
      auto at = dyn_cast<AtOp>(user);
      if (!at || !at.getInbounds() ||
          at->getBlock() != producer.getBodyBlock() ||
          !llvm::equal(at.getIndices(), producer.getIndices()) ||
          at.getSource().getDefiningOp<ExtendOp>() ||
          !hasExtents(at.getSource(), producer))
        return false;
    }
  return true;
}

void arrc::array::extendRead(RewriterBase &rewriter, AtOp at, ExtendOp extend) {
  auto type = cast<RankedTensorType>(at.getSource().getType());
  SmallVector<BoundaryMode> modes = extend.getModeList();
  modes.resize(type.getRank(), BoundaryMode::None);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(at.getSource());
  Value extended = ExtendOp::create(rewriter, at.getLoc(), at.getSource(),
                                    modes, ValueRange());
  rewriter.modifyOpInPlace(at, [&] { at.getSourceMutable().assign(extended); });
}

/// `a mod n` with the sign of `n`, which is positive.
static Value floorMod(OpBuilder &b, Location loc, Value a, Value n) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value rest = arith::RemSIOp::create(b, loc, a, n);
  Value negative =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, rest, zero);
  Value shifted = arith::AddIOp::create(b, loc, rest, n);
  return arith::SelectOp::create(b, loc, negative, shifted, rest);
}

/// The index inside of `0 .. n` that `index`, which lies outside, stands for;
/// `isNear`: one element outside at most.
static Value turnIndex(OpBuilder &b, Location loc, BoundaryMode mode,
                       Value index, Value n, bool isNear, bool isBelow) {
  if (mode == BoundaryMode::Wrap) {
    if (isNear && isBelow)
      return arith::AddIOp::create(b, loc, index, n);
    return isNear ? Value(arith::SubIOp::create(b, loc, index, n))
                  : floorMod(b, loc, index, n);
  }
  // One period, then the way back: n-1 .. 0 with the edge, n-2 .. 1 without.
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value last = arith::SubIOp::create(b, loc, n, one);
  bool edge = mode == BoundaryMode::Mirror;
  Value top = arith::AddIOp::create(b, loc, last, edge ? n : last);
  Value period = edge ? Value(arith::AddIOp::create(b, loc, n, n))
                      : Value(arith::MaxSIOp::create(b, loc, top, one));
  Value k = floorMod(b, loc, index, period);
  Value back = arith::SubIOp::create(b, loc, top, k);
  return arith::MinSIOp::create(b, loc, k, back);
}

/// The index inside of `0 .. n` that `index` stands for. What is inside is
/// itself by choices that loops over the inside are without.
static Value resolveIndex(OpBuilder &b, Location loc, BoundaryMode mode,
                          Value index, Value n, bool isNear) {
  if (mode == BoundaryMode::None)
    return index;
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  if (mode == BoundaryMode::Clamp) {
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value last = arith::SubIOp::create(b, loc, n, one);
    Value low = arith::MinSIOp::create(b, loc, index, last);
    return arith::MaxSIOp::create(b, loc, low, zero);
  }
  assert(mode != BoundaryMode::Fill && "a fill has no place inside");
  Value resolved = index;
  for (bool isBelow : {false, true}) {
    Value isOutside = arith::CmpIOp::create(
        b, loc, isBelow ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sge,
        index, isBelow ? zero : n);
    Value turned = turnIndex(b, loc, mode, index, n, isNear, isBelow);
    resolved = arith::SelectOp::create(b, loc, isOutside, turned, resolved);
  }
  return resolved;
}

/// Whether `index` lies at most one element outside of `0 .. extent`: it is, or
/// is next to, an index of a loop that goes over as much.
static bool isNear(Value index, OpFoldResult extent) {
  LinearIndex form(index);
  if (form.getTerms().size() != 1 || std::abs(form.getConstant()) > 1)
    return false;
  auto [value, factor] = form.getTerms().front();
  auto argument = dyn_cast<BlockArgument>(value);
  auto space =
      argument
          ? dyn_cast<IndexSpaceOpInterface>(argument.getOwner()->getParentOp())
          : IndexSpaceOpInterface();
  if (factor != 1 || !space)
    return false;
  for (auto [own, size] :
       llvm::zip(space.getIndices(), space.getMixedExtents()))
    if (own == argument)
      return isEqualConstantIntOrValue(size, extent);
  return false;
}

SmallVector<Value> arrc::array::resolveIndices(RewriterBase &rewriter,
                                               Location loc, ExtendOp extend,
                                               IndexSpaceOpInterface producer,
                                               ValueRange point) {
  SmallVector<Value> resolved;
  SmallVector<OpFoldResult> extents = producer.getMixedExtents();
  for (auto [dim, index] : llvm::enumerate(point))
    resolved.push_back(resolveIndex(
        rewriter, loc, extend.getMode(dim), index,
        getValueOrCreateConstantIndexOp(rewriter, loc, extents[dim]),
        isNear(index, extents[dim])));
  return resolved;
}
