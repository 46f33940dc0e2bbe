//===- EndBehindChecks.cpp - Loops that go on while checks hold -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. How often a loop runs may follow from what an array gives, which may be
// anything, and nothing is seen of a launch that fails but its first failure.
// A loop of statements goes on as long as its checks hold, those in branches
// and in loops of its body too, and gives whether they did:
//
// Before   scf.while (%p = ..) { .. scf.condition(%c) .. } do {
//            kernel.check index %in ..
//            scf.yield %next }
// After    scf.while (%p = .., %ok = true) { .. scf.condition(%c and %ok) ..,
//          %ok } do { .. scf.yield %next, %in }
//
// The steps of a fold have no order and may be those of lanes: it is taken in
// pieces, each a fold of what was yielded and of whether checks held:
//
// Before   %s = kernel.for "p" (%p) in %N reduce (%z) by arith.addf {
//            .. kernel.check index %in ..
//            kernel.yield %x }
// After    scf.while (%lo = 0, %s = %z, %ok = true) {
//            scf.condition(%lo < %N and %ok) .. } do {
//            %t, %held = kernel.for "p" (%p) in min(%N - %lo, 4096)
//                reduce (%neutral, true) by arith.addf, arith.andi {
//              .. of %lo + %p ..  kernel.yield %x, %in }
//            scf.yield %lo + 4096, %s + %t, %held }
//
// Legal: the steps that are left out follow one in which a check fails: of a
// range whose ends an array gives that is the failure that is reported
// (docs/language.md). Operators are associative, so that pieces may be
// bracketed apart.
//
// Pays: always, where it alone lets a loop end; a fold that ends with its first
// index has its extent bounded instead (BoundLoops.cpp) and stays whole.
//
//===----------------------------------------------------------------------===//

#include "EndBehindChecks.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc::kernel;

/// Steps of a fold that are taken before its checks are looked at.
static constexpr int64_t kPiece = 4096;

static Value createTrue(OpBuilder &b, Location loc) {
  return arith::ConstantIntOp::create(b, loc, 1, 1);
}

