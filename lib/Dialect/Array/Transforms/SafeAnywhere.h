//===- SafeAnywhere.h - What may run where it did not -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A read that is `inbounds` may owe this to the loops around it: where one of
// them runs, no array of its extent is empty. In front of such a loop, which
// may never run, the index must be inside by itself.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_SAFEANYWHERE_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_SAFEANYWHERE_H

#include "IndexProver.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "llvm/ADT/SetVector.h"

namespace arrc::array {

/// What is known about one read.
struct ReadVerdict {
  /// Inside of the array in every dimension.
  bool inside = true;
  /// Dimensions that are not proved and make the read fail.
  llvm::SmallVector<unsigned> open;
  /// Dimensions that are surely outside.
  llvm::SmallVector<unsigned> outside;
};

/// What `prover` knows about `read`, wherever it stands.
ReadVerdict judgeRead(AtOp read, IndexProver &prover);

/// Whether nothing in `op` is read outside and no extent is negative, wherever
/// the values that it uses are known.
bool isSafeAnywhere(mlir::Operation *op, IndexProver &prover);

/// Whether `op` may run wherever the values that it uses are known: it is pure
/// and speculatable besides.
bool mayRunAnywhere(mlir::Operation *op, IndexProver &prover);

/// The operands of `op`, and what its regions use of values from outside.
llvm::SetVector<mlir::Value> getUsedValues(mlir::Operation *op);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_SAFEANYWHERE_H
