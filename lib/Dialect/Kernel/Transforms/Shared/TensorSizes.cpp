//===- TensorSizes.cpp - Sizes of host arrays as values -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TensorSizes.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Support/DimNumber.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Follows a size that is the size of another array.
static OpFoldResult simplify(OpFoldResult size, SizeResolver resolve) {
  auto value = dyn_cast_or_null<Value>(size);
  if (!value)
    return size;
  if (auto number = getConstantIntValue(value))
    return Builder(value.getContext()).getIndexAttr(*number);
  if (auto dim = value.getDefiningOp<tensor::DimOp>())
    if (auto number = getDimNumber(dim))
      if (OpFoldResult other =
              findTensorSize(dim.getSource(), *number, resolve))
        return other;
  return size;
}

OpFoldResult kernel::findTensorSize(Value array, unsigned dim,
                                    SizeResolver resolve) {
  auto type = cast<RankedTensorType>(array.getType());
  if (!type.isDynamicDim(dim))
    return Builder(array.getContext()).getIndexAttr(type.getDimSize(dim));
  if (resolve)
    if (OpFoldResult size = resolve(array, dim))
      return size;
  if (auto argument = dyn_cast<BlockArgument>(array)) {
    auto loop = dyn_cast<IterateOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return {};
    for (auto [k, carried] : llvm::enumerate(loop.getCarriedArgs()))
      if (carried == argument ||
          (loop.getRotates()[k] &&
           loop.getRotateArgs()[loop.getRotateOf(k)] == argument))
        return simplify(loop.getMixedSizes(k)[dim], resolve);
    return {};
  }
  auto result = cast<OpResult>(array);
  unsigned k = result.getResultNumber();
  Operation *op = result.getOwner();
  if (auto launch = dyn_cast<LaunchOp>(op))
    return simplify(launch.getOuterSize(launch.getNumInputs() + k, dim),
                    resolve);
  if (auto loop = dyn_cast<IterateOp>(op))
    return simplify(loop.getMixedSizes(k)[dim], resolve);
  if (auto bind = dyn_cast<array::BindOp>(op))
    return simplify(bind.getMixedSizes()[dim], resolve);
  if (auto fence = dyn_cast<array::FenceOp>(op))
    return findTensorSize(fence.getSource(), dim, resolve);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return simplify(empty.getMixedSizes()[dim], resolve);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return findTensorSize(insert.getDest(), dim, resolve);
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return findTensorSize(insert.getDest(), dim, resolve);
  if (auto put = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    return findTensorSize(put.getDest(), dim, resolve);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return findTensorSize(cast.getSource(), dim, resolve);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    OpFoldResult a = findTensorSize(select.getTrueValue(), dim, resolve);
    OpFoldResult b = findTensorSize(select.getFalseValue(), dim, resolve);
    return a && b && isEqualConstantIntOrValue(a, b) ? a : OpFoldResult();
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    OpFoldResult a =
        findTensorSize(branch.thenYield().getOperand(k), dim, resolve);
    OpFoldResult b =
        findTensorSize(branch.elseYield().getOperand(k), dim, resolve);
    return a && b && isEqualConstantIntOrValue(a, b) ? a : OpFoldResult();
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [d, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(d) && dim-- == 0)
        return simplify(size, resolve);
  }
  return {};
}

OpFoldResult kernel::getTensorSize(Value array, unsigned dim,
                                   Operation *anchor) {
  if (OpFoldResult size = findTensorSize(array, dim))
    return size;
  for (Operation *user : array.getUsers())
    if (auto known = dyn_cast<tensor::DimOp>(user);
        known && getDimNumber(known) == static_cast<int64_t>(dim))
      if (Operation *here = known->getBlock()->findAncestorOpInBlock(*anchor))
        if (known->isBeforeInBlock(here))
          return known.getResult();
  OpBuilder builder(anchor);
  return tensor::DimOp::create(builder, anchor->getLoc(), array, dim)
      .getResult();
}

void kernel::separateEmptyTensors(Operation *root) {
  SmallVector<tensor::EmptyOp> empties;
  root->walk([&](tensor::EmptyOp empty) { empties.push_back(empty); });
  for (tensor::EmptyOp empty : empties) {
    // Each stands where it is used, hence in the body of the loop that makes it
    // in every step.
    for (OpOperand &use : llvm::make_early_inc_range(empty->getUses())) {
      OpBuilder builder(use.getOwner());
      use.set(builder.clone(*empty)->getResult(0));
    }
    empty.erase();
  }
}
