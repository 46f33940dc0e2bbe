//===- DigitBounds.h - How far the digits of an index get -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A dimension of `n` that blocks of 128 threads share has threads without an
// element if `n` is small. What guards the accesses tells: where
// `128 b + t < n` holds `t` is below `n`, and `b` below `n ceildiv 128`.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_DIGITBOUNDS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_DIGITBOUNDS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include <optional>

namespace arrc::kernel {

/// An access, and the loop whose index is the digit there.
struct DigitUse {
  mlir::Operation *access;
  ForOp loop;
};

/// A digit is below `size ceildiv step`; the host knows `size`.
struct DigitBound {
  mlir::Value size;
  int64_t step;

  bool operator==(const DigitBound &other) const {
    return size == other.size && step == other.step;
  }
};

/// Adds the bounds that guards of `uses` suggest.
void collectBounds(LaunchOp launch, llvm::ArrayRef<DigitUse> uses,
                   llvm::SmallVectorImpl<DigitBound> &bounds);

/// Of `bounds` the lowest that holds wherever an access of `uses` runs; the
/// loops have `extent` iterations each.
std::optional<DigitBound> findBound(LaunchOp launch,
                                    llvm::ArrayRef<DigitUse> uses,
                                    int64_t extent,
                                    llvm::ArrayRef<DigitBound> bounds);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_DIGITBOUNDS_H
