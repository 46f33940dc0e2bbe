//===- PartialInvariants.h - What some indices alone decide -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Part of arr-hoist-invariants.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_PARTIALINVARIANTS_H
#define ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_PARTIALINVARIANTS_H

#include "IndexProver.h"

namespace arrc::array {

/// Computes folds that need some indices of an index space only once for these,
/// in a map in front of it. Returns the maps.
llvm::SmallVector<mlir::Operation *>
hoistPartialInvariants(mlir::Operation *root, IndexProver &prover);

} // namespace arrc::array

#endif // ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_PARTIALINVARIANTS_H
