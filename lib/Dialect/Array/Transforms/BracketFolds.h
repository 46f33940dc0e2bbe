//===- BracketFolds.h - Folds whose bracketing sizes decide -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of arr-bracket-folds, and by nobody else.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_BRACKETFOLDS_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_BRACKETFOLDS_H

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::array {

/// Values that one thread folds in a row, and chains of them side by side.
constexpr int64_t kBracketSteps = 64, kBracketLanes = 32;
/// Neighbouring values that begin anew in a scan.
constexpr int64_t kBracketPrefix = 16;

/// Whether the order of combining may decide about bits of the result.
bool isOrderSensitive(mlir::Region &combiner);

/// Gives a body's values where `rewriter` stands, for a point.
using PointBuilder =
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>;

/// The rewrite of one fold or scan.
class FoldBracketer {
public:
  FoldBracketer(mlir::IRRewriter &b, IndexSpaceOpInterface op,
                bool keepsProducts)
      : b(b), op(op), loc(op.getLoc()), combiner(*op.getCombinerRegion()),
        count(combiner.getNumArguments() / 2), keepsProducts(keepsProducts) {}

  /// A reduction becomes maps whose elements are folds in order, a scan maps
  /// that read them, a histogram copies of its bins; in bodies all become
  /// loops.
  void run();

private:
  /// A loop from the first to the second of each pair of `ranges`, one in the
  /// other, which carry `state`; the rewriter, `point` and `state` are in the
  /// innermost then. Gives the outermost.
  mlir::scf::ForOp
  openLoops(llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> ranges,
            llvm::SmallVectorImpl<mlir::Value> &point,
            llvm::SmallVectorImpl<mlir::Value> &state);
  /// Folds a box in order from `state`, innermost index fastest; `getValues`
  /// gives the values at a point of it.
  llvm::SmallVector<mlir::Value>
  foldBox(llvm::ArrayRef<mlir::OpFoldResult> extents, mlir::ValueRange state,
          PointBuilder getValues);
  /// What the body yields at a point of the map around (none without) and of
  /// the operation.
  llvm::SmallVector<mlir::Value> cloneBody(mlir::ValueRange outer,
                                           mlir::ValueRange point);

  void foldInOrder();
  void scanInOrder();
  void foldByStages();
  void scanByStages();
  bool canLeaveBody();
  bool readsAreDistinct();
  /// Whether it stays a fold, which launches then run in order: for tiles.
  bool isProduct();
  /// Whether threads next to each other should differ in the map's last index.
  bool walksAround();

  /// A stage: arrays of partial folds in order, `around` leading or trailing.
  struct Stage {
    llvm::SmallVector<mlir::Value> arrays;
    /// Partial folds of an element of the map around.
    mlir::Value size;
  };
  Stage createMain(mlir::Value extent);
  Stage createRest(mlir::Value extent);
  Stage createNext(llvm::ArrayRef<Stage> parts, mlir::Value numChains);
  llvm::SmallVector<mlir::Value>
  readStage(const Stage &stage, mlir::ValueRange outer, mlir::Value at);
  /// A map over the indices around and `inner` ones.
  llvm::SmallVector<mlir::Value>
  createMap(llvm::ArrayRef<mlir::OpFoldResult> inner,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange,
                                                              mlir::ValueRange)>
                getValues);
  /// The arrays of such a map with one dimension for all inner ones.
  Stage flatten(llvm::ArrayRef<mlir::Value> arrays,
                llvm::ArrayRef<mlir::OpFoldResult> inner);
  llvm::SmallVector<mlir::Value> scanPrefixes(mlir::ValueRange arrays,
                                              mlir::Value size, unsigned depth);

  void update();
  /// Whether targets keep its results exactly, in any order.
  bool isExactUpdate();
  void findBinSizes();
  llvm::SmallVector<mlir::Value> bindBins(mlir::ValueRange arrays);
  llvm::SmallVector<mlir::Value> putPoint(mlir::ValueRange point,
                                          mlir::ValueRange state);
  llvm::SmallVector<mlir::Value> putRange(mlir::Value from, mlir::Value to,
                                          mlir::ValueRange state);
  llvm::SmallVector<mlir::Value> copyBins();

  mlir::Value number(int64_t value);
  mlir::Value toValue(mlir::OpFoldResult value);
  mlir::Value ceilDivide(mlir::Value a, mlir::Value b);
  mlir::Value least(mlir::Value a, mlir::Value b);

  mlir::IRRewriter &b;
  IndexSpaceOpInterface op;
  mlir::Location loc;
  mlir::Region &combiner;
  unsigned count;
  bool keepsProducts;
  llvm::SmallVector<mlir::Value> init;
  /// Of a histogram.
  llvm::SmallVector<mlir::OpFoldResult> binSizes;
  /// The map whose elements the folds belong to, or null.
  MapOp around;
  /// What the body needs of the body around, in order.
  llvm::SmallVector<mlir::Operation *> needed;
  bool aroundLast = false;
  /// The dimension that stages cut; those behind it are a thread's.
  unsigned cut = 0;
};

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_BRACKETFOLDS_H
