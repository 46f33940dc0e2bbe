//===- OutlineTasks.cpp - Parallel loops to tasks of the pool -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Each outermost `scf.parallel` becomes a function over a range of its tasks,
// and a call of the runtime's pool:
//
//   scf.parallel (%b) = (%c0) to (%n) step (%c1) { use(%b, %x) }
//
//   func.func private @f_task0(%begin, %end, %worker, %x) {
//     scf.for %b = %begin to %end { use(%b, %x) } }
//   llvm.func internal @f_task0_entry(%env, %begin, %end, %worker) {
//     %x = load from %env; call @f_task0(..) }
//   // in @f: %env = what the body used; arrt_parallel(ctx, @f_task0_entry, ..)
//
// The pool gives a worker any contiguous range, and the body is one task after
// the other: results cannot depend on how many workers there are.
//
// Memory that a task needs for itself is taken once a range: static stack slots
// and marked allocations whose size is known outside move to the function's
// start. Inner parallel loops run in order. How many tasks are worth waking a
// worker for is estimated from the operations of one; it changes no result.
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"
#include "TaskWork.h"
#include "arrc/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

namespace arrc {
#define GEN_PASS_DEF_OUTLINETASKSPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

namespace {
struct Outliner {
  ModuleOp module;
  RuntimeCalls calls;
  SymbolTable symbols;

  explicit Outliner(ModuleOp module)
      : module(module), calls(module), symbols(module) {}

