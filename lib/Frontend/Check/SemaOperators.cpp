//===- SemaOperators.cpp - Operators and elementwise operations -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// HIR has scalar operations only. An operator on arrays is a comprehension
// whose body is the scalar operation; an operand that is such a comprehension
// itself is merged into it, so `p - (p - q) / tau` is one comprehension with
// one scalar expression.
//
//===----------------------------------------------------------------------===//

#include "HIRWalk.h"
#include "SemaImpl.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Scalar operators
//===----------------------------------------------------------------------===//

static hir::BinaryOp toHir(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Add:
    return hir::BinaryOp::Add;
  case ast::BinaryOp::Sub:
    return hir::BinaryOp::Sub;
  case ast::BinaryOp::Mul:
    return hir::BinaryOp::Mul;
  case ast::BinaryOp::Div:
    return hir::BinaryOp::Div;
  case ast::BinaryOp::FloorDiv:
    return hir::BinaryOp::FloorDiv;
  case ast::BinaryOp::Mod:
    return hir::BinaryOp::Mod;
  case ast::BinaryOp::Pow:
    return hir::BinaryOp::Pow;
  case ast::BinaryOp::Eq:
    return hir::BinaryOp::Eq;
  case ast::BinaryOp::Ne:
    return hir::BinaryOp::Ne;
  case ast::BinaryOp::Lt:
    return hir::BinaryOp::Lt;
  case ast::BinaryOp::Le:
    return hir::BinaryOp::Le;
  case ast::BinaryOp::Gt:
    return hir::BinaryOp::Gt;
  case ast::BinaryOp::Ge:
    return hir::BinaryOp::Ge;
  case ast::BinaryOp::And:
    return hir::BinaryOp::And;
  case ast::BinaryOp::Or:
    return hir::BinaryOp::Or;
  case ast::BinaryOp::MatMul:
    break;
  }
  llvm_unreachable("not a scalar operator");
}

static bool isComparison(ast::BinaryOp op) {
  return op >= ast::BinaryOp::Eq && op <= ast::BinaryOp::Ge;
}

/// How to divide two integers: as floats first, since that is what '/' means.
std::string Checker::divisionHelp(Expr *a, Expr *b) {
  auto text = [&](Expr *e) {
    std::string text = sourceText(e->loc);
    bool isShort = !text.empty() && text.size() <= 12 &&
                   text.find_first_of(" \n") == std::string::npos;
    return isShort ? text : std::string("..");
  };
  std::string x = text(a), y = text(b);
  std::string asFloat = isa<hir::ConstExpr>(a) && x != ".." ? x + ".0 / " + y
                        : isa<hir::ConstExpr>(b) && y != ".."
                            ? x + " / " + y + ".0"
                            : "f32(" + x + ") / " + y;
  return "write '" + asFloat + "' for a float, '" + x + " // " + y +
         "' for an integer, rounded down";
}

