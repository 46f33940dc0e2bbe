//===- HostToRuntime.cpp - Exports, memory and checks to runtime calls ----===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The last conversion of host code. It works on plain control flow, because
// every call that can fail ends the function at once:
//
//   func.func @f(%x: memref<?xf32>, %a: f32) -> memref<?xf32>
//   llvm.func @f_packed(%ctx: !llvm.ptr, %args: !llvm.ptr) -> i32
//
// - arguments are read from the array of pointers: a scalar at its pointer, an
//   array through its handle; results are written behind them;
// - an allocation becomes `arrt_buffer_alloc` and ends the function with the
//   status when it gives null; nothing need be freed then, the runtime gives
//   back what a failed call allocated;
// - a returned buffer becomes a handle that owns it; one that is an argument's,
//   or was returned before, is counted instead;
// - a check outside of a launch is a branch to `arrt_fail_check`; calls of
//   `arrt_poll_error` end the function when there is an error.
//
// In the functions of tasks a failed allocation is recorded as an error of the
// launch, and the range is left undone.
//
//===----------------------------------------------------------------------===//

#include "CheckSites.h"
#include "ProgramTable.h"
#include "RuntimeCalls.h"
#include "arrc/Conversion/Passes.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace arrc {
#define GEN_PASS_DEF_CONVERTHOSTTORUNTIMEPASS
#include "arrc/Conversion/Passes.h.inc"
} // namespace arrc

using namespace mlir;
using namespace arrc;

namespace {
/// Converts what is in the body of one function.
class HostConverter {
public:
  /// `context` is the runtime's context in `body`; a task returns nothing,
  /// a packed export a status.
  HostConverter(RuntimeCalls &calls, ModuleOp module, Region &body,
                Value context, bool isTask)
      : calls(calls), module(module), body(body), context(context),
        isTask(isTask) {}

  LogicalResult convertBody();
  /// Replaces the return by writes of the results behind the arguments.
  LogicalResult convertReturn(func::ReturnOp op, ArrayAttr results, Value args,
                              ArrayRef<BlockArgument> formals,
                              ArrayRef<Value> actuals, ArrayRef<Value> handles);

private:
  void convertAlloc(memref::AllocOp op);
  void convertDealloc(memref::DeallocOp op);
  LogicalResult convertCopy(memref::CopyOp op);
  void convertCheck(Operation *op, Value condition, ValueRange values);
  void convertPoll(LLVM::CallOp op);
  Value getBytes(OpBuilder &b, Location loc, MemRefType type, ValueRange sizes);
  Value getStackSlots(Location loc, int64_t count);
  void returnIf(OpBuilder &b, Location loc, Value condition,
                llvm::function_ref<Value(OpBuilder &)> status);

  RuntimeCalls &calls;
  ModuleOp module;
  Region &body;
  Value context;
  bool isTask;
};
} // namespace

/// The array's name for a message, from the location if that has one.
static StringRef getArrayName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName();
  return "an array";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The bytes of an array; -1, which no allocation satisfies, if a size is
/// negative or the product too large.
Value HostConverter::getBytes(OpBuilder &b, Location loc, MemRefType type,
                              ValueRange sizes) {
  Type i64 = b.getI64Type();
  int64_t fixed = getElementBytes(type.getElementType());
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      fixed *= size;
  Value bytes = arith::ConstantIntOp::create(b, loc, i64, fixed);
  Value zero = arith::ConstantIntOp::create(b, loc, i64, 0);
  Value bad;
  auto orBad = [&](Value condition) {
    bad = bad ? Value(arith::OrIOp::create(b, loc, bad, condition)) : condition;
  };
  for (Value size : sizes) {
    size = arith::IndexCastOp::create(b, loc, i64, size);
    orBad(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, size, zero));
    auto product = arith::MulUIExtendedOp::create(b, loc, bytes, size);
    bytes = product.getLow();
    orBad(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                product.getHigh(), zero));
    orBad(
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, bytes, zero));
  }
  if (!bad)
    return bytes;
  // A size of zero makes the product zero, however large the others are; the
  // overflow of an earlier factor does not matter then, but is refused too.
  Value none = arith::ConstantIntOp::create(b, loc, i64, -1);
  return arith::SelectOp::create(b, loc, bad, none, bytes);
}