  void outline(func::FuncOp host, scf::ParallelOp loop, unsigned number);

private:
  func::FuncOp makeRange(func::FuncOp host, scf::ParallelOp loop,
                         ArrayRef<Value> captures, StringRef name);
  LLVM::LLVMFuncOp makeEntry(func::FuncOp range, LLVM::LLVMStructType env,
                             Location loc);
};
} // namespace

/// Iterations of each dimension.
static SmallVector<Value> getTrips(OpBuilder &b, scf::ParallelOp loop) {
  SmallVector<Value> trips;
  Location loc = loop.getLoc();
  for (auto [lower, upper, step] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    Value span = upper;
    if (!isConstantIntValue(lower, 0))
      span = b.createOrFold<arith::SubIOp>(loc, upper, lower);
    if (!isConstantIntValue(step, 1))
      span = b.createOrFold<arith::CeilDivSIOp>(loc, span, step);
    trips.push_back(span);
  }
  return trips;
}

/// Loops inside of a task run in order.
static void makeSequential(scf::ParallelOp loop) {
  OpBuilder b(loop);
  SmallVector<Value> ivs;
  scf::ForOp inner;
  for (auto [lower, upper, step] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    inner = scf::ForOp::create(b, loop.getLoc(), lower, upper, step);
    ivs.push_back(inner.getInductionVar());
    b.setInsertionPointToStart(inner.getBody());
  }
  loop.getBody()->getTerminator()->erase();
  inner.getBody()->getOperations().splice(inner.getBody()->begin(),
                                          loop.getBody()->getOperations());
  for (auto [argument, iv] : llvm::zip(loop.getInductionVars(), ivs))
    argument.replaceAllUsesWith(iv);
  loop.erase();
}

/// Moves what a task, or the host, allocates for itself to the start of its
/// function, where its size is known there. It may stand in a branch that is
/// not taken: then its size may be negative, and is taken for 0.
static void hoistLocals(func::FuncOp function) {
  Block &entry = function.front();
  SmallVector<Operation *> locals;
  function.walk([&](Operation *op) {
    auto alloca = dyn_cast<memref::AllocaOp>(op);
    auto alloc = dyn_cast<memref::AllocOp>(op);
    if ((alloca && alloca.getType().hasStaticShape()) ||
        (alloc && alloc->hasAttr(localAttrName)))
      locals.push_back(op);
  });
  for (Operation *local : locals) {
    bool known = llvm::all_of(local->getOperands(), [&](Value size) {
      return size.getParentBlock() == &entry && isa<BlockArgument>(size);
    });
    if (!known)
      continue;
    local->moveBefore(&entry, entry.begin());
    OpBuilder b(local);
    for (OpOperand &size : local->getOpOperands())
      size.set(arith::MaxSIOp::create(
          b, local->getLoc(), size.get(),
          arith::ConstantIndexOp::create(b, local->getLoc(), 0)));
    for (Operation *user : local->getUsers())
      if (isa<memref::DeallocOp>(user))
        user->moveBefore(entry.getTerminator());
  }
}

func::FuncOp Outliner::makeRange(func::FuncOp host, scf::ParallelOp loop,
                                 ArrayRef<Value> captures, StringRef name) {
  OpBuilder b(module.getContext());
  Location loc = loop.getLoc();
  Type index = b.getIndexType();
  SmallVector<Type> types{index, index, index};
  for (Value capture : captures)
    types.push_back(capture.getType());
  auto range = func::FuncOp::create(loc, name, b.getFunctionType(types, {}));
  range.setPrivate();
  range->setAttr(taskAttrName, b.getUnitAttr());
  range->setAttr("llvm.linkage", LLVM::LinkageAttr::get(
                                     b.getContext(), LLVM::Linkage::Internal));
  if (loop->hasAttr(noaliasAttrName))
    range->setAttr(noaliasAttrName, b.getUnitAttr());
  symbols.insert(range, Block::iterator(host));

  Block *body = range.addEntryBlock();
  b.setInsertionPointToStart(body);
  for (auto [capture, argument] :
       llvm::zip(captures, body->getArguments().drop_front(3)))
    replaceAllUsesInRegionWith(capture, argument, loop.getRegion());
  IRMapping bounds;
  bounds.map(captures, body->getArguments().drop_front(3));
  auto inside = [&](Value value) -> Value {
    if (Value mapped = bounds.lookupOrNull(value))
      return mapped;
    Operation *constant = b.clone(*value.getDefiningOp());
    bounds.map(value, constant->getResult(0));
    return constant->getResult(0);
  };

  // The task number is a mixed-radix number of the induction variables.
  SmallVector<Value> lower, step, trips;
  for (auto [l, u, s] :
       llvm::zip(loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    lower.push_back(inside(l));
    step.push_back(inside(s));
    trips.push_back(nullptr);
    if (loop.getNumLoops() > 1) {
      Value span = b.createOrFold<arith::SubIOp>(loc, inside(u), lower.back());
      trips.back() = b.createOrFold<arith::CeilDivSIOp>(loc, span, step.back());
    }
  }
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto tasks = scf::ForOp::create(b, loc, body->getArgument(0),
                                  body->getArgument(1), one);
  func::ReturnOp::create(b, loc);
  b.setInsertionPointToStart(tasks.getBody());
  Value rest = tasks.getInductionVar();
  SmallVector<Value> ivs(loop.getNumLoops());
  for (int64_t d = loop.getNumLoops() - 1; d >= 0; --d) {
    Value digit = rest;
    if (d > 0) {
      digit = arith::RemSIOp::create(b, loc, rest, trips[d]);
      rest = arith::DivSIOp::create(b, loc, rest, trips[d]);
    }
    digit = b.createOrFold<arith::MulIOp>(loc, digit, step[d]);
    ivs[d] = b.createOrFold<arith::AddIOp>(loc, lower[d], digit);
  }
  loop.getBody()->getTerminator()->erase();
  Operation *end = tasks.getBody()->getTerminator();
  for (auto [argument, iv] : llvm::zip(loop.getInductionVars(), ivs))
    argument.replaceAllUsesWith(iv);
  end->getBlock()->getOperations().splice(Block::iterator(end),
                                          loop.getBody()->getOperations());

  // What is constant needs no slot in the environment.
  SmallVector<scf::ParallelOp> inner;
  range.walk([&](scf::ParallelOp nested) { inner.push_back(nested); });
  for (scf::ParallelOp nested : inner)
    makeSequential(nested);
  hoistLocals(range);
  return range;
}

LLVM::LLVMFuncOp Outliner::makeEntry(func::FuncOp range,
                                     LLVM::LLVMStructType env, Location loc) {
  OpBuilder b(module.getContext());
  Type i64 = b.getI64Type();
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {calls.getPointer(), i64, i64, i64});
  auto entry =
      LLVM::LLVMFuncOp::create(b, loc, (range.getName() + "_entry").str(), type,
                               LLVM::Linkage::Internal);
  // Only the runtime starts it: it can be compiled on its own (LazyTasks.cpp).
  entry.setPassthroughAttr(b.getStrArrayAttr({"arrc-task"}));
  symbols.insert(entry, std::next(Block::iterator(range)));
  Block *body = entry.addEntryBlock(b);
  b.setInsertionPointToStart(body);
  SmallVector<Value> arguments;
  for (unsigned i = 1; i <= 3; ++i)
    arguments.push_back(
        calls.fromLLVM(b, loc, body->getArgument(i), b.getIndexType()));
  for (auto [number, field] : llvm::enumerate(env.getBody())) {
    Value slot = LLVM::GEPOp::create(
        b, loc, calls.getPointer(), env, body->getArgument(0),
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(number)});
    Value value = LLVM::LoadOp::create(b, loc, field, slot);
    arguments.push_back(
        calls.fromLLVM(b, loc, value, range.getArgumentTypes()[number + 3]));
  }
  func::CallOp::create(b, loc, range, arguments);
  LLVM::ReturnOp::create(b, loc, ValueRange());
  return entry;
}

