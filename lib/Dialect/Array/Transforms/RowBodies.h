//===- RowBodies.h - Bodies that work on rows of arrays ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_ROWBODIES_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_ROWBODIES_H

#include "arrc/Dialect/Array/IR/Array.h"

namespace arrc::array {

/// Whether all that the body of `root` does with its inner index spaces is to
/// fold, scan or map rows of arrays in memory that have more than `scalarRow`
/// elements: each of these spaces reads something at its index along the
/// contiguous dimension, and nothing at a place that is computed of it. Nothing
/// depends on the number of an element being known.
bool worksOnRows(IndexSpaceOpInterface root, int64_t scalarRow);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_ROWBODIES_H
