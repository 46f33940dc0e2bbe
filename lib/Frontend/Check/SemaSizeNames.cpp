//===- SemaSizeNames.cpp - Names of sizes in types of parameters ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The dimensions of parameters bind names: to sizes of variables where a
// function is checked by itself, to those of the arguments at a call.
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

#include <iterator>

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

void Checker::collectSizes(const ast::TypeExpr *t, const Type &actual,
                           std::vector<SizeUse> &uses) {
  if (auto *tuple = dyn_cast<ast::TupleType>(t)) {
    Type e = actual.element();
    if (e.isTuple() && e.numComponents() == tuple->elements.size())
      for (auto [k, x] : llvm::enumerate(tuple->elements))
        collectSizes(x, actual.component(k), uses);
    return;
  }
  auto *a = dyn_cast<ast::ArrayType>(t);
  if (!a)
    return;
  for (auto [k, d] : llvm::enumerate(a->dims)) {
    if (k >= actual.rank())
      return;
    if (!actual.dims()[k].ragged)
      uses.push_back({d.kind == ast::Dim::Kind::Size ? d.expr : nullptr,
                      actual.dims()[k].size, d.range});
  }
}

void Checker::collectSizeNames(const ast::Expr *e,
                               std::vector<const ast::NameExpr *> &names) {
  if (auto *n = dyn_cast<ast::NameExpr>(e)) {
    names.push_back(n);
  } else if (auto *b = dyn_cast<ast::BinaryExpr>(e)) {
    collectSizeNames(b->lhs, names);
    collectSizeNames(b->rhs, names);
  } else if (auto *u = dyn_cast<ast::UnaryExpr>(e)) {
    collectSizeNames(u->operand, names);
  }
}

/// Names in a size expression that nothing has bound yet.
void Checker::unboundNames(const ast::Expr *e,
                           std::vector<const ast::NameExpr *> &names) {
  std::vector<const ast::NameExpr *> all;
  collectSizeNames(e, all);
  llvm::copy_if(all, std::back_inserter(names), [&](const ast::NameExpr *n) {
    TopDecl *top = lookupTop(n->name);
    return !lookupLocal(n->name) && !(top && isa<ast::ConstDecl>(top->decl));
  });
}

void Checker::excuseSizes(const ast::TypeExpr *t) {
  if (auto *tuple = dyn_cast<ast::TupleType>(t))
    for (const ast::TypeExpr *e : tuple->elements)
      excuseSizes(e);
  auto *a = dyn_cast<ast::ArrayType>(t);
  if (!a)
    return;
  std::vector<const ast::NameExpr *> names;
  for (const ast::Dim &d : a->dims)
    if (d.kind == ast::Dim::Kind::Size)
      unboundNames(d.expr, names);
  for (const ast::NameExpr *n : names)
    if (!lookupLocal(n->name))
      declare(n->name, n->range, Binding::Kind::Error);
}

bool Checker::bindSizeNames(ArrayRef<SizeUse> uses, SMRange loc, bool own) {
  auto declareSize = [&](const ast::NameExpr *n, const Size &s) {
    Variable *v = own ? s.asVariable() : nullptr;
    Binding *b = declare(n->name, n->range,
                         v ? Binding::Kind::Variable : Binding::Kind::Size);
    b->var = v;
    b->size = s;
    b->used = true;
    if (v) {
      v->name = n->name.str();
      v->loc = n->range;
    }
  };
  // Bare names first.
  for (const SizeUse &u : uses) {
    auto *n = u.dim ? dyn_cast<ast::NameExpr>(u.dim) : nullptr;
    if (!n)
      continue;
    std::vector<const ast::NameExpr *> names;
    unboundNames(n, names);
    if (!names.empty())
      declareSize(n, u.size);
    else if (Binding *b = lookupLocal(n->name);
             own && b && b->kind == Binding::Kind::Variable)
      builder().facts.addSize(b->var);
  }
  // Then n+c and k*n+c, from left to right.
  for (const SizeUse &u : uses) {
    if (!u.dim)
      continue;
    std::vector<const ast::NameExpr *> names;
    unboundNames(u.dim, names);
    if (names.empty())
      continue;
    if (names.size() > 1) {
      if (own) {
        report(diag::size_two_names, u.range, names[0]->name, names[1]->name)
            .help("bind one of them by a dimension of its own, or as an int "
                  "parameter");
        return false;
      }
      continue;
    }
    // Read the dimension as a polynomial in the unknown.
    Variable *x = newVariable(Variable::Kind::Let, names[0]->name,
                              Type::integer(), names[0]->range);
    std::optional<std::pair<Size, Size>> linear;
    {
      NameScope scratch(*this, Scope::Kind::Block);
      Binding *b =
          declare(names[0]->name, names[0]->range, Binding::Kind::Variable);
      b->var = x;
      Expr *e = checkValue(u.dim);
      if (e->type.isError())
        return false;
      if (isIntScalar(e->type))
        if (auto p = ringPolynomial(e, facts()))
          linear = p->splitLinear(SizeAtom(x));
    }
    auto k = linear ? linear->first.constant() : std::nullopt;
    if (!k || *k <= 0) {
      report(diag::size_form, u.range, names[0]->name)
          .help("a size is bound by 'n', 'n + c', 'n - c' or 'k*n + c'");
      return false;
    }
    Size value = floorOf(u.size - linear->second, *k, loc);
    if (!own) {
      declareSize(names[0], value);
      if (!requireEqual(value * *k + linear->second, u.size, loc,
                        "a size is not of the form " + sourceText(u.range))) {
        report(diag::declared_size_differs, loc,
               "'" + sourceText(u.range) + "'",
               (value * *k + linear->second).str(), u.size.str());
        return false;
      }
      if (!requireNonNegative(
              value, loc, "a size is too small for " + sourceText(u.range))) {
        report(diag::negative_size, loc, value.str());
        return false;
      }
      continue;
    }
    Variable *n = emitLet(names[0]->name, sizeExpr(value, u.range), u.range);
    info(n).value = std::nullopt;
    declareSize(names[0], Size(n));
    Size whole = Size(n) * *k + linear->second;
    // n came from the array: it fits unless the division left a rest.
    if (*k != 1) {
      Expr *fits = make<hir::BinaryExpr>(
          hir::BinaryOp::Eq, sizeExpr(u.size, u.range),
          sizeExpr(whole, u.range), Type::boolean(), u.range);
      emitCheck(hir::CheckKind::Input, fits,
                "a size {0} is not of the form " + sourceText(u.range),
                {sizeExpr(u.size, u.range)}, u.range);
    }
    if (Variable *raw = u.size.asVariable())
      builder().facts.define(raw, whole);
    if (linear->second.constant().value_or(1) > 0) {
      Expr *ok =
          make<hir::BinaryExpr>(hir::BinaryOp::Ge, ref(n, u.range),
                                constInt(0, u.range), Type::boolean(), u.range);
      emitCheck(hir::CheckKind::Input, ok,
                "a size {0} is too small for " + sourceText(u.range),
                {sizeExpr(u.size, u.range)}, u.range);
    }
    builder().facts.addSize(n);
  }
  return true;
}
