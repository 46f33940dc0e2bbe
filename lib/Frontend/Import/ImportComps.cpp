//===- ImportComps.cpp - `for`, `stencil`, histograms, scatters -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/SetVector.h"

using namespace arrc;
using namespace mlir;
using CompKind = hir::CompExpr::CompKind;

void Importer::inRegion(OpBuilder &nested, llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(b);
  b.restoreInsertionPoint(nested.saveInsertionPoint());
  size_t before = emptied.size();
  body();
  restoreEmptied(before);
}

void Importer::restoreEmptied(size_t before) {
  while (emptied.size() > before) {
    auto [var, index] = emptied.pop_back_val();
    env[var].index = index;
  }
}

std::string Importer::indexName(const hir::Variable *var) {
  StringRef name = var->name;
  name.consume_front("%");
  return name.empty() ? "_" : name.str();
}

void Importer::bindIndex(const hir::CompIndex &index, Value iv) {
  AffineExpr d0 = b.getAffineDimExpr(0);
  Values operands{iv};
  const Size &step = index.range.step;
  AffineExpr expr;
  if (std::optional<int64_t> n = step.constant())
    expr = d0 * *n;
  else {
    operands = {make<arith::MulIOp>(iv, sizeValue(step))};
    expr = d0;
  }
  if (std::optional<int64_t> lo = index.range.lo.constant()) {
    expr = expr + *lo;
  } else {
    operands.push_back(sizeValue(index.range.lo));
    expr = expr + b.getAffineDimExpr(1);
  }
  defineIndex(index.var, materialize(expr, operands));
}

OpFoldResult Importer::extentOf(const hir::CompIndex &index, bool maybeEmpty) {
  OpFoldResult size = sizeOf(index.range.size);
  if (auto n = getConstantIntValue(size); n && *n < 0)
    return b.getIndexAttr(0);
  if (isa<Attribute>(size) || index.range.nonNegative || !maybeEmpty)
    return size;
  // An index of a loop around it is never negative.
  if (isa<BlockArgument>(cast<Value>(size)))
    return size;
  return make<arith::MaxSIOp>(cast<Value>(size), indexConstant(0));
}

void Importer::attachAttrs(Operation *op, ArrayRef<hir::Attr> attrs) {
  for (const hir::Attr &attr : attrs) {
    if (attr.name == "fast" || attr.name == "unsafe" || attr.name == "exact")
      continue;
    op->setAttr("arrc." + attr.name, attr.args.empty()
                                         ? Attribute(b.getUnitAttr())
                                         : b.getDenseI64ArrayAttr(attr.args));
  }
}

Values Importer::emitComp(hir::CompExpr *e) {
  switch (e->compKind) {
  case CompKind::Map:
  case CompKind::Stencil:
    return emitMap(e);
  case CompKind::Reduce:
    if (e->combiner == hir::Combiner::ArgMin ||
        e->combiner == hir::Combiner::ArgMax)
      return emitArg(e);
    return emitReduce(e);
  case CompKind::Scan:
    return emitScan(e);
  case CompKind::Hist:
  case CompKind::Scatter:
    return emitScatter(e);
  case CompKind::Filter:
    return emitFilter(e);
  }
  llvm_unreachable("no such comprehension");
}

namespace {
/// The names of indices as the builders of index-space operations want them.
struct IndexNames {
  std::vector<std::string> text;
  SmallVector<StringRef> names;

  ArrayRef<StringRef> get() {
    names.assign(text.begin(), text.end());
    return names;
  }
};
} // namespace

/// Whether `value` is made in `body` or a region below; the bodies around that
/// are still being built belong to no operation.
static bool isInside(Value value, Region *body) {
  Region *region = value.getParentRegion();
  while (region && region != body) {
    Operation *around = region->getParentOp();
    region = around ? around->getParentRegion() : nullptr;
  }
  return region == body;
}

/// Whether `value`, made in `body`, is the same at every point; then `slice`
/// has what it is made of, in order.
static bool isInvariant(Value value, Region *body,
                        llvm::SetVector<Operation *> &slice) {
  if (!isInside(value, body))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentRegion() != body || op->getNumRegions() ||
      !isPure(op))
    return false;
  for (Value operand : op->getOperands())
    if (!isInvariant(operand, body, slice))
      return false;
  slice.insert(op);
  return true;
}

