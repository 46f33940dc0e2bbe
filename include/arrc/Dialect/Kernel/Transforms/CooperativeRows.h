//===- CooperativeRows.h - Rows that several blocks share -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loops side by side in a row may each have a digit at block:
//
//   for i.0 at block { %m = for j.0 at block reduce { .. }
//                      %s = for j.0 at block reduce { .. %m .. }
//                      for j.0 at block { .. %s .. } }
//
// A block then has one iteration of i.0 and the same one of each j.0, so that
// threads keep elements of the row from one loop to the next, and blocks of a
// row wait for each other where one of them ends as a fold: they cooperate.
// They must all be at work at the same time for that.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_COOPERATIVEROWS_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_COOPERATIVEROWS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Threads of cooperating blocks, and how many of these share a multiprocessor.
inline constexpr int64_t kCooperativeThreads = 256, kCooperativeBlocks = 3;

/// Blocks of which some are at work at the same time whatever else is: one a
/// multiprocessor, though more fit. 0 if the device is not known, or blocks
/// that have started may stand still.
int64_t countCooperativeBlocks(LaunchOp launch);

/// Bytes that a cooperating block may keep on chip.
int64_t getCooperativeBytes(DeviceAttr device);

/// What a thread of a cooperating block has of a row.
struct CooperativeShape {
  /// Elements that it takes together, and how many times.
  int64_t together = 0, steps = 0;
  /// Elements of a row that all blocks have which cooperate for sure.
  int64_t most = 0;
};

/// That for iterations of `row`, elements in groups of `width`; none are taken
/// where they do not fit.
CooperativeShape getCooperativeShape(LaunchOp launch, ForOp row, int64_t width);

/// Whether several blocks may share an iteration of `row`, a loop of `launch`
/// with others side by side in it: none touches what another one writes, but
/// for elements at the index of its own iteration.
bool canCooperate(LaunchOp launch, ForOp row);

/// Whether some access of `local` stands below loops at block that the local
/// does not.
bool isBelowBlocks(LocalOp local);

/// Whether `loop`, which is at block, is one of those whose blocks cooperate:
/// it fills or reads elements that threads keep.
bool isCooperative(ForOp loop);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_COOPERATIVEROWS_H
