//===- SemaOverflow.cpp - Conditions over the integers --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What a `where`, an `assert` or the check of a size says is meant over the
// integers, and the prover uses it so. Where the arithmetic of a condition is
// not proved to fit 64 bits, a check that it does stands in front.
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;

static constexpr int64_t least = std::numeric_limits<int64_t>::min();
static constexpr int64_t greatest = std::numeric_limits<int64_t>::max();

namespace arrc::sema {

/// Writes the conditions under which arithmetic fits 64 bits.
class OverflowConditions {
public:
  OverflowConditions(Checker &c, const SizeFacts &facts,
                     std::vector<Size> &fits)
      : c(c), facts(facts), fits(fits) {}

  /// Null if nothing is to be asked.
  Expr *all(Expr *e) {
    if (!e->type.isScalar(ScalarKind::I64))
      return nullptr;
    if (auto *s = dyn_cast<hir::SizeExpr>(e))
      return facts.fits(s->size) ? nullptr : all(treeOf(s->size, e->loc));
    auto *u = dyn_cast<hir::UnaryExpr>(e);
    auto *b = dyn_cast<hir::BinaryExpr>(e);
    if (!b && !(u && u->op == hir::UnaryOp::Neg))
      return nullptr;
    auto p = c.ringPolynomial(e, facts);
    bool isProved = p && facts.fits(*p);
    if (isProved && !p->mentionsWrapped())
      return nullptr;
    if (b && b->op == hir::BinaryOp::Pow)
      return power(b);
    loc = e->loc;
    Expr *parts = u ? all(u->operand) : both(all(b->lhs), all(b->rhs));
    if (isProved)
      return parts;
    if (p)
      fits.push_back(*p);
    loc = e->loc;
    if (u)
      return both(parts,
                  compare(hir::BinaryOp::Ne, u->operand, constant(least)));
    if (b->op == hir::BinaryOp::Add || b->op == hir::BinaryOp::Sub)
      return both(parts, sumFits(b));
    if (b->op == hir::BinaryOp::Mul)
      return both(parts, productFits(b));
    return parts;
  }

  Expr *both(Expr *x, Expr *y) {
    if (!x || !y)
      return x ? x : y;
    return c.make<hir::BinaryExpr>(hir::BinaryOp::And, x, y, Type::boolean(),
                                   x->loc);
  }

  /// The arithmetic that a size stands for.
  Expr *treeOf(const Size &size, SMRange at) {
    loc = at;
    Expr *sum = nullptr;
    // What is added before what is taken away.
    for (bool negative : {false, true})
      for (const Size::Term &t : size.terms()) {
        if ((t.second < 0) != negative)
          continue;
        Expr *product = nullptr;
        bool isNegated = negative && t.second != least && sum;
        int64_t factor = isNegated ? -t.second : t.second;
        if (factor != 1 || t.first.empty())
          product = constant(factor);
        for (const SizeAtom &a : t.first) {
          Expr *atom = atomOf(a);
          product = product ? binary(hir::BinaryOp::Mul, product, atom) : atom;
        }
        sum = !sum ? product
                   : binary(isNegated ? hir::BinaryOp::Sub : hir::BinaryOp::Add,
                            sum, product);
      }
    return sum ? sum : constant(0);
  }

private:
  Expr *constant(int64_t n) { return c.constInt(n, loc); }

  hir::BinaryExpr *binary(hir::BinaryOp op, Expr *x, Expr *y) {
    return c.make<hir::BinaryExpr>(op, x, y, Type::integer(), loc);
  }

  Expr *compare(hir::BinaryOp op, Expr *x, Expr *y) {
    return c.make<hir::BinaryExpr>(op, c.clone(x), c.clone(y), Type::boolean(),
                                   loc);
  }

  Expr *choose(Expr *condition, Expr *yes, Expr *no) {
    hir::Block *blocks[] = {c.newBlock(), c.newBlock()};
    blocks[0]->value = yes;
    blocks[1]->value = no;
    return c.make<hir::IfExpr>(condition, blocks[0], blocks[1], Type::boolean(),
                               loc);
  }