Value Importer::padRow(Value row, const Type::Leaf &leaf) {
  SmallVector<OpFoldResult> whole = sizesOf(leaf.dims);
  std::string text[] = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"};
  SmallVector<StringRef> names(text, text + whole.size());
  auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      Value inside;
      for (auto [dim, iv] : llvm::enumerate(ivs)) {
        OpFoldResult size = array::getKnownSize(row, dim);
        if (size == whole[dim])
          continue;
        Value below =
            make<arith::CmpIOp>(arith::CmpIPredicate::slt, iv, asIndex(size));
        inside = inside ? make<arith::AndIOp>(inside, below) : below;
      }
      Value zero =
          neutral(hir::Combiner::Add, leaf.scalar, scalarType(leaf.scalar));
      auto op = scf::IfOp::create(
          b, loc, inside,
          [&](OpBuilder &at, Location) {
            Value element =
                array::AtOp::create(at, loc, row, ivs, /*inbounds=*/true);
            scf::YieldOp::create(at, loc, element);
          },
          [&](OpBuilder &at, Location) {
            scf::YieldOp::create(at, loc, zero);
          });
      array::YieldOp::create(b, loc, op.getResult(0));
    });
  };
  auto op = array::MapOp::create(b, loc, whole, names, body);
  return coerce(op->getResult(0), leafType(leaf));
}

Values Importer::emitRows(const hir::Block &body,
                          llvm::SetVector<Operation *> *sizes) {
  size_t before = emptied.size();
  Values values = emitBlock(body);
  bool mayBeEmptied = emptied.size() > before;
  restoreEmptied(before);
  for (auto [value, leaf] : llvm::zip(values, body.value->type.leaves()))
    value = declareRow(value, leaf, mayBeEmptied, sizes);
  return values;
}

Value Importer::declareRow(Value row, const Type::Leaf &leaf, bool mayBeEmptied,
                           llvm::SetVector<Operation *> *sizes) {
  auto type = dyn_cast<RankedTensorType>(row.getType());
  Region *region = b.getInsertionBlock()->getParent();
  bool isKnown = true, isSame = true;
  for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
    OpFoldResult size = array::getKnownSize(row, dim);
    isKnown &= static_cast<bool>(size);
    if (auto v = dyn_cast_if_present<Value>(size); v && mayBeEmptied)
      isSame &= sizes ? isInvariant(v, region, *sizes)
                      : size == sizeOf(leaf.dims[dim].size);
  }
  // A row whose size was only checked has the size that was declared, and one
  // that has none at some points has it outside of the body.
  if (!isKnown)
    return bind(row, leaf);
  return isSame ? row : padRow(row, leaf);
}

Values Importer::emitMap(hir::CompExpr *e) {
  SmallVector<OpFoldResult> extents;
  IndexNames names;
  for (const hir::CompIndex &index : e->indices) {
    if (index.prelude)
      emitStmts(*index.prelude);
    extents.push_back(extentOf(index, /*maybeEmpty=*/false));
    names.text.push_back(indexName(index.var));
  }
  // What sizes of rows are made of that checks in the body may empty, though
  // they are the same at every point.
  llvm::SetVector<Operation *> sizes;
  auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      for (auto [index, iv] : llvm::zip(e->indices, ivs))
        bindIndex(index, iv);
      Values values = emitRows(*e->body, &sizes);
      array::YieldOp::create(b, loc, values);
    });
  };
  Operation *op;
  if (e->compKind == CompKind::Stencil)
    op = array::StencilOp::create(b, loc, extents, names.get(), body);
  else
    op = array::MapOp::create(b, loc, extents, names.get(), body);
  for (Operation *size : sizes)
    size->moveBefore(op);
  attachAttrs(op, e->attrs);
  return coerce(Values(op->getResults()), e->type);
}

//===----------------------------------------------------------------------===//
// Histograms and scatters
//===----------------------------------------------------------------------===//

