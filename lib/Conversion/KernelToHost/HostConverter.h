//===- HostConverter.h - Host code to runtime calls -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// What the files of `convert-host-to-runtime` share: HostToRuntime.cpp has the
// pass, HostMemory.cpp memory, HostReturn.cpp arguments and results,
// HostDevice.cpp kernels and memory of a device, Externs.cpp functions from
// outside.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOHOST_HOSTCONVERTER_H
#define ARRC_LIB_CONVERSION_KERNELTOHOST_HOSTCONVERTER_H

#include "KernelTable.h"
#include "RuntimeCalls.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/MapVector.h"

namespace arrc {

/// Whether both sides of a copy lie together in the order of their indices.
bool isDenseCopy(mlir::memref::CopyOp op);

/// Converts what is in the body of one function.
class HostConverter {
public:
  /// What a function is for: the code between launches, a range of tasks, or
  /// blocks of a launch that the runtime starts.
  enum class Kind { Host, Task, Kernel };

  /// `context` is the runtime's context in `body`; a task returns nothing, all
  /// others a status. `kernels` is null where arrays are memory of the host.
  HostConverter(RuntimeCalls &calls, mlir::ModuleOp module, mlir::Region &body,
                mlir::Value context, Kind kind, const KernelTable *kernels)
      : calls(calls), module(module), body(body), context(context), kind(kind),
        kernels(kernels) {}

  mlir::LogicalResult convertBody();
  /// Replaces the return by writes of the results behind the arguments.
  mlir::LogicalResult convertReturn(mlir::func::ReturnOp op,
                                    mlir::ArrayAttr results, mlir::Value args,
                                    llvm::ArrayRef<mlir::BlockArgument> formals,
                                    llvm::ArrayRef<mlir::Value> actuals,
                                    llvm::ArrayRef<mlir::Value> handles);

private:
  // HostReturn.cpp
  mlir::Value adoptWhole(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value pack);

  // HostMemory.cpp
  void convertAlloc(mlir::memref::AllocOp op);
  void convertDealloc(mlir::memref::DeallocOp op);
  /// Where a copy goes to, and its bytes, which lie together.
  std::pair<mlir::Value, mlir::Value> getTarget(mlir::OpBuilder &b,
                                                mlir::memref::CopyOp op);
  mlir::LogicalResult convertCopy(mlir::memref::CopyOp op);
  /// The number of the worker that runs a task.
  mlir::Value getWorker(mlir::OpBuilder &b, mlir::Location loc);
  mlir::Value getBytes(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::MemRefType type, mlir::ValueRange sizes);

  // HostDevice.cpp
  mlir::LogicalResult convertDeviceOps();
  void fillConstants();
  void uploadGlobals();
  void convertLoad(mlir::memref::LoadOp op);
  void convertStore(mlir::memref::StoreOp op);
  void convertFill(mlir::gpu::MemsetOp op);
  mlir::LogicalResult convertLaunch(mlir::gpu::LaunchFuncOp op);
  mlir::Value getArgument(mlir::OpBuilder &b, mlir::Value operand);
  void makeLaunchSlots();
  void poll(mlir::OpBuilder &b, mlir::Location loc);

  // Externs.cpp
  mlir::LogicalResult convertExtern(array::ExternOp op);

  // HostToRuntime.cpp
  void convertCheck(mlir::Operation *op, mlir::Value condition,
                    mlir::ValueRange values);
  void convertPoll(mlir::LLVM::CallOp op);
  /// Stack memory for `count` numbers, taken at the start of the function; null
  /// for none.
  mlir::Value getStackSlots(mlir::Location loc, int64_t count);
  /// Splits the block at the builder and leaves the function with `status` if
  /// `condition` holds. The builder continues where it does not.
  void returnIf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value condition,
                llvm::function_ref<mlir::Value(mlir::OpBuilder &)> status);
  /// Leaves the function with `status` if that is not 0.
  void returnIfFailed(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value status);

  RuntimeCalls &calls;
  mlir::ModuleOp module;
  mlir::Region &body;
  mlir::Value context;
  Kind kind;
  const KernelTable *kernels;
  /// Whether a launch of the function may record an error.
  bool mayRecord = false;
  /// Of all launches: room for the values of arguments, and pointers to them.
  mlir::Value launchValues, launchPointers;
};

/// Argument `number` of a packed function; `handle` becomes that of an array.
mlir::Value readArgument(RuntimeCalls &calls, mlir::OpBuilder &b,
                         mlir::Location loc, mlir::Value args, unsigned number,
                         mlir::Type type, mlir::Value &handle);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOHOST_HOSTCONVERTER_H
