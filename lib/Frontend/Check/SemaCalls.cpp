//===- SemaCalls.cpp - Arguments, calls of lambdas and structs ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A call is expanded where it stands: the parameters are bound in a scope of
// their own, and the body is checked again with them. That gives generic
// functions, function arguments and views for free, and it ends because calls
// form no cycle.
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

#include "arrc/Frontend/Lexer.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// What is called
//===----------------------------------------------------------------------===//

std::vector<Checker::Given> Checker::checkArgs(ArrayRef<ast::Arg> args) {
  std::vector<Given> given;
  for (const ast::Arg &a : args) {
    Given g;
    g.value = check(a.value);
    g.loc = a.value->range;
    g.name = a.name.text.str();
    g.nameLoc = a.name.range;
    if (g.value.expr && g.value.expr->type.isNone()) {
      report(diag::no_value, g.loc);
      g.value = error(g.loc);
    }
    given.push_back(g);
  }
  return given;
}

Value Checker::convertOrBuild(const Type &type, const ast::CallExpr *e) {
  if (type.isError()) {
    (void)checkArgs(e->args);
    return error(e->range);
  }
  if (type.isStruct()) {
    std::vector<Given> args = checkArgs(e->args);
    return callStruct(type, std::move(args), e->range);
  }
  if (!type.isScalar()) {
    report(diag::cannot_convert_to, e->callee->range, type.str());
    return error(e->range);
  }
  if (e->args.size() != 1 || e->args[0].name) {
    report(diag::argument_count, e->range, name(type.scalar()).str(), "1",
           std::to_string(e->args.size()));
    return error(e->range);
  }
  Expr *x = checkValue(e->args[0].value);
  if (x->type.isError())
    return error(e->range);
  return convertCall(x, type.scalar(), e->range);
}

void Checker::helpWithPipe(Diagnostic &d) {
  bool ofArguments =
      d.id == diag::type_mismatch || d.id == diag::needs_array ||
      d.id == diag::size_not_int || d.id == diag::needs_array_argument ||
      d.id == diag::function_as_value || d.id == diag::function_expected;
  SMRange range = piped->range;
  if (!ofArguments || d.range.Start.getPointer() < range.Start.getPointer() ||
      d.range.End.getPointer() > range.End.getPointer() ||
      piped->args.size() < 2)
    return;
  // The value stands first in the text and last among the arguments.
  std::string value, others;
  for (const ast::Arg &a : piped->args) {
    std::string text = sourceText(a.value->range);
    if (a.value->range.Start == range.Start)
      value = text;
    else if (a.name)
      others += ", " + a.name.text.str() + " = " + text;
    else
      others += ", " + text;
  }
  d.help("'|>' gives its value as the last argument: write '" +
         sourceText(piped->callee->range) + "(" + value + others + ")'");
}

Value Checker::checkCall(const ast::CallExpr *e, Type expected) {
  llvm::SaveAndRestore<const ast::CallExpr *> here(piped,
                                                   e->isPipe ? e : nullptr);
  const ast::Expr *callee = e->callee;
  if (auto *n = dyn_cast<ast::NameExpr>(callee)) {
    Binding *local = lookupLocal(n->name);
    bool isType = isTypeName(callee);
    if (isType)
      return convertOrBuild(lookupType({}, {n->name, n->range}, true), e);
    TopDecl *top = local ? nullptr : lookupTop(n->name);
    if (!local && !top && isBuiltinName(n->name)) {
      if (n->name == "extend")
        return extendCall(e);
      if (isCombinator(n->name)) {
        unsigned positional = 0;
        for (const ast::Arg &a : e->args)
          positional += !a.name;
        bool pair = (n->name == "min" || n->name == "max") && positional >= 2;
        if (!pair)
          return combinatorCall(e, n->name, expected);
      }
      for (const ast::Arg &a : e->args)
        if (a.name && !foreignArgumentHelp(a.name.text).empty()) {
          reportArgument(a.name, n->name);
          return error(e->range);
        }
      return builtinCall(n->name, checkArgs(e->args), e->range, expected);
    }
    bool isNumber = n->name == "pi" || n->name == "inf" || n->name == "nan";
    if (!local && !top && !isNumber) {
      reportUnknown(n, e);
      (void)checkArgs(e->args);
      return error(e->range);
    }
  } else if (auto *f = dyn_cast<ast::FieldExpr>(callee);
             f && isTypeName(callee)) {
    auto *m = cast<ast::NameExpr>(f->base);
    return convertOrBuild(lookupType({m->name, m->range}, f->name, true), e);
  }
  Value fn = check(callee);
  if (!fn.fn) {
    if (!fn.expr->type.isError()) {
      Diagnostic &d =
          report(diag::not_callable, callee->range, fn.expr->type.str());
      if (fn.expr->type.isArray())
        d.help("index an array with brackets");
    }
    (void)checkArgs(e->args);
    return error(e->range);
  }
  return callFunction(fn.fn, checkArgs(e->args), e->range, expected);
}

