//===- HoistInvariants.cpp - What is the same in all iterations, once -----===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Upstream's loop-invariant code motion, over loops and index spaces, but
// for remainders. Upstream has them as total, so that it moves one in front of
// a loop that never runs, where its divisor may be zero:
//
//   Before   array.map (%i) in (%n) { %r = arith.remsi %k, %n ..}
//   After    %ok = arith.cmpi ne, %n, %zero
//            %d = arith.select %ok, %n, %one
//            %r = arith.remsi %k, %d
//            array.map (%i) in (%n) {..}
//
// Legal: pure and speculatable, divisors guarded, every read inside of its
// array even if the loop never runs. A divisor that is the extent of a loop
// that is moved with the remainder needs no guard.
//
//===----------------------------------------------------------------------===//

#include "PartialInvariants.h"
#include "SafeAnywhere.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/Divisors.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace arrc::array {
#define GEN_PASS_DEF_HOISTINVARIANTSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc::array;

/// True if an index space between `inner` and `moved` has `divisor` points in
/// some dimension: `inner` runs for none if it is zero.
static bool isExtentAround(Value divisor, Operation *inner, Operation *moved) {
  Value wanted = skipCasts(divisor);
  for (Operation *op = inner; op != moved;) {
    op = op->getParentOp();
    if (auto space = dyn_cast<IndexSpaceOpInterface>(op))
      for (Value extent : space.getDynamicExtents())
        if (skipCasts(extent) == wanted)
          return true;
  }
  return false;
}

/// Makes the remainders of `moved` safe wherever it stands.
static void guardRemainders(Operation *moved) {
  moved->walk([&](Operation *op) {
    if (!isa<arith::RemSIOp, arith::RemUIOp>(op))
      return;
    OpOperand &divisor = op->getOpOperand(1);
    Type type = divisor.get().getType();
    if (isa<ShapedType>(type) || isNotZero(divisor.get()) ||
        isExtentAround(divisor.get(), op, moved))
      return;
    OpBuilder b(op);
    auto number = [&](int64_t value) {
      return arith::ConstantOp::create(b, op->getLoc(), type,
                                       b.getIntegerAttr(type, value));
    };
    Value ok = arith::CmpIOp::create(b, op->getLoc(), arith::CmpIPredicate::ne,
                                     divisor.get(), number(0));
    divisor.set(
        arith::SelectOp::create(b, op->getLoc(), ok, divisor.get(), number(1)));
  });
}

/// Whether nothing that `op` uses changes in the loop.
static bool isInvariant(Operation *op, LoopLikeOpInterface loop) {
  return llvm::all_of(getUsedValues(op), [&](Value value) {
    return loop.isDefinedOutsideOfLoop(value);
  });
}

namespace {
struct HoistInvariantsPass
    : public arrc::array::impl::HoistInvariantsPassBase<HoistInvariantsPass> {
  void runOnOperation() override {
    IndexProver prover(getOperation());
    // Inner loops first, so that what leaves them may leave the outer ones.
    getOperation()->walk([&](LoopLikeOpInterface loop) {
      moveLoopInvariantCode(
          loop.getLoopRegions(),
          [&](Value value, Region *) {
            return loop.isDefinedOutsideOfLoop(value);
          },
          [&](Operation *op, Region *) {
            return isInvariant(op, loop) && mayRunAnywhere(op, prover);
          },
          [&](Operation *op, Region *) {
            loop.moveOutOfLoop(op);
            guardRemainders(op);
          });
    });
    for (Operation *map : hoistPartialInvariants(getOperation(), prover))
      guardRemainders(map);
  }
};
} // namespace
