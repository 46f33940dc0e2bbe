//===- ConstantElement.cpp - Arrays of one number -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/ConstantElement.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

TypedAttr arrc::getConstantElement(Value array) {
  auto named = array.getDefiningOp<memref::GetGlobalOp>();
  auto global = named ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                            named, named.getNameAttr())
                      : memref::GlobalOp();
  if (!global || !global.getConstant())
    return {};
  auto value =
      dyn_cast_or_null<SplatElementsAttr>(global.getConstantInitValue());
  if (!value || !value.getElementType().isIntOrIndexOrFloat())
    return {};
  return value.getSplatValue<TypedAttr>();
}
