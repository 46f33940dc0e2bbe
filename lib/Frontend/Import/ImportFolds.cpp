//===- ImportFolds.cpp - Reductions and scans -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The accumulators of a fold are scalars or small arrays of constant size. A
// fold of whole rows, `sum for i { a[i] }`, becomes a map over the row with a
// fold of one element inside; where the rows are read or computed element by
// element no row is ever built.
//
//===----------------------------------------------------------------------===//

#include "ImportImpl.h"

#include "arrc/Support/ArgCombiner.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace arrc;
using namespace mlir;

bool arrc::fitsAccumulator(const Type::Leaf &leaf) {
  int64_t elements = 1;
  for (const Dim &dim : leaf.dims) {
    std::optional<int64_t> n = dim.size.constant();
    if (!n || *n <= 0 || *n > 64)
      return false;
    elements *= *n;
  }
  return elements <= 64;
}
using hir::Combiner;

//===----------------------------------------------------------------------===//
// One leaf or all
//===----------------------------------------------------------------------===//

/// The leaves that a fold of one has, an element of it at a time, or of all.
static SmallVector<arrc::Type::Leaf>
getFoldedLeaves(const hir::CompExpr *e, std::optional<unsigned> one) {
  auto all = e->body->value->type.leaves();
  if (!one)
    return SmallVector<arrc::Type::Leaf>(all.begin(), all.end());
  arrc::Type::Leaf leaf = all[*one];
  leaf.dims.clear();
  return {leaf};
}

/// What a fold with a start of its own starts from.
Values Importer::emitInit(hir::CompExpr *e, std::optional<unsigned> leaf,
                          ArrayRef<Value> rowIndices) {
  if (leaf && !rowIndices.empty())
    return {elementAt(e->init, *leaf, rowIndices)};
  Values init = coerce(emit(e->init), e->init->type);
  return leaf ? Values{init[*leaf]} : init;
}

/// What an iteration folds in.
Values Importer::emitFolded(hir::CompExpr *e, std::optional<unsigned> leaf,
                            ArrayRef<Value> rowIndices) {
  if (leaf && !rowIndices.empty()) {
    emitStmts(*e->body);
    return {elementAt(e->body->value, *leaf, rowIndices)};
  }
  Values values = emitRows(*e->body);
  return leaf ? Values{values[*leaf]} : values;
}

/// A row of folds: `fold` makes the one of an element of `leaf`.
Value Importer::emitRowOfFolds(const Type::Leaf &leaf,
                               function_ref<Values(ArrayRef<Value>)> fold) {
  static const char *const text[] = {"d0", "d1", "d2", "d3",
                                     "d4", "d5", "d6", "d7"};
  SmallVector<StringRef> names(text, text + leaf.dims.size());
  auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      Values indices(ivs);
      array::YieldOp::create(b, loc, fold(indices));
    });
  };
  auto op = array::MapOp::create(b, loc, sizesOf(leaf.dims), names, body);
  return op->getResult(0);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Values Importer::emitReduce(hir::CompExpr *e) {
  SmallVector<Type::Leaf> leaves;
  for (const Type::Leaf &leaf : e->body->value->type.leaves())
    leaves.push_back(leaf);
  // An operator of one's own may need all elements of a row at once.
  if (e->combiner == Combiner::Lambda || llvm::all_of(leaves, fitsAccumulator))
    return coerce(emitReduceGroup(e, 0, std::nullopt, {}), e->type);

  // Rows: one map a leaf, one fold for each of its elements.
  Values result;
  for (auto [k, leaf] : llvm::enumerate(leaves)) {
    if (leaf.dims.empty()) {
      result.push_back(emitReduceGroup(e, 0, k, {}).front());
      continue;
    }
    result.push_back(emitRowOfFolds(leaf, [&, k = k](ArrayRef<Value> indices) {
      return emitReduceGroup(e, 0, k, indices);
    }));
  }
  return coerce(result, e->type);
}

