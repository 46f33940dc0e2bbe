//===- LaunchPartition.h - How a launch is cut for devices -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Along which of its loops a launch is cut, best first, with what a part
// touches of each array. Kept on the launch as the attribute
// `kernel.partition`:
//
//   {cuts = [{boxes = [{argument = 2 : i64, edges = ["clamp", "none"],
//                       kind = "read",
//                       lower = [affine_map<(d0, d1)[s0, s1, s2, s3] ->
//                                (d0 * 8 - 1)>, ..], upper = [..]}, ..],
//             loop = 0 : i64}],
//    whole = [..]}
//
// d0 and d1 are `lo` and `hi`, symbols the launch's arguments. Where it cannot
// be cut `cuts` is empty and `reason` says why.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_LAUNCHPARTITION_H
#define ARRC_ANALYSIS_LAUNCHPARTITION_H

#include "arrc/Analysis/AccessBoxes.h"

#include <optional>

namespace arrc {

/// The attribute.
inline constexpr llvm::StringLiteral kPartitionAttr = "kernel.partition";

/// The dimension that a program asks to be cut: a name, on the launch.
inline constexpr llvm::StringLiteral kSplitAttr = "kernel.split";

/// Has `to`, which does what `from` did, say so, too.
void keepSplit(kernel::LaunchOp from, kernel::LaunchOp to);

/// Whether `loop` walks the dimension `dim`, or blocks of it.
bool isAlong(kernel::ForOp loop, llvm::StringRef dim);

/// How a launch may be cut.
struct LaunchPartition {
  struct Cut {
    /// Number of the loop among those of getCutLoops.
    unsigned loop = 0;
    llvm::SmallVector<AccessBox, 0> boxes;
  };
  /// What all of it touches.
  llvm::SmallVector<AccessBox, 0> whole;
  /// Best first.
  llvm::SmallVector<Cut, 0> cuts;
  /// Why there is none.
  std::string reason;

  /// Finds all ways; those along the dimension `dim` come first. Where the
  /// launch says which one, and it can be cut there, that is the only one.
  static LaunchPartition plan(kernel::LaunchOp launch,
                              llvm::StringRef dim = "");
  /// Why the launch cannot be cut along the dimension that it asks for; empty
  /// if it can, or asks for none.
  std::string refusal;
  /// What the attribute says; nothing if there is none. Fails with a message
  /// where it does not fit the launch.
  static llvm::FailureOr<std::optional<LaunchPartition>>
  read(kernel::LaunchOp launch);
  mlir::DictionaryAttr getAttr(kernel::LaunchOp launch) const;
};

} // namespace arrc

#endif // ARRC_ANALYSIS_LAUNCHPARTITION_H
