//===- HostDevice.cpp - Kernels and memory of a device --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// In the host's code of a program for a device every array is memory of the
// device: its address is a number there.
//
//   gpu.launch_func @m::@k blocks in (%g, 1, 1) threads in (256, 1, 1)
//       args(%n : index, %x : memref<1xf32, global>)
//   ->  %values[0] = %n   %values[1] = address of %x
//       %s = arrt_launch(ctx, 3, %g, 1, 1, 256, 1, 1, 0, %pointers)
//
// All launches of a function share one list of values and one of pointers to
// them, on the stack: the runtime has read them when the call is back. A launch
// runs behind what was started before and is not waited for. What waits is a
// read of an element: before it the errors of the launches so far are asked
// for, so that no decision is made on what a failed check left, and no wrong
// value gets out. A store of an element is a fill, which waits for nothing.
//
// Constants are uploaded once a call; a copy of one whose elements are one
// number is a fill.
//
//===----------------------------------------------------------------------===//

#include "HostConverter.h"

#include "arrc/Analysis/BufferDistinctness.h"
#include "arrc/Analysis/ConstantElement.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace arrc;

/// Whether a memref is memory of the host in a program of a device.
static bool isOnStack(Value memref) {
  return getBuffer(memref).getDefiningOp<memref::AllocaOp>() != nullptr;
}

/// Asks for the errors of the launches before, and waits for them.
void HostConverter::poll(OpBuilder &b, Location loc) {
  if (mayRecord)
    returnIfFailed(b, loc, calls.call(b, loc, "arrt_poll_error", {context}));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The bits of a number, extended to 64.
static Value getPattern(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType(), i64 = b.getI64Type();
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, i64, value);
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(
        b, loc, b.getIntegerType(type.getIntOrFloatBitWidth()), value);
  if (value.getType() == i64)
    return value;
  return arith::ExtUIOp::create(b, loc, i64, value);
}

/// Fills what begins as a copy of a constant whose elements are one number: its
/// own is not needed on the device then.
void HostConverter::fillConstants() {
  SmallVector<memref::CopyOp> copies;
  body.walk([&](memref::CopyOp copy) {
    if (isDenseCopy(copy) && getConstantElement(copy.getSource()))
      copies.push_back(copy);
  });
  for (memref::CopyOp copy : copies) {
    OpBuilder b(copy);
    Location loc = copy.getLoc();
    auto named = copy.getSource().getDefiningOp<memref::GetGlobalOp>();
    TypedAttr element = getConstantElement(named);
    Value number = arith::ConstantOp::create(b, loc, element);
    auto [target, bytes] = getTarget(b, copy);
    Value width = calls.i32(b, loc, getElementBytes(element.getType()));
    returnIfFailed(b, loc,
                   calls.call(b, loc, "arrt_buffer_fill",
                              {context, target, getPattern(b, loc, number),
                               width, bytes}));
    copy.erase();
    if (named->use_empty())
      named.erase();
  }
}

/// Gives every constant array of the function memory on the device, for the
/// time of the call.
void HostConverter::uploadGlobals() {
  llvm::MapVector<StringRef, SmallVector<memref::GetGlobalOp>> globals;
  body.walk(
      [&](memref::GetGlobalOp op) { globals[op.getName()].push_back(op); });
  if (globals.empty())
    return;
  SmallVector<LLVM::ReturnOp> returns;
  body.walk([&](LLVM::ReturnOp op) { returns.push_back(op); });
  OpBuilder b(module.getContext());
  b.setInsertionPointToStart(&body.front());
  for (auto &[name, uses] : globals) {
    Location loc = uses.front().getLoc();
    MemRefType type = uses.front().getType();
    auto source = memref::GetGlobalOp::create(b, loc, type, name);
    Value host = calls.getDescriptor(b, loc, source).alignedPtr(b, loc);
    Value bytes = calls.i64(
        b, loc, type.getNumElements() * getElementBytes(type.getElementType()));
    Value data = calls.call(b, loc, "arrt_buffer_alloc",
                            {context, bytes, calls.i32(b, loc, -1)});
    Value null = LLVM::ZeroOp::create(b, loc, calls.getPointer());
    Value failed =
        LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, data, null);
    returnIf(b, loc, failed, [&](OpBuilder &b) {
      return calls.call(b, loc, "arrt_last_status", {context});
    });
    returnIfFailed(
        b, loc, calls.call(b, loc, "arrt_write", {context, data, host, bytes}));
    SmallVector<Value> sizes;
    for (int64_t size : type.getShape())
      sizes.push_back(calls.i64(b, loc, size));
    Value onDevice = calls.makeMemRef(b, loc, type, data, sizes);
    for (memref::GetGlobalOp use : uses) {
      use.replaceAllUsesWith(onDevice);
      use.erase();
    }
    for (LLVM::ReturnOp op : returns) {
      OpBuilder end(op);
      calls.call(end, loc, "arrt_buffer_free", {context, data});
    }
  }
}

