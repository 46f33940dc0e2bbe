//===- LowerSequential.cpp - Run every loop in index order ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. The sequential reading of the dialect is its meaning: each `kernel.for`
// runs its iterations in index order, one after the other, and levels, digits
// and spaces say nothing. This pass writes that reading down, so that text of
// any stage runs; a scheduling pass is right if running before and after it
// gives the same. It is also the CPU at -O0.
//
// Before   %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
//            %v = kernel.load %X[%i] if %p  kernel.yield %v }
// After    %s = scf.for %i = 0 to %N step 1 iter_args(%a = %z) {
//            %v = scf.if %p { memref.load %X[%i] } else { 0.0 }
//            %b = arith.addf %a, %v  scf.yield %b }
//
// Legal always: independent iterations may run in any order, a fold may be any
// tree, an update is indivisible where nothing else runs.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/ElementAccess.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_LOWERSEQUENTIALPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static void lowerLoad(IRRewriter &rewriter, LoadOp load) {
  Location loc = load.getLoc();
  auto read = [&](OpBuilder &builder) -> Value {
    SmallVector<Value> indices = resolveEdges(
        builder, loc, load.getEdge(), load.getIndices(), [&](unsigned dim) {
          return memref::DimOp::create(builder, loc, load.getSource(), dim);
        });
    return memref::LoadOp::create(builder, loc, load.getSource(), indices);
  };
  rewriter.setInsertionPoint(load);
  if (!load.getMask())
    return rewriter.replaceOp(load, read(rewriter));
  auto branch = scf::IfOp::create(
      rewriter, loc, load.getMask(),
      [&](OpBuilder &builder, Location) {
        Value value = read(builder);
        scf::YieldOp::create(builder, loc, value);
      },
      [&](OpBuilder &builder, Location) {
        Value zero = createZero(builder, loc, load.getType());
        scf::YieldOp::create(builder, loc, zero);
      });
  rewriter.replaceOp(load, branch);
}

/// Runs `write` at the place of `op`, under the mask if there is one.
static void lowerWrite(IRRewriter &rewriter, Operation *op, Value mask,
                       function_ref<void(OpBuilder &)> write) {
  rewriter.setInsertionPoint(op);
  if (mask)
    scf::IfOp::create(rewriter, op->getLoc(), mask,
                      [&](OpBuilder &builder, Location) {
                        write(builder);
                        scf::YieldOp::create(builder, op->getLoc());
                      });
  else
    write(rewriter);
  rewriter.eraseOp(op);
}

static void lowerStore(IRRewriter &rewriter, StoreOp store) {
  lowerWrite(rewriter, store, store.getMask(), [&](OpBuilder &builder) {
    memref::StoreOp::create(builder, store.getLoc(), store.getValue(),
                            store.getDest(), store.getIndices());
  });
}

static void lowerUpdate(IRRewriter &rewriter, UpdateOp update) {
  lowerWrite(rewriter, update, update.getMask(), [&](OpBuilder &builder) {
    Location loc = update.getLoc();
    Value old = memref::LoadOp::create(builder, loc, update.getDest(),
                                       update.getIndices());
    SmallVector<Value> combined =
        inlineCombiner(builder, update.getCombiner(), old, update.getValue());
    memref::StoreOp::create(builder, loc, combined.front(), update.getDest(),
                            update.getIndices());
  });
}

/// A local lives from its place to the end of its block.
static void lowerLocal(IRRewriter &rewriter, LocalOp local) {
  rewriter.setInsertionPoint(local);
  auto type = cast<MemRefType>(local.getType());
  auto plain =
      MemRefType::get(type.getShape(), type.getElementType(), type.getLayout());
  Value array = memref::AllocOp::create(rewriter, local.getLoc(), plain,
                                        local.getSizes());
  rewriter.setInsertionPoint(local->getBlock()->getTerminator());
  memref::DeallocOp::create(rewriter, local.getLoc(), array);
  local.getResult().replaceAllUsesWith(array);
  rewriter.eraseOp(local);
}

