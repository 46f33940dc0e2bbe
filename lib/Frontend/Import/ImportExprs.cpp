//===- ImportExprs.cpp - Expressions --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace arrc;
using namespace mlir;

Value Importer::emitScalar(hir::Expr *e) {
  Values values = emit(e);
  assert(values.size() == 1 && "a scalar is one value");
  return values.front();
}

Values Importer::emit(hir::Expr *e) {
  At at(*this, e);
  switch (e->kind) {
  case hir::Expr::Kind::Const:
    return emitConst(cast<hir::ConstExpr>(e));
  case hir::Expr::Kind::VarRef:
    return leavesOf(cast<hir::VarRefExpr>(e)->var);
  case hir::Expr::Kind::SizeValue:
  case hir::Expr::Kind::DimOf:
    return {make<arith::IndexCastOp>(b.getI64Type(), emitIndex(e))};
  case hir::Expr::Kind::Unary:
    return {emitUnary(cast<hir::UnaryExpr>(e))};
  case hir::Expr::Kind::Binary:
    return {emitBinary(cast<hir::BinaryExpr>(e))};
  case hir::Expr::Kind::Call:
    return {emitCall(cast<hir::CallExpr>(e))};
  case hir::Expr::Kind::Convert: {
    auto *c = cast<hir::ConvertExpr>(e);
    return {convert(c->operand->type.scalar(), c->type.scalar(),
                    emitScalar(c->operand))};
  }
  case hir::Expr::Kind::If:
    return emitIfExpr(cast<hir::IfExpr>(e));
  case hir::Expr::Kind::Index: {
    auto *index = cast<hir::IndexExpr>(e);
    for (const hir::Sub &sub : index->subs)
      if (sub.kind == hir::Sub::Kind::Gather)
        return emitGather(index);
    return read(access(e), e->type);
  }
  case hir::Expr::Kind::Field:
    return read(access(e), e->type);
  case hir::Expr::Kind::Extend:
    return emitExtend(cast<hir::ExtendExpr>(e));
  case hir::Expr::Kind::ArrayLit:
    return emitArrayLit(cast<hir::ArrayLitExpr>(e));
  case hir::Expr::Kind::Tuple: {
    Values leaves;
    for (hir::Expr *element : cast<hir::TupleExpr>(e)->elements)
      llvm::append_range(leaves, emit(element));
    return leaves;
  }
  case hir::Expr::Kind::Comp:
    return emitComp(cast<hir::CompExpr>(e));
  case hir::Expr::Kind::ArrayOp:
    return emitArrayOp(cast<hir::ArrayOpExpr>(e));
  case hir::Expr::Kind::ExternCall:
    return emitExtern(cast<hir::ExternCallExpr>(e));
  case hir::Expr::Kind::Opaque:
  case hir::Expr::Kind::Error:
    break;
  }
  llvm_unreachable("refused before the import");
}