bool Checker::givesArray(ArrayRef<Given> args) {
  return llvm::any_of(args, [](const Given &g) {
    return g.value.expr && g.value.expr->type.isArray();
  });
}

Value Checker::callFunction(FnValue *fn, std::vector<Given> args, SMRange loc,
                            Type expected) {
  if (llvm::any_of(args, [](const Given &g) {
        return g.value.expr && g.value.expr->type.isError();
      }))
    return error(loc);
  if (++callDepth > options.maxCallDepth) {
    --callDepth;
    report(diag::calls_too_deep, loc, std::to_string(options.maxCallDepth));
    return error(loc);
  }
  // A parameter of function type says what goes in and out.
  Type type = fn->type;
  if (type && fn->kind != FnValue::Kind::Opaque) {
    if (type.params().size() != args.size()) {
      report(diag::argument_count, loc, fn->name,
             std::to_string(type.params().size()), std::to_string(args.size()));
      --callDepth;
      return error(loc);
    }
    if (llvm::none_of(type.params(),
                      [](const Type &t) { return t.isArray(); }) &&
        givesArray(args)) {
      --callDepth;
      return mapCall(fn, std::move(args), loc);
    }
    for (auto [g, t] : llvm::zip(args, type.params()))
      if (g.value.expr)
        g.value = coerce(g.value.expr, t, Purpose::Argument, g.loc);
  }
  // A function that was given is no call by the one that it was given to:
  // `integ(fn(x) => integ(..), ..)` ends.
  std::vector<TopDecl *> saved = expanding;
  expanding.resize(std::min(expanding.size(), fn->numExpanding));
  Value result;
  switch (fn->kind) {
  case FnValue::Kind::Def:
    result = callDef(*fn->decl, std::move(args), loc);
    break;
  case FnValue::Kind::Lambda:
    result = callLambda(fn, std::move(args), loc);
    break;
  case FnValue::Kind::Builtin:
    if (isCombinator(fn->name) && args.size() == 1 && args[0].value.expr) {
      Fold fold;
      std::string name = fn->name;
      fold.name = name;
      Expr *a = args[0].value.expr;
      if (!a->type.isArray()) {
        report(diag::needs_array, loc, "'" + name + "'", a->type.str());
        result = error(loc);
      } else if (beginFold(fold, {}, loc)) {
        std::vector<int64_t> axes;
        for (unsigned k = 0; k < a->type.rank(); ++k)
          axes.push_back(k);
        result = foldAxes(fold, reference(a), axes, loc, expected);
      } else {
        result = error(loc);
      }
      break;
    }
    result = builtinCall(fn->name, std::move(args), loc, expected);
    break;
  case FnValue::Kind::Section:
    if (args.size() != 2 || args[0].value.fn || args[1].value.fn) {
      report(diag::argument_count, loc, fn->name, "2",
             std::to_string(args.size()));
      result = error(loc);
    } else {
      result = binary(fn->op, args[0].value.expr, args[1].value.expr, loc);
    }
    break;
  case FnValue::Kind::Opaque: {
    std::vector<Expr *> values;
    bool bad = args.size() != type.params().size();
    if (bad)
      report(diag::argument_count, loc, fn->name,
             std::to_string(type.params().size()), std::to_string(args.size()));
    bool maps = llvm::none_of(type.params(),
                              [](const Type &t) { return t.isArray(); }) &&
                givesArray(args);
    if (!bad && maps) {
      result = mapCall(fn, std::move(args), loc);
      break;
    }
    for (unsigned k = 0; k < args.size() && !bad; ++k) {
      if (args[k].value.fn)
        continue;
      values.push_back(coerce(args[k].value.expr, type.params()[k],
                              Purpose::Argument, args[k].loc));
      bad |= values.back()->type.isError();
    }
    result =
        bad ? error(loc) : make<hir::OpaqueExpr>(values, type.result(), loc);
    break;
  }
  }
  expanding = std::move(saved);
  --callDepth;
  if (type && fn->kind != FnValue::Kind::Opaque && result.expr)
    result = coerce(result.expr, type.result(), Purpose::Result, loc);
  return result;
}

