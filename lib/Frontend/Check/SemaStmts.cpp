//===- SemaStmts.cpp - Blocks and statements ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
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
// Blocks
//===----------------------------------------------------------------------===//

Value Checker::checkBlock(const ast::Block *block, bool wantValue,
                          Type expected) {
  NameScope names(*this, Scope::Kind::Block);
  Value result;
  for (auto [k, s] : llvm::enumerate(block->stmts)) {
    auto *e = dyn_cast<ast::ExprStmt>(s);
    bool last = k + 1 == block->stmts.size();
    if (e && last && wantValue) {
      result = check(e->expr, expected);
      if (result.expr && result.expr->type.isNone()) {
        report(diag::no_value, e->range);
        result = error(e->range);
      }
    } else if (e) {
      if (auto *i = dyn_cast<ast::IfExpr>(e->expr))
        checkIfStmt(i);
      else
        unusedValue(e->expr);
    } else {
      checkStmt(s);
    }
  }
  if (wantValue && !result.expr && !result.fn) {
    SMRange end =
        block->stmts.empty() ? block->range : block->stmts.back()->range;
    report(diag::block_needs_value, end)
        .help("end the block with an expression");
    return error(block->range);
  }
  return result;
}

void Checker::unusedValue(const ast::Expr *e) {
  Value v = check(e);
  if (v.expr && v.expr->type.isError())
    return;
  Diagnostic &d = report(diag::unused_value, e->range);
  if (auto *b = dyn_cast<ast::BinaryExpr>(e); b && b->op == ast::BinaryOp::Eq)
    d.help("'=' assigns, '==' compares");
  else
    d.help("bind it with 'let', or take it away");
}

