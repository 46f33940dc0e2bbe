//===- LayoutCost.h - What carrying components saves ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What arr-choose-layouts asks the cost model (Coalescing.h): the unit is one
// sector of 32 bytes for 32 points that lie side by side.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_LAYOUTCOST_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_LAYOUTCOST_H

#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace arrc::array {

/// An array of vectors of `components` elements against one array a component.
class LayoutCost {
public:
  LayoutCost(mlir::Type element, int64_t components);

  /// Sectors that hold all components of the points.
  int64_t getWalk() const { return walk; }
  /// Sectors that a step touches less often by component, if it reads and
  /// writes components so often; never more than one walk.
  int64_t getSavedByStep(int64_t accesses) const;

private:
  int64_t walk, ofVectors, ofComponents;
};

/// How many walks taking `init` apart before a loop and putting `result`
/// together behind it are. An array that nothing else uses is made as
/// components, and a result that nothing uses is not made.
int64_t countWalks(mlir::Value init, mlir::Value result);

/// How often `loop` runs at most, if that is a number; nothing is a loop that
/// repeats.
std::optional<int64_t> getMostSteps(mlir::Operation *loop);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_LAYOUTCOST_H
