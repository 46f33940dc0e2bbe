//===- StoredBytes.h - What an element takes in memory ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_STOREDBYTES_H
#define ARRC_SUPPORT_STOREDBYTES_H

#include "mlir/IR/BuiltinTypes.h"

#include <algorithm>
#include <cstdint>

namespace arrc {

/// Bytes of an element of `type` in arrays, on the host and on devices.
inline int64_t getStoredBytes(mlir::Type type) {
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type))
    return 2 * getStoredBytes(complex.getElementType());
  return type.isIndex()
             ? 8
             : std::max<int64_t>(type.getIntOrFloatBitWidth() / 8, 1);
}

} // namespace arrc

#endif // ARRC_SUPPORT_STOREDBYTES_H
