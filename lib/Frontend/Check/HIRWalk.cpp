//===- HIRWalk.cpp - Visiting the checked tree ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HIRWalk.h"

using namespace arrc;
using namespace arrc::hir;
using llvm::cast;
using llvm::dyn_cast;

static void subOperands(std::vector<Sub> &subs,
                        llvm::function_ref<void(Expr *&)> fn) {
  for (Sub &s : subs)
    if (s.index)
      fn(s.index);
}

static void rangeSizes(Range &r, llvm::function_ref<void(Size &)> fn) {
  fn(r.lo);
  if (r.end)
    fn(*r.end);
  fn(r.size);
  fn(r.step);
}

static void subSizes(std::vector<Sub> &subs,
                     llvm::function_ref<void(Size &)> fn) {
  for (Sub &s : subs)
    if (s.kind == Sub::Kind::Slice)
      rangeSizes(s.range, fn);
}

void hir::forEachOperand(Expr *e, llvm::function_ref<void(Expr *&)> fn) {
  auto all = [&](std::vector<Expr *> &list) {
    for (Expr *&x : list)
      if (x)
        fn(x);
  };
  switch (e->kind) {
  case Expr::Kind::Const:
  case Expr::Kind::VarRef:
  case Expr::Kind::SizeValue:
  case Expr::Kind::Error:
    return;
  case Expr::Kind::DimOf:
    return fn(cast<DimOfExpr>(e)->array);
  case Expr::Kind::Unary:
    return fn(cast<UnaryExpr>(e)->operand);
  case Expr::Kind::Binary:
    fn(cast<BinaryExpr>(e)->lhs);
    return fn(cast<BinaryExpr>(e)->rhs);
  case Expr::Kind::Call:
    return all(cast<CallExpr>(e)->args);
  case Expr::Kind::Convert:
    return fn(cast<ConvertExpr>(e)->operand);
  case Expr::Kind::If:
    return fn(cast<IfExpr>(e)->condition);
  case Expr::Kind::Index:
    fn(cast<IndexExpr>(e)->base);
    return subOperands(cast<IndexExpr>(e)->subs, fn);
  case Expr::Kind::Extend:
    fn(cast<ExtendExpr>(e)->array);
    return all(cast<ExtendExpr>(e)->fills);
  case Expr::Kind::ArrayLit:
    return all(cast<ArrayLitExpr>(e)->elements);
  case Expr::Kind::Tuple:
    return all(cast<TupleExpr>(e)->elements);
  case Expr::Kind::Field:
    return fn(cast<FieldExpr>(e)->base);
  case Expr::Kind::Comp:
    if (cast<CompExpr>(e)->init)
      fn(cast<CompExpr>(e)->init);
    if (cast<CompExpr>(e)->into)
      fn(cast<CompExpr>(e)->into);
    return;
  case Expr::Kind::ArrayOp:
    return all(cast<ArrayOpExpr>(e)->args);
  case Expr::Kind::ExternCall:
    return all(cast<ExternCallExpr>(e)->args);
  case Expr::Kind::Opaque:
    return all(cast<OpaqueExpr>(e)->args);
  }
}

void hir::forEachBlock(Expr *e, llvm::function_ref<void(Block *)> fn) {
  auto maybe = [&](Block *b) {
    if (b)
      fn(b);
  };
  if (auto *i = dyn_cast<IfExpr>(e)) {
    maybe(i->thenBlock);
    maybe(i->elseBlock);
  } else if (auto *c = dyn_cast<CompExpr>(e)) {
    for (CompIndex &i : c->indices)
      maybe(i.prelude);
    maybe(c->condition);
    maybe(c->body);
    maybe(c->op);
  } else if (auto *a = dyn_cast<ArrayOpExpr>(e)) {
    maybe(a->key);
  }
}

void hir::forEachSize(Expr *e, llvm::function_ref<void(Size &)> fn) {
  if (auto *s = dyn_cast<SizeExpr>(e)) {
    fn(s->size);
  } else if (auto *i = dyn_cast<IndexExpr>(e)) {
    subSizes(i->subs, fn);
  } else if (auto *c = dyn_cast<CompExpr>(e)) {
    for (CompIndex &i : c->indices)
      rangeSizes(i.range, fn);
    for (Size &b : c->bins)
      fn(b);
  } else if (auto *x = dyn_cast<ExternCallExpr>(e)) {
    for (Size &s : x->sizes)
      fn(s);
  }
}

