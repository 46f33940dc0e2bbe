//===- AdoptHost.cpp - Hosts as people write them -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   gpu.host_register %u : memref<*xf32>
//   %t = gpu.launch_func async [%s] @m::@k ..
//   %d, %t = gpu.alloc async [%s] () : memref<8xf32>
//   gpu.memcpy %d, %a : memref<8xf32>, memref<8xf32>
//   call @printMemrefF32(%u) : (memref<*xf32>) -> ()
//   return
//   ->
//   gpu.launch_func @m::@k ..
//   %d = memref.alloc() : memref<8xf32>
//   memref.copy %a, %d
//   %r = memref.alloc() : memref<8xf32>
//   memref.copy %a, %r
//   return %r : memref<8xf32>
//
// The runtime does what it is told in order, so that an order by tokens holds
// as well, and its arrays are where kernels reach them. What MLIR's runner
// would print is what the function gives.
//
//===----------------------------------------------------------------------===//

#include "AdoptHost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace arrc;

namespace {
/// One function of the host.
class HostAdoption {
public:
  explicit HostAdoption(func::FuncOp function)
      : function(function), b(function.getContext()) {}

  LogicalResult run();

private:
  /// Writes an operation in other words; false: it stays.
  FailureOr<bool> adopt(Operation *op);
  FailureOr<bool> adoptCall(func::CallOp call);
  LogicalResult print(func::CallOp call);
  void fill(Location loc, Value array, Value value);
  /// The host stores numbers, one by one.
  bool storeElements(vector::StoreOp store);
  /// An array like another one.
  Value allocate(Location loc, Value array);

  func::FuncOp function;
  OpBuilder b;
  /// What is printed, as it was then.
  SmallVector<Value> printed;
};
} // namespace

/// The array of a known rank that is handed over; null if there is none.
static Value findRanked(Value array) {
  while (isa<UnrankedMemRefType>(array.getType())) {
    auto cast = array.getDefiningOp<memref::CastOp>();
    if (!cast)
      return {};
    array = cast.getSource();
  }
  return array;
}

/// Whether the runner of Vulkan or SPIR-V has a function of this name that sets
/// all elements of an array.
static bool isFill(StringRef name) {
  return name.starts_with("fillResource") ||
         name.starts_with("fillF32Buffer") ||
         name.starts_with("fillI32Buffer") || name.starts_with("fillF64Buffer");
}

Value HostAdoption::allocate(Location loc, Value array) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(memref::DimOp::create(b, loc, array, d));
  return memref::AllocOp::create(
      b, loc, MemRefType::get(type.getShape(), type.getElementType()), sizes);
}

void HostAdoption::fill(Location loc, Value array, Value value) {
  OpBuilder::InsertionGuard guard(b);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> indices;
  for (int64_t d = 0; d < cast<MemRefType>(array.getType()).getRank(); ++d) {
    Value size = memref::DimOp::create(b, loc, array, d);
    auto loop = scf::ForOp::create(b, loc, zero, size, one);
    b.setInsertionPointToStart(loop.getBody());
    indices.push_back(loop.getInductionVar());
  }
  memref::StoreOp::create(b, loc, value, array, indices);
}

bool HostAdoption::storeElements(vector::StoreOp store) {
  VectorType type = store.getVectorType();
  if (type.getRank() != 1 || type.isScalable())
    return false;
  Location loc = store.getLoc();
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value number =
        vector::ExtractOp::create(b, loc, store.getValueToStore(), lane);
    SmallVector<Value> indices(store.getIndices());
    Value skip = arith::ConstantIndexOp::create(b, loc, lane);
    indices.back() = arith::AddIOp::create(b, loc, indices.back(), skip);
    memref::StoreOp::create(b, loc, number, store.getBase(), indices);
  }
  return true;
}

LogicalResult HostAdoption::print(func::CallOp call) {
  Value array = findRanked(call.getOperand(0));
  if (!array)
    return call.emitError("an array that is printed has a known rank");
  if (call->getParentOp() != function || !function.getBody().hasOneBlock())
    return call.emitError("what is printed becomes a result, and this is "
                          "printed in a loop or a branch");
  Value kept = allocate(call.getLoc(), array);
  memref::CopyOp::create(b, call.getLoc(), array, kept);
  printed.push_back(kept);
  return success();
}

FailureOr<bool> HostAdoption::adoptCall(func::CallOp call) {
  StringRef name = call.getCallee();
  auto callee =
      call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(name);
  if (!callee || !callee.isExternal())
    return false;
  if (name.starts_with("printMemref") && call.getNumOperands() == 1) {
    if (failed(print(call)))
      return failure();
    return true;
  }
  if (isFill(name) && call.getNumOperands() == 2) {
    fill(call.getLoc(), call.getOperand(0), call.getOperand(1));
    return true;
  }
  // What the device calls an array of the host.
  if (name.starts_with("mgpuMemGetDeviceMemRef") && call.getNumResults() == 1 &&
      call.getResult(0).getType() == call.getOperand(0).getType()) {
    call.getResult(0).replaceAllUsesWith(call.getOperand(0));
    return true;
  }
  return false;
}

