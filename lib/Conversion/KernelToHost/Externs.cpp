//===- Externs.cpp - Calls of functions from outside ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The runtime calls such a function, because it knows where arrays lie: it
// hands over pointers alone. What turns them into arguments of C is one small
// function for each, its adapter:
//
//   array.extern "smooth" (%n, %a, %w : i64, memref<?xf32>, f32) ..
//     into (%r : memref<?xf32>)
//   ->  llvm.func internal @smooth_extern(%ctx, %args) -> i32 {
//         %n = load (load %args[0]) : i64       %w = load (load %args[2]) : f32
//         %s = llvm.call @smooth(%ctx, %n, load %args[1], %w, load %args[3])
//         llvm.return %s }
//       %s = arrt_extern(ctx, @smooth_extern, %args, %bytes, 4, 1, site)
//
// Numbers are extended here as C extends them, so that no attribute has to say
// so; complex numbers take registers as structs of two floats do.
//
//===----------------------------------------------------------------------===//

#include "arrc/Conversion/KernelToHost/Externs.h"

#include "CheckSites.h"
#include "HostConverter.h"

#include "arrc/Dialect/Array/IR/Array.h"

using namespace mlir;
using namespace arrc;

/// The number at `place` as C passes it.
static void passNumber(OpBuilder &b, Location loc, StringRef element,
                       Value place, SmallVectorImpl<Value> &arguments) {
  auto load = [&](Type type, int64_t bytes = 0) -> Value {
    Value at = place;
    if (bytes)
      at = LLVM::GEPOp::create(
          b, loc, place.getType(), b.getI8Type(), place,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
    return LLVM::LoadOp::create(b, loc, type, at);
  };
  auto extend = [&](unsigned bits, bool isSigned) -> Value {
    Value number = load(b.getIntegerType(bits));
    if (isSigned)
      return LLVM::SExtOp::create(b, loc, b.getI32Type(), number);
    return LLVM::ZExtOp::create(b, loc, b.getI32Type(), number);
  };
  if (element == "i8" || element == "i16")
    arguments.push_back(extend(element == "i8" ? 8 : 16, /*isSigned=*/true));
  else if (element == "bool" || element == "u8")
    arguments.push_back(extend(8, /*isSigned=*/false));
  else if (element == "u16" || element == "f16" || element == "bf16")
    arguments.push_back(extend(16, /*isSigned=*/false));
  else if (element == "i32" || element == "u32")
    arguments.push_back(load(b.getI32Type()));
  else if (element == "f32")
    arguments.push_back(load(b.getF32Type()));
  else if (element == "f64")
    arguments.push_back(load(b.getF64Type()));
  else if (element == "c128")
    arguments.append({load(b.getF64Type()), load(b.getF64Type(), 8)});
  else if (element == "c64")
#if defined(__x86_64__)
    arguments.push_back(load(VectorType::get(2, b.getF32Type())));
#else
    arguments.append({load(b.getF32Type()), load(b.getF32Type(), 4)});
#endif
  else
    arguments.push_back(load(b.getI64Type()));
}

/// The adapter of a function from outside; null, with an error, if its name
/// means something else.
static LLVM::LLVMFuncOp getAdapter(ModuleOp module, array::ExternOp op,
                                   LLVM::Linkage linkage) {
  std::string name = getExternAdapterName(op.getCallee());
  auto adapter = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  MLIRContext *context = module.getContext();
  Location loc = module.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(context);
  OpBuilder b(context);
  b.setInsertionPointToEnd(module.getBody());
  auto made = LLVM::LLVMFuncOp::create(
      b, loc, name,
      LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer, pointer}), linkage);
  Block *entry = made.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  SmallVector<Value> arguments{entry->getArgument(0)};
  for (OpOperand &operand : op->getOpOperands()) {
    int32_t number = operand.getOperandNumber();
    Value slot =
        LLVM::GEPOp::create(b, loc, pointer, pointer, entry->getArgument(1),
                            ArrayRef<LLVM::GEPArg>{number});
    Value place = LLVM::LoadOp::create(b, loc, pointer, slot);
    if (isa<ShapedType>(operand.get().getType()))
      arguments.push_back(place);
    else
      passNumber(b, loc, cast<StringAttr>(op.getElements()[number]).getValue(),
                 place, arguments);
  }
  auto type = LLVM::LLVMFunctionType::get(
      b.getI32Type(), llvm::to_vector(ValueRange(arguments).getTypes()));
  Operation *known = SymbolTable::lookupSymbolIn(module, op.getCallee());
  auto callee = dyn_cast_or_null<LLVM::LLVMFuncOp>(known);
  if (known && (!callee || callee.getFunctionType() != type)) {
    op.emitError() << "the extern function '" << op.getCallee()
                   << "' has the name of another function, or of itself with "
                      "other parameters";
    made.erase();
    return {};
  }
  if (!callee) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    callee = LLVM::LLVMFuncOp::create(top, loc, op.getCallee(), type);
  }
  if (adapter) {
    made.erase();
    return adapter;
  }
  auto call = LLVM::CallOp::create(b, loc, callee, arguments);
  LLVM::ReturnOp::create(b, loc, call.getResult());
  return made;
}