void hir::forEachOperand(Stmt *s, llvm::function_ref<void(Expr *&)> fn) {
  switch (s->kind) {
  case Stmt::Kind::Let:
    return fn(cast<LetStmt>(s)->init);
  case Stmt::Kind::Assign:
    for (PlaceStep &p : cast<AssignStmt>(s)->path)
      subOperands(p.subs, fn);
    return fn(cast<AssignStmt>(s)->value);
  case Stmt::Kind::If:
    return fn(cast<IfStmt>(s)->condition);
  case Stmt::Kind::While:
  case Stmt::Kind::Loop:
    return;
  case Stmt::Kind::Check:
    fn(cast<CheckStmt>(s)->condition);
    for (Expr *&v : cast<CheckStmt>(s)->values)
      fn(v);
    return;
  case Stmt::Kind::Eval:
    return fn(cast<EvalStmt>(s)->expr);
  }
}

void hir::forEachBlock(Stmt *s, llvm::function_ref<void(Block *)> fn) {
  if (auto *i = dyn_cast<IfStmt>(s)) {
    fn(i->thenBlock);
    if (i->elseBlock)
      fn(i->elseBlock);
  } else if (auto *w = dyn_cast<WhileStmt>(s)) {
    fn(w->condition);
    fn(w->body);
  } else if (auto *l = dyn_cast<LoopStmt>(s)) {
    fn(l->body);
  }
}

void hir::forEachSize(Stmt *s, llvm::function_ref<void(Size &)> fn) {
  if (auto *l = dyn_cast<LoopStmt>(s))
    rangeSizes(l->range, fn);
  else if (auto *a = dyn_cast<AssignStmt>(s))
    for (PlaceStep &p : a->path)
      subSizes(p.subs, fn);
}

void hir::walk(Expr *e, llvm::function_ref<void(Expr *)> fn) {
  fn(e);
  forEachOperand(e, [&](Expr *&x) { walk(x, fn); });
  forEachBlock(e, [&](Block *b) { walk(b, fn); });
}

void hir::walk(Block *b, llvm::function_ref<void(Expr *)> fn) {
  for (Stmt *s : b->stmts) {
    forEachOperand(s, [&](Expr *&x) { walk(x, fn); });
    forEachBlock(s, [&](Block *inner) { walk(inner, fn); });
  }
  if (b->value)
    walk(b->value, fn);
}

bool hir::mentions(Expr *e, const Variable *var) {
  bool found = false;
  walk(e, [&](Expr *x) {
    if (auto *r = dyn_cast<VarRefExpr>(x))
      found |= r->var == var;
    forEachSize(x, [&](Size &s) { found |= s.mentions(var); });
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Renaming
//===----------------------------------------------------------------------===//

static void renameSize(Size &s, const Renaming &map) {
  bool any = false;
  s.forEachVariable([&](Variable *v) { any |= map.contains(v); });
  if (any)
    s = s.substitute([&](Variable *v) -> std::optional<Size> {
      auto it = map.find(v);
      if (it == map.end())
        return std::nullopt;
      return Size(it->second);
    });
}

static Type renameType(const Type &t, const Renaming &map) {
  bool any = false;
  (void)t.mapSizes([&](const Size &s) {
    s.forEachVariable([&](Variable *v) { any |= map.contains(v); });
    return s;
  });
  if (!any)
    return t;
  return t.mapSizes([&](const Size &s) {
    Size r = s;
    renameSize(r, map);
    return r;
  });
}

static Variable *renamed(Variable *v, const Renaming &map) {
  auto it = map.find(v);
  return it == map.end() ? v : it->second;
}

void hir::rename(Expr *e, const Renaming &map) {
  e->type = renameType(e->type, map);
  if (auto *r = dyn_cast<VarRefExpr>(e))
    r->var = renamed(r->var, map);
  forEachSize(e, [&](Size &s) { renameSize(s, map); });
  forEachOperand(e, [&](Expr *&x) { rename(x, map); });
  forEachBlock(e, [&](Block *b) { rename(b, map); });
}

void hir::rename(Block *b, const Renaming &map) {
  for (Stmt *s : b->stmts) {
    if (auto *l = dyn_cast<LetStmt>(s))
      l->var->type = renameType(l->var->type, map);
    if (auto *a = dyn_cast<AssignStmt>(s)) {
      a->var = renamed(a->var, map);
      for (PlaceStep &p : a->path)
        p.type = renameType(p.type, map);
    }
    forEachSize(s, [&](Size &size) { renameSize(size, map); });
    forEachOperand(s, [&](Expr *&x) { rename(x, map); });
    forEachBlock(s, [&](Block *inner) { rename(inner, map); });
  }
  if (b->value)
    rename(b->value, map);
}
