//===- PlanSchedulesProducts.cpp - Folds that share their operands --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A fold whose operands each stay along one of two dimensions (a matrix
// product) reads them once for a tile of accumulators:
//
//   y[i, j] = sum for l { a[i, l] * b[l, j] }
//   i = [block.1, unroll 2, thread.y 16, unroll 8],
//   j = [block.0, unroll 2, thread.x 16, unroll 4], l = [seq, seq 16],
//   order = [i.0, j.0, l.0, i.2, j.2, i.1, i.3, j.1, j.3, l.1],
//   stage = [A at l.0 shared pad 4 turned ahead, B at l.0 shared ahead]
//
// A thread has groups of neighbouring rows and columns: a group is one access
// to a tile, and threads next to each other read next to each other. What the
// fold walks in memory is turned on chip, so that neighbours lie together
// there, too. Shapes of tiles are versions: large ones where there are enough
// blocks; with accesses of 16 bytes where rows start at such places and nothing
// is turned, as what is turned is stored element by element.
//
// A fold over what does not depend on the output (all pairs) shares it between
// the threads of a block and between the outputs of a thread:
//
//   y[i] = sum for j { f(x[i], x[j]) }
//   i = [block.0, unroll 4, thread.x 128], j = [seq, seq 128],
//   order = [i.0, j.0, i.2, i.1, j.1], stage = [X at j.0 shared ahead]
//
//===----------------------------------------------------------------------===//

#include "NestScalars.h"
#include "PlanSchedulesDevice.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Support/Combiner.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Threads along both dimensions of a tile.
static constexpr int64_t kThreads = 16;
/// Shared memory of all tiles of a block.
static constexpr int64_t kBytes = 44 << 10;
/// Rows and columns from which on tiles pay, and large ones.
static constexpr int64_t kSmall = 48, kLarge = 1536;
/// Operations of a step that are few.
static constexpr unsigned kFew = 2;

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

static bool moves(ArrayRef<LinearIndex> indices, ForOp loop) {
  return llvm::any_of(indices, [&](const LinearIndex &index) {
    return index.getCoefficient(loop.getInductionVar()) != 0;
  });
}