Values Importer::emitConst(hir::ConstExpr *e) {
  ScalarKind kind = e->type.scalar();
  if (isComplex(kind)) {
    auto type = cast<ComplexType>(scalarType(kind));
    auto part = [&](double v) {
      return FloatAttr::get(type.getElementType(), v);
    };
    return {complex::ConstantOp::create(
        b, loc, type,
        b.getArrayAttr({part(e->floatValue), part(e->imagValue)}))};
  }
  if (isFloat(kind))
    return {floatConstant(kind, e->floatValue)};
  return {constant(kind, e->intValue)};
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Value Importer::emitIndex(hir::Expr *e) {
  At at(*this, e);
  Values operands;
  AffineExpr expr = toAffine(e, operands);
  return materialize(expr, operands);
}

AffineExpr Importer::toAffine(hir::Expr *e, Values &operands) {
  auto dim = [&](Value v) {
    operands.push_back(v);
    return b.getAffineDimExpr(operands.size() - 1);
  };
  ScalarKind kind = e->type.scalar();
  // Only 64-bit arithmetic is index arithmetic: narrower ints wrap earlier.
  if (kind == ScalarKind::I64) {
    switch (e->kind) {
    case hir::Expr::Kind::Const:
      return b.getAffineConstantExpr(cast<hir::ConstExpr>(e)->intValue);
    case hir::Expr::Kind::VarRef:
      return dim(indexOf(cast<hir::VarRefExpr>(e)->var));
    case hir::Expr::Kind::SizeValue: {
      const Size &size = cast<hir::SizeExpr>(e)->size;
      if (size.isConstant())
        return b.getAffineConstantExpr(*size.constant());
      return dim(sizeValue(size));
    }
    case hir::Expr::Kind::DimOf: {
      auto *d = cast<hir::DimOfExpr>(e);
      Values leaves = emit(d->array);
      return dim(dimOf(leaves.front(), d->dim));
    }
    case hir::Expr::Kind::Unary: {
      auto *u = cast<hir::UnaryExpr>(e);
      if (u->op == hir::UnaryOp::Neg)
        return -toAffine(u->operand, operands);
      break;
    }
    case hir::Expr::Kind::Binary: {
      auto *binary = cast<hir::BinaryExpr>(e);
      auto constant = [](hir::Expr *x) -> std::optional<int64_t> {
        if (auto *c = dyn_cast<hir::ConstExpr>(x))
          return c->intValue;
        if (auto *s = dyn_cast<hir::SizeExpr>(x))
          return s->size.constant();
        return std::nullopt;
      };
      switch (binary->op) {
      case hir::BinaryOp::Add: {
        AffineExpr lhs = toAffine(binary->lhs, operands);
        return lhs + toAffine(binary->rhs, operands);
      }
      case hir::BinaryOp::Sub: {
        AffineExpr lhs = toAffine(binary->lhs, operands);
        return lhs - toAffine(binary->rhs, operands);
      }
      case hir::BinaryOp::Mul: {
        AffineExpr lhs = toAffine(binary->lhs, operands);
        AffineExpr rhs = toAffine(binary->rhs, operands);
        if (isa<AffineConstantExpr>(lhs) || isa<AffineConstantExpr>(rhs))
          return lhs * rhs;
        Values left = operands;
        Value product =
            make<arith::MulIOp>(materialize(lhs, left), materialize(rhs, left));
        return dim(product);
      }
      case hir::BinaryOp::FloorDiv:
      case hir::BinaryOp::Mod:
        // A positive constant: affine division floors, too.
        if (std::optional<int64_t> d = constant(binary->rhs); d && *d > 0) {
          AffineExpr lhs = toAffine(binary->lhs, operands);
          return binary->op == hir::BinaryOp::Mod ? lhs % *d : lhs.floorDiv(*d);
        }
        break;
      default:
        break;
      }
      break;
    }
    default:
      break;
    }
  }
  if (auto *c = dyn_cast<hir::ConstExpr>(e); c && isInteger(kind))
    return b.getAffineConstantExpr(c->intValue);
  // An unsigned number beyond 2^63 becomes negative, which is outside as well.
  Value v = emitScalar(e);
  bool zeroExtends = isUnsignedInt(kind) && bitWidth(kind) < 64;
  return dim(zeroExtends ? make<arith::IndexCastUIOp>(b.getIndexType(), v)
                         : make<arith::IndexCastOp>(b.getIndexType(), v));
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Whether computing the value costs nothing and cannot fail.
static bool isTrivial(const hir::Block *block) {
  return block && block->stmts.empty() && block->value &&
         isa<hir::ConstExpr, hir::VarRefExpr>(block->value);
}

Values Importer::emitIfExpr(hir::IfExpr *e) {
  Value condition = emitScalar(e->condition);
  if (isTrivial(e->thenBlock) && isTrivial(e->elseBlock) &&
      e->type.isScalar()) {
    Value x = emitBlock(*e->thenBlock).front();
    Value y = emitBlock(*e->elseBlock).front();
    return {make<arith::SelectOp>(condition, x, y)};
  }

  SmallVector<hir::Variable *> vars = assignedIn({e->thenBlock, e->elseBlock});
  SmallVector<mlir::Type> types = leafTypes(e->type);
  size_t numLeaves = types.size();
  llvm::append_range(types, ValueRange(carriedValues(vars)).getTypes());
  auto op = scf::IfOp::create(b, loc, types, condition, /*addThenBlock=*/true,
                              /*addElseBlock=*/true);
  Branching branching(*this, op);
  auto branch = [&](hir::Block *block, Region &region) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&region.front());
    auto saved = env;
    Values values = coerce(emitBlock(*block), e->type);
    llvm::append_range(values, carriedValues(vars));
    scf::YieldOp::create(b, loc, values);
    env = std::move(saved);
  };
  branch(e->thenBlock, op.getThenRegion());
  branch(e->elseBlock, op.getElseRegion());
  rebind(vars, op.getResults().drop_front(numLeaves));
  Values leaves;
  for (auto [value, leaf] :
       llvm::zip(op.getResults().take_front(numLeaves), e->type.leaves()))
    leaves.push_back(bind(value, leaf));
  return leaves;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

Values Importer::emitExtend(hir::ExtendExpr *e) {
  static const array::BoundaryMode modeOf[] = {
      array::BoundaryMode::None,    array::BoundaryMode::Clamp,
      array::BoundaryMode::Wrap,    array::BoundaryMode::Mirror,
      array::BoundaryMode::Reflect, array::BoundaryMode::Fill};
  Values arrays = emit(e->array);
  // A fill has the element's type, which may be a struct: one value a leaf.
  SmallVector<Values> fills;
  for (hir::Expr *fill : e->fills)
    fills.push_back(fill ? emit(fill) : Values());
  Values result;
  for (auto [k, leaf] : llvm::enumerate(e->type.leaves())) {
    SmallVector<array::BoundaryMode> modes;
    Values leafFills;
    for (auto [d, mode] : llvm::enumerate(e->modes)) {
      modes.push_back(modeOf[unsigned(mode)]);
      if (mode == hir::Boundary::Fill)
        leafFills.push_back(fills[d][k]);
    }
    // The dimensions of a field itself have no boundary.
    modes.resize(leaf.dims.size(), array::BoundaryMode::None);
    result.push_back(
        array::ExtendOp::create(b, loc, arrays[k], modes, leafFills));
  }
  return result;
}

Values Importer::emitArrayLit(hir::ArrayLitExpr *e) {
  SmallVector<Values> elements;
  for (hir::Expr *element : e->elements)
    elements.push_back(emit(element));
  Values result;
  for (auto [k, leaf] : llvm::enumerate(e->type.leaves())) {
    auto type = cast<RankedTensorType>(leafType(leaf));
    if (leaf.dims.size() == 1 ||
        (type.hasStaticShape() && type.getNumElements() <= 64)) {
      // Small: element by element.
      Values scalars;
      for (Values &element : elements) {
        auto part = dyn_cast<RankedTensorType>(element[k].getType());
        if (!part) {
          scalars.push_back(element[k]);
          continue;
        }
        SmallVector<int64_t> at(part.getRank(), 0);
        for (int64_t i = 0, n = part.getNumElements(); i < n; ++i) {
          Values indices;
          for (int64_t index : at)
            indices.push_back(indexConstant(index));
          scalars.push_back(array::AtOp::create(b, loc, element[k], indices,
                                                /*inbounds=*/true));
          for (int64_t d = part.getRank() - 1;
               d >= 0 && ++at[d] == part.getDimSize(d); --d)
            at[d] = 0;
        }
      }
      result.push_back(tensor::FromElementsOp::create(b, loc, type, scalars));
      continue;
    }
    // Large: rows put into an array one after the other.
    Value zero = arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(b.getZeroAttr(type.getElementType())));
    SmallVector<OpFoldResult> sizes = sizesOf(leaf.dims);
    SmallVector<Value> dynamic;
    for (OpFoldResult size : sizes)
      if (auto v = dyn_cast<Value>(size))
        dynamic.push_back(v);
    Value array = tensor::SplatOp::create(b, loc, zero, type, dynamic);
    sizes[0] = b.getIndexAttr(1);
    SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
    for (auto [i, element] : llvm::enumerate(elements)) {
      offsets[0] = b.getIndexAttr(i);
      array = tensor::InsertSliceOp::create(b, loc, element[k], array, offsets,
                                            sizes, strides);
    }
    result.push_back(bind(array, leaf));
  }
  return result;
}

