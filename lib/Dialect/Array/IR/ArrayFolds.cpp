//===- ArrayFolds.cpp - Folds of reads, views and facts -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"

using namespace mlir;
using namespace arrc::array;

Operation *ArrayDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

/// The row-major position of constant indices within a static shape; nothing
/// if an index is not constant or outside.
static std::optional<int64_t> constantPosition(RankedTensorType type,
                                               ArrayRef<Attribute> indices) {
  if (!type.hasStaticShape())
    return std::nullopt;
  int64_t position = 0;
  for (auto [attr, size] : llvm::zip(indices, type.getShape())) {
    auto index = dyn_cast_if_present<IntegerAttr>(attr);
    if (!index || index.getInt() < 0 || index.getInt() >= size)
      return std::nullopt;
    position = position * size + index.getInt();
  }
  return position;
}

OpFoldResult AtOp::fold(FoldAdaptor adaptor) {
  auto type = cast<RankedTensorType>(getSource().getType());
  // Never empty and never outside an extended array, whatever its modes.
  if (isa_and_present<ExtendOp>(getSource().getDefiningOp()))
    return {};
  std::optional<int64_t> position =
      constantPosition(type, adaptor.getIndices());
  if (auto splat = getSource().getDefiningOp<tensor::SplatOp>())
    if (getInbounds() || position)
      return splat.getInput();
  if (!position)
    return {};
  if (auto made = getSource().getDefiningOp<tensor::FromElementsOp>())
    return made.getElements()[*position];
  if (auto dense = dyn_cast_if_present<DenseElementsAttr>(adaptor.getSource()))
    if (!isa<ComplexType>(type.getElementType()))
      return *(dense.getValues<Attribute>().begin() + *position);
  if (getInbounds())
    return {};
  setInbounds(true);
  return getResult();
}

/// Whether the sizes of `array` are known to be `sizes`.
static bool hasSizes(Value array, ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(array.getType());
  if (type.getRank() != static_cast<int64_t>(sizes.size()))
    return false;
  return llvm::all_of(llvm::enumerate(sizes), [&](auto item) {
    OpFoldResult known = getKnownSize(array, item.index());
    return known && isEqualConstantIntOrValue(known, item.value());
  });
}

OpFoldResult ViewOp::fold(FoldAdaptor) {
  // A view of an extended array forgets the boundary only if it is all of it.
  if (getMap().isIdentity() && getType() == getSource().getType() &&
      hasSizes(getSource(), getMixedExtents()) &&
      !isa_and_present<ExtendOp>(getSource().getDefiningOp()))
    return getSource();
  return {};
}

OpFoldResult ExtendOp::fold(FoldAdaptor) {
  if (llvm::all_of(getModeList(), [](BoundaryMode mode) {
        return mode == BoundaryMode::None;
      }))
    return getSource();
  return {};
}

OpFoldResult BindOp::fold(FoldAdaptor) {
  if (hasSizes(getSource(), getMixedSizes()))
    return getSource();
  return {};
}

OpFoldResult AssumeOp::fold(FoldAdaptor adaptor) {
  if (Attribute value = adaptor.getValue())
    return value;
  if (!getLower() && !getMultiple())
    return getValue();
  return {};
}
