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

#include "ProductShapes.h"

#include "arrc/Analysis/AccessPattern.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

static constexpr int64_t kThreads = Product::threads;
/// Shared memory of all tiles of a block.
static constexpr int64_t kBytes = 44 << 10;

namespace {
/// How a box lies on chip.
struct BoxLayout {
  bool turned;
  int64_t pad;
};
} // namespace

/// Where what the fold walks lies together in memory, it is turned: neighbours
/// of the results lie together on chip. What warps multiply as matrices has its
/// steps together instead: 8 lanes read 16 bytes each at once, of two rows,
/// which are to lie in different banks.
static BoxLayout getLayout(const Product &product, const ProductShape &shape,
                           Value array, int64_t vectorBytes) {
  constexpr int64_t bankBytes = 128;
  int64_t bytes = kernel::getElementBytes(array);
  int64_t pad = std::max<int64_t>(vectorBytes / bytes, 1);
  bool turned = isTurned(product, array);
  if (!shape.multiplies)
    return {turned, pad};
  return {!turned, shape.depth * bytes % bankBytes == 0 ? pad : 0};
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
  multiplies = shape.multiplies;
  llvm::SmallDenseSet<Value> staged;
  for (auto &[array, indices] : product.operands) {
    if ((!shape.stagesColumns && !Product::moves(indices, product.row)) ||
        !staged.insert(array).second)
      continue;
    auto [turned, pad] = getLayout(product, shape, array, vectorBytes);
    stages.push_back(ClauseAttr::get(context, nameArray(array),
                                     getDigitName(inner, 0),
                                     StringAttr::get(context, "shared"), pad,
                                     turned, shape.ahead && !product.branches));
  }
}

bool DevicePlanner::addAlignment(const Product &product, bool multiplies,
                                 SmallVectorImpl<AffineExpr> &conditions) {
  for (auto &[array, indices] : product.operands) {
    auto type = cast<MemRefType>(array.getType());
    int64_t width = vectorBytes / kernel::getElementBytes(array);
    if ((isTurned(product, array) && !multiplies) ||
        !type.getLayout().isIdentity() || width < 2 ||
        !alignRows(array, width, conditions))
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
    multiplies = false;
    stages.clear();
    wholeOrder.clear();
    dropDigits(nest);
    dropDigits(product->folds);
  };
  if (planTinyProduct(nest, *product))
    return true;
  product->matrix = findMatrix(*product);
  for (ProductShape shape : getShapes(*product, units, nest.size() > 2)) {
    shape.rows = fit(product->row, shape.rows, shape.y);
    shape.columns = fit(product->column, shape.columns, shape.x);
    int64_t bytes = 0;
    for (auto &[array, indices] : product->operands)
      bytes += (shape.depth + 1) *
               (Product::moves(indices, product->row)
                    ? shape.countRows()
                    : shape.countColumns() * shape.stagesColumns) *
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
    AffineExpr tiles =
        rows.ceilDiv(shape.countRows()) * columns.ceilDiv(shape.countColumns());
    for (ForOp loop : nest)
      if (loop != product->row && loop != product->column)
        tiles = tiles && getSize(loop) ? tiles * getSize(loop) : AffineExpr();
    if ((shape.mostTiles || shape.leastTiles || shape.leastFill) && !tiles)
      continue;
    limit(tiles, shape.mostTiles);
    if (shape.leastTiles)
      conditions.push_back(tiles - shape.leastTiles);
    if (shape.leastFill)
      conditions.push_back(tiles * 7 -
                           tiles.ceilDiv(units) * (units * shape.leastFill));
    // Large ones also with wide accesses.
    for (bool wide : {true, false}) {
      SmallVector<AffineExpr> all = conditions;
      if (wide &&
          (!shape.isLarge || !addAlignment(*product, shape.multiplies, all)))
        continue;
      setProduct(nest, *product, shape, wide);
      if (addVersion(all))
        return true;
      clear();
    }
  }
  return planSmallProducts(nest, *product);
}
