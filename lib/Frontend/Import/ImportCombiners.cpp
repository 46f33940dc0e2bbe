//===- ImportCombiners.cpp - Operators of reductions and scans ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace arrc;
using namespace mlir;
using hir::Combiner;

ScalarKind Importer::foldKind(const hir::CompExpr *e, ScalarKind kind) {
  // `sum` and `prod` of f16 and bf16 add up in f32 and round once.
  bool isSum = e->combiner == Combiner::Add || e->combiner == Combiner::Mul;
  if (isHalf(kind) && isSum && !e->init &&
      e->compKind == hir::CompExpr::CompKind::Reduce)
    return ScalarKind::F32;
  return kind;
}

Value Importer::neutral(Combiner combiner, ScalarKind kind, mlir::Type type) {
  auto scalar = [&]() -> Value {
    bool isMax = combiner == Combiner::Max || combiner == Combiner::ArgMax;
    switch (combiner) {
    case Combiner::Mul:
      if (isComplex(kind))
        return complexOf(floatConstant(realPart(kind), 1),
                         floatConstant(realPart(kind), 0));
      return isFloat(kind) ? floatConstant(kind, 1) : constant(kind, 1);
    case Combiner::And:
      return constant(kind, 1);
    case Combiner::Min:
    case Combiner::Max:
    case Combiner::ArgMin:
    case Combiner::ArgMax: {
      if (isFloat(kind)) {
        double inf = std::numeric_limits<double>::infinity();
        return floatConstant(kind, isMax ? -inf : inf);
      }
      unsigned width = bitWidth(kind);
      APInt limit;
      if (isSignedInt(kind))
        limit = isMax ? APInt::getSignedMinValue(width)
                      : APInt::getSignedMaxValue(width);
      else
        limit = isMax ? APInt::getMinValue(width) : APInt::getMaxValue(width);
      return constant(kind, limit.getSExtValue());
    }
    default:
      if (isComplex(kind))
        return complexOf(floatConstant(realPart(kind), 0),
                         floatConstant(realPart(kind), 0));
      return isFloat(kind) ? floatConstant(kind, 0) : constant(kind, 0);
    }
  };
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return scalar();
  Value one = scalar();
  if (auto op = one.getDefiningOp<arith::ConstantOp>()) {
    Value splat = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(tensor, op.getValue()));
    op->erase();
    return splat;
  }
  return tensor::SplatOp::create(b, loc, one, tensor, ValueRange());
}

Value Importer::neutralRow(Combiner combiner, const Type::Leaf &leaf) {
  mlir::Type type = leafType(leaf);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.hasStaticShape())
    return neutral(combiner, leaf.scalar, type);
  SmallVector<Value> dynamic;
  for (OpFoldResult size : sizesOf(leaf.dims))
    if (auto v = dyn_cast<Value>(size))
      dynamic.push_back(v);
  return tensor::SplatOp::create(
      b, loc, neutral(combiner, leaf.scalar, tensor.getElementType()), tensor,
      dynamic);
}

