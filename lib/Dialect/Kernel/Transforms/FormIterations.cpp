//===- FormIterations.cpp - Loops that carry arrays become kernel.iterate -===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `scf.while` and `scf.for` copy the arrays that they carry in every step,
// upstream's bufferization cannot swap them. `kernel.iterate` carries buffers
// and permutes them. A loop becomes one: its scalars become arrays of rank 0,
// its condition is computed once before the loop and once at the end of each
// step, and every array that a step hands on gets a place among the buffers:
//
//   (um, u) = (u, next)      %u is handed on as it is; %next is written in the
//                            place of %um, which nothing reads any more, if the
//                            launch reads both at one index only,
//   t = next                 else in a second buffer of its array (`rotate`),
//   v[1:n] = e               an update stays in the place of what it updates.
//
//   %r:2 = scf.while (%t = %t0, %e = %inf) .. { .. scf.condition(%c) %t, %e }
//     do { .. scf.yield %next, %d }
//   =>
//   %r:2 = kernel.iterate while (%go = %go0 : tensor<i1>)
//       carry (%t[%n] = %t0 rotate %b : .., %e = %e0 : tensor<f32>) { ..
//     kernel.continue while %go1 : tensor<i1> carry %next, %e1 : .. }
//
// Legal when every carried array keeps its sizes. Where a place is chosen
// wrongly, bufferization copies: slow, never incorrect. Loops whose arrays
// change their sizes stay as they are, with a remark.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "LaunchAccess.h"
#include "TensorSizes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_FORMITERATIONSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

static bool isArray(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// An array of rank 0 that holds `scalar`.
static Value wrapScalar(OpBuilder &builder, Location loc, Value scalar) {
  return tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, scalar.getType()), scalar);
}

static Value unwrapScalar(OpBuilder &builder, Location loc, Value array) {
  return tensor::ExtractOp::create(builder, loc, array, ValueRange());
}