bool arrc::hasDependent(const hir::CompExpr *e) {
  return llvm::any_of(
      e->indices, [](const hir::CompIndex &index) { return index.dependent; });
}

/// An array of type `leaf` whose every row is `row`.
Value Importer::emitRowsOf(Value row, const Type::Leaf &leaf) {
  auto type = cast<RankedTensorType>(leafType(leaf));
  SmallVector<OpFoldResult> sizes = sizesOf(leaf.dims);
  // Of equal elements it is an array of equal elements.
  Value element;
  DenseElementsAttr constant;
  if (auto splat = row.getDefiningOp<tensor::SplatOp>())
    element = splat.getInput();
  else if (matchPattern(row, m_Constant(&constant)) && constant.isSplat() &&
           !isa<ComplexType>(type.getElementType()))
    element =
        arith::ConstantOp::create(b, loc, constant.getSplatValue<TypedAttr>());
  if (element) {
    SmallVector<Value> dynamic;
    for (OpFoldResult size : sizes)
      if (auto v = dyn_cast<Value>(size))
        dynamic.push_back(v);
    return tensor::SplatOp::create(b, loc, element, type, dynamic);
  }
  int64_t first =
      type.getRank() - cast<RankedTensorType>(row.getType()).getRank();
  std::string text[] = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"};
  SmallVector<StringRef> names(text, text + type.getRank());
  auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      Value read = array::AtOp::create(b, loc, row, ivs.drop_front(first),
                                       /*inbounds=*/true);
      array::YieldOp::create(b, loc, read);
    });
  };
  return array::MapOp::create(b, loc, sizes, names, body)->getResult(0);
}