/// Splits the block at the builder and leaves the function with `status` if
/// `condition` holds. The builder continues where it does not.
void HostConverter::returnIf(OpBuilder &b, Location loc, Value condition,
                             llvm::function_ref<Value(OpBuilder &)> status) {
  Block *before = b.getInsertionBlock();
  Block *after = before->splitBlock(b.getInsertionPoint());
  Block *leave = b.createBlock(after);
  Value code = status(b);
  if (isTask)
    func::ReturnOp::create(b, loc);
  else
    LLVM::ReturnOp::create(b, loc, code);
  b.setInsertionPointToEnd(before);
  cf::CondBranchOp::create(b, loc, condition, leave, after);
  b.setInsertionPointToStart(after);
}

/// Stack memory for `count` numbers, taken at the start of the function; null
/// for none.
Value HostConverter::getStackSlots(Location loc, int64_t count) {
  OpBuilder b(module.getContext());
  b.setInsertionPointToStart(&body.front());
  if (count == 0)
    return LLVM::ZeroOp::create(b, loc, calls.getPointer());
  return LLVM::AllocaOp::create(b, loc, calls.getPointer(), b.getI64Type(),
                                calls.i64(b, loc, count));
}

void HostConverter::convertAlloc(memref::AllocOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  MemRefType type = op.getType();
  Value bytes = getBytes(b, loc, type, op.getDynamicSizes());
  int32_t site = addAllocationSite(module, loc, getArrayName(loc));
  Value siteValue = calls.i32(b, loc, site);
  Value data =
      calls.call(b, loc, "arrt_buffer_alloc", {context, bytes, siteValue});
  Value null = LLVM::ZeroOp::create(b, loc, calls.getPointer());
  Value failed =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, data, null);
  returnIf(b, loc, failed, [&](OpBuilder &b) -> Value {
    if (!isTask)
      return calls.call(b, loc, "arrt_last_status", {context});
    calls.call(
        b, loc, "arrt_record_check",
        {context, siteValue, calls.i64(b, loc, 0), calls.i32(b, loc, 0), null});
    return {};
  });
  b.setInsertionPoint(op);
  SmallVector<Value> sizes;
  unsigned dynamic = 0;
  for (int64_t d = 0; d < type.getRank(); ++d)
    sizes.push_back(type.isDynamicDim(d)
                        ? calls.toLLVM(b, loc, op.getDynamicSizes()[dynamic++])
                        : calls.i64(b, loc, type.getDimSize(d)));
  op.replaceAllUsesWith(calls.makeMemRef(b, loc, type, data, sizes));
  op.erase();
}

void HostConverter::convertDealloc(memref::DeallocOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value data = calls.getDescriptor(b, loc, op.getMemref()).allocatedPtr(b, loc);
  calls.call(b, loc, "arrt_buffer_free", {context, data});
  op.erase();
}

LogicalResult HostConverter::convertCopy(memref::CopyOp op) {
  auto from = cast<MemRefType>(op.getSource().getType());
  auto to = cast<MemRefType>(op.getTarget().getType());
  auto isDense = [](MemRefType type) {
    return type.getLayout().isIdentity() || type.getRank() == 0;
  };
  if (!isDense(from) || !isDense(to))
    return op.emitOpError("between views should have become a loop");
  OpBuilder b(op);
  Location loc = op.getLoc();
  MemRefDescriptor source = calls.getDescriptor(b, loc, op.getSource());
  MemRefDescriptor target = calls.getDescriptor(b, loc, op.getTarget());
  Value bytes = calls.i64(b, loc, getElementBytes(from.getElementType()));
  for (int64_t d = 0; d < from.getRank(); ++d)
    bytes = LLVM::MulOp::create(b, loc, bytes, source.size(b, loc, d));
  Value fromData = source.bufferPtr(b, loc, calls.getConverter(), from);
  Value toData = target.bufferPtr(b, loc, calls.getConverter(), to);
  calls.call(b, loc, "arrt_buffer_copy", {context, toData, fromData, bytes});
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void HostConverter::convertCheck(Operation *op, Value condition,
                                 ValueRange values) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  Value failed = arith::XOrIOp::create(b, loc, condition, yes);
  Value list = getStackSlots(loc, values.size());
  returnIf(b, loc, failed, [&](OpBuilder &b) -> Value {
    for (auto [position, value] : llvm::enumerate(values)) {
      Value slot = LLVM::GEPOp::create(
          b, loc, calls.getPointer(), b.getI64Type(), list,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
      LLVM::StoreOp::create(b, loc, toCheckBits(b, loc, value), slot);
    }
    return calls.call(b, loc, "arrt_fail_check",
                      {context, calls.i32(b, loc, getSite(op)),
                       calls.i32(b, loc, values.size()), list});
  });
  op->erase();
}

void HostConverter::convertPoll(LLVM::CallOp op) {
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  Location loc = op.getLoc();
  Value status = op.getResult();
  Value failed = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, status,
                                      calls.i32(b, loc, 0));
  returnIf(b, loc, failed, [&](OpBuilder &) { return status; });
}

