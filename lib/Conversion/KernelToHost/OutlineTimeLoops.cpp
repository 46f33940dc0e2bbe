//===- OutlineTimeLoops.cpp - Time loops of devices to the runtime --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A time loop of a device that only starts work becomes a function that starts
// the work of one step, and a call of the runtime's loop:
//
//   %t:2 = scf.while (%go = %g0, %x = %a, %y = %b) {
//     %more = memref.load %go[]   scf.condition(%more) %x, %y
//   } do {
//   ^bb0(%x, %y):
//     gpu.launch_func .. args(%x, %y, %g1, %n)   scf.yield %g1, %y, %x }
//
//   llvm.func internal @f_loop0(%ctx, %env, %state) -> i32 {
//     %x, %y = the pointers in %state; %g1, %n from %env
//     gpu.launch_func ..   %state = %g1, %y, %x   llvm.return 0 }
//   // in @f: %state = %g0, %a, %b; arrt_loop(ctx, @f_loop0, %env, %state, ..)
//
// The state is the pointers that rotate and nothing else: when they are again
// where they were, the runtime knows all that the rest of the loop will start,
// and a card can run it without the host.
//
// Legal when a step reads nothing, allocates nothing and checks nothing on the
// host, counts by one, and hands on buffers of the same sizes. Other loops stay
// as they are.
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"
#include "TimeLoops.h"
#include "arrc/Conversion/Passes.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Support/DimNumber.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"

namespace arrc {
#define GEN_PASS_DEF_OUTLINETIMELOOPSPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

namespace {
/// What is known of a loop that can be outlined.
struct TimeLoop {
  // Accessors of ops are not const.
  mutable scf::WhileOp op;
  /// The flag that is read before a step: an argument of the condition or a
  /// value from outside. Null if there is none.
  Value flag;
  /// The number of the argument that counts, and what it stays below; -1 and
  /// null if there are none.
  int64_t counter = -1;
  Value bound;

  Block *before() const { return op.getBeforeBody(); }
  Block *after() const { return op.getAfterBody(); }
  bool isOutside(Value value) const {
    return !op->isAncestor(value.getParentBlock()->getParentOp());
  }
  /// What an argument of the body stands for in the condition's block.
  Value getForwarded(Value value) const {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == after())
      return op.getConditionOp().getArgs()[argument.getArgNumber()];
    return value;
  }
};
} // namespace

/// Splits the condition into a flag and a bound of the counter.
static bool readCondition(TimeLoop &loop, Value condition) {
  Operation *def = condition.getDefiningOp();
  if (!def || loop.isOutside(condition))
    return false;
  if (auto both = dyn_cast<arith::AndIOp>(def))
    return readCondition(loop, both.getLhs()) &&
           readCondition(loop, both.getRhs());
  if (auto load = dyn_cast<memref::LoadOp>(def)) {
    if (loop.flag || load.getMemRefType().getRank() != 0)
      return false;
    loop.flag = load.getMemRef();
    return true;
  }
  auto less = dyn_cast<arith::CmpIOp>(def);
  if (!less || less.getPredicate() != arith::CmpIPredicate::slt || loop.bound ||
      !loop.isOutside(less.getRhs()))
    return false;
  auto argument = dyn_cast<BlockArgument>(less.getLhs());
  if (!argument || argument.getOwner() != loop.before())
    return false;
  loop.counter = argument.getArgNumber();
  loop.bound = less.getRhs();
  return true;
}

/// Whether argument `number` starts anywhere, grows by one a step, and is used
/// for nothing else.
static bool isCounter(const TimeLoop &loop, unsigned number) {
  scf::YieldOp yield = loop.op.getYieldOp();
  auto sum = yield.getOperand(number).getDefiningOp<arith::AddIOp>();
  if (!sum || !matchPattern(sum.getRhs(), m_One()) ||
      !sum.getResult().hasOneUse())
    return false;
  auto argument = dyn_cast<BlockArgument>(sum.getLhs());
  return argument && argument.getOwner() == loop.after() &&
         argument.hasOneUse() &&
         loop.getForwarded(argument) == loop.before()->getArgument(number);
}

