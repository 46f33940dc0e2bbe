//===- PriceNest.h - The price of one nest ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A part of Plan/Judge.h: Judge.cpp adds up what threads do, PriceAccesses.cpp
// what they move.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_PRICENEST_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_PRICENEST_H

#include "Judge.h"

namespace arrc::kernel {

/// Steps of a thread whose loads are under way.
inline constexpr double kSteps = 4;

/// What a warp asks for with one access.
struct Request {
  /// Sectors and lines of one step; sectors of all steps taken together, and
  /// bytes of each stretch of these; sectors and lines that all warps of a
  /// block ask for with these steps.
  double sectors = 1, lines = 1, together = 1, stretch = 1, block = 1,
         blockLines = 1;
};

/// What one access moves.
struct Traffic {
  /// Bytes of its elements, and whole sectors that blocks ask L2 for.
  double unique = 0, raw = 0;
  Request request;
};

/// Prices one nest.
class Price {
public:
  Price(const NestFacts &facts, const NestNumbers &numbers,
        const NestShares &shares, const DeviceRates &rates)
      : facts(facts), shares(shares), rates(rates), extents(numbers.extents),
        steps(numbers.steps) {}

  NestPrice get();

private:
  Request ask(unsigned number) const;
  /// What a window asks for in all, each sector once.
  void askOnce(unsigned number, Request &request) const;
  /// Elements that a thread reads of a window at a time, or accesses of `width`
  /// of them.
  double countTaps(const NestAccess &access, int64_t width) const;
  /// Loads of a thread for these.
  double countTapLoads(const NestAccess &access) const;
  /// Registers of what a thread loads together.
  double countLoaded() const;
  /// Steps along `dim` that a thread takes together, each of so many neighbours
  /// as it has side by side.
  double countGroups(unsigned dim) const;
  /// Requests of a warp for what its lanes take side by side with an access.
  double countRequests(unsigned number) const;
  void addAccess(unsigned number);
  /// Adds what memory moves for an access, where a block moves `moved` bytes
  /// for all of them.
  void addMemory(unsigned number, double moved);
  /// What each dimension gives threads and blocks to do.
  void placeDims();
  /// Counts blocks, and how far apart they start.
  void placeBlocks();
  /// How many elements a thread takes together along rows, in the share of
  /// steps that have an end of one.
  double countEnds() const;
  /// Nanoseconds in which threads, and blocks, fold their parts together.
  double getFolding(double waves) const;
  double getMerge() const;

  const NestFacts &facts;
  const NestShares &shares;
  const DeviceRates &rates;
  llvm::ArrayRef<double> extents;
  llvm::ArrayRef<llvm::SmallVector<double, 4>> steps;

  /// Steps that a thread takes along each dimension, but for those of a lane
  /// side by side, and how many of them together.
  llvm::SmallVector<double, 4> trips, groups;
  /// The share of the threads along each dimension that have something to do.
  llvm::SmallVector<double, 4> used;
  double blocks = 1, resident = 1, warps = 1, iterations = 1, together = 1;
  /// Results of the nest, those that a thread keeps, threads and blocks that
  /// fold one together.
  double outputs = 1, kept = 1, foldThreads = 1, parts = 1;
  /// Shares: of threads that have something to do, of iterations in tiles that
  /// are whole, and in those that are whole for all neighbours of a thread, of
  /// steps of folds in groups that are; steps for each that counts; steps for
  /// each iteration that groups of folds have too many; trips of a thread to
  /// memory.
  double useful = 1, whole = 1, shared = 1, inGroups = 1, dead = 1, masked = 0,
         waits = 1;
  /// The share of steps whose loads wait for the functions of the step before.
  double singly = 0;
  /// Blocks along each dimension, and those that start between two neighbours
  /// of it.
  llvm::SmallVector<double, 4> tiles, apart;
  llvm::SmallVector<Traffic, 4> traffics;
  /// Bytes from memory and L2, cycles of the first cache, bytes under way;
  /// loads of an iteration, those of windows, and those of bytes.
  double memory = 0, cache = 0, cycles = 0, flight = 0, loads = 0, taps = 0,
         bytes = 0;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_PRICENEST_H
