//===- Products.cpp - Folds that share their operands ---------------------===//
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
// is turned, as what is turned is stored element by element. Where columns are
// few the lanes have one or two each, and many rows; where rows are few and
// columns are enough for all multiprocessors a thread has all rows, and what
// the columns read needs no tile, if it lies side by side along them:
//
//   i = [block.1, thread.y 8, unroll 16], j = [block.0, thread.x 16]
//   i = [block.1, unroll 16], j = [block.0, unroll 2, thread.x 128]
//
// Few outputs of long folds (a^T a of many rows) are tiles of which several
// blocks take parts of the fold, whose sums are added in order: as many as give
// each multiprocessor something to do.
//
//   l = [seq, block.2 16, seq 16], order = [l.1, i.0, j.0, l.0, ..]
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "arrc/Analysis/AccessPattern.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

static constexpr int64_t kThreads = Product::threads;
/// Steps of the fold in a box.
static constexpr int64_t kDepth = 16;
/// Shared memory of all tiles of a block.
static constexpr int64_t kBytes = 44 << 10;
/// Rows and columns from which on tiles pay, and large ones.
static constexpr int64_t kSmall = 48, kLarge = 1536;
/// Rows and columns of tiles for few of one of them, and the fewest of the
/// other.
static constexpr int64_t kNarrow = 16, kFewestLong = 256;
/// Steps of a fold from which on blocks share it, and outputs along a dimension
/// up to which they do.
static constexpr int64_t kLongFold = 1 << 14, kFewOutputs = 128;
/// Blocks that may share the fold of a tile where there are few tiles, and
/// blocks a multiprocessor up to which they do; boxes that each has at least.
struct Shares {
  int64_t blocks, perUnit;
};
static constexpr Shares kShares[] = {{64, 4}, {16, 8}, {4, 8}};
static constexpr int64_t kLeastBoxes = 4;
/// Columns from which on blocks share the fold of a tile.
static constexpr int64_t kFewColumns = 9;
/// Operations of a step that are few.
static constexpr unsigned kFew = 2;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// What a thread computes, and when.
struct arrc::kernel::ProductShape {
  ThreadTile rows, columns;
  int64_t depth;
  /// Sizes for which it is taken; no end if 0.
  int64_t leastRows, leastColumns, mostRows = 0, mostColumns = 0;
  /// Threads along both, and blocks that share the fold.
  int64_t y = kThreads, x = kThreads, blocks = 1;
  /// Tiles up to which it is taken; no end if 0. Tiles from which on it is.
  int64_t mostTiles = 0, leastTiles = 0;
  /// Steps for which it is taken.
  int64_t leastDepth = depth;
  /// Whether operands along the columns are staged, and the box of the next
  /// step is loaded while threads work on this one.
  bool stagesColumns = true, ahead = true;

  bool isLarge() const { return leastRows == kLarge; }
};

/// Tiles of blocks of 128 threads: four of these wait for their boxes where two
/// of 256 would, and there are as many more of them.
static ProductShape getSmallShape(const Product &product) {
  int64_t side = product.registers == 1 ? 4 : 2;
  ProductShape shape = {{1, side}, {1, side}, kDepth, 1, 1};
  shape.y = kThreads / 2;
  return shape;
}

/// Few outputs of long folds.
static SmallVector<ProductShape> getSplitShapes(const Product &product,
                                                int64_t units, bool isBatch) {
  ProductShape large = {{1, 4}, {1, 4}, 16, 1, 1, kFewOutputs, kFewOutputs};
  large.leastDepth = kLongFold;
  large.blocks = 2 * units;
  if (product.registers > 1)
    large.columns = {2, 2};
  ProductShape small = large;
  small.rows = small.columns = {1, 2};
  small.y = small.x = 8;
  small.depth = 32;
  small.mostRows = small.mostColumns = kNarrow;
  small.blocks = 8 * units;
  SmallVector<ProductShape> shapes;
  if (!isBatch)
    shapes = {small, large};
  for (auto [blocks, perUnit] : kShares) {
    ProductShape shape = getSmallShape(product);
    shape.leastColumns = kFewColumns;
    shape.blocks = blocks;
    shape.leastDepth = blocks * kLeastBoxes * shape.depth;
    shape.mostTiles = perUnit * units / blocks;
    shapes.push_back(shape);
  }
  return shapes;
}

/// Steps of a box, at most `depth`: a fold of a known number of steps has no
/// short last box.
static int64_t fitDepth(const Product &product, int64_t depth) {
  std::optional<int64_t> steps = ForOp(product.folds.back()).getStaticExtent();
  if (!steps || *steps <= 1)
    return depth;
  return llvm::divideCeil(*steps, llvm::divideCeil(*steps, depth));
}

static bool isTurned(const Product &product, Value array);

