//===- ImportAccess.cpp - Subscripts, fields, assignments to parts --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A chain such as `bs[i].pos[k]` is collected before anything is read: one
// selector a dimension. With an index for every dimension it is an `array.at`,
// else an `array.view`; nothing is read on the way. The same selectors say
// where an assignment goes.
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace arrc;
using namespace mlir;

bool arrc::hasBoundary(Value array, unsigned dim) {
  auto extend = array.getDefiningOp<array::ExtendOp>();
  return extend && dim < extend.getModes().size() &&
         extend.getMode(dim) != array::BoundaryMode::None;
}

bool Importer::isInBody() {
  // A region that is being built may not stand in the function yet.
  Block *block = b.getInsertionBlock();
  while (block != &func.front()) {
    Operation *op = block->getParentOp();
    if (!op || !isa<scf::SCFDialect>(op->getDialect()) || !op->getBlock())
      return true;
    block = op->getBlock();
  }
  return false;
}

Value Importer::checkIndex(Value index, Value size, Value *inside) {
  Value zero = indexConstant(0);
  Value low = make<arith::CmpIOp>(arith::CmpIPredicate::sge, index, zero);
  Value high = make<arith::CmpIOp>(arith::CmpIPredicate::slt, index, size);
  Value ok = make<arith::AndIOp>(low, high);
  check(hir::CheckKind::Index, ok,
        "index {0} is outside of a dimension of size {1}", {index, size});
  if (!isInBody() || matchPattern(ok, m_One()))
    return index;
  if (inside)
    *inside = ok;
  return make<arith::SelectOp>(ok, index, zero);
}

unsigned Importer::visibleDim(Access &a, unsigned visible) {
  unsigned dim = 0;
  while (true) {
    if (dim == a.selectors.size())
      a.selectors.push_back({});
    if (a.selectors[dim].kind != Selector::Point) {
      if (visible == 0)
        return dim;
      --visible;
    }
    ++dim;
  }
}

void Importer::applyPoint(Access &a, unsigned visible, Value point,
                          bool inBounds, bool notEmpty) {
  unsigned dim = visibleDim(a, visible);
  Selector &s = a.selectors[dim];
  if (s.kind == Selector::Slice) {
    if (!inBounds && !unsafe)
      point = checkIndex(point, asIndex(s.extent));
    AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
    Value scaled = point;
    if (getConstantIntValue(s.step) != 1)
      scaled = make<arith::MulIOp>(point, asIndex(s.step));
    point = materialize(d0 + d1, {scaled, asIndex(s.lo)});
    inBounds = notEmpty = !s.isPerhapsOutside;
  }
  s.kind = Selector::Point;
  s.point = point;
  s.inBounds = inBounds || unsafe;
  s.notEmpty = notEmpty || unsafe;
}

/// A body goes on where a check of it fails: what its slice was made of counts
/// 0 from there on, so that nothing outside is read.
bool Importer::emptyUnless(Value ok, const Size &size) {
  Block *here = b.getInsertionBlock();
  size.forEachVariable([&](hir::Variable *var) {
    Value index = indexOf(var);
    // Once, so that slices of one size keep it; an index of the body stays what
    // it is for everything else.
    auto select = index.getDefiningOp<arith::SelectOp>();
    if ((select && select->getBlock() == here && select.getCondition() == ok) ||
        var->kind == hir::Variable::Kind::Index)
      return;
    emptied.push_back({var, env[var].index});
    env[var].index = make<arith::SelectOp>(ok, index, indexConstant(0));
  });
  return size.substitute([&](hir::Variable *var) -> std::optional<Size> {
    if (var->kind == hir::Variable::Kind::Index)
      return std::nullopt;
    return Size();
  }) == Size();
}

