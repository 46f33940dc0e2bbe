//===- SplitScans.h - What a scan folds, apart from the rest ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A scan over digits folds the inner digits first, takes the prefix, and scans
// the inner digits from there: what an iteration contributes is computed once
// a digit. This file tells the contribution from the rest of the body.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_SPLITSCANS_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_SPLITSCANS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include <optional>
#include <string>

namespace arrc::kernel {

/// Marks a scan that computes contributions again inside: they have been found
/// to allow it.
inline constexpr llvm::StringLiteral kRepeatsAttr = "kernel.repeats";

/// The operations of the body that the values of the prefix need, in order.
llvm::SmallVector<mlir::Operation *> getContribution(ForOp scan);

/// Splits what the rest of the body needs of the contribution's computation
/// into values that are kept and operations that are cheap to do again.
void collectKept(ForOp scan, llvm::SmallVectorImpl<mlir::Value> &kept,
                 llvm::SmallVectorImpl<mlir::Operation *> &cheap);

/// What a scan adds up before each value was made a wider integer: of narrow
/// ones the sum of a tile has room in 32 bits.
struct NarrowSum {
  mlir::Value value;
  bool isSigned;
};
std::optional<NarrowSum> getNarrowSum(ForOp scan);

/// A scan that counts what it keeps, and does nothing but store that at its
/// number: `keep` says what, and `stores` are all the effects of the body.
struct Compaction {
  mlir::Value keep;
  llvm::SmallVector<StoreOp> stores;
};
std::optional<Compaction> getCompaction(ForOp scan);

/// The bytes of what is stored of an element that is kept.
int64_t getBytes(const Compaction &compaction);

/// The value that a store keeps where its mask holds, less a choice by the
/// mask itself.
mlir::Value getStoredValue(StoreOp store);

/// Why the contribution may not be computed more than once; empty if it may.
std::string whyNotSplitScan(ForOp scan);

/// Whether the schedule may give `scan` several digits (at block, thread and
/// seq).
inline bool canSplitScan(ForOp scan) { return whyNotSplitScan(scan).empty(); }

/// Whether the digits say that threads keep elements of the scan: a digit at
/// block or seq, perhaps one at thread (groups of threads), perhaps one at
/// unroll, one at thread, and perhaps one at unroll or vector, all but the
/// first with sizes; or one at seq and one at unroll.
bool isTiledScan(DimDigitsAttr digits);

/// Whether what stands before the prefix may run twice.
bool canRepeatContribution(ForOp scan);

/// Whether a loop stands around `launch`: a look-back wants a state that starts
/// empty, and the host clears it before the program's first kernel only.
bool mayRunAgain(LaunchOp launch);

/// Whether the blocks of `scan`, a loop at block in `launch`, may look back at
/// those of earlier iterations: they are all of a launch that runs once, or
/// stand below parallel block and thread loops with nothing beside them that
/// could not be repeated.
bool canLookBack(LaunchOp launch, ForOp scan);

/// The scan over blocks at `root` or below it whose blocks look back; null if
/// there is none.
ForOp findLookBack(LaunchOp launch, ForOp root);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_SPLITSCANS_H