static void lowerCheck(IRRewriter &rewriter, CheckOp check) {
  rewriter.setInsertionPoint(check);
  rewriter.replaceOpWithNewOp<cf::AssertOp>(check, check.getCondition(),
                                            check.getMessage());
}

/// Both sides of a branch on it do the same.
static void lowerIndicesFit(IRRewriter &rewriter, Operation *fit) {
  rewriter.setInsertionPoint(fit);
  rewriter.replaceOpWithNewOp<arith::ConstantIntOp>(fit, 1, 1);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void lowerFor(IRRewriter &rewriter, ForOp loop) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value extent =
      getValueOrCreateConstantIndexOp(rewriter, loc, loop.getMixedExtent());
  auto ordered =
      scf::ForOp::create(rewriter, loc, zero, extent, one, loop.getSeeds(),
                         [](OpBuilder &, Location, Value, ValueRange) {});
  Block *body = ordered.getBody();
  // The builder makes a terminator where nothing is carried.
  if (!body->empty())
    rewriter.eraseOp(body->getTerminator());
  rewriter.mergeBlocks(loop.getBodyBlock(), body, ordered.getInductionVar());

  Operation *yield = &body->back();
  ValueRange carried = ordered.getRegionIterArgs();
  SmallVector<Value> next;
  if (loop.isReduce()) {
    rewriter.setInsertionPoint(yield);
    next = inlineCombiner(rewriter, loop.getCombiner(), carried,
                          yield->getOperands());
  } else if (loop.isScan()) {
    auto prefix = *body->getOps<PrefixOp>().begin();
    rewriter.setInsertionPoint(prefix);
    next = inlineCombiner(rewriter, loop.getCombiner(), carried,
                          prefix.getValues());
    rewriter.replaceOp(prefix,
                       prefix.getExclusive() ? carried : ValueRange(next));
  }
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, next);
  rewriter.replaceOp(loop, ordered.getResults());
}

/// `scf.while` over the buffers; the step and the flag decide.
static LogicalResult lowerIterate(IRRewriter &rewriter, IterateOp iterate) {
  ContinueOp end = iterate.getContinue();
  unsigned carriedCount = iterate.getCarried().size();
  if (iterate.getRotateArgs().size() != iterate.getSpares().size())
    return iterate.emitOpError("a rotating array has no second buffer yet");
  // Buffers that the step does not name are filled next, in order.
  SmallVector<Value> buffers(iterate.getCarriedArgs());
  llvm::append_range(buffers, iterate.getRotateArgs());
  SmallVector<Value> next(end.getCarried());
  for (Value value : next)
    if (!llvm::is_contained(buffers, value))
      return end.emitOpError("names an array that is no buffer of the loop");
  llvm::SmallPtrSet<Value, 8> used(next.begin(), next.end());
  if (used.size() != next.size())
    return end.emitOpError("names a buffer twice");
  for (Value spare : iterate.getRotateArgs()) {
    Type type = spare.getType();
    auto free = llvm::find_if(buffers, [&](Value value) {
      return value.getType() == type && !used.contains(value);
    });
    if (free == buffers.end())
      return end.emitOpError("leaves no buffer to fill next");
    used.insert(*free);
    next.push_back(*free);
  }

  Location loc = iterate.getLoc();
  rewriter.setInsertionPoint(iterate);
  SmallVector<Value> inits{arith::ConstantIndexOp::create(rewriter, loc, 0)};
  if (iterate.getFlag())
    inits.push_back(iterate.getFlag());
  llvm::append_range(inits, iterate.getCarried());
  llvm::append_range(inits, iterate.getSpares());
  unsigned firstCarried =
      inits.size() - carriedCount - iterate.getSpares().size();
  Value times = iterate.getTimes();
  auto loop = scf::WhileOp::create(
      rewriter, loc, TypeRange(ValueRange(inits)), inits,
      [&](OpBuilder &builder, Location, ValueRange args) {
        Value go;
        if (times)
          go = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                     args[0], times);
        if (iterate.getFlag()) {
          Value flag =
              memref::LoadOp::create(builder, loc, args[1], ValueRange());
          go = go ? arith::AndIOp::create(builder, loc, go, flag).getResult()
                  : flag;
        }
        scf::ConditionOp::create(builder, loc, go, args);
      },
      [](OpBuilder &, Location, ValueRange) {});
  Block *body = loop.getAfterBody();
  SmallVector<Value> arguments(body->getArguments());
  Value nextFlag = end.getFlag();
  ValueRange replaced = arguments;
  if (!times)
    replaced = replaced.drop_front();
  rewriter.setInsertionPoint(end);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value step = arith::AddIOp::create(rewriter, loc, arguments[0], one);
  SmallVector<Value> yielded{step};
  if (nextFlag)
    yielded.push_back(nextFlag);
  llvm::append_range(yielded, next);
  rewriter.replaceOpWithNewOp<scf::YieldOp>(end, yielded);
  rewriter.mergeBlocks(iterate.getBodyBlock(), body, replaced);
  rewriter.replaceOp(iterate, loop.getResults().drop_front(firstCarried));
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Puts the body in the place of the launch.
static LogicalResult inlineLaunch(IRRewriter &rewriter, LaunchOp launch) {
  if (!launch.getResults().empty() ||
      llvm::any_of(launch->getOperandTypes(),
                   [](Type type) { return isa<TensorType>(type); }))
    return launch.emitOpError("works on tensors; bufferize first");
  Location loc = launch.getLoc();
  rewriter.setInsertionPoint(launch);
  SmallVector<Value> values;
  for (BlockArgument argument : launch.getBodyBlock()->getArguments()) {
    Value value = launch.getOperandOf(argument).get();
    if (value.getType() != argument.getType())
      value = memref::CastOp::create(rewriter, loc, argument.getType(), value);
    values.push_back(value);
  }
  Operation *before = launch;
  rewriter.eraseOp(launch.getBodyBlock()->getTerminator());
  if (launch.getFlag()) {
    Value go =
        memref::LoadOp::create(rewriter, loc, launch.getFlag(), ValueRange());
    auto branch = scf::IfOp::create(rewriter, loc, go,
                                    /*withElseRegion=*/false);
    before = branch.thenYield();
  }
  rewriter.inlineBlockBefore(launch.getBodyBlock(), before, values);
  rewriter.eraseOp(launch);
  return success();
}

