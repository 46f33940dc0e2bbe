//===- RowReuse.h - What the loops of one row read again --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A row is the body of a loop that holds several loops side by side, its lanes
// (a maximum, a sum, a map over the same elements). What two of them read at
// the same place can stay on chip between them, or be computed again. The
// planner asks what there is, kernel-keep-rows does it: one legality.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_ROWREUSE_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_ROWREUSE_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace arrc::kernel {

/// Says of a local that each iteration of the loops around an access has an
/// element of its own there, those past the end of a dimension too, and that it
/// is to lie in registers.
inline constexpr llvm::StringLiteral kOwnElementsAttr = "kernel.own_elements";

/// Reads of one place of an array by several lanes.
struct RowLoads {
  mlir::Value array;
  /// In order, each directly in the body of its lane.
  llvm::SmallVector<LoadOp> loads;
  /// The dimension that the lanes walk.
  unsigned dim = 0;
};

/// The places that at least two lanes in the body of `row` read and that no one
/// writes before the last of them has. With `array`, only its own.
llvm::SmallVector<RowLoads> collectRowLoads(ForOp row, mlir::Value array = {});

/// The loops over which `local`, which stands in the body of a row, is indexed:
/// one for each access, by its only index. Empty if it is used otherwise.
llvm::SmallVector<ForOp> getRowLanes(LocalOp local);

/// Words of registers that an element of `type` takes.
int64_t getWords(mlir::Type type);

/// Words of registers that an element of a row takes where the loops of `row`
/// keep what they read and compute for each other; nothing if they keep
/// nothing, or locals are used in another way.
std::optional<int64_t> countKeptWords(ForOp row);

/// Why the elements of `local` cannot be computed again where they are read;
/// empty if they can.
std::string whyNotRecompute(LocalOp local);

/// Operations that computing one element again repeats.
unsigned countRecomputed(LocalOp local);

/// Whether computing the elements of `local` again is better than memory.
bool isCheapAgain(LocalOp local);

/// Computes elements of `local` again where they are read, and erases it.
void recomputeLocal(mlir::RewriterBase &rewriter, LocalOp local);

/// Gives the local that `clause` keeps in registers the digits of its lanes,
/// for kernel-split-loops to use; the local is added to `split`.
mlir::LogicalResult splitKeptLocal(LaunchOp launch, ClauseAttr clause,
                                   ScheduleAttr schedule,
                                   llvm::DenseSet<mlir::Value> &split);

/// Accesses in `body` to the locals of `split` at `index` get `digits`.
void indexByDigits(mlir::Block *body, mlir::Value index,
                   mlir::ValueRange digits,
                   const llvm::DenseSet<mlir::Value> &split);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_ROWREUSE_H
