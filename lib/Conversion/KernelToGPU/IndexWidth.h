//===- IndexWidth.h - Kernels that count in 32 bits -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOGPU_INDEXWIDTH_H
#define ARRC_LIB_CONVERSION_KERNELTOGPU_INDEXWIDTH_H

#include "KernelPlan.h"

namespace arrc {

/// Each `affine.apply` of a launch in which a sum or a product may leave the
/// width of indices, and so wraps.
using WrappingPlaces = llvm::DenseSet<mlir::Operation *>;

/// What has to hold at run time for 32 bits to do.
struct IndexLimits {
  /// Arrays have at most so many elements.
  int64_t elements = 0;
  /// Index arguments of the launch, and the interval that each has to be in.
  struct Argument {
    unsigned number;
    int64_t least, most;
  };
  llvm::SmallVector<Argument> arguments;
  /// What may wrap where all of that holds.
  WrappingPlaces wrapping;
};

/// The limits under which every index of the launch fits in 32 bits; none if
/// that cannot be seen.
std::optional<IndexLimits> getIndexLimits(const KernelPlan &plan);

/// What may wrap in 64 bits.
WrappingPlaces getWrappingPlaces(const KernelPlan &plan);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOGPU_INDEXWIDTH_H
