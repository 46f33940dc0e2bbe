//===- SemaSizes.cpp - Values as sizes, size checks -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An int expression becomes a polynomial over immutable variables. What is no
// polynomial, such as `row[i]`, gets a temporary; the same text of immutable
// parts gets the same temporary, so that `row[i+1] - row[i]` is one size
// wherever it is written.
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Builders and variables
//===----------------------------------------------------------------------===//

void Checker::emit(hir::Stmt *s) { builder().block->stmts.push_back(s); }

void Checker::countNode(SMRange loc) {
  bool large = program->size() - nodesAtDef >= options.maxNodes;
  if (gaveUp || (!large && program->size() < options.maxNodesInAll))
    return;
  gaveUp = true;
  report(diag::program_too_large, loc, large ? "a declaration" : "the program",
         std::to_string(large ? options.maxNodes : options.maxNodesInAll));
}

Variable *Checker::newVariable(Variable::Kind kind, StringRef name, Type type,
                               SMRange loc) {
  auto *v = program->make<Variable>();
  v->kind = kind;
  v->name = name.str();
  v->type = std::move(type);
  v->loc = loc;
  v->id = infos.size();
  infos.emplace_back();
  infos.back().level = builders.empty() ? 0 : level();
  return v;
}

Expr *Checker::ref(Variable *v, SMRange loc) {
  Type type = v->type;
  if (v->changesSize)
    type = Type::array(type.element(), info(v).dims);
  return make<hir::VarRefExpr>(v, type, loc);
}

Variable *Checker::emitLet(StringRef name, Expr *init, SMRange loc) {
  Variable *v = newVariable(Variable::Kind::Let, name, init->type, loc);
  info(v).init = init;
  info(v).openTemporary = init->type.isOpen();
  if (init->type.isScalar(ScalarKind::I64))
    if (auto s = polynomial(init))
      info(v).value = *s;
  emit(make<hir::LetStmt>(v, init, loc));
  return v;
}

//===----------------------------------------------------------------------===//
// From values to sizes
//===----------------------------------------------------------------------===//

std::optional<Size> Checker::polynomial(Expr *e, const SizeFacts &facts) {
  std::optional<Size> p = ringPolynomial(e, facts);
  if (!p)
    return std::nullopt;
  return facts.exact(*p);
}

std::optional<Size> Checker::ringPolynomial(Expr *e, const SizeFacts &facts) {
  if (!e->type.isScalar())
    return std::nullopt;
  ScalarKind k = e->type.scalar();
  if (auto *c = dyn_cast<hir::ConstExpr>(e)) {
    if ((isInteger(k) || k == ScalarKind::OpenInt) && !c->isLargeUnsigned)
      return Size(c->intValue);
    return std::nullopt;
  }
  if (auto *c = dyn_cast<hir::ConvertExpr>(e))
    if (k == ScalarKind::I64)
      if (auto s = ringPolynomial(c->operand, facts))
        if (s->isConstant())
          return s;
  if (k != ScalarKind::I64 && k != ScalarKind::OpenInt)
    return std::nullopt;
  if (auto *r = dyn_cast<hir::VarRefExpr>(e)) {
    if (r->var->kind == Variable::Kind::Var)
      return std::nullopt;
    if (info(r->var).value)
      return info(r->var).value;
    return Size(r->var);
  }
  if (auto *s = dyn_cast<hir::SizeExpr>(e))
    return s->size;
  if (auto *u = dyn_cast<hir::UnaryExpr>(e)) {
    if (u->op != hir::UnaryOp::Neg)
      return std::nullopt;
    auto s = ringPolynomial(u->operand, facts);
    if (!s)
      return std::nullopt;
    return -*s;
  }
  if (auto *b = dyn_cast<hir::BinaryExpr>(e)) {
    switch (b->op) {
    case hir::BinaryOp::Add:
    case hir::BinaryOp::Sub:
    case hir::BinaryOp::Mul:
    case hir::BinaryOp::FloorDiv:
    case hir::BinaryOp::Mod:
    case hir::BinaryOp::Pow:
      break;
    default:
      return std::nullopt;
    }
    auto x = ringPolynomial(b->lhs, facts), y = ringPolynomial(b->rhs, facts);
    if (!x || !y)
      return std::nullopt;
    // Floors are of integers: of what the dividend is once it has wrapped.
    auto floor = [&]() -> std::optional<Size> {
      if (!y->isConstant() || *y->constant() <= 0 || !x->hasShortFloor())
        return std::nullopt;
      Size q = facts.exact(*x).floorDiv(*y->constant());
      if (q.hasLostDigits() || !facts.floorsFit(q))
        return std::nullopt;
      return q;
    };
    switch (b->op) {
    case hir::BinaryOp::Add:
      return *x + *y;
    case hir::BinaryOp::Sub:
      return *x - *y;
    case hir::BinaryOp::Mul:
      if (!x->hasShortProduct(*y))
        return std::nullopt;
      return *x * *y;
    case hir::BinaryOp::FloorDiv:
      return floor();
    case hir::BinaryOp::Mod:
      if (auto q = floor())
        return facts.exact(*x) - *q * *y;
      return std::nullopt;
    default: {
      if (!y->isConstant())
        return std::nullopt;
      int64_t n = *y->constant();
      if (n < 0 || n > (x->isConstant() ? 63 : 4))
        return std::nullopt;
      Size p(1);
      for (int64_t i = 0; i < n; ++i) {
        if (!p.hasShortProduct(*x))
          return std::nullopt;
        p = p * *x;
      }
      return p;
    }
    }
  }
  return std::nullopt;
}

