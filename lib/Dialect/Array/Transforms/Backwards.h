//===- Backwards.h - From an operation to the one before --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The order of `walk`, where operations come behind what is in their regions,
// from its end; each step by itself, so that the text may change between them.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_BACKWARDS_H
#define ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_BACKWARDS_H

#include "mlir/IR/Operation.h"

#include "llvm/ADT/STLExtras.h"

namespace arrc::array {

/// The last operation of the blocks before `end`, or null.
inline mlir::Operation *getLast(mlir::Region &region,
                                mlir::Region::iterator end) {
  while (end != region.begin())
    if (!(--end)->empty())
      return &end->back();
  return nullptr;
}

/// The last operation in the regions of `op` before number `end`, or null.
inline mlir::Operation *getLast(mlir::Operation *op, unsigned end) {
  while (end-- > 0)
    if (mlir::Region &region = op->getRegion(end);
        mlir::Operation *last = getLast(region, region.end()))
      return last;
  return nullptr;
}

/// The last operation in the regions of `op`, or null.
inline mlir::Operation *getLast(mlir::Operation *op) {
  return getLast(op, op->getNumRegions());
}

/// What comes before `op` inside of `root`, or null.
inline mlir::Operation *getBefore(mlir::Operation *op, mlir::Operation *root) {
  if (mlir::Operation *inner = getLast(op))
    return inner;
  for (; op != root; op = op->getParentOp()) {
    if (mlir::Operation *sibling = op->getPrevNode())
      return sibling;
    mlir::Region &region = *op->getParentRegion();
    if (mlir::Operation *last =
            getLast(region, mlir::Region::iterator(op->getBlock())))
      return last;
    if (mlir::Operation *last =
            getLast(op->getParentOp(), region.getRegionNumber()))
      return last;
  }
  return nullptr;
}

} // namespace arrc::array

#endif // ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_BACKWARDS_H
