//===- StripMineLoops.cpp - What steps do once in a while -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A branch on the number of the step keeps a loop on the host, though it
// is taken once in thousands of steps (kernel-defer-folds). The loop becomes
// two: the inner one has the steps up to the next that takes the branch, all of
// them alike; the outer one does what is in the branch.
//
//   while (k = 0; k < n; ++k) { a(k);  if (k + 1) mod m == 0 or k + 1 == n: b }
//   =>
//   while (k = 0; k < n) { to = min(k - k mod m + m, n)
//     while (; k < to; ++k) { a(k) }
//     b }
//
// Branches on sizes around it are asked again for `b`.
//
// Legal when what a step starts behind `b` shares no memory with it, and `b`
// needs nothing of the step but its number. The loop has no other condition.
//
//===----------------------------------------------------------------------===//

#include "TimeLoops.h"
#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Conversion/Passes.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace arrc {
#define GEN_PASS_DEF_STRIPMINELOOPSPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

namespace {

/// A counted loop and its branches that are taken once in a while.
class PeriodicLoop {
public:
  explicit PeriodicLoop(scf::WhileOp op) : op(op) {}

  bool analyze();
  void rewrite();

private:
  bool readCount();
  bool isPeriodic(scf::IfOp branch);
  bool isWaiting(Operation *inner) const;
  bool isApart(Operation *later) const;
  bool canRepeat(Value value);
  void repeat(OpBuilder &b, Block &from, IRMapping &map);
  void bring(OpBuilder &b, Value value, IRMapping &map);

