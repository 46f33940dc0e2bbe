//===- IndexSpaceInterfaces.cpp - What index spaces implement alike -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Loops, names and speculation of map, stencil, reduce, scan, scatter, filter.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"

using namespace mlir;
using namespace arrc::array;

/// Speculatable if everything in the body, and in the operator, is.
static Speculation::Speculatability speculatabilityOf(Operation *space) {
  for (Region &region : space->getRegions())
    for (Operation &op : region.getOps())
      if (!isa<YieldOp>(op) &&
          (!isSpeculatable(&op) || !isMemoryEffectFree(&op)))
        return Speculation::NotSpeculatable;
  return Speculation::Speculatable;
}

static void nameIndices(Region &region, ArrayAttr dims,
                        OpAsmSetValueNameFn setName) {
  if (!dims || region.empty())
    return;
  for (auto [index, name] : llvm::zip(region.getArguments(), dims))
    setName(index, cast<StringAttr>(name).getValue());
}

/// The members that ODS declares for each operation with an index space.
#define ARRC_INDEX_SPACE_MEMBERS(OpTy)                                         \
  void OpTy::getAsmBlockArgumentNames(Region &region,                          \
                                      OpAsmSetValueNameFn setName) {           \
    if (&region == &getBody())                                                 \
      nameIndices(region, getDimsAttr(), setName);                             \
  }                                                                            \
  SmallVector<Region *> OpTy::getLoopRegions() { return {&getBody()}; }        \
  std::optional<SmallVector<Value>> OpTy::getLoopInductionVars() {             \
    return SmallVector<Value>(getBody().getArguments());                       \
  }                                                                            \
  std::optional<SmallVector<OpFoldResult>> OpTy::getLoopLowerBounds() {        \
    return SmallVector<OpFoldResult>(                                          \
        getStaticExtents().size(),                                             \
        IntegerAttr::get(IndexType::get(getContext()), 0));                    \
  }                                                                            \
  std::optional<SmallVector<OpFoldResult>> OpTy::getLoopUpperBounds() {        \
    return getMixedExtents();                                                  \
  }                                                                            \
  std::optional<SmallVector<OpFoldResult>> OpTy::getLoopSteps() {              \
    return SmallVector<OpFoldResult>(                                          \
        getStaticExtents().size(),                                             \
        IntegerAttr::get(IndexType::get(getContext()), 1));                    \
  }

ARRC_INDEX_SPACE_MEMBERS(MapOp)
ARRC_INDEX_SPACE_MEMBERS(StencilOp)
ARRC_INDEX_SPACE_MEMBERS(ReduceOp)
ARRC_INDEX_SPACE_MEMBERS(ScanOp)
ARRC_INDEX_SPACE_MEMBERS(ScatterOp)
ARRC_INDEX_SPACE_MEMBERS(FilterOp)

Speculation::Speculatability MapOp::getSpeculatability() {
  return speculatabilityOf(*this);
}
Speculation::Speculatability StencilOp::getSpeculatability() {
  return speculatabilityOf(*this);
}
Speculation::Speculatability ReduceOp::getSpeculatability() {
  return speculatabilityOf(*this);
}
Speculation::Speculatability ScanOp::getSpeculatability() {
  return speculatabilityOf(*this);
}
Speculation::Speculatability FilterOp::getSpeculatability() {
  return speculatabilityOf(*this);
}
Speculation::Speculatability ScatterOp::getSpeculatability() {
  // An index outside is an error where nothing else is said.
  return getOob() == OutOfBounds::Fail ? Speculation::NotSpeculatable
                                       : speculatabilityOf(*this);
}
