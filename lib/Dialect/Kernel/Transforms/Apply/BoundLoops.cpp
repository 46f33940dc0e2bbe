//===- BoundLoops.cpp - Loops that end behind a check that fails ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A row of a sparse matrix goes from one offset to the next, and what an
// array gives may be anything: of an offset of 2^60 each step behind the first
// one outside fails as well, for years. Nothing is seen of a launch that fails
// but its first failure, so that the loop may end there:
//
// Before   kernel.for "p" (%p) in %N {
//            %k = %lo + %p   %in = arith.cmpi ult, %k, %size
//            kernel.check index %in ..
// After    %room = %lo < %size (unsigned) ? %size - %lo : 0
//          kernel.for "p" (%p) in min(%N, %room + 1) { .. }
//
// Of `%k = %lo + s * %p` it is the room divided by `s`, upwards. The check may
// stand in a loop of the body, if that has a step. Loops that have no extent,
// or no such check, go on as long as their checks hold (EndBehindChecks.cpp).
//
// Where each step has the check and its message tells the index and what is
// known in front of the loop, it is asked there, of the first step that fails:
//
// After    kernel.check index %N <= %room .. [%lo + %room, %size]
//          kernel.for "p" (%p) in min(%N, %room) { .. }   // %in is true
//
// The loads of the body, which are masked by what it asked, are masked no more.
//
// Legal: the steps that are left out follow one in which the first check of the
// body fails, or are that one, of which no other failure is reported; of the
// failures of a check the first one is. What
// the new extent is computed of differs between no more loops around than the
// old one: threads that took the same steps do so still.
//
//===----------------------------------------------------------------------===//

#include "BoundLoops.h"

#include "EndBehindChecks.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace arrc::kernel;

namespace {
/// What a value of a launch is computed of.
struct Origins {
  Origins(LaunchOp launch, Value value);

  /// Indices and what loops carry; not the arguments of the launch.
  llvm::SmallPtrSet<Value, 8> arguments;
  bool readsArrays = false, hasRegions = false;
};

/// A loop that counts from 0.
struct CountedLoop {
  Value extent, index;
  Block *body;
};
} // namespace

Origins::Origins(LaunchOp launch, Value value) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return launch->isProperAncestor(op); };
  (void)getBackwardSlice(value, &slice, options);
  auto add = [&](Value part) {
    auto argument = dyn_cast<BlockArgument>(part);
    if (argument && argument.getOwner()->getParentOp() != launch)
      arguments.insert(argument);
  };
  add(value);
  for (Operation *op : slice) {
    readsArrays |= isa<LoadOp>(op);
    hasRegions |= op->getNumRegions() != 0;
    llvm::for_each(op->getOperands(), add);
  }
}

/// The loop `op`, if threads do not share its steps yet.
static std::optional<CountedLoop> getCountedLoop(Operation *op) {
  if (auto loop = dyn_cast<ForOp>(op)) {
    LevelAttr level = loop.getLevelAttr();
    if (!loop.getExtent() || (level && !level.isSeq()))
      return std::nullopt;
    return CountedLoop{loop.getExtent(), loop.getInductionVar(),
                       &loop.getBody().front()};
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != 1 ||
      !loop.getUpperBound().getType().isIndex())
    return std::nullopt;
  return CountedLoop{loop.getUpperBound(), loop.getInductionVar(),
                     loop.getBody()};
}

namespace {
/// The first check of a body, and the loops of the body around it.
struct FirstCheck {
  CheckOp check;
  SmallVector<CountedLoop> loops;
};
} // namespace

/// The first check of `body`; none if it has none, or if only some steps reach
/// it for another reason than that a loop has none.
static std::optional<FirstCheck> getFirstCheck(Block &body) {
  for (Operation &op : body.without_terminator()) {
    if (auto check = dyn_cast<CheckOp>(op))
      return FirstCheck{check, {}};
    if (!op.getNumRegions() || !hasChecks(op))
      continue;
    std::optional<CountedLoop> loop = getCountedLoop(&op);
    if (!loop)
      return std::nullopt;
    std::optional<FirstCheck> found = getFirstCheck(*loop->body);
    if (found)
      found->loops.push_back(*loop);
    return found;
  }
  return std::nullopt;
}

