//===- Compare.h - A target's results against the evaluator's ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_REFERENCE_COMPARE_H
#define ARRC_REFERENCE_COMPARE_H

#include "arrc/Reference/Evaluator.h"

namespace arrc::reference {

/// How one array of a target compares with the evaluator's.
struct Comparison {
  /// True if every element is within its bound.
  bool agrees = true;
  /// Set if shapes or element types differ; then nothing else is.
  std::string mismatch;
  /// Elements outside their bound.
  int64_t failures = 0;
  /// Elements that hang on a decision that rounding may turn, and differ.
  int64_t undecided = 0;
  /// The element farthest outside its bound, else the one that uses most of
  /// it; -1 if all bits agree.
  int64_t worst = -1;
  /// The worst element as the evaluator and as the target have it.
  Scalar expected, actual;
  /// Units in the last place between the two (floats).
  uint64_t ulps = 0;
  /// How far apart they are, and may be.
  double error = 0, allowed = 0;
};

/// Compares element by element: integers, bools and floats that no reordering
/// touches must have the same bits (any NaN is any NaN), others may differ by
/// the deviation that the evaluator found for them.
Comparison compare(const Tensor &expected, const Tensor &actual);

/// One line for a person: `t: f32[3, 4] agrees, worst element [1, 2] ..`, or
/// what differs and where it was computed.
std::string report(llvm::StringRef name, const Tensor &expected,
                   const Comparison &comparison, mlir::Location origin,
                   std::optional<mlir::Location> uncertainAt = std::nullopt);

} // namespace arrc::reference

#endif // ARRC_REFERENCE_COMPARE_H
