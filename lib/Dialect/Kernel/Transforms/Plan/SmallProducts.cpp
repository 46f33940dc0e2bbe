//===- SmallProducts.cpp - Products that need no tiles --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Products of so few columns that what a thread reads for itself is little:
//
//   tiny   many rows of a few columns and steps: a thread has one column of
//          four rows, i = [block.0, unroll 4, thread.y 64], j = [thread.x 4]
//   small  many products of a few rows and columns: a thread has a column of
//          one, and its neighbours the others
//
//===----------------------------------------------------------------------===//

#include "Device.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Threads of a block, and registers of an output.
static constexpr int64_t kThreads = 256, kRegisters = 2;
/// Columns and steps that are few, and the fewest rows then.
static constexpr int64_t kTiny = 4, kFewestRows = 256;

bool DevicePlanner::planTinyProduct(ArrayRef<ForOp> nest,
                                    const Product &product) {
  if (nest.size() != 2 || product.folds.size() != 1 ||
      product.registers > kRegisters || maxThreads < kThreads)
    return false;
  ForOp inner = product.folds.back();
  setDigits(product.row,
            {{LevelKind::Block, 0},
             {LevelKind::Unroll, kTiny},
             {LevelKind::Thread, kThreads / kTiny}},
            0, 1);
  setDigits(product.column, {{LevelKind::Thread, kTiny}});
  setDigits(inner, {{LevelKind::Unroll, kTiny}});
  if (addVersion({getSize(product.row) - kFewestRows,
                  kTiny - getSize(product.column), kTiny - getSize(inner)}))
    return true;
  dropDigits({product.row, product.column, inner});
  return false;
}

bool DevicePlanner::planSmallProducts(ArrayRef<ForOp> nest,
                                      const Product &product) {
  if (nest.size() != 3 || product.registers > kRegisters ||
      maxThreads < kThreads)
    return false;
  AffineExpr rows = getSize(product.row), columns = getSize(product.column);
  for (int64_t most : {4, 16}) {
    auto fitTo = [&](ForOp loop) {
      int64_t extent = loop.getStaticExtent().value_or(most);
      return std::clamp<int64_t>(extent, 2, most);
    };
    int64_t x = ceilPower(fitTo(product.column));
    for (ForOp loop : nest)
      if (loop == product.row)
        setDigits(loop, {{LevelKind::Unroll, fitTo(loop)}});
      else if (loop == product.column)
        setDigits(loop, {{LevelKind::Thread, x}});
      else
        setDigits(loop,
                  {{LevelKind::Block, 0}, {LevelKind::Thread, kThreads / x}}, 0,
                  1);
    if (addVersion({most - rows, most - columns}))
      return true;
    dropDigits(nest);
  }
  return false;
}