/// Whether `value`, which a step of `loop` hands on, is one of the arrays that
/// the step began with: itself, or when they have taken turns in inner loops.
static bool isOfLoop(scf::WhileOp loop, Value value) {
  ValueRange forwarded = loop.getConditionOp().getArgs();
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() == loop.getBeforeBody())
        return true;
      if (argument.getOwner() != loop.getAfterBody())
        return false;
      value = forwarded[argument.getArgNumber()];
      continue;
    }
    auto inner = value.getDefiningOp<scf::WhileOp>();
    if (!inner || !loop->isProperAncestor(inner))
      return false;
    // Where one of its arrays is of the loop, all of its type have to be.
    Type type = value.getType();
    for (auto [init, next] :
         llvm::zip(inner.getInits(), inner.getYieldOp().getOperands()))
      if (init.getType() == type &&
          (!isOfLoop(loop, init) || !isOfLoop(inner, next)))
        return false;
    return isOfLoop(inner,
                    inner.getConditionOp()
                        .getArgs()[cast<OpResult>(value).getResultNumber()]);
  }
}

/// The buffers that a loop begins with and whose turns `array`, a result of the
/// loop or an argument of its body, is part of, if it only has them take turns;
/// empty otherwise.
static SmallVector<Value> getRotated(Value array) {
  auto loop = array.getDefiningOp<scf::WhileOp>();
  auto argument = dyn_cast<BlockArgument>(array);
  if (argument) {
    loop = dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return {};
  }
  if (!loop)
    return {};
  SmallVector<Value> buffers;
  for (auto [init, next] :
       llvm::zip(loop.getInits(), loop.getYieldOp().getOperands())) {
    if (init.getType() != array.getType())
      continue;
    if (!isOfLoop(loop, next))
      return {};
    buffers.push_back(init);
  }
  Value shown = array;
  if (auto result = dyn_cast<OpResult>(array))
    shown = loop.getConditionOp().getArgs()[result.getResultNumber()];
  return isOfLoop(loop, shown) ? buffers : SmallVector<Value>();
}

namespace {
/// Where sizes of buffers come from: the array and dimension that a size is
/// read of, or the size itself. Each is looked up once: what a chain of loops
/// hands on has as many ways back as loops have buffers that take turns.
class SizeKeys {
public:
  /// Whether two buffers of one type are of the same sizes.
  bool areSame(Value a, Value b);

private:
  using Key = std::pair<Value, int64_t>;
  Key get(Value memref, int64_t dim);
  Key find(Value memref, int64_t dim);

  DenseMap<Key, Key> known;
};
} // namespace

SizeKeys::Key SizeKeys::get(Value memref, int64_t dim) {
  auto found = known.find({memref, dim});
  if (found != known.end())
    return found->second;
  Key key = find(memref, dim);
  known[{memref, dim}] = key;
  return key;
}

SizeKeys::Key SizeKeys::find(Value memref, int64_t dim) {
  SmallVector<Value> buffers = getRotated(memref);
  if (!buffers.empty() && llvm::all_of(buffers, [&](Value buffer) {
        return get(buffer, dim) == get(buffers.front(), dim);
      }))
    return get(buffers.front(), dim);
  if (auto cast = memref.getDefiningOp<memref::CastOp>())
    return get(cast.getSource(), dim);
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(dim))
    return {Value(), type.getDimSize(dim)};
  auto alloc = memref.getDefiningOp<memref::AllocOp>();
  if (!alloc)
    return {memref, dim};
  Value size = alloc.getDynamicSizes()[type.getDynamicDimIndex(dim)];
  auto read = size.getDefiningOp<memref::DimOp>();
  std::optional<int64_t> of = read ? getDimNumber(read) : std::nullopt;
  if (!of)
    return {size, -1};
  return get(read.getSource(), *of);
}

bool SizeKeys::areSame(Value a, Value b) {
  auto type = cast<MemRefType>(a.getType());
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (get(a, d) != get(b, d))
      return false;
  return true;
}

bool arrc::isPartOfStep(Operation *op) {
  if (isa<gpu::LaunchFuncOp, memref::StoreOp, memref::CopyOp, scf::IfOp,
          scf::YieldOp>(op))
    return true;
  return !op->getNumRegions() && isMemoryEffectFree(op);
}

