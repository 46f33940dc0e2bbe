//===- SemaDefCalls.cpp - Calls of functions of the program ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SemaFor.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

/// The type that is written as a name, in the scope of its function; empty if
/// it is no name or that of a type parameter.
Type Checker::namedType(const ast::TypeExpr *t, const ast::DefDecl *def) {
  auto *n = dyn_cast<ast::NamedType>(t);
  if (!n)
    return {};
  for (const ast::TypeParam &p : def->typeParams)
    if (p.name.text == n->name.text)
      return {};
  return lookupType(n->module, n->name, false);
}

/// Whether a written parameter type is an array, in the scope of its function.
bool Checker::isArrayParam(const ast::TypeExpr *t, const ast::DefDecl *def) {
  Type type = namedType(t, def);
  return isa<ast::ArrayType>(t) || (type && type.isArray());
}

bool Checker::isFunctionParam(const ast::TypeExpr *t, const ast::DefDecl *def) {
  Type type = namedType(t, def);
  return isa<ast::FnType>(t) || (type && type.isFunction());
}

Type Checker::declaredResult(const ast::DefDecl *def) {
  if (def->result)
    return typeOf(def->result, TypeUse::Declared);
  return def->namedResults.empty() ? Type()
                                   : namedResultTypes(def->namedResults);
}

/// `?` in a result is a new size at each call, whatever the body shows.
static Type forgetSizes(const Type &actual, const Type &declared,
                        Variable *unknown) {
  if (declared.isTuple() && actual.isTuple()) {
    std::vector<Type> all;
    for (auto [a, d] : llvm::zip(actual.components(), declared.components()))
      all.push_back(forgetSizes(a.type, d.type, unknown));
    return Type::tuple(std::move(all));
  }
  if (!declared.isArray() || !actual.isArray())
    return actual;
  std::vector<Dim> dims;
  for (auto [a, d] : llvm::zip(actual.dims(), declared.dims()))
    dims.push_back(
        !d.ragged && d.size.asVariable() == unknown ? Dim(Size(unknown)) : a);
  return Type::array(actual.element(), dims);
}

/// Whether arrays of one rank are nested alike in tuples.
static bool sameShape(const Type &declared, const Type &actual) {
  if (declared.isTuple()) {
    Type parts = actual.element();
    if (!parts.isTuple() || parts.numComponents() != declared.numComponents())
      return false;
    for (unsigned k = 0; k < declared.numComponents(); ++k)
      if (!sameShape(declared.component(k), actual.component(k)))
        return false;
    return true;
  }
  return declared.isArray() == actual.isArray() &&
         (!declared.isArray() || declared.rank() == actual.rank());
}

/// An argument of another rank binds no sizes: reports it before they are
/// looked for.
bool Checker::checkShapeOf(const ast::Param &p, const Given &given) {
  dimsUnknown = true;
  Type declared = typeOf(p.type, TypeUse::Declared);
  dimsUnknown = false;
  if (declared.isError() || sameShape(declared, given.value.expr->type))
    return true;
  return !coerce(given.value.expr, declared, Purpose::Argument, given.loc,
                 p.name.text.str(), p.range)
              ->type.isError();
}