Values Importer::emitArrayOp(hir::ArrayOpExpr *e) {
  switch (e->op) {
  case hir::ArrayOpExpr::Op::Reshape:
    return emitReshape(e);
  case hir::ArrayOpExpr::Op::Concat:
    return emitConcat(e);
  case hir::ArrayOpExpr::Op::Sort:
  case hir::ArrayOpExpr::Op::ArgSort:
    return emitSort(e);
  case hir::ArrayOpExpr::Op::RowOf:
    return {make<arith::IndexCastOp>(b.getI64Type(), emitRowOf(e))};
  case hir::ArrayOpExpr::Op::Fence: {
    Values values = emit(e->args.front());
    Operation *around = b.getInsertionBlock()->getParentOp();
    bool inBody = isa<array::IndexSpaceOpInterface>(around) ||
                  around->getParentOfType<array::IndexSpaceOpInterface>();
    for (auto [value, leaf] : llvm::zip(values, e->type.leaves()))
      if (!inBody && isa<TensorType>(value.getType()))
        value = bind(make<array::FenceOp>(value), leaf);
    return values;
  }
  }
  llvm_unreachable("no such operation");
}

Values Importer::emitReshape(hir::ArrayOpExpr *e) {
  Values arrays = emit(e->args.front());
  unsigned fromRank = e->args.front()->type.rank();
  unsigned toRank = e->type.rank();
  Values result;
  for (auto [value, leaf] : llvm::zip(arrays, e->type.leaves())) {
    auto type = cast<RankedTensorType>(leafType(leaf));
    // The dimensions of a field stay as they are, at the end.
    unsigned rest = leaf.dims.size() - toRank;
    auto groups = [&](unsigned rank) {
      SmallVector<ReassociationIndices> list(1);
      for (unsigned d = 0; d < rank; ++d)
        list[0].push_back(d);
      for (unsigned d = 0; d < rest; ++d)
        list.push_back({int64_t(rank + d)});
      return list;
    };
    if (fromRank > 1)
      value = make<tensor::CollapseShapeOp>(value, groups(fromRank));
    unsigned dynamicDims = 0;
    for (unsigned d = 0; d < toRank; ++d)
      dynamicDims += type.isDynamicDim(d);
    if (toRank > 1 && dynamicDims > 1) {
      // `tensor.expand_shape` computes with one unknown size, not with two: the
      // place in the flat array is written out.
      SmallVector<OpFoldResult> sizes = sizesOf(leaf.dims);
      Values strides;
      AffineExpr place = b.getAffineDimExpr(toRank - 1);
      Value stride;
      for (unsigned d = toRank - 1; d-- > 0;) {
        Value size = asIndex(sizes[d + 1]);
        stride = stride ? make<arith::MulIOp>(size, stride) : size;
        strides.push_back(stride);
        place =
            b.getAffineDimExpr(d) * b.getAffineSymbolExpr(strides.size() - 1) +
            place;
      }
      SmallVector<AffineExpr> exprs{place};
      for (unsigned d = 0; d < rest; ++d)
        exprs.push_back(b.getAffineDimExpr(toRank + d));
      result.push_back(array::ViewOp::create(
          b, loc, value,
          AffineMap::get(sizes.size(), strides.size(), exprs, context), strides,
          sizes));
      continue;
    }
    if (toRank > 1) {
      // The flat array has exactly the elements of the result.
      auto flat = cast<RankedTensorType>(value.getType());
      SmallVector<int64_t> shape(flat.getShape());
      int64_t elements = 1;
      for (unsigned d = 0; d < toRank; ++d)
        elements = type.isDynamicDim(d) || ShapedType::isDynamic(elements)
                       ? ShapedType::kDynamic
                       : elements * type.getDimSize(d);
      shape[0] = elements;
      value =
          coerce(value, RankedTensorType::get(shape, flat.getElementType()));
      value = tensor::ExpandShapeOp::create(b, loc, type, value, groups(toRank),
                                            sizesOf(leaf.dims));
    }
    result.push_back(bind(value, leaf));
  }
  return result;
}

