//===- SemaFolds.cpp - The three steps of a fold --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The arguments (outside the body), the value (inside), the result (outside
// again): the same for `sum for i { e }` and `sum(a, axis = 0)`.
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

#include "llvm/ADT/StringSwitch.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

using CompKind = hir::CompExpr::CompKind;

bool Checker::beginFold(Fold &fold, ArrayRef<ast::Arg> args, SMRange loc) {
  StringRef name = fold.name;
  unsigned wanted = llvm::StringSwitch<unsigned>(name)
                        .Cases({"reduce", "exscan"}, 2)
                        .Cases({"scan", "scatter"}, 1)
                        .Case("hist", 3)
                        .Default(0);
  std::vector<const ast::Expr *> positional;
  static const char *const names[3] = {"op", "e", "bins"};
  for (const ast::Arg &a : args) {
    if (!a.name) {
      positional.push_back(a.value);
      continue;
    }
    bool oob = (name == "hist" || name == "scatter") && a.name.text == "oob";
    if (oob) {
      auto *n = dyn_cast<ast::NameExpr>(a.value);
      if (n && n->name == "drop") {
        fold.oob = hir::CompExpr::OutOfBounds::Drop;
      } else if (n && n->name == "clamp") {
        fold.oob = hir::CompExpr::OutOfBounds::Clamp;
      } else {
        report(diag::bad_oob, a.value->range);
        return false;
      }
    } else if (wanted > positional.size() && name != "scatter" &&
               a.name.text == names[positional.size()]) {
      positional.push_back(a.value);
    } else {
      reportArgument(a.name, name);
      return false;
    }
  }
  if (positional.size() != wanted) {
    static const char *const forms[] = {
        "reduce(op, e) for ..", "exscan(op, e) for ..", "scan(op) for ..",
        "scatter(a) for ..", "hist(op, e, bins) for .."};
    Diagnostic &d =
        report(diag::combinator_arguments, loc, name, std::to_string(wanted),
               std::to_string(positional.size()));
    for (StringRef f : forms)
      if (f.starts_with(name.str() + "("))
        d.help("write '" + f + "'");
    return false;
  }
  if (name == "scatter") {
    fold.into = checkValue(positional[0]);
    if (fold.into->type.isError())
      return false;
    if (!fold.into->type.isArray()) {
      report(diag::needs_array, positional[0]->range, "'scatter'",
             fold.into->type.str());
      return false;
    }
    // What is open takes the type of the values.
    if (!fold.into->type.isOpen())
      fold.into = reference(fold.into);
    return true;
  }
  if (wanted >= 1) {
    auto op = checkOperator(positional[0]);
    if (!op)
      return false;
    fold.op = *op;
    fold.opLoc = positional[0]->range;
  }
  if (wanted >= 2) {
    fold.init = checkValue(positional[1]);
    if (fold.init->type.isError())
      return false;
    if (!isPureOpen(fold.init) && !fold.init->type.isOpen())
      fold.init = reference(fold.init);
  }
  if (wanted == 3) {
    Expr *bins = checkValue(positional[2]);
    std::vector<Expr *> parts = {bins};
    if (auto *t = dyn_cast<hir::TupleExpr>(bins))
      parts = t->elements;
    for (Expr *b : parts) {
      if (b->type.isError())
        return false;
      if (!isIntScalar(b->type)) {
        report(diag::bins_not_int, b->loc, b->type.str());
        return false;
      }
      Size s = toSize(b);
      if (!requireNonNegative(s, b->loc, "a negative number of bins")) {
        report(diag::negative_size, b->loc, s.str());
        return false;
      }
      fold.bins.push_back(s);
    }
  }
  return true;
}

/// The same value with its scalars converted.
Expr *Checker::convertLeaves(Expr *e,
                             llvm::function_ref<ScalarKind(ScalarKind)> fn,
                             SMRange loc) {
  Type t = e->type;
  if (t.element().isScalar()) {
    ScalarKind from = t.element().scalar(), to = fn(from);
    if (from == to)
      return e;
    return t.isScalar() ? convertScalar(e, to, loc) : convertCall(e, to, loc);
  }
  if (!t.isTuple())
    return e;
  auto *lit = dyn_cast<hir::TupleExpr>(e);
  Expr *whole = lit ? e : reference(e);
  std::vector<Expr *> parts;
  std::vector<Type> types;
  for (unsigned k = 0; k < t.numComponents(); ++k) {
    parts.push_back(convertLeaves(
        lit ? lit->elements[k] : field(clone(whole), k, loc), fn, loc));
    types.push_back(parts.back()->type);
  }
  return make<hir::TupleExpr>(parts, Type::tuple(types), loc);
}

