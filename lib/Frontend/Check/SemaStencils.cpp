//===- SemaStencils.cpp - The promise of `stencil` ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// In every read of an array that was made outside the body, a subscript that
// mentions an index of the stencil is that index plus a constant, indices in
// their order and none twice.
//
//===----------------------------------------------------------------------===//

#include "HIRWalk.h"
#include "SemaImpl.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace arrc::sema {

class StencilChecker {
public:
  StencilChecker(Checker &c, hir::CompExpr *stencil) : c(c), stencil(stencil) {}

  void run() { block(stencil->body); }

private:
  void block(hir::Block *b) {
    for (hir::Stmt *s : b->stmts) {
      if (auto *l = dyn_cast<hir::LetStmt>(s))
        inside.insert(l->var);
      hir::forEachOperand(s, [&](Expr *&e) { expr(e); });
      hir::forEachBlock(s, [&](hir::Block *x) { block(x); });
    }
    if (b->value)
      expr(b->value);
  }

  void expr(Expr *e) {
    if (auto *comp = dyn_cast<hir::CompExpr>(e))
      for (const hir::CompIndex &i : comp->indices)
        if (i.range.size.isConstant() && i.range.lo.isConstant())
          constants.insert(i.var);
    if (auto *i = dyn_cast<hir::IndexExpr>(e))
      read(i);
    hir::forEachOperand(e, [&](Expr *&x) { expr(x); });
    hir::forEachBlock(e, [&](hir::Block *b) { block(b); });
  }

  /// The variable at the bottom of what is indexed.
  static Variable *root(Expr *e) {
    while (true) {
      if (auto *r = dyn_cast<hir::VarRefExpr>(e))
        return r->var;
      if (auto *f = dyn_cast<hir::FieldExpr>(e))
        e = f->base;
      else if (auto *i = dyn_cast<hir::IndexExpr>(e))
        e = i->base;
      else if (auto *x = dyn_cast<hir::ExtendExpr>(e))
        e = x->array;
      else
        return nullptr;
    }
  }

  /// Whether a view stands on an array from outside.
  bool isOutside(Variable *v) {
    if (!inside.contains(v))
      return true;
    Expr *init = c.info(v).init;
    if (init && isa<hir::ExtendExpr>(init))
      if (Variable *r = root(init))
        return isOutside(r);
    return false;
  }

  bool isIndex(const Variable *v) const {
    return llvm::any_of(stencil->indices,
                        [&](const hir::CompIndex &i) { return i.var == v; });
  }

  bool mentionsIndex(Expr *e) {
    bool found = false;
    hir::walk(e, [&](Expr *x) {
      if (auto *r = dyn_cast<hir::VarRefExpr>(x)) {
        found |= isIndex(r->var);
        if (inside.contains(r->var) && c.info(r->var).init &&
            r->var->kind == Variable::Kind::Let && r->var->type.isScalar() &&
            visiting.insert(r->var).second) {
          found |= mentionsIndex(c.info(r->var).init);
          visiting.erase(r->var);
        }
      }
      hir::forEachSize(x, [&](Size &s) {
        s.forEachVariable([&](Variable *v) { found |= isIndex(v); });
      });
    });
    return found;
  }

  /// Whether the value is the same at every point: a constant, a constant
  /// array's element, an inner index with a constant range.
  bool isConstant(Expr *e) {
    if (auto *r = dyn_cast<hir::VarRefExpr>(e)) {
      if (constants.contains(r->var))
        return true;
      Expr *init = c.info(r->var).init;
      return r->var->kind == Variable::Kind::Let && init && isConstant(init);
    }
    switch (e->kind) {
    case Expr::Kind::Const:
      return true;
    case Expr::Kind::SizeValue: {
      bool ok = true;
      cast<hir::SizeExpr>(e)->size.forEachVariable([&](Variable *v) {
        Expr *init = c.info(v).init;
        ok &= constants.contains(v) || (init && isConstant(init));
      });
      return ok;
    }
    case Expr::Kind::Unary:
    case Expr::Kind::Binary:
    case Expr::Kind::Convert:
    case Expr::Kind::Call:
    case Expr::Kind::ArrayLit:
    case Expr::Kind::Index: {
      bool ok = true;
      hir::forEachOperand(e, [&](Expr *&x) { ok = ok && isConstant(x); });
      return ok;
    }
    default:
      return false;
    }
  }

