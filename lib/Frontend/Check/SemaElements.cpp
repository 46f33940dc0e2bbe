//===- SemaElements.cpp - Elementwise operations --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An operation on arrays is a comprehension whose body is the operation on
// elements; an operand that is such a comprehension itself is merged into it.
//
//===----------------------------------------------------------------------===//

#include "HIRWalk.h"
#include "SemaImpl.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

Expr *Checker::elementAt(Expr *array, ArrayRef<Expr *> at, SMRange loc) {
  if (auto *c = dyn_cast<hir::CompExpr>(array);
      c && !c->written && c->indices.size() == at.size() &&
      array->type.rank() == at.size() &&
      c->compKind == hir::CompExpr::CompKind::Map) {
    hir::Renaming map;
    for (auto [ci, x] : llvm::zip(c->indices, at)) {
      Variable *to = isa<hir::VarRefExpr>(x) ? cast<hir::VarRefExpr>(x)->var
                                             : temporary(x);
      map[ci.var] = to;
    }
    hir::rename(c->body, map);
    for (hir::Stmt *s : c->body->stmts) {
      if (auto *l = dyn_cast<hir::LetStmt>(s)) {
        info(l->var).level = level();
        if (info(l->var).value)
          info(l->var).value = polynomial(l->init);
      }
      emit(s);
    }
    return c->body->value;
  }
  return indexPoints(array, at, loc);
}

std::vector<Expr *> Checker::addIndices(hir::CompExpr &comp, ArrayRef<Dim> dims,
                                        ArrayRef<const char *> names,
                                        SMRange loc) {
  std::vector<Expr *> at;
  for (auto [d, dim] : llvm::enumerate(dims)) {
    hir::CompIndex ci;
    ci.var = newVariable(Variable::Kind::Index, names[d % names.size()],
                         Type::integer(), loc);
    ci.range.size = dim.size;
    ci.range.nonNegative = true;
    info(ci.var).range = ci.range;
    comp.indices.push_back(ci);
    at.push_back(ref(ci.var, loc));
  }
  return at;
}

Expr *Checker::generate(ArrayRef<Dim> dims,
                        llvm::function_ref<Expr *(ArrayRef<Expr *>)> fn,
                        SMRange loc) {
  auto *comp =
      make<hir::CompExpr>(hir::CompExpr::CompKind::Map, Type::none(), loc);
  comp->written = false;
  comp->body = newBlock();
  {
    BuilderScope body(*this, comp->body, false);
    static const char *const names[] = {"i", "j", "k", "l", "p", "q", "r", "s"};
    comp->body->value = fn(addIndices(*comp, dims, names, loc));
  }
  comp->type = comp->body->value->type.isError()
                   ? Type::error()
                   : Type::array(comp->body->value->type, dims.vec());
  return comp;
}

/// What to call an operand in a message.
std::string Checker::describe(Expr *e) {
  std::string text = sourceText(e->loc);
  if (text.empty() || text.size() > 24 || text.find('\n') != std::string::npos)
    return "the operand";
  return "'" + text + "'";
}

std::string Checker::shapeText(const Type &t) {
  std::string s;
  for (const Dim &d : t.dims())
    s += (s.empty() ? "" : " x ") + (d.ragged ? "?" : d.size.str());
  return s.empty() ? "a scalar" : s;
}

void Checker::reportShapes(Expr *a, Expr *b, SMRange loc,
                           const std::string &what) {
  Diagnostic &d = report(diag::sizes_differ, loc, describe(a), describe(b));
  d.label(what + " needs equal sizes, or a scalar");
  for (Expr *e : {a, b}) {
    auto *r = dyn_cast<hir::VarRefExpr>(e);
    SMRange at = r && r->var->loc.isValid() ? r->var->loc : e->loc;
    d.place(at, describe(e) + " is " + shapeText(e->type));
  }
  if (a->type.rank() != b->type.rank())
    d.help("ranks never broadcast: write the 'for' with its indices");
}

Expr *Checker::elementwise(std::vector<Expr *> args, const ScalarFn &fn,
                           SMRange loc, const std::string &what) {
  Expr *first = nullptr;
  for (Expr *a : args) {
    if (a->type.isError())
      return error(loc);
    if (a->type.isArray() && !first)
      first = a;
  }
  if (!first)
    return fn(args);
  for (Expr *a : args) {
    if (!a->type.isArray() || a == first)
      continue;
    sizePlaces.clear();
    for (Expr *e : {first, a}) {
      auto *r = dyn_cast<hir::VarRefExpr>(e);
      if (r && r->var->loc.isValid())
        sizePlaces.push_back(
            {r->var->loc, describe(e) + " is " + shapeText(e->type)});
    }
    bool equal =
        equalShapes(first->type, a->type, loc, "the sizes differ in " + what);
    sizePlaces.clear();
    if (!equal) {
      reportShapes(first, a, loc, what);
      return error(loc);
    }
  }
  std::vector<Dim> dims = first->type.dims().vec();
  // Operands that stay whole are computed before; scalars once.
  for (Expr *&a : args) {
    auto *c = dyn_cast<hir::CompExpr>(a);
    bool merges = c && !c->written && c->indices.size() == a->type.rank() &&
                  c->compKind == hir::CompExpr::CompKind::Map;
    if (!merges && !isPureOpen(a))
      a = reference(a);
  }
  // Rows of a ragged array one by one.
  auto ragged = llvm::find_if(dims, [](const Dim &d) { return d.ragged; });
  if (ragged != dims.end()) {
    unsigned n = ragged - dims.begin();
    Expr *rows = generate(
        ArrayRef(dims).take_front(n),
        [&](ArrayRef<Expr *> at) {
          std::vector<Expr *> inner;
          for (Expr *a : args)
            inner.push_back(a->type.isArray()
                                ? bindUnknowns(indexPoints(a, at, loc))
                                : clone(a));
          return elementwise(inner, fn, loc, what);
        },
        loc);
    if (rows->type.isError())
      return rows;
    rows->type = Type::array(rows->type.element(), dims);
    cast<hir::CompExpr>(rows)->written = true;
    return rows;
  }
  return generate(
      dims,
      [&](ArrayRef<Expr *> at) {
        std::vector<Expr *> elements;
        for (Expr *a : args) {
          std::vector<Expr *> points;
          for (Expr *p : at)
            points.push_back(clone(p));
          elements.push_back(a->type.isArray() ? elementAt(a, points, loc) : a);
        }
        return fn(elements);
      },
      loc);
}
