//===- CountSteps.h - Loops whose counters are known numbers ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A `while` that ends when a counter has reached a number is a counted loop,
// and its other counters, as those of counted loops, follow from the step.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_COUNTSTEPS_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_COUNTSTEPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace arrc::array {

/// A loop over numbers from 0 on, whose step is 1 and which hands on no
/// counter.
struct CountedSteps {
  mlir::scf::ForOp loop;
  /// What the loop that it was made of gives.
  llvm::SmallVector<mlir::Value> results;
};

/// A copy in front of `loop`, a `scf.for` that has counters or a `scf.while`
/// that ends with one; nothing for others.
std::optional<CountedSteps> countSteps(mlir::RewriterBase &rewriter,
                                       mlir::LoopLikeOpInterface loop);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_COUNTSTEPS_H