bool arrc::kernel::hasChecks(Operation &op) {
  return op.walk([](CheckOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// A copy of `fold` over `extent` that takes over its body and gives, behind
/// its results, whether the checks of the body `held`.
static ForOp buildFold(OpBuilder &b, ForOp fold, OpFoldResult extent,
                       ValueRange neutrals, Value held) {
  Location loc = fold.getLoc();
  SmallVector<Value> seeds(neutrals);
  seeds.push_back(createTrue(b, loc));
  auto copy = ForOp::create(b, loc, fold.getDim(), extent, ForKind::Reduce,
                            seeds, fold.getLevelAttr());
  copy->setDiscardableAttrs(fold->getDiscardableAttrDictionary());
  copy.getBody().takeBody(fold.getBody());
  copy.getYield()->insertOperands(copy.getYield()->getNumOperands(), held);
  // The operator beside 'and': accumulators come first, then values.
  OpBuilder::InsertionGuard guard(b);
  copy.getCombiner().takeBody(fold.getCombiner());
  Block &by = copy.getCombiner().front();
  Value first = by.insertArgument(neutrals.size(), b.getI1Type(), loc);
  Value second = by.addArgument(b.getI1Type(), loc);
  Operation *yield = by.getTerminator();
  b.setInsertionPoint(yield);
  yield->insertOperands(
      yield->getNumOperands(),
      arith::AndIOp::create(b, loc, first, second).getResult());
  return copy;
}

namespace {

class LoopEnder {
public:
  void end(scf::WhileOp loop);
  void end(scf::ForOp loop);
  void end(ForOp fold);

private:
  Value collectChecks(scf::IfOp branch);
  Value collectChecks(ForOp fold);
  Value collectChecks(scf::ForOp loop);
  Value collectChecks(Block &block);

  /// Loops that end behind their checks, and whether those held.
  llvm::DenseMap<Operation *, Value> ended;
};

} // namespace

/// Whether the checks of `branch` hold, which it gives from now on; null if it
/// has none.
Value LoopEnder::collectChecks(scf::IfOp branch) {
  SmallVector<Value> holds;
  for (Region &region : branch->getRegions())
    holds.push_back(region.empty() ? Value() : collectChecks(region.front()));
  if (!holds[0] && !holds[1])
    return {};
  OpBuilder b(branch);
  Location loc = branch.getLoc();
  SmallVector<Type> types(branch.getResultTypes());
  types.push_back(b.getI1Type());
  auto copy = scf::IfOp::create(b, loc, types, branch.getCondition(),
                                /*withElseRegion=*/true);
  copy->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  for (auto [from, to, value] :
       llvm::zip(branch->getRegions(), copy->getRegions(), holds)) {
    if (!from.empty())
      to.takeBody(from);
    Block &body = to.front();
    Operation *end =
        body.mightHaveTerminator() ? body.getTerminator() : nullptr;
    b.setInsertionPointToEnd(&body);
    if (end)
      b.setInsertionPoint(end);
    Value result = value ? value : createTrue(b, loc);
    if (end)
      end->insertOperands(end->getNumOperands(), result);
    else
      scf::YieldOp::create(b, loc, result);
  }
  branch->replaceAllUsesWith(copy.getResults().drop_back());
  branch->erase();
  return copy.getResults().back();
}

/// The same of a fold in a body.
Value LoopEnder::collectChecks(ForOp fold) {
  if (!fold.isReduce())
    return {};
  Value held = collectChecks(*fold.getBodyBlock());
  if (!held)
    return {};
  OpBuilder b(fold);
  ForOp copy = buildFold(b, fold, fold.getMixedExtent(), fold.getSeeds(), held);
  fold->replaceAllUsesWith(copy.getResults().drop_back());
  fold->erase();
  return copy.getResults().back();
}

/// The same of a loop of statements in a body.
Value LoopEnder::collectChecks(scf::ForOp loop) {
  Value held = collectChecks(*loop.getBody());
  if (!held)
    return {};
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  Value before = createTrue(rewriter, loop.getLoc());
  FailureOr<LoopLikeOpInterface> copy =
      cast<LoopLikeOpInterface>(loop.getOperation())
          .replaceWithAdditionalYields(
              rewriter, before, /*replaceInitOperandUsesInLoop=*/false,
              [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> carried) {
                return SmallVector<Value>{
                    arith::AndIOp::create(b, loc, carried.back(), held)};
              });
  return succeeded(copy) ? (*copy)->getResults().back() : Value();
}

/// Whether the checks of `block` hold; null if it has none.
Value LoopEnder::collectChecks(Block &block) {
  Value all;
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    Location loc = op.getLoc();
    Operation *next = op.getNextNode();
    Value holds =
        llvm::TypeSwitch<Operation *, Value>(&op)
            .Case([](CheckOp check) { return check.getCondition(); })
            .Case([&](scf::IfOp branch) { return collectChecks(branch); })
            .Case([&](ForOp fold) { return collectChecks(fold); })
            .Case([&](scf::ForOp loop) { return collectChecks(loop); })
            .Default([&](Operation *other) { return ended.lookup(other); });
    if (!holds)
      continue;
    OpBuilder b(next);
    all = all ? arith::AndIOp::create(b, loc, all, holds).getResult() : holds;
  }
  return all;
}

void LoopEnder::end(scf::WhileOp loop) {
  Value holds = collectChecks(*loop.getAfterBody());
  if (!holds)
    return;
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits(loop.getInits());
  inits.push_back(createTrue(b, loc));
  SmallVector<Type> types(loop.getResultTypes());
  types.push_back(b.getI1Type());
  auto copy = scf::WhileOp::create(b, loc, types, inits);
  copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  copy.getBefore().takeBody(loop.getBefore());
  copy.getAfter().takeBody(loop.getAfter());
  Value go = copy.getBeforeBody()->addArgument(b.getI1Type(), loc);
  copy.getAfterBody()->addArgument(b.getI1Type(), loc);
  scf::ConditionOp condition = copy.getConditionOp();
  b.setInsertionPoint(condition);
  condition.getConditionMutable().assign(
      arith::AndIOp::create(b, loc, condition.getCondition(), go));
  condition.getArgsMutable().append(go);
  copy.getYieldOp()->insertOperands(copy.getYieldOp()->getNumOperands(), holds);
  loop->replaceAllUsesWith(copy->getResults().drop_back());
  ended[copy] = copy->getResults().back();
  loop->erase();
}

void LoopEnder::end(scf::ForOp loop) {
  if (!hasChecks(*loop))
    return;
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits{loop.getLowerBound()};
  llvm::append_range(inits, loop.getInitArgs());
  SmallVector<Type> types;
  for (Value init : inits)
    types.push_back(init.getType());
  SmallVector<Location> places(types.size(), loc);
  auto copy = scf::WhileOp::create(b, loc, types, inits);
  Block *before = b.createBlock(&copy.getBefore(), {}, types, places);
  Value more =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                            before->getArgument(0), loop.getUpperBound());
  scf::ConditionOp::create(b, loc, more, before->getArguments());
  copy.getAfter().takeBody(loop.getRegion());
  Operation *yield = copy.getAfterBody()->getTerminator();
  b.setInsertionPoint(yield);
  Value next = arith::AddIOp::create(
      b, loc, copy.getAfterBody()->getArgument(0), loop.getStep());
  yield->insertOperands(0, next);
  loop->replaceAllUsesWith(copy.getResults().drop_front());
  loop->erase();
  end(copy);
}

void LoopEnder::end(ForOp fold) {
  Value held = collectChecks(*fold.getBodyBlock());
  if (!held)
    return;
  OpBuilder b(fold);
  Location loc = fold.getLoc();
  Value extent = fold.getExtent();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value piece = arith::ConstantIndexOp::create(b, loc, kPiece);
  SmallVector<Value> neutrals = createNeutrals(b, fold);
  SmallVector<Value> inits{zero};
  llvm::append_range(inits, fold.getSeeds());
  inits.push_back(createTrue(b, loc));
  SmallVector<Type> types;
  for (Value init : inits)
    types.push_back(init.getType());
  SmallVector<Location> places(types.size(), loc);
  auto pieces = scf::WhileOp::create(b, loc, types, inits);

  Block *before = b.createBlock(&pieces.getBefore(), {}, types, places);
  Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                     before->getArgument(0), extent);
  scf::ConditionOp::create(
      b, loc,
      arith::AndIOp::create(b, loc, more, before->getArguments().back()),
      before->getArguments());

  Block *body = b.createBlock(&pieces.getAfter(), {}, types, places);
  Value from = body->getArgument(0);
  Value left = arith::SubIOp::create(b, loc, extent, from);
  Value size = arith::MinSIOp::create(b, loc, left, piece);
  ForOp part = buildFold(b, fold, size, neutrals, held);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(part.getBodyBlock());
    Value index = part.getInductionVar();
    AffineExpr at = b.getAffineDimExpr(0) + b.getAffineSymbolExpr(0);
    Value place = affine::AffineApplyOp::create(
        b, loc, AffineMap::get(1, 1, at), ValueRange{index, from});
    index.replaceAllUsesExcept(place, place.getDefiningOp());
  }
  // No further than the extent: what is beyond may not be a number.
  Value next = arith::AddIOp::create(b, loc, from, size);
  SmallVector<Value> yielded{next};
  ValueRange parts = part.getResults();
  {
    ValueRange sums = body->getArguments().drop_front().drop_back();
    // The operator of the whole, which has no part in whether checks held.
    SmallVector<Value> lhs(sums), rhs(parts.drop_back());
    lhs.push_back(parts.back());
    rhs.push_back(parts.back());
    llvm::append_range(yielded,
                       arrc::inlineCombiner(b, part.getCombiner(), lhs, rhs));
  }
  scf::YieldOp::create(b, loc, yielded);
  fold->replaceAllUsesWith(pieces.getResults().drop_front().drop_back());
  ended[pieces] = pieces.getResults().back();
  fold->erase();
}

void arrc::kernel::endBehindChecks(ArrayRef<Operation *> loops) {
  LoopEnder ender;
  for (Operation *op : loops) {
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      ender.end(loop);
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      ender.end(loop);
    else if (auto fold = dyn_cast<ForOp>(op); fold && fold.isReduce())
      ender.end(fold);
  }
}
