//===- SemaConstants.cpp - Evaluation at compile time ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Constants are rounded after every operation to the type that they have, so a
// folded value has the bits that the program would have computed.
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/Support/Error.h"

#include <cmath>

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

using Const = Checker::Const;

bool sema::isIntLike(ScalarKind k) {
  return isInteger(k) || k == ScalarKind::OpenInt || k == ScalarKind::Bool ||
         k == ScalarKind::OpenAny;
}

static std::optional<int64_t> intBinary(hir::BinaryOp op, int64_t a, int64_t b,
                                        bool isUnsigned) {
  auto wrap = [](uint64_t v) { return static_cast<int64_t>(v); };
  uint64_t x = a, y = b;
  switch (op) {
  case hir::BinaryOp::Add:
    return wrap(x + y);
  case hir::BinaryOp::Sub:
    return wrap(x - y);
  case hir::BinaryOp::Mul:
    return wrap(x * y);
  case hir::BinaryOp::FloorDiv:
    if (!b)
      return std::nullopt;
    if (isUnsigned)
      return wrap(x / y);
    if (b == -1)
      return wrap(0 - x);
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
  case hir::BinaryOp::Mod:
    if (!b)
      return std::nullopt;
    if (isUnsigned)
      return wrap(x % y);
    if (b == -1)
      return 0;
    return a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0);
  case hir::BinaryOp::Pow: {
    if (b < 0 && !isUnsigned)
      return std::nullopt;
    uint64_t r = 1;
    for (; y; y >>= 1, x *= x)
      if (y & 1)
        r *= x;
    return wrap(r);
  }
  case hir::BinaryOp::Eq:
    return a == b;
  case hir::BinaryOp::Ne:
    return a != b;
  case hir::BinaryOp::Lt:
    return isUnsigned ? x < y : a < b;
  case hir::BinaryOp::Le:
    return isUnsigned ? x <= y : a <= b;
  case hir::BinaryOp::Gt:
    return isUnsigned ? x > y : a > b;
  case hir::BinaryOp::Ge:
    return isUnsigned ? x >= y : a >= b;
  case hir::BinaryOp::And:
    return a && b;
  case hir::BinaryOp::Or:
    return a || b;
  case hir::BinaryOp::Div:
    return std::nullopt;
  }
  return std::nullopt;
}

static std::optional<double> floatBinary(hir::BinaryOp op, double a, double b) {
  switch (op) {
  case hir::BinaryOp::Add:
    return a + b;
  case hir::BinaryOp::Sub:
    return a - b;
  case hir::BinaryOp::Mul:
    return a * b;
  case hir::BinaryOp::Div:
    return a / b;
  case hir::BinaryOp::FloorDiv:
    return std::floor(a / b);
  case hir::BinaryOp::Mod: {
    double r = std::fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : std::copysign(r, b);
  }
  case hir::BinaryOp::Pow:
    return std::pow(a, b);
  default:
    return std::nullopt;
  }
}

