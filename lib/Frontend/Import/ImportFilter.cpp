//===- ImportFilter.cpp - `for` with `if`: some of the values -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   for x in a if x > 0.0 { x }
//
// becomes a scan that counts the values kept before each point, and a scatter
// that puts every value kept at its number; the total is the size. Several
// indices are one space in row-major order:
//
//   %at, %total = array.scan (%i) in (%n) init (%c0) exclusive {
//     .. array.yield %one_if_kept } by arith.addi
//   %r0 = tensor.splat %zero [%total] : tensor<?xf32>
//   %r = array.scatter (%i) in (%n) into (%r0) {
//     .. array.yield %x at [%at_i_if_kept_else_minus_1] } oob drop
//
// The condition is computed twice: cheaper than an array of flags, which the
// compiler makes where it is not.
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace arrc;
using namespace mlir;

Values Importer::emitFilter(hir::CompExpr *e) {
  PointSpace points = pointsOf(e->indices);
  const std::string &name = points.name;
  OpFoldResult space = points.size;
  if (std::optional<int64_t> n = getConstantIntValue(points.size))
    space = b.getIndexAttr(*n);

  auto count = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      points.bind(ivs.front());
      Value kept = emitBlock(*e->condition).front();
      array::YieldOp::create(b, loc,
                             convert(ScalarKind::Bool, ScalarKind::I64, kept));
    });
  };
  auto add = [&](OpBuilder &nested, Location, ValueRange args) {
    inRegion(nested, [&] {
      Value sum = arith::AddIOp::create(b, loc, args[0], args[1]);
      array::YieldOp::create(b, loc, sum);
    });
  };
  auto scan =
      array::ScanOp::create(b, loc, space, name, constant(ScalarKind::I64, 0),
                            /*exclusive=*/true, count, add);
  Value places = scan.getPrefixes().front();
  Value size =
      make<arith::IndexCastOp>(b.getIndexType(), scan.getTotals().front());

  Values into;
  SmallVector<Type::Leaf> leaves;
  for (const Type::Leaf &leaf : e->body->value->type.leaves())
    leaves.push_back(leaf);
  for (const Type::Leaf &leaf : leaves) {
    SmallVector<int64_t> shape{ShapedType::kDynamic};
    SmallVector<Value> dynamic{size};
    for (OpFoldResult rest : sizesOf(leaf.dims)) {
      shape.push_back(ShapedType::kDynamic);
      if (auto v = dyn_cast<Value>(rest))
        dynamic.push_back(v);
      else
        shape.back() = *getConstantIntValue(rest);
    }
    mlir::Type scalar = scalarType(leaf.scalar);
    Value zero = neutral(hir::Combiner::Add, leaf.scalar, scalar);
    into.push_back(tensor::SplatOp::create(
        b, loc, zero, RankedTensorType::get(shape, scalar), dynamic));
  }

  auto put = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      points.bind(ivs.front());
      Value kept = emitBlock(*e->condition).front();
      SmallVector<mlir::Type> types{b.getIndexType()};
      for (const Type::Leaf &leaf : leaves)
        types.push_back(leafType(leaf));
      auto op = scf::IfOp::create(b, loc, types, kept, true, true);
      Branching branching(*this, op);
      inRegion(b, [&] {
        b.setInsertionPointToStart(&op.getThenRegion().front());
        Value place = array::AtOp::create(b, loc, places, ivs, true);
        Values values{make<arith::IndexCastOp>(b.getIndexType(), place)};
        llvm::append_range(values, emitRows(*e->body));
        scf::YieldOp::create(b, loc, values);
        b.setInsertionPointToStart(&op.getElseRegion().front());
        Values nothing{indexConstant(-1)};
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
      array::YieldOp::create(b, loc, op.getResults().drop_front(),
                             op.getResults().take_front());
    });
  };
  auto op = array::ScatterOp::create(b, loc, {space}, {StringRef(name)}, into,
                                     array::OutOfBounds::Drop, put,
                                     array::BodyBuilder(nullptr));
  attachAttrs(op, e->attrs);
  return Values(op->getResults());
}
