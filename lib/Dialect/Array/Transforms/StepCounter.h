//===- StepCounter.h - Numbers that loops count -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A number that grows by the same in each step (`j = j + 2`) is a number of the
// step, as the step itself is one.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_STEPCOUNTER_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_STEPCOUNTER_H

#include "mlir/Interfaces/LoopLikeInterface.h"

#include <optional>

namespace arrc::array {

/// What a loop hands on in the place of a number: that and the same again.
struct StepCounter {
  mlir::LoopLikeOpInterface loop;
  /// Its place in the state.
  unsigned position;
  /// What it is in front of the loop.
  mlir::Value init;
  /// What is added, or taken away if it counts down.
  mlir::Value by;
  bool down;
  /// What that comes to, if it is a constant.
  std::optional<int64_t> number;

  bool isOne() const { return number == (down ? -1 : 1); }
};

/// The counter that `value` is in a step of a `scf.for` or a `scf.while`.
std::optional<StepCounter> getStepCounter(mlir::Value value);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_STEPCOUNTER_H