  /// Which stencil index the subscript is, plus a constant; -1 if it is
  /// neither. Of an expression without an index: -2.
  int indexOf(Expr *e) {
    if (!mentionsIndex(e))
      return -2;
    if (auto *r = dyn_cast<hir::VarRefExpr>(e)) {
      for (auto [k, i] : llvm::enumerate(stencil->indices))
        if (i.var == r->var)
          return k;
      if (r->var->kind == Variable::Kind::Let && c.info(r->var).init)
        return indexOf(c.info(r->var).init);
      return -1;
    }
    if (auto *s = dyn_cast<hir::SizeExpr>(e)) {
      int found = -1;
      for (const Size::Term &t : s->size.terms()) {
        bool hasIndex = false, constant = true;
        for (const SizeAtom &a : t.first) {
          if (!a.isVariable()) {
            a.dividend().forEachVariable(
                [&](Variable *v) { hasIndex |= isIndex(v); });
            continue;
          }
          hasIndex |= isIndex(a.variable());
          constant &= constants.contains(a.variable());
        }
        if (!hasIndex) {
          if (!constant)
            return -1;
          continue;
        }
        if (found >= 0 || t.second != 1 || t.first.size() != 1 ||
            !t.first[0].isVariable())
          return -1;
        for (auto [k, i] : llvm::enumerate(stencil->indices))
          if (i.var == t.first[0].variable())
            found = k;
      }
      return found;
    }
    auto *b = dyn_cast<hir::BinaryExpr>(e);
    if (!b)
      return -1;
    if (b->op == hir::BinaryOp::Add) {
      int x = indexOf(b->lhs), y = indexOf(b->rhs);
      if (x >= 0 && y == -2 && isConstant(b->rhs))
        return x;
      if (y >= 0 && x == -2 && isConstant(b->lhs))
        return y;
    } else if (b->op == hir::BinaryOp::Sub) {
      int x = indexOf(b->lhs), y = indexOf(b->rhs);
      if (x >= 0 && y == -2 && isConstant(b->rhs))
        return x;
    }
    return -1;
  }

  void read(hir::IndexExpr *e) {
    Variable *v = root(e->base);
    if (!v || !isOutside(v))
      return;
    int last = -1;
    for (hir::Sub &s : e->subs) {
      bool touches = false;
      if (s.kind == hir::Sub::Kind::Slice) {
        for (Size *z : {&s.range.lo, &s.range.size, &*s.range.end})
          z->forEachVariable([&](Variable *x) { touches |= isIndex(x); });
      } else {
        touches = mentionsIndex(s.index);
      }
      if (!touches)
        continue;
      int k = s.kind == hir::Sub::Kind::Point ? indexOf(s.index) : -1;
      if (k < 0) {
        c.report(diag::stencil_promise, s.loc, v->name)
            .label("not an index of the stencil plus a constant")
            .help("write 'for' instead of 'stencil'");
        return;
      }
      if (k <= last) {
        c.report(diag::stencil_order, s.loc, v->name)
            .help("write 'for' instead of 'stencil'");
        return;
      }
      last = k;
    }
  }

  Checker &c;
  hir::CompExpr *stencil;
  llvm::DenseSet<const Variable *> inside, constants, visiting;
};

} // namespace arrc::sema

void Checker::checkStencils(hir::Block *b) {
  hir::walk(b, [&](Expr *e) {
    auto *comp = dyn_cast<hir::CompExpr>(e);
    if (comp && comp->compKind == hir::CompExpr::CompKind::Stencil) {
      const hir::CallSite *saved = std::exchange(site, comp->site);
      StencilChecker(*this, comp).run();
      site = saved;
    }
  });
}
