//===- FoldRaiser.h - Folds above parallel loops ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What RaiseFolds.cpp, which says what is done to a fold, and RaisePhases.cpp,
// which writes the phases, share.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_FOLDRAISER_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_FOLDRAISER_H

#include "../Shared/NestScalars.h"

#include <utility>

namespace arrc::kernel {

/// A fold inside a nest of parallel loops, and the order that splits both.
class FoldRaiser {
public:
  FoldRaiser(mlir::IRRewriter &rewriter, llvm::ArrayRef<ForOp> parallels,
             ForOp fold, llvm::function_ref<unsigned(ForOp)> position);

  bool isNeeded() const { return !blocks.empty() || !raised.empty(); }

  mlir::LogicalResult run();

private:
  mlir::LogicalResult check();
  mlir::Block *getPlace();
  /// Loops over `loops` at the insertion point, which moves inside: over all
  /// that their digits may have if `whole`.
  mlir::LogicalResult open(llvm::ArrayRef<ForOp> loops, NestScalars &scalars,
                           mlir::IRMapping &mapping, bool whole = false);
  /// The inner parallel loops that are not there yet, their scalars and, if
  /// asked for, their guard.
  mlir::LogicalResult openPhase(mlir::IRMapping &mapping, bool guarded);
  /// Arrays for the results of the fold: `copies` (or null) of the threads'
  /// and of the parallel loops that `has` says yes to.
  mlir::LogicalResult
  createAccumulators(mlir::IRMapping &mapping, mlir::OpFoldResult copies,
                     llvm::ArrayRef<ForOp> threads,
                     llvm::function_ref<bool(ForOp)> has,
                     llvm::SmallVectorImpl<mlir::Value> &arrays);
  llvm::SmallVector<mlir::Value> loadAll(llvm::ArrayRef<mlir::Value> arrays,
                                         llvm::ArrayRef<mlir::Value> place);
  mlir::LogicalResult createLocals(mlir::IRMapping &mapping);
  /// Accumulators of the threads that the fold is dealt to, of one block.
  mlir::LogicalResult createOwn(mlir::IRMapping &mapping);
  mlir::LogicalResult emitContributions(mlir::IRMapping &mapping);
  /// The threads of a block fold what each has, into the block's accumulators.
  mlir::LogicalResult emitMerge(mlir::IRMapping &mapping);
  /// The fold of what these threads have, from `seeds` on.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  foldDealt(mlir::IRMapping &mapping, llvm::ArrayRef<mlir::Value> seeds);
  /// Loops over iterations that a thread took together, as blocks.
  mlir::LogicalResult spreadResults(mlir::IRMapping &mapping);
  mlir::LogicalResult emitResults(mlir::IRMapping &mapping);
  /// The fold of what the blocks have left, or what the only one has.
  llvm::SmallVector<mlir::Value> foldBlocks(const mlir::IRMapping &mapping,
                                            llvm::ArrayRef<mlir::Value> seeds);
  /// Where the contributions go: the accumulators, and their indices.
  llvm::ArrayRef<mlir::Value> getAccumulators() const {
    return dealt.empty() ? locals : own;
  }
  llvm::SmallVector<mlir::Value>
  getAccumulatorPlace(const mlir::IRMapping &mapping) {
    return dealt.empty() ? getPlaceInLocal(getBlock(mapping), mapping)
                         : getPlaceInOwn(mapping);
  }
  llvm::SmallVector<mlir::Value> getPlaceInOwn(const mlir::IRMapping &mapping);
  /// What `body` gives where `inside` holds, if it is not null, and neutral
  /// elements elsewhere.
  llvm::SmallVector<mlir::Value>
  guard(mlir::Value inside,
        llvm::function_ref<llvm::SmallVector<mlir::Value>()> body);
  /// Indices of the accumulators of one iteration of the parallel loops in
  /// block `block`, null if there are no blocks.
  llvm::SmallVector<mlir::Value>
  getPlaceInLocal(mlir::Value block, const mlir::IRMapping &mapping);
  /// The number of a block in the order of the loops at block.
  mlir::Value getBlock(const mlir::IRMapping &mapping);
  /// The threads of the fold along one axis that no parallel loop takes, and
  /// this axis.
  std::pair<int64_t, unsigned> getMergers();

  mlir::IRRewriter &rewriter;
  ForOp fold;
  mlir::Location loc;
  llvm::SmallVector<ForOp> parallels, folds;
  NestScalars outerScalars, innerScalars;
  /// Parallel loops that stay outside, those that stand between the fold's
  /// digits at block and the phases, and those that become phases.
  llvm::SmallVector<ForOp> outer, tiles, inner;
  /// The fold's digits: at block, raised, those of threads that have
  /// accumulators of their own, and those kept inside.
  llvm::SmallVector<ForOp> blocks, raised, dealt, kept;
  llvm::SmallVector<mlir::Value> neutrals, locals, own;
  /// Extents of the loops at block, and their product.
  llvm::SmallVector<mlir::OpFoldResult> blockExtents;
  mlir::OpFoldResult blockCount;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_FOLDRAISER_H