Values Importer::emitConcat(hir::ArrayOpExpr *e) {
  SmallVector<Values> parts;
  for (hir::Expr *arg : e->args)
    parts.push_back(emit(arg));
  Values result;
  for (auto [k, leaf] : llvm::enumerate(e->type.leaves())) {
    auto type = cast<RankedTensorType>(leafType(leaf));
    Value zero;
    if (auto complexType = dyn_cast<ComplexType>(type.getElementType())) {
      FloatAttr part = FloatAttr::get(complexType.getElementType(), 0.0);
      zero = complex::ConstantOp::create(b, loc, complexType,
                                         b.getArrayAttr({part, part}));
    } else {
      zero = arith::ConstantOp::create(
          b, loc, cast<TypedAttr>(b.getZeroAttr(type.getElementType())));
    }
    SmallVector<OpFoldResult> whole = sizesOf(leaf.dims);
    SmallVector<Value> dynamic;
    for (OpFoldResult size : whole)
      if (auto v = dyn_cast<Value>(size))
        dynamic.push_back(v);
    Value array = tensor::SplatOp::create(b, loc, zero, type, dynamic);
    SmallVector<OpFoldResult> offsets(whole.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(whole.size(), b.getIndexAttr(1));
    Size offset;
    for (auto [part, arg] : llvm::zip(parts, e->args)) {
      SmallVector<OpFoldResult> sizes = whole;
      const Size &length = arg->type.dims()[e->axis].size;
      sizes[e->axis] = sizeOf(length);
      offsets[e->axis] = sizeOf(offset);
      // The type that the sizes say, where the part's own says less.
      SmallVector<int64_t> shape;
      for (OpFoldResult size : sizes)
        shape.push_back(isa<Attribute>(size) ? *getConstantIntValue(size)
                                             : ShapedType::kDynamic);
      Value value =
          coerce(part[k], RankedTensorType::get(shape, type.getElementType()));
      array = tensor::InsertSliceOp::create(b, loc, value, array, offsets,
                                            sizes, strides);
      offset = offset + length;
    }
    result.push_back(bind(array, leaf));
  }
  return result;
}
