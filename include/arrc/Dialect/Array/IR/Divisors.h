//===- Divisors.h - What may be divided by ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_DIVISORS_H
#define ARRC_DIALECT_ARRAY_IR_DIVISORS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace arrc::array {

/// The number behind casts between indices and integers.
inline mlir::Value skipCasts(mlir::Value value) {
  while (auto cast = value.getDefiningOp<mlir::arith::IndexCastOp>())
    value = cast.getIn();
  return value;
}

/// Whether `value` is never 0: a constant, a choice of such, or
/// `x != 0 ? x : constant`, which is how division is made safe. Upstream moves
/// remainders anywhere, and a processor traps at those by zero.
inline bool isNotZero(mlir::Value value) {
  llvm::APInt number;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
    return !number.isZero();
  auto select = value.getDefiningOp<mlir::arith::SelectOp>();
  if (!select || !isNotZero(select.getFalseValue()))
    return false;
  auto compare = select.getCondition().getDefiningOp<mlir::arith::CmpIOp>();
  if (compare && compare.getPredicate() == mlir::arith::CmpIPredicate::ne &&
      compare.getLhs() == select.getTrueValue() &&
      mlir::matchPattern(compare.getRhs(), mlir::m_Zero()))
    return true;
  return isNotZero(select.getTrueValue());
}

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_IR_DIVISORS_H
