//===- Scans.h - What schedules of scans share ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_SCANS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_SCANS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Words of 32 bits that a thread keeps of a tile, and of a whole row.
inline constexpr int64_t kTileWords = 16, kRowWords = 32;

/// Whether threads may keep elements of `scan`: its body is straight code.
bool mayBeTiled(ForOp scan);

/// Words that a thread keeps of each element: the values that are folded, and
/// what the rest needs of how they came about.
int64_t countWords(ForOp scan);

/// The scan that is all that the body of `nest` does beside scalars; null if
/// there is none.
ForOp findOnlyScan(llvm::ArrayRef<ForOp> nest);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_SCANS_H
