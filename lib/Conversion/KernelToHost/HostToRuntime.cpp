//===- HostToRuntime.cpp - Exports, memory and checks to runtime calls ----===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The last conversion of host code. It works on plain control flow, because
// every call that can fail ends the function at once:
//
//   func.func @f(%x: memref<?xf32>, %a: f32) -> memref<?xf32>
//   llvm.func internal @f_packed(%ctx: !llvm.ptr, %args: !llvm.ptr) -> i32
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
// - `func.call @arrc_mark(%number)`, which whoever observes a program puts
//   around its launches, gets the context.
//
// The function of a launch that the runtime starts in parts takes a pointer to
// each argument likewise:
//
//   llvm.func internal @k.kernel(%ctx: !llvm.ptr, %args: !llvm.ptr) -> i32
//
// Programs of a device: HostDevice.cpp. In the functions of tasks a failed
// allocation is recorded as an error of the launch, and the range is left
// undone.
//
//===----------------------------------------------------------------------===//

#include "CheckSites.h"
#include "HostConverter.h"
#include "ProgramTable.h"
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

//===----------------------------------------------------------------------===//
// Leaving early
//===----------------------------------------------------------------------===//

void HostConverter::returnIf(OpBuilder &b, Location loc, Value condition,
                             llvm::function_ref<Value(OpBuilder &)> status) {
  Block *before = b.getInsertionBlock();
  Block *after = before->splitBlock(b.getInsertionPoint());
  Block *leave = b.createBlock(after);
  Value code = status(b);
  if (kind == Kind::Task)
    func::ReturnOp::create(b, loc);
  else
    LLVM::ReturnOp::create(b, loc, code);
  b.setInsertionPointToEnd(before);
  cf::CondBranchOp::create(b, loc, condition, leave, after);
  b.setInsertionPointToStart(after);
}

void HostConverter::returnIfFailed(OpBuilder &b, Location loc, Value status) {
  Value failed = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, status,
                                      calls.i32(b, loc, 0));
  returnIf(b, loc, failed, [&](OpBuilder &) { return status; });
}

Value HostConverter::getStackSlots(Location loc, int64_t count) {
  OpBuilder b(module.getContext());
  b.setInsertionPointToStart(&body.front());
  if (count == 0)
    return LLVM::ZeroOp::create(b, loc, calls.getPointer());
  return LLVM::AllocaOp::create(b, loc, calls.getPointer(), b.getI64Type(),
                                calls.i64(b, loc, count));
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
    // What failed in a launch before is the first error.
    if (kernels)
      poll(b, loc);
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
  // All parts of a launch have run before the runtime asks.
  if (kind == Kind::Kernel) {
    op.erase();
    return;
  }
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  Location loc = op.getLoc();
  returnIfFailed(b, loc, op.getResult());
}

LogicalResult HostConverter::convertBody() {
  if (kernels && failed(convertDeviceOps()))
    return failure();
  SmallVector<Operation *> ops;
  body.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      convertAlloc(alloc);
    } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      convertDealloc(dealloc);
    } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      if (kind == Kind::Host && failed(convertCopy(copy)))
        return failure();
    } else if (auto check = dyn_cast<kernel::CheckOp>(op)) {
      convertCheck(op, check.getCondition(), check.getValues());
    } else if (auto check = dyn_cast<array::CheckOp>(op)) {
      convertCheck(op, check.getOk(), check.getValues());
    } else if (auto call = dyn_cast<array::ExternOp>(op)) {
      if (failed(convertExtern(call)))
        return failure();
    } else if (auto call = dyn_cast<LLVM::CallOp>(op)) {
      if ((call.getCallee() == "arrt_poll_error" ||
           call.getCallee() == "arrt_loop") &&
          call.getResult().use_empty())
        convertPoll(call);
    } else if (auto mark = dyn_cast<func::CallOp>(op);
               mark && mark.getCallee() == "arrc_mark" && context) {
      OpBuilder b(op);
      calls.call(b, op->getLoc(), "arrt_mark", {context, mark.getOperand(0)});
      op->erase();
    }
  }
  return success();
}

namespace {
/// A function that the runtime calls by a pointer to its arguments, in the
/// place of one that has them; the code of that moves behind what unpacks them.
class PackedFunction {
public:
  PackedFunction(func::FuncOp function, const Twine &name, RuntimeCalls &calls)
      : b(function) {
    Type pointer = calls.getPointer();
    Location loc = function.getLoc();
    packed = LLVM::LLVMFuncOp::create(
        b, loc, name.str(),
        LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer, pointer}),
        // A table names it: programs whose functions are called alike can be
        // linked together.
        LLVM::Linkage::Internal);
    packed.getBody().takeBody(function.getBody());
    old = &packed.getBody().front();
    entry = b.createBlock(old, {pointer, pointer}, {loc, loc});
    for (BlockArgument argument : old->getArguments()) {
      if (function.getArgAttr(argument.getArgNumber(), contextAttrName))
        argument.replaceAllUsesWith(getContext());
      else
        formals.push_back(argument);
    }
  }

  Value getContext() const { return entry->getArgument(0); }
  /// The pointer to the arguments.
  Value getArgs() const { return entry->getArgument(1); }
  /// The arguments but the context, in the code that moves.
  ArrayRef<BlockArgument> getFormals() const { return formals; }
  Region &getBody() { return packed.getBody(); }
  SmallVector<func::ReturnOp> getReturns() {
    return SmallVector<func::ReturnOp>(getBody().getOps<func::ReturnOp>());
  }

  /// Moves the code behind what has been written at the builder.
  void join() {
    old->eraseArguments(0, old->getNumArguments());
    entry->getOperations().splice(entry->end(), old->getOperations());
    old->erase();
  }

  /// Where arguments are unpacked.
  OpBuilder b;

