//===- SemaCombinatorCalls.cpp - `sum(a, axis = 0)` and its kin -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HIRWalk.h"
#include "SemaFor.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

using CompKind = hir::CompExpr::CompKind;

//===----------------------------------------------------------------------===//
// The call form
//===----------------------------------------------------------------------===//

Expr *Checker::foldOver(StringRef name, ArrayRef<Dim> dims, SMRange loc,
                        Type expected,
                        llvm::function_ref<Expr *(ArrayRef<Expr *>)> fn,
                        ArrayRef<ast::Arg> args) {
  Fold fold;
  fold.name = name;
  if (!beginFold(fold, args, loc))
    return error(loc);
  return foldOver(fold, dims, loc, expected, fn);
}

Expr *Checker::foldOver(Fold &fold, ArrayRef<Dim> dims, SMRange loc,
                        Type expected,
                        llvm::function_ref<Expr *(ArrayRef<Expr *>)> fn) {
  auto *comp = make<hir::CompExpr>(CompKind::Reduce, Type::none(), loc);
  fold.comp = comp;
  comp->body = newBlock();
  bool bad;
  {
    BuilderScope body(*this, comp->body, false);
    static const char *const names[] = {"l", "k", "j", "i", "p", "q", "r", "s"};
    Expr *v =
        foldBody(fold, fn(addIndices(*comp, dims, names, loc)), loc, expected);
    comp->body->value = v;
    bad = v->type.isError();
  }
  return bad ? error(loc) : endFold(fold, loc);
}

/// `axis = 0` or `axis = (0, 2)`.
std::optional<std::vector<int64_t>> Checker::checkAxes(const ast::Expr *e,
                                                       unsigned rank) {
  Expr *v = checkValue(e);
  std::vector<Expr *> parts = {v};
  if (auto *t = dyn_cast<hir::TupleExpr>(v))
    parts = t->elements;
  std::vector<int64_t> axes;
  for (Expr *p : parts) {
    if (p->type.isError())
      return std::nullopt;
    auto c = constantInt(p);
    if (c && llvm::is_contained(axes, *c)) {
      report(diag::argument_twice, p->loc, "axis " + std::to_string(*c));
      return std::nullopt;
    }
    if (!c || *c < 0 || *c >= int64_t(rank)) {
      report(diag::bad_axis, p->loc, std::to_string(rank))
          .help("an axis is a constant from 0 to " + std::to_string(rank - 1));
      return std::nullopt;
    }
    axes.push_back(*c);
  }
  llvm::sort(axes);
  return axes;
}

/// The operator that is written as a section or as `fn(x, y) => x + y`.
static std::optional<ast::BinaryOp> writtenOperator(const ast::Expr *e) {
  if (auto *s = dyn_cast<ast::SectionExpr>(e))
    return s->op;
  auto *l = dyn_cast<ast::LambdaExpr>(e);
  if (!l || l->body->stmts.size() != 1 || l->params.size() != 2)
    return std::nullopt;
  auto *value = dyn_cast<ast::ExprStmt>(l->body->stmts[0]);
  auto *b = value ? dyn_cast<ast::BinaryExpr>(value->expr) : nullptr;
  if (!b || !isa<ast::NameExpr>(b->lhs) || !isa<ast::NameExpr>(b->rhs))
    return std::nullopt;
  return b->op;
}

/// What changes nothing under the operator; "e" where that is not known.
static std::string neutralOf(const ast::Expr *op, const Type &element) {
  bool isInt = element.isScalar() && (isInteger(element.scalar()) ||
                                      element.isScalar(ScalarKind::OpenInt));
  if (auto *n = dyn_cast<ast::NameExpr>(op); n && !isInt)
    return n->name == "min" ? "inf" : n->name == "max" ? "-inf" : "e";
  auto written = writtenOperator(op);
  if (written == ast::BinaryOp::Add)
    return isInt ? "0" : "0.0";
  if (written == ast::BinaryOp::Mul)
    return isInt ? "1" : "1.0";
  if (written == ast::BinaryOp::And)
    return "true";
  return written == ast::BinaryOp::Or ? "false" : "e";
}

bool Checker::reportNoNeutral(ArrayRef<ast::Arg> args, StringRef name,
                              SMRange loc) {
  Value last = check(args[1].value);
  if (!last.expr || !last.expr->type.isArray())
    return last.expr && last.expr->type.isError();
  std::string op = sourceText(args[0].value->range);
  std::string e = neutralOf(args[0].value, last.expr->type.element());
  report(diag::argument_missing, loc, name, "e")
      .label("the neutral element of '" + op + "' is missing")
      .help("it stands before the array: '" + name + "(" + op + ", " + e +
            ", " + sourceText(args[1].value->range) + ")'");
  return true;
}

