//===- UpdatePartners.h - Loops beside updates of slices --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A slice that is all of an array but its edges is updated in place as cheaply
// as the array is made anew. Over all of the array it can be one loop with what
// stands beside it. Part of arr-fuse-slices.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_UPDATEPARTNERS_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_UPDATEPARTNERS_H

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace arrc::array {

/// Whether the slice leaves nothing of its array but a number of elements at
/// the ends of each dimension.
bool isAllButEdges(mlir::tensor::InsertSliceOp insert);

/// Whether another loop of the block goes over an array of the same sizes, or
/// updates all of one but its edges, and reads or makes an array that `space`,
/// which makes the slice, reads or makes as well, so that the two can be one
/// loop: neither reads of the other's but the element where it is, or
/// neighbours that cost less to compute again than to read (Recomputation.cpp).
bool hasPartner(mlir::tensor::InsertSliceOp insert, IndexSpaceOpInterface space,
                int64_t workPerByte);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_UPDATEPARTNERS_H
