//===- ScalarWriter.h - Numbers that a pass writes --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_SCALARWRITER_H
#define ARRC_SUPPORT_SCALARWRITER_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace arrc {

/// Arithmetic at the insertion point of a builder, for passes that write whole
/// kernels. Both operands of an operation have one type: an integer or index.
class ScalarWriter {
public:
  /// Writes by `builder`, which must outlive it, for `loc`.
  ScalarWriter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), place(loc) {}
  ScalarWriter(const ScalarWriter &) = delete;
  ScalarWriter &operator=(const ScalarWriter &) = delete;

  mlir::Value index(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, place, value);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddIOp::create(builder, place, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubIOp::create(builder, place, x, y);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulIOp::create(builder, place, x, y);
  }
  /// Of signed numbers.
  mlir::Value least(mlir::Value x, mlir::Value y) {
    return mlir::arith::MinSIOp::create(builder, place, x, y);
  }
  mlir::Value both(mlir::Value x, mlir::Value y) {
    return mlir::arith::AndIOp::create(builder, place, x, y);
  }
  mlir::Value either(mlir::Value x, mlir::Value y) {
    return mlir::arith::OrIOp::create(builder, place, x, y);
  }
  mlir::Value isEqual(mlir::Value x, mlir::Value y) {
    return mlir::arith::CmpIOp::create(builder, place,
                                       mlir::arith::CmpIPredicate::eq, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return mlir::arith::SelectOp::create(builder, place, condition, x, y);
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location place;
};

} // namespace arrc

#endif // ARRC_SUPPORT_SCALARWRITER_H
