//===- FindProducts.cpp - Folds whose operands stay along a dimension -----===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What Products.cpp and SmallProducts.cpp plan: one fold of a nest, and what
// stores its result. Its operands move along the rows or along the columns of
// what is stored, not both. What is read beside them, in front of the fold or
// behind it, is no operand.
//
//===----------------------------------------------------------------------===//

#include "../Shared/NestScalars.h"
#include "Device.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/Coalescing.h"
#include "arrc/Support/Combiner.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

bool Product::moves(ArrayRef<LinearIndex> indices, ForOp loop) {
  return llvm::any_of(indices, [&](const LinearIndex &index) {
    return index.getCoefficient(loop.getInductionVar()) != 0;
  });
}

std::optional<Product> DevicePlanner::findProduct(ArrayRef<ForOp> nest) {
  ForOp last = nest.back();
  if (!hasOneRoot || nest.size() < 2 ||
      maxThreads < Product::threads * Product::threads ||
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
    } else if (!isScalarOp(&op) && !readsInput(&op) &&
               (!fold || !isa<StoreOp>(op))) {
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
  // What the fold does not decide is the same for all of its steps.
  SmallVector<Variation> variations;
  for (ForOp loop : product.folds)
    variations.emplace_back(loop);
  auto varies = [&](Value value) {
    return llvm::any_of(variations, [&](const Variation &variation) {
      return variation.contains(value);
    });
  };
  AccessPattern pattern(inner);
  SmallVector<Access> operands = llvm::to_vector(
      llvm::make_filter_range(pattern.getAccesses(), [&](const Access &access) {
        return !readsInput(access.op) ||
               llvm::any_of(access.op->getOperands(), varies);
      }));
  // Rows: some operand moves along them and stays along the columns.
  for (ForOp loop : nest)
    if (loop != product.column &&
        llvm::any_of(operands, [&](const Access &access) {
          return Product::moves(access.indices, loop) &&
                 !Product::moves(access.indices, product.column);
        }))
      product.row = loop;
  if (!product.row)
    return std::nullopt;
  SmallVector<ForOp> all(nest);
  llvm::append_range(all, product.folds);
  bool movesAlongColumns = false;
  for (const Access &access : operands) {
    ArrayRef<LinearIndex> indices = access.indices;
    bool rows = Product::moves(indices, product.row);
    bool columns = Product::moves(indices, product.column);
    if (indices.empty() || (rows && columns) ||
        !Product::moves(indices, inner) || !isa<BlockArgument>(access.array) ||
        written.contains(access.array) || cast<LoadOp>(access.op).getEdge() ||
        cast<LoadOp>(access.op).getMask())
      return std::nullopt;
    for (const LinearIndex &index : indices)
      if (!isRegular(all, index, rows ? product.row : product.column, inner))
        return std::nullopt;
    movesAlongColumns |= columns;
    // One array may be both operands, but be read in one way along each.
    bool isNew = true;
    for (auto &[array, others] : product.operands) {
      if (array != access.array || Product::moves(others, product.row) != rows)
        continue;
      if (!llvm::equal(others, indices))
        return std::nullopt;
      isNew = false;
    }
    if (isNew)
      product.operands.push_back(
          {access.array, SmallVector<LinearIndex>(indices)});
    product.bytes =
        std::max(product.bytes, kernel::getElementBytes(access.array));
  }
  if (!movesAlongColumns)
    return std::nullopt;
  return product;
}
