//===- RowBodies.h - Bodies that work on rows of arrays ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_ROWBODIES_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_ROWBODIES_H

#include "arrc/Dialect/Array/IR/Array.h"

namespace arrc::array {

/// Elements of a row of constant length up to which its elements are scalars of
/// one iteration. A longer row in memory is better read by several lanes, as
/// rows are whose length is a symbol.
constexpr int64_t kScalarRow = 8;

/// Whether all that the body of `root` does with its inner index spaces is to
/// fold, scan or map rows of arrays in memory that have more than `kScalarRow`
/// elements: every read at the index of a space is at the place of the
/// contiguous dimension, and at that index. Nothing depends on the number of an
/// element being known.
bool worksOnRows(IndexSpaceOpInterface root);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_ROWBODIES_H