namespace {
/// `base + step * index`, where both are known in front of the loop.
struct Place {
  Value base, step;
};
} // namespace

/// What `value` is in terms of `index`, nothing if it is something else;
/// `outside` says what may be asked in front of the loop.
static std::optional<Place>
createPlace(OpBuilder &b, Location loc, Value value, Value index,
            llvm::function_ref<bool(Value)> outside) {
  auto constant = [&](int64_t n) -> Value {
    return arith::ConstantIndexOp::create(b, loc, n);
  };
  if (value == index)
    return Place{constant(0), constant(1)};
  if (auto product = value.getDefiningOp<arith::MulIOp>()) {
    // A step that is negative, or 0, is none below.
    for (auto [lhs, rhs] : {std::pair(product.getLhs(), product.getRhs()),
                            std::pair(product.getRhs(), product.getLhs())})
      if (lhs == index && outside(rhs))
        return Place{constant(0), rhs};
    return std::nullopt;
  }
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return std::nullopt;
  // The operand that varies: the index, or its product with a step.
  AffineMap map = apply.getAffineMap();
  SmallVector<Value> operands(apply.getMapOperands());
  std::optional<unsigned> at;
  for (auto [position, operand] : llvm::enumerate(operands)) {
    if (outside(operand))
      continue;
    if (at)
      return std::nullopt;
    at = position;
  }
  if (!at || *at >= map.getNumDims())
    return std::nullopt;
  MLIRContext *context = b.getContext();
  AffineExpr dim = getAffineDimExpr(*at, context);
  AffineExpr base =
      map.getResult(0).replace(dim, getAffineConstantExpr(0, context));
  auto factor = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
      map.getResult(0).replace(dim, getAffineConstantExpr(1, context)) - base,
      map.getNumDims(), map.getNumSymbols()));
  if (!factor ||
      simplifyAffineExpr(map.getResult(0) - base - dim * factor.getValue(),
                         map.getNumDims(), map.getNumSymbols()) != 0)
    return std::nullopt;
  std::optional<Place> inner =
      createPlace(b, loc, operands[*at], index, outside);
  if (!inner)
    return std::nullopt;
  operands[*at] = inner->base;
  Value step = inner->step;
  if (factor.getValue() != 1)
    step =
        getConstantIntValue(step) == 1
            ? constant(factor.getValue())
            : arith::MulIOp::create(b, loc, step, constant(factor.getValue()));
  return Place{affine::AffineApplyOp::create(b, loc,
                                             AffineMap::get(map.getNumDims(),
                                                            map.getNumSymbols(),
                                                            map.getResult(0)),
                                             operands),
               step};
}

/// Asks `first` in front of the loop, for step `room`, the first one outside;
/// false if its message says something that is known in the body alone.
/// `index`: what that step compares with the size.
static bool askInFront(OpBuilder &b, const FirstCheck &first, Value extent,
                       Value room, Value index,
                       llvm::function_ref<bool(Value)> outside) {
  CheckOp check = first.check;
  auto inside = check.getCondition().getDefiningOp<arith::CmpIOp>();
  SmallVector<Value> values;
  for (Value value : check.getValues()) {
    if (value != inside.getLhs() && !outside(value))
      return false;
    values.push_back(value == inside.getLhs() ? index : value);
  }
  Location loc = check.getLoc();
  auto copy = cast<CheckOp>(b.clone(*check));
  copy.getConditionMutable().assign(
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, extent, room));
  copy.getValuesMutable().assign(values);
  copy->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
  // Others that ask the same would have failed behind it.
  for (Operation *user : llvm::make_early_inc_range(inside->getUsers()))
    if (isa<CheckOp>(user))
      user->erase();
  OpBuilder inBody(inside);
  inside.replaceAllUsesWith(
      arith::ConstantIntOp::create(inBody, loc, 1, 1).getResult());
  inside.erase();
  return true;
}

