//===- Binds.h - Arrays under names for their sizes -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_BINDS_H
#define ARRC_DIALECT_ARRAY_IR_BINDS_H

#include "arrc/Dialect/Array/IR/Array.h"

namespace arrc::array {

namespace detail {
/// The array behind operations of these kinds, whose first operand is an array.
template <typename... Ops> mlir::Value skip(mlir::Value array) {
  while (mlir::isa_and_present<Ops...>(array.getDefiningOp()))
    array = array.getDefiningOp()->getOperand(0);
  return array;
}
} // namespace detail

/// The array without the operations that name its sizes.
inline mlir::Value skipBinds(mlir::Value array) {
  return detail::skip<BindOp>(array);
}
/// The same without those that say what is beyond its boundaries.
inline mlir::Value skipBoundaries(mlir::Value array) {
  return detail::skip<BindOp, ExtendOp>(array);
}
/// The same without views.
inline mlir::Value skipViews(mlir::Value array) {
  return detail::skip<BindOp, ExtendOp, ViewOp>(array);
}

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_IR_BINDS_H