/// Whether a value from outside is computed anew in a step.
static bool isRepeated(Operation *def) {
  return def && (def->hasTrait<OpTrait::ConstantLike>() ||
                 isa<ub::PoisonOp, UnrealizedConversionCastOp>(def));
}

static bool canOutline(TimeLoop &loop) {
  for (Operation &op : loop.before()->without_terminator())
    if (!isa<memref::LoadOp, arith::CmpIOp, arith::AndIOp>(op) &&
        !op.hasTrait<OpTrait::ConstantLike>())
      return false;
  if (!readCondition(loop, loop.op.getConditionOp().getCondition()))
    return false;
  scf::YieldOp yield = loop.op.getYieldOp();
  SizeKeys sizes;
  for (auto [number, argument] :
       llvm::enumerate(loop.before()->getArguments())) {
    if (argument.getType().isIndex()) {
      if ((loop.counter >= 0 && loop.counter != int64_t(number)) ||
          !isCounter(loop, number))
        return false;
      loop.counter = number;
      continue;
    }
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.getLayout().isIdentity() || type.getMemorySpace())
      return false;
    // What comes next must be a buffer of the same sizes.
    Value next = loop.getForwarded(yield.getOperand(number));
    if (auto other = dyn_cast<BlockArgument>(next);
        other && other.getOwner() == loop.before())
      next = loop.op.getInits()[other.getArgNumber()];
    else if (!loop.isOutside(next))
      return false;
    if (!sizes.areSame(loop.op.getInits()[number], next))
      return false;
  }
  for (Value forwarded : loop.op.getConditionOp().getArgs())
    if (!loop.isOutside(forwarded) && !isa<BlockArgument>(forwarded))
      return false;
  // Memory of another kind comes into a step by a cast there.
  auto canBring = [&](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return !loop.isOutside(value) || !type || !type.getMemorySpace() ||
           isRepeated(value.getDefiningOp());
  };
  WalkResult found = loop.op.getAfter().walk([&](Operation *op) {
    return isPartOfStep(op) && llvm::all_of(op->getOperands(), canBring)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !found.wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Writes the function of a step, whose values from outside come out of a
/// struct.
class StepWriter {
public:
  StepWriter(RuntimeCalls &calls, const TimeLoop &loop, LLVM::LLVMFuncOp step)
      : calls(calls), loop(loop), step(step), b(step.getContext()) {
    b.setInsertionPointToStart(step.addEntryBlock(b));
  }

  /// What the struct must hold, in order.
  ArrayRef<Value> getCaptures() const { return captures.getArrayRef(); }
  /// Writes the body; `sizes` are those of each array argument, from outside,
  /// and `flagSlot` is the state's number of a flag that does not rotate.
  void write(ArrayRef<SmallVector<Value>> sizes, ArrayRef<int64_t> slots);

private:
  void collect(Value value);
  Value bring(Value value);
  Value getSlot(int64_t slot) {
    return LLVM::GEPOp::create(
        b, loc(), calls.getPointer(), calls.getPointer(), step.getArgument(2),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(slot)});
  }
  Location loc() { return loop.op.getLoc(); }

  RuntimeCalls &calls;
  const TimeLoop &loop;
  LLVM::LLVMFuncOp step;
  OpBuilder b;
  llvm::SetVector<Value> captures;
  IRMapping map;
};
} // namespace

void StepWriter::collect(Value value) {
  if (!loop.isOutside(value))
    return;
  Operation *def = value.getDefiningOp();
  if (!isRepeated(def))
    captures.insert(value);
  else
    llvm::for_each(def->getOperands(), [&](Value v) { collect(v); });
}

Value StepWriter::bring(Value value) {
  if (Value known = map.lookupOrNull(value))
    return known;
  Operation *def = value.getDefiningOp();
  for (Value operand : def->getOperands())
    bring(operand);
  return b.clone(*def, map)->getResult(cast<OpResult>(value).getResultNumber());
}

