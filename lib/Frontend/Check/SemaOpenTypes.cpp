//===- SemaOpenTypes.cpp - Open values take a type ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An open expression is a tree whose scalars are OpenInt, OpenFloat,
// OpenComplex or OpenAny. Closing it writes the type that it meets into every
// node: literals are rounded to it, and operands that already have an integer
// type are converted.
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Closing
//===----------------------------------------------------------------------===//

bool Checker::fitsInt(const hir::ConstExpr *c, ScalarKind k) {
  if (c->isLargeUnsigned)
    return k == ScalarKind::U64;
  unsigned w = bitWidth(k);
  int64_t v = c->intValue;
  if (isUnsignedInt(k))
    return v >= 0 && (w == 64 || (v >> w) == 0);
  return w == 64 ||
         (v >= -(int64_t(1) << (w - 1)) && v < (int64_t(1) << (w - 1)));
}

static const llvm::fltSemantics &semantics(ScalarKind k) {
  switch (k) {
  case ScalarKind::F16:
    return llvm::APFloat::IEEEhalf();
  case ScalarKind::BF16:
    return llvm::APFloat::BFloat();
  case ScalarKind::F32:
  case ScalarKind::C64:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

static double toDouble(llvm::APFloat f) {
  bool lost;
  f.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
            &lost);
  return f.convertToDouble();
}

void Checker::roundConst(Const &c) {
  auto round = [&](double v) {
    llvm::APFloat f(v);
    bool lost;
    f.convert(semantics(c.kind), llvm::APFloat::rmNearestTiesToEven, &lost);
    return toDouble(f);
  };
  if (isFloat(c.kind) || isComplex(c.kind)) {
    c.re = round(c.re);
    c.im = round(c.im);
  } else if (isInteger(c.kind) && bitWidth(c.kind) < 64) {
    unsigned drop = 64 - bitWidth(c.kind);
    uint64_t up = static_cast<uint64_t>(c.i) << drop;
    c.i = isSignedInt(c.kind) ? static_cast<int64_t>(up) >> drop
                              : static_cast<int64_t>(up >> drop);
  }
}

Expr *Checker::closeConst(hir::ConstExpr *c, ScalarKind to) {
  ScalarKind from = c->type.scalar();
  c->type = to;
  if (from == ScalarKind::OpenAny) {
    // 0 or 1 as whatever it is to be.
    c->floatValue = c->intValue;
    if (!isInteger(to) && to != ScalarKind::Bool)
      c->intValue = 0;
  } else if (from == ScalarKind::OpenInt) {
    auto tooLarge = [&] {
      report(diag::literal_does_not_fit, c->loc,
             c->isLargeUnsigned
                 ? std::to_string(static_cast<uint64_t>(c->intValue))
                 : std::to_string(c->intValue),
             name(to).str());
    };
    if (isInteger(to)) {
      if (!fitsInt(c, to))
        tooLarge();
    } else {
      llvm::APFloat f(semantics(to));
      llvm::APInt bits(128, static_cast<uint64_t>(c->intValue),
                       /*isSigned=*/!c->isLargeUnsigned);
      f.convertFromAPInt(bits, !c->isLargeUnsigned,
                         llvm::APFloat::rmNearestTiesToEven);
      if (f.isInfinity())
        tooLarge();
      c->floatValue = toDouble(f);
      c->intValue = 0;
    }
  } else if (isInteger(to) || to == ScalarKind::Bool) {
    report(diag::float_literal_as_int, c->loc, name(to).str());
  } else if (!c->text.empty()) {
    // One rounding from the digits.
    llvm::APFloat f(semantics(to));
    auto status =
        f.convertFromString(c->text, llvm::APFloat::rmNearestTiesToEven);
    if (status)
      c->floatValue = toDouble(f);
    else
      llvm::consumeError(status.takeError());
    if (f.isInfinity())
      report(diag::literal_does_not_fit, c->loc, c->text, name(to).str());
  } else {
    Const k{to, 0, c->floatValue, c->imagValue};
    roundConst(k);
    c->floatValue = k.re;
  }
  c->isLargeUnsigned = false;
  return c;
}

void Checker::closeBlock(hir::Block *b, ScalarKind to) {
  closeBlock(b, [&](Expr *value) { return close(value, to); });
}

void Checker::closeBlock(hir::Block *b,
                         llvm::function_ref<Expr *(Expr *)> closed) {
  if (!b || !b->value)
    return;
  // What a conversion needs is computed in the block.
  BuilderScope inside(*this, b, true);
  b->value = closed(b->value);
}

/// Operands of an open operation: open ones are closed, integers converted.
static bool mayConvert(ScalarKind from, ScalarKind to) {
  return isInteger(from) && !isInteger(to) && to != ScalarKind::Bool;
}

Expr *Checker::close(Expr *e, ScalarKind to) {
  Type element = e->type.element();
  if (e->type.isError())
    return e;
  if (!element.isScalar() || !isOpen(element.scalar())) {
    // A closed integer inside an open float.
    if (e->type.isScalar() && e->type.scalar() != to &&
        mayConvert(e->type.scalar(), to))
      return convertScalar(e, to, e->loc);
    return e;
  }
  ScalarKind open = element.scalar();
  if (open == ScalarKind::OpenFloat &&
      (isInteger(to) || to == ScalarKind::Bool)) {
    report(diag::float_literal_as_int, e->loc, name(to).str());
    return error(e->loc);
  }
  if (open == ScalarKind::OpenComplex && !isComplex(to)) {
    report(diag::complex_to_real, e->loc, name(to).str())
        .help("take 're', 'im' or 'abs'");
    return error(e->loc);
  }
  if (open == ScalarKind::OpenInt && to == ScalarKind::Bool) {
    report(diag::literal_as_bool, e->loc);
    return error(e->loc);
  }
  Type closed = e->type.withElement(to);
  switch (e->kind) {
  case Expr::Kind::Const:
    return closeConst(cast<hir::ConstExpr>(e), to);
  case Expr::Kind::VarRef: {
    Variable *v = cast<hir::VarRefExpr>(e)->var;
    VarInfo &i = info(v);
    if (v->type.isOpen() && v->kind == Variable::Kind::Let && i.init) {
      closeInit(v, [&](Expr *init) { return close(init, to); });
      v->type = v->type.withElement(to);
    } else if (v->type.isOpen()) {
      v->type = v->type.withElement(to);
    }
    e->type = closed;
    // Its value was closed by another use.
    if (v->type.element().scalar() != to) {
      e->type = v->type;
      if (e->type.isScalar())
        return convertScalar(e, to, e->loc);
    }
    return e;
  }
  case Expr::Kind::Unary: {
    auto *u = cast<hir::UnaryExpr>(e);
    u->operand = close(u->operand, to);
    break;
  }
  case Expr::Kind::Binary: {
    auto *b = cast<hir::BinaryExpr>(e);
    if (isComplex(to) &&
        (b->op == hir::BinaryOp::FloorDiv || b->op == hir::BinaryOp::Mod)) {
      report(diag::operator_on_complex, e->loc,
             b->op == hir::BinaryOp::Mod ? "'%'" : "'//'");
      return error(e->loc);
    }
    b->lhs = close(b->lhs, to);
    bool intPower = b->op == hir::BinaryOp::Pow && b->rhs->type.isScalar() &&
                    !isInteger(to) &&
                    (isInteger(b->rhs->type.scalar()) ||
                     b->rhs->type.scalar() == ScalarKind::OpenInt);
    b->rhs = intPower ? close(b->rhs, ScalarKind::I64) : close(b->rhs, to);
    break;
  }
  case Expr::Kind::Call: {
    auto *c = cast<hir::CallExpr>(e);
    // Bits are those of integers.
    if (c->function >= hir::Function::BitAnd &&
        c->function <= hir::Function::Shr && !isInteger(to))
      return convertScalar(close(e, ScalarKind::I64), to, e->loc);
    if (c->function == hir::Function::Uniform ||
        c->function == hir::Function::Normal) {
      if (isComplex(to)) {
        e->type = realPart(to);
        return convertScalar(e, to, e->loc);
      }
      break;
    }
    for (auto [k, a] : llvm::enumerate(c->args)) {
      // Parts of an open complex number, and what one is made of.
      if (a->type.isScalar(ScalarKind::OpenComplex) && !isComplex(to)) {
        a = close(a,
                  to == ScalarKind::F64 ? ScalarKind::C128 : ScalarKind::C64);
        continue;
      }
      if (c->function == hir::Function::Complex) {
        a = close(a, realPart(to));
        continue;
      }
      if (c->function == hir::Function::Select && k == 0)
        continue;
      if ((c->function == hir::Function::Shl ||
           c->function == hir::Function::Shr) &&
          k == 1)
        continue;
      a = close(a, to);
    }
    if (isComplex(to) && c->function > hir::Function::Tanh &&
        c->function != hir::Function::Select &&
        c->function != hir::Function::Complex &&
        c->function != hir::Function::Conj) {
      report(diag::function_of_complex, e->loc, name(c->function).str());
      return error(e->loc);
    }
    break;
  }
  case Expr::Kind::If: {
    auto *i = cast<hir::IfExpr>(e);
    closeBlock(i->thenBlock, to);
    closeBlock(i->elseBlock, to);
    break;
  }
  case Expr::Kind::Index: {
    auto *i = cast<hir::IndexExpr>(e);
    i->base = close(i->base, to);
    break;
  }
  case Expr::Kind::Extend: {
    auto *x = cast<hir::ExtendExpr>(e);
    x->array = close(x->array, to);
    for (Expr *&fill : x->fills)
      if (fill)
        fill = close(fill, to);
    break;
  }
  case Expr::Kind::ArrayLit:
    for (Expr *&x : cast<hir::ArrayLitExpr>(e)->elements)
      x = close(x, to);
    break;
  case Expr::Kind::Field:
    closeField(cast<hir::FieldExpr>(e), to);
    break;
  case Expr::Kind::ArrayOp:
    for (Expr *&x : cast<hir::ArrayOpExpr>(e)->args)
      x = close(x, to);
    break;
  case Expr::Kind::Comp: {
    auto *c = cast<hir::CompExpr>(e);
    // Counts are never made in floats.
    if (c->compKind != hir::CompExpr::CompKind::Map &&
        c->compKind != hir::CompExpr::CompKind::Stencil &&
        c->compKind != hir::CompExpr::CompKind::Filter &&
        open == ScalarKind::OpenInt && !isInteger(to)) {
      Expr *counted = close(e, ScalarKind::I64);
      return counted->type.isScalar() ? convertScalar(counted, to, e->loc)
                                      : convertCall(counted, to, e->loc);
    }
    if (c->compKind == hir::CompExpr::CompKind::Hist) {
      closeBlock(c->body, [&](Expr *pair) {
        ArrayRef<Component> parts = pair->type.components();
        return closeTo(pair, Type::tuple({fixedType(parts[0].type),
                                          parts[1].type.withElement(to)}));
      });
    } else {
      closeBlock(c->body, to);
    }
    if (c->init)
      c->init = close(c->init, to);
    if (c->op) {
      for (Variable *v : {c->lhs, c->rhs})
        v->type = v->type.withElement(to);
      closeBlock(c->op, to);
    }
    break;
  }
  default:
    break;
  }
  e->type = closed;
  return foldInt(e);
}

/// Replaces what the `let` of an open temporary holds by what `closed` makes of
/// it; what that needs is computed before the `let`.
void Checker::closeInit(Variable *v,
                        llvm::function_ref<Expr *(Expr *)> closed) {
  hir::Block *before = newBlock();
  Expr *init = info(v).init;
  {
    BuilderScope inside(*this, before, true);
    init = closed(init);
  }
  if (init == info(v).init && before->stmts.empty())
    return;
  info(v).init = init;
  // The statement stands in one of the open blocks.
  for (Builder *b : llvm::reverse(builders)) {
    std::vector<hir::Stmt *> &stmts = b->block->stmts;
    auto let = llvm::find_if(stmts, [&](hir::Stmt *s) {
      auto *l = dyn_cast<hir::LetStmt>(s);
      return l && l->var == v;
    });
    if (let == stmts.end())
      continue;
    cast<hir::LetStmt>(*let)->init = init;
    stmts.insert(let, before->stmts.begin(), before->stmts.end());
    return;
  }
}

/// Closes the component that a field takes to `element`, the others to what
/// they are by themselves.
void Checker::closeField(hir::FieldExpr *f, const Type &element) {
  Type base = f->base->type;
  std::vector<Type> all;
  for (auto [k, c] : llvm::enumerate(base.element().components())) {
    Type t = fixedType(c.type);
    all.push_back(k == f->number ? t.withElement(element) : t);
  }
  f->base = closeTo(f->base, Type::tuple(all).withDims(base.dims()));
}

Expr *Checker::closeTo(Expr *e, const Type &to) {
  // Integers become floats beside open ones: `[(i, 1.0), (0.5, 2.0)]`.
  bool mayHoldInt =
      e->type.isScalar() || (e->type.isTuple() && isa<hir::TupleExpr>(e));
  if ((!e->type.isOpen() && !mayHoldInt) || e->type.isError())
    return e;
  if (e->type.element().isScalar())
    return to.element().isScalar() ? close(e, to.element().scalar()) : e;
  // A tuple, or an array of tuples.
  Type element = e->type.element(), want = to.element();
  if (auto *t = dyn_cast<hir::TupleExpr>(e)) {
    std::vector<Type> all;
    for (auto [k, x] : llvm::enumerate(t->elements)) {
      x = closeTo(x, want.components()[k].type);
      all.push_back(x->type);
    }
    e->type = Type::tuple(all).withDims(e->type.dims());
    return e;
  }
  std::vector<Type> all;
  for (unsigned k = 0; k < element.numComponents(); ++k) {
    Type have = element.components()[k].type;
    Type w = want.components()[k].type;
    all.push_back(have.isOpen() ? have.withElement(w.element()) : have);
  }
  Type closed = Type::tuple(all).withDims(e->type.dims());
  auto closeValue = [&](hir::Block *b) {
    closeBlock(b, [&](Expr *value) { return closeTo(value, want); });
  };
  if (auto *r = dyn_cast<hir::VarRefExpr>(e)) {
    if (r->var->type.isOpen() && info(r->var).init)
      closeInit(r->var, [&](Expr *init) { return closeTo(init, to); });
    r->var->type = closed;
  } else if (auto *l = dyn_cast<hir::ArrayLitExpr>(e)) {
    for (Expr *&x : l->elements)
      x = closeTo(x, want);
  } else if (auto *o = dyn_cast<hir::ArrayOpExpr>(e)) {
    for (Expr *&x : o->args)
      x = closeTo(x, want);
  } else if (auto *v = dyn_cast<hir::ExtendExpr>(e)) {
    v->array = closeTo(v->array, want);
    for (Expr *&fill : v->fills)
      if (fill)
        fill = closeTo(fill, want);
  } else if (auto *i = dyn_cast<hir::IfExpr>(e)) {
    closeValue(i->thenBlock);
    closeValue(i->elseBlock);
  } else if (auto *c = dyn_cast<hir::CompExpr>(e)) {
    if (c->compKind == hir::CompExpr::CompKind::Hist)
      closeBlock(c->body, [&](Expr *pair) {
        Type bin = fixedType(pair->type.components()[0].type);
        return closeTo(pair, Type::tuple({bin, want}));
      });
    else
      closeValue(c->body);
    if (c->init)
      c->init = closeTo(c->init, want);
    if (c->op) {
      for (Variable *v : {c->lhs, c->rhs})
        v->type = closed;
      closeValue(c->op);
    }
  } else if (auto *x = dyn_cast<hir::IndexExpr>(e)) {
    x->base = closeTo(x->base, want);
  } else if (auto *f = dyn_cast<hir::FieldExpr>(e)) {
    closeField(f, want);
  }
  e->type = closed;
  return e;
}

static ScalarKind defaultKind(ScalarKind k) {
  switch (k) {
  case ScalarKind::OpenInt:
    return ScalarKind::I64;
  case ScalarKind::OpenFloat:
  case ScalarKind::OpenAny:
    return ScalarKind::F32;
  case ScalarKind::OpenComplex:
    return ScalarKind::C64;
  default:
    return k;
  }
}

Type Checker::fixedType(const Type &t) { return t.mapScalars(defaultKind); }

Expr *Checker::fix(Expr *e) {
  if (!e->type.isOpen())
    return e;
  return closeTo(e, fixedType(e->type));
}

Value Checker::fix(Value v) {
  if (v.expr)
    v.expr = fix(v.expr);
  return v;
}

bool Checker::isPureOpen(Expr *e) {
  if (!e->type.isOpen())
    return false;
  switch (e->kind) {
  case Expr::Kind::Const:
    return true;
  case Expr::Kind::VarRef:
    return false;
  case Expr::Kind::Unary: {
    Expr *x = cast<hir::UnaryExpr>(e)->operand;
    return !x->type.isOpen() || isPureOpen(x);
  }
  case Expr::Kind::Binary: {
    auto *b = cast<hir::BinaryExpr>(e);
    return (!b->lhs->type.isOpen() || isPureOpen(b->lhs)) &&
           (!b->rhs->type.isOpen() || isPureOpen(b->rhs));
  }
  case Expr::Kind::Call: {
    auto *c = cast<hir::CallExpr>(e);
    if (c->function >= hir::Function::Philox)
      return false;
    return llvm::all_of(
        c->args, [&](Expr *a) { return !a->type.isOpen() || isPureOpen(a); });
  }
  default:
    return false;
  }
}