Expr *Checker::combinatorCall(const ast::CallExpr *e, StringRef name,
                              Type expected) {
  SMRange loc = e->range;
  if (name == "hist" || name == "scatter") {
    report(diag::needs_for, loc, name)
        .help(name == "hist"
                  ? "write 'hist((+), 0, bins) for x in k { (x, 1) }'"
                  : "write 'scatter(a) for i { (k[i], v[i]) }'");
    return error(loc);
  }
  unsigned before = name == "reduce" || name == "exscan" ? 2
                    : name == "scan"                     ? 1
                                                         : 0;
  std::vector<ast::Arg> own;
  const ast::Expr *arrayArg = nullptr, *axisArg = nullptr;
  for (const ast::Arg &a : e->args) {
    if (a.name && a.name.text == "axis") {
      axisArg = a.value;
    } else if (a.name && own.size() == before) {
      reportArgument(a.name, name);
      return error(loc);
    } else if (own.size() < before) {
      own.push_back(a);
    } else if (!arrayArg) {
      arrayArg = a.value;
    } else {
      Diagnostic &d =
          report(diag::argument_count, a.value->range, name,
                 std::to_string(before + 1), std::to_string(e->args.size()));
      if (name == "scan")
        d.help("write 'exscan(op, e, a)' to begin with 'e', 'scan(op, a)' with "
               "the first element");
      else if (before == 0 && e->args.size() == 2)
        d.help("an axis is named: '" + name.str() + "(" +
               sourceText(arrayArg->range) +
               ", axis = " + sourceText(a.value->range) + ")'");
      return error(loc);
    }
  }
  if (!arrayArg && own.size() == 2 && before == 2 &&
      reportNoNeutral(own, name, loc))
    return error(loc);
  if (!arrayArg) {
    report(diag::needs_array_argument, loc, name)
        .help("write '" + name + (before ? "(.., a)'" : "(a)'") +
              ", or a 'for' behind it");
    return error(loc);
  }
  Fold fold;
  fold.name = name;
  if (!beginFold(fold, own, loc))
    return error(loc);
  Expr *a = checkValue(arrayArg);
  if (a->type.isError())
    return error(loc);
  if (!a->type.isArray()) {
    report(diag::needs_array, arrayArg->range, "'" + name.str() + "'",
           a->type.str());
    return error(loc);
  }
  unsigned rank = a->type.rank();
  std::vector<int64_t> axes;
  if (axisArg) {
    auto given = checkAxes(axisArg, rank);
    if (!given)
      return error(loc);
    axes = *given;
  }
  bool isScan = name == "scan" || name == "exscan";
  if (isScan || name.starts_with("arg")) {
    if (axes.size() > 1) {
      report(diag::one_axis, axisArg->range, name);
      return error(loc);
    }
    if (isScan && axes.empty() && rank > 1) {
      report(diag::axis_needed, loc, name).help("add 'axis = 0'");
      return error(loc);
    }
    if (isScan && axes.empty())
      axes = {0};
  }
  if (axes.empty())
    for (unsigned k = 0; k < rank; ++k)
      axes.push_back(k);
  auto *c = dyn_cast<hir::CompExpr>(a);
  bool merges = c && !c->written && c->indices.size() == rank;
  if (!merges)
    a = reference(a);
  return foldAxes(fold, a, axes, loc, expected);
}

Expr *Checker::foldAxes(Fold &fold, Expr *a, ArrayRef<int64_t> axes,
                        SMRange loc, Type expected) {
  unsigned rank = a->type.rank();
  std::vector<Dim> folded, kept;
  for (unsigned k = 0; k < rank; ++k)
    (llvm::is_contained(axes, int64_t(k)) ? folded : kept)
        .push_back(a->type.dims()[k]);
  // Rows of a ragged array have their own sizes.
  auto dims = a->type.dims();
  auto ragged = llvm::find_if(dims, [](const Dim &d) { return d.ragged; });
  if (ragged != dims.end()) {
    int64_t r = ragged - dims.begin();
    std::vector<int64_t> rest;
    for (int64_t x : axes)
      if (x >= r)
        rest.push_back(x - r);
    bool foldsRows = !rest.empty() && rest.front() == 0;
    std::vector<Dim> front = dims.take_front(r).vec();
    bool all = axes.size() == rank, rowsOnly = axes.front() == r;
    if (!foldsRows || (!all && !rowsOnly)) {
      report(diag::ragged_axis, loc, fold.name);
      return error(loc);
    }
    auto row = [&](ArrayRef<Expr *> at) -> Expr * {
      Expr *x = bindUnknowns(indexPoints(clone(a), at, loc));
      Fold inner = fold;
      return foldAxes(inner, x, rest, loc, expected);
    };
    if (!all) {
      Expr *rows = generate(front, row, loc);
      if (auto *c = dyn_cast<hir::CompExpr>(rows))
        c->written = true;
      return rows;
    }
    if (fold.name == "mean" || fold.name.starts_with("arg")) {
      report(diag::ragged_axis, loc, fold.name);
      return error(loc);
    }
    Fold outer = fold;
    if (fold.name == "count")
      outer.name = "sum";
    return foldOver(outer, front, loc, expected, row);
  }
  auto element = [&](ArrayRef<Expr *> outer, ArrayRef<Expr *> inner) {
    std::vector<Expr *> at;
    unsigned o = 0, i = 0;
    for (unsigned k = 0; k < rank; ++k) {
      bool fold = llvm::is_contained(axes, int64_t(k));
      at.push_back(clone(fold ? inner[i++] : outer[o++]));
    }
    return elementAt(a, at, loc);
  };
  if (kept.empty())
    return foldOver(fold, folded, loc, expected,
                    [&](ArrayRef<Expr *> in) { return element({}, in); });
  Expr *r = generate(
      kept,
      [&](ArrayRef<Expr *> out) {
        return foldOver(fold, folded, loc, expected,
                        [&](ArrayRef<Expr *> in) { return element(out, in); });
      },
      loc);
  auto *c = dyn_cast<hir::CompExpr>(r);
  if (!c)
    return r;
  c->written = true;
  bool isScan = fold.name == "scan" || fold.name == "exscan";
  if (!isScan || axes[0] == int64_t(rank) - 1 || r->type.isError())
    return r;
  // The scanned dimension came last: put it back.
  r = reference(r);
  return generate(
      dims,
      [&](ArrayRef<Expr *> at) {
        std::vector<Expr *> from;
        for (unsigned k = 0; k < rank; ++k)
          if (int64_t(k) != axes[0])
            from.push_back(clone(at[k]));
        from.push_back(clone(at[axes[0]]));
        return indexPoints(clone(r), from, loc);
      },
      loc);
}
