//===- Magnitude.h - How large the terms of an index are --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Integers of a program wrap around, and a comparison of sums that did is not
// the comparison of the numbers that they stand for: `i < i + w` is false for
// w = 2^63 - 1. Who moves terms from one side to the other asks here.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_MAGNITUDE_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_MAGNITUDE_H

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// The most that `value` of a launch can be off 0 if it counts elements or
/// iterations; nothing if it is a number of the program, which may be anything.
std::optional<int64_t> getMagnitude(mlir::Value value);

/// Whether `index` stays below 2^61 with these magnitudes, `others` for terms
/// that have none: the difference of two such is no overflow.
bool isWithin(const LinearIndex &index, std::optional<int64_t> others);

/// Whether `index` is a value as it is, or a sum that cannot wrap.
bool isExact(const LinearIndex &index);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_MAGNITUDE_H
