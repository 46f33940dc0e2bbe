//===- ArraySizes.cpp - Sizes and ranges of values ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Sizes are values: what upstream asks for by ReifyRankedShapedTypeOpInterface,
// and what our passes ask for by getKnownSize(), which never makes operations.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc::array;

/// The size of a dimension of an index-space operation's result.
static OpFoldResult sizeOfResult(IndexSpaceOpInterface op, OpResult result,
                                 int64_t dim) {
  ResultForm form = op.getResultForm(result.getResultNumber());
  if (form == ResultForm::Update)
    return getKnownSize(
        cast<ScatterOp>(op.getOperation()).getInto()[result.getResultNumber()],
        dim);
  int64_t outer = 0;
  if (form == ResultForm::Element || form == ResultForm::Prefix) {
    outer = op.getNumIndices();
    if (dim < outer)
      return op.getMixedExtents()[dim];
  }
  if (form == ResultForm::Kept) {
    outer = 1;
    if (dim < outer)
      return op->getResult(0);
  }
  // A yielded array has the same sizes at every point; they are known outside
  // if their values are.
  Value yielded =
      op.getYield().getValues()[op.getYieldedIndex(result.getResultNumber())];
  OpFoldResult size = getKnownSize(yielded, dim - outer);
  // The body of an operation that is still being built belongs to none: it is
  // around `op`.
  if (auto value = dyn_cast_if_present<Value>(size))
    if (Operation *parent = value.getParentRegion()->getParentOp();
        parent && op->isAncestor(parent))
      return OpFoldResult();
  return size;
}

OpFoldResult arrc::array::getKnownSize(Value array, int64_t dim) {
  auto type = cast<RankedTensorType>(array.getType());
  if (!type.isDynamicDim(dim))
    return IntegerAttr::get(IndexType::get(type.getContext()),
                            type.getDimSize(dim));
  Operation *op = array.getDefiningOp();
  if (!op)
    return OpFoldResult();
  return llvm::TypeSwitch<Operation *, OpFoldResult>(op)
      .Case([&](BindOp bind) { return bind.getMixedSizes()[dim]; })
      .Case([&](IndexSpaceOpInterface space) {
        return sizeOfResult(space, cast<OpResult>(array), dim);
      })
      .Case([&](ViewOp view) { return view.getMixedExtents()[dim]; })
      .Case<ExtendOp, FenceOp>(
          [&](auto same) { return getKnownSize(same.getSource(), dim); })
      .Case([&](SortOp sort) { return getKnownSize(sort.getKeys(), dim); })
      .Case([&](tensor::CastOp cast) {
        return getKnownSize(cast.getSource(), dim);
      })
      .Case([&](tensor::InsertSliceOp insert) {
        return getKnownSize(insert.getDest(), dim);
      })
      .Case([&](tensor::InsertOp insert) {
        return getKnownSize(insert.getDest(), dim);
      })
      .Case<tensor::SplatOp, tensor::EmptyOp>([&](auto made) {
        return OpFoldResult(
            made.getDynamicSizes()[type.getDynamicDimIndex(dim)]);
      })
      .Case([&](ExternOp call) {
        unsigned number = cast<OpResult>(array).getResultNumber();
        return getKnownSize(call.getOuts()[number], dim);
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return expand.getMixedOutputShape()[dim];
      })
      .Default(OpFoldResult());
}

OpFoldResult arrc::array::getOrCreateSize(OpBuilder &b, Location loc,
                                          Value array, int64_t dim) {
  OpFoldResult size = getKnownSize(array, dim);
  return size ? size : tensor::DimOp::create(b, loc, array, dim).getResult();
}

/// Known sizes of all results; what is not known stays empty.
static LogicalResult reifyKnown(Operation *op,
                                ReifiedRankedShapedTypeDims &shapes) {
  for (Value result : op->getResults()) {
    SmallVector<OpFoldResult> &shape = shapes.emplace_back();
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        shape.push_back(getKnownSize(result, dim));
  }
  return success();
}

/// Sizes of the source where nothing better is known.
static LogicalResult reifyAs(OpBuilder &builder, Operation *op,
                             ValueRange sources,
                             ReifiedRankedShapedTypeDims &shapes) {
  if (failed(reifyKnown(op, shapes)))
    return failure();
  for (auto [source, shape] : llvm::zip(sources, shapes))
    for (auto [dim, size] : llvm::enumerate(shape))
      if (!size)
        size = tensor::getMixedSize(builder, op->getLoc(), source, dim);
  return success();
}

LogicalResult MapOp::reifyResultShapes(OpBuilder &,
                                       ReifiedRankedShapedTypeDims &shapes) {
  return reifyKnown(*this, shapes);
}
LogicalResult
StencilOp::reifyResultShapes(OpBuilder &, ReifiedRankedShapedTypeDims &shapes) {
  return reifyKnown(*this, shapes);
}
LogicalResult ScanOp::reifyResultShapes(OpBuilder &,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyKnown(*this, shapes);
}
LogicalResult FilterOp::reifyResultShapes(OpBuilder &,
                                          ReifiedRankedShapedTypeDims &shapes) {
  return reifyKnown(*this, shapes);
}
LogicalResult
ScatterOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &shapes) {
  return reifyAs(builder, *this, getInto(), shapes);
}
LogicalResult ViewOp::reifyResultShapes(OpBuilder &,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyKnown(*this, shapes);
}
LogicalResult ExtendOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  return reifyAs(builder, *this, getSource(), shapes);
}
LogicalResult SortOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyAs(builder, *this, getArrays(), shapes);
}
LogicalResult FenceOp::reifyResultShapes(OpBuilder &builder,
                                         ReifiedRankedShapedTypeDims &shapes) {
  return reifyAs(builder, *this, getSource(), shapes);
}
LogicalResult BindOp::reifyResultShapes(OpBuilder &,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyKnown(*this, shapes);
}

//===----------------------------------------------------------------------===//
// assume
//===----------------------------------------------------------------------===//

void AssumeOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                 SetIntRangeFn setRange) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(getType());
  if (!getLower() || width == 0) {
    setRange(getResult(), ranges[0]);
    return;
  }
  // A bound that the type cannot hold says nothing.
  auto bound = [&](int64_t value, APInt otherwise) {
    return llvm::isIntN(width, value) ? APInt(width, value, /*isSigned=*/true)
                                      : otherwise;
  };
  ConstantIntRanges fact = ConstantIntRanges::fromSigned(
      bound(*getLower(), APInt::getSignedMinValue(width)),
      bound(*getUpper(), APInt::getSignedMaxValue(width)));
  setRange(getResult(), ranges[0].intersection(fact));
}

void AssumeOp::populateBoundsForIndexValue(Value value,
                                           ValueBoundsConstraintSet &cstr) {
  if (!getValue().getType().isIndex())
    return;
  cstr.bound(value) == getValue();
  if (!getLower())
    return;
  cstr.bound(value) >= static_cast<int64_t>(*getLower());
  if (static_cast<int64_t>(*getUpper()) != std::numeric_limits<int64_t>::max())
    cstr.bound(value) <= static_cast<int64_t>(*getUpper());
}
