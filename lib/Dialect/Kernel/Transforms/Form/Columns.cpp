//===- Columns.cpp - Columns and rows that are walked several times -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

#include "../Plan/CPU.h"
#include "../Plan/Device.h"
#include "../Shared/HostSlice.h"
#include "../Shared/NestScalars.h"
#include "../Shared/RowReuse.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/CooperativeRows.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"

#include <limits>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Columns of a task of the CPU, and the length from which they are long there.
static constexpr int64_t kTaskColumns = 32, kLongColumn = 2048;
/// The length from which rows are long: some MB. Where they are walked once,
/// nothing is read again, and less is enough.
static constexpr int64_t kLongRow = 1 << 18, kLongFold = 1 << 16;
/// The same where no memory is read.
static constexpr int64_t kLongComputed = 1 << 12;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether the loops walk down columns that lie side by side along `column`.
static bool areColumns(ForOp column, ArrayRef<ForOp> walks) {
  bool down = true, beside = false;
  for (ForOp walk : walks) {
    AccessPattern pattern(walk);
    for (const Access &access : pattern.getAccesses()) {
      if (access.indices.empty() || access.array.getDefiningOp<LocalOp>())
        continue;
      down &= access.indices.back().getCoefficient(walk.getInductionVar()) == 0;
      beside |= access.indices.back() == LinearIndex(column.getInductionVar());
    }
  }
  return down && beside;
}

/// Whether `walk` touches nothing in memory but what is computed again.
static bool isComputed(ForOp walk) {
  AccessPattern pattern(walk);
  return llvm::all_of(pattern.getAccesses(), [](const Access &access) {
    return static_cast<bool>(access.array.getDefiningOp<LocalOp>());
  });
}

/// Whether all loops walk along rows; what some touch besides stays where it
/// is. Rows in several pieces are walked by the innermost loop of a nest.
static bool areRows(ArrayRef<ForOp> walks) {
  return llvm::all_of(walks, [](ForOp walk) {
    SmallVector<ForOp> nest = getNest(walk);
    Value along = nest.back().getInductionVar();
    AccessPattern pattern(walk);
    bool isRow = isComputed(walk);
    for (const Access &access : pattern.getAccesses()) {
      if (access.indices.empty() || access.array.getDefiningOp<LocalOp>())
        continue;
      isRow |= access.indices.back().getCoefficient(along) == 1;
      for (const LinearIndex &index : access.getRow())
        if (index.getCoefficient(along) != 0)
          return false;
    }
    return isRow;
  });
}

/// The one loop of `launch`. Behind a fold its results may be stored.
static ForOp findRoot(LaunchOp launch) {
  ForOp root;
  for (Operation &op : launch.getBodyBlock()->without_terminator()) {
    if (isScalarOp(&op) || (root && root.isReduce() && isa<StoreOp>(op)))
      continue;
    if (root || !(root = dyn_cast<ForOp>(op)))
      return ForOp();
  }
  return root;
}

std::optional<Columns> arrc::kernel::findColumns(LaunchOp launch) {
  if (launch.getFlag() || launch.getScheduleAttr() || launch.getVersions() ||
      launch.isScheduled() || launch->getNumResults())
    return std::nullopt;
  ForOp root = findRoot(launch);
  if (!root || root.isScan())
    return std::nullopt;
  Columns columns;
  columns.nest = getNest(root);
  columns.folded = root.isReduce();
  // A fold over several dimensions folds rows, too.
  columns.whole = columns.folded && columns.nest.size() > 1 &&
                  !hasInnerLoop(columns.nest.back());
  if (columns.whole)
    columns.nest.pop_back();
  // The operator of a fold moves to another launch by itself.
  bool fits = llvm::all_of(columns.nest, [&](ForOp loop) {
    llvm::SetVector<Value> above;
    getUsedValuesDefinedAbove(loop.getCombiner(), above);
    return isKnownToHost(launch, loop.getMixedExtent()) && above.empty();
  });
  ForOp column = columns.nest.back();
  unsigned folds = 0;
  for (Operation &op : column.getBodyBlock()->without_terminator()) {
    if (auto walk = dyn_cast<ForOp>(op)) {
      fits &= !walk.isScan() &&
              (walk.isParallel() || isCommutativeCombiner(walk.getCombiner()));
      for (ForOp loop : getNest(walk))
        fits &= isKnownToHost(launch, loop.getMixedExtent());
      folds += walk.isReduce();
      columns.walks.push_back(walk);
    } else if (auto local = dyn_cast<LocalOp>(op)) {
      fits &= whyNotRecompute(local).empty();
    } else {
      fits &= isa<LoadOp, StoreOp>(op) || isScalarOp(&op);
    }
  }
  // A fold of columns is a launch by itself, and so is what folds them.
  if (!fits || columns.walks.size() + columns.folded < 2 || !folds)
    return std::nullopt;
  columns.along = areRows(columns.walks);
  columns.computed = columns.folded && llvm::all_of(columns.walks, isComputed);
  if (!columns.along && !areColumns(column, columns.walks))
    return std::nullopt;
  return columns;
}

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