/// The declared type of a component, as far as there is one: what an integer
/// sum keeps its own type for.
static bool declares(const Type &expected, ScalarKind k) {
  if (!expected)
    return false;
  for (const Type::Leaf &l : expected.leaves())
    if (l.scalar == k)
      return true;
  return false;
}

Expr *Checker::foldBody(Fold &fold, Expr *v, SMRange loc, Type expected) {
  StringRef name = fold.name;
  hir::CompExpr *comp = fold.comp;
  if (v->type.isError())
    return v;
  if (v->type.isNone()) {
    report(diag::no_value, loc);
    return error(loc);
  }
  auto wrong = [&](const std::string &what) -> Expr * {
    Diagnostic &d =
        report(diag::combinator_body, v->loc, name, what, v->type.str());
    if (name == "sum" && v->type.element().isScalar(ScalarKind::Bool))
      d.help("'count' counts what is true");
    return error(loc);
  };
  auto all = [&](llvm::function_ref<bool(ScalarKind)> ok) {
    auto leaves = v->type.leaves();
    return !leaves.empty() && llvm::all_of(leaves, [&](const Type::Leaf &l) {
      return ok(l.scalar);
    });
  };
  bool hasStruct = v->type.element().isStruct();
  if (name == "sum" || name == "prod" || name == "mean") {
    if (hasStruct || !all([](ScalarKind k) { return k != ScalarKind::Bool; }))
      return wrong("numbers");
    comp->combiner = name == "prod" ? hir::Combiner::Mul : hir::Combiner::Add;
    v = convertLeaves(
        v,
        [&](ScalarKind k) {
          if (isInteger(k) && k != ScalarKind::U64 &&
              (name == "mean" || !declares(expected, k)))
            return ScalarKind::I64;
          if (k == ScalarKind::F16 || k == ScalarKind::BF16) {
            fold.roundTo = k;
            return ScalarKind::F32;
          }
          return k;
        },
        v->loc);
    if (name == "mean" && comp->condition) {
      Expr *one = constInt(1, loc);
      v = make<hir::TupleExpr>(
          std::vector<Expr *>{fix(v), one},
          Type::tuple({fixedType(v->type), Type::integer()}), loc);
    }
    return v;
  }
  if (name == "min" || name == "max") {
    if (hasStruct || !all([](ScalarKind k) {
          return k != ScalarKind::Bool && !isComplex(k);
        }))
      return wrong("real numbers");
    comp->combiner = name == "min" ? hir::Combiner::Min : hir::Combiner::Max;
    return v;
  }
  if (name == "any" || name == "all" || name == "count") {
    if (hasStruct || !all([](ScalarKind k) { return k == ScalarKind::Bool; }))
      return wrong("bools");
    comp->combiner = name == "any"   ? hir::Combiner::Or
                     : name == "all" ? hir::Combiner::And
                                     : hir::Combiner::Add;
    if (name == "count")
      v = convertLeaves(v, [](ScalarKind) { return ScalarKind::I64; }, v->loc);
    return v;
  }
  if (name == "argmin" || name == "argmax") {
    if (!v->type.isScalar() || v->type.isScalar(ScalarKind::Bool) ||
        isComplex(v->type.scalar()))
      return wrong("real scalars");
    comp->combiner =
        name == "argmin" ? hir::Combiner::ArgMin : hir::Combiner::ArgMax;
    return fix(v);
  }
  if (name == "scatter") {
    if (!v->type.isTuple() || v->type.numComponents() != 2)
      return wrong("pairs (index, value)");
    Expr *pair = isa<hir::TupleExpr>(v) ? v : reference(fix(v));
    Expr *at = binIndex(fold, pair, loc);
    unsigned n = at->type.isTuple() ? at->type.numComponents() : 1;
    if (at->type.isError())
      return at;
    if (n > fold.into->type.rank()) {
      report(diag::too_many_subscripts, at->loc, "the array", std::to_string(n),
             std::to_string(fold.into->type.rank()));
      return error(loc);
    }
    Expr *x = field(clone(pair), 1, loc);
    if (fold.into->type.isOpen())
      fold.into = closeInto(fold, x->type, expected);
    x = coerce(x, fold.into->type.dropDims(n), Purpose::Element, v->loc);
    if (x->type.isError())
      return x;
    return make<hir::TupleExpr>(std::vector<Expr *>{at, x},
                                Type::tuple({at->type, x->type}), loc);
  }
  // reduce, scan, exscan, hist: the value and `e` meet.
  Expr *at = nullptr, *x = v;
  if (name == "hist") {
    if (!v->type.isTuple() || v->type.numComponents() != 2)
      return wrong("pairs (bin, value)");
    Expr *pair = isa<hir::TupleExpr>(v) ? v : reference(fix(v));
    at = binIndex(fold, pair, loc);
    x = field(isa<hir::TupleExpr>(pair) ? pair : clone(pair), 1, loc);
    if (at->type.isError() || x->type.isError())
      return error(loc);
    unsigned n = at->type.isTuple() ? at->type.numComponents() : 1;
    if (n != fold.bins.size()) {
      report(diag::bin_rank, at->loc, std::to_string(n),
             std::to_string(fold.bins.size()));
      return error(loc);
    }
  }
  Type met = fold.init ? meetTypes(x->type, fold.init->type) : x->type;
  if (!met) {
    reportNoMeet(x->type, fold.init->type, fold.init->loc,
                 "the value and the neutral element of '" + name.str() + "'");
    return error(loc);
  }
  if (met.isOpen() && fold.op.combiner == hir::Combiner::Lambda)
    met = wantedElement(fold, met, expected);
  auto bring = [&](Expr *e) {
    if (met.isOpen())
      return e;
    if (e->type.isOpen())
      e = closeTo(e,
                  met.isArray() ? met.element().withDims(e->type.dims()) : met);
    return coerce(e, met, Purpose::Other, e->loc);
  };
  x = bring(x);
  if (fold.init)
    fold.init = bring(fold.init);
  if (x->type.isError() || (fold.init && fold.init->type.isError()))
    return error(loc);
  if (!applyOperator(fold.op, comp, x->type, fold.opLoc))
    return error(loc);
  if (!at)
    return x;
  return make<hir::TupleExpr>(std::vector<Expr *>{at, x},
                              Type::tuple({at->type, x->type}), loc);
}

