//===- NestScalars.h - What stands between the loops of a nest --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Passes that build a nest anew, in another order, need the scalar operations
// between its loops again: all of them in the innermost body, and those that an
// extent is computed from in front of its loop.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_NESTSCALARS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_NESTSCALARS_H

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::kernel {

/// The one operation of `block` besides scalar ones and the terminator.
mlir::Operation *getOnlyOp(mlir::Block &block);

/// The guard of the split around all that `outer` does, if there is one.
mlir::scf::IfOp getGuard(ForOp outer);

/// The loop of the same kind that is all that `outer` does besides scalar
/// operations, under the guard of its digits at most; null if there is none.
ForOp getOnlyLoop(ForOp outer);

/// The loops of the perfect nest that starts at `outermost`.
llvm::SmallVector<ForOp> getNest(ForOp outermost);

/// Scalar operations and guards of a perfect nest, its innermost body excluded.
class NestScalars {
public:
  explicit NestScalars(llvm::ArrayRef<ForOp> nest);

  /// Lets extents be computed from what `around` holds as well.
  void addAround(const NestScalars &around);
  /// The same with what `block` holds up to `end`.
  void addAround(mlir::Block *block, mlir::Operation *end);

  /// The extent of `loop`, computed at the insertion point from what `mapping`
  /// has; an error if it depends on a loop that is not mapped. Where it depends
  /// on indices that a guard around the loop keeps inside of their dimensions,
  /// it is 0 for others: whoever moves the guard further in goes over these.
  mlir::FailureOr<mlir::OpFoldResult>
  cloneExtent(mlir::IRRewriter &rewriter, ForOp loop,
              const mlir::IRMapping &mapping);

  /// An extent that `loop` never exceeds: what its digit has been clipped from,
  /// if it has been.
  mlir::FailureOr<mlir::OpFoldResult>
  cloneBound(mlir::IRRewriter &rewriter, ForOp loop,
             const mlir::IRMapping &mapping);

  /// All scalar operations at the insertion point.
  void cloneAll(mlir::IRRewriter &rewriter, mlir::IRMapping &mapping);

  /// The conditions of the guards, joined; null if there are none.
  mlir::Value createCondition(mlir::IRRewriter &rewriter, mlir::Location loc,
                              const mlir::IRMapping &mapping);

  bool hasGuards() const { return !guards.empty(); }

private:
  mlir::FailureOr<mlir::OpFoldResult>
  cloneValue(mlir::IRRewriter &rewriter, ForOp loop, mlir::Value extent,
             const mlir::IRMapping &mapping);

  /// What a value is computed of: operations between the loops of the nest, and
  /// indices of these.
  struct Slice {
    llvm::SmallPtrSet<mlir::Operation *, 8> ops;
    llvm::SmallVector<mlir::Value> indices;
  };
  Slice getSlice(mlir::Value value) const;

  /// The condition of a guard, and how many loops of the nest stand around it.
  struct Guard {
    mlir::Value condition;
    size_t depth;
  };

  llvm::SmallVector<ForOp> nest;
  llvm::SmallVector<mlir::Operation *> scalars;
  /// Known for extents only.
  llvm::SmallVector<mlir::Operation *> surrounding;
  llvm::SmallPtrSet<mlir::Operation *, 16> known;
  llvm::SmallVector<Guard> guards;
};

/// Whether `op` reads what the launch does not write.
bool readsInput(mlir::Operation *op);

/// Whether `op`, which stands before `fold`, may be computed more than once
/// while the fold runs: it only computes, or reads what the launch does not
/// write, but for the very element, behind the fold.
bool mayBeRepeated(mlir::Operation *op, ForOp fold);

/// Moves digits of folds above parallel digits that the order puts inside of
/// them: the accumulators become a local, the parallel loops phases. `position`
/// gives the place of a loop in the order.
mlir::LogicalResult raiseFolds(mlir::IRRewriter &rewriter, LaunchOp launch,
                               llvm::function_ref<unsigned(ForOp)> position);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_NESTSCALARS_H
