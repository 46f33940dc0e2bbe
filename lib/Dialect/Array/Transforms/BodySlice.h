//===- BodySlice.h - What part of a body computes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The operations of a body that some values are computed by, which a map in
// front of the space may hold as well.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_BODYSLICE_H
#define ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_BODYSLICE_H

#include "IndexProver.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace arrc::array {

class BodySlice {
public:
  explicit BodySlice(IndexSpaceOpInterface space) : space(space) {}

  IndexSpaceOpInterface getSpace() const { return space; }
  /// The indices of the space that decide, in order.
  llvm::ArrayRef<unsigned> getIndices() const { return indices; }
  /// Whether it may run wherever its indices are known. Else it may only run
  /// for all points of the space.
  bool mayRunAnywhere() const { return anywhere; }

  /// Adds `op` and what it uses of the body; false if something of that cannot
  /// be computed elsewhere.
  bool add(mlir::Operation *op, IndexProver &prover);
  /// Adds `value`, of the body or from outside.
  bool add(mlir::Value value, IndexProver &prover);
  /// Adds another one of the same space.
  void add(const BodySlice &other);
  /// Has all indices decide.
  void useAllIndices();

  /// Creates a map over the indices in front of the space, which yields
  /// `values` at each point.
  MapOp createMap(mlir::RewriterBase &rewriter, mlir::ValueRange values) const;
  /// The indices that decide, as values of the body.
  llvm::SmallVector<mlir::Value> getIndexValues();

private:
  void addIndex(unsigned number);

  IndexSpaceOpInterface space;
  llvm::SmallVector<unsigned> indices;
  llvm::SmallPtrSet<mlir::Operation *, 8> ops;
  bool anywhere = true;
};

} // namespace arrc::array

#endif // ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_BODYSLICE_H