Expr *Checker::scalarBinary(ast::BinaryOp op, Expr *a, Expr *b, SMRange loc) {
  std::string sign = "'" + spelling(op).str() + "'";
  if (a->type.isError() || b->type.isError())
    return error(loc);
  for (Expr *e : {a, b})
    if (!e->type.isScalar()) {
      report(diag::operator_on_aggregate, loc, sign, e->type.str());
      return error(loc);
    }
  ScalarKind x = a->type.scalar(), y = b->type.scalar();
  auto make2 = [&](Expr *l, Expr *r, Type t) {
    return foldInt(make<hir::BinaryExpr>(toHir(op), l, r, t, loc));
  };
  if (op == ast::BinaryOp::And || op == ast::BinaryOp::Or) {
    if (x != ScalarKind::Bool || y != ScalarKind::Bool) {
      report(diag::needs_bool, loc, sign,
             (x != ScalarKind::Bool ? a : b)->type.str());
      return error(loc);
    }
    return make2(a, b, Type::boolean());
  }
  bool equality = op == ast::BinaryOp::Eq || op == ast::BinaryOp::Ne;
  if (x == ScalarKind::Bool && y == ScalarKind::Bool) {
    if (equality)
      return make2(a, b, Type::boolean());
    report(diag::operator_on_bool, loc, sign)
        .help("convert it, as in 'int(b)', or use 'and', 'or', 'not'");
    return error(loc);
  }
  auto isInt = [](ScalarKind k) {
    return isInteger(k) || k == ScalarKind::OpenInt;
  };
  if (op == ast::BinaryOp::Div && isInt(x) && isInt(y)) {
    report(diag::integer_division, loc).help(divisionHelp(a, b));
    return error(loc);
  }
  // A float to the power of an integer keeps the exponent.
  if (op == ast::BinaryOp::Pow && isInt(y) && !isInt(x) &&
      x != ScalarKind::Bool) {
    if (!arrc::isOpen(x))
      b = fix(b);
    return make<hir::BinaryExpr>(hir::BinaryOp::Pow, a, b, Type(x), loc);
  }
  auto met = meet(x, y);
  if (!met) {
    reportNoMeet(a, b, loc, sign);
    return error(loc);
  }
  if (op == ast::BinaryOp::Pow && isInt(x) && isInt(y))
    if (auto c = constantInt(b); c && *c < 0) {
      report(diag::negative_exponent, loc)
          .help("the base is an integer: write it as a float");
      return error(loc);
    }
  if ((op == ast::BinaryOp::FloorDiv || op == ast::BinaryOp::Mod ||
       (isComparison(op) && !equality)) &&
      isComplex(*met)) {
    report(diag::operator_on_complex, loc, sign);
    return error(loc);
  }
  if (op == ast::BinaryOp::FloorDiv || op == ast::BinaryOp::Mod)
    if (auto c = constantInt(b); c && *c == 0 && isInt(x)) {
      report(diag::division_by_zero, loc);
      return error(loc);
    }
  if (arrc::isOpen(*met)) {
    if (!isComparison(op))
      return make2(a, b, Type(*met));
    // A comparison gives them their defaults.
    ScalarKind k = *met == ScalarKind::OpenInt       ? ScalarKind::I64
                   : *met == ScalarKind::OpenComplex ? ScalarKind::C64
                                                     : ScalarKind::F32;
    return make2(close(a, k), close(b, k), Type::boolean());
  }
  auto bring = [&](Expr *e) {
    return e->type.isOpen() ? close(e, *met) : convertScalar(e, *met, e->loc);
  };
  a = bring(a);
  b = bring(b);
  if (a->type.isError() || b->type.isError())
    return error(loc);
  return make2(a, b, isComparison(op) ? Type::boolean() : Type(*met));
}

Expr *Checker::scalarUnary(ast::UnaryOp op, Expr *a, SMRange loc) {
  if (a->type.isError())
    return error(loc);
  if (!a->type.isScalar()) {
    report(diag::operator_on_aggregate, loc, "'" + spelling(op).str() + "'",
           a->type.str());
    return error(loc);
  }
  bool isBool = a->type.isScalar(ScalarKind::Bool);
  if (op == ast::UnaryOp::Not) {
    if (!isBool) {
      report(diag::needs_bool, loc, "'not'", a->type.str());
      return error(loc);
    }
    return make<hir::UnaryExpr>(hir::UnaryOp::Not, a, a->type, loc);
  }
  if (isBool) {
    report(diag::operator_on_bool, loc, "'-'")
        .help("convert it, as in 'int(b)', or use 'not'");
    return error(loc);
  }
  return foldInt(make<hir::UnaryExpr>(hir::UnaryOp::Neg, a, a->type, loc));
}

Value Checker::checkUnary(const ast::UnaryExpr *e, Type expected) {
  Expr *a = checkValue(e->operand, expected);
  return elementwise(
      {a},
      [&](std::vector<Expr *> x) { return scalarUnary(e->op, x[0], e->range); },
      e->range, "'" + spelling(e->op).str() + "'");
}

Expr *Checker::binary(ast::BinaryOp op, Expr *a, Expr *b, SMRange loc) {
  if (op == ast::BinaryOp::MatMul)
    return matmul(a, b, loc, {});
  // An array does not convert, not even to meet another.
  if (a->type.isArray() && b->type.isArray() && !a->type.isOpen() &&
      !b->type.isOpen() && a->type.element().isScalar() &&
      b->type.element().isScalar() &&
      !meet(a->type.element().scalar(), b->type.element().scalar())) {
    reportNoMeet(a, b, loc, "'" + spelling(op).str() + "'");
    return error(loc);
  }
  return elementwise(
      {a, b},
      [&](std::vector<Expr *> x) { return scalarBinary(op, x[0], x[1], loc); },
      loc, "elementwise '" + spelling(op).str() + "'");
}

