//===- LayoutCost.cpp - What carrying components saves --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Vectors and components take the same bytes; what a step saves is requests: a
// warp that reads one component of vectors touches as many sectors as there are
// components. That is never more than the walk through the array itself, so a
// step counts as one walk saved, and each copy as one read and one written. A
// loop that runs too few times for its copies keeps its vectors.
//
//===----------------------------------------------------------------------===//

#include "LayoutCost.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc::array;

/// One walk to read, one to write.
static constexpr int64_t kCopy = 2;

int64_t arrc::array::getConversionCost(Value init, Value result) {
  int64_t cost = 0;
  Value made = init;
  bool isOnlyUse = made.hasOneUse();
  while (auto bind = made.getDefiningOp<BindOp>()) {
    made = bind.getSource();
    isOnlyUse &= made.hasOneUse();
  }
  if (!isOnlyUse || !isa_and_present<MapOp, StencilOp>(made.getDefiningOp()))
    cost += kCopy;
  if (!result.use_empty())
    cost += kCopy;
  return cost;
}

std::optional<int64_t> arrc::array::getMostSteps(Operation *loop) {
  auto counted = dyn_cast<scf::ForOp>(loop);
  if (!counted)
    return std::nullopt;
  std::optional<APInt> steps = counted.getStaticTripCount();
  if (!steps || steps->getActiveBits() > 62)
    return std::nullopt;
  return steps->getSExtValue();
}