bool Checker::closeInt(Expr *&e) {
  if (!e->type.isScalar(ScalarKind::OpenInt))
    return true;
  unsigned before = diags.errorCount();
  e = close(e, ScalarKind::I64);
  return diags.errorCount() == before;
}

Size Checker::toSize(Expr *e) {
  if (e->type.isError())
    return Size(unknown);
  if (auto s = polynomial(e))
    return *s;
  if (!closeInt(e))
    return Size(unknown);
  if (auto c = evaluate(e))
    return Size(c->i);
  // Sums and products of what is no polynomial are taken apart all the same.
  if (auto *b = dyn_cast<hir::BinaryExpr>(e);
      b && e->type.isScalar(ScalarKind::I64)) {
    switch (b->op) {
    case hir::BinaryOp::Add:
      return facts().exact(toSize(b->lhs) + toSize(b->rhs));
    case hir::BinaryOp::Sub:
      return facts().exact(toSize(b->lhs) - toSize(b->rhs));
    case hir::BinaryOp::Mul: {
      Size x = toSize(b->lhs), y = toSize(b->rhs);
      if (x.hasShortProduct(y))
        return facts().exact(x * y);
      break;
    }
    case hir::BinaryOp::FloorDiv:
      if (auto c = constantInt(b->rhs); c && *c > 0)
        if (Size x = toSize(b->lhs); x.hasShortFloor())
          if (Size q = x.floorDiv(*c); facts().floorsFit(q))
            return q;
      break;
    default:
      break;
    }
  }
  Expr *i = e;
  if (!e->type.isScalar(ScalarKind::I64))
    i = convertScalar(e, ScalarKind::I64, e->loc);
  std::string text = sourceText(e->loc);
  return Size(temporary(i, text.size() <= 40 ? text : ""));
}

std::optional<int64_t> Checker::constantInt(Expr *e) {
  if (!e->type.isScalar())
    return std::nullopt;
  ScalarKind k = e->type.scalar();
  if (!isInteger(k) && k != ScalarKind::OpenInt)
    return std::nullopt;
  if (auto s = polynomial(e))
    return facts().normalize(*s).constant();
  auto c = evaluate(e);
  if (!c)
    return std::nullopt;
  // From 2^63 on it is no int.
  auto *literal = dyn_cast<hir::ConstExpr>(e);
  if ((literal && literal->isLargeUnsigned) ||
      (c->kind == ScalarKind::U64 && c->i < 0))
    return std::nullopt;
  return c->i;
}

Expr *Checker::sizeExpr(const Size &s, SMRange loc) {
  if (auto c = s.constant())
    return constInt(*c, loc);
  if (Variable *v = s.asVariable())
    return ref(v, loc);
  return make<hir::SizeExpr>(s, loc);
}

