//===- RotateLoops.cpp - Updates from the head of a step to its end -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. A step that puts a slice into its state and then computes the next one
// from neighbours goes over the slice by itself: the neighbours of an element
// may be in it. At the end of the step before, the slice follows from elements
// that have just been computed, each where it is:
//
//   %r = scf.for %t = %l to %u (%f = %f0) {
//     %s = array.map { g(%f) }   %g = tensor.insert_slice %s into %f
//     %h = array.stencil { .. %g .. }   scf.yield %h }
//   ->
//   %s0 = array.map { %l < %u ? g(%f0) : %f0 }
//   %g0 = tensor.insert_slice %s0 into %f0
//   %r = scf.for %t = %l to %u (%g = %g0) {
//     %h = array.stencil { .. %g .. }
//     %s = array.map { %t + 1 < %u ? g(%h) : %h }
//     %i = tensor.insert_slice %s into %h   scf.yield %i }
//
// arr-fuse-slices makes one loop of what computes %h, %s and %i. The last step
// leaves the slice as it is: the result is that of the loop as written.
//
// Legal when the slice reads of the state what it replaces, and besides what no
// step changes; when it can be computed even if there is no step, as nothing in
// it fails; and in counted loops, whose last step is known before it ends.
//
// Pays when the next state is made by one loop, and all who read it read their
// own element, so that the slice is part of that loop.
//
// Source: loop rotation and shifting as in software pipelining (Lam, PLDI
// 1988), on arrays.
//
//===----------------------------------------------------------------------===//

#include "SafeAnywhere.h"
#include "SliceUpdate.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace arrc::array {
#define GEN_PASS_DEF_ROTATELOOPSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

namespace {
/// Updates of one array at the head of a loop's steps.
class Rotation {
public:
  Rotation(scf::ForOp loop, unsigned number, IndexProver &prover)
      : loop(loop), number(number), prover(prover) {}

  /// Whether there are any that may and should be moved.
  bool find();
  void rewrite(RewriterBase &rewriter);

private:
  bool takeUpdate();
  bool isMovable(const SliceUpdate &update);

  scf::ForOp loop;
  unsigned number;
  IndexProver &prover;
  SmallVector<SliceUpdate> updates;
  /// The array behind the last of them.
  Value last;
};
} // namespace

/// Whether what makes the slice may run where the loop stands and after steps
/// that it did not run after.
bool Rotation::isMovable(const SliceUpdate &update) {
  Operation *space = update.space;
  if (!mayRunAnywhere(space, prover))
    return false;
  llvm::SetVector<Value> used = getUsedValues(space);
  tensor::InsertSliceOp insert = update.insert;
  for (Value operand : insert->getOperands())
    if (operand != insert.getSource())
      used.insert(operand);
  return llvm::all_of(used, [&](Value value) {
    return skipBinds(value) == skipBinds(last) ||
           loop.isDefinedOutsideOfLoop(value);
  });
}

/// Goes on to the next update, if nothing else reads what it replaces.
bool Rotation::takeUpdate() {
  tensor::InsertSliceOp insert;
  for (OpOperand &use : skipBinds(last).getUses())
    if (auto op = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
        op && use.get() == op.getDest())
      insert = op;
  // Under a name for its sizes.
  for (Operation *user : skipBinds(last).getUsers())
    if (auto bind = dyn_cast<BindOp>(user); bind && !insert)
      for (Operation *inner : bind->getUsers())
        if (auto op = dyn_cast<tensor::InsertSliceOp>(inner);
            op && op.getDest() == bind.getResult())
          insert = op;
  if (!insert || insert->getBlock() != loop.getBody())
    return false;
  std::optional<SliceUpdate> update = SliceUpdate::get(insert);
  if (!update || !isMovable(*update) || !update->readsOwnPlaces(last) ||
      !visitUses(skipBinds(last), [&](OpOperand &use) {
        return use.getOwner() == insert ||
               update->space->isAncestor(use.getOwner());
      }))
    return false;
  updates.push_back(*update);
  last = insert.getResult();
  return true;
}

bool Rotation::find() {
  last = loop.getRegionIterArgs()[number];
  if (!isa<RankedTensorType>(last.getType()))
    return false;
  while (takeUpdate()) {
  }
  if (updates.empty())
    return false;
  Value next = loop.getYieldedValues()[number];
  auto made = skipBinds(next).getDefiningOp<IndexSpaceOpInterface>();
  return made && made->getBlock() == loop.getBody() &&
         llvm::all_of(updates, [&](const SliceUpdate &update) {
           return update.canJoin(next, loop.getBody()->getTerminator());
         });
}

void Rotation::rewrite(RewriterBase &rewriter) {
  Location loc = loop.getLoc();
  auto less = [&](Value lhs) -> Value {
    auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                           : arith::CmpIPredicate::slt;
    return arith::CmpIOp::create(rewriter, loc, predicate, lhs,
                                 loop.getUpperBound());
  };
  auto repeat = [&](Value array, Value condition) {
    for (const SliceUpdate &update : updates)
      array = update.repeat(rewriter, array, condition);
    return array;
  };
  // Sizes have their names in the loop.
  auto bindLike = [&](Value array) -> Value {
    for (Operation *user : loop.getRegionIterArgs()[number].getUsers())
      if (auto bind = dyn_cast<BindOp>(user)) {
        IRMapping mapping;
        mapping.map(bind.getSource(), array);
        return rewriter.clone(*bind, mapping)->getResult(0);
      }
    return array;
  };
  rewriter.setInsertionPoint(loop);
  Value init =
      repeat(bindLike(loop.getInitArgs()[number]), less(loop.getLowerBound()));
  rewriter.setInsertionPoint(loop.getBody()->getTerminator());
  Value next = arith::AddIOp::create(rewriter, loc, loop.getInductionVar(),
                                     loop.getStep());
  Value end = repeat(bindLike(loop.getYieldedValues()[number]), less(next));
  rewriter.modifyOpInPlace(loop, [&] {
    loop.getInitArgsMutable()[number].set(init);
    loop.getBody()->getTerminator()->setOperand(number, end);
  });
  // Who read what had been updated reads the state.
  Value state = updates.front().insert.getDest();
  rewriter.replaceAllUsesWith(last, state);
  for (const SliceUpdate &update : llvm::reverse(updates)) {
    rewriter.eraseOp(update.insert);
    eraseUnused(rewriter, update.space);
  }
}

namespace {
struct RotateLoopsPass
    : arrc::array::impl::RotateLoopsPassBase<RotateLoopsPass> {
  void runOnOperation() override {
    IndexProver prover(getOperation());
    IRRewriter rewriter(&getContext());
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop->getParentOfType<IndexSpaceOpInterface>())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      for (unsigned k = 0; k < loop.getNumRegionIterArgs(); ++k) {
        Rotation rotation(loop, k, prover);
        if (!rotation.find())
          continue;
        remark::passed(
            loop.getLoc(),
            remark::RemarkOpts::name("RotateLoop").category("rotate-loops"))
            << remark::add("what a step assigns first is computed at the end "
                           "of the step before");
        rotation.rewrite(rewriter);
      }
  }
};
} // namespace