void Importer::applySlice(Access &a, unsigned visible, const hir::Sub &sub) {
  unsigned dim = visibleDim(a, visible);
  Selector &s = a.selectors[dim];
  At at(*this, sub.loc);
  OpFoldResult lo = sizeOf(sub.range.lo), step = sizeOf(sub.range.step),
               extent = sizeOf(sub.range.size);
  if (!sub.inBounds && !unsafe) {
    // 0 <= lo <= hi <= size, each by its value.
    Value size = s.kind == Selector::Slice ? asIndex(s.extent)
                                           : dimOf(a.leaves.front(), dim);
    Value zero = indexConstant(0);
    Value first = asIndex(lo), end = asIndex(sizeOf(*sub.range.end));
    auto le = [&](Value x, Value y) {
      return make<arith::CmpIOp>(arith::CmpIPredicate::sle, x, y);
    };
    Value ok = make<arith::AndIOp>(
        le(zero, first), make<arith::AndIOp>(le(first, end), le(end, size)));
    check(hir::CheckKind::Index, ok,
          "slice {0}:{1} is not inside of a dimension of size {2}",
          {first, end, size});
    if (isInBody() && !matchPattern(ok, m_One())) {
      if (emptyUnless(ok, sub.range.size))
        extent = sizeOf(sub.range.size);
      else
        s.isPerhapsOutside = true, s.inside = ok;
      // Where a write goes, and what is read of no elements.
      lo = OpFoldResult(
          make<arith::SelectOp>(ok, asIndex(lo), indexConstant(0)));
    }
  }
  if (s.kind == Selector::Slice) {
    Value scaled = asIndex(lo);
    if (getConstantIntValue(s.step) != 1)
      scaled = make<arith::MulIOp>(scaled, asIndex(s.step));
    lo = OpFoldResult(materialize(b.getAffineDimExpr(0) + b.getAffineDimExpr(1),
                                  {scaled, asIndex(s.lo)}));
    if (getConstantIntValue(step) == 1)
      step = s.step;
    else if (getConstantIntValue(s.step) != 1)
      step = OpFoldResult(make<arith::MulIOp>(asIndex(step), asIndex(s.step)));
  }
  s.kind = Selector::Slice;
  s.lo = lo;
  s.step = step;
  s.extent = extent;
}

void Importer::applySubs(Access &a, ArrayRef<hir::Sub> subs) {
  // All subscripts count the dimensions that were there before.
  unsigned visible = 0;
  for (const hir::Sub &sub : subs) {
    if (sub.kind == hir::Sub::Kind::Point) {
      At at(*this, sub.loc);
      applyPoint(a, visible, emitIndex(sub.index), sub.inBounds, sub.notEmpty);
    } else {
      assert(sub.kind == hir::Sub::Kind::Slice && "gathers are read elsewhere");
      applySlice(a, visible++, sub);
    }
  }
}

Importer::Access Importer::access(hir::Expr *e) {
  At at(*this, e);
  if (auto *field = dyn_cast<hir::FieldExpr>(e)) {
    Access a = access(field->base);
    auto [first, count] = leafRange(field->base->type, field->number);
    a.leaves = Values(ArrayRef(a.leaves).slice(first, count));
    return a;
  }
  if (auto *index = dyn_cast<hir::IndexExpr>(e)) {
    for (const hir::Sub &sub : index->subs)
      if (sub.kind == hir::Sub::Kind::Gather)
        return {emitGather(index), {}};
    Access a = access(index->base);
    applySubs(a, index->subs);
    return a;
  }
  return {emit(e), {}};
}

Values Importer::read(const Access &a, const Type &type) {
  Values result;
  for (auto [leaf, type] : llvm::zip(a.leaves, type.leaves()))
    result.push_back(readLeaf(leaf, a.selectors, type));
  return result;
}

Value Importer::readLeaf(Value leaf, ArrayRef<Selector> selectors,
                         const Type::Leaf &result) {
  auto type = dyn_cast<RankedTensorType>(leaf.getType());
  bool whole = llvm::all_of(
      selectors, [](const Selector &s) { return s.kind == Selector::Whole; });
  if (!type || whole)
    return leaf;

  auto selector = [&](unsigned dim) {
    return dim < selectors.size() ? selectors[dim] : Selector();
  };
  Values points;
  bool inBounds = true;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (Selector s = selector(d); s.kind == Selector::Point) {
      points.push_back(s.point);
      inBounds &= s.inBounds;
    }
  if (int64_t(points.size()) == type.getRank()) {
    // `inbounds` lets passes read where the program did not. What a branch
    // proves holds in it alone: the prover finds the words for that.
    return array::AtOp::create(b, loc, leaf, points, inBounds && !ifDepth);
  }

  // A body goes on where a check fails, and nothing can be read of an empty
  // array instead: then each element is checked, too.
  SmallVector<Selector> checked(selectors);
  bool checkEach = false;
  for (auto [d, s] : llvm::enumerate(checked)) {
    // No map of indices has products of two unknowns.
    bool isFarther = s.kind == Selector::Slice && !getConstantIntValue(s.step);
    checkEach |= s.isPerhapsOutside || isFarther;
    if (s.kind != Selector::Point || s.inBounds)
      continue;
    if (hasBoundary(leaf, d)) {
      checkEach = true;
      continue;
    }
    s.point = checkIndex(s.point, dimOf(leaf, d));
    checkEach |= isInBody() && !s.notEmpty && type.getDimSize(d) <= 0;
  }
  if (checkEach)
    return readEach(leaf, checked, result);

  // A view: what must be inside is checked here.
  AffineMap map;
  SmallVector<AffineExpr> exprs;
  Values symbols;
  auto symbol = [&](OpFoldResult v) -> AffineExpr {
    if (std::optional<int64_t> n = getConstantIntValue(v))
      return b.getAffineConstantExpr(*n);
    symbols.push_back(cast<Value>(v));
    return b.getAffineSymbolExpr(symbols.size() - 1);
  };
  unsigned next = 0;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    Selector s = d < int64_t(checked.size()) ? checked[d] : Selector();
    switch (s.kind) {
    case Selector::Point:
      exprs.push_back(symbol(s.point));
      break;
    case Selector::Slice:
      exprs.push_back(b.getAffineDimExpr(next++) * symbol(s.step) +
                      symbol(s.lo));
      break;
    case Selector::Whole:
      exprs.push_back(b.getAffineDimExpr(next++));
      break;
    }
  }
  map = AffineMap::get(next, symbols.size(), exprs, context);
  return array::ViewOp::create(b, loc, leaf, map, symbols,
                               sizesOf(result.dims));
}