/// As many rows are no longer few: of those that are computed each thread would
/// have a whole one.
static int64_t getFewRows(LaunchOp launch, const Columns &columns,
                          int64_t units) {
  if (!isGPU(DeviceAttr::get(launch)))
    return kFewLongRows + 1;
  return units * (!columns.computed ? 2 : columns.whole ? 64 : 512);
}

/// The length of rows that are long: longer than what blocks keep together.
static int64_t getLongRow(LaunchOp launch, const Columns &columns) {
  if (!isGPU(DeviceAttr::get(launch)))
    return kCutRow;
  if (columns.computed)
    return kLongComputed;
  if (columns.walks.size() == 1)
    return kLongFold;
  CooperativeShape shape =
      getCooperativeShape(launch, columns.nest.back(), /*width=*/1);
  return std::max(kLongRow, shape.most + 1);
}

/// The length of columns that are long: those that do not stay on chip are read
/// anew by each loop, so that loops lose nothing by being launches of their
/// own, and each is then spread over the whole device.
static int64_t getLongColumn(const Columns &columns) {
  std::optional<int64_t> words = countKeptWords(columns.nest.back());
  return getLongestPersistentColumn(words.value_or(1)) + 1;
}

Value arrc::kernel::createFewColumns(IRRewriter &rewriter, LaunchOp launch,
                                     const Columns &columns, int64_t units) {
  Location loc = launch.getLoc();
  IRMapping host;
  auto getSize = [&](ForOp loop) {
    return toValue(
        rewriter, loc,
        computeOnHost(rewriter, launch, loop.getMixedExtent(), host));
  };
  auto number = [&](int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto isLong = [&](int64_t least) -> Value {
    Value points;
    for (ForOp loop : getNest(columns.walks.front())) {
      Value size = getSize(loop);
      points =
          points
              ? arith::MulIOp::create(rewriter, loc, points, size).getResult()
              : size;
    }
    return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::uge,
                                 points, number(least));
  };
  if (!columns.along && isGPU(DeviceAttr::get(launch)))
    return isLong(getLongColumn(columns));
  Value blocks;
  for (ForOp loop : columns.nest) {
    Value size = getSize(loop);
    if (loop == columns.nest.back() && !columns.along)
      size =
          arith::CeilDivUIOp::create(rewriter, loc, size, number(kTaskColumns));
    blocks = blocks ? Value(arith::MulIOp::create(rewriter, loc, blocks, size))
                    : size;
  }
  Value few = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::ult, blocks,
      number(columns.along ? getFewRows(launch, columns, units) : units / 2));
  return arith::AndIOp::create(
      rewriter, loc, few,
      isLong(columns.along ? getLongRow(launch, columns) : kLongColumn));
}

void arrc::kernel::assumeFewColumns(IRRewriter &rewriter, LaunchOp launch,
                                    const Columns &columns, int64_t units) {
  ForOp row = columns.nest.back(), walk = columns.walks.front();
  if (!columns.along || row.getExtent() == walk.getExtent())
    return;
  rewriter.setInsertionPoint(launch);
  auto assume = [&](ForOp loop, int64_t least, int64_t most) {
    auto size = dyn_cast_if_present<BlockArgument>(loop.getExtent());
    if (!size || size.getOwner() != launch.getBodyBlock())
      return;
    OpOperand &operand = launch.getOperandOf(size);
    operand.set(array::AssumeOp::create(
        rewriter, launch.getLoc(), operand.get(),
        rewriter.getI64IntegerAttr(least), rewriter.getI64IntegerAttr(most),
        IntegerAttr()));
  };
  if (getNest(walk).size() == 1)
    assume(walk, getLongRow(launch, columns),
           std::numeric_limits<int64_t>::max());
  if (columns.nest.size() == 1)
    assume(row, 0, getFewRows(launch, columns, units) - 1);
}
