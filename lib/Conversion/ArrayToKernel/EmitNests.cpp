//===- EmitNests.cpp - Loops for operations with an index space -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BodyEmitter.h"

#include "arrc/Support/Combiner.h"

using namespace mlir;
using namespace arrc;

/// The scalar types that a list of scalars and small arrays is made of.
static SmallVector<Type> flattenTypes(TypeRange types) {
  SmallVector<Type> flat;
  for (Type type : types) {
    if (auto array = dyn_cast<RankedTensorType>(type))
      flat.append(array.getNumElements(), array.getElementType());
    else
      flat.push_back(type);
  }
  return flat;
}

LogicalResult BodyEmitter::emitNest(Location loc,
                                    ArrayRef<OpFoldResult> extents,
                                    ArrayRef<std::string> names,
                                    NestBody body) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> indices;
  for (auto [extent, name] : llvm::zip(extents, names)) {
    auto loop = kernel::ForOp::create(builder, loc,
                                      frame.getDimName(name, extent), extent);
    indices.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBodyBlock());
  }
  return body(indices);
}

/// The extents inside of the launch; fails if one is not known there.
static LogicalResult getExtents(BodyEmitter &emitter,
                                array::IndexSpaceOpInterface op,
                                SmallVectorImpl<OpFoldResult> &extents) {
  for (OpFoldResult extent : op.getMixedExtents()) {
    OpFoldResult inside = emitter.getScalar(extent);
    if (!inside)
      return failure();
    if (auto number = getConstantIntValue(inside))
      inside = emitter.getBuilder().getIndexAttr(std::max<int64_t>(*number, 0));
    extents.push_back(inside);
  }
  return success();
}

