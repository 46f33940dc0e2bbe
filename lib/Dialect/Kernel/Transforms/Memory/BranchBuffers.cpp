//===- BranchBuffers.cpp - Branches that hand on one buffer ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BranchBuffers.h"

#include "BufferLifetime.h"

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// The one buffer that result `k` of `branch` is, whatever the condition: both
/// sides update it in place or leave it alone. Null if there is none.
static Value getOnlyBuffer(scf::IfOp branch, unsigned k) {
  auto follow = [&](scf::YieldOp yield) {
    Value value = yield.getOperand(k);
    while (Value before = getUpdatedInPlace(value))
      value = before;
    return value;
  };
  Value yes = follow(branch.thenYield());
  return yes == follow(branch.elseYield()) &&
                 yes.getType() == branch.getResult(k).getType() &&
                 !branch->isAncestor(yes.getParentBlock()->getParentOp())
             ? yes
             : Value();
}

void arrc::kernel::forwardBranches(func::FuncOp func) {
  SmallVector<scf::IfOp> branches;
  func.walk<WalkOrder::PostOrder>([&](scf::IfOp branch) {
    if (!branch->getParentOfType<LaunchOp>() && branch.getNumResults())
      branches.push_back(branch);
  });
  for (scf::IfOp branch : branches) {
    llvm::BitVector known(branch.getNumResults());
    SmallVector<Type> types;
    for (OpResult result : branch.getResults()) {
      Value only = isa<MemRefType>(result.getType())
                       ? getOnlyBuffer(branch, result.getResultNumber())
                       : Value();
      if (only) {
        result.replaceAllUsesWith(only);
        known.set(result.getResultNumber());
      } else {
        types.push_back(result.getType());
      }
    }
    if (known.none())
      continue;
    branch.thenYield()->eraseOperands(known);
    branch.elseYield()->eraseOperands(known);
    OpBuilder b(branch);
    auto made =
        scf::IfOp::create(b, branch.getLoc(), types, branch.getCondition());
    made.getThenRegion().takeBody(branch.getThenRegion());
    made.getElseRegion().takeBody(branch.getElseRegion());
    auto next = made.getResults().begin();
    for (OpResult result : branch.getResults())
      if (!known.test(result.getResultNumber()))
        result.replaceAllUsesWith(*next++);
    branch.erase();
  }
}
