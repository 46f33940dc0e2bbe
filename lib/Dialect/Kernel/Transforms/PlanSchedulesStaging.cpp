//===- PlanSchedulesStaging.cpp - Operands that threads walk across -------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A map that reads one array along one dimension and writes along another:
// whichever the threads walk, half of the accesses jump. A block takes a square
// of both, and copies what lies across on chip first.
//
//   y[i, j] = a[j, i] + b[i, j]
//   i = [block.1, unroll 4, thread.y 8], j = [block.0, thread.x 32],
//   stage = [A at j.0 shared pad 1]
//
// A fold whose operands each stay along one of two dimensions (a matrix
// product) reads them once for a tile of accumulators:
//
//   y[i, j] = sum for l { a[i, l] * b[l, j] }
//   i = [block.1, unroll 4, thread.y 16], j = [block.0, thread.x 16, unroll 4],
//   l = [seq, seq 16], order = [i.0, j.0, l.0, i.2, j.1, i.1, j.2, l.1],
//   stage = [A at l.0 shared pad 1, B at l.0 shared pad 4]
//
//===----------------------------------------------------------------------===//

#include "NestScalars.h"
#include "PlanSchedulesDevice.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/Combiner.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Elements of a tile along both dimensions, and rows that run side by side.
static constexpr int64_t kTile = 32, kTileRows = 8;
/// Shared memory of all tiles of a block.
static constexpr int64_t kTileBytes = 24 << 10;

/// The loop of `nest` along which `index` is contiguous; null if there is none.
static ForOp getContiguous(ArrayRef<ForOp> nest, const LinearIndex &index) {
  for (ForOp loop : nest)
    if (std::abs(index.getCoefficient(loop.getInductionVar())) == 1)
      return loop;
  return {};
}

/// Whether the index is made of the nest's digits and of what is known before
/// the nest, and steps by one along `lane` and `cross`.
static bool isRegular(ArrayRef<ForOp> nest, const LinearIndex &index,
                      ForOp lane, ForOp cross) {
  return llvm::all_of(index.getTerms(), [&](LinearIndex::Term term) {
    for (ForOp loop : nest)
      if (term.first == loop.getInductionVar())
        return (loop != lane && loop != cross) || std::abs(term.second) == 1;
    return !nest.front()->isAncestor(
        term.first.getParentBlock()->getParentOp());
  });
}

/// Whether both read the same place, a few elements apart.
static bool isNear(const Access &a, const Access &b) {
  return cast<LoadOp>(a.op).getEdge() == cast<LoadOp>(b.op).getEdge() &&
         llvm::all_of(llvm::zip(a.indices, b.indices), [](auto pair) {
           auto [x, y] = pair;
           std::optional<int64_t> distance = x.distanceFrom(y);
           return distance && std::abs(*distance) <= 4;
         });
}

bool DevicePlanner::planTransposed(ArrayRef<ForOp> nest) {
  ForOp last = nest.back();
  if (nest.size() < 2 || !mayBeJammed(last) || hasInnerLoop(last) ||
      maxThreads < kTile * kTileRows ||
      !llvm::all_of(nest, [](ForOp loop) { return isHostExtent(loop); }))
    return false;
  AccessPattern pattern(last);
  // What is stored decides on the lanes.
  ForOp lane, cross;
  llvm::SmallDenseSet<Value> written;
  for (const Access &access : pattern.getAccesses()) {
    if (!access.writes)
      continue;
    if (access.indices.empty() || access.isUpdate())
      return false;
    ForOp along = getContiguous(nest, access.indices.back());
    if (!along || (lane && along != lane))
      return false;
    lane = along;
    written.insert(access.array);
  }
  if (!lane)
    return false;
  llvm::MapVector<Value, const Access *> tiles;
  llvm::SmallDenseSet<Value> refused;
  for (const Access &access : pattern.getAccesses()) {
    if (access.writes || access.indices.size() < 2)
      continue;
    ForOp along = getContiguous(nest, access.indices.back());
    auto type = cast<MemRefType>(access.array.getType());
    bool crosses = along && along != lane && (!cross || along == cross) &&
                   type.isLastDimUnitStride() &&
                   isa<BlockArgument>(access.array) &&
                   !written.contains(access.array) &&
                   llvm::any_of(access.indices, [&](const LinearIndex &index) {
                     return index.getCoefficient(lane.getInductionVar()) != 0;
                   });
    crosses =
        crosses && llvm::all_of(access.indices, [&](const LinearIndex &index) {
          return isRegular(nest, index, lane, along);
        });
    // What the threads read side by side stays.
    if (!crosses && std::abs(access.indices.back().getCoefficient(
                        lane.getInductionVar())) == 1)
      continue;
    auto known = tiles.find(access.array);
    if (!crosses || (known != tiles.end() && !isNear(*known->second, access))) {
      refused.insert(access.array);
      continue;
    }
    cross = along;
    tiles.insert({access.array, &access});
  }
  int64_t bytes = 0;
  for (auto &[array, access] : tiles)
    if (!refused.contains(array))
      bytes += (kTile + 4) * (kTile + 5) * 2 * kernel::getElementBytes(array);
  auto isShort = [](ForOp loop) {
    return loop.getStaticExtent() && *loop.getStaticExtent() < kTile / 2;
  };
  if (!bytes || bytes > 2 * kTileBytes || isShort(lane) || isShort(cross))
    return false;

  unsigned axis = nest.size();
  for (ForOp loop : nest) {
    --axis;
    if (loop == lane)
      setDigits(loop, {{LevelKind::Block, 0}, {LevelKind::Thread, kTile}}, axis,
                0);
    else if (loop == cross)
      setDigits(loop,
                {{LevelKind::Block, 0},
                 {LevelKind::Unroll, kTile / kTileRows},
                 {LevelKind::Thread, kTileRows}},
                axis, 1);
    else
      setDigits(loop, {{LevelKind::Block, 0}}, axis);
  }
  auto digit = StringAttr::get(context, last.getDim() + ".0");
  for (auto &[array, access] : tiles) {
    if (refused.contains(array))
      continue;
    unsigned number = cast<BlockArgument>(array).getArgNumber();
    // The clause names the array, so it needs a name of its own.
    std::string name = "S" + std::to_string(number);
    launch.setArgName(number, name);
    stages.push_back(ClauseAttr::get(context, StringAttr::get(context, name),
                                     digit, StringAttr::get(context, "shared"),
                                     1));
  }
  return true;
}

