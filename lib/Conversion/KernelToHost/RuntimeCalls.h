//===- RuntimeCalls.h - Calls of the runtime's entry points -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOHOST_RUNTIMECALLS_H
#define ARRC_LIB_CONVERSION_KERNELTOHOST_RUNTIMECALLS_H

#include "arrc/Conversion/KernelToHost/Attributes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace arrc {

/// Emits calls of the functions of EntryPoints.def, whose LLVM types come from
/// their C declarations, and the small change around them.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module);

  /// Calls entry point `name`; null if it returns nothing.
  mlir::Value call(mlir::OpBuilder &builder, mlir::Location loc,
                   llvm::StringRef name, mlir::ValueRange operands);

  /// The context in `function`: its marked argument, added in front where it is
  /// missing.
  mlir::Value getContext(mlir::func::FuncOp function);
  /// The same, null where it is missing.
  static mlir::Value findContext(mlir::func::FuncOp function);

  /// The descriptor of a memref as an LLVM struct.
  mlir::MemRefDescriptor getDescriptor(mlir::OpBuilder &builder,
                                       mlir::Location loc, mlir::Value memref);
  /// A row-major array of these sizes (one a dimension) at `data`.
  mlir::Value makeMemRef(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::MemRefType type, mlir::Value data,
                         mlir::ValueRange sizes);

  /// `value` as the LLVM type that it will be converted to, and back.
  mlir::Value toLLVM(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value);
  mlir::Value fromLLVM(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value, mlir::Type type);

  mlir::Value i32(mlir::OpBuilder &builder, mlir::Location loc, int64_t value);
  mlir::Value i64(mlir::OpBuilder &builder, mlir::Location loc, int64_t value);

  const mlir::LLVMTypeConverter &getConverter() const { return converter; }
  mlir::LLVM::LLVMPointerType getPointer() const;

private:
  mlir::ModuleOp module;
  mlir::LLVMTypeConverter converter;
};

/// Options of the type converter of the CPU.
mlir::LowerToLLVMOptions getHostOptions(mlir::MLIRContext *context);

/// The bytes of an element in an array: a bool takes one.
int64_t getElementBytes(mlir::Type element);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOHOST_RUNTIMECALLS_H
