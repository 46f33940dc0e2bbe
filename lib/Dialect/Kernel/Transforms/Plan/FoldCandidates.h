//===- FoldCandidates.h - Ways to run a nest of folds -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_FOLDCANDIDATES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_FOLDCANDIDATES_H

#include "Judge.h"

namespace arrc::kernel {

/// Ways to run the nest of `facts` in blocks of `threads`, that a person might
/// try. `getWidth` says how many elements of a dimension one access may take.
llvm::SmallVector<NestShares>
makeFoldCandidates(const NestFacts &facts, int64_t threads,
                   llvm::function_ref<int64_t(unsigned)> getWidth);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_FOLDCANDIDATES_H