//===----------------------------------------------------------------------===//
// The packed form
//===----------------------------------------------------------------------===//

/// Argument `number` of a packed function; `handle` becomes that of an array.
static Value readArgument(RuntimeCalls &calls, OpBuilder &b, Location loc,
                          Value args, unsigned number, Type type,
                          Value &handle) {
  Type pointer = calls.getPointer();
  Value slot =
      LLVM::GEPOp::create(b, loc, pointer, pointer, args,
                          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(number)});
  Value address = LLVM::LoadOp::create(b, loc, pointer, slot);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref) {
    if (type.isInteger(1)) { // a byte in memory
      Value byte = LLVM::LoadOp::create(b, loc, b.getI8Type(), address);
      return LLVM::TruncOp::create(b, loc, type, byte);
    }
    Value value = LLVM::LoadOp::create(
        b, loc, calls.getConverter().convertType(type), address);
    return calls.fromLLVM(b, loc, value, type);
  }
  handle = LLVM::LoadOp::create(b, loc, pointer, address);
  Value data = calls.call(b, loc, "arrt_array_data", {handle});
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < memref.getRank(); ++d)
    sizes.push_back(memref.isDynamicDim(d)
                        ? calls.call(b, loc, "arrt_array_size",
                                     {handle, calls.i32(b, loc, d)})
                        : calls.i64(b, loc, memref.getDimSize(d)));
  return calls.makeMemRef(b, loc, memref, data, sizes);
}

