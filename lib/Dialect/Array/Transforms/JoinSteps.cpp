//===- JoinSteps.cpp - Two steps of a time loop in one pass ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. A time loop over a stencil reads its state from memory and writes it in
// each step, and computes little. Two steps in one loop read and write it once:
// what lies between them is computed where it is read.
//
//   scf.for %t = %l to %u (%a = %a0) { step(%t, %a) }
//   ->
//   %h = (max(%u, %l) - %l) / 2
//   %b = scf.for %k = 0 to %h (%a = %a0) {
//     step(%l + 2 %k + 1, step(%l + 2 %k, %a)) }
//   scf.for %t = %l + 2 %h to %u (%a = %b) { step(%t, %a) }
//
// Legal when a step is pure: the same steps are taken in the same order, each
// with its number.
//
// Pays when all maps of the first step vanish in those of the second, which
// arr-fuse-producers is asked about: the elements that are computed again, once
// for each thread that needs them, cost less than memory would. A state of two
// times (waves) has that between the steps as its older one: it is stored, and
// computed again all the same.
//
// Source: temporal blocking of stencils (Wonnacott, IPDPS 2000); overlapped
// tiling (Krishnamoorthy et al., PLDI 2007).
//
//===----------------------------------------------------------------------===//

#include "FuseProducers.h"

#include "arrc/Dialect/Array/IR/Binds.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace arrc::array {
#define GEN_PASS_DEF_JOINSTEPSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

/// Whether a step is maps and stencils, which make all of the state, and what
/// they need of sizes and boundaries.
static bool isPureStep(scf::ForOp loop) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!isMemoryEffectFree(&op))
      return false;
    if (op.getNumRegions() && !isa<MapOp, StencilOp>(op))
      return false;
    if (!op.getNumRegions() && !isa<BindOp, ExtendOp>(op) &&
        llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      return false;
  }
  // A state of several times hands the younger ones on as they are.
  auto isMade = [&](Value next) {
    Operation *made = skipBinds(next).getDefiningOp();
    return isa_and_present<MapOp, StencilOp>(made) &&
           made->getBlock() == loop.getBody();
  };
  return llvm::any_of(loop.getYieldedValues(), isMade) &&
         llvm::all_of(loop.getYieldedValues(), [&](Value next) {
           return isMade(next) ||
                  llvm::is_contained(loop.getRegionIterArgs(), skipBinds(next));
         });
}

/// Steps of two each, in front of `loop`. `firsts`: the maps of the first one.
static scf::ForOp buildPairs(RewriterBase &rewriter, scf::ForOp loop,
                             SmallVectorImpl<Operation *> &firsts) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  Type type = lower.getType();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getIntegerAttr(type, value));
  };
  Value end = arith::MaxSIOp::create(rewriter, loc, upper, lower);
  Value count = arith::SubIOp::create(rewriter, loc, end, lower);
  // Far apart, the bounds have more steps between them than a sign leaves room.
  Value pairs = arith::DivUIOp::create(rewriter, loc, count, number(2));
  auto joined = scf::ForOp::create(rewriter, loc, number(0), pairs, number(1),
                                   loop.getInitArgs());
  rewriter.setInsertionPointToStart(joined.getBody());
  Value step =
      arith::MulIOp::create(rewriter, loc, joined.getInductionVar(), number(2));
  SmallVector<Value> state(joined.getRegionIterArgs());
  for (int64_t k : {0, 1}) {
    IRMapping mapping;
    Value past = arith::AddIOp::create(rewriter, loc, lower, step);
    mapping.map(
        loop.getInductionVar(),
        k ? arith::AddIOp::create(rewriter, loc, past, number(k)).getResult()
          : past);
    mapping.map(loop.getRegionIterArgs(), state);
    for (Operation &op : loop.getBody()->without_terminator()) {
      Operation *copy = rewriter.clone(op, mapping);
      if (k == 0 && isa<IndexSpaceOpInterface>(copy))
        firsts.push_back(copy);
    }
    state = llvm::map_to_vector(loop.getYieldedValues(), [&](Value next) {
      return mapping.lookupOrDefault(next);
    });
  }
  // What the second step reads of the first vanishes; what is carried on of it
  // is computed by itself, at every point once.
  for (Value &next : state)
    if (Operation *made = skipBinds(next).getDefiningOp();
        llvm::is_contained(firsts, made)) {
      unsigned result = cast<OpResult>(skipBinds(next)).getResultNumber();
      next = rewriter.clone(*made)->getResult(result);
    }
  // No builder makes a terminator where there is a state.
  scf::YieldOp::create(rewriter, loc, state);
  return joined;
}

/// Lets `loop` take the step that is left behind those of two.
static void keepRest(RewriterBase &rewriter, scf::ForOp loop,
                     scf::ForOp joined) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value two = arith::ConstantOp::create(
      rewriter, loc,
      rewriter.getIntegerAttr(joined.getUpperBound().getType(), 2));
  Value taken =
      arith::MulIOp::create(rewriter, loc, joined.getUpperBound(), two);
  Value first =
      arith::AddIOp::create(rewriter, loc, loop.getLowerBound(), taken);
  rewriter.modifyOpInPlace(loop, [&] {
    loop.getLowerBoundMutable().assign(first);
    loop.getInitArgsMutable().assign(joined.getResults());
  });
}

namespace {
struct JoinStepsPass : arrc::array::impl::JoinStepsPassBase<JoinStepsPass> {
  using JoinStepsPassBase::JoinStepsPassBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop->getParentOfType<IndexSpaceOpInterface>() &&
          !loop.getUnsignedCmp() && matchPattern(loop.getStep(), m_One()) &&
          isPureStep(loop))
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      join(rewriter, loop);
  }

  void join(RewriterBase &rewriter, scf::ForOp loop) {
    SmallVector<Operation *> firsts;
    scf::ForOp joined = buildPairs(rewriter, loop, firsts);
    // One loop has all of them.
    Repetition repetition{/*maxWork=*/0, workPerByte,
                          /*beside=*/int64_t(firsts.size())};
    bool pays = llvm::all_of(firsts, [&](Operation *op) {
      return vanishesInReaders(cast<IndexSpaceOpInterface>(op), repetition);
    });
    if (!pays) {
      rewriter.eraseOp(joined);
      return;
    }
    keepRest(rewriter, loop, joined);
    remark::passed(loop.getLoc(),
                   remark::RemarkOpts::name("JoinSteps").category("join-steps"))
        << remark::add("two steps in one pass over the arrays");
  }
};
} // namespace
