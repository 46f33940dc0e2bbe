//===- EncloseLoops.h - The parts of kernel-enclose-loops -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ENCLOSELOOPS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ENCLOSELOOPS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include <optional>

namespace arrc::kernel {

/// What keeps a loop from running in one launch.
enum class ObstacleKind {
  Schedule,
  Scan,
  Histogram,
  Local,
  Check,
  Edges,
  Places,
  NoPlace,
  Foreign,
  UnknownWork,
  LargeSteps
};

/// Why a loop is many launches, and the operation that it is due to.
struct LoopObstacle {
  mlir::Operation *op;
  ObstacleKind kind;
  /// "a step has a scan or a filter".
  llvm::StringRef describe() const;
};

/// The array from outside of `loop` that `array`, a value of its body, lies in:
/// through views, and through loops that hand on what they carry.
mlir::Value findBase(mlir::Operation *loop, mlir::Value array);

/// What keeps `loop` from running in one launch, if something does. Launches
/// of its steps may check what they compute if `mayCheck`.
std::optional<LoopObstacle> findObstacle(mlir::Operation *loop,
                                         bool mayCheck = false);

/// Makes the launch that does what `loop` does, in front of it and without a
/// schedule: the loops of its launches have names of their own. The scalar
/// results of `loop` are appended to `results`, as they are read back.
LaunchOp encloseLoop(mlir::OpBuilder &builder, mlir::Operation *loop,
                     llvm::StringRef name,
                     llvm::SmallVectorImpl<mlir::Value> &results);

/// Makes the launch whose loop `kStepDim` has the steps of `loop`, a counted
/// one, as its iterations, in front of it and without a schedule. Whether they
/// are independent is the caller's question.
LaunchOp spreadLoop(mlir::OpBuilder &builder, IterateOp loop,
                    llvm::StringRef name);

/// How many elements the largest launch in `loop` touches at most, computed in
/// front of `loop`: a number or a value; nothing where the host does not know.
std::optional<mlir::OpFoldResult> countMostAccesses(mlir::OpBuilder &builder,
                                                    mlir::Operation *loop);

/// The schedule of a launch made by encloseLoop: one block, whose threads share
/// the loops inside.
ScheduleAttr scheduleEnclosed(LaunchOp launch);

/// A loop that is not one launch, at least where its steps are large.
struct KeptLoop {
  mlir::Operation *op;
  /// Why no step of it is part of one launch; nothing where small ones are.
  std::optional<ObstacleKind> obstacle;
  /// The place that the obstacle is due to.
  mlir::Location place;
};

/// Says of those of `loops`, outer ones first, whose steps the host starts one
/// by one although it could be otherwise, or waits for, what a step costs, why,
/// and what to write.
void reportHostLoops(llvm::ArrayRef<KeptLoop> loops);

/// The name of the loop that steps became iterations of.
inline constexpr llvm::StringLiteral kStepDim = "step";

/// The name of the loop whose only iteration is the block.
inline constexpr llvm::StringLiteral kEnclosingDim = "block";

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ENCLOSELOOPS_H