Value Checker::callDef(TopDecl &decl, std::vector<Given> args, SMRange loc) {
  auto *def = cast<ast::DefDecl>(decl.decl);
  if (decl.state == TopDecl::State::Working ||
      llvm::is_contained(expanding, &decl)) {
    report(diag::recursion, loc, def->name.text)
        .place(def->name.range, "declared here")
        .help("functions cannot call themselves, directly or not: write a "
              "'while' or a 'loop'");
    return error(loc);
  }
  checkDef(decl);
  if (decl.bad) {
    defHasErrors = true;
    return error(loc); // reported where it was checked by itself
  }
  if (!orderArgs(def->params, def->name.text, args, loc, def->name.range,
                 decl.module))
    return error(loc);
  for (auto [p, g] : llvm::zip(def->params, args)) {
    bool wantsFn = isFunctionParam(p.type, def);
    if (auto *type = dyn_cast<ast::FnType>(p.type);
        type && g.value.fn && g.value.fn->kind == FnValue::Kind::Lambda &&
        g.value.fn->lambda->params.size() != type->params.size()) {
      reportLambda(g.value.fn->lambda, type->params.size());
      return error(loc);
    }
    if (wantsFn == bool(g.value.fn))
      continue;
    if (g.value.fn)
      report(diag::function_as_value, g.loc, g.value.fn->name);
    else if (!g.value.expr->type.isError())
      report(diag::function_expected, g.loc, p.name.text,
             g.value.expr->type.str())
          .help("give a function, a section '(+)' or a lambda");
    return error(loc);
  }

  auto *call = program->make<hir::CallSite>();
  call->call = loc;
  call->outer = site;
  call->callee = def->name.text.str();
  NameScope names(*this, Scope::Kind::Function, nullptr, decl.module);

  bool anyArray = llvm::any_of(def->params, [&](const ast::Param &p) {
    return isArrayParam(p.type, def);
  });
  if (!anyArray && !def->isExtern && givesArray(args)) {
    auto *fn = program->make<FnValue>();
    fn->kind = FnValue::Kind::Def;
    fn->name = def->name.text.str();
    fn->decl = &decl;
    return mapCall(fn, std::move(args), loc);
  }
  if (!bindTypeParams(def, args, *call, loc))
    return error(loc);

  // Scalars first: ints among them may be sizes.
  std::vector<Value> values(args.size());
  auto bind = [&](unsigned k, Purpose purpose) {
    const ast::Param &p = def->params[k];
    Given &g = args[k];
    if (g.value.fn) {
      auto *fn = program->make<FnValue>(*g.value.fn);
      fn->type = typeOf(p.type, TypeUse::Plain);
      if (fn->type.isError())
        return false;
      bindParam(p.name, Value(fn));
      values[k] = Value(fn);
      return true;
    }
    Type t = typeOf(p.type, TypeUse::Declared);
    Expr *view = g.value.view;
    Expr *e =
        coerce(g.value.expr, t, purpose, g.loc, p.name.text.str(), p.range);
    if (e->type.isError())
      return false;
    if (e->type.isOpen())
      e = fix(e);
    Value v(e);
    v.view = view;
    bindParam(p.name, v);
    values[k] = v;
    return true;
  };
  auto isLate = [&](unsigned k) {
    return isArrayParam(def->params[k].type, def) ||
           isa<ast::TupleType>(def->params[k].type) ||
           isFunctionParam(def->params[k].type, def);
  };
  for (unsigned k = 0; k < args.size(); ++k)
    if (!isLate(k) && !bind(k, Purpose::Argument))
      return error(loc);
  std::vector<SizeUse> uses;
  for (unsigned k = 0; k < args.size(); ++k)
    if (isLate(k) && args[k].value.expr &&
        !checkShapeOf(def->params[k], args[k]))
      return error(loc);
  for (unsigned k = 0; k < args.size(); ++k)
    if (isLate(k) && args[k].value.expr)
      collectSizes(def->params[k].type, args[k].value.expr->type, uses);
  if (!bindSizeNames(uses, loc, false))
    return error(loc);
  for (unsigned k = 0; k < args.size(); ++k)
    if (isLate(k) && !bind(k, Purpose::Argument))
      return error(loc);

  const hir::CallSite *saved = std::exchange(site, call);
  Value result;
  if (def->isExtern) {
    result = callExtern(decl, values, loc);
  } else {
    addWhere(def, false);
    FastScope flags(*this, defAttrs(def));
    expanding.push_back(&decl);
    Type declared = declaredResult(def);
    if (!def->body) {
      result = error(loc);
    } else {
      result = checkBlock(def->body, true, declared);
      if (result.fn) {
        report(diag::function_as_value, def->body->range, result.fn->name);
        result = error(loc);
      }
      if (declared) {
        Expr *view = result.view;
        Expr *e =
            coerce(result.expr, declared, Purpose::Result, result.expr->loc);
        if (hasUnknown(declared) && !e->type.isError()) {
          e = forgetSizesOf(e, declared);
          bindResultNames(def, e->type);
        }
        result = e;
        result.view = e->type.isError() ? nullptr : view;
      } else {
        Expr *view = result.view;
        result = fix(result.expr);
        result.view = view;
      }
    }
    expanding.pop_back();
    // In a body a call makes no array of its own.
    if (!bodyDepth && llvm::any_of(defAttrs(def), [](const hir::Attr &a) {
          return a.name == "noinline";
        }))
      result = fenceValue(result);
  }
  site = saved;
  return result;
}