Expr *Checker::applyFn(FnValue *fn, std::vector<Expr *> args, SMRange loc) {
  std::vector<Given> given;
  for (Expr *a : args) {
    Given g;
    g.value = a;
    g.loc = loc;
    given.push_back(g);
  }
  Value v = callFunction(fn, std::move(given), loc, {});
  if (v.fn) {
    report(diag::function_as_value, loc, v.fn->name);
    return error(loc);
  }
  return v.expr;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Puts arguments in the order of the parameters and fills in defaults.
bool Checker::orderArgs(ArrayRef<ast::Param> params, StringRef callee,
                        std::vector<Given> &args, SMRange loc, SMRange declLoc,
                        const ModuleInfo *module) {
  std::vector<std::optional<Given>> slots(params.size());
  unsigned next = 0;
  for (Given &g : args) {
    if (g.name.empty()) {
      if (next == params.size()) {
        report(diag::argument_count, loc, callee, std::to_string(params.size()),
               std::to_string(args.size()))
            .place(declLoc, "declared here");
        return false;
      }
      slots[next++] = g;
      continue;
    }
    bool found = false;
    for (unsigned k = 0; k < params.size(); ++k) {
      if (params[k].name.text != g.name)
        continue;
      found = true;
      if (slots[k]) {
        report(diag::argument_twice, g.loc, g.name);
        return false;
      }
      slots[k] = g;
    }
    if (!found) {
      Diagnostic &d = report(diag::no_such_argument, g.nameLoc, callee, g.name);
      std::string best;
      unsigned least = 3;
      for (auto [p, slot] : llvm::zip(params, slots)) {
        bool isGiven = slot || llvm::any_of(args, [&](const Given &other) {
                         return other.name == p.name.text;
                       });
        unsigned dist = p.name.text.edit_distance(g.name, true, least);
        if (!isGiven && dist < least) {
          least = dist;
          best = p.name.text.str();
        }
      }
      std::string all;
      for (const ast::Param &p : params)
        all += (all.empty() ? "'" : ", '") + p.name.text.str() + "'";
      if (!best.empty())
        d.help("did you mean '" + best + "'?");
      else if (!all.empty())
        d.help("its parameters are " + all);
      d.place(declLoc, "declared here");
      return false;
    }
  }
  args.clear();
  for (unsigned k = 0; k < params.size(); ++k) {
    if (!slots[k]) {
      if (!params[k].defaultValue) {
        report(diag::argument_missing, loc, callee, params[k].name.text)
            .place(params[k].range,
                   "'" + params[k].name.text + "' has no default");
        return false;
      }
      NameScope names(*this, Scope::Kind::Function, nullptr, module);
      Given g;
      g.value = check(params[k].defaultValue);
      g.loc = loc;
      slots[k] = g;
    }
    args.push_back(*slots[k]);
  }
  return true;
}

Expr *Checker::mapCall(FnValue *fn, std::vector<Given> args, SMRange loc) {
  std::vector<Expr *> values;
  for (const Given &g : args)
    if (g.value.expr)
      values.push_back(g.value.expr);
  return elementwise(
      values,
      [&](std::vector<Expr *> elements) -> Expr * {
        std::vector<Given> inner = args;
        unsigned k = 0;
        for (Given &g : inner)
          if (g.value.expr)
            g.value = Value(elements[k++]);
        Value v = callFunction(fn, inner, loc, {});
        if (v.fn) {
          report(diag::function_as_value, loc, v.fn->name);
          return error(loc);
        }
        return v.expr;
      },
      loc, "'" + fn->name + "'");
}

/// Binds a parameter to what was given for it.
void Checker::bindParam(const ast::Name &name, Value v) {
  if (v.fn) {
    Binding *b = declare(name.text, name.range, Binding::Kind::Function);
    b->fn = v.fn;
    return;
  }
  Expr *e = v.expr;
  if (v.view) {
    if (isa<hir::ExtendExpr>(v.view))
      v.view = ref(emitLet(name.text, v.view, name.range), name.range);
    Binding *b = declare(name.text, name.range, Binding::Kind::Open);
    b->expr = e;
    b->view = v.view;
    return;
  }
  if (isPureOpen(e)) {
    Binding *b = declare(name.text, name.range, Binding::Kind::Open);
    b->expr = snapshot(e);
    return;
  }
  e = fix(e);
  Binding *b = declare(name.text, name.range, Binding::Kind::Variable);
  auto *r = dyn_cast<hir::VarRefExpr>(e);
  bool alias = r && (r->var->kind == Variable::Kind::Let ||
                     r->var->kind == Variable::Kind::Param);
  b->var = alias ? r->var : emitLet(name.text, e, name.range);
}

//===----------------------------------------------------------------------===//
// Lambdas
//===----------------------------------------------------------------------===//

void Checker::reportLambda(const ast::LambdaExpr *lambda, size_t wanted) {
  auto count = [](size_t n, StringRef what) {
    return std::to_string(n) + " " + what.str() + (n == 1 ? "" : "s");
  };
  std::string names;
  for (size_t k = 0; k < wanted; ++k) {
    names += k ? ", " : "";
    names += k < lambda->params.size() ? lambda->params[k].name.text.str()
                                       : std::string(1, "xyzuvw"[k % 6]);
  }
  report(diag::lambda_parameters, lambda->range,
         count(lambda->params.size(), "parameter"), count(wanted, "value"))
      .help("write 'fn(" + names + ") => ..'");
}

Value Checker::callLambda(FnValue *fn, std::vector<Given> args, SMRange loc) {
  const ast::LambdaExpr *l = fn->lambda;
  if (l->params.size() != args.size()) {
    // Where it was given to what calls it, it is what has to change.
    if (loc.Start.getPointer() <= l->range.Start.getPointer() &&
        l->range.End.getPointer() <= loc.End.getPointer())
      reportLambda(l, args.size());
    else
      report(diag::argument_count, loc, fn->name,
             std::to_string(l->params.size()), std::to_string(args.size()))
          .place(l->range, "the lambda");
    return error(loc);
  }
  NameScope names(*this, Scope::Kind::Body, fn->scope, fn->module);
  scope->limit = fn->numBindings;
  std::vector<Type> types;
  for (const ast::LambdaParam &p : l->params) {
    types.push_back(p.type ? typeOf(p.type, TypeUse::Plain) : Type());
    if (p.type && types.back().isError())
      return error(loc);
  }
  // A lambda of typed scalars maps, as a function does.
  bool scalars =
      llvm::all_of(types, [](const Type &t) { return t && !t.isArray(); });
  if (scalars && givesArray(args))
    return mapCall(fn, std::move(args), loc);
  hir::CallSite *call = program->make<hir::CallSite>();
  call->call = loc;
  call->outer = site;
  call->callee = fn->name;
  for (auto [p, t, g] : llvm::zip(l->params, types, args)) {
    if (!g.name.empty()) {
      report(diag::no_such_argument, g.loc, fn->name, g.name);
      return error(loc);
    }
    Value v = g.value;
    if (t) {
      if (v.fn)
        return error(loc);
      v = coerce(v.expr, t, Purpose::Argument, g.loc, p.name.text.str());
      if (v.expr->type.isError())
        return error(loc);
    }
    bindParam(p.name, v);
  }
  const hir::CallSite *saved = std::exchange(site, call);
  Value v = checkBlock(l->body, true, {});
  site = saved;
  return v;
}
