//===- Judge.h - How long a schedule takes ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Prices a way to run a nest (NestFacts.h) on a device, at given sizes: the
// largest of what memory, the caches, and the issue of instructions take, where
// memory is only as fast as the bytes that are under way allow (Little's law),
// plus what threads and blocks pay for folding their parts together.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_JUDGE_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_JUDGE_H

#include "NestFacts.h"

#include "arrc/Dialect/Kernel/Transforms/Roof.h"

namespace arrc::kernel {

/// What a device can do; times in nanoseconds.
struct DeviceRates {
  /// Multiprocessors; threads, 32-bit registers and blocks that each holds.
  double units, threads, registers, blocks;
  /// Bytes a nanosecond from memory and from L2, and bytes of L2.
  double memory, cache, cacheBytes;
  /// Cycles a nanosecond; warps' instructions, bytes of L1, and special
  /// functions a cycle and multiprocessor.
  double clock, issue, firstCache, special;
  /// Bytes of L1.
  double firstCacheBytes;
  /// From a load to its value, of a launch, of a barrier of a block, and of the
  /// last block finding out that it is.
  double latency, launch, barrier, gridBarrier;
  /// Bytes of shared memory that a multiprocessor has for its blocks.
  double shared;
};

/// What binds a kernel, and its nanoseconds without those of the launch.
struct Time {
  double nanoseconds;
  llvm::StringRef limit;
};

/// Blocks that a multiprocessor holds at a time; less than 1 if it has no room
/// for one.
double countResident(const Demand &demand, const DeviceRates &rates);
/// The largest of what memory, the caches, the banks of shared memory and the
/// issue of instructions take, and a part of the others, where memory is as
/// fast as bytes under way allow.
Time getTime(const Demand &demand, const DeviceRates &rates);

/// Threads of a warp.
inline constexpr int64_t kWarp = 32;
/// Bytes of a word, of a sector and of a line of the first cache.
inline constexpr int64_t kWordBytes = 4, kSector = 32, kLine = 128;
/// Instructions that take a byte out of its word and convert it.
inline constexpr double kByteWork = 1.5;
/// How often an exact division, root or exponential occupies its unit.
inline constexpr double kSpecialTurns = 4.5;

/// The rates of a device; those of one like it where its row has none.
const DeviceRates &getRates(DeviceAttr device);

/// How the iterations of one dimension are dealt out: tiles of
/// `unroll * threads * width` neighbours, of which a thread has `width` side by
/// side. The tiles of a parallel dimension are blocks; those of a fold are
/// walked in order. A fold may be split among blocks: each takes `span` tiles,
/// or every `blocks`-th one.
struct DimShare {
  int64_t threads = 1, width = 1, unroll = 1, span = 0, blocks = 0;

  bool isSplit() const { return span || blocks; }
};

/// A way to run a nest: a share for each dimension. Threads next to each other
/// walk `lane`; `next` (or none) is walked by the other threads of a block.
struct NestShares {
  llvm::SmallVector<DimShare, 4> dims;
  unsigned lane = 0;
  std::optional<unsigned> next;
  /// Whether what a lane has side by side is one access.
  bool vectors = true;
  /// Threads of a block besides those, which leave at once.
  int64_t idle = 0;

  int64_t getThreads() const;
  bool splits() const;
  /// Elements of one access of a lane.
  int64_t getVector() const { return vectors ? dims[lane].width : 1; }
};

/// Whether a launch can say who the threads of `shares` are: each does the
/// folds of its results alone, term by term.
bool isDealable(const NestFacts &facts, const NestShares &shares);

/// `shares` with as many threads along each dimension as a launch gives it that
/// deals them out (Shared/EvenThreads.h), at the sizes of `numbers`.
NestShares dealOut(const NestFacts &facts, const NestNumbers &numbers,
                   NestShares shares);

/// On a launch whose prices are printed: the values of its operands.
inline constexpr llvm::StringLiteral kPricesAttr = "kernel.prices_at";

/// What one launch takes, and why.
struct NestPrice {
  double nanoseconds;
  llvm::StringRef limit;
  Demand demand;
  /// Nanoseconds in which threads and blocks fold their parts together.
  double folding = 0;
};

/// The price of one launch with the sizes of `numbers`.
NestPrice judge(const NestFacts &facts, const NestNumbers &numbers,
                const NestShares &shares, const DeviceRates &rates);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_JUDGE_H
