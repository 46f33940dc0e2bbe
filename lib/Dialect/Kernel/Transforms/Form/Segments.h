//===- Segments.h - Rows of different lengths that lie in a row -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Parts of kernel-split-segments: which launches fold such rows, and the loops
// that fold them by values.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SEGMENTS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SEGMENTS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::kernel {

/// A launch of `for i { r = for k in low(i) .. low(i + 1) reduce { f(k) } ..
/// }`.
struct Segments {
  ForOp rows, fold;
  /// Where a row begins and ends: integers or indices, computed in `rows`.
  mlir::Value low, high;
  /// Rows certainly end where the next one begins; else that is asked of each.
  bool areConsecutive = true;
  /// Values in the body of `rows` that are `low`, of any type.
  llvm::SmallPtrSet<mlir::Value, 4> lows;
  /// Checks of a row, which none of its results decides.
  llvm::SmallVector<CheckOp> rowChecks;
  /// Conditions of checks that hold between two places if they hold at both,
  /// and those that are asked of each value.
  llvm::SmallSetVector<mlir::Value, 4> endConditions, conditions;
  /// A size that no place of a value reaches, where one is known: an argument
  /// of the launch or a number.
  mlir::OpFoldResult places;
};

/// What `launch` is, if its values follow from their places alone; null and the
/// reason otherwise, which is empty where no row has a length of its own.
std::optional<Segments> findSegments(LaunchOp launch, std::string &why);

/// How values are dealt out: blocks, how many of them the device may have at
/// work, threads of a block, and how many values a thread takes at a time.
struct SegmentShape {
  int64_t blocks = 0, atWork = 0, threads = 0, items = 0;
};

/// Replaces the root loop of `launch`, which `segments` describes, by loops
/// over the values of all rows.
void writeSegments(mlir::IRRewriter &rewriter, LaunchOp launch,
                   const Segments &segments, SegmentShape shape);

/// Ends of rows on chip for each thread.
inline constexpr int64_t kSegmentRows = 4;

/// Values that a thread takes at a time at most: a bit each in one word.
inline constexpr int64_t kMostSegmentItems = 32;

/// Values that a thread takes at a time, of so many in a block, for its
/// registers and shared memory; 0 where there is no room.
int64_t getSegmentItems(const Segments &segments, int64_t threads,
                        DeviceAttr device);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_SEGMENTS_H
