//===- StageBox.h - What a block reads of an array --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The parts of kernel-stage-operands: boxes and their copies (StageBox.cpp),
// and copies that run a step ahead (StageAhead.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_STAGEBOX_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_STAGEBOX_H

#include "StageLoops.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {

/// The reads of `array` below `at`, those of one box together. Where there are
/// several boxes, what neighbouring threads read side by side needs none.
llvm::SmallVector<llvm::SmallVector<LoadOp>>
collectBoxes(ForOp at, mlir::BlockArgument array);

/// The box of one array below one loop.
class StageBox {
public:
  StageBox(mlir::IRRewriter &rewriter, LaunchOp launch, ForOp at,
           mlir::BlockArgument array, ClauseAttr clause,
           llvm::ArrayRef<LoadOp> loads)
      : rewriter(rewriter), launch(launch), at(at), array(array),
        clause(clause), loc(at.getLoc()), loads(loads) {}

  /// Why the box cannot be copied; empty if it can.
  std::string analyze();
  /// Copies the box and reads it from there; gives the tile.
  mlir::Value apply();
  /// The outermost loop of the copy.
  ForOp getCopy() const { return copy; }

private:
  /// One dimension: what the indices of all loads have in common, and how far
  /// they reach from there.
  struct Dim {
    LinearIndex base;
    int64_t lowest = 0, highest = 0;
    bool mayBeNegative = false;
    int64_t size() const { return highest - lowest + 1; }
  };
  using Terms = llvm::SmallVector<std::pair<mlir::Value, int64_t>>;

  std::string analyzeIndex(const LinearIndex &index, Dim &dim, bool isFirst);
  /// Why the copy cannot run ahead, and may not read elsewhere past the end.
  std::string analyzeAhead();
  /// The extent of a loop below, if it never exceeds a number.
  std::optional<int64_t> getBound(ForOp loop);
  bool isKnownAbove(mlir::Value value);
  mlir::Value cloneAbove(mlir::Value value, mlir::IRMapping &mapping);
  /// The sum of a form's terms, the constant and `more`.
  mlir::Value materialize(const LinearIndex &form, int64_t constant,
                          llvm::ArrayRef<std::pair<mlir::Value, int64_t>> more);
  ForOp open(llvm::StringRef suffix, int64_t extent, LevelAttr level);
  LevelAttr getLevel(LevelKind kind, unsigned axis = 0);
  /// The place in the box of `row`, the number of all dimensions but the last,
  /// and `column`.
  llvm::SmallVector<mlir::Value> getPlace(mlir::Value row, mlir::Value column);
  /// The same in the tile.
  llvm::SmallVector<mlir::Value>
  getPlaceInTile(llvm::ArrayRef<mlir::Value> place);
  int64_t countRows();
  /// Elements of the last dimension that are one aligned access.
  int64_t getVectorWidth();
  int64_t getPiecesTogether(int64_t width, int64_t pieces);
  /// Loops of a copy: the row and the column of an element of the box, which
  /// may lie past its end.
  std::pair<mlir::Value, mlir::Value> openRows(llvm::ArrayRef<int64_t> threads,
                                               int64_t rows, int64_t columns);
  std::pair<mlir::Value, mlir::Value>
  openElements(int64_t threads, int64_t y, int64_t count, int64_t columns);
  void copyBox(mlir::Value tile);
  /// Without branches, and with as many loads a thread as there are steps.
  void copyBoxAhead(mlir::Value tile);
  void readBox(mlir::Value tile);

  mlir::IRRewriter &rewriter;
  LaunchOp launch;
  ForOp at, copy;
  mlir::BlockArgument array;
  ClauseAttr clause;
  mlir::Location loc;
  llvm::SmallVector<LoadOp> loads;
  llvm::SmallVector<Dim> dims;
  mlir::IRMapping above;
};

/// Loads what `copies`, the outermost loops of copies at the start of the body
/// of `at`, will copy in the next step before the rest of the body runs; it is
/// stored on chip behind it.
void runAhead(mlir::IRRewriter &rewriter, ForOp at,
              llvm::ArrayRef<ForOp> copies);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_STAGEBOX_H
