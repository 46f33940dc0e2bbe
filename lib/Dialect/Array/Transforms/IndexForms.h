//===- IndexForms.h - What a prover says of indices -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_INDEXFORMS_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_INDEXFORMS_H

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

namespace arrc::array {

/// Whether the value is the size of an array, maybe after a cast to `index`.
inline bool isSize(mlir::Value value) {
  if (mlir::isa_and_present<mlir::tensor::DimOp>(value.getDefiningOp()))
    return true;
  return llvm::any_of(value.getUses(), [](mlir::OpOperand &use) {
    if (mlir::isa<BindOp>(use.getOwner()))
      return use.getOperandNumber() != 0;
    auto cast = mlir::dyn_cast<mlir::arith::IndexCastOp>(use.getOwner());
    return cast && cast.getType().isIndex() && isSize(cast.getResult());
  });
}

/// `a - b + constant`, of forms.
inline LinearIndex difference(const LinearIndex &a, const LinearIndex &b,
                              int64_t constant = 0) {
  LinearIndex form = a;
  form.add(b, -1);
  form.add(LinearIndex(constant), 1);
  return form;
}

/// A fact that always holds, to bring in what is known about the values of
/// `form`.
inline LinearIndex mention(const LinearIndex &form) {
  return difference(form, LinearIndex(std::numeric_limits<int64_t>::min() / 4));
}

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_INDEXFORMS_H
