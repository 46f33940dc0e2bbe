//===- PlanDestinations.cpp - Results in the place of dead operands -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A launch that makes a new array while one of its operands dies may write the
// one where the other lies, if it reads that operand only at the index that it
// writes:
//
//   %e = tensor.empty(%n)                      %b = kernel.launch (%A = %a)
//   %b = kernel.launch (%A = %a) outs(%e)  =>      outs(%a)
//
// This is advice: one-shot bufferization checks it and copies where it is
// wrong. Arguments are not touched, they are the caller's.
//
// Legal always. Pays: one array less in memory, and the same cache lines read
// and written.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "../Shared/LaunchAccess.h"
#include "../Shared/TensorSizes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_PLANDESTINATIONSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// True if `value` lies in a buffer that was made in this block and that no
/// other value shows after `launch`.
static bool diesAt(Value value, LaunchOp launch) {
  while (true) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != launch->getBlock())
      return false;
    for (Operation *user : value.getUsers()) {
      Operation *here = launch->getBlock()->findAncestorOpInBlock(*user);
      if (!here || (here != launch && !here->isBeforeInBlock(launch)))
        return false;
      // A view of it may live on.
      if (isa<tensor::ExtractSliceOp, tensor::CastOp, tensor::CollapseShapeOp,
              tensor::ExpandShapeOp>(user))
        return false;
    }
    if (isa<tensor::EmptyOp>(op))
      return true;
    if (auto producer = dyn_cast<LaunchOp>(op))
      value = producer.getOuts()[cast<OpResult>(value).getResultNumber()];
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      value = insert.getDest();
    else if (auto fence = dyn_cast<array::FenceOp>(op))
      value = fence.getSource();
    else
      return false;
  }
}

/// The operand in whose place out `out` may be written, or null.
static Value findPlace(LaunchOp launch, unsigned out) {
  Value empty = launch.getOuts()[out];
  for (OpOperand &operand : launch.getInputsMutable()) {
    Value value = operand.get();
    if (value.getType() != empty.getType() || !diesAt(value, launch))
      continue;
    auto type = cast<RankedTensorType>(value.getType());
    bool fits = true;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      OpFoldResult have = findTensorSize(value, d);
      OpFoldResult want = findTensorSize(empty, d);
      fits &= have && want && isEqualConstantIntOrValue(have, want);
    }
    for (OpOperand &use : value.getUses()) {
      if (use.getOwner() != launch)
        continue;
      BlockArgument from = launch.getArgumentOf(use);
      fits &= from && !launch.isDpsInit(&use) &&
              isElementwise(launch, from, launch.getOutArguments()[out]);
    }
    if (fits)
      return value;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct PlanDestinationsPass
    : public kernel::impl::PlanDestinationsPassBase<PlanDestinationsPass> {
  using PlanDestinationsPassBase::PlanDestinationsPassBase;

  void runOnOperation() override {
    separateEmptyTensors(getOperation());
    getOperation().walk([](LaunchOp launch) {
      for (OpOperand &out : launch.getOutsMutable()) {
        auto empty = out.get().getDefiningOp<tensor::EmptyOp>();
        // Arrays of rank 0 cost nothing, and hoist better alone.
        if (!empty || empty.getType().getRank() == 0)
          continue;
        unsigned k = out.getOperandNumber() - launch.getNumInputs();
        if (Value place = findPlace(launch, k)) {
          out.set(place);
          if (empty->use_empty())
            empty.erase();
        }
      }
    });
  }
};
} // namespace