/// The extent of `loop` that ends with the first failure of its check; null if
/// there is none to be found.
static Value createExtent(OpBuilder &b, LaunchOp launch, Operation *op,
                          const CountedLoop &loop) {
  std::optional<FirstCheck> first = getFirstCheck(*loop.body);
  if (!first)
    return {};
  auto check = first->check.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!check || check.getPredicate() != arith::CmpIPredicate::ult ||
      !check.getLhs().getType().isIndex())
    return {};
  Origins extent(launch, loop.extent);
  // Other extents are sizes, or numbers of the call.
  if (!extent.readsArrays)
    return {};
  auto outside = [&](Value value) {
    if (op->isAncestor(value.getParentBlock()->getParentOp()))
      return false;
    Origins origins(launch, value);
    return !origins.hasRegions &&
           llvm::all_of(origins.arguments, [&](Value argument) {
             return extent.arguments.contains(argument);
           });
  };
  Location loc = check.getLoc();
  Value size = check.getRhs();
  if (!outside(size) || !llvm::all_of(first->loops, [&](CountedLoop &inner) {
        return outside(inner.extent);
      }))
    return {};
  std::optional<Place> place =
      createPlace(b, loc, check.getLhs(), loop.index, outside);
  if (!place)
    return {};
  auto [base, step] = *place;
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value isInside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, base, size);
  Value left = arith::SubIOp::create(b, loc, size, base);
  auto both = [&](Value lhs, Value rhs) -> Value {
    return lhs ? arith::AndIOp::create(b, loc, lhs, rhs).getResult() : rhs;
  };
  Value ends;
  std::optional<int64_t> known = getConstantIntValue(step);
  if (known && *known < 1)
    return {};
  if (known != 1) {
    Value divisor = step;
    if (!known) {
      ends =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, step, zero);
      divisor = arith::SelectOp::create(b, loc, ends, step, one);
    }
    Value last = arith::SubIOp::create(b, loc, left, one);
    left = arith::AddIOp::create(
        b, loc, arith::DivUIOp::create(b, loc, last, divisor), one);
  }
  Value room = arith::SelectOp::create(b, loc, isInside, left, zero);
  if (first->loops.empty() && !ends) {
    Value past = known == 1
                     ? room
                     : arith::MulIOp::create(b, loc, room, step).getResult();
    Value index = arith::AddIOp::create(b, loc, base, past);
    if (askInFront(b, *first, loop.extent, room, index, outside))
      return arith::MinSIOp::create(b, loc, loop.extent, room);
  }
  Value steps = arith::AddIOp::create(b, loc, room, one);
  for (CountedLoop &inner : first->loops)
    if (!getConstantIntValue(inner.extent))
      ends = both(ends, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                              inner.extent, zero));
  if (ends)
    steps = arith::SelectOp::create(b, loc, ends, steps, loop.extent);
  return arith::MinSIOp::create(b, loc, loop.extent, steps);
}

void arrc::kernel::boundLoops(LaunchOp launch) {
  // Inner loops first: loops around carry what their checks come to.
  SmallVector<Operation *> loops;
  launch.getBody().walk([&](Operation *op) {
    if (isa<scf::WhileOp>(op))
      loops.push_back(op);
    std::optional<CountedLoop> loop = getCountedLoop(op);
    if (!loop)
      return;
    OpBuilder b(op);
    Value extent = createExtent(b, launch, op, *loop);
    auto sequential = dyn_cast<scf::ForOp>(op);
    if (!sequential && extent)
      cast<ForOp>(op).getExtentMutable().assign(extent);
    else if (extent)
      sequential.setUpperBound(extent);
    else if (Origins(launch, loop->extent).readsArrays)
      loops.push_back(op);
  });
  endBehindChecks(loops);
}