/// What holds loops; nothing for other operations.
static LogicalResult lowerAround(IRRewriter &rewriter, Operation *op) {
  if (auto launch = dyn_cast<LaunchOp>(op))
    return inlineLaunch(rewriter, launch);
  if (auto iterate = dyn_cast<IterateOp>(op))
    return lowerIterate(rewriter, iterate);
  return success();
}

/// Facts have no meaning of their own.
static bool isAssume(Operation *op) {
  return op->getName().getStringRef() == "array.assume";
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct LowerSequentialPass
    : public arrc::kernel::impl::LowerSequentialPassBase<LowerSequentialPass> {
  using LowerSequentialPassBase::LowerSequentialPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    IRRewriter rewriter(&getContext());
    // Inner operations first, so that bodies are plain when they move.
    SmallVector<Operation *> work;
    function.walk([&](Operation *op) { work.push_back(op); });
    for (Operation *op : work) {
      if (auto local = dyn_cast<LocalOp>(op))
        lowerLocal(rewriter, local);
      else if (auto load = dyn_cast<LoadOp>(op))
        lowerLoad(rewriter, load);
      else if (auto store = dyn_cast<StoreOp>(op))
        lowerStore(rewriter, store);
      else if (auto update = dyn_cast<UpdateOp>(op))
        lowerUpdate(rewriter, update);
      else if (auto loop = dyn_cast<ForOp>(op))
        lowerFor(rewriter, loop);
      else if (isAssume(op) && op->getParentOfType<LaunchOp>())
        rewriter.replaceOp(op, op->getOperands());
      else if (auto check = dyn_cast<CheckOp>(op); check && checks == "assert")
        lowerCheck(rewriter, check);
      else if (isa<IndicesFitOp>(op))
        lowerIndicesFit(rewriter, op);
      else if (failed(lowerAround(rewriter, op)))
        return signalPassFailure();
    }
  }
};

} // namespace
