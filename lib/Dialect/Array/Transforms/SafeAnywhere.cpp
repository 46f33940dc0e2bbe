//===- SafeAnywhere.cpp - What may run where it did not -------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SafeAnywhere.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Whether something between the read and its function decides if it runs.
static bool isConditional(Operation *op) {
  return op->getParentOfType<scf::IfOp>() ||
         op->getParentOfType<scf::ForOp>() ||
         op->getParentOfType<scf::WhileOp>();
}

ReadVerdict arrc::array::judgeRead(AtOp op, IndexProver &prover) {
  ReadVerdict verdict;
  auto extend = op.getSource().getDefiningOp<ExtendOp>();
  for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
    OpFoldResult size = getKnownSize(op.getSource(), dim);
    if (size && prover.isInside(index, size))
      continue;
    verdict.inside = false;
    BoundaryMode mode = extend ? extend.getMode(dim) : BoundaryMode::None;
    // Nothing can be read of an empty array, whatever its mode.
    if (mode != BoundaryMode::None) {
      if (!size || !prover.isNotEmpty(size, op.getIndices()))
        verdict.open.push_back(dim);
      continue;
    }
    verdict.open.push_back(dim);
    // A nested extension may still make the index legal.
    bool passedOn = extend && extend.getSource().getDefiningOp<ExtendOp>();
    if (size && !passedOn && !isConditional(op) &&
        prover.isOutside(index, size))
      verdict.outside.push_back(dim);
  }
  return verdict;
}

/// Whether all that a view shows is surely inside of its source. Of slices
/// nothing is known.
static bool isInside(ViewOp view, IndexProver &prover) {
  for (auto [dim, expr] : llvm::enumerate(view.getMap().getResults())) {
    OpFoldResult size = getKnownSize(view.getSource(), dim);
    if (!size)
      return false;
    if (auto whole = dyn_cast<AffineDimExpr>(expr)) {
      if (view.getMixedExtents()[whole.getPosition()] != size)
        return false;
      continue;
    }
    LinearIndex place;
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      place = prover.getForm(view.getSymbols()[symbol.getPosition()]);
    else if (auto number = dyn_cast<AffineConstantExpr>(expr))
      place = LinearIndex(number.getValue());
    else
      return false;
    LinearIndex behind = prover.getForm(size);
    behind.add(place, -1);
    behind.add(LinearIndex(1), -1);
    if (!prover.isNotNegative(place) || !prover.isNotNegative(behind))
      return false;
  }
  return true;
}

bool arrc::array::isSafeAnywhere(Operation *op, IndexProver &prover) {
  auto isSafe = [&](Operation *inner) {
    if (auto read = dyn_cast<AtOp>(inner))
      return judgeRead(read, prover).open.empty();
    ValueRange sizes;
    if (auto space = dyn_cast<IndexSpaceOpInterface>(inner))
      sizes = space.getDynamicExtents();
    else if (auto empty = dyn_cast<tensor::EmptyOp>(inner))
      sizes = empty.getDynamicSizes();
    else if (auto splat = dyn_cast<tensor::SplatOp>(inner))
      sizes = splat.getDynamicSizes();
    for (Value size : sizes)
      if (!prover.isNotNegative(prover.getForm(size)))
        return false;
    // By itself a view reads nothing.
    return isa<ViewOp>(inner) ||
           llvm::all_of(inner->getOperands(), [&](Value operand) {
             auto view = operand.getDefiningOp<ViewOp>();
             return !view || isInside(view, prover);
           });
  };
  WalkResult walked = op->walk([&](Operation *inner) {
    return isSafe(inner) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}

bool arrc::array::mayRunAnywhere(Operation *op, IndexProver &prover) {
  return isMemoryEffectFree(op) && isSpeculatable(op) &&
         isSafeAnywhere(op, prover);
}

llvm::SetVector<Value> arrc::array::getUsedValues(Operation *op) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  used.insert(op->operand_begin(), op->operand_end());
  return used;
}
