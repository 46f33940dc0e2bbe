//===- ProductShapes.cpp - Shapes of tiles of products --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ProductShapes.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

static constexpr int64_t kThreads = Product::threads;
/// Steps of the fold in a box.
static constexpr int64_t kDepth = 16;
/// Rows and columns from which on tiles pay, and large ones.
static constexpr int64_t kSmall = 48, kLarge = 1536;
/// Rows and columns of tiles for few of one of them, and the fewest of the
/// other.
static constexpr int64_t kNarrow = 16, kFewestLong = 256;
/// Steps of a fold from which on blocks share it, and outputs along a dimension
/// up to which they do.
static constexpr int64_t kLongFold = 1 << 14, kFewOutputs = 128;
/// Blocks that may share the fold of a tile where there are few tiles, blocks a
/// multiprocessor up to which they do, and boxes that each has at least.
struct Shares {
  int64_t blocks, perUnit, leastBoxes;
};
static constexpr Shares kShares[] = {{64, 6, 4}, {16, 8, 4}, {4, 10, 8}};
/// Columns from which on blocks share the fold of a tile.
static constexpr int64_t kFewColumns = 9;
/// Operations of a step that are few.
static constexpr unsigned kFew = 2;

/// Tiles of 64 x 128 outputs (of 64 bits 32 x 64), 8 x 4 (4 x 2) a thread.
static ProductShape getMediumShape(const Product &product) {
  ProductShape shape = {{1, 8}, {1, 4}, kDepth, 1, 1};
  if (product.registers > 1) {
    shape.rows = {1, 4};
    shape.columns = {1, 2};
  }
  shape.y = kThreads / 2;
  shape.x = 2 * kThreads;
  // More than half of a tile is there.
  shape.leastRows = shape.y * shape.rows.size() / 2 + 1;
  shape.leastColumns = shape.x * shape.columns.size() / 2 + 1;
  return shape;
}

/// Half of them, in blocks of 128 threads, with deeper boxes.
static ProductShape getHalfShape(const Product &product) {
  ProductShape shape = getMediumShape(product);
  if (product.registers == 1) {
    shape.x /= 2;
    shape.leastColumns = shape.x * shape.columns.size() / 2 + 1;
    shape.depth = shape.leastDepth = 2 * kDepth;
  }
  return shape;
}

/// Medium tiles, where their number suits the multiprocessors: one wave in
/// which most have a block, or two and more. In between the second one would be
/// nearly empty: halves. 1000 x 1000 x 1000 of f32 takes 66 us by medium tiles,
/// 74 by halves and 82 by small ones; 1200 x 1200 x 1200 132, 121 and 139; 512
/// x 4096 x 1024 114, 134 and 164 (H200, 132 multiprocessors).
static SmallVector<ProductShape> getMediumShapes(const Product &product,
                                                 int64_t units) {
  ProductShape medium = getMediumShape(product), half = getHalfShape(product);
  medium.leastTiles = units * 3 / 2;
  if (product.registers > 1)
    return {medium};
  ProductShape wave = medium;
  wave.leastTiles = units * 7 / 10;
  wave.mostTiles = units;
  half.leastTiles = 2 * units;
  half.mostTiles = 3 * units;
  return {wave, half, medium};
}

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
  auto share = [&](ProductShape shape, ArrayRef<Shares> list) {
    for (auto [blocks, perUnit, leastBoxes] : list) {
      shape.blocks = blocks;
      shape.leastDepth = blocks * leastBoxes * shape.depth;
      shape.mostTiles = perUnit * units / blocks;
      shapes.push_back(shape);
    }
  };
  share(getHalfShape(product), kShares);
  // Of few rows or columns there is not half of a tile.
  ProductShape few = getSmallShape(product);
  few.leastColumns = kFewColumns;
  share(few, kShares);
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

/// What is too small for other tiles.
static SmallVector<ProductShape> getRestShapes(const Product &product,
                                               int64_t units) {
  // Many columns of few rows need no tile.
  SmallVector<ProductShape> shapes = getFlatShape(product, units);
  ProductShape small = getSmallShape(product);
  small.leastColumns = 2 * kNarrow + 1;
  small.leastDepth = 1;
  if (ForOp(product.folds.back()).getStaticExtent().value_or(kDepth) < kDepth)
    small.depth = fitDepth(product, kDepth);
  shapes.push_back(small);
  llvm::append_range(shapes, getNarrowShapes(product));
  return shapes;
}

SmallVector<ProductShape> arrc::kernel::getShapes(const Product &product,
                                                  int64_t units, bool isBatch) {
  if (product.matrix) {
    SmallVector<ProductShape> shapes = getMatrixShapes(product, units);
    llvm::append_range(shapes, getRestShapes(product, units));
    return shapes;
  }
  int64_t registers = product.registers, bytes = product.bytes;
  ThreadTile four = bytes <= 4 ? ThreadTile{1, 4} : ThreadTile{2, 2};
  ForOp inner = product.folds.back();
  auto operations = llvm::count_if(*inner.getBodyBlock(), [](Operation &op) {
    return !isa<LoadOp, YieldOp>(op);
  });
  ThreadTile rows = {2, operations <= kFew ? 8 : 4};
  if (registers <= 2) {
    SmallVector<ProductShape> shapes;
    if (registers == 1) {
      // 1600 x 1600 x 1600, 91 tiles for 132 multiprocessors, takes 296 us by
      // them and 262 by medium ones; 1800, 120 tiles, 335 and 385; 2300, 162
      // tiles, 841 and 615 (H200).
      ProductShape large = {rows, {2, 4}, 16, kLarge, kLarge};
      large.isLarge = true;
      large.leastFill = 6;
      shapes.push_back(large);
    } else {
      ProductShape large = {{2, 4}, four, 8, kLarge, kLarge};
      large.isLarge = true;
      shapes.push_back(large);
    }
    llvm::append_range(shapes, getMediumShapes(product, units));
    llvm::append_range(shapes, getSplitShapes(product, units, isBatch));
    llvm::append_range(shapes, getRestShapes(product, units));
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

bool arrc::kernel::isTurned(const Product &product, Value array) {
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
