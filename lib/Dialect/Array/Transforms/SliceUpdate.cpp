//===- SliceUpdate.cpp - Slices that are put where they are read ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SliceUpdate.h"

#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Dialect/Array/IR/WrittenSchedule.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

bool arrc::array::visitUses(Value array,
                            function_ref<bool(OpOperand &)> visit) {
  return llvm::all_of(array.getUses(), [&](OpOperand &use) {
    if (auto bind = dyn_cast<BindOp>(use.getOwner());
        bind && use.get() == bind.getSource())
      return visitUses(bind.getResult(), visit);
    return visit(use);
  });
}

void arrc::array::eraseUnused(RewriterBase &rewriter, Operation *op) {
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (isa<BindOp>(user))
      eraseUnused(rewriter, user);
  if (op->use_empty())
    rewriter.eraseOp(op);
}

/// The map or stencil that makes `array` with its own elements.
static IndexSpaceOpInterface getMaker(Value array) {
  auto made = skipBinds(array).getDefiningOp<IndexSpaceOpInterface>();
  bool isMap = made && isa<MapOp, StencilOp>(made.getOperation()) &&
               made->getNumResults() == 1 && !hasWrittenSchedule(made);
  return isMap ? made : IndexSpaceOpInterface();
}

std::optional<SliceUpdate> SliceUpdate::get(tensor::InsertSliceOp insert) {
  IndexSpaceOpInterface space = getMaker(insert.getSource());
  if (!space || space->getBlock() != insert->getBlock() ||
      !llvm::all_of(insert.getMixedStrides(), [](OpFoldResult stride) {
        return getConstantIntValue(stride) == 1;
      }))
    return std::nullopt;
  if (!visitUses(space->getResult(0), [&](OpOperand &use) {
        return use.getOwner() == insert && use.get() != insert.getDest();
      }))
    return std::nullopt;
  SliceUpdate update(insert, space);
  Value element = space.getYield().getValues().front();
  auto vector = dyn_cast<RankedTensorType>(element.getType());
  if (vector && (vector.getRank() != 1 ||
                 !element.getDefiningOp<tensor::FromElementsOp>()))
    return std::nullopt;
  int64_t rank = insert.getType().getRank();
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  if (vector) {
    bool isWhole =
        !dropped.test(rank - 1) &&
        insert.getType().getDimSize(rank - 1) == vector.getDimSize(0) &&
        getConstantIntValue(insert.getMixedOffsets()[rank - 1]) == 0;
    if (!isWhole)
      return std::nullopt;
  }
  unsigned next = 0;
  for (unsigned d = 0; d < update.getOuterRank(); ++d)
    update.walks.push_back(dropped.test(d) ? std::nullopt
                                           : std::optional(next++));
  if (next != space.getIndices().size())
    return std::nullopt;
  return update;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

LinearIndex SliceUpdate::getPlace(unsigned dim) const {
  LinearIndex place = LinearIndex::ofSize(insert.getMixedOffsets()[dim]);
  if (walks[dim])
    place.add(LinearIndex::ofValue(space.getIndices()[*walks[dim]]), 1);
  return place;
}

bool SliceUpdate::isOwnPlace(AtOp at) const {
  if (at.getIndices().size() < getOuterRank())
    return false;
  for (unsigned d = 0; d < getOuterRank(); ++d)
    if (LinearIndex(at.getIndices()[d]) != getPlace(d))
      return false;
  return true;
}

bool SliceUpdate::readsOwnPlaces(Value array) const {
  WalkResult walked = space->walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      Value source = skipViews(operand);
      if (source != skipBinds(array))
        continue;
      auto at = dyn_cast<AtOp>(op);
      if (!at || skipBinds(at.getSource()) != source || !isOwnPlace(at) ||
          at->getBlock() != space.getBodyBlock())
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !walked.wasInterrupted();
}

bool arrc::array::isStraight(IndexSpaceOpInterface space) {
  return !space
              ->walk([&](Operation *op) {
                bool hasLoop = op != space && op->getNumRegions() > 0 &&
                               !isa<scf::IfOp>(op);
                return hasLoop ? WalkResult::interrupt()
                               : WalkResult::advance();
              })
              .wasInterrupted();
}

bool SliceUpdate::canJoin(Value array, Operation *user) const {
  IndexSpaceOpInterface maker = getMaker(array);
  if (!maker || !isStraight(maker) || !isStraight(space) ||
      maker.getIndices().size() != getOuterRank() ||
      isVector() !=
          isa<RankedTensorType>(maker.getYield().getValues().front().getType()))
    return false;
  Block *block = maker->getBlock();
  return visitUses(maker->getResult(0), [&](OpOperand &use) {
    Operation *reader = use.getOwner();
    if (reader == user || reader == insert || space->isAncestor(reader))
      return true;
    auto at = dyn_cast<AtOp>(reader);
    auto around = dyn_cast_if_present<IndexSpaceOpInterface>(
        block->findAncestorOpInBlock(*reader));
    if (!at || !around || at->getBlock() != around.getBodyBlock() ||
        hasWrittenSchedule(around) ||
        !llvm::equal(around.getMixedExtents(), maker.getMixedExtents(),
                     [](OpFoldResult a, OpFoldResult b) {
                       return isEqualConstantIntOrValue(a, b);
                     }))
      return false;
    return llvm::equal(at.getIndices().take_front(getOuterRank()),
                       around.getIndices());
  });
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

SmallVector<Value> SliceUpdate::readAt(OpBuilder &b, Value array,
                                       ValueRange point) const {
  SmallVector<Value> values;
  int64_t count = isVector() ? insert.getType().getShape().back() : 1;
  for (int64_t k = 0; k < count; ++k) {
    SmallVector<Value> at(point);
    if (isVector())
      at.push_back(
          arith::ConstantIndexOp::create(b, insert.getLoc(), k).getResult());
    values.push_back(
        AtOp::create(b, insert.getLoc(), array, at, /*inbounds=*/true));
  }
  return values;
}

Value arrc::array::shift(OpBuilder &b, Location loc, Value value,
                         OpFoldResult offset, int64_t times) {
  AffineExpr form = b.getAffineDimExpr(0) + b.getAffineSymbolExpr(0) * times;
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(b, loc, form, {value, offset}));
}

Value SliceUpdate::makePlace(OpBuilder &b, unsigned dim,
                             ValueRange indices) const {
  OpFoldResult offset = insert.getMixedOffsets()[dim];
  if (!walks[dim])
    return getValueOrCreateConstantIndexOp(b, insert.getLoc(), offset);
  return shift(b, insert.getLoc(), indices[*walks[dim]], offset, 1);
}

/// The numbers that a body yields.
static SmallVector<Value> getNumbers(IndexSpaceOpInterface space) {
  Value element = space.getYield().getValues().front();
  if (auto vector = element.getDefiningOp<tensor::FromElementsOp>();
      vector && isa<RankedTensorType>(element.getType()))
    return vector.getElements();
  return {element};
}

/// Ends a body with numbers, as a vector if they are one.
static void yieldNumbers(OpBuilder &b, Location loc, ValueRange numbers,
                         Type element) {
  Value value = numbers.front();
  if (isa<RankedTensorType>(element))
    value = tensor::FromElementsOp::create(b, loc, element, numbers);
  YieldOp::create(b, loc, value);
}

ArrayAttr arrc::array::getDimNames(IndexSpaceOpInterface space) {
  if (auto map = dyn_cast<MapOp>(*space))
    return map.getDimsAttr();
  return cast<StencilOp>(*space).getDimsAttr();
}

/// A map without a body, and its block.
static std::pair<MapOp, Block *>
createMap(OpBuilder &b, Location loc, Type type, IndexSpaceOpInterface like) {
  SmallVector<OpFoldResult> extents = like.getMixedExtents();
  auto map = MapOp::create(b, loc, TypeRange(type), extents, getDimNames(like));
  SmallVector<Type> types(extents.size(), b.getIndexType());
  Block *body = b.createBlock(&map.getBody(), {}, types,
                              SmallVector<Location>(types.size(), loc));
  return {map, body};
}

SliceBox::SliceBox(OpBuilder &b, tensor::InsertSliceOp insert,
                   ArrayRef<OpFoldResult> extents)
    : loc(insert.getLoc()), offsets(insert.getMixedOffsets()),
      dropped(insert.getDroppedDims()) {
  AffineExpr sum = b.getAffineSymbolExpr(0) + b.getAffineSymbolExpr(1);
  for (auto [extent, offset, size] :
       llvm::zip(extents, offsets, insert.getMixedSizes())) {
    bool fills = getConstantIntValue(offset) == 0 && extent &&
                 isEqualConstantIntOrValue(size, extent);
    ends.push_back(fills ? Value()
                         : getValueOrCreateConstantIndexOp(
                               b, loc,
                               affine::makeComposedFoldedAffineApply(
                                   b, loc, sum, {offset, size})));
  }
}

Value SliceBox::contains(OpBuilder &b, ValueRange point) const {
  Value all;
  auto also = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    Value one = arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
    all = all ? Value(arith::AndIOp::create(b, loc, all, one)) : one;
  };
  for (auto [d, index, end] : llvm::enumerate(point, ends)) {
    bool isRow = dropped.test(d);
    if (!isRow && !end)
      continue;
    if (isRow || getConstantIntValue(offsets[d]) != 0)
      also(isRow ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge, index,
           getValueOrCreateConstantIndexOp(b, loc, offsets[d]));
    if (!isRow)
      also(arith::CmpIPredicate::slt, index, end);
  }
  return all ? all
             : Value(arith::ConstantOp::create(b, loc, b.getBoolAttr(true)));
}

