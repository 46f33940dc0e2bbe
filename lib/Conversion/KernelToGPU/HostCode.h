//===- HostCode.h - The host's side of a kernel -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOGPU_HOSTCODE_H
#define ARRC_LIB_CONVERSION_KERNELTOGPU_HOSTCODE_H

#include "IndexWidth.h"

#include "arrc/Analysis/AccessBoxes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace arrc {

/// A kernel and the shared memory that it needs.
struct EmittedKernel {
  mlir::gpu::GPUFuncOp function;
  int64_t sharedBytes = 0;
};

/// Launches where the launch stands. `narrow` is the kernel for when `limits`
/// hold, or null. A kernel that is never taken is set to null and erased.
void emitHostLaunch(const KernelPlan &plan, EmittedKernel &wide,
                    EmittedKernel &narrow,
                    const std::optional<IndexLimits> &limits);

/// The same of a launch that has one kernel.
void emitHostLaunch(const KernelPlan &plan, const EmittedKernel &kernel);

/// Whether `limits` hold for the launch: code where the builder of the launch
/// stands, of type i1.
mlir::Value createIndexCondition(const KernelPlan &plan,
                                 const IndexLimits &limits);

/// Launches `kernel`, which is code of the CPU, where the launch stands. Gives
/// its operands, of the plan's arguments in their order.
llvm::SmallVector<mlir::Value> emitHostLaunch(const KernelPlan &plan,
                                              mlir::SymbolRefAttr kernel);

/// What parts of the kernel touch, in terms of its arguments, for the runtime;
/// empty if nothing is said. Fails with a message where the launch's
/// `kernel.partition` is wrong.
mlir::FailureOr<std::string> getPartitionText(const KernelPlan &plan);

/// What names the kernel that joins copies of an array of `element` which parts
/// have updated as `box` says, behind the name of the launch's and `_`.
std::string getCombinerName(const AccessBox &box, mlir::Type element);

/// Emits these kernels beside `kernel`. Fails with a message where the launch's
/// `kernel.partition` is wrong.
mlir::LogicalResult emitCombineKernels(const KernelPlan &plan,
                                       mlir::gpu::GPUFuncOp kernel);

/// Has launches whose kernels are equal share one.
void shareKernels(mlir::ModuleOp module);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOGPU_HOSTCODE_H