/// Few columns.
static SmallVector<ProductShape> getNarrowShapes(const Product &product) {
  int64_t depth = fitDepth(product, kDepth);
  std::optional<int64_t> columns = ForOp(product.column).getStaticExtent();
  SmallVector<ProductShape> shapes;
  for (int64_t groups : {1, 2}) {
    // 128 threads, and as many rows as registers allow: blocks that wait for a
    // box are hidden by others, which costs less than to load it ahead.
    ProductShape shape = {
        {1, kNarrow / product.registers}, {groups, 1}, depth, kFewestLong, 1};
    shape.mostColumns = groups * kNarrow;
    shape.leastDepth = 1;
    shape.ahead = false;
    shape.y = kThreads / 2;
    if (columns && *columns <= kThreads / 2) {
      shape.x = std::max<int64_t>(ceilPower(*columns), 2);
      shape.y = kThreads * kThreads / 2 / shape.x;
      shape.rows.neighbours =
          std::min<int64_t>(256 / shape.y, shape.rows.neighbours);
    }
    shapes.push_back(shape);
    // Known to be that few.
    if (columns && *columns <= shape.mostColumns)
      break;
  }
  return shapes;
}

/// Few rows: a thread has all of them.
static SmallVector<ProductShape> getFlatShape(const Product &product,
                                              int64_t units) {
  // Without a tile lanes read along the columns.
  if (llvm::any_of(product.operands, [&](auto &operand) {
        return Product::moves(operand.second, product.column) &&
               isTurned(product, operand.first);
      }))
    return {};
  int64_t depth = fitDepth(product, kDepth);
  std::optional<int64_t> steps = ForOp(product.folds.back()).getStaticExtent(),
                         rows = ForOp(product.row).getStaticExtent();
  ProductShape flat = {{1, kNarrow}, {2, 1}, depth, 1, kFewestLong, kNarrow, 0};
  if (rows)
    flat.rows.neighbours = std::min(*rows, kNarrow);
  flat.leastDepth = 1;
  // One box has none after it.
  flat.ahead = !steps || *steps > depth;
  flat.y = 1;
  flat.x = kThreads * kThreads / 2;
  flat.stagesColumns = false;
  flat.leastTiles = units;
  return {flat};
}

/// Shapes for a product, the best first: as many outputs as registers allow,
/// and no more code than pays. Threads along x read neighbouring groups of at
/// most 16 bytes. One block of 16 x 8 outputs a thread is as much at work on a
/// multiprocessor as two of 8 x 8, and reads three quarters of their operands.
static SmallVector<ProductShape> getShapes(const Product &product,
                                           int64_t units, bool isBatch) {
  int64_t registers = product.registers, bytes = product.bytes;
  ThreadTile four = bytes <= 4 ? ThreadTile{1, 4} : ThreadTile{2, 2};
  ForOp inner = product.folds.back();
  auto operations = llvm::count_if(*inner.getBodyBlock(), [](Operation &op) {
    return !isa<LoadOp, YieldOp>(op);
  });
  ThreadTile rows = {2, operations <= kFew ? 8 : 4};
  if (registers <= 2) {
    SmallVector<ProductShape> shapes;
    if (registers == 1)
      shapes.push_back({rows, {2, 4}, 16, kLarge, kLarge});
    else
      shapes.push_back({{2, 4}, four, 8, kLarge, kLarge});
    llvm::append_range(shapes, getSplitShapes(product, units, isBatch));
    ProductShape small = getSmallShape(product);
    small.leastColumns = 2 * kNarrow + 1;
    small.leastDepth = 1;
    // Many columns of few rows need no tile.
    llvm::append_range(shapes, getFlatShape(product, units));
    if (inner.getStaticExtent().value_or(kDepth) < kDepth)
      small.depth = fitDepth(product, kDepth);
    shapes.push_back(small);
    llvm::append_range(shapes, getNarrowShapes(product));
    return shapes;
  }
  if (registers <= 4)
    return {{{1, 4}, four, 8, kSmall, kSmall}};
  if (registers <= 6)
    return {{{5, 1}, {3, 1}, 16, 65, kSmall, 80},
            {{1, 4}, {3, 1}, 16, kSmall, kSmall}};
  if (registers <= 10)
    return {{{1, 4}, {1, 2}, 8, kSmall, kSmall}};
  return {};
}