/// The numbers of the slice at `point` of the array, which lies in it. What is
/// read where the slice lies is read at the point: of most arrays it is read
/// there in any case.
SmallVector<Value> SliceUpdate::computeAt(OpBuilder &b,
                                          ValueRange point) const {
  IRMapping mapping;
  for (unsigned d = 0; d < getOuterRank(); ++d)
    if (walks[d])
      mapping.map(
          space.getIndices()[*walks[d]],
          shift(b, insert.getLoc(), point[d], insert.getMixedOffsets()[d], -1));
  for (Operation &op : space.getBodyBlock()->without_terminator()) {
    if (auto at = dyn_cast<AtOp>(op); at && isOwnPlace(at)) {
      SmallVector<Value> indices(point);
      for (Value index : at.getIndices().drop_front(getOuterRank()))
        indices.push_back(mapping.lookupOrDefault(index));
      bool isOfArray = skipBinds(at.getSource()) == skipBinds(insert.getDest());
      mapping.map(at.getResult(),
                  AtOp::create(b, at.getLoc(),
                               mapping.lookupOrDefault(at.getSource()), indices,
                               /*inbounds=*/isOfArray)
                      .getResult());
      continue;
    }
    Operation *copy = b.clone(op, mapping);
    copy->walk([](AtOp at) { at.setInbounds(false); });
  }
  return llvm::map_to_vector(getNumbers(space), [&](Value value) {
    return mapping.lookupOrDefault(value);
  });
}

