//===- SemaTemporaries.cpp - Names for values that are no names -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The same text of immutable parts gets the same temporary.
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

std::string Checker::keyOf(Expr *e) {
  auto list = [&](std::string head, ArrayRef<Expr *> parts) -> std::string {
    head += "(";
    for (Expr *p : parts) {
      std::string k = keyOf(p);
      if (k.empty())
        return "";
      head += k + ",";
    }
    return head + ")";
  };
  switch (e->kind) {
  case Expr::Kind::Const: {
    auto *c = cast<hir::ConstExpr>(e);
    return c->type.str() + std::to_string(c->intValue) + "/" +
           std::to_string(c->floatValue) + "/" + std::to_string(c->imagValue) +
           c->text;
  }
  case Expr::Kind::VarRef: {
    Variable *v = cast<hir::VarRefExpr>(e)->var;
    return "v" + std::to_string(v->id) + "." + std::to_string(info(v).version);
  }
  case Expr::Kind::SizeValue: {
    std::string k = "s";
    for (const Size::Term &t : cast<hir::SizeExpr>(e)->size.terms()) {
      k += "+" + std::to_string(t.second);
      for (const SizeAtom &a : t.first)
        if (a.isVariable())
          k += "*" + std::to_string(a.variable()->id);
        else
          k += "*(" + a.inner().str() + "//" + std::to_string(a.divisor());
    }
    return k;
  }
  case Expr::Kind::DimOf: {
    auto *d = cast<hir::DimOfExpr>(e);
    return list("d" + std::to_string(d->dim), {d->array});
  }
  case Expr::Kind::Unary: {
    auto *u = cast<hir::UnaryExpr>(e);
    return list("u" + std::to_string(int(u->op)), {u->operand});
  }
  case Expr::Kind::Binary: {
    auto *b = cast<hir::BinaryExpr>(e);
    return list("b" + std::to_string(int(b->op)), {b->lhs, b->rhs});
  }
  case Expr::Kind::Convert:
    return list("c" + e->type.str(), {cast<hir::ConvertExpr>(e)->operand});
  case Expr::Kind::Field: {
    auto *f = cast<hir::FieldExpr>(e);
    return list("f" + std::to_string(f->number), {f->base});
  }
  case Expr::Kind::Call: {
    auto *c = cast<hir::CallExpr>(e);
    return list("F" + std::to_string(int(c->function)), c->args);
  }
  case Expr::Kind::Index: {
    auto *i = cast<hir::IndexExpr>(e);
    std::vector<Expr *> parts = {i->base};
    for (const hir::Sub &s : i->subs) {
      if (s.kind != hir::Sub::Kind::Point)
        return "";
      parts.push_back(s.index);
    }
    return list("i", parts);
  }
  default:
    return "";
  }
}

Variable *Checker::temporary(Expr *e, StringRef name) {
  std::string key = e->type.isOpen() ? "" : keyOf(e);
  if (!key.empty())
    for (Builder *b : llvm::reverse(builders)) {
      auto it = b->temporaries.find(key);
      if (it != b->temporaries.end())
        return it->second;
    }
  std::string text = name.str();
  if (text.empty() && e->type.isScalar())
    text = sourceText(e->loc);
  // In the message of a check, braces stand for values.
  if (text.empty() || text.size() > 40 ||
      text.find_first_of("{}") != std::string::npos)
    text = "%" + std::to_string(nextTemporary++);
  Variable *v = emitLet(text, e, e->loc);
  if (!key.empty())
    builder().temporaries[key] = v;
  return v;
}

Expr *Checker::reference(Expr *e, StringRef name) {
  switch (e->kind) {
  case Expr::Kind::Const:
  case Expr::Kind::VarRef:
  case Expr::Kind::SizeValue:
  case Expr::Kind::Error:
    return e;
  default: {
    if (e->type.isNone() || e->type.isError())
      return e;
    Expr *r = ref(temporary(e, name), e->loc);
    return r;
  }
  }
}
