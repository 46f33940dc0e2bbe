//===- ElementNetwork.h - Sorts of a few elements ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Part of arr-expand-sorts.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_ELEMENTNETWORK_H
#define ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_ELEMENTNETWORK_H

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::array {

/// Whether each row of `sort` is a constant number of elements, so few that
/// they fit the registers of a thread.
bool hasFewElements(SortOp sort);

/// Replaces such a sort by comparisons of scalars.
void expandToElements(mlir::RewriterBase &rewriter, SortOp sort);

} // namespace arrc::array

#endif // ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_ELEMENTNETWORK_H
