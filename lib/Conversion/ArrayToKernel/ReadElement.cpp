//===- ReadElement.cpp - Reads through views and boundaries ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A read goes from the array that is named to the one that lies in memory,
// and takes its index along: a view is its affine map, a boundary on whole
// memory is the edge mode of the load, on a view it is arithmetic.
//
//===----------------------------------------------------------------------===//

#include "BodyEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace arrc;

Value BodyEmitter::toIndex(OpFoldResult value, Location loc) {
  return getValueOrCreateConstantIndexOp(builder, loc, value);
}

Value BodyEmitter::andMask(Value a, Value b, Location loc) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder, loc, a, b);
}

/// The array under names for its sizes, which are kept for the launch.
Value BodyEmitter::skipBinds(Value array) {
  while (auto bind = array.getDefiningOp<array::BindOp>()) {
    if (frame.isOutside(array))
      frame.noteSizes(bind.getSource(), bind.getMixedSizes());
    array = bind.getSource();
  }
  return array;
}

//===----------------------------------------------------------------------===//
// Checked reads
//===----------------------------------------------------------------------===//

LogicalResult BodyEmitter::checkIndex(Value array, int64_t dim, Value index,
                                      Location loc, Value &ok) {
  OpFoldResult size = getSize(array, dim);
  if (!size)
    return failure();
  Value good;
  std::string message;
  auto extend = skipBinds(array).getDefiningOp<array::ExtendOp>();
  if (extend && extend.getMode(dim) == array::BoundaryMode::None)
    return checkIndex(extend.getSource(), dim, index, loc, ok);
  if (extend) {
    // Any index is legal, if there is an element at all.
    if (auto number = getConstantIntValue(size); number && *number > 0)
      return success();
    good = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                 toIndex(size, loc),
                                 toIndex(builder.getIndexAttr(0), loc));
    message = "index {0} into an empty array of size {1}";
  } else {
    // One unsigned comparison: sizes are not negative.
    good = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index,
                                 toIndex(size, loc));
    message = "index {0} is outside of a dimension of size {1}";
  }
  kernel::CheckOp::create(builder, loc, kernel::CheckKind::Index, good, message,
                          ValueRange{index, toIndex(size, loc)});
  ok = andMask(ok, good, loc);
  return success();
}

Value BodyEmitter::emitAt(array::AtOp op) {
  SmallVector<Value> index;
  for (Value i : op.getIndices()) {
    index.push_back(getScalar(i));
    if (!index.back())
      return nullptr;
  }
  Value ok;
  if (!op.getInbounds())
    for (auto [d, i] : llvm::enumerate(index))
      if (failed(checkIndex(op.getSource(), d, i, op.getLoc(), ok)))
        return nullptr;
  return readElement(op.getSource(), index, ok, op.getLoc());
}

//===----------------------------------------------------------------------===//
// Boundaries
//===----------------------------------------------------------------------===//

Value BodyEmitter::resolveEdge(array::BoundaryMode mode, Value index,
                               Value size, Location loc) {
  auto constant = [&](int64_t v) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, v);
  };
  auto floorMod = [&](Value x, Value y) -> Value {
    Value r = arith::RemSIOp::create(builder, loc, x, y);
    Value negative = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, r, constant(0));
    Value lifted = arith::AddIOp::create(builder, loc, r, y);
    return arith::SelectOp::create(builder, loc, negative, lifted, r);
  };
  Value one = constant(1);
  // An empty array is read by nobody; its sizes must not divide by zero.
  Value safe = arith::MaxSIOp::create(builder, loc, size, one);
  Value last = arith::SubIOp::create(builder, loc, safe, one);
  switch (mode) {
  case array::BoundaryMode::None:
  case array::BoundaryMode::Fill:
    return index;
  case array::BoundaryMode::Clamp: {
    Value low = arith::MaxSIOp::create(builder, loc, index, constant(0));
    return arith::MinSIOp::create(builder, loc, low, last);
  }
  case array::BoundaryMode::Wrap:
    return floorMod(index, safe);
  case array::BoundaryMode::Mirror: {
    Value period = arith::AddIOp::create(builder, loc, safe, safe);
    Value r = floorMod(index, period);
    Value top = arith::SubIOp::create(builder, loc, period, one);
    Value turned = arith::SubIOp::create(builder, loc, top, r);
    return arith::MinSIOp::create(builder, loc, r, turned);
  }
  case array::BoundaryMode::Reflect: {
    Value twice = arith::AddIOp::create(builder, loc, last, last);
    Value period = arith::MaxSIOp::create(builder, loc, twice, one);
    Value r = floorMod(index, period);
    Value turned = arith::SubIOp::create(builder, loc, period, r);
    return arith::MinSIOp::create(
        builder, loc, r, arith::MinSIOp::create(builder, loc, turned, last));
  }
  }
  llvm_unreachable("unknown mode");
}