LogicalResult BodyEmitter::emitMap(array::IndexSpaceOpInterface op,
                                   ArrayRef<Place> places) {
  SmallVector<OpFoldResult> extents;
  if (failed(getExtents(*this, op, extents)))
    return failure();
  return emitNest(
      op.getLoc(), extents, op.getIndexNames(),
      [&](ValueRange indices) -> LogicalResult {
        for (auto [original, index] : llvm::zip(op.getIndices(), indices))
          scalars[original] = index;
        array::YieldOp yield = op.getYield();
        for (auto [value, place] : llvm::zip(yield.getValues(), places))
          promise(value, getSubPlace(place, indices));
        if (failed(emitBlock(*op.getBodyBlock())))
          return failure();
        for (auto [value, place] : llvm::zip(yield.getValues(), places))
          if (failed(storeYield(value, place, indices, yield.getLoc())))
            return failure();
        return success();
      });
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

LogicalResult BodyEmitter::emitCombiner(Region &from, Region &to,
                                        TypeRange types, Location loc) {
  // Small arrays are taken apart: their elements are arguments of their own.
  OpBuilder::InsertionGuard guard(builder);
  Block &source = from.front();
  Block *block = to.empty() ? builder.createBlock(&to) : &to.front();
  builder.setInsertionPointToStart(block);
  for (BlockArgument argument : source.getArguments()) {
    auto array = dyn_cast<RankedTensorType>(argument.getType());
    if (!array) {
      scalars[argument] =
          block->addArgument(argument.getType(), argument.getLoc());
      continue;
    }
    SmallVector<Value> list;
    for (int64_t k = 0; k < array.getNumElements(); ++k)
      list.push_back(
          block->addArgument(array.getElementType(), argument.getLoc()));
    lists[argument] = list;
  }
  if (failed(emitBlock(source)))
    return failure();
  SmallVector<Value> combined;
  for (Value value : cast<array::YieldOp>(source.getTerminator()).getValues()) {
    if (isa<RankedTensorType>(value.getType())) {
      if (failed(getElements(value, loc, combined)))
        return failure();
    } else {
      combined.push_back(getScalar(value));
    }
  }
  if (!block->empty() && block->back().hasTrait<OpTrait::IsTerminator>())
    block->back().erase();
  builder.setInsertionPointToEnd(block);
  kernel::YieldOp::create(builder, loc, combined);
  return success();
}

LogicalResult BodyEmitter::emitFold(array::ReduceOp op, ArrayRef<Type> types,
                                    ValueRange seeds, unsigned depth,
                                    SmallVectorImpl<Value> &indices,
                                    SmallVectorImpl<Value> &folded) {
  auto space = cast<array::IndexSpaceOpInterface>(op.getOperation());
  if (depth == space.getNumIndices()) {
    for (auto [original, index] : llvm::zip(space.getIndices(), indices))
      scalars[original] = index;
    if (failed(emitBlock(*space.getBodyBlock())))
      return failure();
    for (Value value : space.getYield().getValues()) {
      if (isa<RankedTensorType>(value.getType())) {
        if (failed(getElements(value, op.getLoc(), folded)))
          return failure();
        continue;
      }
      Value scalar = getScalar(value);
      if (!scalar)
        return failure();
      folded.push_back(scalar);
    }
    return success();
  }
  OpBuilder::InsertionGuard guard(builder);
  OpFoldResult extent = getScalar(space.getMixedExtents()[depth]);
  if (!extent)
    return failure();
  auto loop = kernel::ForOp::create(
      builder, op.getLoc(),
      frame.getDimName(space.getIndexNames()[depth], extent), extent,
      kernel::ForKind::Reduce, seeds);
  if (failed(emitCombiner(op.getCombiner(), loop.getCombiner(), types,
                          op.getLoc())))
    return failure();
  builder.setInsertionPointToStart(loop.getBodyBlock());
  indices.push_back(loop.getInductionVar());
  SmallVector<Value> inner;
  if (failed(emitFold(op, types, seeds, depth + 1, indices, inner)))
    return failure();
  kernel::YieldOp::create(builder, op.getLoc(), inner);
  folded.append(loop.getResults().begin(), loop.getResults().end());
  return success();
}

/// Splits `flat` into scalars and lists as `results` want them.
LogicalResult BodyEmitter::setTotals(ValueRange results, ValueRange totals) {
  for (Value result : results) {
    auto array = dyn_cast<RankedTensorType>(result.getType());
    if (!array) {
      scalars[result] = totals.front();
      totals = totals.drop_front();
      continue;
    }
    lists[result] = llvm::to_vector(totals.take_front(array.getNumElements()));
    totals = totals.drop_front(array.getNumElements());
  }
  return success();
}

/// The seeds of a fold, small arrays taken apart.
static LogicalResult getSeeds(BodyEmitter &emitter, ValueRange init,
                              Location loc, SmallVectorImpl<Value> &seeds) {
  for (Value value : init) {
    if (isa<RankedTensorType>(value.getType())) {
      if (failed(emitter.getElements(value, loc, seeds)))
        return failure();
      continue;
    }
    seeds.push_back(emitter.getScalar(value));
    if (!seeds.back())
      return failure();
  }
  return success();
}

LogicalResult BodyEmitter::emitReduce(array::ReduceOp op) {
  SmallVector<Type> types = flattenTypes(op.getResultTypes());
  SmallVector<Value> seeds, indices, totals;
  if (failed(getSeeds(*this, op.getInit(), op.getLoc(), seeds)) ||
      failed(emitFold(op, types, seeds, 0, indices, totals)))
    return failure();
  return setTotals(op.getResults(), totals);
}

LogicalResult BodyEmitter::emitScan(array::ScanOp op, ArrayRef<Place> places) {
  Location loc = op.getLoc();
  auto space = cast<array::IndexSpaceOpInterface>(op.getOperation());
  SmallVector<OpFoldResult> extents;
  SmallVector<Value> seeds, values;
  if (failed(getExtents(*this, space, extents)) ||
      failed(getSeeds(*this, op.getInit(), loc, seeds)))
    return failure();
  SmallVector<Type> types = flattenTypes(TypeRange(op.getInit()));
  OpBuilder::InsertionGuard guard(builder);
  auto loop = kernel::ForOp::create(
      builder, loc, frame.getDimName(space.getIndexNames()[0], extents[0]),
      extents[0], kernel::ForKind::Scan, seeds);
  if (failed(emitCombiner(op.getCombiner(), loop.getCombiner(), types, loc)))
    return failure();
  builder.setInsertionPointToStart(loop.getBodyBlock());
  scalars[space.getIndices()[0]] = loop.getInductionVar();
  if (failed(emitBlock(*space.getBodyBlock())))
    return failure();
  for (Value value : space.getYield().getValues()) {
    if (isa<RankedTensorType>(value.getType())) {
      if (failed(getElements(value, loc, values)))
        return failure();
      continue;
    }
    values.push_back(getScalar(value));
    if (!values.back())
      return failure();
  }
  auto prefix = kernel::PrefixOp::create(builder, loc, TypeRange(types), values,
                                         op.getExclusive());
  ValueRange rest = prefix.getResults();
  for (auto [value, place] : llvm::zip(space.getYield().getValues(), places)) {
    auto array = dyn_cast<RankedTensorType>(value.getType());
    int64_t count = array ? array.getNumElements() : 1;
    if (place && array) {
      lists[value] = llvm::to_vector(rest.take_front(count));
      if (failed(
              copyInto(value, getSubPlace(place, loop.getInductionVar()), loc)))
        return failure();
    } else if (place) {
      kernel::StoreOp::create(
          builder, loc, rest.front(), place.memref,
          place.getIndex(builder, loc, loop.getInductionVar()));
    }
    rest = rest.drop_front(count);
  }
  return setTotals(op.getTotals(), loop.getResults());
}

//===----------------------------------------------------------------------===//
// Filter
//===----------------------------------------------------------------------===//

/// A scan that counts; what is kept is stored at its number:
///
///   %count = kernel.for "i" (%i) in %n scan (%c0) by arith.addi {
///     %one = .. keep ..   %at = kernel.prefix exclusive %one
///     kernel.store %x, %R[%at] if %keep }
LogicalResult BodyEmitter::emitFilter(array::FilterOp op,
                                      ArrayRef<Place> places) {
  Location loc = op.getLoc();
  auto space = cast<array::IndexSpaceOpInterface>(op.getOperation());
  SmallVector<OpFoldResult> extents;
  if (failed(getExtents(*this, space, extents)))
    return failure();
  Type type = builder.getI64Type();
  Value none =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 0));
  Value total;
  {
    OpBuilder::InsertionGuard guard(builder);
    auto loop = kernel::ForOp::create(
        builder, loc, frame.getDimName(space.getIndexNames()[0], extents[0]),
        extents[0], kernel::ForKind::Scan, none);
    CombinerOperator by{builder.getStringAttr("arith.addi")};
    buildCombiner(builder, loc, loop.getCombiner(), type, by,
                  kernel::YieldOp::getOperationName());
    builder.setInsertionPointToStart(loop.getBodyBlock());
    scalars[space.getIndices()[0]] = loop.getInductionVar();
    if (failed(emitBlock(*space.getBodyBlock())))
      return failure();
    SmallVector<Value> values;
    for (Value value : space.getYield().getValues()) {
      values.push_back(getScalar(value));
      if (!values.back())
        return failure();
    }
    Value one = arith::ExtUIOp::create(builder, loc, type, values[0]);
    auto prefix =
        kernel::PrefixOp::create(builder, loc, type, one, /*exclusive=*/true);
    // Of what is kept of an element until then, one word is enough.
    Value keep = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                       one, none);
    Value at = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                          prefix.getResult(0));
    for (auto [value, place] :
         llvm::zip(ArrayRef(values).drop_front(), places.drop_front()))
      kernel::StoreOp::create(builder, loc, value, place.memref,
                              place.getIndex(builder, loc, at), keep);
    total = loop.getResult(0);
  }
  kernel::StoreOp::create(builder, loc, total, places.front().memref,
                          ValueRange());
  return success();
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

