//===- LoopNest.cpp - Building and reading nests of loops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

ForOp arrc::kernel::createLoopLike(OpBuilder &builder, ForOp model,
                                   StringRef dim, OpFoldResult extent,
                                   ValueRange seeds, LevelAttr level) {
  auto loop = ForOp::create(builder, model.getLoc(), dim, extent,
                            model.getKind(), seeds, level);
  IRMapping mapping;
  model.getCombiner().cloneInto(&loop.getCombiner(), mapping);
  return loop;
}

SmallVector<Value> arrc::kernel::createNeutrals(OpBuilder &builder,
                                                ForOp loop) {
  SmallVector<Value> neutrals(loop.getSeeds());
  SmallVector<Operation *> ops = getCombinerOps(loop.getCombiner());
  for (auto [value, op] : llvm::zip(neutrals, ops))
    if (std::optional<TypedAttr> neutral = arith::getNeutralElement(op))
      value = arith::ConstantOp::create(builder, loop.getLoc(), *neutral);
  return neutrals;
}

bool arrc::kernel::haveSameOperator(ForOp a, ForOp b) {
  return OperationEquivalence::isRegionEquivalentTo(
      &a.getCombiner(), &b.getCombiner(),
      OperationEquivalence::IgnoreLocations);
}

bool arrc::kernel::isScalarOp(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

OpFoldResult arrc::kernel::createCeilDiv(OpBuilder &builder, Location loc,
                                         OpFoldResult value, int64_t divisor) {
  if (divisor == 1)
    return value;
  AffineExpr d0 = builder.getAffineDimExpr(0);
  return affine::makeComposedFoldedAffineApply(
      builder, loc, AffineMap::get(1, 0, d0.ceilDiv(divisor)), {value});
}

BlockArgument arrc::kernel::findArray(LaunchOp launch, StringRef name) {
  BlockArgument array;
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    if (launch.getArgName(argument.getArgNumber()) == name &&
        isa<MemRefType>(argument.getType()))
      array = argument;
  return array;
}

void arrc::kernel::setClauses(LaunchOp launch, ArrayRef<ClauseAttr> stage,
                              ArrayRef<ClauseAttr> keep) {
  ScheduleAttr schedule = launch.getScheduleAttr();
  launch.setScheduleAttr(ScheduleAttr::get(
      launch.getContext(), schedule.getDims(), schedule.getOrder(), stage, keep,
      schedule.getPrivates(), schedule.getRoll(), schedule.getSplitBoundary(),
      schedule.getIndexBits()));
}

Value arrc::kernel::toValue(OpBuilder &builder, Location loc,
                            OpFoldResult index) {
  return getValueOrCreateConstantIndexOp(builder, loc, index);
}
