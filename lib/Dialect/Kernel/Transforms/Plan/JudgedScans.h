//===- JudgedScans.h - Ways to scan columns, and their prices ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_JUDGEDSCANS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_JUDGEDSCANS_H

#include "Judge.h"

namespace arrc::kernel {

/// Who takes what in a scan whose lanes walk along a parallel dimension.
struct ScanShape {
  /// Threads along the lanes, elements of each there, and threads along the
  /// parallel dimension beside them.
  int64_t lanes = 32, width = 1, beside = 1;
  /// Threads along the scan, groups of these with a stretch of the tile each,
  /// and elements that each thread takes together.
  int64_t threads = 1, groups = 1, unroll = 1;
  /// The tiles of a column are blocks that look back at each other; else a
  /// block has all of them, one after the other.
  bool looksBack = false;

  /// Elements of a column that a block takes together.
  int64_t getTile() const { return threads * groups * unroll; }
  bool operator==(const ScanShape &other) const {
    return lanes == other.lanes && width == other.width &&
           beside == other.beside && threads == other.threads &&
           groups == other.groups && unroll == other.unroll &&
           looksBack == other.looksBack;
  }
};

/// What prices of scans depend on beside the facts of the nest, whose last
/// dimension is scanned.
struct ScanFacts {
  /// The dimension that lanes walk, and the one beside it, if there is one.
  unsigned lane = 0;
  std::optional<unsigned> beside;
  /// Registers that a thread keeps of an element.
  int64_t words = 1;
  /// Tiles in blocks are three launches, as blocks cannot wait for each other.
  bool isSplit = false;
};

/// Ways to scan columns that a person might try, `width` of them a thread, in
/// blocks of `threads` or twice as many where a device has `most`. `subgroup`
/// threads shuffle.
llvm::SmallVector<ScanShape> makeScanShapes(const ScanFacts &scan,
                                            int64_t width, int64_t threads,
                                            int64_t most, int64_t subgroup);

/// Nanoseconds of one launch with the sizes of `numbers`.
double judgeScan(const NestFacts &facts, const NestNumbers &numbers,
                 const ScanFacts &scan, const ScanShape &shape,
                 const DeviceRates &rates);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_JUDGEDSCANS_H