Values Importer::emitReduceGroup(hir::CompExpr *e, unsigned first,
                                 std::optional<unsigned> oneLeaf,
                                 ArrayRef<Value> rowIndices) {
  // The indices from here to the next whose range depends on these.
  if (hir::Block *prelude = e->indices[first].prelude)
    emitStmts(*prelude);
  unsigned last = first + 1;
  while (last < e->indices.size() && !e->indices[last].dependent) {
    if (hir::Block *prelude = e->indices[last].prelude)
      emitStmts(*prelude);
    ++last;
  }
  SmallVector<OpFoldResult> extents;
  std::vector<std::string> text;
  for (unsigned i = first; i < last; ++i) {
    extents.push_back(extentOf(e->indices[i], /*maybeEmpty=*/true));
    text.push_back(indexName(e->indices[i].var));
  }
  SmallVector<StringRef> names(text.begin(), text.end());

  // One leaf of a row, or everything.
  SmallVector<Type::Leaf> leaves = getFoldedLeaves(e, oneLeaf);
  unsigned savedLeaf = foldedLeaf;
  foldedLeaf = oneLeaf.value_or(0);

  auto neutrals = [&] {
    if (e->init)
      return emitInit(e, oneLeaf, rowIndices);
    Values values;
    for (const Type::Leaf &leaf : leaves) {
      ScalarKind kind = foldKind(e, leaf.scalar);
      Type::Leaf wide = leaf;
      wide.scalar = kind;
      values.push_back(neutral(e->combiner, kind, leafType(wide)));
    }
    return values;
  };

  auto compute = [&]() -> Values {
    if (last < e->indices.size())
      return emitReduceGroup(e, last, oneLeaf, rowIndices);
    auto value = [&] {
      Values values = emitFolded(e, oneLeaf, rowIndices);
      if (e->combiner == Combiner::Add && !e->init && values.size() == 1)
        markProduct(values.front(), e->body->value);
      if (e->combiner == Combiner::Add && !e->init && values.size() > 1)
        if (auto *tuple = dyn_cast<hir::TupleExpr>(e->body->value))
          if (tuple->elements.size() == values.size())
            for (auto [v, element] : llvm::zip(values, tuple->elements))
              markProduct(v, element);
      for (auto [v, leaf] : llvm::zip(values, leaves))
        v = convertElements(v, leaf.scalar, foldKind(e, leaf.scalar));
      return values;
    };
    if (!e->condition)
      return value();
    Value condition = emitBlock(*e->condition).front();
    SmallVector<mlir::Type> types;
    for (Type::Leaf leaf : leaves) {
      leaf.scalar = foldKind(e, leaf.scalar);
      types.push_back(leafType(leaf));
    }
    auto op = scf::IfOp::create(b, loc, types, condition, true, true);
    Branching branching(*this, op);
    inRegion(b, [&] {
      b.setInsertionPointToStart(&op.getThenRegion().front());
      scf::YieldOp::create(b, loc, value());
      b.setInsertionPointToStart(&op.getElseRegion().front());
      scf::YieldOp::create(b, loc, neutrals());
    });
    return Values(op.getResults());
  };

  auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      for (unsigned i = first; i < last; ++i)
        bindIndex(e->indices[i], ivs[i - first]);
      array::YieldOp::create(b, loc, compute());
    });
  };
  auto combiner = [&](OpBuilder &nested, Location, ValueRange args) {
    inRegion(nested, [&] { array::YieldOp::create(b, loc, combine(e, args)); });
  };
  auto op = array::ReduceOp::create(b, loc, extents, names, neutrals(), body,
                                    combiner);
  if (first == 0)
    attachAttrs(op, e->attrs);
  Values values(op->getResults());
  if (first == 0)
    for (auto [v, leaf] : llvm::zip(values, leaves))
      v = convertElements(v, foldKind(e, leaf.scalar), leaf.scalar);
  foldedLeaf = savedLeaf;
  return values;
}

//===----------------------------------------------------------------------===//
// The place of the least and the greatest
//===----------------------------------------------------------------------===//

/// The type in which values of `kind` are compared: all of up to 32 bits are as
/// cheap there.
static ScalarKind getComparedKind(ScalarKind kind) {
  if (isHalf(kind))
    return ScalarKind::F32;
  if (isFloat(kind) || bitWidth(kind) >= 32)
    return kind;
  return isSignedInt(kind) ? ScalarKind::I32 : ScalarKind::U32;
}