  Expr *atomOf(const SizeAtom &a) {
    if (a.isVariable())
      return c.ref(a.variable(), loc);
    Size size;
    size.add({a}, 1);
    if (a.isWrapped())
      return c.make<hir::SizeExpr>(size, loc);
    auto *q = binary(hir::BinaryOp::FloorDiv, treeOf(a.dividend(), loc),
                     constant(a.divisor()));
    q->nonZero = true;
    return q;
  }

  /// x op y for + and -: y >= 0 if and only if the result is not before x.
  Expr *sumFits(hir::BinaryExpr *b) {
    loc = b->loc;
    bool isSum = b->op == hir::BinaryOp::Add;
    Expr *x = b->lhs, *y = b->rhs;
    auto k = c.constantInt(y);
    if (!k && isSum) {
      std::swap(x, y);
      k = c.constantInt(y);
    }
    if (k && (isSum || *k != least)) {
      int64_t n = isSum ? *k : -*k;
      return n >= 0 ? compare(hir::BinaryOp::Le, x, constant(greatest - n))
                    : compare(hir::BinaryOp::Ge, x, constant(least - n));
    }
    x = b->lhs, y = b->rhs;
    auto to = isSum ? std::pair(hir::BinaryOp::Ge, hir::BinaryOp::Lt)
                    : std::pair(hir::BinaryOp::Le, hir::BinaryOp::Gt);
    return choose(compare(hir::BinaryOp::Ge, y, constant(0)),
                  compare(to.first, b, x), compare(to.second, b, x));
  }

  Expr *productFits(hir::BinaryExpr *b) {
    loc = b->loc;
    Expr *x = b->lhs, *y = b->rhs;
    if (c.constantInt(x))
      std::swap(x, y);
    if (auto k = c.constantInt(y)) {
      if (*k == 0 || *k == 1)
        return nullptr;
      if (*k == -1)
        return compare(hir::BinaryOp::Ne, x, constant(least));
      // Division towards 0 stays inside.
      int64_t ends[] = {least / *k, greatest / *k};
      return both(
          compare(hir::BinaryOp::Ge, x, constant(std::min(ends[0], ends[1]))),
          compare(hir::BinaryOp::Le, x, constant(std::max(ends[0], ends[1]))));
    }
    // Divided again the product gives y; -1 is apart, as -1 * least wraps to
    // what divides to least.
    hir::BinaryExpr *again =
        binary(hir::BinaryOp::FloorDiv, c.clone(b), c.clone(x));
    again->nonZero = true;
    Expr *divides = c.make<hir::BinaryExpr>(hir::BinaryOp::Eq, again,
                                            c.clone(y), Type::boolean(), loc);
    Expr *nonZero =
        choose(compare(hir::BinaryOp::Eq, x, constant(-1)),
               compare(hir::BinaryOp::Ne, y, constant(least)), divides);
    return choose(compare(hir::BinaryOp::Eq, x, constant(0)),
                  c.constBool(true, loc), nonZero);
  }

  /// x**k as the product that it is.
  Expr *power(hir::BinaryExpr *b) {
    loc = b->loc;
    auto k = c.constantInt(b->rhs);
    if (!k || *k < 2 || *k > 4)
      return both(all(b->lhs), all(b->rhs));
    Expr *product = b->lhs;
    for (int64_t i = 1; i < *k; ++i)
      product = binary(hir::BinaryOp::Mul, product, b->lhs);
    return all(product);
  }

  Checker &c;
  const SizeFacts &facts;
  std::vector<Size> &fits;
  SMRange loc;
};

} // namespace arrc::sema

Expr *Checker::fitsCondition(Expr *e, const SizeFacts &facts,
                             std::vector<Size> &fits) {
  return OverflowConditions(*this, facts, fits).all(e);
}