/// Whether computing the expression without need is harmless and cheap.
bool Checker::isSafeAndShort(Expr *e, unsigned &budget) {
  if (!budget--)
    return false;
  switch (e->kind) {
  case Expr::Kind::Const:
  case Expr::Kind::VarRef:
  case Expr::Kind::SizeValue:
    return true;
  case Expr::Kind::Binary: {
    auto *b = cast<hir::BinaryExpr>(e);
    if (b->op == hir::BinaryOp::FloorDiv || b->op == hir::BinaryOp::Mod) {
      auto c = constantInt(b->rhs);
      if (!c || *c == 0)
        return false;
    }
    if (b->op == hir::BinaryOp::Pow && !isa<hir::ConstExpr>(b->rhs))
      return false;
    return isSafeAndShort(b->lhs, budget) && isSafeAndShort(b->rhs, budget);
  }
  case Expr::Kind::Call: {
    auto f = cast<hir::CallExpr>(e)->function;
    bool cheap = (f >= hir::Function::Floor && f < hir::Function::Philox) ||
                 f == hir::Function::Sqrt;
    if (!cheap)
      return false;
    break;
  }
  case Expr::Kind::Unary:
  case Expr::Kind::Convert:
  case Expr::Kind::Field:
    break;
  default:
    return false;
  }
  bool ok = true;
  hir::forEachOperand(e,
                      [&](Expr *&x) { ok = ok && isSafeAndShort(x, budget); });
  return ok;
}

Expr *Checker::checkLogical(const ast::BinaryExpr *e) {
  Expr *a = checkValue(e->lhs);
  hir::Block *right = newBlock();
  Expr *b;
  {
    BuilderScope body(*this, right, true);
    b = checkValue(e->rhs);
    right->value = b;
  }
  if (a->type.isError() || b->type.isError())
    return error(e->range);
  if (a->type.isArray() || b->type.isArray()) {
    for (hir::Stmt *s : right->stmts) {
      if (auto *l = dyn_cast<hir::LetStmt>(s))
        info(l->var).level = level();
      emit(s);
    }
    return binary(e->op, a, b, e->opRange);
  }
  unsigned budget = 24;
  if (right->stmts.empty() && isSafeAndShort(b, budget))
    return scalarBinary(e->op, a, b, e->opRange);
  for (Expr *x : {a, b})
    if (!x->type.isScalar(ScalarKind::Bool)) {
      report(diag::needs_bool, e->opRange, "'" + spelling(e->op).str() + "'",
             x->type.str());
      return error(e->range);
    }
  hir::Block *left = newBlock();
  bool isAnd = e->op == ast::BinaryOp::And;
  left->value = constBool(!isAnd, e->range);
  return make<hir::IfExpr>(a, isAnd ? right : left, isAnd ? left : right,
                           Type::boolean(), e->range);
}

/// `[x] * n` is n times `x` elsewhere.
void Checker::warnOfRepetition(const ast::BinaryExpr *e, Expr *lhs, Expr *rhs) {
  if (e->op != ast::BinaryOp::Mul)
    return;
  auto isList = [](const ast::Expr *side) {
    auto *list = dyn_cast<ast::ArrayExpr>(side);
    return list && list->elements.size() == 1;
  };
  bool first = isList(e->lhs);
  const ast::Expr *list = first ? e->lhs : e->rhs,
                  *count = first ? e->rhs : e->lhs;
  Type type = (first ? rhs : lhs)->type;
  if (!isList(list) || !type.isScalar() ||
      (!isInteger(type.scalar()) && type.scalar() != ScalarKind::OpenInt))
    return;
  warn(diag::list_repeated, e->range, sourceText(e->range));
  pendingWarnings.back().help =
      "equal elements are 'full(" +
      sourceText(cast<ast::ArrayExpr>(list)->elements.front()->range) + ", " +
      sourceText(count->range) + ")'";
}

Expr *Checker::checkBinary(const ast::BinaryExpr *e, Type expected) {
  if (e->op == ast::BinaryOp::And || e->op == ast::BinaryOp::Or)
    return checkLogical(e);
  Type hint = isComparison(e->op) ? Type() : expected;
  Expr *a = checkValue(e->lhs, hint);
  Expr *b = checkValue(e->rhs, hint);
  if (a->type.isError() || b->type.isError())
    return error(e->range);
  warnOfRepetition(e, a, b);
  Expr *r = e->op == ast::BinaryOp::MatMul ? matmul(a, b, e->opRange, expected)
                                           : binary(e->op, a, b, e->opRange);
  // Messages about the whole point to the operator, later ones to all of it.
  r->loc = e->range;
  return r;
}

