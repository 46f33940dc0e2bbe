//===- Check.cpp - What a device row allows -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace arrc::target;

opencl::Facts::Facts(Operation *op) {
  auto row = kernel::DeviceAttr::get(op);
  auto fact = [&](StringRef what, int64_t otherwise) {
    return row ? row.getInteger(what, otherwise) : otherwise;
  };
  name = row ? row.getName().str() : "opencl";
  if (row && row.getFacts())
    if (auto device = row.getFacts().getAs<StringAttr>("device"))
      name = device.str();
  hasF64 = fact("f64", 1);
  hasF16 = fact("f16", 0);
  hasInt64Atomics = fact("int64_atomics", 0);
  isExactF32 = fact("exact_f32", 0);
  subgroup = fact("subgroup", 0);
}

/// True if `type`, its elements or its parts are f64.
static bool holdsF64(Type type) {
  bool found = false;
  type.walk([&](Type part) { found |= part.isF64(); });
  return found;
}

/// The kernel around `op`, for messages.
static std::string getKernelName(Operation *op) {
  auto function = op->getParentOfType<gpu::GPUFuncOp>();
  return function ? function.getName().str() : "";
}

LogicalResult opencl::checkFacts(gpu::GPUModuleOp module, const Facts &facts) {
  WalkResult result = module->walk([&](Operation *op) {
    auto refuse = [&](StringRef what) {
      op->emitError("the device '")
          << facts.name << "' has no " << what << ", which kernel '"
          << getKernelName(op) << "' needs";
      return WalkResult::interrupt();
    };
    if (!facts.hasF64 && (llvm::any_of(op->getResultTypes(), holdsF64) ||
                          llvm::any_of(op->getOperandTypes(), holdsF64)))
      return refuse("f64");
    if (auto update = dyn_cast<memref::AtomicRMWOp>(op)) {
      Type type = update.getValue().getType();
      if (!facts.hasInt64Atomics && type.isInteger(64))
        return refuse("atomic updates of 64 bits");
    }
    if (facts.subgroup == 0 &&
        isa<gpu::ShuffleOp, gpu::SubgroupReduceOp, gpu::SubgroupIdOp,
            gpu::LaneIdOp, gpu::SubgroupSizeOp>(op))
      return refuse("sub-groups");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