static kernel::EdgeMode toEdgeMode(array::BoundaryMode mode) {
  switch (mode) {
  case array::BoundaryMode::None:
  case array::BoundaryMode::Fill:
    return kernel::EdgeMode::None;
  case array::BoundaryMode::Clamp:
    return kernel::EdgeMode::Clamp;
  case array::BoundaryMode::Wrap:
    return kernel::EdgeMode::Wrap;
  case array::BoundaryMode::Mirror:
    return kernel::EdgeMode::Mirror;
  case array::BoundaryMode::Reflect:
    return kernel::EdgeMode::Reflect;
  }
  llvm_unreachable("unknown mode");
}

Value BodyEmitter::readExtended(array::ExtendOp op, ValueRange index,
                                Value mask, Location loc) {
  Value inside;
  SmallVector<std::pair<Value, Value>> fills; // outside of a dimension, value
  for (auto [d, i] : llvm::enumerate(index)) {
    if (op.getMode(d) != array::BoundaryMode::Fill)
      continue;
    OpFoldResult size = getSize(op.getSource(), d);
    Value value = getScalar(op.getFill(d));
    if (!size || !value)
      return nullptr;
    Value good = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       i, toIndex(size, loc));
    inside = andMask(inside, good, loc);
    fills.push_back({good, value});
  }
  Value guard = andMask(mask, inside, loc);

  // A whole array in memory: the load resolves the edges.
  Value source = skipBinds(op.getSource());
  Value read;
  if (Place place = findPlace(source); place && !place.map) {
    SmallVector<kernel::EdgeMode> modes;
    for (array::BoundaryMode mode : op.getModeList())
      modes.push_back(toEdgeMode(mode));
    kernel::EdgesAttr edges;
    if (llvm::any_of(modes, [](auto m) { return m != kernel::EdgeMode::None; }))
      edges = kernel::EdgesAttr::get(builder.getContext(), modes);
    read =
        kernel::LoadOp::create(builder, loc, place.memref, index, edges, guard);
  } else {
    SmallVector<Value> resolved;
    for (auto [d, i] : llvm::enumerate(index)) {
      OpFoldResult size = getSize(op.getSource(), d);
      if (!size)
        return nullptr;
      resolved.push_back(
          resolveEdge(op.getMode(d), i, toIndex(size, loc), loc));
    }
    read = readElement(op.getSource(), resolved, guard, loc);
  }
  if (!read)
    return nullptr;
  // The first dimension that is outside decides.
  for (auto &[good, value] : llvm::reverse(fills))
    read = arith::SelectOp::create(builder, loc, good, read, value);
  return read;
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

Place BodyEmitter::findPlace(Value array) {
  if (auto it = places.find(array); it != places.end())
    return it->second;
  if (lists.contains(array))
    return {};
  if (auto table = array.getDefiningOp<arith::ConstantOp>())
    return isa<SplatElementsAttr>(table.getValue())
               ? Place()
               : makePlace(frame.captureTable(table));
  // Views from outside are looked through, so that nothing is copied.
  if (isa_and_nonnull<array::ViewOp, array::ExtendOp, array::BindOp,
                      tensor::SplatOp>(array.getDefiningOp()) ||
      !frame.isOutside(array))
    return {};
  return makePlace(frame.captureArray(array));
}

Value BodyEmitter::readReshaped(Value source, Value result,
                                ArrayRef<ReassociationIndices> groups,
                                bool collapses, ValueRange index, Value mask,
                                Location loc) {
  // Of each group, the side with several dimensions is `many`.
  Value many = collapses ? source : result;
  SmallVector<Value> mapped;
  for (auto [g, group] : llvm::enumerate(groups)) {
    Value rest = collapses ? index[g] : Value();
    SmallVector<Value> digits(group.size());
    for (int64_t k = group.size() - 1; k >= 0; --k) {
      OpFoldResult size = getSize(many, group[k]);
      if (!size)
        return nullptr;
      if (!collapses)
        continue;
      if (k == 0) {
        digits[k] = rest;
        continue;
      }
      Value value = toIndex(size, loc);
      Value safe = arith::MaxSIOp::create(
          builder, loc, value, arith::ConstantIndexOp::create(builder, loc, 1));
      digits[k] = arith::RemSIOp::create(builder, loc, rest, safe);
      rest = arith::DivSIOp::create(builder, loc, rest, safe);
    }
    if (collapses) {
      mapped.append(digits);
      continue;
    }
    Value linear = index[group[0]];
    for (int64_t k : llvm::drop_begin(group)) {
      Value scaled = arith::MulIOp::create(builder, loc, linear,
                                           toIndex(getSize(many, k), loc));
      linear = arith::AddIOp::create(builder, loc, scaled, index[k]);
    }
    mapped.push_back(linear);
  }
  return readElement(source, mapped, mask, loc);
}

Value BodyEmitter::createIndex(AffineExpr expr, unsigned numDims,
                               ArrayRef<OpFoldResult> operands, Location loc) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!expr.isPureAffine() && sum &&
      (sum.getKind() == AffineExprKind::Add ||
       sum.getKind() == AffineExprKind::Mul)) {
    Value lhs = createIndex(sum.getLHS(), numDims, operands, loc);
    Value rhs = createIndex(sum.getRHS(), numDims, operands, loc);
    return sum.getKind() == AffineExprKind::Add
               ? Value(arith::AddIOp::create(builder, loc, lhs, rhs))
               : Value(arith::MulIOp::create(builder, loc, lhs, rhs));
  }
  AffineMap map = AffineMap::get(numDims, operands.size() - numDims, expr);
  return toIndex(
      affine::makeComposedFoldedAffineApply(builder, loc, map, operands), loc);
}