/// Clones everything but the terminator.
static void cloneBody(OpBuilder &builder, Block &block, IRMapping &mapping) {
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Why the loop must stay: empty if every array that a step hands on has the
/// sizes of its initial value.
static std::string findSizeChange(Operation *op) {
  ValueRange inits, next;
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    inits = loop.getInits();
    next = loop.getYieldOp().getOperands();
  } else {
    auto counted = cast<scf::ForOp>(op);
    inits = counted.getInitArgs();
    next = counted.getBody()->getTerminator()->getOperands();
  }
  // What a step makes of a carried array is sized by that array.
  auto resolve = [&](Value array, unsigned dim) -> OpFoldResult {
    auto argument = dyn_cast<BlockArgument>(array);
    if (!argument || argument.getOwner()->getParentOp() != op)
      return {};
    if (auto counted = dyn_cast<scf::ForOp>(op))
      return getTensorSize(counted.getTiedLoopInit(argument)->get(), dim, op);
    auto loop = cast<scf::WhileOp>(op);
    if (argument.getOwner() == loop.getAfterBody())
      argument = dyn_cast<BlockArgument>(
          loop.getConditionOp().getArgs()[argument.getArgNumber()]);
    if (!argument || argument.getOwner() != loop.getBeforeBody())
      return {};
    return getTensorSize(inits[argument.getArgNumber()], dim, op);
  };
  for (auto [init, value] : llvm::zip(inits, next)) {
    auto type = dyn_cast<RankedTensorType>(init.getType());
    for (int64_t d = 0; type && d < type.getRank(); ++d) {
      OpFoldResult size = findTensorSize(value, d, resolve);
      if (!size || !isEqualConstantIntOrValue(size, getTensorSize(init, d, op)))
        return "an array may change its size";
    }
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Places for what a step hands on
//===----------------------------------------------------------------------===//

namespace {
/// Chooses the buffers of a loop whose body is complete but for its end.
class Places {
public:
  Places(IterateOp loop, ArrayRef<Value> next) : loop(loop), next(next) {}

  /// Gives each carried array a place; afterwards `getNext` is what the loop
  /// hands on.
  void choose(OpBuilder &builder) {
    place.resize(next.size());
    // What lies in a buffer of the loop already.
    for (auto [k, value] : llvm::enumerate(next))
      if (auto root = dyn_cast<BlockArgument>(getRoot(value)))
        if (llvm::is_contained(loop.getCarriedArgs(), root) &&
            taken.insert(root).second)
          place[k] = root;
    for (unsigned k = 0; k < next.size(); ++k)
      if (!place[k])
        settle(k, builder);
  }

  ArrayRef<Value> getNext() { return next; }

private:
  /// The array in whose place `value` is made if every destination is taken.
  Value getRoot(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      unsigned k = cast<OpResult>(value).getResultNumber();
      if (auto launch = dyn_cast<LaunchOp>(op))
        value = launch.getOuts()[k];
      else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
        value = insert.getDest();
      else if (auto insert = dyn_cast<tensor::InsertOp>(op))
        value = insert.getDest();
      else if (auto inner = dyn_cast<IterateOp>(op))
        value = inner.getCarried()[k];
      else
        break;
    }
    return value;
  }

  /// The second buffer of array `k`.
  Value makeRotate(unsigned k) {
    SmallVector<bool> rotates(loop.getRotates());
    rotates[k] = true;
    unsigned before = llvm::count(ArrayRef(rotates).take_front(k), true);
    unsigned position =
        loop.getCarriedArgs().back().getArgNumber() + 1 + before;
    BlockArgument second = loop.getBodyBlock()->insertArgument(
        position, loop.getCarriedArgs()[k].getType(), loop.getLoc());
    loop.setRotates(rotates);
    return second;
  }

  /// True if `launch` may write out `out` where `dead` lies.
  bool fits(LaunchOp launch, unsigned out, Value dead, unsigned carriedIndex) {
    Value empty = launch.getOuts()[out];
    if (taken.contains(dead) || dead.getType() != empty.getType())
      return false;
    SmallVector<OpFoldResult> sizes = loop.getMixedSizes(carriedIndex);
    for (auto [d, size] : llvm::enumerate(sizes))
      if (!isEqualConstantIntOrValue(
              size, launch.getOuterSize(launch.getNumInputs() + out, d)))
        return false;
    for (OpOperand &use : dead.getUses()) {
      Operation *user =
          loop.getBodyBlock()->findAncestorOpInBlock(*use.getOwner());
      if (!user)
        return false;
      if (user == launch) {
        BlockArgument from = launch.getArgumentOf(use);
        if (!from || launch.isDpsInit(&use) ||
            !isElementwise(launch, from, launch.getOutArguments()[out]))
          return false;
      } else if (!user->isBeforeInBlock(launch)) {
        return false;
      }
    }
    return true;
  }

  void settle(unsigned k, OpBuilder &builder) {
    Value value = next[k];
    Value root = getRoot(value);
    auto empty = root.getDefiningOp<tensor::EmptyOp>();
    bool isFresh =
        empty && empty->hasOneUse() && loop.getBodyBlock() == empty->getBlock();
    if (isFresh) {
      // Fresh: in the place of an array that is dead by then, else in a second
      // buffer.
      OpOperand &use = *empty->getUses().begin();
      Value target;
      if (auto launch = dyn_cast<LaunchOp>(use.getOwner());
          launch && launch->getBlock() == loop.getBodyBlock()) {
        unsigned out = use.getOperandNumber() - launch.getNumInputs();
        for (auto [i, argument] : llvm::enumerate(loop.getCarriedArgs()))
          if (!target && fits(launch, out, argument, i))
            target = argument;
      }
      if (!target)
        target = makeRotate(k);
      use.set(target);
      empty.erase();
      taken.insert(target);
      place[k] = target;
      return;
    }
    // Elsewhere: copied into a second buffer.
    Value target = makeRotate(k);
    taken.insert(target);
    place[k] = target;
    next[k] = bufferization::MaterializeInDestinationOp::create(
                  builder, loop.getLoc(), value, target)
                  .getResult();
    remark::missed(
        loop.getLoc(),
        remark::RemarkOpts::name("CopiedEachStep").category("form-iterations"))
        << remark::reason("an array is handed on under two names, or comes "
                          "from outside of the loop");
  }

  IterateOp loop;
  SmallVector<Value> next, place;
  DenseSet<Value> taken;
};
} // namespace

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Makes the loop without its end: carried scalars wrapped, sizes bound.
static IterateOp createLoop(OpBuilder &builder, Location loc, Value times,
                            Value go, ValueRange inits) {
  SmallVector<Value> carried, sizes;
  for (Value init : inits) {
    if (!isArray(init)) {
      carried.push_back(wrapScalar(builder, loc, init));
      continue;
    }
    carried.push_back(init);
    auto type = cast<RankedTensorType>(init.getType());
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.isDynamicDim(d))
        sizes.push_back(getValueOrCreateConstantIndexOp(
            builder, loc,
            getTensorSize(init, d, &*builder.getInsertionPoint())));
  }
  SmallVector<bool> rotates(carried.size(), false);
  auto loop =
      IterateOp::create(builder, loc, times, go, carried, rotates, sizes);
  builder.setInsertionPointToStart(loop.getBodyBlock());
  return loop;
}