Value Importer::readEach(Value leaf, ArrayRef<Selector> selectors,
                         const Type::Leaf &result) {
  SmallVector<StringRef> names(result.dims.size(), "");
  std::string text[] = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"};
  for (auto [name, number] : llvm::zip(names, text))
    name = number;
  auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      Access a{{leaf}, SmallVector<Selector>(selectors)};
      for (Value iv : ivs)
        applyPoint(a, 0, iv, true);
      Type::Leaf scalar{"", result.scalar, {}};
      array::YieldOp::create(b, loc, readLeaf(leaf, a.selectors, scalar));
    });
  };
  auto op = array::MapOp::create(b, loc, sizesOf(result.dims), names, body);
  return coerce(op->getResult(0), leafType(result));
}

Values Importer::emitGather(hir::IndexExpr *e) {
  Access base = access(e->base);
  // Everything in the subscripts is computed once, before the elements.
  struct Part {
    Value point;
    Values indices;
  };
  SmallVector<Part> parts;
  for (const hir::Sub &sub : e->subs) {
    Part part;
    if (sub.kind == hir::Sub::Kind::Point)
      part.point = emitIndex(sub.index);
    else if (sub.kind == hir::Sub::Kind::Gather)
      part.indices = emit(sub.index);
    parts.push_back(part);
  }

  Values result;
  for (auto [k, leaf] : llvm::enumerate(e->type.leaves())) {
    SmallVector<StringRef> names(leaf.dims.size(), "");
    std::string text[] = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"};
    for (auto [i, name] : llvm::enumerate(names))
      name = text[i];
    auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
      inRegion(nested, [&] {
        Access a{{base.leaves[k]}, base.selectors};
        unsigned visible = 0;
        for (auto [sub, part] : llvm::zip(e->subs, parts)) {
          switch (sub.kind) {
          case hir::Sub::Kind::Point:
            applyPoint(a, visible, part.point, sub.inBounds, sub.notEmpty);
            break;
          case hir::Sub::Kind::Slice:
            applySlice(a, visible, sub);
            applyPoint(a, visible, ivs.front(), true);
            ivs = ivs.drop_front();
            break;
          case hir::Sub::Kind::Gather: {
            unsigned rank = sub.index->type.rank();
            Value at = array::AtOp::create(b, loc, part.indices.front(),
                                           ivs.take_front(rank), true);
            ivs = ivs.drop_front(rank);
            ScalarKind kind = sub.index->type.element().scalar();
            Value index = isUnsignedInt(kind) && bitWidth(kind) < 64
                              ? make<arith::IndexCastUIOp>(b.getIndexType(), at)
                              : make<arith::IndexCastOp>(b.getIndexType(), at);
            applyPoint(a, visible, index, sub.inBounds, sub.notEmpty);
            break;
          }
          }
        }
        for (Value iv : ivs)
          applyPoint(a, visible, iv, true);
        Type::Leaf scalar{"", leaf.scalar, {}};
        array::YieldOp::create(b, loc,
                               readLeaf(a.leaves.front(), a.selectors, scalar));
      });
    };
    auto op = array::MapOp::create(b, loc, sizesOf(leaf.dims), names, body);
    result.push_back(coerce(op->getResult(0), leafType(leaf)));
  }
  return result;
}

Value Importer::elementAt(hir::Expr *e, unsigned leaf,
                          ArrayRef<Value> indices) {
  if (indices.empty())
    return emit(e)[leaf];
  At at(*this, e);
  auto *comp = dyn_cast<hir::CompExpr>(e);
  if (comp &&
      (comp->compKind == hir::CompExpr::CompKind::Map ||
       comp->compKind == hir::CompExpr::CompKind::Stencil) &&
      comp->indices.size() <= indices.size()) {
    for (auto [index, iv] : llvm::zip(comp->indices, indices))
      bindIndex(index, iv);
    emitStmts(*comp->body);
    return elementAt(comp->body->value, leaf,
                     indices.drop_front(comp->indices.size()));
  }
  if (auto *tuple = dyn_cast<hir::TupleExpr>(e))
    for (hir::Expr *element : tuple->elements) {
      unsigned count = element->type.leaves().size();
      if (leaf < count)
        return elementAt(element, leaf, indices);
      leaf -= count;
    }
  Access a = access(e);
  a.leaves = {a.leaves[leaf]};
  for (Value index : indices)
    applyPoint(a, 0, index, true);
  return readLeaf(a.leaves.front(), a.selectors,
                  Type::Leaf{"", ScalarKind::I64, {}});
}

