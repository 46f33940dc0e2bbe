//===- SemaBounds.cpp - Which subscripts are proved to be inside ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A walk over the finished tree with what is known at each place: ranges of
// indices, checks that have passed, conditions of branches.
//
//===----------------------------------------------------------------------===//

#include "HIRWalk.h"

#include "SemaImpl.h"
#include "arrc/Support/IndexLimits.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

namespace arrc::sema {

class BoundsMarker {
public:
  explicit BoundsMarker(Checker &c) : c(c) {}

  /// What is known of the arrays that an entry is given: they lie in memory.
  void parameters(const hir::Def &def, SizeFacts &facts) {
    for (const hir::Param &p : def.params) {
      if (!p.var->type.isArray())
        continue;
      Size count(1);
      for (const Dim &d : p.var->type.dims())
        if (!d.ragged && !d.size.mentions(c.unknown))
          count = count * d.size;
      facts.addFits(count);
    }
  }

  void block(hir::Block *b, SizeFacts &facts) {
    for (hir::Stmt *s : b->stmts)
      stmt(s, facts);
    if (b->value)
      expr(b->value, facts);
  }

private:
  void stmt(hir::Stmt *s, SizeFacts &facts) {
    switch (s->kind) {
    case hir::Stmt::Kind::Let: {
      auto *l = cast<hir::LetStmt>(s);
      expr(l->init, facts);
      if (auto *dim = dyn_cast<hir::DimOfExpr>(l->init))
        facts.addSize(l->var, isGiven(dim->array)
                                  ? maxGivenSize
                                  : std::numeric_limits<int64_t>::max());
      else if (l->var->kind == Variable::Kind::Let &&
               l->var->type.isScalar(ScalarKind::I64))
        define(l->var, l->init, facts);
      return;
    }
    case hir::Stmt::Kind::Check: {
      auto *k = cast<hir::CheckStmt>(s);
      expr(k->condition, facts);
      for (Expr *v : k->values)
        expr(v, facts);
      // A body goes on where a check of it has failed.
      if (bodies)
        return;
      for (const Size &s : k->fits)
        facts.addFits(s);
      c.addFacts(k->condition, facts);
      return;
    }
    case hir::Stmt::Kind::Assign: {
      auto *a = cast<hir::AssignStmt>(s);
      expr(a->value, facts);
      Type t = a->var->type;
      for (hir::PlaceStep &p : a->path) {
        if (!p.isField())
          subs(p.subs, t, nullptr, a->var->name, facts);
        t = p.type;
      }
      return;
    }
    case hir::Stmt::Kind::If: {
      auto *i = cast<hir::IfStmt>(s);
      expr(i->condition, facts);
      SizeFacts yes(&facts), no(&facts);
      c.addFacts(i->condition, yes);
      ++perhaps;
      block(i->thenBlock, yes);
      if (i->elseBlock)
        block(i->elseBlock, no);
      --perhaps;
      return;
    }
    case hir::Stmt::Kind::While: {
      auto *w = cast<hir::WhileStmt>(s);
      SizeFacts condition(&facts), body(&facts);
      block(w->condition, condition);
      ++perhaps;
      block(w->body, body);
      --perhaps;
      return;
    }
    case hir::Stmt::Kind::Loop: {
      auto *l = cast<hir::LoopStmt>(s);
      SizeFacts body(&facts);
      c.addIndexFacts(l->index, l->range, body);
      indices.push_back({l->index, &l->range});
      block(l->body, body);
      indices.pop_back();
      return;
    }
    case hir::Stmt::Kind::Eval:
      return expr(cast<hir::EvalStmt>(s)->expr, facts);
    }
  }

  static bool isGiven(Expr *e) {
    auto *r = dyn_cast<hir::VarRefExpr>(e);
    return r && r->var->kind == Variable::Kind::Param;
  }

  /// What a `let` of min, max, clamp or % says about its variable.
  void define(Variable *v, Expr *init, SizeFacts &facts) {
    bounds(Size(v), init, facts);
  }

