//===- BranchBuffers.h - Branches that hand on one buffer -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A loop in a branch updates an array in place, and the other side keeps it:
//
//   %x = scf.if %c -> (memref<?xf32>) {       scf.if %c {
//     %y = kernel.iterate .. (%a)        =>     kernel.iterate .. (%a)
//     scf.yield %y                            }
//   } else { scf.yield %a }                   // %a for %x
//
// Who asks who owns %x would copy the array on both sides, in each step of a
// loop around it.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_BRANCHBUFFERS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_BRANCHBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace arrc::kernel {

/// Puts the buffer itself in the place of branches' results that are the same
/// one whatever the condition is.
void forwardBranches(mlir::func::FuncOp func);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_MEMORY_BRANCHBUFFERS_H
