//===- ImportComps.cpp - `for`, `stencil`, histograms, scatters -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace arrc;
using namespace mlir;
using CompKind = hir::CompExpr::CompKind;

void Importer::inRegion(OpBuilder &nested, llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(b);
  b.restoreInsertionPoint(nested.saveInsertionPoint());
  size_t before = emptied.size();
  body();
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
    if (attr.name == "fast" || attr.name == "unsafe")
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

Values Importer::emitMap(hir::CompExpr *e) {
  SmallVector<OpFoldResult> extents;
  IndexNames names;
  for (const hir::CompIndex &index : e->indices) {
    if (index.prelude)
      emitStmts(*index.prelude);
    extents.push_back(extentOf(index, /*maybeEmpty=*/false));
    names.text.push_back(indexName(index.var));
  }
  auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      for (auto [index, iv] : llvm::zip(e->indices, ivs))
        bindIndex(index, iv);
      Values values = emitBlock(*e->body);
      // A row whose size was only checked has the size that was declared.
      for (auto [value, leaf] :
           llvm::zip(values, e->body->value->type.leaves()))
        if (auto type = dyn_cast<RankedTensorType>(value.getType()))
          if (llvm::any_of(llvm::seq<int64_t>(0, type.getRank()),
                           [&](int64_t dim) {
                             return !array::getKnownSize(value, dim);
                           }))
            value = bind(value, leaf);
      array::YieldOp::create(b, loc, values);
    });
  };
  Operation *op;
  if (e->compKind == CompKind::Stencil)
    op = array::StencilOp::create(b, loc, extents, names.get(), body);
  else
    op = array::MapOp::create(b, loc, extents, names.get(), body);
  attachAttrs(op, e->attrs);
  return coerce(Values(op->getResults()), e->type);
}

//===----------------------------------------------------------------------===//
// Histograms and scatters
//===----------------------------------------------------------------------===//

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
  for (const hir::CompIndex &index : e->indices) {
    if (index.prelude)
      emitStmts(*index.prelude);
    extents.push_back(extentOf(index, /*maybeEmpty=*/true));
    names.text.push_back(indexName(index.var));
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
