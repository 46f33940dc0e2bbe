//===- StoredBytes.h - What an element takes in memory ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_STOREDBYTES_H
#define ARRC_SUPPORT_STOREDBYTES_H

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/Support/MathExtras.h"

#include <cstdint>

namespace arrc {

/// Bytes of an element of `type` in arrays, on the host and on devices: a bool
/// takes one, an index eight, a vector what its elements do.
inline int64_t getStoredBytes(mlir::Type type) {
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type))
    return 2 * getStoredBytes(complex.getElementType());
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
    return vector.getNumElements() * getStoredBytes(vector.getElementType());
  return type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

} // namespace arrc

#endif // ARRC_SUPPORT_STOREDBYTES_H