/// What stands for the state at the head of a step: arrays as they are, scalars
/// read.
static SmallVector<Value> readState(OpBuilder &builder, Location loc,
                                    ValueRange arrays, ValueRange like) {
  SmallVector<Value> state;
  for (auto [array, original] : llvm::zip(arrays, like))
    state.push_back(isArray(original) ? array
                                      : unwrapScalar(builder, loc, array));
  return state;
}

/// Ends the body: hands on `state`, and `go` if the loop is conditional.
static void finishLoop(OpBuilder &builder, IterateOp loop, ValueRange state,
                       Value go) {
  Location loc = loop.getLoc();
  SmallVector<Value> next;
  for (auto [value, argument] : llvm::zip(state, loop.getCarriedArgs())) {
    next.push_back(isArray(value)
                       ? value
                       : tensor::InsertOp::create(builder, loc, value, argument,
                                                  ValueRange())
                             .getResult());
  }
  // Sizes of carried arrays have names.
  for (auto [k, argument] : llvm::enumerate(loop.getCarriedArgs()))
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
      if (auto dim = dyn_cast<tensor::DimOp>(user))
        if (auto d = dim.getConstantIndex()) {
          OpBuilder here(dim);
          dim.replaceAllUsesWith(getValueOrCreateConstantIndexOp(
              here, loc, loop.getMixedSizes(k)[*d]));
          dim.erase();
        }
  Places places(loop, next);
  places.choose(builder);
  Value flag;
  if (go) {
    auto type = RankedTensorType::get({}, go.getType());
    Value empty = tensor::EmptyOp::create(builder, loc, type, ValueRange());
    flag = tensor::InsertOp::create(builder, loc, go, empty, ValueRange());
  }
  ContinueOp::create(builder, loc, flag, places.getNext());
}