// The accumulators are the best value and its place, the number of its
// iteration; -1 says that there is none yet. Of equals the first stays, and a
// NaN is better than any number (ArgCombiner.h).
Values Importer::emitArg(hir::CompExpr *e) {
  ScalarKind given = e->body->value->type.scalar();
  ScalarKind kind = getComparedKind(given);
  bool isMin = e->combiner == Combiner::ArgMin;
  SmallVector<OpFoldResult> extents;
  std::vector<std::string> text;
  std::optional<PointSpace> points;
  if (hasDependent(e)) {
    points = pointsOf(e);
    extents.push_back(points->size);
    text.push_back(points->name);
  } else {
    for (const hir::CompIndex &index : e->indices) {
      if (index.prelude)
        emitStmts(*index.prelude);
      extents.push_back(extentOf(index, /*maybeEmpty=*/true));
      text.push_back(indexName(index.var));
    }
  }
  SmallVector<StringRef> names(text.begin(), text.end());
  size_t rank = extents.size();
  SmallVector<Value> sizes =
      getValueOrCreateConstantIndexOp(b, loc, ArrayRef(extents));

  auto nothing = [&] {
    return Values{neutral(e->combiner, kind, scalarType(kind)),
                  indexConstant(-1)};
  };
  auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      if (points)
        points->bind(ivs.front());
      else
        for (auto [index, iv] : llvm::zip(e->indices, ivs))
          bindIndex(index, iv);
      auto value = [&] {
        Value place = ivs[0];
        for (size_t i = 1; i < rank; ++i)
          place =
              make<arith::AddIOp>(make<arith::MulIOp>(place, sizes[i]), ivs[i]);
        return Values{convert(given, kind, emitBlock(*e->body).front()), place};
      };
      Values values;
      if (!e->condition) {
        values = value();
      } else {
        Value condition = emitBlock(*e->condition).front();
        SmallVector<mlir::Type> types{scalarType(kind), b.getIndexType()};
        auto op = scf::IfOp::create(b, loc, types, condition, true, true);
        Branching branching(*this, op);
        inRegion(b, [&] {
          b.setInsertionPointToStart(&op.getThenRegion().front());
          scf::YieldOp::create(b, loc, value());
          b.setInsertionPointToStart(&op.getElseRegion().front());
          scf::YieldOp::create(b, loc, nothing());
        });
        values = Values(op.getResults());
      }
      array::YieldOp::create(b, loc, values);
    });
  };
  auto combiner = [&](OpBuilder &nested, Location, ValueRange args) {
    inRegion(nested, [&] {
      array::YieldOp::create(b, loc,
                             createArgStep(b, loc, {!isMin, isSignedInt(kind)},
                                           args.take_front(2),
                                           args.drop_front(2)));
    });
  };
  auto op = array::ReduceOp::create(b, loc, extents, names, nothing(), body,
                                    combiner);
  attachAttrs(op, e->attrs);
  Value place = op->getResult(1), zero = indexConstant(0);
  // Without a condition the sizes say whether there is something.
  Values found;
  if (e->condition)
    found.push_back(
        make<arith::CmpIOp>(arith::CmpIPredicate::sge, place, zero));
  else
    for (Value size : sizes)
      found.push_back(
          make<arith::CmpIOp>(arith::CmpIPredicate::sgt, size, zero));
  if (!unsafe)
    for (Value some : found)
      check(hir::CheckKind::Size, some,
            isMin ? "argmin of nothing" : "argmax of nothing", {});
  if (points)
    return indicesAt(*points, e->indices, place);
  // The place as one index a dimension, the last one first. Of nothing there
  // may be a dimension without elements, by which nothing divides.
  SmallVector<Value> places(rank);
  for (size_t i = rank; --i > 0;) {
    Value size = make<arith::MaxSIOp>(sizes[i], indexConstant(1));
    places[i] = make<arith::RemSIOp>(place, size);
    place = make<arith::DivSIOp>(place, size);
  }
  places[0] = place;
  Values result;
  for (auto [index, at] : llvm::zip(e->indices, places)) {
    auto saved = env;
    bindIndex(index, at);
    result.push_back(leavesOf(index.var).front());
    env = std::move(saved);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

Values Importer::emitScan(hir::CompExpr *e) {
  SmallVector<Type::Leaf> leaves;
  for (const Type::Leaf &leaf : e->body->value->type.leaves())
    leaves.push_back(leaf);
  if (hir::Block *prelude = e->indices.front().prelude)
    emitStmts(*prelude);
  if (e->combiner == Combiner::Lambda || llvm::all_of(leaves, fitsAccumulator))
    return coerce(emitScanOf(e, std::nullopt, {}), e->type);

  // Rows: for each element of the row one scan, then the dimensions exchanged.
  Values result;
  for (auto [k, leaf] : llvm::enumerate(leaves)) {
    if (leaf.dims.empty()) {
      result.push_back(emitScanOf(e, k, {}).front());
      continue;
    }
    unsigned rank = leaf.dims.size();
    Value row = emitRowOfFolds(leaf, [&, k = k](ArrayRef<Value> indices) {
      return emitScanOf(e, k, indices);
    });
    SmallVector<AffineExpr> exprs;
    for (unsigned d = 0; d < rank; ++d)
      exprs.push_back(b.getAffineDimExpr(d + 1));
    exprs.push_back(b.getAffineDimExpr(0));
    Type::Leaf whole = e->type.leaves()[k];
    result.push_back(array::ViewOp::create(
        b, loc, row, AffineMap::get(rank + 1, 0, exprs, context), ValueRange(),
        sizesOf(whole.dims)));
  }
  return coerce(result, e->type);
}

Values Importer::emitScanOf(hir::CompExpr *e, std::optional<unsigned> oneLeaf,
                            ArrayRef<Value> rowIndices) {
  unsigned savedLeaf = foldedLeaf;
  foldedLeaf = oneLeaf.value_or(0);

  // An operator of the user has no neutral element here: a flag says whether
  // there is a value yet.
  bool flagged = !e->init && e->combiner == Combiner::Lambda;
  Values init;
  if (e->init) {
    init = emitInit(e, oneLeaf, rowIndices);
  } else {
    Combiner neutralOf = flagged ? Combiner::Add : e->combiner;
    for (const Type::Leaf &leaf : getFoldedLeaves(e, oneLeaf))
      init.push_back(neutralRow(neutralOf, leaf));
  }
  if (flagged)
    init.insert(init.begin(), constant(ScalarKind::Bool, 0));

  auto body = [&](OpBuilder &nested, Location, ValueRange ivs) {
    inRegion(nested, [&] {
      bindIndex(e->indices.front(), ivs.front());
      Values values = emitFolded(e, oneLeaf, rowIndices);
      if (flagged)
        values.insert(values.begin(), constant(ScalarKind::Bool, 1));
      array::YieldOp::create(b, loc, values);
    });
  };
  auto combiner = [&](OpBuilder &nested, Location, ValueRange args) {
    inRegion(nested, [&] {
      if (!flagged) {
        array::YieldOp::create(b, loc, combine(e, args));
        return;
      }
      size_t half = args.size() / 2;
      Values operands(args.slice(1, half - 1));
      llvm::append_range(operands, args.drop_front(half + 1));
      Value left = args[0], right = args[half];
      Values both = combine(e, operands);
      Values values{make<arith::OrIOp>(left, right)};
      for (size_t i = 0; i < half - 1; ++i) {
        Value l = operands[i], r = operands[half - 1 + i];
        Value one = arith::SelectOp::create(b, loc, left, l, r);
        Value two = make<arith::AndIOp>(left, right);
        values.push_back(arith::SelectOp::create(b, loc, two, both[i], one));
      }
      array::YieldOp::create(b, loc, values);
    });
  };
  auto op = array::ScanOp::create(
      b, loc, extentOf(e->indices.front(), /*maybeEmpty=*/false),
      indexName(e->indices.front().var), init, e->exclusive, body, combiner);
  attachAttrs(op, e->attrs);
  Values prefixes(op.getPrefixes());
  if (flagged)
    prefixes.erase(prefixes.begin());
  foldedLeaf = savedLeaf;
  return prefixes;
}
