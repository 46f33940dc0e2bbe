//===- RowFold.h - One fold, scan or histogram of rows ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of arr-expand-row-folds, and by nobody else.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_ROWFOLD_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_ROWFOLD_H

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::array {

/// Accumulators that are folded together, at each element of their rows.
struct Group {
  llvm::SmallVector<unsigned> members;
  /// Those of them whose results this makes.
  llvm::SmallVector<unsigned> wanted;
};

/// The rewrite of one operation.
class RowFold {
public:
  /// Of `op`, a reduction, a scan or a histogram.
  RowFold(mlir::RewriterBase &b, IndexSpaceOpInterface op)
      : b(b), op(op), loc(op.getLoc()), combiner(*op.getCombinerRegion()),
        yield(op.getYield()), count(combiner.getNumArguments() / 2) {}

  /// Replaces it.
  void run();

private:
  bool findGroups();
  mlir::Value getInit(unsigned k);
  /// What the members of a group start from at `element` of their rows.
  llvm::SmallVector<mlir::Value> getInits(const Group &group,
                                          mlir::ValueRange element);
  llvm::SmallVector<mlir::OpFoldResult> getRowSizes(unsigned k);
  llvm::SmallVector<mlir::Value> cloneBody(mlir::ValueRange indices);
  void computeBefore();
  mlir::Value readBefore(unsigned part, mlir::ValueRange point,
                         mlir::ValueRange element);
  llvm::SmallVector<mlir::Value> readMembers(const Group &group,
                                             mlir::ValueRange point,
                                             mlir::ValueRange element);
  void buildOperator(mlir::OpBuilder &nested, const Group &group,
                     mlir::ValueRange args, mlir::ValueRange element);
  void fold(const Group &group);
  void scan(const Group &group);
  void update(const Group &group);
  void foldInOrder();
  void putInOrder(mlir::ValueRange values, mlir::ValueRange at,
                  llvm::SmallVectorImpl<mlir::Value> &state);
  mlir::Value bind(mlir::Value array, llvm::ArrayRef<mlir::OpFoldResult> sizes);

  mlir::RewriterBase &b;
  IndexSpaceOpInterface op;
  mlir::Location loc;
  mlir::Region &combiner;
  YieldOp yield;
  unsigned count;
  llvm::SmallVector<Group> groups;
  /// Of each operand of the yield: the array of what it is at all points.
  llvm::SmallVector<mlir::Value> before;
  llvm::SmallVector<mlir::Value> results;
};

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_ROWFOLD_H