Expr *Checker::comparisonsFit(Expr *e, const SizeFacts &facts,
                              std::vector<Size> &fits) {
  OverflowConditions conditions(*this, facts, fits);
  if (auto *u = dyn_cast<hir::UnaryExpr>(e);
      u && u->operand->type.isScalar(ScalarKind::Bool))
    return comparisonsFit(u->operand, facts, fits);
  if (auto *b = dyn_cast<hir::BinaryExpr>(e)) {
    if (b->lhs->type.isScalar(ScalarKind::Bool)) {
      Expr *left = comparisonsFit(b->lhs, facts, fits);
      return conditions.both(left, comparisonsFit(b->rhs, facts, fits));
    }
    Expr *left = conditions.all(b->lhs);
    return conditions.both(left, conditions.all(b->rhs));
  }
  auto *i = dyn_cast<hir::IfExpr>(e);
  if (!i || !i->thenBlock->stmts.empty() || !i->elseBlock->stmts.empty())
    return nullptr;
  Expr *first = comparisonsFit(i->condition, facts, fits);
  // One side is evaluated; `a and b` that holds has evaluated b.
  auto *never = dyn_cast<hir::ConstExpr>(i->elseBlock->value);
  std::vector<Size> perhaps;
  Expr *yes = comparisonsFit(i->thenBlock->value, facts,
                             never && !never->intValue ? fits : perhaps);
  Expr *no = comparisonsFit(i->elseBlock->value, facts, perhaps);
  if (!yes && !no)
    return first;
  hir::Block *blocks[] = {newBlock(), newBlock()};
  blocks[0]->value = yes ? yes : constBool(true, e->loc);
  blocks[1]->value = no ? no : constBool(true, e->loc);
  return conditions.both(first,
                         make<hir::IfExpr>(clone(i->condition), blocks[0],
                                           blocks[1], Type::boolean(), e->loc));
}

void Checker::requireFits(Builder &at, const Size &size, SMRange loc,
                          hir::CheckKind kind) {
  if (size.hasLostDigits() || size.mentions(unknown) || at.facts.fits(size))
    return;
  std::vector<Size> fits;
  OverflowConditions conditions(*this, at.facts, fits);
  Expr *ok = conditions.all(conditions.treeOf(size, loc));
  if (!ok)
    return;
  auto *check = make<hir::CheckStmt>(
      kind, ok, "the size " + size.str() + " does not fit 64 bits",
      std::vector<Expr *>(), loc);
  check->fits = {size};
  at.block->stmts.push_back(check);
  at.facts.addFits(size);
}

Size Checker::integerSize(const Size &size, SMRange loc) {
  Size s = size.unwrapped();
  if (s.hasLostDigits())
    return size.wrapped();
  requireFits(builder(), s, loc);
  return s;
}

Size Checker::floorOf(const Size &size, int64_t divisor, SMRange loc) {
  Size dividend = facts().exact(size), q = dividend.floorDiv(divisor);
  if (!q.hasLostDigits() && facts().floorsFit(q))
    return q;
  auto *e =
      make<hir::BinaryExpr>(hir::BinaryOp::FloorDiv, sizeExpr(dividend, loc),
                            constInt(divisor, loc), Type::integer(), loc);
  e->nonZero = true;
  return Size(temporary(e));
}

void Checker::emitIntegerCheck(hir::CheckKind kind, Expr *condition,
                               const std::string &text, const std::string &rest,
                               std::vector<Expr *> values, SMRange loc) {
  std::vector<Size> fits;
  if (Expr *ok = comparisonsFit(condition, facts(), fits))
    emitCheck(kind, ok, text + ": its arithmetic overflows 64 bits", {}, loc);
  emitCheck(kind, condition, text + rest, std::move(values), loc);
  auto *check = cast<hir::CheckStmt>(builder().block->stmts.back());
  check->fits = fits;
  for (const Size &s : fits)
    builder().facts.addFits(s);
  addFacts(condition, builder().facts);
}