unsigned Checker::levelOf(const Size &s) {
  unsigned l = 0;
  s.forEachVariable([&](Variable *v) { l = std::max(l, info(v).level); });
  return l;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void Checker::emitCheck(hir::CheckKind kind, Expr *condition,
                        std::string message, std::vector<Expr *> values,
                        SMRange loc) {
  emit(make<hir::CheckStmt>(kind, condition, std::move(message),
                            std::move(values), loc));
}

/// Finds the outermost block in which a check of this level may stand: bodies
/// of `for` can be left, branches and loops cannot.
Builder &Checker::earliestBuilder(unsigned wanted) {
  unsigned l = level();
  while (l > wanted && !builders[l]->conditional)
    --l;
  return *builders[l];
}

/// Tells once a function that sizes are compared when it runs.
void Checker::noteUndecided(const Size &a, const Size &b, SMRange loc) {
  if (notedSizes || site || !options.notes)
    return;
  notedSizes = true;
  Warning w{diag::sizes_undecided, loc, a.str(), b.str(), sizePlaces, ""};
  if (w.places.empty())
    for (const Size *s : {&a, &b})
      if (Variable *v = s->asVariable(); v && v->loc.isValid())
        w.places.push_back({v->loc, s->str()});
  // Names of the head can be compared there.
  bool inHead = levelOf(a) == 0 && levelOf(b) == 0;
  if (inHead)
    w.help = "if they are always equal, say 'where " + a.str() +
             " == " + b.str() + "'";
  pendingWarnings.push_back(w);
}

bool Checker::requireEqual(const Size &a, const Size &b, SMRange loc,
                           const std::string &what) {
  if (a.mentions(unknown) || b.mentions(unknown))
    return true;
  std::optional<bool> known = facts().equal(a, b);
  if (known)
    return *known;
  noteUndecided(a, b, loc);
  Builder &at = earliestBuilder(std::max(levelOf(a), levelOf(b)));
  requireFits(at, a, loc);
  requireFits(at, b, loc);
  Expr *x = sizeExpr(a, loc), *y = sizeExpr(b, loc);
  Expr *equal =
      make<hir::BinaryExpr>(hir::BinaryOp::Eq, x, y, Type::boolean(), loc);
  auto *check = make<hir::CheckStmt>(
      hir::CheckKind::Size, equal,
      what + ": " + a.str() + " is {0} and " + b.str() + " is {1}",
      std::vector<Expr *>{sizeExpr(a, loc), sizeExpr(b, loc)}, loc);
  at.block->stmts.push_back(check);
  at.facts.addZero(a - b);
  return true;
}

bool Checker::requireNonNegative(const Size &s, SMRange loc,
                                 const std::string &what) {
  if (s.mentions(unknown) || facts().isNonNegative(s))
    return true;
  if (facts().isNonNegative(-s - 1))
    return false;
  Builder &at = earliestBuilder(levelOf(s));
  requireFits(at, s, loc);
  Expr *ok = make<hir::BinaryExpr>(hir::BinaryOp::Ge, sizeExpr(s, loc),
                                   constInt(0, loc), Type::boolean(), loc);
  at.block->stmts.push_back(make<hir::CheckStmt>(
      hir::CheckKind::Size, ok, what + ": " + s.str() + " is {0}",
      std::vector<Expr *>{sizeExpr(s, loc)}, loc));
  at.facts.addNonNegative(s);
  return true;
}

bool Checker::equalShapes(const Type &a, const Type &b, SMRange loc,
                          const std::string &what) {
  if (a.rank() != b.rank())
    return false;
  for (auto [x, y] : llvm::zip(a.dims(), b.dims())) {
    if (x.ragged || y.ragged) {
      if (x.ragged != y.ragged)
        return false;
      continue;
    }
    if (!requireEqual(x.size, y.size, loc, what))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Unknown sizes
//===----------------------------------------------------------------------===//

bool Checker::isUnknown(const Size &s) const {
  return s.asVariable() == unknown;
}

bool Checker::hasUnknown(const Type &t) const {
  bool found = false;
  (void)t.mapSizes([&](const Size &s) {
    found |= isUnknown(s);
    return s;
  });
  return found;
}

/// The type with each unknown size bound from `access`, which has that type.
Type Checker::nameUnknowns(const Type &t, Expr *access, SMRange loc) {
  if (t.isTuple()) {
    std::vector<Type> all;
    for (unsigned k = 0; k < t.numComponents(); ++k)
      all.push_back(nameUnknowns(t.component(k), field(access, k, loc), loc));
    return Type::tuple(std::move(all));
  }
  if (!t.isArray())
    return t;
  std::vector<Dim> dims;
  for (auto [d, dim] : llvm::enumerate(t.dims())) {
    if (dim.ragged || !isUnknown(dim.size)) {
      dims.push_back(dim);
      continue;
    }
    Expr *size = make<hir::DimOfExpr>(access, unsigned(d), loc);
    Variable *v = emitLet("?", size, loc);
    v->name = "?" + std::to_string(nextTemporary++);
    info(v).value = std::nullopt;
    builder().facts.addSize(v);
    dims.push_back(Size(v));
  }
  return Type::array(t.element(), std::move(dims));
}

Expr *Checker::bindUnknowns(Expr *e) {
  if (e->type.isError() || !hasUnknown(e->type))
    return e;
  Variable *v = emitLet("%" + std::to_string(nextTemporary++), e, e->loc);
  Type named = nameUnknowns(e->type, ref(v, e->loc), e->loc);
  e->type = named;
  v->type = named;
  return ref(v, e->loc);
}
