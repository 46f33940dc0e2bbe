//===- ImportFilter.cpp - `for` with `if`: some of the values -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   for x in a if x > 0.0 { x }
//
// becomes
//
//   %total, %r = array.filter (%i) in (%n) {
//     .. array.yield %keep, %x : i1, f32 } : tensor<?xf32>
//
// Several indices are one space in row-major order. What is dropped is computed
// only if it is cheap and cannot fail.
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace arrc;
using namespace mlir;

Values Importer::emitFilter(hir::CompExpr *e) {
  PointSpace points = pointsOf(e);
  const std::string &name = points.name;
  OpFoldResult space = points.size;
  if (std::optional<int64_t> n = getConstantIntValue(points.size))
    space = b.getIndexAttr(*n);

  SmallVector<Type::Leaf> leaves;
  for (const Type::Leaf &leaf : e->body->value->type.leaves())
    leaves.push_back(leaf);
  auto keep = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      points.bind(ivs.front());
      Value kept = emitBlock(*e->condition).front();
      SmallVector<mlir::Type> types;
      for (const Type::Leaf &leaf : leaves)
        types.push_back(leafType(leaf));
      auto op = scf::IfOp::create(b, loc, types, kept, true, true);
      Branching branching(*this, op);
      inRegion(b, [&] {
        b.setInsertionPointToStart(&op.getThenRegion().front());
        scf::YieldOp::create(b, loc, emitRows(*e->body));
        b.setInsertionPointToStart(&op.getElseRegion().front());
        Values nothing;
        for (const Type::Leaf &leaf : leaves) {
          Value zero =
              neutral(hir::Combiner::Add, leaf.scalar, scalarType(leaf.scalar));
          if (!leaf.dims.empty()) {
            SmallVector<Value> dynamic;
            for (OpFoldResult rest : sizesOf(leaf.dims))
              if (auto v = dyn_cast<Value>(rest))
                dynamic.push_back(v);
            zero = tensor::SplatOp::create(
                b, loc, zero, cast<RankedTensorType>(leafType(leaf)), dynamic);
          }
          nothing.push_back(zero);
        }
        scf::YieldOp::create(b, loc, nothing);
      });
      Values values{kept};
      for (auto [row, leaf] : llvm::zip(op.getResults(), leaves))
        values.push_back(declareRow(row, leaf, /*mayBeEmptied=*/false));
      array::YieldOp::create(b, loc, values);
    });
  };
  auto op = array::FilterOp::create(b, loc, space, name, keep);
  attachAttrs(op, e->attrs);
  return Values(op.getArrays());
}