LogicalResult BodyEmitter::emitScatter(array::ScatterOp op,
                                       ArrayRef<Place> places) {
  Location loc = op.getLoc();
  auto space = cast<array::IndexSpaceOpInterface>(op.getOperation());
  array::YieldOp yield = space.getYield();
  SmallVector<OpFoldResult> extents;
  if (failed(getExtents(*this, space, extents)))
    return failure();
  Region *combiner = op.getCombiner().empty() ? nullptr : &op.getCombiner();
  SmallVector<Operation *> operators;
  if (combiner && op.getInto().size() > 1) {
    operators = getCombinerOps(*combiner);
    if (operators.empty())
      return op.emitError("a histogram of several values needs an operator "
                          "that combines each of them alone");
  }
  return emitNest(
      loc, extents, space.getIndexNames(),
      [&](ValueRange indices) -> LogicalResult {
        for (auto [original, index] : llvm::zip(space.getIndices(), indices))
          scalars[original] = index;
        if (failed(emitBlock(*space.getBodyBlock())))
          return failure();
        SmallVector<Value> at;
        Value mask;
        for (auto [d, original] : llvm::enumerate(yield.getIndices())) {
          Value index = getScalar(original);
          OpFoldResult size = getSize(op.getInto().front(), d);
          if (!index || !size)
            return failure();
          Value extent = toIndex(size, loc);
          Value good = arith::CmpIOp::create(
              builder, loc, arith::CmpIPredicate::ult, index, extent);
          if (op.getOob() == array::OutOfBounds::Fail)
            kernel::CheckOp::create(
                builder, yield.getLoc(), kernel::CheckKind::Index, good,
                "index {0} is outside of a dimension of size {1}",
                ValueRange{index, extent});
          if (op.getOob() == array::OutOfBounds::Clamp) {
            // Nothing is near in an empty array.
            index = resolveEdge(array::BoundaryMode::Clamp, index, extent, loc);
            good = arith::CmpIOp::create(
                builder, loc, arith::CmpIPredicate::ult, index, extent);
          }
          mask = andMask(mask, good, loc);
          at.push_back(index);
        }
        for (auto [k, place] : llvm::enumerate(places)) {
          Value value = yield.getValues()[k];
          auto put = [&](Value element, ValueRange index) -> LogicalResult {
            SmallVector<Value> full = place.getIndex(builder, loc, index);
            if (!combiner) {
              kernel::StoreOp::create(builder, loc, element, place.memref, full,
                                      mask);
              return success();
            }
            auto update = kernel::UpdateOp::create(builder, loc, element,
                                                   place.memref, full, mask);
            if (operators.empty())
              return emitCombiner(*combiner, update.getCombiner(),
                                  TypeRange{element.getType()}, loc);
            buildCombiner(builder, loc, update.getCombiner(),
                          {element.getType()}, toCombinerOperator(operators[k]),
                          kernel::YieldOp::getOperationName());
            return success();
          };
          auto rest = dyn_cast<RankedTensorType>(value.getType());
          if (!rest) {
            Value element = getScalar(value);
            if (!element || failed(put(element, at)))
              return failure();
            continue;
          }
          SmallVector<OpFoldResult> sizes;
          SmallVector<std::string> names;
          for (int64_t d = 0; d < rest.getRank(); ++d) {
            sizes.push_back(getSize(value, d));
            names.push_back("e" + std::to_string(d));
          }
          if (failed(emitNest(loc, sizes, names, [&](ValueRange inner) {
                Value element = readElement(value, inner, nullptr, loc);
                SmallVector<Value> full(at);
                full.append(inner.begin(), inner.end());
                return element ? put(element, full) : failure();
              })))
            return failure();
        }
        return success();
      });
}
