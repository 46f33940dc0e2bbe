//===- SemaConversions.cpp - Meeting, open values, conversions ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An open expression is a tree whose scalars are OpenInt, OpenFloat or OpenAny.
// Closing it writes the type that it meets into every node: literals are rounded
// to it, and operands that already have an integer type are converted.
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"

#include <cmath>

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

/// Whether every value of `b` is one of `a`; both integers.
static bool holds(ScalarKind a, ScalarKind b) {
  if (isSignedInt(a) == isSignedInt(b))
    return bitWidth(a) >= bitWidth(b);
  return isSignedInt(a) && bitWidth(a) > bitWidth(b);
}

std::optional<ScalarKind> Checker::meet(ScalarKind a, ScalarKind b) {
  using K = ScalarKind;
  if (a == b)
    return a;
  if (a == K::OpenAny)
    return b;
  if (b == K::OpenAny)
    return a;
  if (isOpen(b))
    std::swap(a, b);
  if (isOpen(a) && isOpen(b))
    return a == K::OpenComplex || b == K::OpenComplex ? K::OpenComplex
                                                      : K::OpenFloat;
  if (a == K::OpenComplex) {
    if (isInteger(b))
      return a;
    if (b == K::F32 || b == K::C64)
      return K::C64;
    if (b == K::F64 || b == K::C128)
      return K::C128;
    return std::nullopt;
  }
  if (a == K::OpenInt)
    return b == K::Bool ? std::nullopt : std::optional(b);
  if (a == K::OpenFloat) {
    if (b == K::Bool)
      return std::nullopt;
    return isInteger(b) ? a : b;
  }
  if (a == K::Bool || b == K::Bool)
    return std::nullopt;
  if (isInteger(a) && isInteger(b)) {
    if (holds(a, b))
      return a;
    if (holds(b, a))
      return b;
    return std::nullopt;
  }
  if (isInteger(a))
    return b;
  if (isInteger(b))
    return a;
  if (isComplex(a) && realPart(a) == b)
    return a;
  if (isComplex(b) && realPart(b) == a)
    return b;
  return std::nullopt;
}

Type Checker::meetTypes(const Type &a, const Type &b) {
  if (a.isError() || b.isError())
    return Type::error();
  if (a.isScalar() && b.isScalar()) {
    auto k = meet(a.scalar(), b.scalar());
    return k ? Type(*k) : Type();
  }
  if (a.isArray() && b.isArray()) {
    if (a.rank() != b.rank())
      return {};
    Type e = meetTypes(a.element(), b.element());
    if (!e)
      return {};
    // Arrays do not convert; open ones take the other's element.
    auto same = [&](const Type &t) {
      return t.element().isOpen() || Type::sameShapeless(t.element(), e);
    };
    return same(a) && same(b) ? e.withDims(a.dims()) : Type();
  }
  if (a.isTuple() && b.isTuple() && a.numComponents() == b.numComponents()) {
    std::vector<Type> all;
    for (auto [x, y] : llvm::zip(a.components(), b.components())) {
      Type t = meetTypes(x.type, y.type);
      if (!t)
        return {};
      all.push_back(t);
    }
    return Type::tuple(std::move(all));
  }
  return Type::sameShapeless(a, b) ? a : Type();
}

void Checker::reportNoMeet(const Type &a, const Type &b, SMRange loc,
                           const std::string &what) {
  Type x = a.element(), y = b.element();
  Diagnostic &d = report(diag::types_do_not_meet, loc, what, a.str(), b.str());
  if (!x.isScalar() || !y.isScalar())
    return;
  ScalarKind p = x.scalar(), q = y.scalar();
  if (p == ScalarKind::Bool || q == ScalarKind::Bool) {
    ScalarKind other = p == ScalarKind::Bool ? q : p;
    std::string to = isOpen(other) ? "int" : name(other).str();
    d.help("convert the bool, as in '" + to + "(b)', or compare the number");
  } else if (isInteger(p) && isInteger(q)) {
    d.help("convert one side, as in '" + name(p).str() + "(..)'");
  } else {
    d.help("two float types never mix: convert one side, as in '" +
           name(p).str() + "(..)'");
  }
}

