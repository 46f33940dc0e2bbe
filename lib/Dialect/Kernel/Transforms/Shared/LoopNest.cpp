//===- LoopNest.cpp - Building and reading nests of loops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

bool arrc::kernel::isThreadDim(LocalOp local, unsigned dim) {
  auto axes = local->getAttrOfType<DenseI64ArrayAttr>(kThreadDimsAttr);
  return axes && axes[dim] >= 0;
}

ForOp arrc::kernel::createLoopLike(OpBuilder &builder, ForOp model,
                                   StringRef dim, OpFoldResult extent,
                                   ValueRange seeds, LevelAttr level) {
  auto loop = ForOp::create(builder, model.getLoc(), dim, extent,
                            model.getKind(), seeds, level);
  IRMapping mapping;
  model.getCombiner().cloneInto(&loop.getCombiner(), mapping);
  return loop;
}

/// The loop whose total `seed` is, or what stands in front of its iteration.
static ForOp getLoopBefore(Value seed) {
  if (auto prefix = seed.getDefiningOp<PrefixOp>()) {
    auto scan = prefix->getParentOfType<ForOp>();
    while (scan && !scan.isScan())
      scan = scan->getParentOfType<ForOp>();
    return scan;
  }
  return seed.getDefiningOp<ForOp>();
}

SmallVector<Value> arrc::kernel::getFirstSeeds(ForOp loop) {
  SmallVector<Value> seeds(loop.getSeeds());
  for (Value &seed : seeds)
    while (ForOp before = getLoopBefore(seed)) {
      if (before.isParallel() || !haveSameOperator(before, loop))
        break;
      seed = before.getSeeds()[cast<OpResult>(seed).getResultNumber()];
    }
  return seeds;
}

/// The neutral element of a part of the operator of `loop`, if it is known.
static std::optional<TypedAttr> getNeutral(ForOp loop, unsigned position) {
  Operation *op = getCombinerOp(loop.getCombiner(), position);
  return op ? arith::getNeutralElement(op) : std::nullopt;
}

SmallVector<Value> arrc::kernel::createNeutrals(OpBuilder &builder,
                                                ForOp loop) {
  SmallVector<Value> neutrals = getFirstSeeds(loop);
  for (auto [position, value] : llvm::enumerate(neutrals))
    if (std::optional<TypedAttr> neutral = getNeutral(loop, position))
      value = arith::ConstantOp::create(builder, loop.getLoc(), *neutral);
  return neutrals;
}

bool arrc::kernel::hasOwnNeutrals(ForOp loop) {
  return llvm::all_of(llvm::seq<unsigned>(loop.getNumResults()),
                      [&](unsigned position) {
                        return getNeutral(loop, position).has_value();
                      });
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

bool arrc::kernel::dividesIntegers(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

ForOp arrc::kernel::getLoopOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument
             ? dyn_cast_if_present<ForOp>(argument.getOwner()->getParentOp())
             : ForOp();
}

/// Visits the facts that are stated of the launch's operand for `size`.
static void forEachFact(Value size, function_ref<void(array::AssumeOp)> visit) {
  auto argument = dyn_cast_if_present<BlockArgument>(size);
  auto launch = argument
                    ? dyn_cast<LaunchOp>(argument.getOwner()->getParentOp())
                    : LaunchOp();
  if (!launch)
    return;
  Value operand = launch.getOperandOf(argument).get();
  while (auto fact = operand.getDefiningOp<array::AssumeOp>()) {
    visit(fact);
    operand = fact.getValue();
  }
}

std::optional<int64_t> arrc::kernel::getMost(ForOp loop) {
  return getMost(loop.getMixedExtent());
}

/// The number that `size` is, or the sharpest of the facts' bounds.
static std::optional<int64_t>
getBound(OpFoldResult size,
         function_ref<std::optional<int64_t>(array::AssumeOp)> getFact,
         function_ref<int64_t(int64_t, int64_t)> sharpest) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return number;
  std::optional<int64_t> bound;
  forEachFact(cast<Value>(size), [&](array::AssumeOp fact) {
    if (std::optional<int64_t> other = getFact(fact))
      bound = bound ? sharpest(*bound, *other) : *other;
  });
  return bound;
}

std::optional<int64_t> arrc::kernel::getMost(OpFoldResult size) {
  return getBound(
      size, [](array::AssumeOp fact) { return fact.getUpper(); },
      [](int64_t a, int64_t b) { return std::min(a, b); });
}

std::optional<int64_t> arrc::kernel::getLeast(OpFoldResult size) {
  return getBound(
      size, [](array::AssumeOp fact) { return fact.getLower(); },
      [](int64_t a, int64_t b) { return std::max(a, b); });
}

bool arrc::kernel::isMultiple(OpFoldResult size, int64_t number) {
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return *known % number == 0;
  bool known = number == 1;
  forEachFact(cast<Value>(size), [&](array::AssumeOp fact) {
    known |= fact.getMultiple() && *fact.getMultiple() % number == 0;
  });
  return known;
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
  launch.setScheduleAttr(schedule.withClauses(schedule.getDims(), stage, keep,
                                              schedule.getPrivates()));
}

Value arrc::kernel::toValue(OpBuilder &builder, Location loc,
                            OpFoldResult index) {
  return getValueOrCreateConstantIndexOp(builder, loc, index);
}
