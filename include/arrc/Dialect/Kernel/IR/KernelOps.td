//===- KernelOps.td - Operations of the kernel dialect ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_KERNELOPS_TD
#define ARRC_DIALECT_KERNEL_IR_KERNELOPS_TD

include "mlir/IR/OpBase.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::arrc::kernel";
  let summary = "placeholder";
}

#endif // ARRC_DIALECT_KERNEL_IR_KERNELOPS_TD
