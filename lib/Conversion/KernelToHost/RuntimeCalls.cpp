//===- RuntimeCalls.cpp - Calls of the runtime's entry points -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"
#include "arrc/Support/StoredBytes.h"

#include "llvm/ADT/StringMap.h"

#include <cstdint>

using namespace mlir;
using namespace arrc;

//===----------------------------------------------------------------------===//
// LLVM types from the C declarations
//===----------------------------------------------------------------------===//

namespace entry {
#define ARRT_TYPES
#include "arrt/EntryPoints.def"

template <typename T> Type toLLVMType(MLIRContext *context) {
  if constexpr (std::is_void_v<T>)
    return LLVM::LLVMVoidType::get(context);
  else if constexpr (std::is_pointer_v<T>)
    return LLVM::LLVMPointerType::get(context);
  else {
    static_assert(std::is_integral_v<T>, "no such type in an entry point");
    return IntegerType::get(context, sizeof(T) * 8);
  }
}

template <typename T> struct Signature;
template <typename Result, typename... Arguments>
struct Signature<Result(Arguments...)> {
  static LLVM::LLVMFunctionType get(MLIRContext *context) {
    return LLVM::LLVMFunctionType::get(toLLVMType<Result>(context),
                                       {toLLVMType<Arguments>(context)...});
  }
};
} // namespace entry

/// The LLVM type of entry point `name`; null if there is none.
static LLVM::LLVMFunctionType getEntryType(MLIRContext *context,
                                           StringRef name) {
  using namespace entry;
  using Getter = LLVM::LLVMFunctionType (*)(MLIRContext *);
  static const llvm::StringMap<Getter> table = {
#define ARRT_ENTRY(result, name, parameters, doc)                              \
  {#name, Signature<result parameters>::get},
#include "arrt/EntryPoints.def"
  };
  auto it = table.find(name);
  return it == table.end() ? LLVM::LLVMFunctionType() : it->second(context);
}

//===----------------------------------------------------------------------===//
// RuntimeCalls
//===----------------------------------------------------------------------===//

LowerToLLVMOptions arrc::getHostOptions(MLIRContext *context) {
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  return options;
}

int64_t arrc::getElementBytes(Type element) { return getStoredBytes(element); }

RuntimeCalls::RuntimeCalls(ModuleOp module)
    : module(module),
      converter(module.getContext(), getHostOptions(module.getContext())) {}

LLVM::LLVMPointerType RuntimeCalls::getPointer() const {
  return LLVM::LLVMPointerType::get(module->getContext());
}

Value RuntimeCalls::call(OpBuilder &b, Location loc, StringRef name,
                         ValueRange operands) {
  auto type = getEntryType(module.getContext(), name);
  assert(type && "no such entry point");
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    function = LLVM::LLVMFuncOp::create(b, module.getLoc(), name, type);
  }
  auto call = LLVM::CallOp::create(b, loc, function, operands);
  return call.getNumResults() ? call.getResult() : Value();
}

Value RuntimeCalls::findContext(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (function.getArgAttr(argument.getArgNumber(), contextAttrName))
      return argument;
  return {};
}

Value RuntimeCalls::getContext(func::FuncOp function) {
  if (Value context = findContext(function))
    return context;
  Builder b(function.getContext());
  auto mark =
      b.getDictionaryAttr(b.getNamedAttr(contextAttrName, b.getUnitAttr()));
  (void)function.insertArgument(0, getPointer(), mark, function.getLoc());
  return function.getArgument(0);
}

Value RuntimeCalls::toLLVM(OpBuilder &b, Location loc, Value value) {
  Type type = converter.convertType(value.getType());
  if (type == value.getType())
    return value;
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(b, loc, type, value);
  return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
}

Value RuntimeCalls::fromLLVM(OpBuilder &b, Location loc, Value value,
                             Type type) {
  if (type == value.getType())
    return value;
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, type, value);
  return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
}

MemRefDescriptor RuntimeCalls::getDescriptor(OpBuilder &b, Location loc,
                                             Value memref) {
  return MemRefDescriptor(toLLVM(b, loc, memref));
}

Value RuntimeCalls::makeMemRef(OpBuilder &b, Location loc, MemRefType type,
                               Value data, ValueRange sizes) {
  auto descriptor =
      MemRefDescriptor::poison(b, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(b, loc, data);
  descriptor.setAlignedPtr(b, loc, data);
  descriptor.setConstantOffset(b, loc, 0);
  // Row-major: a stride is the product of the inner sizes.
  Value stride = i64(b, loc, 1);
  for (int64_t d = type.getRank() - 1; d >= 0; --d) {
    descriptor.setSize(b, loc, d, sizes[d]);
    descriptor.setStride(b, loc, d, stride);
    if (d > 0)
      stride = LLVM::MulOp::create(b, loc, stride, sizes[d]);
  }
  return fromLLVM(b, loc, descriptor, type);
}

Value RuntimeCalls::i32(OpBuilder &b, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getI32Type(),
                                  b.getI32IntegerAttr(value));
}

Value RuntimeCalls::i64(OpBuilder &b, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getI64Type(),
                                  b.getI64IntegerAttr(value));
}