  scf::WhileOp op;
  /// The number of the step and where it stands; what it stays below.
  BlockArgument number;
  Value bound;
  /// After so many steps the branches are taken.
  Value period;
  SmallVector<scf::IfOp> branches;
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// The only condition is that the number of the step is below a bound.
bool PeriodicLoop::readCount() {
  number = findStepNumber(op);
  auto less = op.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  if (!number || !less || less.getPredicate() != arith::CmpIPredicate::slt ||
      !llvm::hasSingleElement(op.getBeforeBody()->without_terminator()) ||
      less.getLhs() != op.getBeforeArguments()[number.getArgNumber()] ||
      op->isAncestor(less.getRhs().getParentBlock()->getParentOp()))
    return false;
  bound = less.getRhs();
  return true;
}

/// Whether `branch` is taken where the number of the next step is a multiple of
/// the period, or the bound.
bool PeriodicLoop::isPeriodic(scf::IfOp branch) {
  auto either = branch.getCondition().getDefiningOp<arith::OrIOp>();
  if (!either || branch.getNumResults() || !branch.getElseRegion().empty())
    return false;
  auto isNext = [&](Value value) {
    auto sum = value.getDefiningOp<arith::AddIOp>();
    return sum && sum.getLhs() == number && matchPattern(sum.getRhs(), m_One());
  };
  Value found;
  bool isLast = false;
  for (Value side : {either.getLhs(), either.getRhs()}) {
    auto equal = side.getDefiningOp<arith::CmpIOp>();
    if (!equal || equal.getPredicate() != arith::CmpIPredicate::eq)
      return false;
    auto rest = equal.getLhs().getDefiningOp<arith::RemUIOp>();
    if (rest && isNext(rest.getLhs()) &&
        matchPattern(equal.getRhs(), m_Zero()) &&
        !op->isAncestor(rest.getRhs().getParentBlock()->getParentOp()))
      found = rest.getRhs();
    else if (isNext(equal.getLhs()) && equal.getRhs() == bound)
      isLast = true;
  }
  if (!found || !isLast || (period && period != found))
    return false;
  period = found;
  return true;
}

/// Whether `inner` is in one of the branches.
bool PeriodicLoop::isWaiting(Operation *inner) const {
  return llvm::any_of(
      branches, [&](scf::IfOp branch) { return branch->isAncestor(inner); });
}

/// The buffer of an operand, through types of memory.
static Value getMemory(Value value) {
  while (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>()) {
    if (cast.getNumOperands() != 1)
      return {};
    value = cast.getOperand(0);
  }
  return getBuffer(value);
}

static bool isMemory(Value value) { return isa<MemRefType>(value.getType()); }

/// Whether `later` comes before `branch` in a step.
static bool isBefore(Operation *later, Operation *branch) {
  for (Operation *around = branch; around; around = around->getParentOp()) {
    Operation *other = around->getBlock()->findAncestorOpInBlock(*later);
    if (other && other != around)
      return other->isBeforeInBlock(around);
    if (other)
      return false;
  }
  return false;
}

/// Whether what `later` touches has nothing to do with the branches that stand
/// before it in a step.
bool PeriodicLoop::isApart(Operation *later) const {
  auto overlaps = [&](Operation *inner) {
    for (Value mine : llvm::make_filter_range(inner->getOperands(), isMemory))
      for (Value other :
           llvm::make_filter_range(later->getOperands(), isMemory)) {
        Value a = getMemory(mine), b = getMemory(other);
        if (!a || !b || !areDistinctBuffers(a, b))
          return WalkResult::interrupt();
      }
    return WalkResult::advance();
  };
  return llvm::all_of(branches, [&](scf::IfOp branch) {
    return scf::insideMutuallyExclusiveBranches(branch, later) ||
           isBefore(later, branch) || !branch.walk(overlaps).wasInterrupted();
  });
}

/// Whether `value` can be computed behind the loop of the last step.
bool PeriodicLoop::canRepeat(Value value) {
  if (value == number)
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return !op->isAncestor(argument.getOwner()->getParentOp());
  Operation *def = value.getDefiningOp();
  if (!op->isProperAncestor(def) || isWaiting(def))
    return true;
  return !def->getNumRegions() && isPure(def) &&
         llvm::all_of(def->getOperands(),
                      [&](Value operand) { return canRepeat(operand); });
}

bool PeriodicLoop::analyze() {
  if (!readCount())
    return false;
  WalkResult walked =
      op.getAfter().walk<WalkOrder::PreOrder>([&](Operation *inner) {
        if (isa<scf::WhileOp>(inner))
          return WalkResult::interrupt();
        auto branch = dyn_cast<scf::IfOp>(inner);
        if (!branch || !isPeriodic(branch))
          return WalkResult::advance();
        branches.push_back(branch);
        return WalkResult::skip();
      });
  if (walked.wasInterrupted() || branches.empty())
    return false;
  for (scf::IfOp branch : branches) {
    for (Operation *parent = branch; parent != op;
         parent = parent->getParentOp()) {
      auto around = dyn_cast<scf::IfOp>(parent);
      if (!around || (around != branch && !canRepeat(around.getCondition())))
        return false;
    }
    bool isRepeated =
        !branch
             .walk([&](Operation *inner) {
               return llvm::all_of(inner->getOperands(),
                                   [&](Value v) { return canRepeat(v); })
                          ? WalkResult::advance()
                          : WalkResult::interrupt();
             })
             .wasInterrupted();
    if (!isRepeated)
      return false;
  }
  return !op.getAfter()
              .walk([&](Operation *inner) {
                bool has = !inner->getNumRegions() &&
                           !isMemoryEffectFree(inner) && !isWaiting(inner);
                return has && !isApart(inner) ? WalkResult::interrupt()
                                              : WalkResult::advance();
              })
              .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Computes `value` anew.
void PeriodicLoop::bring(OpBuilder &b, Value value, IRMapping &map) {
  Operation *def = value.getDefiningOp();
  if (map.contains(value) || !def || !op->isProperAncestor(def))
    return;
  for (Value operand : def->getOperands())
    bring(b, operand, map);
  b.clone(*def, map);
}

/// Does what the branches in `from` do, behind the loop.
void PeriodicLoop::repeat(OpBuilder &b, Block &from, IRMapping &map) {
  for (Operation &inner : from) {
    auto branch = dyn_cast<scf::IfOp>(inner);
    if (!branch || llvm::none_of(branches, [&](scf::IfOp one) {
          return branch->isAncestor(one);
        }))
      continue;
    if (llvm::is_contained(branches, branch)) {
      Block &body = branch.getThenRegion().front();
      body.walk([&](Operation *op) {
        for (Value operand : op->getOperands())
          if (Operation *def = operand.getDefiningOp(); def && !isWaiting(def))
            bring(b, operand, map);
      });
      for (Operation &op : body.without_terminator())
        b.clone(op, map);
      continue;
    }
    bring(b, branch.getCondition(), map);
    auto copy = scf::IfOp::create(b, branch.getLoc(),
                                  map.lookupOrDefault(branch.getCondition()),
                                  !branch.getElseRegion().empty());
    for (auto [mine, other] :
         llvm::zip(branch->getRegions(), copy->getRegions()))
      if (!mine.empty()) {
        OpBuilder inside = OpBuilder::atBlockTerminator(&other.front());
        IRMapping here = map;
        repeat(inside, mine.front(), here);
      }
  }
}

void PeriodicLoop::rewrite() {
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Type> types(op.getResultTypes());
  SmallVector<Location> locs(types.size(), loc);
  unsigned counter = number.getArgNumber();
  auto outer = scf::WhileOp::create(b, loc, types, op.getInits());
  IRMapping same;
  op.getBefore().cloneInto(&outer.getBefore(), same);
  Block *body = b.createBlock(&outer.getAfter(), {}, types, locs);

  // The steps up to the next that takes the branches, or to the last.
  Value first = body->getArgument(counter);
  Value done = arith::RemUIOp::create(b, loc, first, period);
  Value start = arith::SubIOp::create(b, loc, first, done);
  Value to = arith::AddIOp::create(b, loc, start, period);
  to = arith::MinSIOp::create(b, loc, to, bound);
  IRMapping inside;
  auto inner = cast<scf::WhileOp>(b.clone(*op, inside));
  inner.getInitsMutable().assign(body->getArguments());
  auto less =
      inner.getConditionOp().getCondition().getDefiningOp<arith::CmpIOp>();
  less.getRhsMutable().assign(to);

  // The branches, of the step that was last.
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  IRMapping map;
  map.map(number, arith::SubIOp::create(b, loc, inner.getResult(counter), one));
  repeat(b, *op.getAfterBody(), map);
  scf::YieldOp::create(b, loc, inner.getResults());

  // The inner loop is left without them.
  for (scf::IfOp branch : branches)
    inside.lookup(branch.getOperation())->erase();
  // How many steps there were before in the period takes no division.
  inner.getAfter().walk([&](arith::RemUIOp rest) {
    if (rest.getLhs() != inside.lookup(number) || rest.getRhs() != period)
      return;
    OpBuilder at(rest);
    rest.replaceAllUsesWith(
        arith::SubIOp::create(at, loc, rest.getLhs(), start).getResult());
    rest.erase();
  });
  op->replaceAllUsesWith(outer);
  op->erase();
}

namespace {
struct StripMineLoopsPass
    : arrc::impl::StripMineLoopsPassBase<StripMineLoopsPass> {
  void runOnOperation() override {
    auto row = kernel::DeviceAttr::get(getOperation());
    // Others start each step from the host in any case.
    if (!row || row.getName() != "cuda")
      return;
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp op) { loops.push_back(op); });
    for (scf::WhileOp op : loops) {
      PeriodicLoop loop(op);
      if (loop.analyze())
        loop.rewrite();
    }
  }
};
} // namespace