/// The buffer that `value` shows, as far as it can be followed.
static Value getBuffer(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::SubViewOp, memref::ReinterpretCastOp>(def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

LogicalResult HostConverter::convertReturn(func::ReturnOp op, ArrayAttr results,
                                           Value args,
                                           ArrayRef<BlockArgument> formals,
                                           ArrayRef<Value> actuals,
                                           ArrayRef<Value> handles) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Type pointer = calls.getPointer();
  Value null = LLVM::ZeroOp::create(b, loc, pointer);
  /// A buffer that has a handle already.
  struct Owned {
    Value buffer, data, handle;
    int64_t rank;
  };
  SmallVector<Owned> owned;
  for (auto [formal, actual, handle] : llvm::zip(formals, actuals, handles))
    if (handle)
      owned.push_back({formal,
                       calls.getDescriptor(b, loc, actual).alignedPtr(b, loc),
                       handle, cast<MemRefType>(actual.getType()).getRank()});
  size_t numArguments = owned.size();

  for (auto [number, value] : llvm::enumerate(op.getOperands())) {
    Value slot = LLVM::GEPOp::create(
        b, loc, pointer, pointer, args,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(formals.size() + number)});
    Value address = LLVM::LoadOp::create(b, loc, pointer, slot);
    auto memref = dyn_cast<MemRefType>(value.getType());
    if (!memref) {
      Value stored = calls.toLLVM(b, loc, value);
      if (value.getType().isInteger(1))
        stored = LLVM::ZExtOp::create(b, loc, b.getI8Type(), stored);
      LLVM::StoreOp::create(b, loc, stored, address);
      continue;
    }
    // The front of a one-dimensional buffer is dense as well.
    int64_t offset;
    SmallVector<int64_t> strides;
    if (!memref.getLayout().isIdentity() &&
        (failed(memref.getStridesAndOffset(strides, offset)) || offset != 0 ||
         memref.getRank() != 1 || strides.front() != 1))
      return op.emitOpError("of a view should have become a copy");
    auto facts = cast<DictionaryAttr>(results[number]);
    auto name = facts.getAs<StringAttr>("element");
    std::optional<int32_t> element =
        name ? getElementNumber(name) : std::nullopt;
    if (!element)
      return op.emitOpError("of an element type that the runtime lacks");

    MemRefDescriptor descriptor = calls.getDescriptor(b, loc, value);
    Value data = descriptor.alignedPtr(b, loc);
    Value sizes = getStackSlots(loc, memref.getRank());
    for (int32_t d = 0; d < memref.getRank(); ++d) {
      Value place = LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), sizes,
                                        ArrayRef<LLVM::GEPArg>{d});
      LLVM::StoreOp::create(b, loc, descriptor.size(b, loc, d), place);
    }
    Value elementValue = calls.i32(b, loc, *element);
    Value rank = calls.i32(b, loc, memref.getRank());

    // Whose buffer is it? Where buffers met at a branch or a loop only the
    // addresses can tell.
    Value buffer = getBuffer(value);
    bool isFresh = buffer.getDefiningOp<memref::AllocOp>();
    Value shared = null, other;
    for (auto [position, candidate] : llvm::enumerate(owned)) {
      bool maybe =
          candidate.buffer == buffer ||
          !(isFresh && (position < numArguments ||
                        candidate.buffer.getDefiningOp<memref::AllocOp>()));
      if (!maybe)
        continue;
      Value same = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, data,
                                        candidate.data);
      if (candidate.rank == memref.getRank())
        shared = LLVM::SelectOp::create(b, loc, same, candidate.handle, shared);
      else // a reshaped array needs a handle and memory of its own
        other = other ? Value(LLVM::OrOp::create(b, loc, other, same)) : same;
    }

    Block *here = b.getInsertionBlock();
    Block *done = here->splitBlock(b.getInsertionPoint());
    Value result = done->addArgument(pointer, loc);
    auto inBlock = [&](auto emit) {
      OpBuilder::InsertionGuard guard(b);
      Block *block = b.createBlock(done);
      cf::BranchOp::create(b, loc, done, ValueRange(emit()));
      return block;
    };
    Block *adopt = inBlock([&] {
      return calls.call(b, loc, "arrt_array_adopt",
                        {context, data, elementValue, rank, sizes});
    });
    if (other) {
      Block *copy = inBlock([&]() -> Value {
        Value fresh = calls.call(
            b, loc, "arrt_array_alloc",
            {context, elementValue, rank, sizes, calls.i32(b, loc, -1)});
        Value failed =
            LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, fresh, null);
        returnIf(b, loc, failed, [&](OpBuilder &b) {
          return calls.call(b, loc, "arrt_last_status", {context});
        });
        Value bytes =
            calls.i64(b, loc, getElementBytes(memref.getElementType()));
        for (int64_t d = 0; d < memref.getRank(); ++d)
          bytes =
              LLVM::MulOp::create(b, loc, bytes, descriptor.size(b, loc, d));
        Value target = calls.call(b, loc, "arrt_array_data", {fresh});
        calls.call(b, loc, "arrt_buffer_copy", {context, target, data, bytes});
        return fresh;
      });
      OpBuilder::InsertionGuard guard(b);
      Block *choose = b.createBlock(done);
      cf::CondBranchOp::create(b, loc, other, copy, adopt);
      adopt = choose;
    }
    b.setInsertionPointToEnd(here);
    if (shared == null) {
      cf::BranchOp::create(b, loc, adopt);
    } else {
      Block *share = inBlock(
          [&] { return calls.call(b, loc, "arrt_array_retain", {shared}); });
      b.setInsertionPointToEnd(here);
      Value found =
          LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, shared, null);
      cf::CondBranchOp::create(b, loc, found, share, adopt);
    }
    b.setInsertionPointToStart(done);
    LLVM::StoreOp::create(b, loc, result, address);
    owned.push_back({buffer, data, result, memref.getRank()});
  }
  LLVM::ReturnOp::create(b, loc, calls.i32(b, loc, 0));
  op.erase();
  return success();
}

