//===- UndoFolding.cpp - What folding makes costly or wrong ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "UndoFolding.h"

#include "arrc/Dialect/Array/IR/ChangingSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace arrc;

void arrc::chainAssignments(func::FuncOp func) {
  auto arePlacedAlike = [](tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
    return a.getMixedOffsets() == b.getMixedOffsets() &&
           a.getMixedSizes() == b.getMixedSizes() &&
           a.getMixedStrides() == b.getMixedStrides();
  };
  func.walk([&](tensor::InsertSliceOp later) {
    tensor::InsertSliceOp last;
    for (OpOperand &use : later.getDest().getUses()) {
      auto earlier = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
      if (!earlier || use.get() != earlier.getDest() ||
          earlier->getBlock() != later->getBlock() ||
          !earlier->isBeforeInBlock(later) || earlier.use_empty() ||
          earlier.getSource() == earlier.getDest() ||
          !arePlacedAlike(earlier, later))
        continue;
      if (!last || last->isBeforeInBlock(earlier))
        last = earlier;
    }
    if (last)
      later.getDestMutable().assign(last.getResult());
  });
}

void arrc::chooseByBranches(func::FuncOp func) {
  SmallVector<arith::SelectOp> choices;
  func.walk([&](arith::SelectOp choice) {
    if (array::changesSizes(choice))
      choices.push_back(choice);
  });
  IRRewriter rewriter(func.getContext());
  for (arith::SelectOp choice : choices) {
    rewriter.setInsertionPoint(choice);
    auto yield = [](Value value) {
      return [value](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, value);
      };
    };
    rewriter.replaceOpWithNewOp<scf::IfOp>(choice, choice.getCondition(),
                                           yield(choice.getTrueValue()),
                                           yield(choice.getFalseValue()));
  }
}
