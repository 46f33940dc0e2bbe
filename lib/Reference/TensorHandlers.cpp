//===- TensorHandlers.cpp - tensor operations of the evaluator ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace arrc::reference;

/// Offsets, sizes or strides as numbers.
static llvm::SmallVector<int64_t> resolve(Interpreter &interp,
                                          llvm::ArrayRef<OpFoldResult> values) {
  llvm::SmallVector<int64_t> result;
  for (OpFoldResult v : values)
    result.push_back(isa<Value>(v) ? interp.integer(cast<Value>(v))
                                   : *getConstantIntValue(v));
  return result;
}

static LogicalResult runDim(Interpreter &interp, Operation *op) {
  auto dim = cast<tensor::DimOp>(op);
  int64_t d = interp.integer(dim.getIndex());
  const Array &array = interp.array(dim.getSource());
  if (d < 0 || d >= array->rank())
    return interp.fail(op->getLoc(), "index",
                       "there is no dimension " + std::to_string(d));
  interp.set(dim.getResult(), Scalar::integer(array->shape()[d]));
  return success();
}

static LogicalResult runSplat(Interpreter &interp, Operation *op) {
  auto splat = cast<tensor::SplatOp>(op);
  auto type = cast<RankedTensorType>(splat.getType());
  auto result = interp.allocate(op->getLoc(), type,
                                interp.shapeOf(type, splat.getDynamicSizes()));
  if (!result)
    return failure();
  for (int64_t k = 0; k < result->size(); ++k)
    result->set(k, interp.number(splat.getInput()));
  interp.set(splat.getResult(), interp.finish(std::move(result)));
  return success();
}

static LogicalResult runFromElements(Interpreter &interp, Operation *op) {
  auto from = cast<tensor::FromElementsOp>(op);
  auto type = cast<RankedTensorType>(from.getType());
  auto result = interp.allocate(op->getLoc(), type, type.getShape());
  if (!result)
    return failure();
  for (auto [k, v] : llvm::enumerate(from.getElements()))
    result->set(k, interp.number(v));
  interp.set(from.getResult(), interp.finish(std::move(result)));
  return success();
}

/// Nobody may look at the elements, so zeros are as good as others.
static LogicalResult runEmpty(Interpreter &interp, Operation *op) {
  auto empty = cast<tensor::EmptyOp>(op);
  auto type = cast<RankedTensorType>(empty.getType());
  auto result = interp.allocate(op->getLoc(), type,
                                interp.shapeOf(type, empty.getDynamicSizes()));
  if (!result)
    return failure();
  interp.set(empty.getResult(), interp.finish(std::move(result)));
  return success();
}

static LogicalResult runExtract(Interpreter &interp, Operation *op) {
  auto extract = cast<tensor::ExtractOp>(op);
  std::optional<Scalar> s = interp.array(extract.getTensor())
                                ->read(interp.integers(extract.getIndices()));
  if (!s)
    return interp.fail(op->getLoc(), "index", "an index is out of bounds");
  interp.set(extract.getResult(), *s);
  return success();
}

/// A copy that can be written.
static std::shared_ptr<Tensor> copyOf(Interpreter &interp, Location loc,
                                      Type type, const Array &array) {
  auto tensor = interp.densify(loc, array);
  auto copy = tensor ? interp.allocate(loc, type, tensor->shape()) : nullptr;
  if (copy)
    *copy = *tensor;
  return copy;
}

static LogicalResult runInsert(Interpreter &interp, Operation *op) {
  auto insert = cast<tensor::InsertOp>(op);
  auto result = copyOf(interp, op->getLoc(), insert.getType(),
                       interp.array(insert.getDest()));
  if (!result)
    return failure();
  llvm::SmallVector<int64_t> index = interp.integers(insert.getIndices());
  for (auto [i, n] : llvm::zip_equal(index, result->shape()))
    if (i < 0 || i >= n)
      return interp.fail(op->getLoc(), "index", outsideText(i, n));
  result->set(result->position(index), interp.number(insert.getScalar()));
  interp.set(insert.getResult(), interp.finish(std::move(result)));
  return success();
}

namespace {
/// A box of an array and the walk from its positions to the array's.
struct Slice {
  llvm::SmallVector<int64_t> offsets, sizes, strides;

  template <typename Op>
  Slice(Interpreter &interp, Op op)
      : offsets(resolve(interp, op.getMixedOffsets())),
        sizes(resolve(interp, op.getMixedSizes())),
        strides(resolve(interp, op.getMixedStrides())) {}

  bool fits(llvm::ArrayRef<int64_t> shape) const {
    for (size_t d = 0; d < shape.size(); ++d)
      if (sizes[d] < 0 || offsets[d] < 0 || offsets[d] > shape[d] ||
          (sizes[d] > 0 &&
           offsets[d] + (sizes[d] - 1) * strides[d] >= shape[d]))
        return false;
    return true;
  }
  llvm::SmallVector<int64_t> at(llvm::ArrayRef<int64_t> index) const {
    llvm::SmallVector<int64_t> result;
    for (size_t d = 0; d < index.size(); ++d)
      result.push_back(offsets[d] + index[d] * strides[d]);
    return result;
  }
};
} // namespace

