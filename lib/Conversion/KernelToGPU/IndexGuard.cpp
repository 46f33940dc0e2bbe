//===- IndexGuard.cpp - Where the host asks for index widths --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. The versions of a launch are kernels in 32 bits, and what serves sizes
// for which these do not do stands beside all of them, once. So the host asks
// before it chooses a version, about each one in the cases in which it would be
// chosen:
//
//   scf.if %fit { scf.if %short { launch @a } else { launch @b } }
//   else { launch @c }
//
//   %fit = (not %short or %a_fits) and (%short or %b_fits)
//
// Legal: what is asked is computed from sizes, without effects.
//
//===----------------------------------------------------------------------===//

#include "IndexGuard.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace arrc;

bool IndexGuard::isGuard(scf::IfOp branch) {
  return isa_and_nonnull<kernel::IndicesFitOp>(
      branch.getCondition().getDefiningOp());
}

/// `value` in front of the branch; null if only the branch can know it.
Value IndexGuard::hoist(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return branch->isAncestor(argument.getOwner()->getParentOp()) ? Value()
                                                                  : value;
  Operation *op = value.getDefiningOp();
  if (!branch->isProperAncestor(op))
    return value;
  if (Value known = hoisted.lookup(value))
    return known;
  if (auto fact = dyn_cast<array::AssumeOp>(op))
    return hoist(fact.getValue());
  if (!isPure(op) || op->getNumRegions())
    return {};
  IRMapping map;
  for (Value operand : op->getOperands()) {
    Value outside = hoist(operand);
    if (!outside)
      return {};
    map.map(operand, outside);
  }
  Operation *copy = b.clone(*op, map);
  for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults()))
    hoisted[from] = to;
  return hoisted.lookup(value);
}

/// Whether `value` may differ from step to step of a time loop.
static bool isOfStep(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<kernel::IterateOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getStepArg();
  }
  return llvm::any_of(value.getDefiningOp()->getOperands(), isOfStep);
}

bool IndexGuard::require(Value condition) {
  auto invert = [&](Value value) -> Value {
    return b.createOrFold<arith::XOrIOp>(
        loc, value, arith::ConstantIntOp::create(b, loc, 1, 1));
  };
  Value holds = hoist(condition);
  if (!holds)
    return false;
  if (auto known = getConstantIntValue(holds); known && *known)
    return true;
  // The branches on the way there.
  Operation *op = condition.getDefiningOp();
  Region *region = op ? op->getParentRegion() : condition.getParentRegion();
  for (; branch->isProperAncestor(region->getParentOp());
       region = region->getParentOp()->getParentRegion()) {
    auto inner = dyn_cast<scf::IfOp>(region->getParentOp());
    // In other cases it is asked for more often than it has to hold. What all
    // steps answer alike keeps the host out of them.
    Value taken = inner && !isOfStep(inner.getCondition())
                      ? hoist(inner.getCondition())
                      : Value();
    if (!taken)
      continue;
    Value passed = region == &inner.getThenRegion() ? invert(taken) : taken;
    holds = b.createOrFold<arith::OrIOp>(loc, passed, holds);
  }
  answer = answer ? b.createOrFold<arith::AndIOp>(loc, answer, holds) : holds;
  return true;
}

std::optional<bool> IndexGuard::finish() {
  if (!answer)
    return true;
  if (auto known = getConstantIntValue(answer))
    return *known != 0;
  branch.getConditionMutable().assign(answer);
  return std::nullopt;
}
