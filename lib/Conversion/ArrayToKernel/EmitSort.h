//===- EmitSort.h - Launches for sorts --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_ARRAYTOKERNEL_EMITSORT_H
#define ARRC_LIB_CONVERSION_ARRAYTOKERNEL_EMITSORT_H

#include "LaunchFrame.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace arrc {

/// Bits of a digit at most, of which a pass over long rows sorts by one. Nine
/// where that saves a pass; all digits have about as many.
inline constexpr unsigned kMostDigitBits = 9;

/// On a sort: its keys, less the least one (0 where that is not given), are
/// unsigned and below 2^this.
inline constexpr llvm::StringLiteral kKeyBitsAttr = "array.key_bits",
                                     kLeastKeyAttr = "array.least_key";

/// Notes both at sorts whose keys are computed in a range that is known.
void findKeyRanges(mlir::func::FuncOp func);

void convertSort(array::SortOp sort, HostSizes &sizes);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_ARRAYTOKERNEL_EMITSORT_H
