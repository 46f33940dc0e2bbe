//===- DimNumber.h - Which dimension a size is of ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_DIMNUMBER_H
#define ARRC_SUPPORT_DIMNUMBER_H

#include "mlir/IR/BuiltinTypeInterfaces.h"

#include <cstdint>
#include <optional>

namespace arrc {

/// The dimension that a `tensor.dim` or `memref.dim` asks for. Nothing where it
/// is no number or the array has no such dimension, which verifies and whose
/// meaning upstream leaves open.
template <typename DimOp> std::optional<int64_t> getDimNumber(DimOp dim) {
  std::optional<int64_t> number = dim.getConstantIndex();
  auto type = mlir::cast<mlir::ShapedType>(dim.getSource().getType());
  if (!number || !type.hasRank() || *number < 0 || *number >= type.getRank())
    return std::nullopt;
  return number;
}

} // namespace arrc

#endif // ARRC_SUPPORT_DIMNUMBER_H