void StepWriter::write(ArrayRef<SmallVector<Value>> sizes,
                       ArrayRef<int64_t> slots) {
  SmallVector<Value> outside;
  auto use = [&](Value value) {
    if (loop.isOutside(value))
      outside.push_back(value);
  };
  for (const SmallVector<Value> &list : sizes)
    llvm::for_each(list, use);
  llvm::for_each(loop.op.getConditionOp().getArgs(), use);
  loop.op.getAfter().walk(
      [&](Operation *op) { llvm::for_each(op->getOperands(), use); });
  llvm::for_each(outside, [&](Value value) { collect(value); });

  SmallVector<Type> fields;
  for (Value value : captures)
    fields.push_back(calls.getConverter().convertType(value.getType()));
  auto env = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  for (auto [number, value] : llvm::enumerate(captures)) {
    Value slot = LLVM::GEPOp::create(
        b, loc(), calls.getPointer(), env, step.getArgument(1),
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(number)});
    Value read = LLVM::LoadOp::create(b, loc(), fields[number], slot);
    map.map(value, calls.fromLLVM(b, loc(), read, value.getType()));
  }
  for (Value value : outside)
    bring(value);

  // The arrays as they stand in this step.
  for (auto [number, argument] :
       llvm::enumerate(loop.before()->getArguments())) {
    if (slots[number] < 0)
      continue;
    Value data = LLVM::LoadOp::create(b, loc(), calls.getPointer(),
                                      getSlot(slots[number]));
    SmallVector<Value> now;
    for (Value size : sizes[number])
      now.push_back(calls.toLLVM(b, loc(), map.lookup(size)));
    map.map(argument,
            calls.makeMemRef(b, loc(), cast<MemRefType>(argument.getType()),
                             data, now));
  }
  for (auto [argument, forwarded] : llvm::zip(
           loop.after()->getArguments(), loop.op.getConditionOp().getArgs()))
    if (Value value = map.lookupOrNull(forwarded))
      map.map(argument, value);

  // The work, without the counting.
  scf::YieldOp yield = loop.op.getYieldOp();
  for (Operation &op : loop.after()->without_terminator())
    if (loop.counter < 0 ||
        &op != yield.getOperand(loop.counter).getDefiningOp())
      b.clone(op, map);
  for (auto [number, next] : llvm::enumerate(yield.getOperands())) {
    if (slots[number] < 0)
      continue;
    Value memref = map.lookup(next);
    Value data = calls.getDescriptor(b, loc(), memref)
                     .bufferPtr(b, loc(), calls.getConverter(),
                                cast<MemRefType>(memref.getType()));
    LLVM::StoreOp::create(b, loc(), data, getSlot(slots[number]));
  }
  LLVM::ReturnOp::create(b, loc(), calls.i32(b, loc(), 0));
}