private:
  LLVM::LLVMFuncOp packed;
  Block *old, *entry;
  SmallVector<BlockArgument> formals;
};
} // namespace

/// Turns export `function` into its packed form.
static LogicalResult convertExport(func::FuncOp function, RuntimeCalls &calls,
                                   ModuleOp module,
                                   const KernelTable &kernels) {
  auto results = function->getAttrOfType<ArrayAttr>("arrc.results");
  Location loc = function.getLoc();
  PackedFunction packed(function, function.getName() + "_packed", calls);
  Value args = packed.getArgs();
  ArrayRef<BlockArgument> formals = packed.getFormals();
  SmallVector<Value> actuals, handles;
  for (auto [number, formal] : llvm::enumerate(formals)) {
    Value handle;
    actuals.push_back(readArgument(calls, packed.b, loc, args, number,
                                   formal.getType(), handle));
    handles.push_back(handle);
  }
  HostConverter converter(calls, module, packed.getBody(), packed.getContext(),
                          HostConverter::Kind::Host,
                          kernels.isDevice() ? &kernels : nullptr);
  for (func::ReturnOp op : packed.getReturns())
    if (failed(converter.convertReturn(op, results, args, formals, actuals,
                                       handles)))
      return failure();
  for (auto [formal, actual] : llvm::zip(formals, actuals))
    BlockArgument(formal).replaceAllUsesWith(actual);
  packed.join();
  if (failed(converter.convertBody()))
    return failure();
  function.erase();
  return success();
}

/// Turns the function of a kernel into the form that the runtime starts.
static LogicalResult convertKernel(func::FuncOp function, RuntimeCalls &calls,
                                   ModuleOp module) {
  Location loc = function.getLoc();
  PackedFunction packed(function, function.getName(), calls);
  OpBuilder &b = packed.b;
  Type pointer = calls.getPointer();
  for (auto [number, formal] : llvm::enumerate(packed.getFormals())) {
    Value slot = LLVM::GEPOp::create(
        b, loc, pointer, pointer, packed.getArgs(),
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(number)});
    Value address = LLVM::LoadOp::create(b, loc, pointer, slot);
    Type type = formal.getType();
    auto memref = dyn_cast<MemRefType>(type);
    Value value = LLVM::LoadOp::create(
        b, loc, memref ? pointer : calls.getConverter().convertType(type),
        address);
    BlockArgument(formal).replaceAllUsesWith(
        memref ? calls.makeMemRef(b, loc, memref, value, ValueRange())
               : calls.fromLLVM(b, loc, value, type));
  }
  for (func::ReturnOp op : packed.getReturns()) {
    OpBuilder end(op);
    LLVM::ReturnOp::create(end, op.getLoc(), calls.i32(end, op.getLoc(), 0));
    op.erase();
  }
  packed.join();
  function.erase();
  return HostConverter(calls, module, packed.getBody(), packed.getContext(),
                       HostConverter::Kind::Kernel, /*kernels=*/nullptr)
      .convertBody();
}

/// Reports the first operation on tensors: calls take memory.
static LogicalResult checkOnMemory(ModuleOp module) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  Operation *first = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool found = llvm::any_of(op->getOperandTypes(), isTensor) ||
                 llvm::any_of(op->getResultTypes(), isTensor);
    if (auto function = dyn_cast<func::FuncOp>(op))
      found = llvm::any_of(function.getArgumentTypes(), isTensor) ||
              llvm::any_of(function.getResultTypes(), isTensor);
    if (found)
      first = op;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (first)
    return first->emitOpError("is on tensors, and calls of the runtime take "
                              "memory: bufferize first");
  return success();
}

namespace {
struct ConvertHostToRuntimePass
    : arrc::impl::ConvertHostToRuntimePassBase<ConvertHostToRuntimePass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkOnMemory(module)))
      return signalPassFailure();
    numberChecks(module);
    std::optional<KernelTable> kernels = KernelTable::read(module);
    if (!kernels)
      return signalPassFailure();
    RuntimeCalls calls(module);
    ProgramTable table(module);
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (function->hasAttr(taskAttrName)) {
        // Without the context a task takes no memory and has no checks.
        HostConverter converter(calls, module, function.getBody(),
                                calls.findContext(function),
                                HostConverter::Kind::Task,
                                /*kernels=*/nullptr);
        if (failed(converter.convertBody()))
          return signalPassFailure();
      } else if (function->hasAttr(kernelAttrName)) {
        if (failed(convertKernel(function, calls, module)))
          return signalPassFailure();
      } else if (function->hasAttr("arrc.export")) {
        if (failed(table.addEntry(function)) ||
            failed(convertExport(function, calls, module, *kernels)))
          return signalPassFailure();
      } else if (function.isPrivate() && function.symbolKnownUseEmpty(module)) {
        function.erase();
      }
    }
    SmallVector<LLVM::LLVMFuncOp> steps;
    for (auto step : module.getOps<LLVM::LLVMFuncOp>())
      if (step->hasAttr(stepAttrName))
        steps.push_back(step);
    for (LLVM::LLVMFuncOp step : steps) {
      HostConverter converter(calls, module, step.getBody(),
                              step.getArgument(0), HostConverter::Kind::Host,
                              &*kernels);
      if (failed(converter.convertBody()))
        return signalPassFailure();
    }
    if (failed(table.emit(calls, *kernels)))
      return signalPassFailure();
    // The images are data of the host's code now.
    for (auto binary :
         llvm::make_early_inc_range(module.getOps<gpu::BinaryOp>()))
      binary.erase();
  }
};
} // namespace