static LogicalResult runExtractSlice(Interpreter &interp, Operation *op) {
  auto extract = cast<tensor::ExtractSliceOp>(op);
  Slice slice(interp, extract);
  const Array &source = interp.array(extract.getSource());
  if (!slice.fits(source->shape()))
    return interp.fail(op->getLoc(), "index", "a slice is out of bounds");
  llvm::SmallVector<int64_t> shape;
  llvm::SmallBitVector dropped = extract.getDroppedDims();
  for (size_t d = 0; d < slice.sizes.size(); ++d)
    if (!dropped.test(d))
      shape.push_back(slice.sizes[d]);
  auto result = interp.allocate(op->getLoc(), extract.getType(), shape);
  if (!result)
    return failure();
  int64_t k = 0;
  if (failed(interp.forEach(
          slice.sizes, [&](llvm::ArrayRef<int64_t> index) -> LogicalResult {
            std::optional<Scalar> s = source->read(slice.at(index));
            if (!s)
              return interp.fail(op->getLoc(), "index",
                                 "a slice is out of bounds");
            result->set(k++, *s);
            return success();
          })))
    return failure();
  interp.set(extract.getResult(), interp.finish(std::move(result)));
  return success();
}

static LogicalResult runInsertSlice(Interpreter &interp, Operation *op) {
  auto insert = cast<tensor::InsertSliceOp>(op);
  Slice slice(interp, insert);
  auto source = interp.densify(op->getLoc(), interp.array(insert.getSource()));
  if (!source)
    return failure();
  auto result = copyOf(interp, op->getLoc(), insert.getType(),
                       interp.array(insert.getDest()));
  if (!result)
    return failure();
  if (!slice.fits(result->shape()))
    return interp.fail(op->getLoc(), "index", "a slice is out of bounds");
  if (elementCount(slice.sizes) != source->size())
    return interp.fail(op->getLoc(), "size",
                       "a slice has another size than its value");
  int64_t k = 0;
  if (failed(interp.forEach(slice.sizes, [&](llvm::ArrayRef<int64_t> index) {
        result->set(result->position(slice.at(index)), source->get(k++));
        return success();
      })))
    return failure();
  interp.set(insert.getResult(), interp.finish(std::move(result)));
  return success();
}

/// The same elements in row-major order, another shape.
static LogicalResult reshape(Interpreter &interp, Operation *op,
                             llvm::ArrayRef<int64_t> shape) {
  auto source = interp.densify(op->getLoc(), interp.array(op->getOperand(0)));
  if (!source)
    return failure();
  if (elementCount(shape) != source->size())
    return interp.fail(op->getLoc(), "size",
                       "a reshaped array has another number of elements");
  auto result =
      interp.allocate(op->getLoc(), op->getResult(0).getType(), shape);
  if (!result)
    return failure();
  for (int64_t k = 0; k < source->size(); ++k)
    result->set(k, source->get(k));
  interp.set(op->getResult(0), interp.finish(std::move(result)));
  return success();
}

static LogicalResult runCollapse(Interpreter &interp, Operation *op) {
  auto collapse = cast<tensor::CollapseShapeOp>(op);
  const Array &source = interp.array(collapse.getSrc());
  llvm::SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t d : group)
      shape.back() *= source->shape()[d];
  }
  return reshape(interp, op, shape);
}

static LogicalResult runExpand(Interpreter &interp, Operation *op) {
  auto expand = cast<tensor::ExpandShapeOp>(op);
  return reshape(interp, op, resolve(interp, expand.getMixedOutputShape()));
}

static LogicalResult runReshape(Interpreter &interp, Operation *op) {
  auto shape = interp.densify(
      op->getLoc(), interp.array(cast<tensor::ReshapeOp>(op).getShape()));
  if (!shape)
    return failure();
  llvm::SmallVector<int64_t> sizes;
  for (int64_t k = 0; k < shape->size(); ++k)
    sizes.push_back(shape->get(k).i);
  return reshape(interp, op, sizes);
}

static LogicalResult runCast(Interpreter &interp, Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  const Array &source = interp.array(op->getOperand(0));
  if (!type || type.getRank() != source->rank())
    return interp.fail(op->getLoc(), "unsupported", "a cast to another rank");
  for (auto [have, want] : llvm::zip_equal(source->shape(), type.getShape()))
    if (!ShapedType::isDynamic(want) && have != want)
      return interp.fail(op->getLoc(), "size",
                         "a size is " + std::to_string(have) + ", not " +
                             std::to_string(want));
  interp.set(op->getResult(0), source);
  return success();
}

void arrc::reference::addTensorHandlers(HandlerTable &table) {
  table.add<tensor::DimOp>(runDim);
  table.add<tensor::SplatOp>(runSplat);
  table.add<tensor::FromElementsOp>(runFromElements);
  table.add<tensor::EmptyOp>(runEmpty);
  table.add<tensor::ExtractOp>(runExtract);
  table.add<tensor::InsertOp>(runInsert);
  table.add<tensor::ExtractSliceOp>(runExtractSlice);
  table.add<tensor::InsertSliceOp>(runInsertSlice);
  table.add<tensor::CollapseShapeOp>(runCollapse);
  table.add<tensor::ExpandShapeOp>(runExpand);
  table.add<tensor::ReshapeOp>(runReshape);
  table.add<tensor::CastOp>(runCast);
}
