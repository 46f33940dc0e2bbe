//===- NestScalars.cpp - What stands between the loops of a nest ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "NestScalars.h"

#include "arrc/Analysis/AccessPattern.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace arrc::kernel;

Operation *arrc::kernel::getOnlyOp(Block &block) {
  Operation *only = nullptr;
  for (Operation &op : block.without_terminator()) {
    if (isScalarOp(&op))
      continue;
    if (only)
      return nullptr;
    only = &op;
  }
  return only;
}

scf::IfOp arrc::kernel::getGuard(ForOp outer) {
  auto guard = dyn_cast_or_null<scf::IfOp>(getOnlyOp(*outer.getBodyBlock()));
  return guard && guard->hasAttr(kTailAttr) ? guard : scf::IfOp();
}

ForOp arrc::kernel::getOnlyLoop(ForOp outer) {
  scf::IfOp guard = getGuard(outer);
  Block *block = guard ? guard.thenBlock() : outer.getBodyBlock();
  auto inner = dyn_cast_or_null<ForOp>(getOnlyOp(*block));
  if (!inner || inner.getKind() != outer.getKind() || outer.isScan())
    return {};
  if (outer.isParallel())
    return inner;
  // A fold of folds: the inner result is the outer contribution. The inner
  // seeds are neutral, as all seeds are.
  ValueRange results(inner.getResults());
  if (guard && guard.thenYield().getOperands() != results)
    return {};
  if (guard)
    results = guard.getResults();
  if (!haveSameOperator(outer, inner) ||
      outer.getYield().getValues() != results)
    return {};
  return inner;
}

SmallVector<ForOp> arrc::kernel::getNest(ForOp outermost) {
  SmallVector<ForOp> nest;
  for (ForOp loop = outermost; loop; loop = getOnlyLoop(loop))
    nest.push_back(loop);
  return nest;
}

bool arrc::kernel::readsInput(Operation *op) {
  auto load = dyn_cast<LoadOp>(op);
  return load && isa<BlockArgument>(load.getSource()) &&
         llvm::all_of(load.getSource().getUsers(), llvm::IsaPred<LoadOp>);
}

bool arrc::kernel::mayBeRepeated(Operation *op, ForOp fold) {
  if (isScalarOp(op) || readsInput(op))
    return true;
  auto load = dyn_cast<LoadOp>(op);
  return load && isa<BlockArgument>(load.getSource()) &&
         llvm::all_of(load.getSource().getUsers(), [&](Operation *user) {
           return isa<LoadOp>(user) ||
                  (isa<StoreOp>(user) && user->getBlock() == op->getBlock() &&
                   fold->isBeforeInBlock(user) &&
                   llvm::equal(Access(user).indices, Access(op).indices));
         });
}

NestScalars::NestScalars(ArrayRef<ForOp> loops) : nest(loops) {
  auto collect = [&](Block *block) {
    for (Operation &op : block->without_terminator())
      if (isScalarOp(&op))
        scalars.push_back(&op);
  };
  for (auto [depth, loop] : llvm::enumerate(loops.drop_back())) {
    ForOp outer = loop;
    collect(outer.getBodyBlock());
    if (scf::IfOp guard = getGuard(outer)) {
      collect(guard.thenBlock());
      guards.push_back({guard.getCondition(), depth + 1});
    }
  }
  known.insert(scalars.begin(), scalars.end());
}

void NestScalars::addAround(const NestScalars &around) {
  llvm::append_range(nest, around.nest);
  llvm::append_range(surrounding, around.scalars);
  known.insert(around.scalars.begin(), around.scalars.end());
}

void NestScalars::addAround(Block *block, Operation *end) {
  for (Operation &op : *block) {
    if (&op == end)
      return;
    if (isScalarOp(&op)) {
      surrounding.push_back(&op);
      known.insert(&op);
    }
  }
}

FailureOr<OpFoldResult> NestScalars::cloneExtent(IRRewriter &rewriter,
                                                 ForOp loop,
                                                 const IRMapping &mapping) {
  if (!loop.getExtent())
    return loop.getMixedExtent();
  FailureOr<OpFoldResult> extent =
      cloneValue(rewriter, loop, loop.getExtent(), mapping);
  SmallVector<Value> own = getSlice(loop.getExtent()).indices;
  if (failed(extent) || own.empty())
    return extent;
  size_t depth = llvm::find(nest, loop) - nest.begin();
  Location loc = loop.getLoc();
  for (const Guard &guard : guards) {
    SmallVector<Value> indices = getSlice(guard.condition).indices;
    if (guard.depth > depth ||
        llvm::none_of(
            own,
            [&](Value index) { return llvm::is_contained(indices, index); }) ||
        !llvm::all_of(indices,
                      [&](Value index) { return mapping.contains(index); }))
      continue;
    FailureOr<OpFoldResult> inside =
        cloneValue(rewriter, loop, guard.condition, mapping);
    if (failed(inside))
      return failure();
    Value none = arith::ConstantIndexOp::create(rewriter, loc, 0);
    extent = OpFoldResult(
        arith::SelectOp::create(
            rewriter, loc, cast<Value>(*inside),
            getValueOrCreateConstantIndexOp(rewriter, loc, *extent), none)
            .getResult());
  }
  return extent;
}

NestScalars::Slice NestScalars::getSlice(Value value) const {
  Slice slice;
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Value next = work.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (op && known.contains(op)) {
      if (slice.ops.insert(op).second)
        llvm::append_range(work, op->getOperands());
    } else if (llvm::any_of(nest, [&](ForOp loop) {
                 return loop.getInductionVar() == next;
               })) {
      slice.indices.push_back(next);
    }
  }
  return slice;
}

FailureOr<OpFoldResult> NestScalars::cloneBound(IRRewriter &rewriter,
                                                ForOp loop,
                                                const IRMapping &mapping) {
  if (!loop.getExtent())
    return loop.getMixedExtent();
  // min(steps that are left, size of the digit)
  auto clipped = loop.getExtent().getDefiningOp<arith::MinSIOp>();
  if (!clipped)
    return cloneExtent(rewriter, loop, mapping);
  if (std::optional<int64_t> size = getConstantIntValue(clipped.getRhs()))
    return OpFoldResult(rewriter.getIndexAttr(*size));
  return cloneValue(rewriter, loop, clipped.getRhs(), mapping);
}

FailureOr<OpFoldResult> NestScalars::cloneValue(IRRewriter &rewriter,
                                                ForOp loop, Value extent,
                                                const IRMapping &mapping) {
  Slice slice = getSlice(extent);
  for (Value index : slice.indices)
    if (!mapping.contains(index))
      return loop.emitError("the order puts '")
             << loop.getDim() << "' outside of '" << getLoopOf(index).getDim()
             << "', which its extent depends on";
  IRMapping local(mapping);
  for (ArrayRef<Operation *> list : {surrounding, scalars})
    for (Operation *op : list)
      if (slice.ops.contains(op))
        rewriter.clone(*op, local);
  return OpFoldResult(local.lookupOrDefault(extent));
}

void NestScalars::cloneAll(IRRewriter &rewriter, IRMapping &mapping) {
  for (Operation *op : scalars)
    rewriter.clone(*op, mapping);
}

Value NestScalars::createCondition(IRRewriter &rewriter, Location loc,
                                   const IRMapping &mapping) {
  Value all;
  for (const Guard &guard : guards) {
    Value copy = mapping.lookupOrDefault(guard.condition);
    all = all ? arith::AndIOp::create(rewriter, loc, all, copy).getResult()
              : copy;
  }
  return all;
}
