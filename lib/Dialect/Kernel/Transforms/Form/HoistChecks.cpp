//===- HoistChecks.cpp - Checks that no step changes, in front of loops ---===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A slice whose bounds follow from sizes is checked in every step, and a
// loop that checks is the host's. What every step finds alike the first one
// finds, if there is one:
//
// Before   kernel.iterate times (%k in %n) .. {
//            array.check index %ok, "slice {0}:{1} ..", ..   ..  }
// After    %none = arith.cmpi sle, %n, 0
//          %fine = arith.ori %none, %ok
//          array.check index %fine, "slice {0}:{1} ..", ..
//          kernel.iterate times (%k in %n) .. {  ..  }
//
// Legal when nothing in front of the check may fail in a step: the error that
// is reported stays the first one. Behind a failed check nothing of the loop is
// seen. Whether a conditional loop has a first step is not known.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_HOISTCHECKSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Whether `op` may end the function with an error.
static bool mayFail(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        bool fails =
            isa<array::CheckOp, CheckOp, array::ExternOp, func::CallOp>(inner);
        return fails ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Moves what `value` is computed by in front of `loop`; false if something in
/// the loop decides it.
static bool moveInFrontOf(Operation *loop, Value value) {
  if (!loop->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentOp() != loop || !isScalarOp(op))
    return false;
  for (Value operand : op->getOperands())
    if (!moveInFrontOf(loop, operand))
      return false;
  op->moveBefore(loop);
  return true;
}

/// Whether `loop` has no step; null for loops that are no counted ones.
static Value createIsEmpty(OpBuilder &b, Operation *loop) {
  Location loc = loop->getLoc();
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                 counted.getLowerBound(),
                                 counted.getUpperBound());
  auto iterate = dyn_cast<IterateOp>(loop);
  if (!iterate || iterate.getFlag())
    return {};
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle,
                               iterate.getTimes(), zero);
}

static void hoistChecks(Operation *loop) {
  if (!mayFail(loop))
    return;
  OpBuilder b(loop);
  Value isEmpty = createIsEmpty(b, loop);
  if (!isEmpty)
    return;
  llvm::DenseSet<Value> known;
  Block &body = loop->getRegion(0).front();
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    auto check = dyn_cast<array::CheckOp>(op);
    if (!check) {
      if (mayFail(&op))
        return;
      continue;
    }
    if (!llvm::all_of(check->getOperands(), [&](Value operand) {
          return moveInFrontOf(loop, operand);
        }))
      return;
    // What has been asked holds.
    if (!known.insert(check.getOk()).second) {
      check.erase();
      continue;
    }
    b.setInsertionPoint(loop);
    Value fine =
        arith::OrIOp::create(b, check.getLoc(), isEmpty, check.getOk());
    check.getOkMutable().assign(fine);
    check->moveBefore(loop);
  }
}

namespace {
struct HoistChecksPass
    : public arrc::kernel::impl::HoistChecksPassBase<HoistChecksPass> {
  void runOnOperation() override {
    // Inner loops first: what leaves them may leave the outer ones.
    getOperation().walk([](Operation *op) {
      if (isa<scf::ForOp, IterateOp>(op) && !op->getParentOfType<LaunchOp>())
        hoistChecks(op);
    });
  }
};
} // namespace
