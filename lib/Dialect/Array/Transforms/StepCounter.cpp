//===- StepCounter.cpp - Numbers that loops count -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "StepCounter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace arrc::array;

std::optional<StepCounter> arrc::array::getStepCounter(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !value.getType().isIntOrIndex())
    return std::nullopt;
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned place = argument.getArgNumber();
  Value next;
  StepCounter counter;
  if (auto loop = dyn_cast_if_present<scf::ForOp>(parent)) {
    if (place < loop.getNumInductionVars())
      return std::nullopt;
    counter.loop = loop;
    counter.position = place - loop.getNumInductionVars();
    counter.init = loop.getInitArgs()[counter.position];
    next = loop.getYieldedValues()[counter.position];
  } else if (auto loop = dyn_cast_if_present<scf::WhileOp>(parent)) {
    // What is asked for the condition goes on as it is.
    if (argument.getOwner() != loop.getAfterBody() ||
        !llvm::equal(loop.getConditionOp().getArgs(),
                     loop.getBeforeArguments()))
      return std::nullopt;
    counter.loop = loop;
    counter.position = place;
    counter.init = loop.getInits()[place];
    next = loop.getYieldOp().getResults()[place];
  } else {
    return std::nullopt;
  }
  Operation *op = next.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  Value old = op->getOperand(0);
  counter.by = op->getOperand(1);
  counter.down = isa<arith::SubIOp>(op);
  if (!counter.down && counter.by == value)
    std::swap(old, counter.by);
  if (old != value || !counter.loop.isDefinedOutsideOfLoop(counter.by))
    return std::nullopt;
  APInt number;
  if (matchPattern(counter.by, m_ConstantInt(&number)) &&
      number.getSignificantBits() < 64)
    counter.number =
        counter.down ? -number.getSExtValue() : number.getSExtValue();
  return counter;
}
