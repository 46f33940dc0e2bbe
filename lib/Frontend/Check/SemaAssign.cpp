//===- SemaAssign.cpp - Places, assignments, versions of a `var` ----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HIRWalk.h"
#include "SemaImpl.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

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

std::vector<VarInfo> Checker::momentOf(ArrayRef<Variable *> vars) {
  std::vector<VarInfo> moment;
  for (Variable *v : vars)
    moment.push_back(info(v));
  return moment;
}

void Checker::returnTo(ArrayRef<Variable *> vars, ArrayRef<VarInfo> moment) {
  for (auto [v, before] : llvm::zip(vars, moment)) {
    // Versions are never used twice.
    unsigned version = info(v).version + 1;
    info(v) = before;
    info(v).version = version;
  }
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

std::string Checker::helpForBody(const std::string &name) {
  const std::string general =
      "to add up values use 'sum for', to carry one along use 'scan' or "
      "'loop', to count into bins use 'hist'";
  if (!assigning)
    return general;
  auto text = [&](SMRange range) { return shortText(range); };
  const ast::Expr *value = assigning->value;
  if (auto *place = dyn_cast<ast::IndexExpr>(assigning->place)) {
    std::string subs;
    for (const ast::Sub &s : place->subs)
      subs += (subs.empty() ? "" : ", ") + text(s.range);
    if (assigning->isUpdate)
      return "to count into bins write '" + name + " = hist((+), 0, size(" +
             name + ")) for .. { (" + subs + ", " + text(value->range) + ") }'";
    bool bare = llvm::all_of(place->subs, [](const ast::Sub &s) {
      return !s.isSlice && isa<ast::NameExpr>(s.index);
    });
    if (bare)
      return "an array is the value of its 'for': write 'let " + name +
             " = for " + subs + " in .. { " + text(value->range) + " }'";
    return "to put values at computed places write '" + name + " = scatter(" +
           name + ") for .. { (" + subs + ", " + text(value->range) + ") }'";
  }
  if (!isa<ast::NameExpr>(assigning->place))
    return general;
  if (assigning->isUpdate && assigning->op == ast::BinaryOp::Add)
    return "to add up write '" + name + " += sum for .. { " +
           text(value->range) + " }'; steps in order are a 'loop'";
  auto *call = dyn_cast<ast::CallExpr>(value);
  auto *callee = call ? dyn_cast<ast::NameExpr>(call->callee) : nullptr;
  if (callee && (callee->name == "max" || callee->name == "min") &&
      call->args.size() == 2) {
    const ast::Expr *other = call->args[1].value;
    if (auto *n = dyn_cast<ast::NameExpr>(other); n && n->name == name)
      other = call->args[0].value;
    return "write '" + name + " = " + callee->name.str() + " for .. { " +
           text(other->range) + " }'; steps in order are a 'loop'";
  }
  return general;
}

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
      // A message at each use would say the same again.
      declare(n->name, e->range, Binding::Kind::Error)->used = true;
      if (assigning && isa<ast::IndexExpr>(assigning->place))
        d.help(helpForBody(n->name.str()));
      else
        d.help("a new name begins with 'let' or 'var'" +
               (s.empty() ? "" : "; or did you mean '" + s + "'?"));
      return std::nullopt;
    }
    b->used = true;
    tellUse(e->range, b->loc);
    if (b->kind == Binding::Kind::Error)
      return std::nullopt;
    if (!b->var || b->var->kind != Variable::Kind::Var) {
      Diagnostic &d = report(diag::assign_to_fixed, e->range, n->name);
      d.place(b->loc, "'" + n->name + "' is fixed here");
      if (b->var && b->var->kind == Variable::Kind::Param)
        d.help("parameters are fixed: assign to a copy, as in 'var v = " +
               n->name + "'");
      else if (b->var && b->var->kind == Variable::Kind::Index)
        d.help("an index is fixed: count in a 'var' of your own, in a 'while'");
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
          .help(helpForBody(n->name.str()));
      return std::nullopt;
    }
    Place p;
    p.var = b->var;
    p.type = b->var->type;
    return p;
  }
  const ast::Expr *base = isa<ast::IndexExpr>(e) ? cast<ast::IndexExpr>(e)->base
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

std::string Checker::growHelp(const Variable *var, unsigned dim) {
  // Behind the first dimension a '?' alone means ragged; a name that is new
  // means a size that may change.
  std::string name = "k";
  while (dim > 0 && lookupLocal(name))
    name += name.front();
  std::string sizes;
  for (auto [number, d] : llvm::enumerate(var->type.dims())) {
    sizes += number ? ", " : "";
    if (number == dim)
      sizes += dim ? "?" + name : "?";
    else
      sizes += d.ragged ? "?" : d.size.str();
  }
  return "an array whose size may change is declared so: 'var " + var->name +
         ": " + var->type.element().str() + "[" + sizes + "] = ..'";
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
  llvm::SaveAndRestore<const Variable *> whole(
      replaced, p.path.empty() ? p.var : nullptr);
  size_t before = pendingWarnings.size();
  value = coerce(value, fills ? element : p.type, Purpose::Assign, value->loc,
                 p.var->name, p.var->loc);
  if (pendingWarnings.size() > before && p.path.empty() && p.type.rank() == 1)
    pendingWarnings.back().help = growHelp(p.var, 0);
  if (value->type.isError())
    return;
  auto *a = make<hir::AssignStmt>(p.var, p.path, value, loc);
  a->inplace = inplace;
  emit(a);
  bumpVersion(p.var, loc);
}

void Checker::checkAssign(const ast::AssignStmt *s) {
  llvm::SaveAndRestore<const ast::AssignStmt *> here(assigning, s);
  bool inplace = false;
  for (const hir::Attr &a : checkAttrs(s->attrs, "an assignment"))
    inplace |= a.name == "inplace";
  auto p = checkPlace(s->place);
  if (!p) {
    // Names in the value count as used, and its own errors are told.
    (void)check(s->value);
    return;
  }
  Value v = check(s->value, p->type);
  Expr *value = v.fn ? functionAsValue(v, s->value->range)
                : s->isUpdate
                    ? v.expr
                    : withoutView(v, s->value->range, "what is assigned");
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
    report(diag::pattern_mismatch, s->opRange, std::to_string(places.size()),
           value->type.str());
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
      part =
          ref(emitLet("%" + std::to_string(nextTemporary++), part, part->loc),
              part->loc);
    parts.push_back(part);
  }
  for (unsigned k = 0; k < places.size(); ++k)
    assign(places[k], parts[k], s->range, false);
}
