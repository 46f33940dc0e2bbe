//===- LoopNest.h - Building and reading nests of loops ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What the scheduling passes share. They build loops from a model, so that the
// operator and the location of the original loop are kept.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_LOOPNEST_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_LOOPNEST_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Marks the branch that keeps digits past the end of their dimension away from
/// the body: the only branches that kernel-mask-tails takes.
inline constexpr llvm::StringLiteral kTailAttr = "kernel.tail";

/// Says for each dimension of a local in registers which thread axis always
/// indexes it, -1 for none.
inline constexpr llvm::StringLiteral kThreadDimsAttr = "kernel.thread_dims";

/// Marks a local in shared memory that takes over what threads had in registers
/// until then, and need there no more.
inline constexpr llvm::StringLiteral kHandedOnAttr = "kernel.handed_on";

/// Whether each thread has its own place in dimension `dim` of `local`, which
/// its registers leave out.
bool isThreadDim(LocalOp local, unsigned dim);

/// A loop of the kind of `model`, with its operator and its block. Parallel
/// loops and scans have their terminator, reductions have none yet.
ForOp createLoopLike(mlir::OpBuilder &builder, ForOp model, llvm::StringRef dim,
                     mlir::OpFoldResult extent, mlir::ValueRange seeds,
                     LevelAttr level);

/// The seeds of the outermost of the folds and scans by one operator that
/// `loop` goes on in: a digit below a prefix or the second of two ranges starts
/// with a total, which is no neutral element.
llvm::SmallVector<mlir::Value> getFirstSeeds(ForOp loop);

/// Neutral elements of the fold of `loop`: known for operators of `arith`; the
/// first seeds otherwise, which the language promises to be neutral.
llvm::SmallVector<mlir::Value> createNeutrals(mlir::OpBuilder &builder,
                                              ForOp loop);

/// Whether the operator of `loop` is one of `arith` in each of its parts, whose
/// neutral elements do not depend on what the loop starts from.
bool hasOwnNeutrals(ForOp loop);

/// Whether both fold by the same operator.
bool haveSameOperator(ForOp a, ForOp b);

/// Whether `op` only computes: no effects and no regions. Divisors are never
/// zero, whatever guards them (import and the split see to it), so that it may
/// run anywhere.
bool isScalarOp(mlir::Operation *op);

/// Whether `op` is a division of integers, which must not see the divisor 0.
bool dividesIntegers(mlir::Operation *op);

/// The loop whose index `value` is; null if there is none.
ForOp getLoopOf(mlir::Value value);

/// The number that the extent of `loop` is known not to exceed.
std::optional<int64_t> getMost(ForOp loop);
/// The same of a size: a number or a value in a launch.
std::optional<int64_t> getMost(mlir::OpFoldResult size);
/// The number that a size is known to reach.
std::optional<int64_t> getLeast(mlir::OpFoldResult size);

/// Whether `size`, a number or a value in a launch, is known to be a multiple
/// of `number`.
bool isMultiple(mlir::OpFoldResult size, int64_t number);

/// `(value ceildiv divisor)`, folded where the value is a number.
mlir::OpFoldResult createCeilDiv(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::OpFoldResult value, int64_t divisor);

/// The array of `launch` that clauses of its schedule call `name`; null if
/// there is none.
mlir::BlockArgument findArray(LaunchOp launch, llvm::StringRef name);

/// Gives the schedule of `launch` other `stage` and `keep` clauses.
void setClauses(LaunchOp launch, llvm::ArrayRef<ClauseAttr> stage,
                llvm::ArrayRef<ClauseAttr> keep);

/// A value of `index`.
mlir::Value toValue(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::OpFoldResult index);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_LOOPNEST_H