Value BodyEmitter::readElement(Value array, ValueRange index, Value mask,
                               Location loc) {
  if (Place place = findPlace(array))
    return kernel::LoadOp::create(builder, loc, place.memref,
                                  place.getIndex(builder, loc, index),
                                  kernel::EdgesAttr(), mask);
  if (auto it = lists.find(array); it != lists.end()) {
    // A number picks; else a chain of selects.
    auto type = cast<RankedTensorType>(array.getType());
    int64_t number = 0;
    bool isNumber = true;
    for (auto [d, i] : llvm::enumerate(index)) {
      auto known = getConstantIntValue(i);
      isNumber &= known.has_value();
      number = number * type.getDimSize(d) + known.value_or(0);
    }
    SmallVector<Value> list = it->second;
    if (isNumber && number >= 0 && number < (int64_t)list.size())
      return list[number];
    Value linear = arith::ConstantIndexOp::create(builder, loc, 0);
    for (auto [d, i] : llvm::enumerate(index)) {
      Value size =
          arith::ConstantIndexOp::create(builder, loc, type.getDimSize(d));
      linear = arith::AddIOp::create(
          builder, loc, arith::MulIOp::create(builder, loc, linear, size), i);
    }
    Value picked = list.back();
    for (int64_t k = (int64_t)list.size() - 2; k >= 0; --k) {
      Value here = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, linear,
          arith::ConstantIndexOp::create(builder, loc, k));
      picked = arith::SelectOp::create(builder, loc, here, list[k], picked);
    }
    return picked;
  }
  Operation *op = array.getDefiningOp();
  if (isa_and_nonnull<array::BindOp>(op))
    return readElement(skipBinds(array), index, mask, loc);
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(op))
    return readElement(cast.getSource(), index, mask, loc);
  if (auto extend = dyn_cast_or_null<array::ExtendOp>(op))
    return readExtended(extend, index, mask, loc);
  if (auto splat = dyn_cast_or_null<tensor::SplatOp>(op))
    return getScalar(splat.getInput());
  if (auto table = dyn_cast_or_null<arith::ConstantOp>(op)) {
    auto splat = cast<SplatElementsAttr>(table.getValue());
    if (isa<ComplexType>(splat.getElementType()))
      return mlir::complex::ConstantOp::create(
          builder, loc, splat.getElementType(),
          cast<ArrayAttr>(splat.getSplatValue<Attribute>()));
    return builder.getContext()
        ->getLoadedDialect<arith::ArithDialect>()
        ->materializeConstant(builder, splat.getSplatValue<Attribute>(),
                              splat.getElementType(), loc)
        ->getResult(0);
  }
  if (auto view = dyn_cast_or_null<array::ViewOp>(op)) {
    SmallVector<OpFoldResult> operands(index.begin(), index.end());
    for (Value symbol : view.getSymbols()) {
      Value inside = getScalar(symbol);
      if (!inside)
        return nullptr;
      operands.push_back(inside);
    }
    SmallVector<Value> mapped;
    for (AffineExpr result : view.getMap().getResults())
      mapped.push_back(
          createIndex(result, view.getMap().getNumDims(), operands, loc));
    return readElement(view.getSource(), mapped, mask, loc);
  }
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
    SmallVector<OpFoldResult> strides = slice.getMixedStrides();
    SmallVector<Value> mapped;
    unsigned next = 0;
    for (unsigned d = 0; d < offsets.size(); ++d) {
      Value at = toIndex(getScalar(offsets[d]), loc);
      if (!dropped.test(d)) {
        Value step = toIndex(getScalar(strides[d]), loc);
        Value shift = arith::MulIOp::create(builder, loc, index[next++], step);
        at = arith::AddIOp::create(builder, loc, at, shift);
      }
      mapped.push_back(at);
    }
    return readElement(slice.getSource(), mapped, mask, loc);
  }
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op))
    return readReshaped(collapse.getSrc(), array,
                        collapse.getReassociationIndices(), true, index, mask,
                        loc);
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    return readReshaped(expand.getSrc(), array,
                        expand.getReassociationIndices(), false, index, mask,
                        loc);
  if (op && op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1) {
    // The same operation on one element of each operand.
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      Value element = isa<RankedTensorType>(operand.getType())
                          ? readElement(operand, index, mask, loc)
                          : getScalar(operand);
      if (!element)
        return nullptr;
      mapping.map(operand, element);
    }
    Operation *scalar = builder.clone(*op, mapping);
    scalar->getResult(0).setType(
        cast<RankedTensorType>(array.getType()).getElementType());
    return scalar->getResult(0);
  }
  if (op)
    op->emitOpError("cannot be read element by element in a kernel");
  else
    emitError(loc, "an array of a body cannot be read in a kernel");
  return nullptr;
}