static void outline(const TimeLoop &loop, func::FuncOp host, StringRef name,
                    RuntimeCalls &calls) {
  OpBuilder b(loop.op);
  Location loc = loop.op.getLoc();
  Type pointer = calls.getPointer(), i64 = b.getI64Type();
  Value context = calls.getContext(host);

  // One slot a rotating array; a flag that stays has one as well.
  SmallVector<int64_t> slots;
  SmallVector<SmallVector<Value>> sizes;
  int64_t count = 0, condition = -1;
  for (auto [argument, init] :
       llvm::zip(loop.before()->getArguments(), loop.op.getInits())) {
    SmallVector<Value> list;
    bool isArray = isa<MemRefType>(argument.getType());
    if (isArray)
      for (int64_t d = 0; d < cast<MemRefType>(init.getType()).getRank(); ++d)
        list.push_back(b.createOrFold<memref::DimOp>(loc, init, d));
    if (argument == loop.flag)
      condition = 8 * count;
    sizes.push_back(list);
    slots.push_back(isArray ? count++ : -1);
  }
  bool flagStays = loop.flag && condition < 0;
  if (flagStays)
    condition = 8 * count++;

  LLVM::LLVMFuncOp step;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(host);
    step = LLVM::LLVMFuncOp::create(
        b, loc, name,
        LLVM::LLVMFunctionType::get(b.getI32Type(),
                                    {pointer, pointer, pointer}),
        LLVM::Linkage::Internal);
    step->setAttr(stepAttrName, b.getUnitAttr());
  }
  StepWriter writer(calls, loop, step);
  writer.write(sizes, slots);

  SmallVector<Type> fields;
  for (Value value : writer.getCaptures())
    fields.push_back(calls.getConverter().convertType(value.getType()));
  auto envType = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  Value env, state, times;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&host.front());
    env =
        LLVM::AllocaOp::create(b, loc, pointer, envType, calls.i64(b, loc, 1));
    state =
        LLVM::AllocaOp::create(b, loc, pointer, pointer,
                               calls.i64(b, loc, std::max<int64_t>(count, 1)));
    times = LLVM::AllocaOp::create(b, loc, pointer, i64, calls.i64(b, loc, 1));
  }
  for (auto [number, value] : llvm::enumerate(writer.getCaptures())) {
    Value slot = LLVM::GEPOp::create(
        b, loc, pointer, envType, env,
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(number)});
    LLVM::StoreOp::create(b, loc, calls.toLLVM(b, loc, value), slot);
  }
  auto getSlot = [&](int64_t slot) -> Value {
    return LLVM::GEPOp::create(
        b, loc, pointer, pointer, state,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(slot)});
  };
  auto storeArray = [&](Value memref, int64_t slot) {
    Value data = calls.getDescriptor(b, loc, memref)
                     .bufferPtr(b, loc, calls.getConverter(),
                                cast<MemRefType>(memref.getType()));
    LLVM::StoreOp::create(b, loc, data, getSlot(slot));
  };
  for (auto [init, slot] : llvm::zip(loop.op.getInits(), slots))
    if (slot >= 0)
      storeArray(init, slot);
  if (flagStays)
    storeArray(loop.flag, count - 1);

  Value most = calls.i64(b, loc, INT64_MAX), start;
  if (loop.counter >= 0)
    start = calls.toLLVM(b, loc, loop.op.getInits()[loop.counter]);
  if (loop.bound)
    most = LLVM::SubOp::create(b, loc, calls.toLLVM(b, loc, loop.bound), start);
  Value function = LLVM::AddressOfOp::create(b, loc, step);
  calls.call(b, loc, "arrt_loop",
             {context, function, env, state, calls.i64(b, loc, 8 * count),
              calls.i64(b, loc, condition), most, times});

  IRMapping final;
  for (auto [number, argument] :
       llvm::enumerate(loop.before()->getArguments())) {
    if (slots[number] < 0) {
      Value steps = LLVM::LoadOp::create(b, loc, i64, times);
      Value sum = LLVM::AddOp::create(b, loc, start, steps);
      final.map(argument, calls.fromLLVM(b, loc, sum, b.getIndexType()));
      continue;
    }
    Value data = LLVM::LoadOp::create(b, loc, pointer, getSlot(slots[number]));
    SmallVector<Value> list;
    for (Value size : sizes[number])
      list.push_back(calls.toLLVM(b, loc, size));
    final.map(argument,
              calls.makeMemRef(b, loc, cast<MemRefType>(argument.getType()),
                               data, list));
  }
  for (auto [result, forwarded] :
       llvm::zip(loop.op.getResults(), loop.op.getConditionOp().getArgs()))
    result.replaceAllUsesWith(final.lookupOrDefault(forwarded));
  scf::WhileOp dead = loop.op;
  dead.erase();
}

namespace {
struct OutlineTimeLoopsPass
    : arrc::impl::OutlineTimeLoopsPassBase<OutlineTimeLoopsPass> {
  void runOnOperation() override {
    if (!kernel::isGPU(kernel::DeviceAttr::get(getOperation())))
      return;
    RuntimeCalls calls(getOperation());
    SmallVector<func::FuncOp> hosts(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp host : hosts) {
      // Inner loops first, and the last of several: what one of them hands to
      // the next has sizes that are known until it is outlined.
      SmallVector<scf::WhileOp> loops;
      host->walk<WalkOrder::PostOrder, ReverseIterator>(
          [&](scf::WhileOp op) { loops.push_back(op); });
      unsigned number = 0;
      for (scf::WhileOp op : loops) {
        TimeLoop loop;
        loop.op = op;
        if (canOutline(loop))
          outline(loop, host,
                  (host.getName() + "_loop" + Twine(number++)).str(), calls);
      }
    }
  }
};
} // namespace