static std::optional<double> floatCall(hir::Function f, ArrayRef<double> x) {
  using F = hir::Function;
  switch (f) {
  case F::Sqrt:
    return std::sqrt(x[0]);
  case F::Exp:
    return std::exp(x[0]);
  case F::Log:
    return std::log(x[0]);
  case F::Sin:
    return std::sin(x[0]);
  case F::Cos:
    return std::cos(x[0]);
  case F::Tan:
    return std::tan(x[0]);
  case F::Sinh:
    return std::sinh(x[0]);
  case F::Cosh:
    return std::cosh(x[0]);
  case F::Tanh:
    return std::tanh(x[0]);
  case F::Rsqrt:
    return 1 / std::sqrt(x[0]);
  case F::Cbrt:
    return std::cbrt(x[0]);
  case F::Exp2:
    return std::exp2(x[0]);
  case F::Expm1:
    return std::expm1(x[0]);
  case F::Log2:
    return std::log2(x[0]);
  case F::Log10:
    return std::log10(x[0]);
  case F::Log1p:
    return std::log1p(x[0]);
  case F::Asin:
    return std::asin(x[0]);
  case F::Acos:
    return std::acos(x[0]);
  case F::Atan:
    return std::atan(x[0]);
  case F::Atan2:
    return std::atan2(x[0], x[1]);
  case F::Hypot:
    return std::hypot(x[0], x[1]);
  case F::Erf:
    return std::erf(x[0]);
  case F::Erfc:
    return std::erfc(x[0]);
  case F::Floor:
    return std::floor(x[0]);
  case F::Ceil:
    return std::ceil(x[0]);
  case F::Trunc:
    return std::trunc(x[0]);
  case F::Round:
    return std::nearbyint(x[0]);
  case F::Abs:
    return std::fabs(x[0]);
  case F::Min:
    return std::isnan(x[0]) || x[0] < x[1] ? x[0] : x[1];
  case F::Max:
    return std::isnan(x[0]) || x[0] > x[1] ? x[0] : x[1];
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// A product that is added is one fma, as when the program runs: the product,
/// or null.
static const hir::BinaryExpr *fusedProduct(const hir::BinaryExpr *b) {
  if ((b->op != hir::BinaryOp::Add && b->op != hir::BinaryOp::Sub) ||
      (!b->type.isScalar(ScalarKind::F32) &&
       !b->type.isScalar(ScalarKind::F64)))
    return nullptr;
  for (const Expr *side : {b->lhs, b->rhs})
    if (auto *m = dyn_cast<hir::BinaryExpr>(side);
        m && m->op == hir::BinaryOp::Mul)
      return m;
  return nullptr;
}

std::optional<Const> Checker::evaluateFused(const hir::BinaryExpr *b,
                                            const hir::BinaryExpr *product) {
  bool left = b->lhs == product, sub = b->op == hir::BinaryOp::Sub;
  auto p = evaluate(product->lhs);
  auto q = p ? evaluate(product->rhs) : std::nullopt;
  auto other = q ? evaluate(left ? b->rhs : b->lhs) : std::nullopt;
  if (!other || isComplex(p->kind) || isComplex(q->kind) ||
      isComplex(other->kind))
    return std::nullopt;
  double factor = !left && sub ? -p->re : p->re;
  double add = left && sub ? -other->re : other->re;
  ScalarKind kind = b->type.scalar();
  if (kind == ScalarKind::F32)
    return Const{kind, 0, std::fma(float(factor), float(q->re), float(add))};
  return Const{kind, 0, std::fma(factor, q->re, add)};
}

/// The value of a `let`. Kept where it depends on no index, as lines that use
/// the one before twice would double the work.
std::optional<Const> Checker::evaluateLet(Variable *v) {
  if (v->kind != Variable::Kind::Let || !info(v).init)
    return std::nullopt;
  Expr *init = info(v).init;
  if (!constantEnv.empty() || !init->type.isScalar() || init->type.isOpen())
    return evaluate(init);
  auto known = letConstants.find(init);
  if (known != letConstants.end() && known->second.kind == init->type.scalar())
    return known->second;
  auto value = evaluate(init);
  if (value)
    letConstants[init] = *value;
  return value;
}

std::optional<Const> Checker::evaluate(Expr *e) {
  if (!e->type.isScalar() || ++evaluationSteps > options.maxEvaluationSteps)
    return std::nullopt;
  ScalarKind kind = e->type.scalar();
  auto rounded = [&](double v) {
    Const c{kind, 0, v, 0};
    roundConst(c);
    return c;
  };
  switch (e->kind) {
  case Expr::Kind::Const: {
    auto *c = cast<hir::ConstExpr>(e);
    return Const{kind, c->intValue,
                 isIntLike(kind) ? double(c->intValue) : c->floatValue,
                 c->imagValue};
  }
  case Expr::Kind::SizeValue: {
    auto v = cast<hir::SizeExpr>(e)->size.evaluate(
        [&](Variable *v) { return constantOfVariable(v); });
    if (!v)
      return std::nullopt;
    return Const{kind, *v, double(*v)};
  }
  case Expr::Kind::VarRef: {
    Variable *v = cast<hir::VarRefExpr>(e)->var;
    if (auto c = constantOfVariable(v))
      return Const{kind, *c, double(*c)};
    return evaluateLet(v);
  }
  case Expr::Kind::Unary: {
    auto *u = cast<hir::UnaryExpr>(e);
    auto x = evaluate(u->operand);
    if (!x)
      return x;
    if (u->op == hir::UnaryOp::Not)
      return Const{kind, !x->i, double(!x->i)};
    Const c{kind, static_cast<int64_t>(0 - static_cast<uint64_t>(x->i)), -x->re,
            -x->im};
    roundConst(c);
    return c;
  }
  case Expr::Kind::Binary: {
    auto *b = cast<hir::BinaryExpr>(e);
    if (isComplex(kind)) {
      bool sub = b->op == hir::BinaryOp::Sub;
      if (!sub && b->op != hir::BinaryOp::Add)
        return std::nullopt;
      auto x = evaluate(b->lhs);
      auto y = x ? evaluate(b->rhs) : std::nullopt;
      if (!y)
        return std::nullopt;
      Const c{kind, 0, sub ? x->re - y->re : x->re + y->re,
              sub ? x->im - y->im : x->im + y->im};
      roundConst(c);
      return c;
    }
    if (const hir::BinaryExpr *product = fusedProduct(b))
      return evaluateFused(b, product);
    auto x = evaluate(b->lhs);
    if (!x || isComplex(x->kind))
      return std::nullopt;
    auto y = evaluate(b->rhs);
    if (!y || isComplex(y->kind))
      return std::nullopt;
    if (isIntLike(x->kind) && isIntLike(y->kind) && isIntLike(kind)) {
      auto v = intBinary(b->op, x->i, y->i, isUnsignedInt(x->kind));
      if (!v)
        return std::nullopt;
      Const c{kind, *v, double(*v)};
      roundConst(c);
      c.re = double(c.i);
      return c;
    }
    if (kind == ScalarKind::Bool) {
      bool v;
      switch (b->op) {
      case hir::BinaryOp::Eq:
        v = x->re == y->re;
        break;
      case hir::BinaryOp::Ne:
        v = x->re != y->re;
        break;
      case hir::BinaryOp::Lt:
        v = x->re < y->re;
        break;
      case hir::BinaryOp::Le:
        v = x->re <= y->re;
        break;
      case hir::BinaryOp::Gt:
        v = x->re > y->re;
        break;
      case hir::BinaryOp::Ge:
        v = x->re >= y->re;
        break;
      default:
        return std::nullopt;
      }
      return Const{kind, v, double(v)};
    }
    if (b->op == hir::BinaryOp::Pow && isIntLike(y->kind)) {
      switch (y->i) {
      case 2:
        return rounded(x->re * x->re);
      case 3:
        return rounded(rounded(x->re * x->re).re * x->re);
      case 4: {
        double s = rounded(x->re * x->re).re;
        return rounded(s * s);
      }
      default:
        break;
      }
    }
    auto v = floatBinary(b->op, x->re, y->re);
    if (!v)
      return std::nullopt;
    return rounded(*v);
  }
  case Expr::Kind::Convert: {
    auto x = evaluate(cast<hir::ConvertExpr>(e)->operand);
    if (!x)
      return x;
    if (kind == ScalarKind::Bool)
      return Const{kind, isIntLike(x->kind) ? x->i != 0 : x->re != 0};
    if (isInteger(kind)) {
      Const c{kind, x->i, 0};
      if (!isIntLike(x->kind)) {
        bool exact;
        llvm::APSInt v(bitWidth(kind), isUnsignedInt(kind));
        llvm::APFloat(x->re).convertToInteger(v, llvm::APFloat::rmTowardZero,
                                              &exact);
        c.i = std::isnan(x->re)     ? 0
              : isUnsignedInt(kind) ? static_cast<int64_t>(v.getZExtValue())
                                    : v.getSExtValue();
      }
      roundConst(c);
      c.re = double(c.i);
      return c;
    }
    if (isIntLike(x->kind)) {
      // One rounding, also of 64-bit integers to f32.
      Const c{kind};
      if (kind == ScalarKind::F32 || kind == ScalarKind::C64)
        c.re = isUnsignedInt(x->kind) ? float(uint64_t(x->i)) : float(x->i);
      else
        c.re = isUnsignedInt(x->kind) ? double(uint64_t(x->i)) : double(x->i);
      roundConst(c);
      return c;
    }
    Const c{kind, 0, x->re, x->im};
    roundConst(c);
    return c;
  }
  case Expr::Kind::Call: {
    auto *c = cast<hir::CallExpr>(e);
    std::vector<Const> args;
    std::vector<double> values;
    for (Expr *a : c->args) {
      auto x = evaluate(a);
      if (!x || isComplex(x->kind))
        return std::nullopt;
      args.push_back(*x);
      values.push_back(x->re);
    }
    using F = hir::Function;
    if (isComplex(kind))
      return c->function == F::Complex
                 ? std::optional(Const{kind, 0, values[0], values[1]})
                 : std::nullopt;
    if (c->function == F::Select) {
      Const r = args[args[0].i ? 1 : 2];
      return r;
    }
    if (isIntLike(kind)) {
      int64_t x = args[0].i, y = args.size() > 1 ? args[1].i : 0;
      switch (c->function) {
      case F::Min:
        return Const{kind, std::min(x, y), double(std::min(x, y))};
      case F::Max:
        return Const{kind, std::max(x, y), double(std::max(x, y))};
      case F::Abs:
        x = x < 0 ? static_cast<int64_t>(0 - static_cast<uint64_t>(x)) : x;
        return Const{kind, x, double(x)};
      case F::BitAnd:
        return Const{kind, x & y, double(x & y)};
      case F::BitOr:
        return Const{kind, x | y, double(x | y)};
      case F::BitXor:
        return Const{kind, x ^ y, double(x ^ y)};
      default:
        return std::nullopt;
      }
    }
    auto v = floatCall(c->function, values);
    if (!v)
      return std::nullopt;
    return rounded(*v);
  }
  case Expr::Kind::If: {
    auto *i = cast<hir::IfExpr>(e);
    auto c = evaluate(i->condition);
    if (!c)
      return c;
    return evaluate((c->i ? i->thenBlock : i->elseBlock)->value);
  }
  case Expr::Kind::Index: {
    auto *i = cast<hir::IndexExpr>(e);
    std::vector<int64_t> at;
    for (const hir::Sub &s : i->subs) {
      if (s.kind != hir::Sub::Kind::Point)
        return std::nullopt;
      auto c = evaluate(s.index);
      if (!c)
        return c;
      at.push_back(c->i);
    }
    return evaluateAt(i->base, at);
  }
  case Expr::Kind::Field: {
    auto *f = cast<hir::FieldExpr>(e);
    Expr *base = f->base;
    if (auto *r = dyn_cast<hir::VarRefExpr>(base);
        r && r->var->kind == Variable::Kind::Let && info(r->var).init)
      base = info(r->var).init;
    if (auto *t = dyn_cast<hir::TupleExpr>(base))
      return evaluate(t->elements[f->number]);
    return std::nullopt;
  }
  case Expr::Kind::Comp:
    return evaluateFold(cast<hir::CompExpr>(e));
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> Checker::constantOfVariable(Variable *v) {
  auto it = constantEnv.find(v);
  if (it != constantEnv.end())
    return it->second;
  if (info(v).value && info(v).value->isConstant())
    return info(v).value->constant();
  if (info(v).value && info(v).value->asVariable() != v && !constantEnv.empty())
    return info(v).value->evaluate([&](Variable *x) -> std::optional<int64_t> {
      auto it = constantEnv.find(x);
      if (it == constantEnv.end())
        return std::nullopt;
      return it->second;
    });
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Expressions as constants
//===----------------------------------------------------------------------===//

Expr *Checker::fromConst(const Const &c, Type type, SMRange loc) {
  auto *r = make<hir::ConstExpr>(type, loc);
  if (isIntLike(c.kind)) {
    r->intValue = c.i;
  } else {
    r->floatValue = c.re;
    r->imagValue = c.im;
  }
  return r;
}

Expr *Checker::foldInt(Expr *e) {
  if (!e->type.isScalar())
    return e;
  ScalarKind k = e->type.scalar();
  auto closedInt = [](Expr *x) {
    return isa<hir::ConstExpr>(x) && x->type.isScalar() &&
           (isInteger(x->type.scalar()) || x->type.isScalar(ScalarKind::Bool));
  };
  bool fold = false;
  if (auto *b = dyn_cast<hir::BinaryExpr>(e))
    fold = closedInt(b->lhs) && closedInt(b->rhs) && !arrc::isOpen(k) &&
           isIntLike(k);
  else if (auto *u = dyn_cast<hir::UnaryExpr>(e))
    fold = closedInt(u->operand);
  else if (auto *c = dyn_cast<hir::ConvertExpr>(e))
    fold = closedInt(c->operand) && !isComplex(k);
  if (!fold)
    return e;
  auto c = evaluate(e);
  return c ? fromConst(*c, e->type, e->loc) : e;
}
