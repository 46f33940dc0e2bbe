//===- SemaCombinators.cpp - Reductions, scans, histograms ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `sum for i { e }` and `sum(a, axis = 0)` meet here: the call form makes the
// loops that the other one has written down. What both do: SemaFolds.cpp.
//
//===----------------------------------------------------------------------===//

#include "SemaFor.h"

#include "llvm/ADT/StringSwitch.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

using CompKind = hir::CompExpr::CompKind;

bool Checker::isCombinator(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"sum", "prod", "min", "max", "any", "all"}, true)
      .Cases({"count", "mean", "argmin", "argmax", "reduce"}, true)
      .Cases({"scan", "exscan", "hist", "scatter"}, true)
      .Default(false);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

std::optional<Checker::Operator> Checker::checkOperator(const ast::Expr *e) {
  Value v = check(e);
  if (!v.fn) {
    if (!v.expr->type.isError())
      report(diag::operator_expected, e->range, v.expr->type.str())
          .help("an operator is a section '(+)', a function or a lambda "
                "'fn(x, y) => ..'");
    return std::nullopt;
  }
  Operator op;
  op.fn = v.fn;
  if (v.fn->kind == FnValue::Kind::Section) {
    switch (v.fn->op) {
    case ast::BinaryOp::Add:
      op.combiner = hir::Combiner::Add;
      break;
    case ast::BinaryOp::Mul:
      op.combiner = hir::Combiner::Mul;
      break;
    case ast::BinaryOp::And:
      op.combiner = hir::Combiner::And;
      break;
    case ast::BinaryOp::Or:
      op.combiner = hir::Combiner::Or;
      break;
    default:
      report(diag::not_associative, e->range, v.fn->name)
          .label("the order of combining is free, so '" +
                 spelling(v.fn->op).str() + "' has no one result")
          .help("a fold in order is a 'loop'");
      return std::nullopt;
    }
  } else if (v.fn->kind == FnValue::Kind::Builtin) {
    if (v.fn->name == "min")
      op.combiner = hir::Combiner::Min;
    else if (v.fn->name == "max")
      op.combiner = hir::Combiner::Max;
  }
  return op;
}

bool Checker::applyOperator(const Operator &op, hir::CompExpr *comp,
                            const Type &type, SMRange loc) {
  comp->combiner = op.combiner;
  if (op.combiner != hir::Combiner::Lambda) {
    for (const Type::Leaf &leaf : type.leaves()) {
      bool logical =
          op.combiner == hir::Combiner::And || op.combiner == hir::Combiner::Or;
      bool order = op.combiner == hir::Combiner::Min ||
                   op.combiner == hir::Combiner::Max;
      if (logical != (leaf.scalar == ScalarKind::Bool) ||
          (order && isComplex(leaf.scalar))) {
        report(diag::operator_element, loc, op.fn->name, type.str());
        return false;
      }
    }
    return true;
  }
  // The operator stands outside of the body, and what it takes with it.
  unsigned outer = comp->indices.empty()
                       ? level()
                       : info(comp->indices.front().var).level - 1;
  for (const Type::Leaf &leaf : type.leaves())
    for (const Dim &d : leaf.dims)
      if (d.ragged || levelOf(d.size) > outer) {
        report(diag::operator_array, loc, type.str())
            .help("their size is known only inside of the body");
        return false;
      }
  comp->op = newBlock();
  BuilderScope body(*this, comp->op, false);
  NameScope names(*this, Scope::Kind::Body);
  comp->lhs = newVariable(Variable::Kind::Arg, "a", type, loc);
  comp->rhs = newVariable(Variable::Kind::Arg, "b", type, loc);
  Expr *v = applyFn(op.fn, {ref(comp->lhs, loc), ref(comp->rhs, loc)}, loc);
  if (v->type.isError())
    return false;
  v = coerce(v, type, Purpose::Result, loc);
  comp->op->value = v;
  return !v->type.isError();
}

//===----------------------------------------------------------------------===//
// The form with `for`
//===----------------------------------------------------------------------===//

Expr *Checker::checkCombinator(const ast::CombinatorExpr *e, Type expected) {
  const ast::ForExpr *f = e->loop;
  std::vector<hir::Attr> attrs =
      checkAttrs(e->attrs, "a 'for'", f->indices.size());
  FastScope flags(*this, attrs);
  Fold fold;
  fold.name = e->name.text;
  if (f->isStencil) {
    report(diag::combinator_stencil, f->keyword, e->name.text)
        .help("write '" + e->name.text + " for'");
    return error(e->range);
  }
  bool ok = beginFold(fold, e->args, e->name.range);
  Loop loop;
  openLoop(f, CompKind::Reduce, loop);
  fold.comp = loop.comp;
  fold.comp->loc = e->range;
  fold.comp->attrs = attrs;
  Value v = checkBlock(f->body, true, {});
  if (v.fn) {
    report(diag::function_as_value, f->body->range, v.fn->name);
    v = error(f->body->range);
  }
  Expr *value = v.expr;
  if (ok && !loop.bad)
    value = foldBody(fold, value, value->loc, expected);
  loop.bad |= value->type.isError() || !ok;
  fold.comp->body->value = value;
  if (!closeLoop(f, loop))
    return error(e->range);
  return endFold(fold, e->range);
}
