//===- SemaWhere.cpp - What `where` promises ------------------------------===//
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

std::optional<bool> Checker::prove(Expr *c) {
  if (auto v = evaluate(c))
    return v->i != 0;
  auto *b = dyn_cast<hir::BinaryExpr>(c);
  if (!b) {
    if (auto *i = dyn_cast<hir::IfExpr>(c)) {
      // `a and b` whose right side is longer.
      auto left = prove(i->condition);
      if (left && i->thenBlock->stmts.empty() && i->elseBlock->stmts.empty())
        return prove((*left ? i->thenBlock : i->elseBlock)->value);
    }
    return std::nullopt;
  }
  if (b->op == hir::BinaryOp::And || b->op == hir::BinaryOp::Or) {
    auto x = prove(b->lhs), y = prove(b->rhs);
    bool decides = b->op == hir::BinaryOp::Or;
    if (x == decides || y == decides)
      return decides;
    if (x && y)
      return !decides;
    return std::nullopt;
  }
  auto x = polynomial(b->lhs), y = polynomial(b->rhs);
  if (!x || !y)
    return std::nullopt;
  const SizeFacts &f = facts();
  auto atLeast = [&](const Size &p, const Size &q) -> std::optional<bool> {
    if (f.isNonNegative(p - q))
      return true;
    if (f.isNonNegative(q - p - 1))
      return false;
    return std::nullopt;
  };
  auto negate = [](std::optional<bool> v) -> std::optional<bool> {
    if (!v)
      return v;
    return !*v;
  };
  // n % k == 0 may be known as such.
  if (auto *m = dyn_cast<hir::BinaryExpr>(b->lhs);
      m && m->op == hir::BinaryOp::Mod && b->op == hir::BinaryOp::Eq &&
      *y == Size())
    if (auto n = polynomial(m->lhs), k = polynomial(m->rhs);
        n && k && k->isConstant() && *k->constant() > 0 &&
        f.isDivisible(*n, *k->constant()))
      return true;
  switch (b->op) {
  case hir::BinaryOp::Eq:
    return f.equal(*x, *y);
  case hir::BinaryOp::Ne:
    return negate(f.equal(*x, *y));
  case hir::BinaryOp::Ge:
    return atLeast(*x, *y);
  case hir::BinaryOp::Gt:
    return atLeast(*x, *y + 1);
  case hir::BinaryOp::Le:
    return atLeast(*y, *x);
  case hir::BinaryOp::Lt:
    return atLeast(*y, *x + 1);
  default:
    return std::nullopt;
  }
}

void Checker::addFacts(Expr *c, SizeFacts &facts) {
  auto *b = dyn_cast<hir::BinaryExpr>(c);
  if (!b) {
    // `a and b`: both hold.
    if (auto *i = dyn_cast<hir::IfExpr>(c))
      if (auto *no = dyn_cast<hir::ConstExpr>(i->elseBlock->value);
          no && !no->intValue && i->elseBlock->stmts.empty()) {
        addFacts(i->condition, facts);
        if (i->thenBlock->stmts.empty())
          addFacts(i->thenBlock->value, facts);
      }
    return;
  }
  if (b->op == hir::BinaryOp::And) {
    addFacts(b->lhs, facts);
    addFacts(b->rhs, facts);
    return;
  }
  if (auto *m = dyn_cast<hir::BinaryExpr>(b->lhs);
      m && m->op == hir::BinaryOp::Mod && b->op == hir::BinaryOp::Eq) {
    auto n = polynomial(m->lhs, facts), k = polynomial(m->rhs, facts),
         r = polynomial(b->rhs, facts);
    if (n && k && r && k->isConstant() && *k->constant() > 0) {
      facts.addDivisible(*n - *r, *k->constant());
      return;
    }
  }
  auto x = polynomial(b->lhs, facts), y = polynomial(b->rhs, facts);
  if (!x || !y)
    return;
  switch (b->op) {
  case hir::BinaryOp::Eq:
    facts.addZero(*x - *y);
    break;
  case hir::BinaryOp::Ge:
    facts.addNonNegative(*x - *y);
    break;
  case hir::BinaryOp::Gt:
    facts.addNonNegative(*x - *y - 1);
    break;
  case hir::BinaryOp::Le:
    facts.addNonNegative(*y - *x);
    break;
  case hir::BinaryOp::Lt:
    facts.addNonNegative(*y - *x - 1);
    break;
  default:
    break;
  }
}

void Checker::addWhere(const ast::DefDecl *def, bool isEntry) {
  for (const ast::Expr *w : def->where) {
    Expr *c = checkCondition(w);
    if (c->type.isError())
      continue;
    auto known = prove(c);
    if (known == false) {
      // At a call the call is to blame.
      const hir::CallSite *at = isEntry ? nullptr : site;
      if (at)
        site = at->outer;
      report(diag::where_fails, at ? at->call : w->range, sourceText(w->range))
          .place(at ? w->range : SMRange(),
                 "'" + def->name.text + "' needs this");
      if (at)
        site = at;
      continue;
    }
    if (known == true)
      continue;
    std::string rest;
    std::vector<Expr *> values;
    if (auto *b = dyn_cast<hir::BinaryExpr>(c))
      if (isIntScalar(b->lhs->type) && isIntScalar(b->rhs->type)) {
        rest = ": {0} and {1}";
        values = {clone(b->lhs), clone(b->rhs)};
      }
    emitIntegerCheck(isEntry ? hir::CheckKind::Input : hir::CheckKind::Assert,
                     c, "'" + sourceText(w->range) + "' does not hold", rest,
                     values, w->range);
  }
}
