//===- BodyEmitter.cpp - Write loops for the body of an array operation ---===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BodyEmitter.h"

#include "arrc/Dialect/Array/IR/InPlace.h"

#include "arrc/Support/DimNumber.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace arrc;

/// Arrays up to this many elements may be lists of scalars.
static constexpr int64_t maxListSize = 64;

BodyEmitter::BodyEmitter(LaunchFrame &frame)
    : frame(frame), builder(frame.getRoot()->getContext()) {
  builder.setInsertionPoint(frame.getBody().getTerminator());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value BodyEmitter::getScalar(Value original) {
  if (Value inside = scalars.lookup(original))
    return inside;
  if (frame.isOutside(original))
    return frame.captureScalar(original);
  emitError(original.getLoc(), "a value is used before it is computed");
  return nullptr;
}

OpFoldResult BodyEmitter::getScalar(OpFoldResult original) {
  auto value = dyn_cast<Value>(original);
  if (!value)
    return original;
  Value inside = getScalar(value);
  if (!inside)
    return {};
  if (auto number = getConstantIntValue(inside))
    return builder.getIndexAttr(*number);
  return inside;
}

OpFoldResult BodyEmitter::getSize(Value array, int64_t dim) {
  auto type = cast<RankedTensorType>(array.getType());
  if (!type.isDynamicDim(dim))
    return builder.getIndexAttr(type.getDimSize(dim));
  if (frame.isOutside(array))
    return getScalar(frame.getHostSizes().get(array, dim, frame.getRoot()));
  if (OpFoldResult size = frame.getHostSizes().getKnown(array, dim))
    return getScalar(size);
  if (auto collapse = array.getDefiningOp<tensor::CollapseShapeOp>()) {
    Location loc = collapse.getLoc();
    Value product;
    for (int64_t d : collapse.getReassociationIndices()[dim]) {
      OpFoldResult part = getSize(collapse.getSrc(), d);
      if (!part)
        return {};
      Value size = toIndex(part, loc);
      product =
          product
              ? arith::MulIOp::create(builder, loc, product, size).getResult()
              : size;
    }
    return product;
  }
  emitError(array.getLoc(), "the size of an array is not known in a kernel");
  return {};
}

LogicalResult BodyEmitter::getElements(Value array, Location loc,
                                       SmallVectorImpl<Value> &elements) {
  if (auto it = lists.find(array); it != lists.end()) {
    elements.append(it->second.begin(), it->second.end());
    return success();
  }
  auto type = cast<RankedTensorType>(array.getType());
  if (!type.hasStaticShape() || type.getNumElements() > maxListSize)
    return emitError(loc, "a fold of arrays needs arrays of constant size, at "
                          "most 64 elements");
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  for (int64_t k = 0; k < type.getNumElements(); ++k) {
    SmallVector<Value> index;
    for (int64_t i : delinearize(k, strides))
      index.push_back(arith::ConstantIndexOp::create(builder, loc, i));
    elements.push_back(readElement(array, index, nullptr, loc));
    if (!elements.back())
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Place BodyEmitter::makePlace(Value memref, Place::IndexMap map) {
  Place place;
  place.memref = memref;
  place.map = std::move(map);
  place.id = nextPlace++;
  return place;
}

Place BodyEmitter::makeLocal(Value array, Location loc) {
  auto type = cast<RankedTensorType>(array.getType());
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!type.isDynamicDim(d))
      continue;
    OpFoldResult size = getSize(array, d);
    if (!size)
      return {};
    sizes.push_back(toIndex(size, loc));
  }
  return makePlace(kernel::LocalOp::create(
      builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
      sizes, StringAttr()));
}

Place BodyEmitter::placeFor(Value array, Location loc) {
  Place place;
  if (auto it = promised.find(array); it != promised.end()) {
    place = it->second;
    promised.erase(it);
  } else {
    place = makeLocal(array, loc);
  }
  if (place)
    places[array] = place;
  return place;
}

Place BodyEmitter::getSubPlace(const Place &place, ValueRange front) {
  if (!place)
    return {};
  SmallVector<Value> prefix(front);
  return makePlace(place.memref, [place, prefix](OpBuilder &b, Location loc,
                                                 ValueRange index) {
    SmallVector<Value> full(prefix);
    full.append(index.begin(), index.end());
    return place.getIndex(b, loc, full);
  });
}

void BodyEmitter::promise(Value yielded, const Place &place) {
  Operation *op = yielded.getDefiningOp();
  if (place && op && isa<RankedTensorType>(yielded.getType()) &&
      yielded.hasOneUse() &&
      op->getBlock() == yielded.getUses().begin()->getOwner()->getBlock())
    promised[yielded] = place;
}

LogicalResult BodyEmitter::copyInto(Value array, const Place &place,
                                    Location loc) {
  if (auto it = places.find(skipBinds(array));
      it != places.end() && it->second.id == place.id)
    return success();
  // Nobody has stored anything there, and nobody may ask what it is.
  if (skipBinds(array).getDefiningOp<tensor::EmptyOp>())
    return success();
  auto type = cast<RankedTensorType>(array.getType());
  if (auto it = lists.find(array); it != lists.end()) {
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    SmallVector<Value> list = it->second;
    for (auto [k, element] : llvm::enumerate(list)) {
      SmallVector<Value> index;
      for (int64_t i : delinearize(k, strides))
        index.push_back(arith::ConstantIndexOp::create(builder, loc, i));
      kernel::StoreOp::create(builder, loc, element, place.memref,
                              place.getIndex(builder, loc, index));
    }
    return success();
  }
  SmallVector<OpFoldResult> sizes;
  SmallVector<std::string> names;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    sizes.push_back(getSize(array, d));
    if (!sizes.back())
      return failure();
    names.push_back("e" + std::to_string(d));
  }
  return emitNest(loc, sizes, names, [&](ValueRange index) -> LogicalResult {
    Value element = readElement(array, index, nullptr, loc);
    if (!element)
      return failure();
    kernel::StoreOp::create(builder, loc, element, place.memref,
                            place.getIndex(builder, loc, index));
    return success();
  });
}