OwningOpRef<ModuleOp> arrc::makeExternAdapters(ModuleOp program) {
  program->getContext()->loadDialect<LLVM::LLVMDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(program.getLoc());
  bool failed = false;
  program.walk([&](array::ExternOp op) {
    failed |= !getAdapter(*module, op, LLVM::Linkage::External);
  });
  return failed ? nullptr : std::move(module);
}

std::string arrc::getExternAdapterName(StringRef callee) {
  return (callee + "_extern").str();
}

LogicalResult HostConverter::convertExtern(array::ExternOp op) {
  LLVM::LLVMFuncOp adapter = getAdapter(module, op, LLVM::Linkage::Internal);
  if (!adapter)
    return failure();
  OpBuilder b(op);
  Location loc = op.getLoc();
  Type i64 = b.getI64Type(), pointer = calls.getPointer();
  int64_t count = op->getNumOperands();
  // A complex number takes two slots.
  Value numbers = getStackSlots(loc, 2 * count);
  Value places = getStackSlots(loc, count), sizes = getStackSlots(loc, count);
  auto slotOf = [&](Value slots, int64_t number) -> Value {
    return LLVM::GEPOp::create(
        b, loc, pointer, i64, slots,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(number)});
  };
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    int64_t number = operand.getOperandNumber();
    Value place, bytes;
    if (auto type = dyn_cast<MemRefType>(value.getType())) {
      MemRefDescriptor array = calls.getDescriptor(b, loc, value);
      place = array.bufferPtr(b, loc, calls.getConverter(), type);
      bytes = calls.i64(b, loc, getElementBytes(type.getElementType()));
      for (int64_t d = 0; d < type.getRank(); ++d)
        bytes = LLVM::MulOp::create(b, loc, bytes, array.size(b, loc, d));
    } else {
      place = slotOf(numbers, 2 * number);
      bytes = calls.i64(b, loc, -1);
      Value stored = calls.toLLVM(b, loc, value);
      if (value.getType().isInteger(1))
        stored = LLVM::ZExtOp::create(b, loc, b.getI8Type(), stored);
      LLVM::StoreOp::create(b, loc, stored, place);
    }
    LLVM::StoreOp::create(b, loc, place, slotOf(places, number));
    LLVM::StoreOp::create(b, loc, bytes, slotOf(sizes, number));
  }
  Value function = LLVM::AddressOfOp::create(b, loc, adapter);
  returnIfFailed(
      b, loc,
      calls.call(b, loc, "arrt_extern",
                 {context, function, places, sizes, calls.i32(b, loc, count),
                  calls.i32(b, loc, op.getOuts().size()),
                  calls.i32(b, loc, getSite(op))}));
  op.erase();
  return success();
}