/// The arrays of a value, kept apart from what makes them.
Expr *Checker::fenceArrays(Expr *e) {
  if (auto *t = dyn_cast<hir::TupleExpr>(e); t && e->type.isTuple()) {
    for (Expr *&x : t->elements)
      x = fenceArrays(x);
    return e;
  }
  bool isArray = llvm::any_of(e->type.leaves(), [](const Type::Leaf &leaf) {
    return !leaf.dims.empty();
  });
  if (e->type.isError() || !isArray)
    return e;
  return make<hir::ArrayOpExpr>(hir::ArrayOpExpr::Op::Fence,
                                std::vector<Expr *>{e}, e->type, e->loc);
}

Value Checker::fenceValue(const Value &value) {
  if (!value.expr)
    return value;
  if (!value.view)
    return Value(fenceArrays(value.expr));
  Expr *view = value.view;
  while (auto *r = dyn_cast<hir::VarRefExpr>(view)) {
    if (!info(r->var).init)
      return value;
    view = info(r->var).init;
  }
  auto *extend = dyn_cast<hir::ExtendExpr>(view);
  if (!extend)
    return value;
  // What is read beyond its edges is the array that is kept apart.
  Value result(reference(fenceArrays(clone(extend->array))));
  std::vector<Expr *> fills;
  for (Expr *fill : extend->fills)
    fills.push_back(fill ? clone(fill) : nullptr);
  result.view = make<hir::ExtendExpr>(clone(result.expr), extend->modes, fills,
                                      extend->type, extend->loc);
  return result;
}

/// The same value, its sizes named anew where `?` is declared.
Expr *Checker::forgetSizesOf(Expr *e, const Type &declared) {
  if (auto *t = dyn_cast<hir::TupleExpr>(e); t && declared.isTuple()) {
    std::vector<Type> types;
    for (auto [x, c] : llvm::zip(t->elements, declared.components())) {
      x = forgetSizesOf(x, c.type);
      types.push_back(x->type);
    }
    e->type = Type::tuple(types);
    return e;
  }
  if (!hasUnknown(declared))
    return e;
  // What is computed keeps its own sizes; a reference forgets them.
  e = clone(reference(e));
  e->type = forgetSizes(e->type, declared, unknown);
  return bindUnknowns(e);
}

Value Checker::callExtern(TopDecl &decl, ArrayRef<Value> values, SMRange loc) {
  auto *def = cast<ast::DefDecl>(decl.decl);
  if (bodyDepth) {
    site = site->outer; // the caller's mistake
    report(diag::extern_in_body, loc, def->name.text)
        .help("call it outside of 'for' bodies");
    return error(loc);
  }
  std::vector<Expr *> args;
  for (auto [param, v] : llvm::zip(def->params, values)) {
    // A function: the declaration has its error.
    if (!v.expr)
      return error(loc);
    // What the parameter is bound to is computed once.
    Binding *b = lookupLocal(param.name.text);
    bool isBound = b && b->kind == Binding::Kind::Variable;
    args.push_back(isBound ? ref(b->var, v.expr->loc) : v.expr);
  }
  Type type = declaredResult(def);
  if (type.isError())
    return error(loc);
  auto *x = make<hir::ExternCallExpr>(def->name.text.str(), args, type, loc);
  llvm::StringSet<> seen;
  for (auto [param, arg] : llvm::zip(def->params, args)) {
    std::vector<SizeUse> uses;
    collectSizes(param.type, arg->type, uses);
    for (const SizeUse &use : uses) {
      if (!use.dim) {
        x->sizes.push_back(use.size);
        continue;
      }
      std::vector<const ast::NameExpr *> names;
      collectSizeNames(use.dim, names);
      for (const ast::NameExpr *name : names)
        if (Binding *b = lookupLocal(name->name);
            b && b->kind == Binding::Kind::Size &&
            seen.insert(name->name).second)
          x->sizes.push_back(b->size);
    }
  }
  return bindUnknowns(x);
}