static void formWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  OpBuilder builder(op);
  scf::ConditionOp condition = op.getConditionOp();
  ValueRange before = op.getBeforeArguments();

  IRMapping entry;
  entry.map(before, op.getInits());
  cloneBody(builder, *op.getBeforeBody(), entry);
  Value go0 = entry.lookupOrDefault(condition.getCondition());
  IterateOp loop = createLoop(builder, loc, /*times=*/nullptr,
                              wrapScalar(builder, loc, go0), op.getInits());

  // One step: what the condition hands over, then the body, then the condition
  // of the next step.
  IRMapping step;
  step.map(before, readState(builder, loc, loop.getCarriedArgs(), before));
  bool forwardsArguments = llvm::all_of(condition.getArgs(), [&](Value value) {
    return value.getParentBlock() != op.getBeforeBody() ||
           isa<BlockArgument>(value);
  });
  if (!forwardsArguments)
    cloneBody(builder, *op.getBeforeBody(), step);
  for (auto [argument, value] :
       llvm::zip(op.getAfterArguments(), condition.getArgs()))
    step.map(argument, step.lookupOrDefault(value));
  cloneBody(builder, *op.getAfterBody(), step);
  SmallVector<Value> state;
  for (Value value : op.getYieldOp().getOperands())
    state.push_back(step.lookupOrDefault(value));
  IRMapping again;
  again.map(before, state);
  cloneBody(builder, *op.getBeforeBody(), again);
  finishLoop(builder, loop, state,
             again.lookupOrDefault(condition.getCondition()));

  builder.setInsertionPointAfter(loop);
  IRMapping last;
  last.map(before, readState(builder, loc, loop.getResults(), before));
  if (!forwardsArguments)
    cloneBody(builder, *op.getBeforeBody(), last);
  for (auto [result, value] : llvm::zip(op.getResults(), condition.getArgs()))
    result.replaceAllUsesWith(last.lookupOrDefault(value));
  op.erase();
}

static void formFor(scf::ForOp op) {
  Location loc = op.getLoc();
  OpBuilder builder(op);
  auto toIndex = [&](Value value) -> Value {
    if (value.getType().isIndex())
      return value;
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      value);
  };
  Value lower = toIndex(op.getLowerBound());
  Value upper = toIndex(op.getUpperBound());
  Value width = toIndex(op.getStep());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value length = builder.createOrFold<arith::SubIOp>(loc, upper, lower);
  length = builder.createOrFold<arith::MaxSIOp>(loc, length, zero);
  Value times = builder.createOrFold<arith::CeilDivUIOp>(loc, length, width);
  IterateOp loop =
      createLoop(builder, loc, times, /*go=*/nullptr, op.getInitArgs());

  IRMapping step;
  ValueRange carried = op.getRegionIterArgs();
  step.map(carried, readState(builder, loc, loop.getCarriedArgs(), carried));
  Value index = loop.getStepArg();
  if (!isConstantIntValue(width, 1))
    index = arith::MulIOp::create(builder, loc, index, width);
  if (!isConstantIntValue(lower, 0))
    index = arith::AddIOp::create(builder, loc, lower, index);
  if (!op.getInductionVar().getType().isIndex())
    index = arith::IndexCastOp::create(builder, loc,
                                       op.getInductionVar().getType(), index);
  step.map(op.getInductionVar(), index);
  cloneBody(builder, *op.getBody(), step);
  SmallVector<Value> state;
  for (Value value : op.getBody()->getTerminator()->getOperands())
    state.push_back(step.lookupOrDefault(value));
  finishLoop(builder, loop, state, /*go=*/nullptr);

  builder.setInsertionPointAfter(loop);
  op.replaceAllUsesWith(readState(builder, loc, loop.getResults(), carried));
  op.erase();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct FormIterationsPass
    : public kernel::impl::FormIterationsPassBase<FormIterationsPass> {
  using FormIterationsPassBase::FormIterationsPassBase;

  void runOnOperation() override {
    // Inner loops first; loops in launches are ordered loops of a thread.
    SmallVector<Operation *> loops;
    getOperation().walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isa<scf::WhileOp, scf::ForOp>(op) &&
          !op->getParentOfType<LaunchOp>() &&
          llvm::any_of(op->getOperands(), isArray))
        loops.push_back(op);
    });
    for (Operation *op : loops) {
      std::string reason = findSizeChange(op);
      if (!reason.empty()) {
        remark::missed(
            op->getLoc(),
            remark::RemarkOpts::name("KeptLoop").category("form-iterations"))
            << remark::reason(reason.c_str());
        continue;
      }
      if (auto loop = dyn_cast<scf::WhileOp>(op))
        formWhile(loop);
      else
        formFor(cast<scf::ForOp>(op));
    }
  }
};
} // namespace