LogicalResult BodyEmitter::storeYield(Value yielded, const Place &place,
                                      ValueRange index, Location loc) {
  if (isa<RankedTensorType>(yielded.getType())) {
    // A promise that was kept is found under its place.
    auto it = places.find(yielded);
    if (it != places.end() && it->second.memref == place.memref)
      return success();
    return copyInto(yielded, getSubPlace(place, index), loc);
  }
  Value inside = getScalar(yielded);
  if (!inside)
    return failure();
  kernel::StoreOp::create(builder, loc, inside, place.memref,
                          place.getIndex(builder, loc, index));
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult BodyEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(op)))
      return failure();
  return success();
}

LogicalResult BodyEmitter::emitCheck(array::CheckOp op) {
  Value ok = getScalar(op.getOk());
  SmallVector<Value> values;
  for (Value value : op.getValues()) {
    values.push_back(getScalar(value));
    if (!values.back())
      return failure();
  }
  if (!ok)
    return failure();
  auto kind =
      kernel::symbolizeCheckKind(array::stringifyCheckKind(op.getKind()));
  kernel::CheckOp::create(builder, op.getLoc(), *kind, ok, op.getMessage(),
                          values);
  return success();
}

LogicalResult BodyEmitter::emitScalarOp(Operation &op) {
  bool isAllowed = isa<affine::AffineApplyOp, array::AssumeOp>(op) ||
                   isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                                   complex::ComplexDialect>(op.getDialect());
  if (!isAllowed || op.getNumRegions())
    return op.emitOpError("cannot stand in a kernel");
  IRMapping mapping;
  for (Value operand : op.getOperands()) {
    Value inside = getScalar(operand);
    if (!inside)
      return failure();
    mapping.map(operand, inside);
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<OpFoldResult> operands;
    for (Value operand : op.getOperands())
      operands.push_back(mapping.lookup(operand));
    AffineMap map = apply.getAffineMap();
    scalars[apply.getResult()] =
        createIndex(map.getResult(0), map.getNumDims(), operands, op.getLoc());
    return success();
  }
  Operation *made = builder.clone(op, mapping);
  for (auto [original, inside] : llvm::zip(op.getResults(), made->getResults()))
    scalars[original] = inside;
  return success();
}