std::optional<Product> DevicePlanner::findProduct(ArrayRef<ForOp> nest) {
  ForOp last = nest.back();
  if (!hasOneRoot || nest.size() < 2 || maxThreads < kThreads * kThreads ||
      !llvm::all_of(
          nest,
          [](ForOp loop) { return loop.isParallel() && isHostExtent(loop); }))
    return std::nullopt;
  // One fold, and what stores its result.
  ForOp fold;
  for (Operation &op : last.getBodyBlock()->without_terminator()) {
    if (auto loop = dyn_cast<ForOp>(op)) {
      if (fold)
        return std::nullopt;
      fold = loop;
    } else if (!isScalarOp(&op) && (!fold || !isa<StoreOp>(op))) {
      return std::nullopt;
    }
  }
  if (!fold || !fold.isReduce() || !isCommutativeCombiner(fold.getCombiner()))
    return std::nullopt;
  Product product;
  for (Type type : fold.getResultTypes()) {
    if (!type.isIntOrFloat())
      return std::nullopt;
    product.registers += llvm::divideCeil(type.getIntOrFloatBitWidth(), 32);
  }
  product.folds = getNest(fold);
  ForOp inner = product.folds.back();
  if (hasInnerLoop(inner) || !mayBeJammed(inner) ||
      holds<StoreOp, UpdateOp>(inner) ||
      !llvm::all_of(product.folds,
                    [](ForOp loop) { return isHostExtent(loop); }))
    return std::nullopt;
  product.branches = holds<scf::IfOp>(inner);

  // Columns are what is stored side by side.
  AccessPattern outside(last);
  llvm::SmallDenseSet<Value> written;
  for (const Access &access : outside.getAccesses()) {
    if (!access.writes)
      continue;
    ForOp along = access.indices.empty()
                      ? ForOp()
                      : getContiguous(nest, access.indices.back());
    if (!along || (product.column && along != product.column))
      return std::nullopt;
    product.column = along;
    written.insert(access.array);
  }
  if (!product.column)
    return std::nullopt;
  // Rows: some operand moves along them and stays along the columns.
  AccessPattern pattern(inner);
  for (ForOp loop : nest)
    if (loop != product.column &&
        llvm::any_of(pattern.getAccesses(), [&](const Access &access) {
          return moves(access.indices, loop) &&
                 !moves(access.indices, product.column);
        }))
      product.row = loop;
  if (!product.row)
    return std::nullopt;
  SmallVector<ForOp> all(nest);
  llvm::append_range(all, product.folds);
  bool movesAlongColumns = false;
  for (const Access &access : pattern.getAccesses()) {
    ArrayRef<LinearIndex> indices = access.indices;
    bool rows = moves(indices, product.row);
    bool columns = moves(indices, product.column);
    if (indices.empty() || (rows && columns) || !moves(indices, inner) ||
        !isa<BlockArgument>(access.array) || written.contains(access.array) ||
        cast<LoadOp>(access.op).getEdge() || cast<LoadOp>(access.op).getMask())
      return std::nullopt;
    for (const LinearIndex &index : indices)
      if (!isRegular(all, index, rows ? product.row : product.column, inner))
        return std::nullopt;
    movesAlongColumns |= columns;
    auto [known, isNew] = product.operands.insert(
        {access.array, SmallVector<LinearIndex>(indices)});
    if (!isNew && !llvm::equal(known->second, indices))
      return std::nullopt;
    product.bytes =
        std::max(product.bytes, kernel::getElementBytes(access.array));
  }
  if (!movesAlongColumns)
    return std::nullopt;
  return product;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

namespace {
/// What a thread computes, and when.
struct Shape {
  ThreadTile rows, columns;
  int64_t depth;
  /// Sizes for which it is taken; no end if 0.
  int64_t least, mostRows = 0;
};
} // namespace

/// Shapes for a product, the best first: as many outputs as registers allow,
/// and no more code than pays. Threads along x read neighbouring groups of at
/// most 16 bytes. One block of 16 x 8 outputs a thread is as much at work on a
/// multiprocessor as two of 8 x 8, and reads three quarters of their operands.
static SmallVector<Shape> getShapes(const Product &product) {
  int64_t registers = product.registers, bytes = product.bytes;
  ThreadTile four = bytes <= 4 ? ThreadTile{1, 4} : ThreadTile{2, 2};
  ForOp inner = product.folds.back();
  auto operations = llvm::count_if(*inner.getBodyBlock(), [](Operation &op) {
    return !isa<LoadOp, YieldOp>(op);
  });
  ThreadTile rows = {2, operations <= kFew ? 8 : 4};
  if (registers == 1)
    return {{rows, {2, 4}, 16, kLarge}, {{1, 4}, {1, 4}, 16, kSmall}};
  if (registers == 2)
    return {{{2, 4}, four, 8, kLarge}, {{1, 4}, four, 16, kSmall}};
  if (registers <= 4)
    return {{{1, 4}, four, 8, kSmall}};
  if (registers <= 6)
    return {{{5, 1}, {3, 1}, 16, 65, 80}, {{1, 4}, {3, 1}, 16, kSmall}};
  if (registers <= 10)
    return {{{1, 4}, {1, 2}, 8, kSmall}};
  return {};
}

/// Accumulators of a thread along `loop`: those that waste least.
static ThreadTile fit(ForOp loop, ThreadTile tile) {
  std::optional<int64_t> extent = loop.getStaticExtent();
  if (!extent)
    return tile;
  int64_t best = tile.size();
  auto covered = [&](int64_t size) {
    return llvm::divideCeil(*extent, kThreads * size) * size;
  };
  for (int64_t size : {5, 3})
    if (size < 2 * tile.size() && tile.size() < 2 * size &&
        covered(size) < covered(best))
      best = size;
  return best == tile.size() ? tile : ThreadTile{best, 1};
}

/// Whether the fold walks along the rows of an operand in memory: on chip,
/// neighbouring rows or columns of the product lie together.
static bool isTurned(const Product &product, ArrayRef<LinearIndex> indices) {
  ForOp inner = product.folds.back();
  ForOp along = moves(indices, product.row) ? product.row : product.column;
  SmallVector<ForOp> both = {inner, along};
  return indices.size() > 1 && getContiguous(both, indices.back()) == inner;
}

void DevicePlanner::setProduct(ArrayRef<ForOp> nest, const Product &product,
                               ThreadTile rows, ThreadTile columns,
                               int64_t depth, bool wide) {
  ForOp inner = product.folds.back();
  SmallVector<StringAttr> blocks, raisedDigits, threads, unrolls;
  unsigned axis = nest.size();
  for (ForOp loop : nest) {
    --axis;
    blocks.push_back(getDigitName(loop, 0));
    if (loop != product.row && loop != product.column) {
      setDigits(loop, {{LevelKind::Block, 0}}, axis);
      continue;
    }
    ThreadTile tile = loop == product.row ? rows : columns;
    setDigits(loop,
              {{LevelKind::Block, 0},
               {LevelKind::Unroll, tile.groups},
               {LevelKind::Thread, kThreads},
               {wide && loop == product.column ? LevelKind::Vector
                                               : LevelKind::Unroll,
                tile.neighbours}},
              axis, loop == product.row ? 1 : 0);
  }
  for (ForOp loop : {product.row, product.column})
    for (auto [k, digit] : llvm::enumerate(dims[loop.getDimAttr()])) {
      if (digit.getLevel().isThread())
        threads.push_back(getDigitName(loop, k));
      if (digit.getLevel().isUnroll() || digit.getLevel().isVector())
        unrolls.push_back(getDigitName(loop, k));
    }
  for (ForOp loop : product.folds) {
    raisedDigits.push_back(getDigitName(loop, 0));
    if (loop == inner)
      setDigits(loop, {{LevelKind::Seq, 0}, {LevelKind::Seq, depth}});
    else
      setDigits(loop, {{LevelKind::Seq, 0}});
  }
  for (ArrayRef<StringAttr> part : {ArrayRef(blocks), ArrayRef(raisedDigits),
                                    ArrayRef(threads), ArrayRef(unrolls)})
    llvm::append_range(wholeOrder, part);
  wholeOrder.push_back(getDigitName(inner, 1));
  for (auto &[array, indices] : product.operands) {
    int64_t pad =
        std::max<int64_t>(vectorBytes / kernel::getElementBytes(array), 1);
    stages.push_back(
        ClauseAttr::get(context, nameArray(array), getDigitName(inner, 0),
                        StringAttr::get(context, "shared"), pad,
                        isTurned(product, indices), !product.branches));
  }
}

bool DevicePlanner::addAlignment(const Product &product,
                                 SmallVectorImpl<AffineExpr> &conditions) {
  for (auto &[array, indices] : product.operands) {
    auto type = cast<MemRefType>(array.getType());
    int64_t width = vectorBytes / kernel::getElementBytes(array);
    if (isTurned(product, indices) || !type.getLayout().isIdentity() ||
        width < 2 || !alignRows(array, width, conditions))
      return false;
  }
  return true;
}

bool DevicePlanner::planProduct(ArrayRef<ForOp> nest) {
  std::optional<Product> product = findProduct(nest);
  if (!product)
    return false;
  ForOp inner = product->folds.back();
  AffineExpr rows = getSize(product->row), columns = getSize(product->column);
  AffineExpr depth = getSize(inner);
  if (!rows || !columns || !depth)
    return false;
  auto clear = [&] {
    stages.clear();
    wholeOrder.clear();
    for (ForOp loop : nest)
      dims.erase(loop.getDimAttr());
    for (ForOp loop : product->folds)
      dims.erase(loop.getDimAttr());
  };
  for (Shape shape : getShapes(*product)) {
    ThreadTile r = fit(product->row, shape.rows);
    ThreadTile c = fit(product->column, shape.columns);
    int64_t bytes = 0;
    for (auto &[array, indices] : product->operands)
      bytes += (shape.depth + 1) * kThreads *
               (moves(indices, product->row) ? r : c).size() *
               kernel::getElementBytes(array);
    if (bytes > kBytes)
      continue;
    int64_t leastColumns = shape.mostRows ? kSmall : shape.least;
    SmallVector<AffineExpr> conditions = {
        rows - shape.least, columns - leastColumns, depth - shape.depth};
    if (shape.mostRows)
      conditions.push_back(getAffineConstantExpr(shape.mostRows, context) -
                           rows);
    // Large ones also with wide accesses.
    for (bool wide : {true, false}) {
      SmallVector<AffineExpr> all = conditions;
      if (wide && (shape.least != kLarge || !addAlignment(*product, all)))
        continue;
      setProduct(nest, *product, r, c, shape.depth, wide);
      if (addVersion(all))
        return true;
      clear();
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// All pairs
//===----------------------------------------------------------------------===//

/// Threads of a block, and steps of a tile; outputs of a thread, and how many
/// there must be for that.
static constexpr int64_t kPairThreads = 128, kPairDepth = 128;
static constexpr std::pair<int64_t, int64_t> kPairShapes[] = {
    {4, 1 << 17}, {2, 1 << 15}, {1, 1 << 11}};

/// The operands of `fold` that do not move along `row`; nothing if others
/// move along both, or something else stands in the way.
static std::optional<llvm::MapVector<Value, SmallVector<LinearIndex>>>
findPairs(ForOp row, ForOp fold) {
  llvm::MapVector<Value, SmallVector<LinearIndex>> operands;
  SmallVector<ForOp> both = {row, fold};
  AccessPattern pattern(fold);
  for (const Access &access : pattern.getAccesses()) {
    auto load = dyn_cast<LoadOp>(access.op);
    auto array = dyn_cast<BlockArgument>(access.array);
    if (!load || !array || load.getEdge() || load.getMask() ||
        access.indices.empty() || !moves(access.indices, fold))
      return std::nullopt;
    for (const LinearIndex &index : access.indices)
      if (index.getCoefficient(row.getInductionVar()) != 0 ||
          !isRegular(both, index, fold, fold))
        return std::nullopt;
    for (Operation *user : array.getUsers())
      if (!isa<LoadOp>(user))
        return std::nullopt;
    auto [known, isNew] = operands.insert(
        {array, SmallVector<LinearIndex>(ArrayRef(access.indices))});
    if (!isNew && !llvm::equal(known->second, access.indices))
      return std::nullopt;
  }
  if (operands.empty())
    return std::nullopt;
  return operands;
}

bool DevicePlanner::planAllPairs(ArrayRef<ForOp> nest) {
  ForOp row = nest.back(), fold;
  if (!hasOneRoot || nest.size() != 1 || !row.isParallel() ||
      !isHostExtent(row) || maxThreads < kPairThreads)
    return false;
  for (Operation &op : row.getBodyBlock()->without_terminator()) {
    if (auto loop = dyn_cast<ForOp>(op)) {
      if (fold)
        return false;
      fold = loop;
    } else if (!isScalarOp(&op) && !isa<LoadOp>(op) &&
               (!fold || !isa<StoreOp>(op))) {
      return false;
    }
  }
  if (!fold || !fold.isReduce() || !isCommutativeCombiner(fold.getCombiner()) ||
      hasInnerLoop(fold) || !mayBeJammed(fold) || holds<scf::IfOp>(fold) ||
      !isHostExtent(fold) ||
      !llvm::all_of(fold.getResultTypes(),
                    [](Type type) { return type.isIntOrFloat(); }))
    return false;
  // What the outputs read for themselves may be read again in each tile.
  for (Operation &op : *row.getBodyBlock()) {
    if (&op == fold.getOperation())
      break;
    if (auto load = dyn_cast<LoadOp>(op))
      for (Operation *user : load.getSource().getUsers())
        if (!isa<BlockArgument>(load.getSource()) || !isa<LoadOp>(user))
          return false;
  }
  auto operands = findPairs(row, fold);
  AffineExpr rows = getSize(row), depth = getSize(fold);
  if (!operands || !rows || !depth)
    return false;
  int64_t bytes = 0;
  for (auto &[array, indices] : *operands)
    bytes += (kPairDepth + 4) * kernel::getElementBytes(array);
  if (bytes > kBytes)
    return false;
  for (auto [outputs, least] : kPairShapes) {
    setDigits(row, {{LevelKind::Block, 0},
                    {LevelKind::Unroll, outputs},
                    {LevelKind::Thread, kPairThreads}});
    setDigits(fold, {{LevelKind::Seq, 0}, {LevelKind::Seq, kPairDepth}});
    wholeOrder = {getDigitName(row, 0), getDigitName(fold, 0)};
    for (unsigned digit : {2, 1})
      if (digit < dims[row.getDimAttr()].size())
        wholeOrder.push_back(getDigitName(row, digit));
    wholeOrder.push_back(getDigitName(fold, 1));
    for (auto &[array, indices] : *operands)
      stages.push_back(
          ClauseAttr::get(context, nameArray(array), getDigitName(fold, 0),
                          StringAttr::get(context, "shared"), 0, false, true));
    if (addVersion({rows - least, depth - kPairDepth}))
      return true;
    stages.clear();
    wholeOrder.clear();
    dims.erase(row.getDimAttr());
    dims.erase(fold.getDimAttr());
  }
  return false;
}