/// Accumulators of a thread along `loop`: those that waste least.
static ThreadTile fit(ForOp loop, ThreadTile tile, int64_t threads) {
  std::optional<int64_t> extent = loop.getStaticExtent();
  if (!extent || threads != kThreads)
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

/// Whether the fold walks along the rows of `array` in memory: on chip,
/// neighbouring rows or columns of the product lie together. What is both
/// operands has one place for both.
static bool isTurned(const Product &product, Value array) {
  ForOp inner = product.folds.back();
  return llvm::all_of(product.operands, [&](auto &operand) {
    auto &[other, indices] = operand;
    ForOp along =
        Product::moves(indices, product.row) ? product.row : product.column;
    SmallVector<ForOp> both = {inner, along};
    return other != array ||
           (indices.size() > 1 && getContiguous(both, indices.back()) == inner);
  });
}

void DevicePlanner::setProduct(ArrayRef<ForOp> nest, const Product &product,
                               const ProductShape &shape, bool wide) {
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
    ThreadTile tile = loop == product.row ? shape.rows : shape.columns;
    setDigits(loop,
              {{LevelKind::Block, 0},
               {LevelKind::Unroll, tile.groups},
               {LevelKind::Thread, loop == product.row ? shape.y : shape.x},
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
  // Blocks take steps by turns.
  unsigned step = shape.blocks > 1 ? 1 : 0;
  for (ForOp loop : product.folds) {
    if (loop == inner && step) {
      setDigits(loop,
                {{LevelKind::Seq, 0},
                 {LevelKind::Block, shape.blocks},
                 {LevelKind::Seq, shape.depth}},
                nest.size());
      blocks.insert(blocks.begin(), getDigitName(loop, 1));
    } else if (loop == inner) {
      setDigits(loop, {{LevelKind::Seq, 0}, {LevelKind::Seq, shape.depth}});
    } else {
      setDigits(loop, {{LevelKind::Seq, 0}});
    }
    raisedDigits.push_back(getDigitName(loop, 0));
  }
  for (ArrayRef<StringAttr> part : {ArrayRef(blocks), ArrayRef(raisedDigits),
                                    ArrayRef(threads), ArrayRef(unrolls)})
    llvm::append_range(wholeOrder, part);
  wholeOrder.push_back(getDigitName(inner, step + 1));
  llvm::SmallDenseSet<Value> staged;
  for (auto &[array, indices] : product.operands) {
    if ((!shape.stagesColumns && !Product::moves(indices, product.row)) ||
        !staged.insert(array).second)
      continue;
    int64_t pad =
        std::max<int64_t>(vectorBytes / kernel::getElementBytes(array), 1);
    stages.push_back(ClauseAttr::get(
        context, nameArray(array), getDigitName(inner, 0),
        StringAttr::get(context, "shared"), pad, isTurned(product, array),
        shape.ahead && !product.branches));
  }
}

bool DevicePlanner::addAlignment(const Product &product,
                                 SmallVectorImpl<AffineExpr> &conditions) {
  for (auto &[array, indices] : product.operands) {
    auto type = cast<MemRefType>(array.getType());
    int64_t width = vectorBytes / kernel::getElementBytes(array);
    if (isTurned(product, array) || !type.getLayout().isIdentity() ||
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
    dropDigits(nest);
    dropDigits(product->folds);
  };
  if (planTinyProduct(nest, *product))
    return true;
  for (ProductShape shape : getShapes(*product, units, nest.size() > 2)) {
    shape.rows = fit(product->row, shape.rows, shape.y);
    shape.columns = fit(product->column, shape.columns, shape.x);
    int64_t bytes = 0;
    for (auto &[array, indices] : product->operands)
      bytes += (shape.depth + 1) *
               (Product::moves(indices, product->row)
                    ? shape.y * shape.rows.size()
                    : shape.x * shape.columns.size() * shape.stagesColumns) *
               kernel::getElementBytes(array);
    if (bytes > kBytes)
      continue;
    SmallVector<AffineExpr> conditions = {rows - shape.leastRows,
                                          columns - shape.leastColumns,
                                          depth - shape.leastDepth};
    auto limit = [&](AffineExpr size, int64_t most) {
      if (most)
        conditions.push_back(getAffineConstantExpr(most, context) - size);
    };
    limit(rows, shape.mostRows);
    limit(columns, shape.mostColumns);
    AffineExpr tiles = rows.ceilDiv(shape.y * shape.rows.size()) *
                       columns.ceilDiv(shape.x * shape.columns.size());
    for (ForOp loop : nest)
      if (loop != product->row && loop != product->column)
        tiles = tiles && getSize(loop) ? tiles * getSize(loop) : AffineExpr();
    if ((shape.mostTiles || shape.leastTiles) && !tiles)
      continue;
    limit(tiles, shape.mostTiles);
    if (shape.leastTiles)
      conditions.push_back(tiles - shape.leastTiles);
    // Large ones also with wide accesses.
    for (bool wide : {true, false}) {
      SmallVector<AffineExpr> all = conditions;
      if (wide && (!shape.isLarge() || !addAlignment(*product, all)))
        continue;
      setProduct(nest, *product, shape, wide);
      if (addVersion(all))
        return true;
      clear();
    }
  }
  return planSmallProducts(nest, *product);
}
