//===- LayoutCost.cpp - What carrying components saves --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Vectors and components take the same bytes; what a step saves is requests: a
// warp that reads one component of vectors touches as many sectors as there are
// components, at most 32, and they are read again for the next component.
// Caches hold them until then at best, so a step never counts for more than one
// walk through the array; each copy is one walk read and one written. A loop
// that runs too few times for its copies keeps its vectors.
//
//===----------------------------------------------------------------------===//

#include "LayoutCost.h"

#include "arrc/Analysis/Coalescing.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Support/StoredBytes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// One walk to read, one to write.
static constexpr int64_t kCopy = 2;

LayoutCost::LayoutCost(Type element, int64_t components) {
  int64_t bytes = getStoredBytes(element);
  ofVectors = countSectors(components, bytes);
  ofComponents = countSectors(1, bytes);
  walk = components * ofComponents;
}

int64_t LayoutCost::getSavedByStep(int64_t accesses) const {
  return std::min(walk, accesses * (ofVectors - ofComponents));
}

int64_t arrc::array::countWalks(Value init, Value result) {
  int64_t walks = 0;
  Value made = init;
  bool isOnlyUse = made.hasOneUse();
  while (auto bind = made.getDefiningOp<BindOp>()) {
    made = bind.getSource();
    isOnlyUse &= made.hasOneUse();
  }
  if (!isOnlyUse || !isa_and_present<MapOp, StencilOp>(made.getDefiningOp()))
    walks += kCopy;
  if (!result.use_empty())
    walks += kCopy;
  return walks;
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
