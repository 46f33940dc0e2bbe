//===- RowBodies.cpp - Bodies that work on rows of arrays -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RowBodies.h"

#include "UnrollPatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace arrc::array;

/// Whether a use of an index is the contiguous dimension of a read.
static bool isContiguous(OpOperand &use) {
  return isa<AtOp>(use.getOwner()) &&
         use.getOperandNumber() + 1 == use.getOwner()->getNumOperands();
}

/// Whether an index is used for nothing but reads and values: a place that is
/// computed of it is no row.
static bool isOnlyRead(BlockArgument index) {
  return llvm::all_of(index.getUsers(), [](Operation *user) {
    return isa<AtOp>(user) ||
           llvm::none_of(user->getResultTypes(), llvm::IsaPred<IndexType>);
  });
}

/// Whether a space runs along rows that are too long to be scalars; beside
/// them, as in a product, along columns.
static bool runsAlongRows(IndexSpaceOpInterface space, int64_t scalarRow) {
  ArrayRef<int64_t> extents = space.getStaticExtentList();
  return !extents.empty() && !ShapedType::isDynamicShape(extents) &&
         computeProduct(extents) > scalarRow &&
         llvm::all_of(space.getIndices(), isOnlyRead) &&
         llvm::any_of(space.getIndices().back().getUses(), isContiguous) &&
         llvm::all_of(space.getIndices().drop_back(), [](BlockArgument index) {
           return llvm::none_of(index.getUses(), isContiguous);
         });
}

/// Whether a space runs around others, and along no rows.
static bool runsAroundRows(IndexSpaceOpInterface space) {
  return llvm::any_of(*space.getBodyBlock(),
                      llvm::IsaPred<IndexSpaceOpInterface>) &&
         llvm::all_of(space.getIndices(), [](BlockArgument index) {
           return isOnlyRead(index) &&
                  llvm::none_of(index.getUses(), isContiguous);
         });
}

/// Whether a view in a body is one row, all of it.
static bool isRow(ViewOp view) {
  AffineMap map = view.getMap();
  return map.getNumDims() == 1 && map.getNumResults() > 0 &&
         map.getResults().back() == getAffineDimExpr(0, map.getContext()) &&
         llvm::none_of(map.getResults().drop_back(),
                       [](AffineExpr expr) { return expr.isFunctionOfDim(0); });
}

/// Whether a read needs no element of a row to be known by its number.
static bool readsMemoryOrRow(AtOp at, Operation *root) {
  Value source = at.getSource();
  auto type = cast<RankedTensorType>(source.getType());
  Operation *made = source.getDefiningOp();
  // Of what a body has made, rows; constants are tables that fold.
  if (made &&
      (isa<arith::ConstantOp>(made) ||
       (root->isProperAncestor(made) && !isa<MapOp, ScanOp, ViewOp>(made))))
    return false;
  bool isShort = type.getRank() > 0 && !type.isDynamicDim(type.getRank() - 1) &&
                 type.getShape().back() <= kSmallArray;
  for (auto [dim, index] : llvm::enumerate(at.getIndices())) {
    bool isLast = static_cast<int64_t>(dim) + 1 == type.getRank();
    Operation *computed = index.getDefiningOp();
    if (isShort && computed &&
        (isLast ||
         (computed->getParentOp() != root && root->isProperAncestor(computed))))
      return false;
  }
  return true;
}

bool arrc::array::worksOnRows(IndexSpaceOpInterface root, int64_t scalarRow) {
  bool hasRows = false;
  WalkResult result = root.getBodyBlock()->walk([&](Operation *op) {
    bool fits = false;
    if (auto space = dyn_cast<IndexSpaceOpInterface>(op)) {
      bool along = runsAlongRows(space, scalarRow);
      hasRows |= along;
      fits =
          isa<MapOp, ReduceOp, ScanOp>(op) && (along || runsAroundRows(space));
    } else if (auto at = dyn_cast<AtOp>(op)) {
      fits = readsMemoryOrRow(at, root);
    } else if (auto view = dyn_cast<ViewOp>(op)) {
      fits = isRow(view);
    } else {
      // Arrays that other operations take or make are elements one by one.
      auto isArray = llvm::IsaPred<RankedTensorType>;
      fits = isa<YieldOp, tensor::DimOp>(op) ||
             (llvm::none_of(op->getOperandTypes(), isArray) &&
              llvm::none_of(op->getResultTypes(), isArray));
    }
    return fits ? WalkResult::advance() : WalkResult::interrupt();
  });
  return hasRows && !result.wasInterrupted();
}
