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
  void addAccess(unsigned number);
  void addMemory(unsigned number, const Traffic &traffic);
  double getMerge(double outputs, double parts, double threads) const;

  const NestFacts &facts;
  const NestShares &shares;
  const DeviceRates &rates;
  llvm::ArrayRef<double> extents;
  llvm::ArrayRef<llvm::SmallVector<double, 4>> steps;

  /// Steps that a thread takes along each dimension, and those together.
  llvm::SmallVector<double, 4> trips;
  /// The share of the threads along each dimension that have something to do.
  llvm::SmallVector<double, 4> used;
  double blocks = 1, resident = 1, warps = 1, iterations = 1, together = 1;
  /// Blocks along each dimension, and those that start between two neighbours
  /// of it.
  llvm::SmallVector<double, 4> tiles, apart;
  llvm::SmallVector<Traffic, 4> traffics;
  /// Bytes from memory and L2, cycles of the first cache, bytes under way;
  /// loads of an iteration, and those of bytes.
  double memory = 0, cache = 0, cycles = 0, flight = 0, loads = 0, bytes = 0;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_PRICENEST_H
