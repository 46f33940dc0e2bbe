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
// On devices counted loops that carry scalars alone become one as well if their
// steps have launches: what these make of the scalars stays on the device.
//
// Legal when every carried array keeps its sizes. Where a place is chosen
// wrongly, bufferization copies: slow, never incorrect. Loops whose arrays
// change their sizes stay as they are, with a remark.
//
//===----------------------------------------------------------------------===//

#include "../Shared/LaunchAccess.h"
#include "../Shared/TensorSizes.h"
#include "IterationPlaces.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/DimNumber.h"

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

/// Ends the body: hands on `handedOn`, and `go` if the loop is conditional.
static void finishLoop(OpBuilder &builder, IterateOp loop,
                       ArrayRef<Value> handedOn, Value go) {
  Location loc = loop.getLoc();
  SmallVector<Value> state(handedOn);
  // The loop knows the sizes now; names for them only hide the arrays, and
  // launches are fused.
  loop.walk([&](Operation *op) {
    if (!isa<array::BindOp, array::FenceOp>(op))
      return;
    llvm::replace(state, Value(op->getResult(0)), op->getOperand(0));
    op->replaceAllUsesWith(ValueRange(op->getOperand(0)));
    op->erase();
  });
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
        if (auto d = getDimNumber(dim)) {
          OpBuilder here(dim);
          dim.replaceAllUsesWith(getValueOrCreateConstantIndexOp(
              here, loc, loop.getMixedSizes(k)[*d]));
          dim.erase();
        }
  choosePlaces(builder, loop, next);
  Value flag;
  if (go) {
    auto type = RankedTensorType::get({}, go.getType());
    Value empty = tensor::EmptyOp::create(builder, loc, type, ValueRange());
    flag = tensor::InsertOp::create(builder, loc, go, empty, ValueRange());
  }
  ContinueOp::create(builder, loc, flag, next);
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

/// Whether a step has work for the device.
static bool startsWork(Operation *loop) {
  return loop
      ->walk<WalkOrder::PreOrder>([](Operation *op) {
        return isa<LaunchOp>(op) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct FormIterationsPass
    : public kernel::impl::FormIterationsPassBase<FormIterationsPass> {
  using FormIterationsPassBase::FormIterationsPassBase;

  void runOnOperation() override {
    separateEmptyTensors(getOperation());
    // The host would wait for what a launch adds to a scalar.
    bool isDevice = isGPU(DeviceAttr::get(getOperation()));
    // Inner loops first; loops in launches are ordered loops of a thread.
    SmallVector<Operation *> loops;
    getOperation().walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (isa<scf::WhileOp, scf::ForOp>(op) &&
          !op->getParentOfType<LaunchOp>() &&
          (llvm::any_of(op->getOperands(), isArray) ||
           (isDevice && isa<scf::ForOp>(op) && startsWork(op))))
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
    // The names of sizes have served: from here on the loops have them. So have
    // fences: launches are fused.
    getOperation().walk([](Operation *op) {
      if (!isa<array::BindOp, array::FenceOp>(op) ||
          op->getParentOfType<array::IndexSpaceOpInterface>())
        return;
      op->replaceAllUsesWith(ValueRange(op->getOperand(0)));
      op->erase();
    });
    // Sizes that have become one value are one argument.
    getOperation().walk([](LaunchOp launch) { mergeEqualArguments(launch); });
  }
};
} // namespace