bool Checker::unify(std::vector<Expr *> &values, SMRange loc,
                    const std::string &what) {
  Type met = values.front()->type;
  for (Expr *v : values) {
    Type next = meetTypes(met, v->type);
    if (!next) {
      reportNoMeet(met, v->type, loc, what);
      return false;
    }
    if (next.isError())
      return false;
    met = next;
  }
  for (Expr *&v : values) {
    if (met.isScalar()) {
      if (!isOpen(met.scalar()))
        v = v->type.isOpen() ? close(v, met.scalar())
                             : convertScalar(v, met.scalar(), v->loc);
      continue;
    }
    if (!met.isOpen())
      v = coerce(v, met.mapSizes([](const Size &s) { return s; }),
                 Purpose::Other, v->loc);
    if (v->type.isError())
      return false;
  }
  return true;
}

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
  return w == 64 || (v >= -(int64_t(1) << (w - 1)) &&
                     v < (int64_t(1) << (w - 1)));
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
    if (isInteger(to)) {
      if (!fitsInt(c, to))
        report(diag::literal_does_not_fit, c->loc,
               c->isLargeUnsigned
                   ? std::to_string(static_cast<uint64_t>(c->intValue))
                   : std::to_string(c->intValue),
               name(to).str());
    } else {
      llvm::APFloat f(semantics(to));
      llvm::APInt bits(128, static_cast<uint64_t>(c->intValue),
                       /*isSigned=*/!c->isLargeUnsigned);
      f.convertFromAPInt(bits, !c->isLargeUnsigned,
                         llvm::APFloat::rmNearestTiesToEven);
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
  if (b && b->value)
    b->value = close(b->value, to);
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
      Expr *init = close(i.init, to);
      if (init != i.init)
        replaceInit(v, init);
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
        a = close(a, to == ScalarKind::F64 ? ScalarKind::C128
                                           : ScalarKind::C64);
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
      report(diag::function_of_complex, e->loc,
             name(c->function).str());
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
  case Expr::Kind::ArrayLit:
    for (Expr *&x : cast<hir::ArrayLitExpr>(e)->elements)
      x = close(x, to);
    break;
  case Expr::Kind::Field: {
    auto *f = cast<hir::FieldExpr>(e);
    Type base = f->base->type;
    std::vector<Type> all;
    Type whole = base.element();
    for (unsigned k = 0; k < whole.numComponents(); ++k) {
      Type t = fixedType(whole.components()[k].type);
      all.push_back(k == f->number ? t.withElement(to) : t);
    }
    f->base = closeTo(f->base, Type::tuple(all).withDims(base.dims()));
    break;
  }
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
      Type pair = c->body->value->type;
      c->body->value = closeTo(
          c->body->value,
          Type::tuple({fixedType(pair.components()[0].type),
                       pair.components()[1].type.withElement(to)}));
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

void Checker::replaceInit(Variable *v, Expr *init) {
  info(v).init = init;
  // The statement stands in one of the open blocks.
  for (Builder *b : llvm::reverse(builders))
    for (hir::Stmt *s : llvm::reverse(b->block->stmts))
      if (auto *l = dyn_cast<hir::LetStmt>(s); l && l->var == v) {
        l->init = init;
        return;
      }
}

Expr *Checker::closeTo(Expr *e, const Type &to) {
  if (!e->type.isOpen() || e->type.isError())
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
    if (b && b->value)
      b->value = closeTo(b->value, want);
  };
  if (auto *r = dyn_cast<hir::VarRefExpr>(e)) {
    VarInfo &i = info(r->var);
    if (r->var->type.isOpen() && i.init) {
      Expr *init = closeTo(i.init, to);
      if (init != i.init)
        replaceInit(r->var, init);
    }
    r->var->type = closed;
  } else if (auto *i = dyn_cast<hir::IfExpr>(e)) {
    closeValue(i->thenBlock);
    closeValue(i->elseBlock);
  } else if (auto *c = dyn_cast<hir::CompExpr>(e)) {
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
    return llvm::all_of(c->args, [&](Expr *a) {
      return !a->type.isOpen() || isPureOpen(a);
    });
  }
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Expr *Checker::convertScalar(Expr *e, ScalarKind to, SMRange loc) {
  if (e->type.isScalar(to) || e->type.isError())
    return e;
  return foldInt(make<hir::ConvertExpr>(e, Type(to), loc));
}

Expr *Checker::convertCall(Expr *e, ScalarKind to, SMRange loc) {
  if (e->type.isError())
    return e;
  if (!e->type.element().isScalar()) {
    report(diag::cannot_convert, loc, e->type.str(), name(to).str());
    return error(loc);
  }
  auto one = [&](Expr *x) -> Expr * {
    ScalarKind from = x->type.scalar();
    // `f64(0.1)` is the double; `int(2.5)` rounds toward zero.
    if (isOpen(from)) {
      bool direct = from == ScalarKind::OpenAny ||
                    (from == ScalarKind::OpenInt && to != ScalarKind::Bool) ||
                    (from == ScalarKind::OpenFloat &&
                     (isFloat(to) || isComplex(to)));
      if (direct)
        return close(x, to);
      x = fix(x);
      from = x->type.scalar();
    }
    if (isComplex(from) && !isComplex(to)) {
      report(diag::complex_to_real, loc, name(to).str())
          .help("take 're', 'im' or 'abs'");
      return error(loc);
    }
    return convertScalar(x, to, loc);
  };
  if (e->type.isScalar())
    return one(e);
  if (e->type.isOpen() && e->type.element().scalar() != ScalarKind::OpenFloat &&
      to != ScalarKind::Bool)
    return close(e, to);
  if (e->type.isOpen() && (isFloat(to) || isComplex(to)))
    return close(e, to);
  e = fix(e);
  return elementwise(
      {e}, [&](std::vector<Expr *> a) { return one(a[0]); }, loc,
      "conversion");
}

static StringRef purposeText(Purpose p) {
  switch (p) {
  case Purpose::Let:
    return "the declared type";
  case Purpose::Argument:
    return "the parameter";
  case Purpose::Result:
    return "the result";
  case Purpose::Assign:
    return "what is assigned to";
  case Purpose::Field:
    return "the field";
  case Purpose::Other:
    return "the other";
  }
  llvm_unreachable("no such purpose");
}

Expr *Checker::coerce(Expr *e, const Type &to, Purpose purpose, SMRange loc,
                      const std::string &name, SMRange declared) {
  const Type &from = e->type;
  if (from.isError() || to.isError())
    return error(loc);
  std::string place =
      purposeText(purpose).str() + (name.empty() ? "" : " '" + name + "'");
  auto mismatch = [&]() -> Expr * {
    if (from.isNone()) {
      report(diag::no_value, loc);
      return error(loc);
    }
    Diagnostic &d =
        report(diag::type_mismatch, loc, place, to.str(), e->type.str());
    d.place(declared, "declared here");
    if (from.isScalar() && to.isScalar() && !isOpen(from.scalar()))
      d.help("write the conversion: '" + to.str() + "(..)'");
    else if (from.isArray() && to.isArray() && from.rank() == to.rank() &&
             from.element().isScalar() && to.element().isScalar() &&
             !from.isOpen())
      d.help("arrays convert by a call: '" + to.element().str() + "(..)'");
    return error(loc);
  };
  if (from.isFunction() || to.isFunction())
    return mismatch();

  if (to.isScalar()) {
    if (!from.isScalar())
      return mismatch();
    if (isOpen(from.scalar())) {
      if ((from.scalar() == ScalarKind::OpenFloat &&
           (isInteger(to.scalar()) || to.scalar() == ScalarKind::Bool)) ||
          (from.scalar() == ScalarKind::OpenComplex &&
           !isComplex(to.scalar())) ||
          (from.scalar() == ScalarKind::OpenInt &&
           to.scalar() == ScalarKind::Bool))
        return mismatch();
      return close(e, to.scalar());
    }
    auto met = meet(from.scalar(), to.scalar());
    if (!met || *met != to.scalar())
      return mismatch();
    return convertScalar(e, to.scalar(), loc);
  }

  if (to.isTuple() && from.isTuple() && !from.isOpen() &&
      Type::sameShapeless(from, to) &&
      llvm::all_of(from.leaves(),
                   [](const Type::Leaf &l) { return l.dims.empty(); }))
    return e;
  if (to.isTuple()) {
    // A comprehension of tuples unzips to a tuple of arrays.
    if (from.isArray() && from.element().isTuple() &&
        from.element().numComponents() == to.numComponents()) {
      Expr *whole = reference(e);
      std::vector<Expr *> parts;
      std::vector<Type> types;
      for (unsigned k = 0; k < to.numComponents(); ++k) {
        Expr *part = coerce(field(whole, k, loc), to.component(k), purpose,
                            loc, name);
        if (part->type.isError())
          return part;
        parts.push_back(part);
        types.push_back(part->type);
      }
      return make<hir::TupleExpr>(parts, Type::tuple(types), loc);
    }
    if (!from.isTuple() || from.numComponents() != to.numComponents())
      return mismatch();
    std::vector<Expr *> parts;
    std::vector<Type> types;
    auto *literal = dyn_cast<hir::TupleExpr>(e);
    if (!literal && e->type.isOpen())
      e = closeTo(e, to);
    Expr *whole = literal ? e : reference(e);
    for (unsigned k = 0; k < to.numComponents(); ++k) {
      Expr *part = literal ? literal->elements[k] : field(whole, k, loc);
      part = coerce(part, to.component(k), purpose,
                    literal ? part->loc : loc, name);
      if (part->type.isError())
        return part;
      parts.push_back(part);
      types.push_back(part->type);
    }
    return make<hir::TupleExpr>(parts, Type::tuple(types), e->loc);
  }

  if (to.isArray()) {
    // A declared `real[n]` of tuples may be given as a tuple of arrays? No:
    // only the other way round is a conversion.
    if (!from.isArray() || from.rank() != to.rank())
      return mismatch();
    Type element = to.element();
    if (from.isOpen()) {
      Type met = meetTypes(from.element(), element);
      if (!met || !Type::sameShapeless(met, element))
        return mismatch();
      e = closeTo(e, element.withDims(e->type.dims()));
      if (e->type.isError())
        return e;
    }
    if (!Type::sameShapeless(e->type.element(), element))
      return mismatch();
    std::vector<Dim> dims;
    for (auto [d, pair] :
         llvm::enumerate(llvm::zip(e->type.dims(), to.dims()))) {
      const Dim &have = std::get<0>(pair), &want = std::get<1>(pair);
      if (want.ragged || have.ragged) {
        if (!want.ragged) {
          report(diag::ragged_not_allowed, loc, place, to.str());
          return error(loc);
        }
        dims.push_back(have);
        continue;
      }
      if (!isUnknown(want.size) && !isUnknown(have.size) &&
          !requireEqual(have.size, want.size, loc,
                        "sizes differ in dimension " + std::to_string(d) +
                            " of " + place)) {
        Diagnostic &diag =
            report(diag::declared_size_differs, loc, place,
                   want.size.str(), have.size.str());
        diag.label("this is " + e->type.str() + ", not " + to.str());
        diag.place(declared, "declared here");
        return error(loc);
      }
      dims.push_back(isUnknown(want.size) ? have : want);
    }
    // From here on the value has the sizes of its declaration.
    if (!e->type.element().isTuple())
      e = withDims(e, dims);
    return e;
  }

  if (!Type::sameShapeless(from, to))
    return mismatch();
  return e;
}

Expr *Checker::withDims(Expr *e, ArrayRef<Dim> dims) {
  bool same = llvm::all_of(llvm::zip(e->type.dims(), dims), [](auto p) {
    return std::get<0>(p).ragged == std::get<1>(p).ragged &&
           std::get<0>(p).size == std::get<1>(p).size;
  });
  if (same)
    return e;
  // A node of its own: the old one may be shared.
  Type t = Type::array(e->type.element(), dims.vec());
  if (auto *r = dyn_cast<hir::VarRefExpr>(e))
    return make<hir::VarRefExpr>(r->var, t, e->loc);
  e->type = t;
  return e;
}