LogicalResult BodyEmitter::emitOp(Operation &op) {
  if (auto at = dyn_cast<array::AtOp>(op)) {
    Value read = emitAt(at);
    scalars[at.getResult()] = read;
    return success(read != nullptr);
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<Value> index;
    for (Value i : extract.getIndices())
      index.push_back(getScalar(i));
    if (llvm::is_contained(index, Value()))
      return failure();
    Value read = readElement(extract.getTensor(), index, nullptr, op.getLoc());
    scalars[extract.getResult()] = read;
    return success(read != nullptr);
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    auto number = getDimNumber(dim);
    if (!number)
      return op.emitOpError("needs a constant dimension in a kernel");
    OpFoldResult size = getSize(dim.getSource(), *number);
    if (!size)
      return failure();
    scalars[dim.getResult()] = toIndex(size, op.getLoc());
    return success();
  }
  if (auto check = dyn_cast<array::CheckOp>(op))
    return emitCheck(check);
  if (auto reduce = dyn_cast<array::ReduceOp>(op))
    return emitReduce(reduce);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(loop);
  if (llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return emitArrayOp(op);
  return emitScalarOp(op);
}

LogicalResult BodyEmitter::emitArrayOp(Operation &op) {
  Location loc = op.getLoc();
  // Reads resolve these.
  if (isa<array::BindOp, array::ViewOp, array::ExtendOp, tensor::CastOp,
          tensor::ExtractSliceOp, tensor::CollapseShapeOp,
          tensor::ExpandShapeOp, tensor::SplatOp, arith::ConstantOp>(op))
    return success();
  if (auto space = dyn_cast<array::IndexSpaceOpInterface>(op)) {
    SmallVector<Place> targets;
    if (auto scatter = dyn_cast<array::ScatterOp>(op)) {
      for (auto [into, result] :
           llvm::zip(scatter.getInto(), scatter.getResults())) {
        Place place;
        if (canWriteInto(into, op)) {
          place = places[skipBinds(into)];
          places[result] = place;
          promised.erase(result);
        } else {
          place = placeFor(result, loc);
          if (!place || failed(copyInto(into, place, loc)))
            return failure();
        }
        targets.push_back(place);
      }
      return emitScatter(scatter, targets);
    }
    for (Value result : op.getResults()) {
      if (space.getResultForm(cast<OpResult>(result).getResultNumber()) ==
          array::ResultForm::Total)
        break;
      targets.push_back(placeFor(result, loc));
      if (!targets.back())
        return failure();
    }
    if (auto scan = dyn_cast<array::ScanOp>(op))
      return emitScan(scan, targets);
    return emitMap(space, targets);
  }
  Value result = op.getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  if (auto list = dyn_cast<tensor::FromElementsOp>(op)) {
    SmallVector<Value> elements;
    for (Value element : list.getElements()) {
      elements.push_back(getScalar(element));
      if (!elements.back())
        return failure();
    }
    lists[result] = elements;
    return success();
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return emitInsert(op, insert.getDest());
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return emitInsert(op, insert.getDest());
  if (isa<tensor::EmptyOp>(op))
    return success(static_cast<bool>(placeFor(result, loc)));
  if (op.hasTrait<OpTrait::Elementwise>()) {
    if (type.hasStaticShape() && type.getNumElements() <= maxListSize) {
      SmallVector<Value> elements;
      if (failed(getElements(result, loc, elements)))
        return failure();
      lists[result] = elements;
      return success();
    }
    Place place = placeFor(result, loc);
    places.erase(result);
    if (!place || failed(copyInto(result, place, loc)))
      return failure();
    places[result] = place;
    return success();
  }
  return op.emitOpError("cannot stand in a kernel");
}

//===----------------------------------------------------------------------===//
// Updates of an array
//===----------------------------------------------------------------------===//

bool BodyEmitter::diesAt(Value array, Operation &writer, bool within) {
  bool fromOutside = updated.contains({array, writer.getBlock()});
  if (array.getParentBlock() != writer.getBlock() && !fromOutside)
    return false;
  SmallVector<Value> aliases{array};
  for (size_t k = 0; k < aliases.size(); ++k)
    for (Operation *user : aliases[k].getUsers()) {
      Operation *here = writer.getBlock()->findAncestorOpInBlock(*user);
      // What is not in the branch stands in front of it, or in the other one.
      if (!here ? !fromOutside
                : (here != &writer && writer.isBeforeInBlock(here)) ||
                      (here == &writer && user != here && !within))
        return false;
      for (Value result : user->getResults())
        if (isa<RankedTensorType>(result.getType()) &&
            !places.contains(result) && !lists.contains(result) &&
            user != &writer)
          aliases.push_back(result);
    }
  return true;
}

/// True if nothing reads `dest` after `writer` made its result of it, so that
/// the result may lie in its place.
bool BodyEmitter::canWriteInto(Value dest, Operation &writer) {
  Value array = skipBinds(dest);
  return places.contains(array) && diesAt(array, writer, /*within=*/false);
}

LogicalResult BodyEmitter::emitInsert(Operation &op, Value dest) {
  Location loc = op.getLoc();
  Value result = op.getResult(0);
  bool isInPlace = canWriteInto(dest, op);
  Place place;
  if (isInPlace) {
    place = places[skipBinds(dest)];
    places[result] = place;
    promised.erase(result);
  } else {
    if (array::isMarkedInPlace(loc) && places.contains(skipBinds(dest)))
      return emitError(loc, array::kCopiedInPlace);
    place = placeFor(result, loc);
    if (!place || failed(copyInto(dest, place, loc)))
      return failure();
  }
  // A failed check does not end the kernel: what it guards stays inside.
  auto store = [&](Value element, ValueRange index) -> LogicalResult {
    Value mask;
    for (auto [d, i] : llvm::enumerate(index)) {
      OpFoldResult size = getSize(dest, d);
      if (!size)
        return failure();
      auto number = getConstantIntValue(i), limit = getConstantIntValue(size);
      if (number && limit && *number >= 0 && *number < *limit)
        continue;
      Value good = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, i, toIndex(size, loc));
      mask = andMask(mask, good, loc);
    }
    kernel::StoreOp::create(builder, loc, element, place.memref,
                            place.getIndex(builder, loc, index), mask);
    return success();
  };
  if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    SmallVector<Value> index;
    for (Value i : insert.getIndices())
      index.push_back(getScalar(i));
    Value element = getScalar(insert.getScalar());
    if (!element || llvm::is_contained(index, Value()))
      return failure();
    return store(element, index);
  }

  auto insert = cast<tensor::InsertSliceOp>(op);
  Value source = insert.getSource();
  Place copy;
  if (isInPlace && !places.contains(source) && !lists.contains(source)) {
    // A view may look at the place that is written. The copy is for here alone:
    // the source may be read outside of the loop or branch that it lies in.
    copy = makeLocal(source, loc);
    if (!copy || failed(copyInto(source, copy, loc)))
      return failure();
  }
  SmallVector<OpFoldResult> sizes;
  SmallVector<std::string> names;
  for (int64_t d = 0; d < insert.getSourceType().getRank(); ++d) {
    sizes.push_back(getSize(source, d));
    if (!sizes.back())
      return failure();
    names.push_back("e" + std::to_string(d));
  }
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  return emitNest(loc, sizes, names, [&](ValueRange index) -> LogicalResult {
    Value element =
        copy ? kernel::LoadOp::create(builder, loc, copy.memref, index)
                   .getResult()
             : readElement(source, index, nullptr, loc);
    if (!element)
      return failure();
    SmallVector<Value> target;
    unsigned next = 0;
    for (auto [d, offset] : llvm::enumerate(insert.getMixedOffsets())) {
      OpFoldResult start = getScalar(offset);
      if (!start)
        return failure();
      Value at = toIndex(start, loc);
      if (!dropped.test(d)) {
        OpFoldResult step = getScalar(insert.getMixedStrides()[d]);
        if (!step)
          return failure();
        Value shift = index[next++];
        if (!isConstantIntValue(step, 1))
          shift =
              arith::MulIOp::create(builder, loc, shift, toIndex(step, loc));
        at = isConstantIntValue(start, 0)
                 ? shift
                 : arith::AddIOp::create(builder, loc, at, shift).getResult();
      }
      target.push_back(at);
    }
    return store(element, target);
  });
}
