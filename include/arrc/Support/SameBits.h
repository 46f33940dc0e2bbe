//===- SameBits.h - Functions with the same bits everywhere -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_SAMEBITS_H
#define ARRC_SUPPORT_SAMEBITS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringRef.h"

namespace arrc {

/// Marks functions whose results have the same bits on every target: their
/// folds of floats are bracketed, or of those that integers hold exactly
/// whatever the order is.
inline constexpr llvm::StringLiteral kSameBitsAttr = "arrc.same_bits";

/// Whether `op` is, or stands in, such a function.
inline bool hasSameBits(mlir::Operation *op) {
  auto function = mlir::dyn_cast<mlir::FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<mlir::FunctionOpInterface>();
  return function && function->hasAttr(kSameBitsAttr);
}

} // namespace arrc

#endif // ARRC_SUPPORT_SAMEBITS_H
