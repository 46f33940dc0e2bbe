//===- SemaGenerics.cpp - Structs by call, type parameters ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Structs
//===----------------------------------------------------------------------===//

Expr *Checker::callStruct(const Type &type, std::vector<Given> args,
                          SMRange loc) {
  const ast::StructDecl *s = type.structDecl();
  for (const Given &g : args)
    if (!g.value.expr) {
      report(diag::function_as_value, g.loc, g.value.fn->name);
      return error(loc);
    } else if (g.value.expr->type.isError()) {
      return error(loc);
    }
  const ModuleInfo *module = scope->module;
  for (const ModuleInfo *m : moduleOrder)
    for (const TopDecl *d : m->order)
      if (d->decl == s)
        module = m;
  if (!orderArgs(s->fields, s->name.text, args, loc, s->name.range, module))
    return error(loc);
  // A struct of scalars, given arrays, is built element by element.
  bool scalars = llvm::all_of(
      type.components(), [](const Component &c) { return c.type.isScalar(); });
  std::vector<Expr *> values;
  for (const Given &g : args)
    values.push_back(g.value.expr);
  auto build = [&](std::vector<Expr *> parts) -> Expr * {
    for (unsigned k = 0; k < parts.size(); ++k) {
      const Component &c = type.components()[k];
      parts[k] = coerce(parts[k], c.type, Purpose::Field, args[k].loc, c.name);
      if (parts[k]->type.isError())
        return error(loc);
    }
    return make<hir::TupleExpr>(parts, type, loc);
  };
  bool arrays = llvm::any_of(values, [](Expr *e) { return e->type.isArray(); });
  if (scalars && arrays)
    return elementwise(values, build, loc, "'" + s->name.text.str() + "'");
  return build(values);
}

//===----------------------------------------------------------------------===//
// Generic functions
//===----------------------------------------------------------------------===//

void Checker::inferType(const ast::TypeExpr *t, const Type &given,
                        llvm::StringMap<Type> &bound,
                        ArrayRef<ast::TypeParam> names, bool &conflict) {
  if (auto *n = dyn_cast<ast::NamedType>(t)) {
    if (n->module)
      return;
    for (const ast::TypeParam &p : names) {
      if (p.name.text != n->name.text)
        continue;
      auto [it, fresh] = bound.try_emplace(p.name.text, given);
      if (fresh)
        return;
      Type met = meetTypes(it->second, given);
      if (!met)
        conflict = true;
      else
        it->second = met;
    }
    return;
  }
  if (auto *a = dyn_cast<ast::ArrayType>(t)) {
    if (given.isArray() && given.rank() >= a->dims.size())
      inferType(a->element, given.dropDims(a->dims.size()), bound, names,
                conflict);
    return;
  }
  if (auto *tuple = dyn_cast<ast::TupleType>(t))
    if (given.isTuple() && given.numComponents() == tuple->elements.size())
      for (auto [k, e] : llvm::enumerate(tuple->elements))
        inferType(e, given.component(k), bound, names, conflict);
}

static bool hasKind(ScalarKind k, StringRef kind) {
  if (kind == "num")
    return k != ScalarKind::Bool;
  if (kind == "real")
    return isInteger(k) || isFloat(k);
  if (kind == "float")
    return isFloat(k);
  if (kind == "integer")
    return isInteger(k);
  return true;
}

bool Checker::bindTypeParams(const ast::DefDecl *def, ArrayRef<Given> args,
                             hir::CallSite &call, SMRange loc) {
  if (def->typeParams.empty())
    return true;
  llvm::StringMap<Type> bound;
  llvm::StringSet<> byScalars;
  auto kindOf = [&](StringRef name) {
    for (const ast::TypeParam &p : def->typeParams)
      if (p.name.text == name)
        return p.kind.text;
    return StringRef();
  };
  // Arrays decide, then scalars that have a type, then what is open, which has
  // any type that is decided.
  for (int pass = 0; pass < 3; ++pass) {
    llvm::StringMap<Type> now;
    bool conflict = false;
    for (auto [p, g] : llvm::zip(def->params, args)) {
      if (!g.value.expr)
        continue;
      const Type &t = g.value.expr->type;
      int wanted = t.isOpen() ? 2 : t.isArray() ? 0 : 1;
      if (wanted == pass)
        inferType(p.type, t, now, def->typeParams, conflict);
    }
    if (conflict && pass == 0) {
      report(diag::type_param_conflict, loc, def->name.text)
          .place(def->name.range, "declared here");
      return false;
    }
    for (auto &entry : now) {
      StringRef kind = kindOf(entry.first());
      if (auto known = bound.find(entry.first()); known != bound.end()) {
        // A scalar integer meets an open float as it does in an operator, and
        // is one itself where a float is wanted.
        Type met = meetTypes(known->second, entry.second);
        bool isLoose = pass == 2 && met && kind != "integer" &&
                       byScalars.contains(entry.first());
        if (isLoose && met.isOpen())
          known->second = fixedType(met);
        else if (isLoose && kind == "float" && met.isScalar() &&
                 isInteger(met.scalar()))
          known->second = Type(ScalarKind::F32);
        continue;
      }
      if (pass == 1)
        byScalars.insert(entry.first());
      Type &type = bound[entry.first()] = fixedType(entry.second);
      // An integer literal is any number: a float where one is wanted.
      if (kind == "float" && entry.second.isScalar(ScalarKind::OpenInt))
        type = Type(ScalarKind::F32);
      if (pass < 2 || !call.remark.empty())
        continue;
      // Nobody wrote this type down.
      for (auto [p, g] : llvm::zip(def->params, args)) {
        auto *name = dyn_cast<ast::NamedType>(p.type);
        if (!g.value.expr || !g.value.expr->type.isOpen() || !name ||
            name->name.text != entry.first())
          continue;
        call.argument = g.loc;
        call.remark = ("'" + entry.first() + "' is " + type.str() +
                       " there, as no argument has a type of its own: write "
                       "'f64(" +
                       sourceText(g.loc) + ")' for another one")
                          .str();
      }
    }
  }
  for (const ast::TypeParam &p : def->typeParams) {
    auto it = bound.find(p.name.text);
    if (it == bound.end()) {
      report(diag::cannot_infer, loc, p.name.text, def->name.text)
          .place(p.name.range,
                 "nothing in the arguments says what '" + p.name.text + "' is");
      return false;
    }
    Type t = it->second;
    StringRef kind = p.kind.text;
    if (!kind.empty() && (!t.isScalar() || !hasKind(t.scalar(), kind))) {
      report(diag::type_param_kind, loc, p.name.text, kind, t.str())
          .place(p.kind.range, "declared here");
      return false;
    }
    Binding *b = declare(p.name.text, p.name.range, Binding::Kind::Type);
    b->type = t;
  }
  return true;
}