void HostConverter::convertLoad(memref::LoadOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  poll(b, loc);
  MemRefType type = op.getMemRefType();
  Type element = op.getType();
  SmallVector<Value> indices;
  for (Value index : op.getIndices())
    indices.push_back(calls.toLLVM(b, loc, index));
  Value from =
      LLVM::getStridedElementPtr(b, loc, calls.getConverter(), type,
                                 calls.toLLVM(b, loc, op.getMemRef()), indices);
  Value room = getStackSlots(loc, 2);
  returnIfFailed(b, loc,
                 calls.call(b, loc, "arrt_read",
                            {context, room, from,
                             calls.i64(b, loc, getElementBytes(element))}));
  Value value;
  if (element.isInteger(1)) {
    Value byte = LLVM::LoadOp::create(b, loc, b.getI8Type(), room);
    value = LLVM::TruncOp::create(b, loc, element, byte);
  } else {
    Value loaded = LLVM::LoadOp::create(
        b, loc, calls.getConverter().convertType(element), room);
    value = calls.fromLLVM(b, loc, loaded, element);
  }
  op.replaceAllUsesWith(value);
  op.erase();
}

void HostConverter::convertStore(memref::StoreOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  MemRefType type = op.getMemRefType();
  SmallVector<Value> indices, parts;
  for (Value index : op.getIndices())
    indices.push_back(calls.toLLVM(b, loc, index));
  Value to =
      LLVM::getStridedElementPtr(b, loc, calls.getConverter(), type,
                                 calls.toLLVM(b, loc, op.getMemRef()), indices);
  if (isa<ComplexType>(op.getValue().getType())) {
    Value number = calls.toLLVM(b, loc, op.getValue());
    for (int64_t part : {0, 1})
      parts.push_back(LLVM::ExtractValueOp::create(b, loc, number, part));
  } else {
    parts.push_back(op.getValue());
  }
  int64_t bytes =
      getElementBytes(type.getElementType()) / int64_t(parts.size());
  for (auto [position, part] : llvm::enumerate(parts)) {
    Value place = to;
    if (position > 0)
      place = LLVM::GEPOp::create(
          b, loc, calls.getPointer(), b.getI8Type(), to,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
    returnIfFailed(
        b, loc,
        calls.call(b, loc, "arrt_buffer_fill",
                   {context, place, getPattern(b, loc, part),
                    calls.i32(b, loc, bytes), calls.i64(b, loc, bytes)}));
  }
  op.erase();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Makes the room for the arguments of all launches of the function.
void HostConverter::makeLaunchSlots() {
  int64_t most = 0;
  body.walk([&](gpu::LaunchFuncOp op) {
    most = std::max<int64_t>(most, op.getNumKernelOperands());
    int32_t number =
        kernels->find(op.getKernelModuleName(), op.getKernelName());
    if (number >= 0) {
      StringRef letters = kernels->getKernels()[number].letters;
      mayRecord |= letters.contains('e');
      most = std::max<int64_t>(most, letters.size());
    }
  });
  // The kernels of time loops stand in functions of their own.
  body.walk([&](LLVM::CallOp op) {
    if (op.getCallee() == "arrt_loop")
      for (const KernelTable::Kernel &kernel : kernels->getKernels())
        mayRecord |= StringRef(kernel.letters).contains('e');
  });
  if (most == 0)
    return;
  Location loc = module.getLoc();
  OpBuilder b(module.getContext());
  b.setInsertionPointToStart(&body.front());
  Type i64 = b.getI64Type(), pointer = calls.getPointer();
  Value count = calls.i64(b, loc, most);
  launchValues = LLVM::AllocaOp::create(b, loc, pointer, i64, count);
  launchPointers = LLVM::AllocaOp::create(b, loc, pointer, pointer, count);
  for (int32_t i = 0; i < most; ++i) {
    Value value = LLVM::GEPOp::create(b, loc, pointer, i64, launchValues,
                                      ArrayRef<LLVM::GEPArg>{i});
    Value slot = LLVM::GEPOp::create(b, loc, pointer, pointer, launchPointers,
                                     ArrayRef<LLVM::GEPArg>{i});
    LLVM::StoreOp::create(b, loc, value, slot);
  }
}

/// Fills a dense array of numbers.
void HostConverter::convertFill(gpu::MemsetOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getDst().getType());
  MemRefDescriptor array = calls.getDescriptor(b, loc, op.getDst());
  int64_t width = getElementBytes(type.getElementType());
  Value bytes = calls.i64(b, loc, width);
  for (int64_t d = 0; d < type.getRank(); ++d)
    bytes = LLVM::MulOp::create(b, loc, bytes, array.size(b, loc, d));
  Value data = array.bufferPtr(b, loc, calls.getConverter(), type);
  Value pattern = op.getValue();
  if (auto number = dyn_cast<IntegerType>(pattern.getType());
      number && number.getWidth() < 64)
    pattern = arith::ExtUIOp::create(b, loc, b.getI64Type(), pattern);
  returnIfFailed(
      b, loc,
      calls.call(b, loc, "arrt_buffer_fill",
                 {context, data, pattern, calls.i32(b, loc, width), bytes}));
  op.erase();
}

/// An operand of a launch as it stands in its slot; null if it cannot stand
/// there.
Value HostConverter::getArgument(OpBuilder &b, Value operand) {
  Location loc = operand.getLoc();
  if (isa<MemRefType>(operand.getType())) {
    auto cast = operand.getDefiningOp<UnrealizedConversionCastOp>();
    Value memref = cast ? cast.getOperand(0) : operand;
    auto type = dyn_cast<MemRefType>(memref.getType());
    if (!type || (cast && cast.getNumOperands() != 1) ||
        !calls.getConverter().convertType(type))
      return {};
    return calls.getDescriptor(b, loc, memref)
        .bufferPtr(b, loc, calls.getConverter(), type);
  }
  if (operand.getType().isInteger(1))
    return arith::ExtUIOp::create(b, loc, b.getI8Type(), operand);
  if (operand.getType().isIntOrIndexOrFloat())
    return calls.toLLVM(b, loc, operand);
  return {};
}

LogicalResult HostConverter::convertLaunch(gpu::LaunchFuncOp op) {
  int32_t number = kernels->find(op.getKernelModuleName(), op.getKernelName());
  if (number < 0)
    return op.emitOpError("of a kernel that no image has");
  if (op.getAsyncToken() || !op.getAsyncDependencies().empty() ||
      op.hasClusterSize())
    return op.emitOpError("of another kind than the runtime has");
  OpBuilder b(op);
  Location loc = op.getLoc();
  StringRef letters = kernels->getKernels()[number].letters;
  auto operands = op.getKernelOperands();
  size_t next = 0;
  for (auto [position, letter] : llvm::enumerate(letters)) {
    if (letter == 'l')
      continue;
    if (next == operands.size())
      return op.emitOpError("has fewer arguments than its kernel");
    Value operand = operands[next++];
    // Filled in by the runtime.
    if (letter == 'e' || letter == 't')
      continue;
    Value value = getArgument(b, operand);
    if (!value ||
        isa<LLVM::LLVMPointerType>(value.getType()) != (letter == 'p'))
      return op.emitOpError("has argument ")
             << next - 1 << " of another type than its kernel";
    Value slot = LLVM::GEPOp::create(
        b, loc, calls.getPointer(), b.getI64Type(), launchValues,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)});
    LLVM::StoreOp::create(b, loc, value, slot);
  }
  if (next != operands.size())
    return op.emitOpError("has more arguments than its kernel");
  SmallVector<Value> arguments{context, calls.i32(b, loc, number)};
  gpu::KernelDim3 grid = op.getGridSizeOperandValues(),
                  block = op.getBlockSizeOperandValues();
  auto toWidth = [&](Value size, unsigned bits) -> Value {
    Type type = b.getIntegerType(bits);
    if (size.getType() == type)
      return size;
    if (size.getType().isIndex())
      return arith::IndexCastOp::create(b, loc, type, size);
    if (size.getType().getIntOrFloatBitWidth() < bits)
      return arith::ExtSIOp::create(b, loc, type, size);
    return arith::TruncIOp::create(b, loc, type, size);
  };
  for (Value size : {grid.x, grid.y, grid.z})
    arguments.push_back(toWidth(size, 64));
  for (Value size : {block.x, block.y, block.z})
    arguments.push_back(toWidth(size, 32));
  arguments.push_back(op.getDynamicSharedMemorySize()
                          ? toWidth(op.getDynamicSharedMemorySize(), 64)
                          : calls.i64(b, loc, 0));
  arguments.push_back(launchPointers
                          ? launchPointers
                          : LLVM::ZeroOp::create(b, loc, calls.getPointer()));
  returnIfFailed(b, loc, calls.call(b, loc, "arrt_launch", arguments));

  // An operand may stand at several places.
  llvm::SetVector<Operation *> makers;
  for (Value operand : operands)
    if (Operation *def = operand.getDefiningOp())
      makers.insert(def);
  op.erase();
  for (Operation *def : makers)
    if (isOpTriviallyDead(def))
      def->erase();
  return success();
}

LogicalResult HostConverter::convertDeviceOps() {
  fillConstants();
  uploadGlobals();
  makeLaunchSlots();
  SmallVector<Operation *> ops;
  body.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      if (!isOnStack(load.getMemRef()))
        convertLoad(load);
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      if (!isOnStack(store.getMemRef()))
        convertStore(store);
    } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      if (failed(convertLaunch(launch)))
        return failure();
    } else if (auto fill = dyn_cast<gpu::MemsetOp>(op)) {
      convertFill(fill);
    } else if (isa<kernel::LaunchOp>(op)) {
      return op->emitOpError("was not made a kernel of the device");
    }
  }
  return success();
}