FailureOr<bool> HostAdoption::adopt(Operation *op) {
  b.setInsertionPoint(op);
  Location loc = op->getLoc();
  return TypeSwitch<Operation *, FailureOr<bool>>(op)
      .Case<gpu::HostRegisterOp, gpu::HostUnregisterOp, gpu::WaitOp>(
          [](auto) { return true; })
      .Case([&](gpu::AllocOp alloc) -> FailureOr<bool> {
        if (!alloc.getSymbolOperands().empty())
          return alloc.emitError("arrays of devices are dense"), failure();
        Value made = memref::AllocOp::create(
            b, loc, cast<MemRefType>(alloc.getMemref().getType()),
            alloc.getDynamicSizes());
        alloc.getMemref().replaceAllUsesWith(made);
        return true;
      })
      .Case([&](gpu::DeallocOp free) {
        memref::DeallocOp::create(b, loc, free.getMemref());
        return true;
      })
      .Case([&](gpu::MemcpyOp copy) {
        memref::CopyOp::create(b, loc, copy.getSrc(), copy.getDst());
        return true;
      })
      .Case([&](gpu::MemsetOp set) {
        fill(loc, set.getDst(), set.getValue());
        return true;
      })
      .Case([&](gpu::LaunchFuncOp launch) {
        if (!launch.getAsyncToken() && launch.getAsyncDependencies().empty())
          return false;
        gpu::LaunchFuncOp::create(
            b, loc, launch.getKernelAttr(), launch.getGridSizeOperandValues(),
            launch.getBlockSizeOperandValues(),
            launch.getDynamicSharedMemorySize(), launch.getKernelOperands(),
            /*asyncTokenType=*/Type(), /*asyncDependencies=*/ValueRange());
        return true;
      })
      .Case([&](vector::StoreOp store) { return storeElements(store); })
      .Case([&](func::CallOp call) { return adoptCall(call); })
      .Default([](Operation *) { return false; });
}

LogicalResult HostAdoption::run() {
  SmallVector<Operation *> all, gone;
  function.walk([&](Operation *op) { all.push_back(op); });
  for (Operation *op : all) {
    FailureOr<bool> isAdopted = adopt(op);
    if (failed(isAdopted))
      return failure();
    if (*isAdopted)
      gone.push_back(op);
  }
  // Tokens lead from one to another of those.
  for (Operation *op : gone)
    op->dropAllReferences();
  for (Operation *op : gone) {
    if (!op->use_empty())
      return (*op->user_begin())
          ->emitError("tokens go to operations of the gpu dialect alone");
    op->erase();
  }
  // Casts to arrays of any rank were for what is gone.
  for (Operation *op : llvm::reverse(all))
    if (!llvm::is_contained(gone, op))
      if (auto cast = dyn_cast<memref::CastOp>(op);
          cast && cast->use_empty() && isa<UnrankedMemRefType>(cast.getType()))
        cast.erase();
  if (printed.empty())
    return success();
  auto module = function->getParentOfType<ModuleOp>();
  if (auto uses = function.getSymbolUses(module); uses && !uses->empty())
    return function.emitError(
        "a function that prints arrays is called by no other one");
  Operation *end = function.getBody().front().getTerminator();
  end->insertOperands(end->getNumOperands(), printed);
  function.setFunctionType(
      b.getFunctionType(function.getArgumentTypes(), end->getOperandTypes()));
  return success();
}

/// Puts the body of a function in the place of a call: the runtime is called by
/// exports alone. False if it stays.
static bool inlineCall(func::CallOp call) {
  auto callee = call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
      call.getCallee());
  if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock() ||
      callee->isProperAncestor(call))
    return false;
  OpBuilder b(call);
  IRMapping values;
  Block &body = callee.getBody().front();
  values.map(body.getArguments(), call.getOperands());
  for (Operation &op : body.without_terminator())
    b.clone(op, values);
  for (auto [result, given] :
       llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(values.lookupOrDefault(given));
  call.erase();
  return true;
}

/// Inlines calls, those in what was inlined as well.
static void inlineCalls(ModuleOp module) {
  // Functions that call each other in a circle stay.
  constexpr unsigned most = 16;
  bool isChanged = true;
  for (unsigned depth = 0; isChanged && depth < most; ++depth) {
    SmallVector<func::CallOp> calls;
    for (auto function : module.getOps<func::FuncOp>())
      function.walk([&](func::CallOp call) { calls.push_back(call); });
    isChanged = false;
    for (func::CallOp call : calls)
      isChanged |= inlineCall(call);
  }
}

LogicalResult arrc::adoptHost(ModuleOp module) {
  inlineCalls(module);
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions)
    if (!function.isExternal() && failed(HostAdoption(function).run()))
      return failure();
  // What was only called for what is gone.
  for (func::FuncOp function : functions) {
    StringRef name = function.getName();
    bool isOfRunner = name.starts_with("printMemref") || isFill(name) ||
                      name.starts_with("mgpuMemGetDeviceMemRef");
    if (isOfRunner && function.isExternal() &&
        function.symbolKnownUseEmpty(module))
      function.erase();
  }
  return success();
}