void Outliner::outline(func::FuncOp host, scf::ParallelOp loop,
                       unsigned number) {
  Value context = calls.getContext(host);
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> trips = getTrips(b, loop);
  Value tasks = trips.front();
  for (Value trip : ArrayRef(trips).drop_front())
    tasks = b.createOrFold<arith::MulIOp>(loc, tasks, trip);
  Value grain = createGrain(b, loop);

  // Constants are repeated in the body, everything else goes through the
  // environment.
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  SmallVector<Value> captures;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    for (Value value : used) {
      Operation *def = value.getDefiningOp();
      if (def && def->hasTrait<OpTrait::ConstantLike>()) {
        Operation *copy = b.clone(*def);
        replaceAllUsesInRegionWith(value, copy->getResult(0), loop.getRegion());
      } else {
        captures.push_back(value);
      }
    }
  }
  // A task that takes memory asks the runtime for it.
  bool allocates = loop.walk([](Operation *op) {
                         return isa<memref::AllocOp, memref::DeallocOp>(op)
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
  if (allocates && !llvm::is_contained(captures, context))
    captures.push_back(context);
  // The bounds are needed in the body where a task number has several digits.
  auto capture = [&](Value value) {
    Operation *def = value.getDefiningOp();
    bool constant = def && def->hasTrait<OpTrait::ConstantLike>();
    if (!constant && !llvm::is_contained(captures, value))
      captures.push_back(value);
  };
  llvm::for_each(loop.getLowerBound(), capture);
  llvm::for_each(loop.getStep(), capture);
  if (loop.getNumLoops() > 1)
    llvm::for_each(loop.getUpperBound(), capture);

  SmallVector<Type> fields;
  for (Value value : captures)
    fields.push_back(calls.getConverter().convertType(value.getType()));
  auto env = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);

  std::string name = (host.getName() + "_task" + llvm::Twine(number)).str();
  func::FuncOp range = makeRange(host, loop, captures, name);
  for (auto [position, value] : llvm::enumerate(captures))
    if (value == context)
      range.setArgAttr(position + 3, contextAttrName, b.getUnitAttr());
  LLVM::LLVMFuncOp entry = makeEntry(range, env, loc);

  // One environment a loop, on the stack of the function.
  Value slots;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&host.front());
    slots = LLVM::AllocaOp::create(b, loc, calls.getPointer(), env,
                                   calls.i64(b, loc, 1));
  }
  for (auto [position, value] : llvm::enumerate(captures)) {
    Value slot = LLVM::GEPOp::create(
        b, loc, calls.getPointer(), env, slots,
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(position)});
    LLVM::StoreOp::create(b, loc, calls.toLLVM(b, loc, value), slot);
  }
  Value function = LLVM::AddressOfOp::create(b, loc, entry);
  calls.call(b, loc, "arrt_parallel",
             {context, function, slots, calls.toLLVM(b, loc, tasks),
              calls.toLLVM(b, loc, grain)});
  loop.erase();
}

namespace {
struct OutlineTasksPass : arrc::impl::OutlineTasksPassBase<OutlineTasksPass> {
  void runOnOperation() override {
    Outliner outliner(getOperation());
    SmallVector<func::FuncOp> hosts(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp host : hosts) {
      SmallVector<scf::ParallelOp> loops;
      host.walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
        loops.push_back(loop);
        return WalkResult::skip();
      });
      for (auto [number, loop] : llvm::enumerate(loops)) {
        if (loop.getNumReductions()) {
          loop.emitOpError("folds and cannot become tasks");
          return signalPassFailure();
        }
        outliner.outline(host, loop, number);
      }
      // In a loop of the host they would take more of the stack in each of its
      // iterations.
      if (!host.isDeclaration())
        hoistLocals(host);
    }
  }
};
} // namespace
