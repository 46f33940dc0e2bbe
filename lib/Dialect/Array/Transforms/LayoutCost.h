//===- LayoutCost.h - What carrying components saves ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The cost model of arr-choose-layouts, and of nothing else. One unit is a walk
// through the whole array.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_LAYOUTCOST_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_LAYOUTCOST_H

#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace arrc::array {

/// What it costs to take `init` apart before a loop and to put `result`
/// together behind it. An array that nothing else uses is made as components,
/// and a result that nothing uses is not made.
int64_t getConversionCost(mlir::Value init, mlir::Value result);

/// How often `loop` runs at most, if that is a number; nothing is a loop that
/// repeats.
std::optional<int64_t> getMostSteps(mlir::Operation *loop);

/// What a step saves at least: neighbouring points read neighbouring memory.
inline constexpr int64_t kSavedByStep = 1;

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_LAYOUTCOST_H
