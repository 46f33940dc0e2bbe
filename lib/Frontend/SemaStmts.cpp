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
    SMRange end = block->stmts.empty() ? block->range
                                       : block->stmts.back()->range;
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
  if (auto *b = dyn_cast<ast::BinaryExpr>(e);
      b && b->op == ast::BinaryOp::Eq)
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
  Value v = check(s->init, declared);
  std::string name;
  if (auto *n = dyn_cast<ast::NamePattern>(s->pattern))
    name = n->name.text.str();
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
    bindVar(cast<ast::NamePattern>(s->pattern)->name, v.expr, declared);
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
  Expr *e = fix(v.expr);
  Variable *var = emitLet(name.text, e, name.range);
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
  Variable *v =
      newVariable(Variable::Kind::Var, name.text, type, name.range);
  v->changesSize = changes;
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
    report(diag::pattern_mismatch, p->range,
           std::to_string(t->elements.size()), "a function");
    v = error(p->range);
  }
  if (v.expr->type.isError())
    return bindAll([&](unsigned) { return Value(v.expr); });
  Type element = v.expr->type.element();
  if (!element.isTuple() || element.numComponents() != t->elements.size()) {
    report(diag::pattern_mismatch, p->range,
           std::to_string(t->elements.size()), v.expr->type.str());
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
// Moments of a `var`
//===----------------------------------------------------------------------===//

void Checker::bumpVersion(Variable *v, SMRange loc) {
  VarInfo &i = info(v);
  ++i.version;
  i.level = level();
  if (!v->changesSize)
    return;
  Expr *now = make<hir::VarRefExpr>(v, v->type, loc);
  Type named = nameUnknowns(v->type, now, loc);
  i.dims = named.dims().vec();
  now->type = named;
}

void Checker::bumpAssigned(ArrayRef<Variable *> vars, SMRange loc) {
  for (Variable *v : vars)
    bumpVersion(v, loc);
}

static StringRef placeName(const ast::Expr *e) {
  while (true) {
    if (auto *n = dyn_cast<ast::NameExpr>(e))
      return n->name;
    if (auto *f = dyn_cast<ast::FieldExpr>(e))
      e = f->base;
    else if (auto *f = dyn_cast<ast::TupleFieldExpr>(e))
      e = f->base;
    else if (auto *i = dyn_cast<ast::IndexExpr>(e))
      e = i->base;
    else
      return "";
  }
}

void Checker::collectAssigned(const ast::Block *block,
                              std::vector<Variable *> &vars) {
  auto add = [&](const ast::Expr *place) {
    Binding *b = lookupLocal(placeName(place));
    if (b && b->var && b->var->kind == Variable::Kind::Var &&
        !llvm::is_contained(vars, b->var))
      vars.push_back(b->var);
  };
  if (!block)
    return;
  auto branches = [&](const ast::Expr *e) {
    if (auto *i = dyn_cast<ast::IfExpr>(e)) {
      collectAssigned(i->thenBlock, vars);
      collectAssigned(i->elseBlock, vars);
    }
  };
  for (const ast::Stmt *s : block->stmts) {
    if (auto *a = dyn_cast<ast::AssignStmt>(s)) {
      add(a->place);
      branches(a->value);
    } else if (auto *t = dyn_cast<ast::TupleAssignStmt>(s)) {
      for (const ast::Expr *p : t->places)
        add(p);
    } else if (auto *w = dyn_cast<ast::WhileStmt>(s)) {
      collectAssigned(w->body, vars);
    } else if (auto *l = dyn_cast<ast::LoopStmt>(s)) {
      collectAssigned(l->body, vars);
    } else if (auto *l = dyn_cast<ast::LetStmt>(s)) {
      branches(l->init);
    } else if (auto *e = dyn_cast<ast::ExprStmt>(s)) {
      branches(e->expr);
    }
  }
}

//===----------------------------------------------------------------------===//
// Assignment
//===----------------------------------------------------------------------===//

std::optional<Checker::Place> Checker::checkPlace(const ast::Expr *e) {
  if (auto *n = dyn_cast<ast::NameExpr>(e)) {
    Binding *b = lookupLocal(n->name);
    if (!b) {
      if (lookupTop(n->name)) {
        report(diag::assign_to_fixed, e->range, n->name)
            .label("only a 'var' can be assigned");
        return std::nullopt;
      }
      Diagnostic &d = report(diag::unknown_name, e->range, n->name);
      std::string s = suggestion(n->name);
      d.help("a new name begins with 'let' or 'var'" +
             (s.empty() ? "" : "; or did you mean '" + s + "'?"));
      return std::nullopt;
    }
    b->used = true;
    if (b->kind == Binding::Kind::Error)
      return std::nullopt;
    if (!b->var || b->var->kind != Variable::Kind::Var) {
      Diagnostic &d = report(diag::assign_to_fixed, e->range, n->name);
      d.place(b->loc, "'" + n->name + "' is fixed here");
      if (b->var && b->var->kind == Variable::Kind::Param)
        d.help("parameters are fixed: assign to a copy, as in 'var v = " +
               n->name + "'");
      else
        d.help("declare it with 'var'");
      return std::nullopt;
    }
    for (Scope *s = scope; s; s = s->parent) {
      auto it = s->names.find(n->name);
      if (it != s->names.end() && it->second == b)
        break;
      if (s->kind != Scope::Kind::Body)
        continue;
      report(diag::assign_outer_var, e->range, n->name)
          .label("this body runs for all indices at once")
          .place(b->loc, "'" + n->name + "' is declared outside")
          .help("to add up values use 'sum for', to carry one along use 'scan' "
                "or 'loop', to count into bins use 'hist'");
      return std::nullopt;
    }
    Place p;
    p.var = b->var;
    p.type = b->var->type;
    return p;
  }
  const ast::Expr *base = isa<ast::IndexExpr>(e)
                              ? cast<ast::IndexExpr>(e)->base
                          : isa<ast::FieldExpr>(e)
                              ? cast<ast::FieldExpr>(e)->base
                              : cast<ast::TupleFieldExpr>(e)->base;
  auto p = checkPlace(base);
  if (!p)
    return p;
  hir::PlaceStep step;
  if (auto *i = dyn_cast<ast::IndexExpr>(e)) {
    if (p->path.empty() && p->var->changesSize)
      p->type = Type::array(p->type.element(), info(p->var).dims);
    std::vector<Dim> dims;
    if (!checkSubs(p->type, i->subs, e->range, placeName(e).str(), true, false,
                   nullptr, step.subs, dims))
      return std::nullopt;
    step.type = Type::array(p->type.element(), dims);
  } else {
    Type element = p->type.element();
    std::optional<unsigned> k;
    if (auto *f = dyn_cast<ast::FieldExpr>(e)) {
      if (element.isStruct())
        k = element.fieldNumber(f->name.text);
      if (!k) {
        if (element.isStruct())
          report(diag::no_such_field, f->name.range, element.structName(),
                 f->name.text);
        else
          report(diag::no_fields, f->name.range, p->type.str(), f->name.text);
        return std::nullopt;
      }
    } else {
      auto *t = cast<ast::TupleFieldExpr>(e);
      if (!element.isTuple() || t->index >= element.numComponents()) {
        report(diag::no_component, t->indexRange, p->type.str(),
               std::to_string(t->index));
        return std::nullopt;
      }
      k = t->index;
    }
    step.field = *k;
    step.type = p->type.component(*k);
  }
  p->path.push_back(step);
  p->type = step.type;
  return p;
}

Expr *Checker::readPlace(const Place &p, SMRange loc) {
  Expr *e = ref(p.var, loc);
  for (const hir::PlaceStep &s : p.path) {
    if (s.isField()) {
      e = field(e, s.field, loc);
      continue;
    }
    std::vector<hir::Sub> subs = s.subs;
    for (hir::Sub &sub : subs)
      if (sub.index)
        sub.index = clone(sub.index);
    e = index(e, subs, s.type.dims().vec(), loc);
  }
  return e;
}

void Checker::assign(Place &p, Expr *value, SMRange loc, bool inplace) {
  if (value->type.isError())
    return;
  if (value->type.isNone()) {
    report(diag::no_value, value->loc);
    return;
  }
  Type element = p.type.element();
  bool fills = p.type.isArray() && !p.path.empty() && !value->type.isArray() &&
               (value->type.isScalar() || element.isStruct());
  value = coerce(value, fills ? element : p.type, Purpose::Assign, value->loc,
                 p.var->name);
  if (value->type.isError())
    return;
  auto *a = make<hir::AssignStmt>(p.var, p.path, value, loc);
  a->inplace = inplace;
  emit(a);
  bumpVersion(p.var, loc);
}

void Checker::checkAssign(const ast::AssignStmt *s) {
  bool inplace = false;
  for (const hir::Attr &a : checkAttrs(s->attrs, "an assignment"))
    inplace |= a.name == "inplace";
  auto p = checkPlace(s->place);
  if (!p) {
    // Names in the value count as used, and its own errors are told.
    (void)check(s->value);
    return;
  }
  Expr *value = checkValue(s->value, p->type);
  if (s->isUpdate && !value->type.isError()) {
    Expr *old = readPlace(*p, s->place->range);
    value = binary(s->op, old, value, s->opRange);
    value->loc = s->range;
  }
  assign(*p, value, s->range, inplace);
}

void Checker::checkTupleAssign(const ast::TupleAssignStmt *s) {
  std::vector<Place> places;
  std::vector<Type> types;
  bool bad = false;
  for (const ast::Expr *e : s->places) {
    auto p = checkPlace(e);
    bad |= !p;
    if (p) {
      places.push_back(*p);
      types.push_back(p->type);
    }
  }
  Expr *value = checkValue(s->value, bad ? Type() : Type::tuple(types));
  if (bad || value->type.isError())
    return;
  Type element = value->type.element();
  if (!element.isTuple() || element.numComponents() != places.size()) {
    report(diag::pattern_mismatch, s->opRange,
           std::to_string(places.size()), value->type.str());
    return;
  }
  // All values first: `(a, b) = (b, a)` swaps.
  std::vector<Expr *> parts;
  auto *lit = dyn_cast<hir::TupleExpr>(value);
  Expr *whole = lit ? value : reference(closeTo(value, Type::tuple(types)));
  for (unsigned k = 0; k < places.size(); ++k) {
    Expr *part = lit ? lit->elements[k] : field(whole, k, s->range);
    part = coerce(part, places[k].type, Purpose::Assign, part->loc,
                  places[k].var->name);
    if (part->type.isError())
      return;
    if (!isa<hir::ConstExpr>(part))
      part = ref(emitLet("%" + std::to_string(nextTemporary++), part,
                         part->loc),
                 part->loc);
    parts.push_back(part);
  }
  for (unsigned k = 0; k < places.size(); ++k)
    assign(places[k], parts[k], s->range, false);
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
    bumpAssigned(assigned, s->range);
    if (bad) {
      declare(s->index.text, s->index.range, Binding::Kind::Error);
    } else if (array) {
      Expr *x = indexPoints(array, {ref(index, s->index.range)},
                            s->index.range);
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
  {
    BuilderScope b(*this, yes, true);
    if (!c->type.isError())
      addFacts(c, builder().facts);
    checkBlock(e->thenBlock, false, {});
  }
  if (no) {
    BuilderScope b(*this, no, true);
    checkBlock(e->elseBlock, false, {});
  }
  emit(make<hir::IfStmt>(c, yes, no, e->range));
  bumpAssigned(assigned, e->range);
}

void Checker::checkAssert(const ast::AssertStmt *s) {
  Expr *c = checkCondition(s->condition);
  if (c->type.isError())
    return;
  std::string text = s->message.empty()
                         ? "assertion failed: " + sourceText(s->condition->range)
                         : s->message.str();
  // Braces of the user's text are no places for values.
  std::string plain;
  for (char ch : text)
    plain += ch == '{' ? '(' : ch == '}' ? ')' : ch;
  emitCheck(hir::CheckKind::Assert, c, plain, {}, s->range);
  addFacts(c, builder().facts);
}