/// Threads along both dimensions of a tile of accumulators, steps of the fold
/// between two copies, registers of a thread, and bytes of all tiles.
static constexpr int64_t kProductThreads = 16, kProductDepth = 16,
                         kProductRegisters = 160, kProductBytes = 44 << 10;
/// Rows and columns from which on tiles pay.
static constexpr int64_t kProductSize = 48;

/// Accumulators of a thread along `loop`: those that waste least.
static int64_t getProductUnroll(ForOp loop) {
  std::optional<int64_t> extent = loop.getStaticExtent();
  if (!extent)
    return 4;
  int64_t best = 4;
  auto covered = [&](int64_t unroll) {
    return llvm::divideCeil(*extent, kProductThreads * unroll) * unroll;
  };
  for (int64_t unroll : {5, 3})
    if (covered(unroll) < covered(best))
      best = unroll;
  return best;
}

bool DevicePlanner::planProduct(ArrayRef<ForOp> nest) {
  ForOp last = nest.back();
  if (!hasOneRoot || nest.size() < 2 ||
      maxThreads < kProductThreads * kProductThreads ||
      !llvm::all_of(
          nest,
          [](ForOp loop) { return loop.isParallel() && isHostExtent(loop); }))
    return false;
  // One fold, and what stores its result.
  ForOp fold;
  for (Operation &op : last.getBodyBlock()->without_terminator()) {
    if (auto loop = dyn_cast<ForOp>(op)) {
      if (fold)
        return false;
      fold = loop;
    } else if (!isScalarOp(&op) && (!fold || !isa<StoreOp>(op))) {
      return false;
    }
  }
  if (!fold || !fold.isReduce() || !isCommutativeCombiner(fold.getCombiner()))
    return false;
  int64_t registers = 0;
  for (Type type : fold.getResultTypes()) {
    if (!type.isIntOrFloat())
      return false;
    registers += llvm::divideCeil(type.getIntOrFloatBitWidth(), 32);
  }
  SmallVector<ForOp> folds = getNest(fold);
  ForOp inner = folds.back();
  if (hasInnerLoop(inner) || !mayBeJammed(inner) ||
      holds<StoreOp, UpdateOp>(inner) ||
      !llvm::all_of(folds, [](ForOp loop) { return isHostExtent(loop); }))
    return false;

  // Columns are what is stored side by side.
  ForOp column, row;
  AccessPattern outside(last);
  llvm::SmallDenseSet<Value> written;
  for (const Access &access : outside.getAccesses()) {
    if (!access.writes)
      continue;
    ForOp along = access.indices.empty()
                      ? ForOp()
                      : getContiguous(nest, access.indices.back());
    if (!along || (column && along != column))
      return false;
    column = along;
    written.insert(access.array);
  }
  if (!column)
    return false;
  // Rows: some operand moves along them and stays along the columns.
  auto moves = [](const Access &access, ForOp loop) {
    return llvm::any_of(access.indices, [&](const LinearIndex &index) {
      return index.getCoefficient(loop.getInductionVar()) != 0;
    });
  };
  AccessPattern pattern(inner);
  for (ForOp loop : nest)
    if (loop != column &&
        llvm::any_of(pattern.getAccesses(), [&](const Access &access) {
          return moves(access, loop) && !moves(access, column);
        }))
      row = loop;
  if (!row)
    return false;
  int64_t unrollRows = getProductUnroll(row);
  int64_t unrollColumns = getProductUnroll(column), bytes = 0;
  // Several folds share an operand: long tiles, that there are more of.
  if (fold.getNumResults() > 2) {
    unrollRows = 2;
    unrollColumns = 5;
  }
  if (registers * unrollRows * unrollColumns > kProductRegisters)
    return false;
  SmallVector<ForOp> all(nest);
  llvm::append_range(all, folds);
  llvm::MapVector<Value, const Access *> tiles;
  bool movesAlongColumns = false;
  for (const Access &access : pattern.getAccesses()) {
    bool rows = moves(access, row), columns = moves(access, column);
    if (access.indices.empty() || (rows && columns) || !moves(access, inner) ||
        !isa<BlockArgument>(access.array) || written.contains(access.array) ||
        cast<LoadOp>(access.op).getEdge() || cast<LoadOp>(access.op).getMask())
      return false;
    for (const LinearIndex &index : access.indices)
      if (!isRegular(all, index, rows ? row : column, inner))
        return false;
    movesAlongColumns |= columns;
    auto [known, isNew] = tiles.insert({access.array, &access});
    if (!isNew && !llvm::equal(known->second->indices, access.indices))
      return false;
    if (isNew)
      bytes += (kProductDepth + 1) * kProductThreads *
               (rows ? unrollRows : unrollColumns) *
               kernel::getElementBytes(access.array);
  }
  if (!movesAlongColumns || bytes > kProductBytes)
    return false;
  // Neighbouring columns in one thread are one access to their tile, where they
  // lie together there.
  bool isWide = unrollColumns == 4;
  for (auto &[array, access] : tiles)
    isWide &= !moves(*access, column) ||
              getContiguous(nest, access->indices.back()) == column;

  unsigned axis = nest.size();
  SmallVector<StringRef> blocks, threads, unrolls, raisedDigits;
  auto name = [&](ForOp loop, unsigned digit) {
    return StringAttr::get(context, loop.getDim() + "." + Twine(digit))
        .getValue();
  };
  for (ForOp loop : nest) {
    --axis;
    blocks.push_back(name(loop, 0));
    if (loop != row && loop != column) {
      setDigits(loop, {{LevelKind::Block, 0}}, axis);
      continue;
    }
    int64_t unroll = loop == row ? unrollRows : unrollColumns;
    if (loop == column && isWide)
      setDigits(loop,
                {{LevelKind::Block, 0},
                 {LevelKind::Thread, kProductThreads},
                 {LevelKind::Unroll, unroll}},
                axis, 0);
    else
      setDigits(loop,
                {{LevelKind::Block, 0},
                 {LevelKind::Unroll, unroll},
                 {LevelKind::Thread, kProductThreads}},
                axis, loop == row ? 1 : 0);
  }
  for (ForOp loop : {row, column}) {
    bool turned = loop == column && isWide;
    threads.push_back(name(loop, turned ? 1 : 2));
    unrolls.push_back(name(loop, turned ? 2 : 1));
  }
  for (ForOp loop : folds) {
    raisedDigits.push_back(name(loop, 0));
    if (loop == inner)
      setDigits(loop, {{LevelKind::Seq, 0}, {LevelKind::Seq, kProductDepth}});
    else
      setDigits(loop, {{LevelKind::Seq, 0}});
  }
  for (ArrayRef<StringRef> part : {ArrayRef(blocks), ArrayRef(raisedDigits),
                                   ArrayRef(threads), ArrayRef(unrolls)})
    for (StringRef digit : part)
      wholeOrder.push_back(StringAttr::get(context, digit));
  wholeOrder.push_back(StringAttr::get(context, name(inner, 1)));
  for (auto &[array, access] : tiles) {
    unsigned number = cast<BlockArgument>(array).getArgNumber();
    std::string unique = "S" + std::to_string(number);
    launch.setArgName(number, unique);
    stages.push_back(ClauseAttr::get(context, StringAttr::get(context, unique),
                                     StringAttr::get(context, name(inner, 0)),
                                     StringAttr::get(context, "shared"),
                                     isWide && moves(*access, column) ? 4 : 1));
  }
  SmallVector<AffineExpr> conditions;
  for (auto [loop, least] :
       {std::pair(row, kProductSize), std::pair(column, kProductSize),
        std::pair(inner, kProductDepth)}) {
    AffineExpr size = getSize(loop);
    conditions.push_back(size ? size - least
                              : getAffineConstantExpr(-1, context));
  }
  bool always = addVersion(conditions);
  if (!always) {
    stages.clear();
    wholeOrder.clear();
    for (ForOp loop : all)
      dims.erase(loop.getDimAttr());
  }
  return always;
}