//===----------------------------------------------------------------------===//
// The matrix product
//===----------------------------------------------------------------------===//

/// Leading dimensions are those before a matrix or vector. Two operands have
/// the same, or one has none; that one is used for all of the other. Its sums
/// are declared to be what it is, as those that are written out. Products of
/// f16 and bf16 are those of f32, which has all of their digits: what is
/// rounded is the sum.
Expr *Checker::matmul(Expr *a, Expr *b, SMRange loc, const Type &expected) {
  if (a->type.isError() || b->type.isError())
    return error(loc);
  unsigned p = a->type.rank(), q = b->type.rank();
  if (p < 1 || q < 1 || !a->type.element().isScalar() ||
      !b->type.element().isScalar()) {
    report(diag::matmul_operands, loc, a->type.str(), b->type.str());
    return error(loc);
  }
  ArrayRef<Dim> left = a->type.dims(), right = b->type.dims();
  unsigned leadA = p > 2 ? p - 2 : 0, leadB = q > 2 ? q - 2 : 0;
  const Dim inner = left.back(), other = q == 1 ? right[0] : right[q - 2];
  auto isRagged = [](const Dim &d) { return d.ragged; };
  bool ragged = llvm::any_of(left, isRagged) || llvm::any_of(right, isRagged);
  if (ragged || !requireEqual(inner.size, other.size, loc,
                              "the inner sizes of '@' differ")) {
    report(diag::matmul_sizes, loc, shapeText(a->type), shapeText(b->type))
        .label(q > 2 ? "the last size of the left side meets the last but one "
                       "of the right"
                     : "the last size of the left side meets the first of the "
                       "right");
    return error(loc);
  }
  bool fit = !leadA || !leadB || leadA == leadB;
  for (unsigned d = 0; fit && leadB && d < leadA; ++d)
    fit = requireEqual(left[d].size, right[d].size, loc,
                       "the leading sizes of '@' differ");
  if (!fit) {
    report(diag::matmul_leading, loc, shapeText(a->type), shapeText(b->type))
        .label("the sizes before the matrices are equal, or only one side has "
               "them")
        .help("write the 'for' over them, with '@' of the matrices inside");
    return error(loc);
  }
  a = reference(a);
  b = reference(b);
  // Leading dimensions, the rows of the left side, the columns of the right.
  ArrayRef<Dim> leading =
      leadA ? left.take_front(leadA) : right.take_front(leadB);
  std::vector<Dim> dims = leading.vec();
  unsigned row = dims.size();
  if (p > 1)
    dims.push_back(left[p - 2]);
  if (q > 1)
    dims.push_back(right.back());
  std::optional<ScalarKind> kind =
      meet(a->type.element().scalar(), b->type.element().scalar());
  bool isNarrow = kind == ScalarKind::F16 || kind == ScalarKind::BF16;
  auto widen = [&](Expr *factor) {
    return isNarrow ? convertScalar(factor, ScalarKind::F32, loc) : factor;
  };
  auto dot = [&](ArrayRef<Expr *> at) -> Expr * {
    Type wanted = expected ? expected.element() : Type();
    Type type = isNarrow && wanted && wanted.isScalar(*kind) ? Type() : wanted;
    Expr *sum = foldOver("sum", {inner}, loc, type, [&](ArrayRef<Expr *> l) {
      std::vector<Expr *> x, y;
      for (unsigned d = 0; d < row; ++d) {
        if (leadA)
          x.push_back(clone(at[d]));
        if (leadB)
          y.push_back(clone(at[d]));
      }
      if (p > 1)
        x.push_back(clone(at[row]));
      x.push_back(clone(l[0]));
      y.push_back(clone(l[0]));
      if (q > 1)
        y.push_back(clone(at.back()));
      return scalarBinary(ast::BinaryOp::Mul,
                          widen(indexPoints(clone(a), x, loc)),
                          widen(indexPoints(clone(b), y, loc)), loc);
    });
    bool isRounded = isNarrow && (!wanted || wanted.isScalar(*kind));
    return isRounded ? convertScalar(sum, *kind, loc) : sum;
  };
  if (dims.empty())
    return dot({});
  Expr *r = generate(dims, dot, loc);
  if (auto *c = dyn_cast<hir::CompExpr>(r))
    c->written = true; // not to be computed again where it is read
  return r;
}
