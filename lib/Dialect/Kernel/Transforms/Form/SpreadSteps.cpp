//===- SpreadSteps.cpp - Independent steps become iterations --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Programs that are written as loops by elements, rows or columns often
// have steps that do not depend on each other. All of them together are a
// launch as any other: planned, vectorised, shared among threads.
//
// Before   kernel.iterate times (%j in %m) carry (%a[%n, %m] = %a0) {
//            kernel.launch @dot (%K = %k, %J = %j, ..) outs (%r = %t) {
//              %s = kernel.for "l" (%l) in %K reduce .. { A[K,l] * A[l,J] }
//              kernel.store %s, %r[] }
//            %x = memref.load %a[%k, %j] .. memref.store %x - %t, %a[%k, %j] }
// After    kernel.launch @steps (%M = %m, ..) outs (%A[%n, %m] = %a0) {
//            kernel.for "step" (%j) in %M {
//              %s = kernel.for "l" (%l) in %K reduce .. { .. }
//              kernel.store A[K,j] - %s, A[K,j] } }
//
// What a step has besides one loop becomes launches of their own
// (SpreadPieces.cpp).
//
// Legal when no element that a step writes is touched by another one, by the
// bounds of the loops around the accesses; scalars between the statements of a
// step are values then. What else a step may hold is what kernel-enclose-loops
// allows.
//
// Pays always: the steps were to run one after the other.
//
// Source: loop distribution and parallelization, Allen and Kennedy,
// "Automatic translation of Fortran programs to vector form" (1987).
//
//===----------------------------------------------------------------------===//

#include "Encloser.h"
#include "SpreadPieces.h"

#include "arrc/Analysis/Dependence.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_SPREADSTEPSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Gives loads of `local` the values stored in front of them in the body of
/// `steps`; false if it is not known which.
static bool forwardLocal(ForOp steps, LocalOp local) {
  Value value;
  SmallVector<Operation *> dead{local};
  for (Operation &op : *steps.getBodyBlock()) {
    if (auto store = dyn_cast<StoreOp>(op);
        store && store.getDest() == local.getResult()) {
      if (store.getMask())
        return false;
      value = store.getValue();
      dead.push_back(store);
      continue;
    }
    WalkResult known = op.walk([&](Operation *inner) {
      if (!llvm::is_contained(inner->getOperands(), local.getResult()))
        return WalkResult::advance();
      auto load = dyn_cast<LoadOp>(inner);
      if (!load || !value)
        return WalkResult::interrupt();
      load.getResult().replaceAllUsesWith(value);
      dead.push_back(load);
      return WalkResult::advance();
    });
    if (known.wasInterrupted())
      return false;
  }
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  return true;
}

/// Why the steps of `loop` are not a launch; empty where they have become one.
static std::string spread(IterateOp loop, StringRef name) {
  if (loop.getFlag())
    return "it has a condition";
  if (!keepsPlaces(loop))
    return "its arrays change places";
  if (std::optional<LoopObstacle> obstacle =
          findObstacle(loop, /*mayCheck=*/true))
    return obstacle->describe().str();
  OpBuilder b(loop);
  LaunchOp launch = spreadLoop(b, loop, name);
  auto steps = *launch.getBody().getOps<ForOp>().begin();
  std::string why;
  for (auto local :
       llvm::make_early_inc_range(steps.getBodyBlock()->getOps<LocalOp>()))
    if (!forwardLocal(steps, local))
      why = "a scalar goes from step to step";
  if (why.empty())
    why = findCarriedDependence(steps);
  if (!why.empty()) {
    launch->erase();
    return why;
  }
  for (auto [result, array] : llvm::zip(loop.getResults(), loop.getCarried()))
    result.replaceAllUsesWith(array);
  loop->erase();
  splitIntoPieces(launch, steps);
  return {};
}

namespace {
struct SpreadStepsPass
    : public arrc::kernel::impl::SpreadStepsPassBase<SpreadStepsPass> {
  void runOnOperation() override {
    auto options =
        remark::RemarkOpts::name("Spread").category("kernel-spread-steps");
    // Inner loops first: theirs are loops of the outer steps then.
    SmallVector<IterateOp> loops;
    getOperation().walk([&](IterateOp loop) { loops.push_back(loop); });
    unsigned number = 0;
    for (IterateOp loop : loops) {
      Location loc = loop.getLoc();
      std::string name =
          (getOperation().getName() + "_steps_" + Twine(number)).str();
      std::string why = spread(loop, name);
      if (why.empty()) {
        ++number;
        remark::passed(loc, options)
            << remark::add("steps are iterations of a kernel");
      } else {
        remark::missed(loc, options)
            << remark::add("steps run one after the other")
            << remark::reason("{0}", why);
      }
    }
  }
};
} // namespace