void Checker::checkStmt(const ast::Stmt *s) {
  switch (s->kind) {
  case ast::Stmt::Kind::Let:
    return checkLet(cast<ast::LetStmt>(s));
  case ast::Stmt::Kind::While:
    return checkWhile(cast<ast::WhileStmt>(s));
  case ast::Stmt::Kind::Loop:
    return checkLoop(cast<ast::LoopStmt>(s));
  case ast::Stmt::Kind::Assert:
    return checkAssert(cast<ast::AssertStmt>(s));
  case ast::Stmt::Kind::Assign:
    return checkAssign(cast<ast::AssignStmt>(s));
  case ast::Stmt::Kind::TupleAssign:
    return checkTupleAssign(cast<ast::TupleAssignStmt>(s));
  case ast::Stmt::Kind::Expr:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

void Checker::checkLet(const ast::LetStmt *s) {
  // `let (u, v) = (extend(..), extend(..))` keeps both views.
  auto *names = dyn_cast<ast::TuplePattern>(s->pattern);
  auto *parts = dyn_cast<ast::TupleExpr>(s->init);
  if (names && parts && !s->type && !s->isVar &&
      names->elements.size() == parts->elements.size()) {
    std::vector<Value> values;
    for (const ast::Expr *e : parts->elements) {
      values.push_back(check(e));
      Value &v = values.back();
      if (v.expr && v.expr->type.isNone()) {
        report(diag::no_value, e->range);
        v = error(e->range);
      }
    }
    for (auto [p, v] : llvm::zip(names->elements, values))
      bindPattern(p, v, false);
    return;
  }
  Type declared;
  if (s->type)
    declared = typeOf(s->type, TypeUse::Declared);
  std::string name;
  if (auto *n = dyn_cast<ast::NamePattern>(s->pattern))
    name = n->name.text.str();
  auto *list = dyn_cast<ast::ArrayExpr>(s->init);
  bool isEmpty = s->isVar && !s->type && list && list->elements.empty();
  if (isEmpty && !name.empty())
    report(diag::empty_array, list->range)
        .help("declare it, so that it may grow: 'var " + name +
              ": f32[?] = []'");
  Value v = isEmpty && !name.empty() ? Value(error(list->range))
                                     : check(s->init, declared);
  if (v.expr && v.expr->type.isNone()) {
    report(diag::no_value, s->init->range);
    v = error(s->init->range);
  }
  if (declared && v.fn && declared.isFunction()) {
    if (v.fn->kind == FnValue::Kind::Lambda)
      v.fn->type = declared;
  } else if (declared) {
    if (v.fn) {
      report(diag::function_as_value, s->init->range, v.fn->name);
      v = error(s->init->range);
    } else {
      Expr *view = v.view;
      v = coerce(v.expr, declared, Purpose::Let, s->init->range, name);
      if (hasUnknown(v.expr->type))
        v = bindUnknowns(v.expr);
      v.view = view;
      bindDeclaredNames(s->type, v.expr->type);
    }
  }
  if (s->isVar && isa<ast::NamePattern>(s->pattern)) {
    if (v.fn) {
      report(diag::function_var, s->init->range);
      v = error(s->init->range);
    }
    bindVar(cast<ast::NamePattern>(s->pattern)->name,
            withoutView(v, s->init->range, "a 'var'"), declared);
    return;
  }
  bindPattern(s->pattern, v, s->isVar);
}

/// A copy of an open expression that does not change when a `var` does.
Expr *Checker::snapshot(Expr *e) {
  if (auto *r = dyn_cast<hir::VarRefExpr>(e))
    return r->var->kind == Variable::Kind::Var ? ref(temporary(r), e->loc) : e;
  hir::forEachOperand(e, [&](Expr *&x) { x = snapshot(x); });
  return e;
}

void Checker::bindLet(const ast::Name &name, Value v) {
  if (v.fn) {
    Binding *b = declare(name.text, name.range, Binding::Kind::Function);
    b->fn = v.fn;
    b->warnUnused = site == nullptr;
    return;
  }
  if (v.expr->type.isError()) {
    declare(name.text, name.range, Binding::Kind::Error);
    return;
  }
  if (v.view) {
    if (isa<hir::ExtendExpr>(v.view)) {
      Variable *u = emitLet(name.text, v.view, name.range);
      Binding *b = declare(name.text, name.range, Binding::Kind::Variable);
      b->var = u;
      b->expr = v.expr;
      b->warnUnused = true;
      return;
    }
    Binding *b = declare(name.text, name.range, Binding::Kind::Open);
    b->expr = v.expr;
    b->view = v.view;
    b->warnUnused = true;
    return;
  }
  if (isPureOpen(v.expr)) {
    Expr *e = snapshot(v.expr);
    Binding *b = declare(name.text, name.range, Binding::Kind::Open);
    b->expr = e;
    b->warnUnused = true;
    return;
  }
  bool wasOpen = v.expr->type.isOpen();
  Expr *e = fix(v.expr);
  Variable *var = emitLet(name.text, e, name.range);
  if (wasOpen)
    closedVars.insert(var);
  // Reads may have happened in the declaration itself: bind afterwards.
  Binding *b = declare(name.text, name.range, Binding::Kind::Variable);
  b->var = var;
  b->warnUnused = true;
}

void Checker::bindVar(const ast::Name &name, Expr *init, Type declared) {
  if (init->type.isError()) {
    declare(name.text, name.range, Binding::Kind::Error);
    return;
  }
  bool wasOpen = init->type.isOpen();
  init = fix(init);
  Type type = init->type;
  bool changes = false;
  if (declared && declared.isArray()) {
    std::vector<Dim> dims;
    for (auto [have, want] : llvm::zip(type.dims(), declared.dims())) {
      bool free = !want.ragged && isUnknown(want.size);
      changes |= free;
      dims.push_back(free ? want : have);
    }
    type = Type::array(type.element(), dims);
  }
  Variable *v = newVariable(Variable::Kind::Var, name.text, type, name.range);
  v->changesSize = changes;
  if (wasOpen)
    closedVars.insert(v);
  emit(make<hir::LetStmt>(v, init, name.range));
  bumpVersion(v, name.range);
  Binding *b = declare(name.text, name.range, Binding::Kind::Variable);
  b->var = v;
  b->warnUnused = true;
}

void Checker::bindPattern(const ast::Pattern *p, Value v, bool isVar) {
  if (auto *n = dyn_cast<ast::NamePattern>(p)) {
    if (n->isBlank())
      return;
    if (isVar && v.expr)
      return bindVar(n->name, v.expr, {});
    return bindLet(n->name, v);
  }
  auto *t = cast<ast::TuplePattern>(p);
  auto bindAll = [&](llvm::function_ref<Value(unsigned)> part) {
    for (auto [k, sub] : llvm::enumerate(t->elements))
      bindPattern(sub, part(k), isVar);
  };
  if (v.fn) {
    report(diag::pattern_mismatch, p->range, std::to_string(t->elements.size()),
           "a function");
    v = error(p->range);
  }
  if (v.expr->type.isError())
    return bindAll([&](unsigned) { return Value(v.expr); });
  Type element = v.expr->type.element();
  if (!element.isTuple() || element.numComponents() != t->elements.size()) {
    report(diag::pattern_mismatch, p->range, std::to_string(t->elements.size()),
           v.expr->type.str());
    Expr *bad = error(p->range);
    return bindAll([&](unsigned) { return Value(bad); });
  }
  if (auto *lit = dyn_cast<hir::TupleExpr>(v.expr);
      lit && lit->type.isTuple()) {
    std::vector<Expr *> parts = lit->elements;
    // `var (a, b) = (b0, a0)`: all values before any binding is changed.
    return bindAll([&](unsigned k) { return Value(parts[k]); });
  }
  Expr *whole = reference(fix(v.expr));
  bindAll([&](unsigned k) { return Value(field(clone(whole), k, p->range)); });
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

void Checker::checkWhile(const ast::WhileStmt *s) {
  std::vector<Variable *> assigned;
  collectAssigned(s->body, assigned);
  hir::Block *condition = newBlock(), *body = newBlock();
  {
    BuilderScope b(*this, condition, true);
    bumpAssigned(assigned, s->range);
    condition->value = checkCondition(s->condition);
  }
  {
    BuilderScope b(*this, body, true);
    bumpAssigned(assigned, s->range);
    checkBlock(s->body, false, {});
  }
  emit(make<hir::WhileStmt>(condition, body, s->range));
  bumpAssigned(assigned, s->range);
}

void Checker::checkLoop(const ast::LoopStmt *s) {
  std::vector<hir::Attr> attrs = checkAttrs(s->attrs, "a 'loop'");
  std::vector<Variable *> assigned;
  collectAssigned(s->body, assigned);
  hir::Range range;
  Expr *array = nullptr;
  bool bad = false;
  if (s->over.isSingle()) {
    Expr *over = checkValue(s->over.hi);
    bad = over->type.isError();
    if (!bad && over->type.isArray() && !over->type.dims()[0].ragged) {
      // A `var` may change inside: the loop runs over what it was.
      array = over;
      if (auto *r = dyn_cast<hir::VarRefExpr>(over);
          !r || r->var->kind == Variable::Kind::Var)
        array = ref(temporary(fix(over)), over->loc);
      range.size = array->type.dims()[0].size;
      range.nonNegative = true;
    } else if (!bad && isIntScalar(over->type)) {
      range = makeRange(nullptr, over, nullptr, s->over.range);
    } else if (!bad) {
      report(diag::bad_range, s->over.range, over->type.str());
      bad = true;
    }
  } else {
    auto r = checkRange(s->over);
    bad = !r;
    if (r)
      range = *r;
  }
  hir::Block *body = newBlock();
  Variable *index = nullptr;
  {
    BuilderScope b(*this, body, true);
    NameScope names(*this, Scope::Kind::Block);
    index = newVariable(Variable::Kind::Index,
                        array || s->index.text == "_" ? "%k" : s->index.text,
                        Type::integer(), s->index.range);
    info(index).range = range;
    if (!bad)
      addIndexFacts(index, range, builder().facts);
    bumpAssigned(assigned, s->range);
    if (bad) {
      declare(s->index.text, s->index.range, Binding::Kind::Error);
    } else if (array) {
      Expr *x =
          indexPoints(array, {ref(index, s->index.range)}, s->index.range);
      if (s->index.text != "_")
        bindLet(s->index, Value(x));
    } else {
      Binding *bind =
          declare(s->index.text, s->index.range, Binding::Kind::Variable);
      bind->var = index;
      bind->used = true;
    }
    checkBlock(s->body, false, {});
  }
  if (!bad) {
    auto *loop = make<hir::LoopStmt>(index, range, body, s->range);
    loop->attrs = attrs;
    emit(loop);
  }
  bumpAssigned(assigned, s->range);
}

void Checker::checkIfStmt(const ast::IfExpr *e) {
  Expr *c = checkCondition(e->condition);
  std::vector<Variable *> assigned;
  collectAssigned(e->thenBlock, assigned);
  collectAssigned(e->elseBlock, assigned);
  hir::Block *yes = newBlock(), *no = e->elseBlock ? newBlock() : nullptr;
  std::vector<VarInfo> before = momentOf(assigned);
  {
    BuilderScope b(*this, yes, true);
    if (!c->type.isError())
      addFacts(c, builder().facts);
    checkBlock(e->thenBlock, false, {});
  }
  if (no) {
    BuilderScope b(*this, no, true);
    returnTo(assigned, before);
    checkBlock(e->elseBlock, false, {});
  }
  emit(make<hir::IfStmt>(c, yes, no, e->range));
  bumpAssigned(assigned, e->range);
}

void Checker::checkAssert(const ast::AssertStmt *s) {
  Expr *c = checkCondition(s->condition);
  if (c->type.isError())
    return;
  std::string text = s->message.empty() ? "assertion failed: " +
                                              sourceText(s->condition->range)
                                        : s->message.str();
  // Braces of the user's text are no places for values.
  std::string plain;
  for (char ch : text)
    plain += ch == '{' ? '(' : ch == '}' ? ')' : ch;
  emitIntegerCheck(hir::CheckKind::Assert, c, plain, "", {}, s->range);
}