  /// Bounds that the form of an expression gives.
  void bounds(const Size &x, Expr *e, SizeFacts &facts) {
    if (auto *b = dyn_cast<hir::BinaryExpr>(e);
        b && b->op == hir::BinaryOp::Mod) {
      if (auto n = c.polynomial(b->rhs, facts);
          n && facts.isNonNegative(*n - 1)) {
        facts.addNonNegative(x);
        facts.addNonNegative(*n - 1 - x);
      }
      return;
    }
    auto *call = dyn_cast<hir::CallExpr>(e);
    if (!call)
      return;
    auto poly = [&](unsigned k) { return c.polynomial(call->args[k], facts); };
    if (call->function == hir::Function::Clamp) {
      auto lo = poly(1), hi = poly(2);
      // min(max(x, lo), hi) is at most hi, and at least lo if lo <= hi.
      if (hi)
        facts.addNonNegative(*hi - x);
      if (lo && hi && facts.isNonNegative(*hi - *lo))
        facts.addNonNegative(x - *lo);
    } else if (call->function == hir::Function::Min) {
      for (unsigned k : {0u, 1u})
        if (auto s = poly(k))
          facts.addNonNegative(*s - x);
    } else if (call->function == hir::Function::Max) {
      for (unsigned k : {0u, 1u})
        if (auto s = poly(k))
          facts.addNonNegative(x - *s);
    }
  }

  bool inside(Expr *index, const Size &size, const SizeFacts &facts) {
    if (auto p = c.ringPolynomial(index, facts))
      return facts.isIndex(*p, size);
    // Give the index a name and ask again.
    SizeFacts here(&facts);
    Variable *probe = c.unknown;
    bounds(Size(probe), index, here);
    return here.isNonNegative(Size(probe)) &&
           here.isNonNegative(size - 1 - Size(probe));
  }

  /// Whether the ranges around a place have elements where indices are at the
  /// given ends: a range may be empty for a size, not for the end of an index.
  bool isReached(llvm::ArrayRef<std::pair<Variable *, Size>> ends,
                 const SizeFacts &facts) {
    for (auto [var, range] : indices) {
      Size count = range->size;
      bool depends = false;
      // An end mentions the indices further out, which come later.
      for (const auto &[moved, end] : ends) {
        if (!count.mentions(moved))
          continue;
        auto split = count.splitLinear(SizeAtom(moved));
        if (!split)
          return false;
        count = split->first * end + split->second;
        depends = true;
      }
      if (depends ? !facts.isNonNegative(count - 1)
                  : facts.isNonNegative(-count))
        return false;
    }
    return true;
  }

  /// Says of a subscript that it lies outside at one end of the ranges around
  /// it, whatever the sizes are, where nothing but an empty range can keep the
  /// program from reading it.
  void checkEnds(const hir::Sub &sub, unsigned dimension, const Size &size,
                 const std::string &name, const SizeFacts &facts) {
    if (perhaps || name.empty() || indices.empty())
      return;
    std::optional<Size> index = c.polynomial(sub.index, facts);
    if (!index || index->hasLostDigits() || index->mentionsWrapped())
      return;
    for (bool wantsLast : {false, true}) {
      Size extreme = *index;
      const Variable *moved = nullptr;
      bool atLast = wantsLast, known = true;
      // The indices that were put at an end, from the innermost.
      llvm::SmallVector<std::pair<Variable *, Size>> ends;
      for (auto [var, range] : llvm::reverse(indices)) {
        if (!extreme.mentions(var))
          continue;
        auto split = extreme.splitLinear(SizeAtom(var));
        std::optional<int64_t> factor, step = range->step.constant();
        if (split)
          factor = split->first.constant();
        known &= factor && step && !range->size.mentions(c.unknown);
        if (!known)
          break;
        atLast = wantsLast == (*factor * *step > 0);
        Size end = range->lo;
        if (atLast)
          end = end + (range->size - 1) * *step;
        extreme = split->first * end + split->second;
        ends.push_back({var, end});
        moved = var;
      }
      if (!known || !moved)
        continue;
      if (!facts.isNonNegative(wantsLast ? extreme - size : Size(-1) - extreme))
        continue;
      if (!isReached(ends, facts))
        continue;
      c.diags
          .report(diag::always_outside, sub.loc, "'" + name + "'",
                  atLast ? "last" : "first", moved->name, extreme.str())
          .label("dimension " + std::to_string(dimension) + " has size " +
                 size.str())
          .help("read it through 'extend(" + name +
                ", clamp)', or leave the edge out of the range, as in '" +
                moved->name + " in 1:n - 1'");
      return;
    }
  }