MapOp SliceUpdate::join(RewriterBase &rewriter) const {
  Location loc = insert.getLoc();
  rewriter.setInsertionPoint(insert);
  SmallVector<OpFoldResult> extents;
  for (unsigned d = 0; d < getOuterRank(); ++d)
    extents.push_back(getKnownSize(insert.getDest(), d));
  SliceBox box(rewriter, insert, extents);
  auto [map, body] =
      createMap(rewriter, loc, insert.getType(), getMaker(insert.getDest()));
  ValueRange point = body->getArguments();
  Value inside = box.contains(rewriter, point);
  SmallVector<Type> types(isVector() ? insert.getType().getShape().back() : 1,
                          insert.getType().getElementType());
  auto branch = scf::IfOp::create(rewriter, loc, types, inside,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(rewriter, loc, computeAt(rewriter, point));
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc,
                       readAt(rewriter, insert.getDest(), point));
  rewriter.setInsertionPointToEnd(body);
  yieldNumbers(rewriter, loc, branch.getResults(),
               space.getYield().getValues().front().getType());
  rewriter.replaceOp(insert, map.getResults());
  return map;
}

Value SliceUpdate::repeat(RewriterBase &rewriter, Value array,
                          Value condition) const {
  Location loc = insert.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  auto [map, body] =
      createMap(rewriter, loc, space->getResult(0).getType(), space);
  IRMapping mapping;
  mapping.map(space.getIndices(), body->getArguments());
  space->walk([&](AtOp at) {
    if (skipBinds(at.getSource()) == skipBinds(insert.getDest()))
      mapping.map(at.getSource(), array);
  });
  for (Operation &op : space.getBodyBlock()->without_terminator())
    rewriter.clone(op, mapping);
  SmallVector<Value> point;
  for (unsigned d = 0; d < getOuterRank(); ++d)
    point.push_back(makePlace(rewriter, d, body->getArguments()));
  SmallVector<Value> values;
  for (auto [value, old] :
       llvm::zip(getNumbers(space), readAt(rewriter, array, point)))
    values.push_back(arith::SelectOp::create(
        rewriter, loc, condition, mapping.lookupOrDefault(value), old));
  yieldNumbers(rewriter, loc, values,
               space.getYield().getValues().front().getType());
  rewriter.setInsertionPointAfter(map);
  return tensor::InsertSliceOp::create(
      rewriter, loc, map.getResult(0), array, insert.getMixedOffsets(),
      insert.getMixedSizes(), insert.getMixedStrides());
}
