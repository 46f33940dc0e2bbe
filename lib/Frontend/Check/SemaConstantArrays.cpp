//===- SemaConstantArrays.cpp - Folds and arrays at compile time ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

using Const = Checker::Const;

/// A reduction over constant ranges.
std::optional<Const> Checker::evaluateFold(hir::CompExpr *c) {
  if (c->compKind != hir::CompExpr::CompKind::Reduce || c->condition ||
      c->combiner > hir::Combiner::Max)
    return std::nullopt;
  struct Bounds {
    int64_t lo, size, step;
  };
  std::vector<Bounds> bounds;
  int64_t total = 1;
  for (const hir::CompIndex &i : c->indices) {
    auto know = [&](Variable *v) { return constantOfVariable(v); };
    auto lo = i.range.lo.evaluate(know), n = i.range.size.evaluate(know),
         step = i.range.step.evaluate(know);
    if (i.dependent || !lo || !n || !step || *n > 65536)
      return std::nullopt;
    bounds.push_back({*lo, std::max<int64_t>(*n, 0), *step});
    total *= bounds.back().size;
    if (total > 65536)
      return std::nullopt;
  }
  std::optional<Const> result;
  for (int64_t k = 0; k < total; ++k) {
    int64_t rest = k;
    for (size_t d = bounds.size(); d--;) {
      constantEnv[c->indices[d].var] =
          bounds[d].lo + rest % bounds[d].size * bounds[d].step;
      rest /= bounds[d].size;
    }
    auto v = evaluate(c->body->value);
    for (const hir::CompIndex &i : c->indices)
      constantEnv.erase(i.var);
    if (!v || isComplex(v->kind))
      return std::nullopt;
    if (!result) {
      result = v;
      continue;
    }
    bool isInt = isIntLike(v->kind);
    Const r{v->kind};
    switch (c->combiner) {
    case hir::Combiner::Add:
      r.i = int64_t(uint64_t(result->i) + uint64_t(v->i));
      r.re = result->re + v->re;
      break;
    case hir::Combiner::Mul:
      r.i = int64_t(uint64_t(result->i) * uint64_t(v->i));
      r.re = result->re * v->re;
      break;
    case hir::Combiner::Min:
      r = (isInt ? v->i < result->i : v->re < result->re) ? *v : *result;
      break;
    default:
      r = (isInt ? v->i > result->i : v->re > result->re) ? *v : *result;
      break;
    }
    roundConst(r);
    if (isInt)
      r.re = double(r.i);
    result = r;
  }
  if (result)
    return result;
  if (c->combiner == hir::Combiner::Add || c->combiner == hir::Combiner::Mul) {
    int64_t e = c->combiner == hir::Combiner::Mul;
    return Const{c->type.scalar(), e, double(e)};
  }
  return std::nullopt;
}

std::optional<Const> Checker::evaluateAt(Expr *array, ArrayRef<int64_t> at) {
  if (at.empty())
    return evaluate(array);
  if (auto *r = dyn_cast<hir::VarRefExpr>(array)) {
    if (r->var->kind == Variable::Kind::Let && info(r->var).init)
      return evaluateAt(info(r->var).init, at);
    return std::nullopt;
  }
  if (auto *l = dyn_cast<hir::ArrayLitExpr>(array)) {
    if (at[0] < 0 || at[0] >= int64_t(l->elements.size()))
      return std::nullopt;
    return evaluateAt(l->elements[at[0]], at.drop_front());
  }
  if (auto *i = dyn_cast<hir::IndexExpr>(array)) {
    std::vector<int64_t> all;
    for (const hir::Sub &s : i->subs) {
      auto c =
          s.kind == hir::Sub::Kind::Point ? evaluate(s.index) : std::nullopt;
      if (!c)
        return c;
      all.push_back(c->i);
    }
    all.insert(all.end(), at.begin(), at.end());
    return evaluateAt(i->base, all);
  }
  auto *c = dyn_cast<hir::CompExpr>(array);
  if (!c || c->compKind != hir::CompExpr::CompKind::Map || c->condition ||
      c->indices.size() > at.size())
    return std::nullopt;
  auto know = [&](Variable *v) { return constantOfVariable(v); };
  for (auto [i, x] : llvm::zip(c->indices, at)) {
    auto lo = i.range.lo.evaluate(know), n = i.range.size.evaluate(know),
         step = i.range.step.evaluate(know);
    if (!lo || !n || !step || x < 0 || x >= *n)
      return std::nullopt;
    constantEnv[i.var] = *lo + x * *step;
  }
  auto v = evaluateAt(c->body->value, at.drop_front(c->indices.size()));
  for (const hir::CompIndex &i : c->indices)
    constantEnv.erase(i.var);
  return v;
}

Expr *Checker::notConstant(SMRange loc, const std::string &what) {
  Diagnostic &d = report(diag::not_constant, loc, what);
  if (evaluationSteps > options.maxEvaluationSteps)
    d.help("the constants of a program take at most " +
           std::to_string(options.maxEvaluationSteps) +
           " steps: compute it in a 'def'");
  return error(loc);
}

Expr *Checker::constantOf(Expr *e, SMRange loc, const std::string &what) {
  if (e->type.isError())
    return e;
  if (e->type.isScalar()) {
    if (isa<hir::ConstExpr>(e))
      return e;
    if (e->type.isOpen() && isPureOpen(e)) {
      auto c = evaluate(e);
      if (c || e->type.isScalar(ScalarKind::OpenComplex))
        return e; // stays open, with its digits
    }
    if (auto c = evaluate(e))
      return fromConst(*c, e->type, e->loc);
    return notConstant(loc, what);
  }
  if (e->type.isAggregate()) {
    auto *t = dyn_cast<hir::TupleExpr>(e);
    if (!t) {
      return notConstant(loc, what);
    }
    for (Expr *&x : t->elements) {
      x = constantOf(x, loc, what);
      if (x->type.isError())
        return x;
    }
    return e;
  }
  if (!e->type.isArray() || !e->type.element().isScalar()) {
    return notConstant(loc, what);
  }
  // An array: element by element.
  std::vector<int64_t> shape;
  int64_t total = 1;
  for (const Dim &d : e->type.dims()) {
    auto c = d.ragged ? std::nullopt : d.size.constant();
    if (!c || *c > 65536 || (total *= *c) > 65536)
      return notConstant(loc, what);
    shape.push_back(*c);
  }
  bool bad = false;
  std::vector<int64_t> at;
  std::function<Expr *(Expr *)> build = [&](Expr *source) -> Expr * {
    if (at.size() == shape.size()) {
      // Literals keep their digits while they are open.
      Expr *x = source;
      if (source && source->type.isScalar())
        return constantOf(x, loc, what);
      auto c = evaluateAt(e, at);
      if (!c) {
        bad = true;
        return error(loc);
      }
      return fromConst(*c, e->type.element(), loc);
    }
    auto *lit = source ? dyn_cast<hir::ArrayLitExpr>(source) : nullptr;
    std::vector<Expr *> parts;
    Type rest = e->type.dropDims(at.size());
    for (int64_t k = 0; k < shape[at.size()] && !bad; ++k) {
      at.push_back(k);
      parts.push_back(build(lit ? lit->elements[k] : nullptr));
      at.pop_back();
      bad |= parts.back()->type.isError();
    }
    return make<hir::ArrayLitExpr>(parts, rest, loc);
  };
  unsigned before = diags.errorCount();
  Expr *r = build(e);
  if (!bad)
    return r;
  return diags.errorCount() == before ? notConstant(loc, what) : error(loc);
}