Values Importer::emitScatter(hir::CompExpr *e) {
  bool isHist = e->compKind == CompKind::Hist;
  SmallVector<Type::Leaf> leaves;
  for (const Type::Leaf &leaf : e->type.leaves())
    leaves.push_back(leaf);

  // The arrays as they are before.
  Values into;
  if (isHist) {
    Values init = coerce(emit(e->init), e->init->type);
    for (auto [leaf, value] : llvm::zip(leaves, init)) {
      auto type = cast<RankedTensorType>(leafType(leaf));
      SmallVector<Value> dynamic;
      for (OpFoldResult size : sizesOf(leaf.dims))
        if (auto v = dyn_cast<Value>(size))
          dynamic.push_back(v);
      if (isa<RankedTensorType>(value.getType())) {
        into.push_back(emitRowsOf(value, leaf));
        continue;
      }
      into.push_back(
          tensor::SplatOp::create(b, loc, value, type, dynamic).getResult());
    }
  } else {
    into = coerce(emit(e->into), e->type);
  }
  SmallVector<OpFoldResult> binSizes;
  for (const Dim &dim : e->type.dims())
    binSizes.push_back(sizeOf(dim.size));

  SmallVector<OpFoldResult> extents;
  IndexNames names;
  std::optional<PointSpace> points;
  if (hasDependent(e)) {
    points = pointsOf(e);
    extents.push_back(points->size);
    names.text.push_back(points->name);
  } else {
    for (const hir::CompIndex &index : e->indices) {
      if (index.prelude)
        emitStmts(*index.prelude);
      extents.push_back(extentOf(index, /*maybeEmpty=*/true));
      names.text.push_back(indexName(index.var));
    }
  }

  // A condition drops values, and nothing else may be dropped with them: an
  // index outside is then clamped, or checked, by itself.
  using OutOfBounds = hir::CompExpr::OutOfBounds;
  bool conditional = e->condition;
  array::OutOfBounds oob =
      conditional || e->oob == OutOfBounds::Drop ? array::OutOfBounds::Drop
      : e->oob == OutOfBounds::Clamp             ? array::OutOfBounds::Clamp
                                                 : array::OutOfBounds::Fail;

  auto computeValue = [&](Values &values, Values &indices) {
    size_t before = emptied.size();
    emitStmts(*e->body);
    hir::Expr *pair = e->body->value;
    Type binType = pair->type.component(0);
    Type valueType = pair->type.component(1);
    if (auto *tuple = dyn_cast<hir::TupleExpr>(pair)) {
      hir::Expr *bin = tuple->elements[0];
      if (binType.isScalar()) {
        indices.push_back(emitIndex(bin));
      } else if (auto *bins = dyn_cast<hir::TupleExpr>(bin)) {
        for (hir::Expr *element : bins->elements)
          indices.push_back(emitIndex(element));
      } else {
        for (Value v : emit(bin))
          indices.push_back(make<arith::IndexCastOp>(b.getIndexType(), v));
      }
      values = coerce(emit(tuple->elements[1]), valueType);
    } else {
      Values both = emit(pair);
      size_t numBins = binType.leaves().size();
      for (Value v : ArrayRef(both).take_front(numBins))
        indices.push_back(make<arith::IndexCastOp>(b.getIndexType(), v));
      values = coerce(Values(ArrayRef(both).drop_front(numBins)), valueType);
    }
    bool mayBeEmptied = emptied.size() > before;
    restoreEmptied(before);
    for (auto [value, leaf] : llvm::zip(values, valueType.leaves()))
      value = declareRow(value, leaf, mayBeEmptied);
    if (conditional && !unsafe && e->oob == OutOfBounds::Error)
      for (auto [index, size] : llvm::zip(indices, binSizes))
        checkIndex(index, asIndex(size));
    if (conditional && e->oob == OutOfBounds::Clamp)
      for (auto [index, size] : llvm::zip(indices, binSizes)) {
        Value last = make<arith::SubIOp>(asIndex(size), indexConstant(1));
        index = make<arith::MaxSIOp>(make<arith::MinSIOp>(index, last),
                                     indexConstant(0));
      }
  };

  auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      if (points)
        points->bind(ivs.front());
      else
        for (auto [index, iv] : llvm::zip(e->indices, ivs))
          bindIndex(index, iv);
      Values values, indices;
      if (!conditional) {
        computeValue(values, indices);
      } else {
        Value condition = emitBlock(*e->condition).front();
        Type pair = e->body->value->type;
        size_t written = pair.component(0).leaves().size();
        SmallVector<mlir::Type> types(written, b.getIndexType());
        for (mlir::Type type : leafTypes(pair.component(1)))
          types.push_back(type);
        auto op = scf::IfOp::create(b, loc, types, condition, true, true);
        Branching branching(*this, op);
        inRegion(b, [&] {
          b.setInsertionPointToStart(&op.getThenRegion().front());
          computeValue(values, indices);
          llvm::append_range(indices, values);
          scf::YieldOp::create(b, loc, indices);
          b.setInsertionPointToStart(&op.getElseRegion().front());
          Values nothing(written, indexConstant(-1));
          for (auto [type, leaf] :
               llvm::zip(ArrayRef(types).drop_front(written),
                         pair.component(1).leaves())) {
            Value zero = neutral(hir::Combiner::Add, leaf.scalar,
                                 scalarType(leaf.scalar));
            if (auto tensor = dyn_cast<RankedTensorType>(type)) {
              SmallVector<Value> dynamic;
              for (OpFoldResult size : sizesOf(leaf.dims))
                if (auto v = dyn_cast<Value>(size))
                  dynamic.push_back(v);
              zero = tensor::SplatOp::create(b, loc, zero, tensor, dynamic);
            }
            nothing.push_back(zero);
          }
          scf::YieldOp::create(b, loc, nothing);
        });
        indices = Values(op.getResults().take_front(written));
        values = Values(op.getResults().drop_front(written));
        for (auto [value, leaf] : llvm::zip(values, pair.component(1).leaves()))
          value = declareRow(value, leaf, /*mayBeEmptied=*/false);
      }
      array::YieldOp::create(b, loc, values, indices);
    });
  };
  auto combiner = [&](OpBuilder &nested, Location, ValueRange args) {
    inRegion(nested, [&] { array::YieldOp::create(b, loc, combine(e, args)); });
  };
  auto op = array::ScatterOp::create(
      b, loc, extents, names.get(), into, oob, body,
      isHist ? array::BodyBuilder(combiner) : array::BodyBuilder(nullptr));
  attachAttrs(op, e->attrs);
  return coerce(Values(op->getResults()), e->type);
}