LogicalResult HostConverter::convertBody() {
  SmallVector<Operation *> ops;
  body.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      convertAlloc(alloc);
    } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      convertDealloc(dealloc);
    } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      if (!isTask && failed(convertCopy(copy)))
        return failure();
    } else if (auto check = dyn_cast<kernel::CheckOp>(op)) {
      convertCheck(op, check.getCondition(), check.getValues());
    } else if (auto check = dyn_cast<array::CheckOp>(op)) {
      convertCheck(op, check.getOk(), check.getValues());
    } else if (auto call = dyn_cast<LLVM::CallOp>(op)) {
      if (call.getCallee() == "arrt_poll_error" && call.getResult().use_empty())
        convertPoll(call);
    }
  }
  return success();
}

/// Turns export `function` into its packed form.
static LogicalResult convertExport(func::FuncOp function, RuntimeCalls &calls,
                                   ModuleOp module) {
  auto results = function->getAttrOfType<ArrayAttr>("arrc.results");
  auto params = function->getAttrOfType<ArrayAttr>("arrc.params");
  if (!results || results.size() != function.getNumResults() || !params)
    return function.emitOpError("lacks the facts about its parameters and "
                                "results");
  OpBuilder b(function);
  Location loc = function.getLoc();
  Type pointer = calls.getPointer();
  auto packed = LLVM::LLVMFuncOp::create(
      b, loc, (function.getName() + "_packed").str(),
      LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer, pointer}));
  packed.getBody().takeBody(function.getBody());
  Block *old = &packed.getBody().front();
  Block *entry = b.createBlock(old, {pointer, pointer}, {loc, loc});
  Value context = entry->getArgument(0), args = entry->getArgument(1);

  SmallVector<BlockArgument> formals;
  for (BlockArgument argument : old->getArguments()) {
    if (function.getArgAttr(argument.getArgNumber(), contextAttrName))
      argument.replaceAllUsesWith(context);
    else
      formals.push_back(argument);
  }
  if (params.size() != formals.size())
    return function.emitOpError("has other parameters than it says");
  SmallVector<Value> actuals, handles;
  for (auto [number, formal] : llvm::enumerate(formals)) {
    Value handle;
    actuals.push_back(
        readArgument(calls, b, loc, args, number, formal.getType(), handle));
    handles.push_back(handle);
  }
  HostConverter converter(calls, module, packed.getBody(), context,
                          /*isTask=*/false);
  SmallVector<func::ReturnOp> returns(
      packed.getBody().getOps<func::ReturnOp>());
  for (func::ReturnOp op : returns)
    if (failed(converter.convertReturn(op, results, args, formals, actuals,
                                       handles)))
      return failure();
  for (auto [formal, actual] : llvm::zip(formals, actuals))
    formal.replaceAllUsesWith(actual);
  old->eraseArguments(0, old->getNumArguments());
  entry->getOperations().splice(entry->end(), old->getOperations());
  old->erase();
  if (failed(converter.convertBody()))
    return failure();
  function.erase();
  return success();
}

namespace {
struct ConvertHostToRuntimePass
    : arrc::impl::ConvertHostToRuntimePassBase<ConvertHostToRuntimePass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    numberChecks(module);
    RuntimeCalls calls(module);
    ProgramTable table(module);
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (function->hasAttr(taskAttrName)) {
        // Without the context a task takes no memory and has no checks.
        HostConverter converter(calls, module, function.getBody(),
                                calls.findContext(function), /*isTask=*/true);
        if (failed(converter.convertBody()))
          return signalPassFailure();
      } else if (function->hasAttr("arrc.export")) {
        table.addEntry(function);
        if (failed(convertExport(function, calls, module)))
          return signalPassFailure();
      } else if (function.isPrivate() && function.symbolKnownUseEmpty(module)) {
        function.erase();
      }
    }
    if (failed(table.emit(calls)))
      signalPassFailure();
  }
};
} // namespace
