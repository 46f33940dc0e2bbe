//===- FloatBounds.h - What floats are at least -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_FLOATBOUNDS_H
#define ARRC_SUPPORT_FLOATBOUNDS_H

#include "mlir/IR/Value.h"

namespace arrc {

/// A number that `value`, a float of at most 64 bits, is not below unless it is
/// NaN: 0 of squares and magnitudes, 1e-6 of `x * x + 1e-6`, minus infinity
/// where nothing is known. Rounding to nearest keeps order, so that what holds
/// of operands before holds of what is rounded after. Signs of zeros are not
/// told apart.
double getLeast(mlir::Value value);

/// Whether `value` is a normal number, 0 left out, or infinite or NaN: what an
/// instruction that takes subnormal numbers for 0 may be given.
bool isNeverSubnormal(mlir::Value value);

} // namespace arrc

#endif // ARRC_SUPPORT_FLOATBOUNDS_H
