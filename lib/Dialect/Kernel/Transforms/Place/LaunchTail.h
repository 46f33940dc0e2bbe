//===- LaunchTail.h - What a launch of a step does after its nest -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The questions of kernel-defer-folds: which launches of a time loop end with
// something that may wait until many steps are done, and what that needs.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_LAUNCHTAIL_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_LAUNCHTAIL_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

#include <optional>

namespace arrc::kernel {

/// What a launch does once, after the blocks of its only nest, if that may be
/// done for many steps later.
struct LaunchTail {
  /// The tail of `launch`, which runs once in a step of `loop` at most, and
  /// whose folds at block are rewritten (BlockRoots.h).
  static std::optional<LaunchTail> read(IterateOp loop, LaunchOp launch);

  LaunchOp launch;
  /// The tail, and with it what it needs of the root: scalar operations, loads
  /// and locals, in order.
  llvm::SmallVector<mlir::Operation *> ops, needed;
  /// The locals that the nest fills and the tail reads.
  llvm::SmallVector<LocalOp> partials;
  /// On the host, sizes of the dynamic dimensions of each partial, once they
  /// are computed in front of the loop.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> sizes;
  /// Scalar arguments of the launch that follow from the number of the step;
  /// the operations of the host that make them of it, in order, and the other
  /// numbers that these take.
  llvm::SetVector<mlir::BlockArgument> ofStep;
  llvm::SetVector<mlir::Operation *> hostWork;
  llvm::SetVector<mlir::Value> hostScalars;
};

/// The launches that a step of `loop` starts at most once and that no inner
/// loop starts, if the loop is counted and always runs to its end.
llvm::SmallVector<LaunchOp> getLaunchesOfSteps(IterateOp loop);

/// Computes in front of a time loop what its launches compute of sizes.
class HostHoister {
public:
  explicit HostHoister(IterateOp loop) : loop(loop) {}

  /// Whether `value`, of the body of `launch`, can be computed there.
  bool canHoist(LaunchOp launch, mlir::Value value);
  /// Computes it at the insertion point, which is in front of the loop.
  mlir::Value hoist(mlir::OpBuilder &builder, LaunchOp launch,
                    mlir::Value value);

private:
  mlir::Value getOutside(LaunchOp launch, mlir::Value value);

  IterateOp loop;
  mlir::IRMapping known;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLACE_LAUNCHTAIL_H