/// What the elements of an open fold are to be: what is declared, or defaults.
Type Checker::wantedElement(const Fold &fold, const Type &met,
                            const Type &expected) {
  Type want = expected;
  if (want && want.isArray() && fold.name != "reduce")
    want = want.dropDims(fold.name == "hist" ? fold.bins.size() : 1);
  if (want)
    if (Type m = meetTypes(met, want);
        m && !m.isOpen() && Type::sameShapeless(m, want))
      return m;
  return fixedType(met);
}

/// The open array of a scatter, with the elements that it meets in the values
/// or is declared to have.
Expr *Checker::closeInto(const Fold &fold, const Type &values,
                         const Type &expected) {
  const Type &open = fold.into->type;
  Type met = meetTypes(values.element(), open.element());
  if (!met)
    return fix(fold.into);
  if (met.isOpen()) {
    Type want = expected ? meetTypes(met, expected.element()) : Type();
    met = want && !want.isOpen() ? want : fixedType(met);
  }
  return closeTo(fold.into, met.withDims(open.dims()));
}

Expr *Checker::binIndex(const Fold &fold, Expr *pair, SMRange loc) {
  Expr *e = field(pair, 0, loc);
  if (e->type.isError())
    return e;
  if (isIntScalar(e->type))
    return e->type.isOpen() ? close(e, ScalarKind::I64)
                            : convertScalar(e, ScalarKind::I64, e->loc);
  if (e->type.isTuple() &&
      llvm::all_of(e->type.components(),
                   [](const Component &c) { return isIntScalar(c.type); })) {
    e = fix(e);
    return convertLeaves(e, [](ScalarKind) { return ScalarKind::I64; }, loc);
  }
  std::string form = fold.name == "hist" ? "(bin, value)" : "(index, value)";
  Diagnostic &d = report(diag::index_not_int, e->loc, e->type.str());
  Expr *value = field(pair, 1, loc);
  bool isSwapped = e->type.isScalar() && isIntScalar(value->type);
  if (isa<hir::TupleExpr>(pair) && isSwapped)
    d.help("the body is '" + form + "': write '(" + sourceText(value->loc) +
           ", " + sourceText(e->loc) + ")'");
  else
    d.help("the body is '" + form + "'");
  return error(loc);
}

/// A reduction of rows becomes rows of reductions where that computes nothing
/// twice: `sum for i { a[i] }` is `for j { sum for i { a[i, j] } }`.
Expr *Checker::rowsOfFolds(hir::CompExpr *comp, SMRange loc) {
  Expr *v = comp->body->value;
  auto *map = dyn_cast<hir::CompExpr>(v);
  auto *row = dyn_cast<hir::IndexExpr>(v);
  bool simple = comp->body->stmts.empty() && !comp->condition &&
                comp->combiner != hir::Combiner::Lambda && !comp->init &&
                ((map && !map->written) ||
                 (row && llvm::all_of(row->subs, [](const hir::Sub &s) {
                    return s.kind == hir::Sub::Kind::Point;
                  })));
  bool small = llvm::all_of(v->type.dims(), [](const Dim &d) {
    return !d.ragged && d.size.isConstant();
  });
  if (!simple || small || !v->type.element().isScalar())
    return nullptr;
  std::vector<Dim> dims = v->type.dims().vec();
  Expr *rows = generate(
      dims,
      [&](ArrayRef<Expr *> at) -> Expr * {
        for (hir::CompIndex &ci : comp->indices)
          ++info(ci.var).level;
        BuilderScope body(*this, comp->body, false);
        comp->body->value = elementAt(v, at, loc);
        comp->type = comp->body->value->type;
        return comp;
      },
      loc);
  if (auto *c = dyn_cast<hir::CompExpr>(rows))
    c->written = true;
  return rows;
}

