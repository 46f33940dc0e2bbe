//===- ImportSort.cpp - `sort` and `argsort` ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `array.sort` sorts along the last dimension: another axis is looked at
// through a view, and so is the result. A key that is not the element itself is
// computed once. Elements that are a number each move with their keys; of
// others the positions move, and the elements are read in that order.
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace arrc;
using namespace mlir;

/// Arrays that move with their keys; more are read by position.
static constexpr size_t kMostCarried = 2;

Values Importer::emitSort(hir::ArrayOpExpr *e) {
  hir::Expr *arg = e->args.front();
  Type type = arg->type;
  unsigned axis = e->axis;
  Values arrays = emit(arg);
  SmallVector<Type::Leaf> leaves;
  for (const Type::Leaf &leaf : type.leaves())
    leaves.push_back(leaf);
  SmallVector<OpFoldResult> extents = sizesOf(type.dims());
  unsigned rank = extents.size();
  static const char *const text[] = {"d0", "d1", "d2", "d3",
                                     "d4", "d5", "d6", "d7"};
  SmallVector<StringRef> names(text, text + rank);
  auto map = [&](ArrayRef<OpFoldResult> over,
                 llvm::function_ref<Values(ValueRange)> body) {
    auto build = [&](OpBuilder &nested, Location, ValueRange ivs) {
      inRegion(nested, [&] { array::YieldOp::create(b, loc, body(ivs)); });
    };
    return Values(
        array::MapOp::create(b, loc, over, names, build)->getResults());
  };
  /// The element of each leaf at a place.
  auto element = [&](ValueRange ivs) {
    Values values;
    for (auto [array, leaf] : llvm::zip(arrays, leaves)) {
      Access a{{array}, {}};
      for (Value iv : ivs)
        applyPoint(a, 0, iv, true);
      Type::Leaf rest = leaf;
      rest.dims.erase(rest.dims.begin(), rest.dims.begin() + ivs.size());
      values.push_back(readLeaf(array, a.selectors, rest));
    }
    return values;
  };

  // The axis comes last, and goes back.
  SmallVector<int64_t> toLast;
  for (unsigned d = 0; d < rank; ++d)
    if (d != axis)
      toLast.push_back(d);
  toLast.push_back(axis);
  SmallVector<OpFoldResult> turned(extents);
  applyPermutationToVector(turned, toLast);
  auto permute = [&](Value array, ArrayRef<int64_t> order,
                     ArrayRef<OpFoldResult> sizes) -> Value {
    if (axis + 1 == rank)
      return array;
    // Dimension `order[d]` of the source is the result's `d`.
    auto places = AffineMap::getPermutationMap(invertPermutationVector(order),
                                               b.getContext());
    return array::ViewOp::create(b, loc, array, places, ValueRange(), sizes);
  };
  auto sorted = [&](Values operands, ScalarKind kind) {
    for (Value &operand : operands) {
      // Its elements are all that is asked for.
      if (auto extended = operand.getDefiningOp<array::ExtendOp>())
        operand = extended.getSource();
      operand = permute(operand, toLast, turned);
    }
    auto op = array::SortOp::create(b, loc, operands, isUnsignedInt(kind));
    Values results;
    for (Value result : op.getResults())
      results.push_back(
          permute(result, invertPermutationVector(toLast), extents));
    return results;
  };

  Value keys = arrays.front();
  ScalarKind kind = leaves.front().scalar;
  if (e->key) {
    kind = e->key->value->type.scalar();
    keys = map(extents, [&](ValueRange ivs) {
             define(e->keyArg, element(ivs));
             return emitBlock(*e->key);
           }).front();
  }
  bool isArgSort = e->op == hir::ArrayOpExpr::Op::ArgSort;
  if (!isArgSort && !e->key)
    return sorted({keys}, kind);
  bool areNumbers = llvm::all_of(
      leaves, [&](const Type::Leaf &leaf) { return leaf.dims.size() == rank; });
  if (!isArgSort && areNumbers && leaves.size() <= kMostCarried) {
    Values operands{keys};
    llvm::append_range(operands, arrays);
    Values results = sorted(operands, kind);
    return Values(llvm::drop_begin(results));
  }
  Value positions =
      map(extents, [&](ValueRange ivs) {
        return Values{make<arith::IndexCastOp>(b.getI64Type(), ivs[axis])};
      }).front();
  Value order = sorted({keys, positions}, kind).back();
  if (isArgSort)
    return {order};
  return map(extents, [&](ValueRange ivs) {
    Value position = array::AtOp::create(b, loc, order, ivs, true);
    Values point(ivs);
    point[axis] = make<arith::IndexCastOp>(b.getIndexType(), position);
    return element(point);
  });
}