/// Puts each element of `value` at its place, if `inside` is not false.
Value Importer::writeEach(Value into, ArrayRef<Selector> selectors, Value value,
                          Value inside) {
  SmallVector<OpFoldResult> extents;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  for (int64_t d = 0; d < rank; ++d) {
    OpFoldResult size = array::getKnownSize(value, d);
    extents.push_back(size ? size : OpFoldResult(dimOf(value, d)));
  }
  std::string text[] = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"};
  SmallVector<StringRef> names(text, text + rank);
  auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      Value element =
          array::AtOp::create(b, loc, value, ivs, /*inbounds=*/true);
      Access a{{into}, SmallVector<Selector>(selectors)};
      Values at;
      for (Value iv : ivs)
        applyPoint(a, 0, iv, true);
      for (Selector &s : a.selectors)
        at.push_back(s.point);
      if (inside)
        at.front() =
            make<arith::SelectOp>(inside, at.front(), indexConstant(-1));
      array::YieldOp::create(b, loc, element, at);
    });
  };
  return array::ScatterOp::create(b, loc, extents, names, into,
                                  array::OutOfBounds::Drop, body,
                                  array::BodyBuilder(nullptr))
      ->getResult(0);
}

Value Importer::write(Value into, ArrayRef<Selector> selectors, Value value,
                      const Type::Leaf &part) {
  auto type = cast<RankedTensorType>(into.getType());
  SmallVector<OpFoldResult> offsets, sizes, strides;
  Values points;
  // A body goes on where a check fails, and nothing can be written to an empty
  // array, or over the end of a short one.
  Value inside;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    Selector s = d < int64_t(selectors.size()) ? selectors[d] : Selector();
    switch (s.kind) {
    case Selector::Point:
      if (!s.inBounds)
        s.point = checkIndex(s.point, dimOf(into, d),
                             s.notEmpty || type.getDimSize(d) > 0 ? nullptr
                                                                  : &s.inside);
      points.push_back(s.point);
      offsets.push_back(s.point);
      sizes.push_back(b.getIndexAttr(1));
      strides.push_back(b.getIndexAttr(1));
      break;
    case Selector::Slice:
      offsets.push_back(s.lo);
      sizes.push_back(s.extent);
      strides.push_back(s.step);
      break;
    case Selector::Whole:
      offsets.push_back(b.getIndexAttr(0));
      if (type.isDynamicDim(d))
        sizes.push_back(dimOf(into, d));
      else
        sizes.push_back(b.getIndexAttr(type.getDimSize(d)));
      strides.push_back(b.getIndexAttr(1));
      break;
    }
    if (s.inside)
      inside = inside ? make<arith::AndIOp>(inside, s.inside) : s.inside;
  }

  // What is put in: an array of the selected shape, or one element.
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    bool isPoint = d < selectors.size() && selectors[d].kind == Selector::Point;
    if (isPoint)
      continue;
    if (auto v = dyn_cast<Value>(size))
      dynamic.push_back(v);
    shape.push_back(isa<Attribute>(size) ? *getConstantIntValue(size)
                                         : ShapedType::kDynamic);
  }
  auto partType = RankedTensorType::get(shape, type.getElementType());
  if (!isa<TensorType>(value.getType()))
    value =
        shape.empty()
            ? Value(tensor::FromElementsOp::create(b, loc, partType, value))
            : Value(tensor::SplatOp::create(b, loc, value, partType, dynamic));
  value = coerce(value, partType);
  if (llvm::any_of(selectors, [](const Selector &s) {
        return s.kind == Selector::Slice && !getConstantIntValue(s.step);
      }))
    return writeEach(into, selectors, value, inside);
  if (shape.size() == size_t(type.getRank()) &&
      llvm::all_of(selectors,
                   [](const Selector &s) { return s.kind == Selector::Whole; }))
    return value;
  auto insert = [&](OpBuilder &at) -> Value {
    return tensor::InsertSliceOp::create(at, loc, value, into, offsets, sizes,
                                         strides);
  };
  if (!inside)
    return insert(b);
  return scf::IfOp::create(
             b, loc, inside,
             [&](OpBuilder &at, Location) {
               scf::YieldOp::create(at, loc, insert(at));
             },
             [&](OpBuilder &at, Location) {
               scf::YieldOp::create(at, loc, into);
             })
      .getResult(0);
}
