//===- Branches.cpp - Branches and ordered loops of a kernel --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

using namespace mlir;
using namespace arrc;

void KernelEmitter::enterBranch(ValueRange condition) {
  unsigned axes = 0;
  for (Value value : condition)
    axes |= uniformity.getAxes(value);
  axes &= used;
  if (!axes)
    return;
  ctx.uniform = false;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (axes & (1u << axis))
      if (!plan.subgroup || getAxisStride(axis) % plan.subgroup)
        ctx.subgroupUniform = false;
}

LogicalResult KernelEmitter::emitIf(scf::IfOp branch) {
  Location loc = branch.getLoc();
  Context saved = ctx;
  if (failed(enterRegions(branch, branch.getCondition())))
    return failure();
  auto copy = scf::IfOp::create(b, loc, branch.getResultTypes(),
                                lookup(branch.getCondition()),
                                !branch.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(b);
  BarrierState before = barriers, after;
  for (auto [number, from] : llvm::enumerate(branch.getRegions())) {
    if (from->empty())
      continue;
    Block &block = copy->getRegion(number).front();
    if (!block.empty())
      block.back().erase();
    b.setInsertionPointToEnd(&block);
    barriers = before;
    if (failed(emitBody(from->front())))
      return failure();
    scf::YieldOp::create(b, loc,
                         lookup(from->front().getTerminator()->getOperands()));
    after = number == 0 ? barriers : join(after, barriers);
  }
  barriers = branch.getElseRegion().empty() ? join(after, before) : after;
  for (auto [from, to] : llvm::zip(branch.getResults(), copy.getResults()))
    set(from, to);
  ctx = saved;
  return success();
}

LogicalResult KernelEmitter::emitScfFor(scf::ForOp loop) {
  Location loc = loop.getLoc();
  Context saved = ctx;
  if (failed(enterRegions(loop, loop.getOperands().take_front(3))))
    return failure();
  auto copy = scf::ForOp::create(
      b, loc, lookup(loop.getLowerBound()), lookup(loop.getUpperBound()),
      lookup(loop.getStep()), lookup(loop.getInitArgs()));
  OpBuilder::InsertionGuard guard(b);
  Block *block = copy.getBody();
  if (!block->empty())
    block->back().erase();
  b.setInsertionPointToEnd(block);
  set(loop.getInductionVar(), copy.getInductionVar());
  for (auto [from, to] :
       llvm::zip(loop.getRegionIterArgs(), copy.getRegionIterArgs()))
    set(from, to);
  if (failed(emitLoopBody(loc, [&] { return emitBody(*loop.getBody()); })))
    return failure();
  scf::YieldOp::create(b, loc,
                       lookup(loop.getBody()->getTerminator()->getOperands()));
  for (auto [from, to] : llvm::zip(loop.getResults(), copy.getResults()))
    set(from, to);
  ctx = saved;
  return success();
}

LogicalResult KernelEmitter::emitWhile(scf::WhileOp loop) {
  Location loc = loop.getLoc();
  Context saved = ctx;
  if (failed(enterRegions(loop, loop.getConditionOp().getCondition())))
    return failure();
  auto copy = scf::WhileOp::create(b, loc, loop.getResultTypes(),
                                   lookup(loop.getInits()));
  OpBuilder::InsertionGuard guard(b);
  auto open = [&](Region &from, Region &to) {
    SmallVector<Type> types(from.front().getArgumentTypes());
    Block *block =
        b.createBlock(&to, {}, types, SmallVector<Location>(types.size(), loc));
    for (auto [old, argument] :
         llvm::zip(from.front().getArguments(), block->getArguments()))
      set(old, argument);
  };
  LogicalResult done = emitLoopBody(loc, [&] {
    open(loop.getBefore(), copy.getBefore());
    if (failed(emitBody(loop.getBefore().front())))
      return failure();
    scf::ConditionOp condition = loop.getConditionOp();
    scf::ConditionOp::create(b, loc, lookup(condition.getCondition()),
                             lookup(condition.getArgs()));
    open(loop.getAfter(), copy.getAfter());
    return emitBody(loop.getAfter().front());
  });
  if (failed(done))
    return failure();
  scf::YieldOp::create(b, loc, lookup(loop.getYieldOp().getOperands()));
  for (auto [from, to] : llvm::zip(loop.getResults(), copy.getResults()))
    set(from, to);
  ctx = saved;
  return success();
}
