//===- BranchedProduct.h - Products that a branch guards --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A fold whose every read is shared with points along some index of the map
// around it (`sum for l { q[i, l] * p[j, l] }`) takes a fraction of the time
// where tiles of points compute it together. In a branch each point computes
// its own:
//
//   for i in n, j in m { if j <= i { sum for l in d { q[i, l] * p[j, l] } }
//                        else { 0.0 } }
//
// Where the condition is a half-space of the indices, or all but one, a good
// part of the points is inside, and tiles are faster though they compute all
// points. Of a band, or of what an array says, any part may be.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_BRANCHEDPRODUCT_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_BRANCHEDPRODUCT_H

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace arrc::array {

/// The fold that one side of `branch` has, if it is best computed for all
/// points; null if there is none. Its reads are not asked about.
ReduceOp getBranchedProduct(mlir::scf::IfOp branch);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_BRANCHEDPRODUCT_H