  void subs(std::vector<hir::Sub> &list, const Type &base,
            const hir::ExtendExpr *view, const std::string &name,
            SizeFacts &facts) {
    for (auto [k, s] : llvm::enumerate(list)) {
      if (s.index)
        expr(s.index, facts);
      if (k >= base.rank())
        return;
      const Dim &d = base.dims()[k];
      if (s.inBounds || d.ragged)
        continue;
      // The dimensions of a field stand behind those of the view.
      if (s.kind == hir::Sub::Kind::Point && view && k < view->modes.size() &&
          view->modes[k] != hir::Boundary::None) {
        s.inBounds = facts.isNonNegative(d.size - 1);
      } else if (s.kind == hir::Sub::Kind::Point) {
        s.inBounds = inside(s.index, d.size, facts);
        s.notEmpty = s.inBounds || facts.isNonNegative(d.size - 1);
        if (!s.inBounds && !view)
          checkEnds(s, k, d.size, name, facts);
      } else if (s.kind == hir::Sub::Kind::Slice) {
        s.inBounds = facts.isNonNegative(s.range.lo) &&
                     facts.isNonNegative(*s.range.end - s.range.lo) &&
                     facts.isNonNegative(d.size - *s.range.end);
      }
    }
  }

  void expr(Expr *e, SizeFacts &facts) {
    switch (e->kind) {
    case Expr::Kind::Index: {
      auto *i = cast<hir::IndexExpr>(e);
      expr(i->base, facts);
      auto *array = dyn_cast<hir::VarRefExpr>(i->base);
      subs(i->subs, i->base->type, c.extendOf(i->base),
           array ? array->var->name : "", facts);
      return;
    }
    case Expr::Kind::Binary: {
      auto *b = cast<hir::BinaryExpr>(e);
      bool decides = b->op == hir::BinaryOp::And || b->op == hir::BinaryOp::Or;
      expr(b->lhs, facts);
      perhaps += decides;
      expr(b->rhs, facts);
      perhaps -= decides;
      if ((b->op == hir::BinaryOp::FloorDiv || b->op == hir::BinaryOp::Mod) &&
          b->rhs->type.isScalar() && isInteger(b->rhs->type.scalar()))
        if (auto p = c.polynomial(b->rhs, facts))
          b->nonZero |=
              facts.isNonNegative(*p - 1) || facts.isNonNegative(-*p - 1);
      return;
    }
    case Expr::Kind::If: {
      auto *i = cast<hir::IfExpr>(e);
      expr(i->condition, facts);
      SizeFacts yes(&facts), no(&facts);
      c.addFacts(i->condition, yes);
      ++perhaps;
      block(i->thenBlock, yes);
      block(i->elseBlock, no);
      --perhaps;
      return;
    }
    case Expr::Kind::Comp: {
      auto *comp = cast<hir::CompExpr>(e);
      if (comp->init)
        expr(comp->init, facts);
      if (comp->into)
        expr(comp->into, facts);
      SizeFacts body(&facts);
      ++bodies;
      for (hir::CompIndex &i : comp->indices) {
        if (i.prelude)
          block(i.prelude, body);
        c.addIndexFacts(i.var, i.range, body);
        indices.push_back({i.var, &i.range});
      }
      if (comp->condition) {
        block(comp->condition, body);
        c.addFacts(comp->condition->value, body);
        ++perhaps;
      }
      block(comp->body, body);
      if (comp->condition)
        --perhaps;
      indices.resize(indices.size() - comp->indices.size());
      if (comp->op)
        block(comp->op, facts);
      --bodies;
      return;
    }
    default:
      hir::forEachOperand(e, [&](Expr *&x) { expr(x, facts); });
      ++bodies;
      ++perhaps;
      hir::forEachBlock(e, [&](hir::Block *b) {
        SizeFacts inner(&facts);
        block(b, inner);
      });
      --perhaps;
      --bodies;
      return;
    }
  }

  Checker &c;
  /// How many bodies of `for` and the like stand around this place.
  unsigned bodies = 0;
  /// How many conditions decide whether this place is reached.
  unsigned perhaps = 0;
  /// The indices that run here, from the outermost, with their ranges.
  std::vector<std::pair<Variable *, const hir::Range *>> indices;
};

} // namespace arrc::sema

void Checker::markBounds(hir::Def &def) {
  // `constantInt` and its kin ask for a builder; facts are our own.
  hir::Block scratch;
  BuilderScope b(*this, &scratch, false);
  SizeFacts facts;
  BoundsMarker marker(*this);
  marker.parameters(def, facts);
  marker.block(def.entry, facts);
  marker.block(def.body, facts);
}