Expr *Checker::endFold(Fold &fold, SMRange loc) {
  hir::CompExpr *comp = fold.comp;
  Expr *v = comp->body->value;
  StringRef name = fold.name;
  comp->init = fold.init;
  comp->oob = fold.oob;
  if (name == "scatter") {
    comp->compKind = CompKind::Scatter;
    comp->into = reference(fold.into);
    comp->type = comp->into->type;
    return comp;
  }
  if (name == "hist") {
    comp->compKind = CompKind::Hist;
    comp->bins = fold.bins;
    std::vector<Dim> dims(fold.bins.begin(), fold.bins.end());
    comp->type = v->type.components()[1].type.withDims(dims);
    return comp;
  }
  // Sizes of the value must be known outside.
  bool inside = false;
  for (const Type::Leaf &l : v->type.leaves())
    for (const Dim &d : l.dims)
      inside |= d.ragged || levelOf(d.size) > level();
  if (inside) {
    report(diag::fold_rows_differ, v->loc, name);
    return error(loc);
  }
  if (name == "scan" || name == "exscan") {
    comp->compKind = CompKind::Scan;
    comp->exclusive = name == "exscan";
    if (comp->indices.size() != 1 || comp->condition) {
      report(diag::scan_one_index, loc, name);
      return error(loc);
    }
    hir::CompIndex &ci = comp->indices[0];
    if (!ci.range.nonNegative &&
        !requireNonNegative(ci.range.size, loc, "a negative size")) {
      report(diag::negative_size, loc, ci.range.size.str());
      return error(loc);
    }
    ci.range.nonNegative = true;
    comp->type = v->type.withDims({Dim(ci.range.size)});
    return comp;
  }
  comp->compKind = CompKind::Reduce;
  if (name == "argmin" || name == "argmax") {
    comp->type = Type::integer();
    if (comp->indices.size() > 1)
      comp->type =
          Type::tuple(std::vector<Type>(comp->indices.size(), Type::integer()));
    return comp;
  }
  comp->type = v->type;
  Expr *result = comp;
  if (v->type.isArray())
    if (Expr *rows = rowsOfFolds(comp, loc))
      result = rows;
  if (name == "mean") {
    Expr *total = result, *n;
    if (comp->condition) {
      Expr *both = reference(comp);
      total = field(both, 0, loc);
      n = field(clone(both), 1, loc);
    } else {
      Size s(1);
      bool dependent = false;
      for (const hir::CompIndex &ci : comp->indices) {
        s = s * ci.range.size;
        dependent |= levelOf(ci.range.size) > level();
      }
      if (dependent) {
        report(diag::mean_depends, loc);
        return error(loc);
      }
      n = sizeExpr(facts().exact(s), loc);
    }
    result = divideLeaves(total, n, loc);
  }
  if (fold.roundTo)
    result = convertLeaves(
        result,
        [&](ScalarKind k) { return k == ScalarKind::F32 ? *fold.roundTo : k; },
        loc);
  return result;
}

/// Every scalar of a sum by the count; of integers the result is open.
Expr *Checker::divideLeaves(Expr *e, Expr *n, SMRange loc) {
  if (e->type.isTuple()) {
    Expr *whole = reference(fix(e));
    std::vector<Expr *> parts;
    std::vector<Type> types;
    for (unsigned k = 0; k < e->type.numComponents(); ++k) {
      parts.push_back(divideLeaves(field(clone(whole), k, loc), clone(n), loc));
      types.push_back(parts.back()->type);
    }
    return make<hir::TupleExpr>(parts, Type::tuple(types), loc);
  }
  return elementwise(
      {e, n},
      [&](std::vector<Expr *> x) -> Expr * {
        ScalarKind k = x[0]->type.scalar();
        if (isInteger(k) || k == ScalarKind::OpenInt)
          return make<hir::BinaryExpr>(hir::BinaryOp::Div, fix(x[0]), x[1],
                                       Type(ScalarKind::OpenFloat), loc);
        return scalarBinary(ast::BinaryOp::Div, x[0], x[1], loc);
      },
      loc, "mean");
}
