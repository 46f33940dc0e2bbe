//===- MatrixProducts.cpp - Products that warps multiply as matrices ------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Of f16, bf16 and f64 many devices multiply whole matrices: the lanes of a
// warp take 4 to 16 steps of a fold at once, for 8 or 16 rows and 8 columns.
// The schedule is that of other products, whose threads are laid out as the
// instructions have the results:
//
//   y[i, j] = sum for l { a[i, l] * b[l, j] }
//   i = [block.1, unroll 4, thread.y 64], j = [block.0, unroll 8, thread.x 4,
//   unroll 2], l = [seq, seq 16], multiply matrices
//
// On chip the steps of an operand lie side by side, as a lane reads several of
// them at once, padded such that lanes read from different banks.
//
//===----------------------------------------------------------------------===//

#include "ProductShapes.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Whether only one dimension of an access moves with `loop`, step by step.
static bool movesInSteps(ArrayRef<LinearIndex> indices, ForOp loop) {
  unsigned count = 0;
  for (const LinearIndex &index : indices) {
    int64_t factor = index.getCoefficient(loop.getInductionVar());
    if (factor != 0 && factor != 1)
      return false;
    count += factor != 0;
  }
  return count == 1;
}

std::optional<MatrixShape> DevicePlanner::findMatrix(const Product &product) {
  ForOp inner = product.folds.back();
  if (product.branches || inner.getNumResults() != 1 ||
      !llvm::all_of(product.folds,
                    [](ForOp fold) { return fold.getNumResults() == 1; }) ||
      product.operands.size() != 2 || !addsProducts(inner))
    return std::nullopt;
  auto multiply =
      inner.getYield().getValues().front().getDefiningOp<arith::MulFOp>();
  LoadOp left = getMatrixOperand(multiply.getLhs()),
         right = getMatrixOperand(multiply.getRhs());
  if (!left || !right || left.getType() != right.getType())
    return std::nullopt;
  unsigned rows = 0;
  for (auto &[array, indices] : product.operands) {
    bool isRow = Product::moves(indices, product.row);
    rows += isRow;
    if (!movesInSteps(indices, isRow ? product.row : product.column) ||
        !movesInSteps(indices, inner))
      return std::nullopt;
  }
  if (rows != 1)
    return std::nullopt;
  return getMatrixShape(device, left.getType(), inner.getResultTypes().front());
}

namespace {
/// Warps of a block, side by side along the rows; what each of their threads
/// has, as groups of 8 rows and columns of a warp; steps of a box.
struct Tile {
  int64_t warps, rows, columns, depth;
};
} // namespace

static ProductShape makeShape(Tile tile) {
  ProductShape shape = {{tile.rows, 1}, {tile.columns, 2}, tile.depth, 1, 1};
  shape.multiplies = true;
  shape.x = 4;
  shape.y = 8 * tile.warps;
  // More than half of a tile is there.
  shape.leastRows = shape.countRows() / 2 + 1;
  shape.leastColumns = shape.countColumns() / 2 + 1;
  return shape;
}

SmallVector<ProductShape> arrc::kernel::getMatrixShapes(const Product &product,
                                                        int64_t units) {
  // 256 x 64 and 128 x 64 results of f64, of f16 256 x 128 and 128 x 64.
  bool isWide = product.registers > 1;
  ProductShape large =
                   makeShape(isWide ? Tile{8, 4, 8, 16} : Tile{8, 4, 16, 32}),
               medium =
                   makeShape(isWide ? Tile{8, 2, 8, 16} : Tile{4, 4, 8, 32}),
               small =
                   makeShape(isWide ? Tile{4, 2, 4, 16} : Tile{4, 2, 4, 32});
  large.isLarge = medium.isLarge = true;
  large.leastFill = 5;
  medium.leastTiles = units * 7 / 10;
  small.leastRows = small.leastColumns = 17;
  SmallVector<ProductShape> shapes = {large, medium};
  // Few tiles: blocks share the steps of each, so many that all multiprocessors
  // have something to do, and each at least 8 boxes.
  auto share = [&](ProductShape shape, int64_t blocks, int64_t perUnit) {
    shape.leastTiles = 0;
    shape.blocks = blocks;
    shape.leastDepth = blocks * 8 * shape.depth;
    shape.mostTiles = std::min(perUnit * units / blocks, units);
    shapes.push_back(shape);
  };
  for (int64_t blocks : {64, 8})
    share(medium, blocks, 2);
  for (int64_t blocks : {64, 16, 4})
    share(small, blocks, 6);
  shapes.push_back(small);
  return shapes;
}
