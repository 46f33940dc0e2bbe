//===- HostSlice.h - Scalars of a launch, computed on the host --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Grids and workspaces have sizes that the host must know before it launches:
// those that follow from the scalar operands of the launch.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_HOSTSLICE_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_HOSTSLICE_H

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/IR/IRMapping.h"

namespace arrc::kernel {

/// Marks allocations of the host that hold what passes between launches and
/// blocks, and no array of the program.
inline constexpr llvm::StringLiteral kWorkspaceAttr = "kernel.workspace";

/// Whether `value`, of the body of `launch`, follows from its scalar operands.
bool isKnownToHost(LaunchOp launch, mlir::Value value);
bool isKnownToHost(LaunchOp launch, mlir::OpFoldResult value);

/// A value that the host knows and that `value`, a size in the body of
/// `launch`, never exceeds, made at the insertion point; null if none is found.
/// Sizes are bounded that are linear in the indices of loops (`i + 1` by the
/// extent of `i`), and in choices of two such values.
mlir::Value boundForHost(mlir::OpBuilder &builder, LaunchOp launch,
                         mlir::Value value);

/// `value` outside of the launch, computed at the insertion point; it must be
/// known to the host. `mapping` remembers what has been computed.
mlir::Value computeOnHost(mlir::OpBuilder &builder, LaunchOp launch,
                          mlir::Value value, mlir::IRMapping &mapping);
mlir::OpFoldResult computeOnHost(mlir::OpBuilder &builder, LaunchOp launch,
                                 mlir::OpFoldResult value,
                                 mlir::IRMapping &mapping);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_HOSTSLICE_H
