//===- EncloseLoops.h - The parts of kernel-enclose-loops -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ENCLOSELOOPS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ENCLOSELOOPS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include <optional>
#include <string>

namespace arrc::kernel {

/// Why a loop stays with the host, and the operation that it is due to.
struct LoopObstacle {
  mlir::Operation *op;
  std::string why;
};

/// The array from outside of `loop` that `array`, a value of its body, lies in:
/// through views, and through loops that hand on what they carry.
mlir::Value findBase(mlir::Operation *loop, mlir::Value array);

/// What keeps `loop` from running in one launch, if something does.
std::optional<LoopObstacle> findObstacle(mlir::Operation *loop);

/// Makes the launch that does what `loop` does, in front of it and without a
/// schedule: the loops of its launches have names of their own. The scalar
/// results of `loop` are appended to `results`, as they are read back.
LaunchOp encloseLoop(mlir::OpBuilder &builder, mlir::Operation *loop,
                     llvm::StringRef name,
                     llvm::SmallVectorImpl<mlir::Value> &results);

/// How many elements the largest launch in `loop` touches at most, computed in
/// front of `loop`: a number or a value; nothing where the host does not know.
std::optional<mlir::OpFoldResult> countMostAccesses(mlir::OpBuilder &builder,
                                                    mlir::Operation *loop);

/// The schedule of a launch made by encloseLoop: one block, whose threads share
/// the loops inside.
ScheduleAttr scheduleEnclosed(LaunchOp launch);

/// The name of the loop whose only iteration is the block.
inline constexpr llvm::StringLiteral kEnclosingDim = "block";

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ENCLOSELOOPS_H