Value Importer::combineLeaf(const hir::CompExpr *e, ScalarKind kind, Value x,
                            Value y) {
  auto tensor = dyn_cast<RankedTensorType>(x.getType());
  if (tensor && isComplex(kind)) {
    // `complex` has no operations on arrays.
    SmallVector<OpFoldResult> extents;
    SmallVector<StringRef> names;
    static const char *const text[] = {"d0", "d1", "d2", "d3",
                                       "d4", "d5", "d6", "d7"};
    for (auto [i, n] : llvm::enumerate(tensor.getShape())) {
      extents.push_back(ShapedType::isDynamic(n) ? OpFoldResult(dimOf(x, i))
                                                 : b.getIndexAttr(n));
      names.push_back(text[i]);
    }
    auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
      inRegion(nested, [&] {
        Value p = array::AtOp::create(b, loc, x, ivs, true);
        Value q = array::AtOp::create(b, loc, y, ivs, true);
        array::YieldOp::create(b, loc, combineLeaf(e, kind, p, q));
      });
    };
    return array::MapOp::create(b, loc, extents, names, body)->getResult(0);
  }
  bool isSum = e->compKind == hir::CompExpr::CompKind::Reduce && !e->init &&
               e->combiner == Combiner::Add;
  arith::FastMathFlags fm = flags();
  if (isSum && !exact)
    fm = fm | arith::FastMathFlags::contract;
  ScalarKind given = kind;
  if (isHalf(kind) && isa<FloatType>(getElementTypeOrSelf(x.getType())) &&
      getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth() == 16 &&
      (e->combiner == Combiner::Add || e->combiner == Combiner::Mul)) {
    x = convertElements(x, kind, ScalarKind::F32);
    y = convertElements(y, kind, ScalarKind::F32);
    kind = ScalarKind::F32;
  } else {
    given = ScalarKind::Bool;
  }
  Value result;
  switch (e->combiner) {
  case Combiner::Add:
    if (isComplex(kind))
      result = complex::AddOp::create(b, loc, x, y);
    else if (isFloat(kind))
      result = arith::AddFOp::create(b, loc, x, y, fm);
    else
      result = arith::AddIOp::create(b, loc, x, y);
    break;
  case Combiner::Mul:
    if (isComplex(kind))
      result = complexMul(kind, x, y);
    else if (isFloat(kind))
      result = arith::MulFOp::create(b, loc, x, y, fm);
    else
      result = arith::MulIOp::create(b, loc, x, y);
    break;
  case Combiner::Min:
    if (isFloat(kind))
      result = arith::MinimumFOp::create(b, loc, x, y);
    else if (isSignedInt(kind))
      result = arith::MinSIOp::create(b, loc, x, y);
    else
      result = arith::MinUIOp::create(b, loc, x, y);
    break;
  case Combiner::Max:
    if (isFloat(kind))
      result = arith::MaximumFOp::create(b, loc, x, y);
    else if (isSignedInt(kind))
      result = arith::MaxSIOp::create(b, loc, x, y);
    else
      result = arith::MaxUIOp::create(b, loc, x, y);
    break;
  case Combiner::And:
    result = arith::AndIOp::create(b, loc, x, y);
    break;
  case Combiner::Or:
    result = arith::OrIOp::create(b, loc, x, y);
    break;
  case Combiner::ArgMin:
  case Combiner::ArgMax:
  case Combiner::Lambda:
    llvm_unreachable("not an operator of single components");
  }
  if (isHalf(given))
    result = convertElements(result, ScalarKind::F32, given);
  return result;
}

Value Importer::convertElements(Value v, ScalarKind from, ScalarKind to) {
  if (from == to)
    return v;
  mlir::Type type = scalarType(to);
  if (auto tensor = dyn_cast<RankedTensorType>(v.getType()))
    type = RankedTensorType::get(tensor.getShape(), type);
  if (bitWidth(to) > bitWidth(from))
    return arith::ExtFOp::create(b, loc, type, v);
  return arith::TruncFOp::create(b, loc, type, v);
}

Values Importer::combine(const hir::CompExpr *e, ValueRange args) {
  size_t half = args.size() / 2;
  if (e->combiner == Combiner::Lambda) {
    define(e->lhs, Values(args.take_front(half)));
    define(e->rhs, Values(args.drop_front(half)));
    return emitBlock(*e->op);
  }
  // A row at a time, or all leaves: the value's type says the kinds.
  Type type = e->type.element();
  if (e->compKind == hir::CompExpr::CompKind::Reduce ||
      e->compKind == hir::CompExpr::CompKind::Scan)
    type = e->body->value->type;
  else
    type = e->body->value->type.component(1);
  auto leaves = type.leaves();
  Values result;
  for (size_t i = 0; i < half; ++i) {
    ScalarKind kind =
        half == leaves.size() ? leaves[i].scalar : leaves[foldedLeaf].scalar;
    result.push_back(combineLeaf(e, kind, args[i], args[half + i]));
  }
  return result;
}

/// Whether the text of the expression is a product.
static bool isProduct(hir::Expr *e) {
  auto *binary = dyn_cast<hir::BinaryExpr>(e);
  if (!binary)
    return false;
  if (binary->op == hir::BinaryOp::Mul)
    return true;
  auto *exponent = dyn_cast<hir::ConstExpr>(binary->rhs);
  return binary->op == hir::BinaryOp::Pow && exponent &&
         isInteger(exponent->type.scalar()) && exponent->intValue == 2;
}

void Importer::markProduct(Value value, hir::Expr *e) {
  if (exact)
    return;
  if (auto *comp = dyn_cast<hir::CompExpr>(e)) {
    if (auto map = value.getDefiningOp<array::MapOp>();
        map && comp->body->value && map->getNumResults() == 1)
      markProduct(cast<array::YieldOp>(map.getBody().front().getTerminator())
                      .getValues()[0],
                  comp->body->value);
    else if (comp->body->value)
      markProduct(value, comp->body->value);
    return;
  }
  if (auto mul = value.getDefiningOp<arith::MulFOp>(); mul && isProduct(e))
    mul.setFastmath(mul.getFastmath() | arith::FastMathFlags::contract);
}
