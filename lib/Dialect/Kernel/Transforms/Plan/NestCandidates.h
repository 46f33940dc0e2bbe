//===- NestCandidates.h - Ways to run a nest --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_NESTCANDIDATES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_NESTCANDIDATES_H

#include "Judge.h"

namespace arrc::kernel {

/// Elements of each dimension that one access may take, and the conditions on
/// sizes under which it may; and those that a thread may take side by side
/// wherever they begin.
struct NestWidths {
  llvm::SmallVector<int64_t> widths;
  llvm::SmallVector<llvm::SmallVector<mlir::AffineExpr>> alignments;
  llvm::SmallVector<int64_t> anywhere;

  /// Whether `shares` need aligned rows.
  bool needsAlignment(const NestShares &shares) const {
    return shares.getVector() > anywhere[shares.lane];
  }
};

/// How many schedules a launch may get that need no alignment, how many besides
/// that do, and how many leaves of a tree that chooses among them.
struct MostVersions {
  unsigned schedules, aligned, leaves;
};

/// Ways to run the nest of `facts`, which has folds, in blocks of `threads`,
/// that a person might try.
llvm::SmallVector<NestShares> makeFoldCandidates(const NestFacts &facts,
                                                 int64_t threads,
                                                 const NestWidths &widths);

/// The same of a nest without folds that reads windows.
llvm::SmallVector<NestShares> makeWindowCandidates(const NestFacts &facts,
                                                   int64_t threads,
                                                   const NestWidths &widths);

/// The same of a nest that has none.
llvm::SmallVector<NestShares> makeMapCandidates(const NestFacts &facts,
                                                int64_t threads,
                                                const NestWidths &widths);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_NESTCANDIDATES_H
