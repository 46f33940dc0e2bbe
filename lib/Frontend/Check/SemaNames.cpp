//===- SemaNames.cpp - Scopes, and what a name stands for -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

#include "arrc/Frontend/Lexer.h"

#include <cmath>

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

void Checker::pushScope(Scope::Kind kind, Scope *parent,
                        const ModuleInfo *module) {
  scope = program->make<Scope>();
  scope->kind = kind;
  scope->parent = parent;
  scope->module = module;
}

/// A range as a person writes it.
static std::string rangeText(const hir::Range &range) {
  Size end = range.end ? *range.end : range.lo + range.size * range.step;
  std::string text = range.lo.str() + ":" + end.str();
  return range.step == Size(1) ? text : text + ":" + range.step.str();
}

void Checker::tellIndex(Variable *index) {
  const auto &range = info(index).range;
  if (options.seen && range)
    options.seen(
        {index->loc, index->name, index->type.str(), rangeText(*range)});
}

void Checker::tellNames() {
  for (auto &entry : scope->names) {
    const Binding *b = entry.second;
    SeenName seen{b->loc, b->name, "", ""};
    if (b->kind == Binding::Kind::Variable && b->var)
      seen.type = b->var->type.str();
    else if (b->kind == Binding::Kind::Open && b->expr)
      seen.type = b->expr->type.str();
    else if (b->kind == Binding::Kind::Size)
      seen.type = "size";
    if (b->kind == Binding::Kind::Variable && b->var &&
        b->var->kind == Variable::Kind::Index)
      if (const auto &range = info(b->var).range)
        seen.range = rangeText(*range);
    options.seen(seen);
  }
}

void Checker::closeScope() {
  if (options.seen)
    tellNames();
  for (auto &entry : scope->names) {
    Binding *b = entry.second;
    if (b->warnUnused && !b->used && !StringRef(b->name).starts_with("_"))
      warn(diag::unused_let, b->loc, b->name);
    if (b->warnUnused && !site)
      endedNames[b->name] = b->loc;
  }
}

void Checker::forEachScope(llvm::function_ref<bool(Scope &, unsigned)> fn) {
  unsigned limit = ~0u;
  for (Scope *s = scope; s; s = s->parent) {
    if (fn(*s, limit))
      return;
    limit = std::min(limit, s->limit);
  }
}

Binding *Checker::lookupLocal(StringRef name) {
  Binding *found = nullptr;
  forEachScope([&](Scope &s, unsigned limit) {
    auto it = s.names.find(name);
    if (it != s.names.end() && it->second->id < limit)
      found = it->second;
    return found != nullptr;
  });
  return found;
}

TopDecl *Checker::lookupTop(StringRef name) {
  auto it = scope->module->names.find(name);
  return it == scope->module->names.end() ? nullptr : it->second;
}

Binding *Checker::declare(StringRef name, SMRange loc, Binding::Kind kind) {
  auto *b = program->make<Binding>();
  b->id = numBindings++;
  b->kind = kind;
  b->name = name.str();
  b->loc = loc;
  if (name == "_")
    return b;
  if (Binding *old = lookupLocal(name); old && !old->isEnd) {
    Diagnostic &d = report(diag::name_taken, loc, name);
    d.place(old->loc, "'" + name + "' is declared here");
    if (old->var && old->var->kind == Variable::Kind::Var)
      d.help("to change it, leave out 'let': '" + name + " = ..'");
    else
      d.help("a local name never hides another one: choose a new name");
    return b;
  }
  scope->names[name] = b;
  return b;
}

std::string Checker::suggestion(StringRef name, bool types) {
  std::string best;
  if (diags.isFull()) // it would not be shown, and all names are compared
    return best;
  unsigned least = name.size() <= 2 ? 1 : name.size() <= 4 ? 2 : 3;
  auto offer = [&](StringRef known) {
    unsigned d = name.edit_distance(known, true, least);
    if (d < least) {
      least = d;
      best = known.str();
    }
  };
  if (!types)
    forEachScope([&](Scope &s, unsigned limit) {
      for (auto &entry : s.names)
        if (entry.second->id < limit)
          offer(entry.first());
      return false;
    });
  if (scope)
    for (const TopDecl *d : scope->module->order)
      offer(d->decl->name.text);
  static const char *const known[] = {
#define FUNCTION(id, name, minArgs, maxArgs, rule) name,
#include "arrc/Frontend/Builtins.def"
      "sum",       "prod",    "any",     "all",    "count",  "mean",
      "argmin",    "argmax",  "reduce",  "scan",   "exscan", "hist",
      "scatter",   "zeros",   "ones",    "full",   "iota",   "size",
      "transpose", "reshape", "flatten", "zip",    "concat", "reverse",
      "roll",      "sort",    "argsort", "extend", "pi",     "inf",
      "nan"};
  static const char *const typeNames[] = {
      "bool", "i8",  "i16", "i32", "i64",  "u8",  "u16",  "u32",
      "u64",  "f16", "f32", "f64", "bf16", "c64", "c128", "int"};
  if (types)
    for (const char *t : typeNames)
      offer(t);
  else
    for (const char *k : known)
      offer(k);
  return best;
}

Value Checker::useBinding(Binding *b, SMRange loc) {
  tellUse(loc, b->loc);
  b->used = true;
  switch (b->kind) {
  case Binding::Kind::Variable: {
    Value v(ref(b->var, loc));
    if (b->expr) { // an array that a view looks at
      v.expr = clone(b->expr);
      v.expr->loc = loc;
      v.view = make<hir::VarRefExpr>(b->var, b->var->type, loc);
    }
    return v;
  }
  case Binding::Kind::Open: {
    Expr *e = clone(b->expr);
    e->loc = loc;
    Value v(e);
    if (b->view) {
      v.view = clone(b->view);
      v.view->loc = loc;
    }
    return v;
  }
  case Binding::Kind::Size:
    return sizeExpr(b->size, loc);
  case Binding::Kind::Function:
    return Value(b->fn);
  case Binding::Kind::Type:
    report(diag::type_as_value, loc, b->name);
    return error(loc);
  case Binding::Kind::Error:
    return error(loc);
  }
  llvm_unreachable("no such binding");
}

Value Checker::useTop(TopDecl *d, SMRange loc) {
  tellUse(loc, d->decl->name.range);
  d->used = true;
  switch (d->decl->kind) {
  case ast::Decl::Kind::Const:
    return useConst(d, loc);
  case ast::Decl::Kind::Def: {
    auto *fn = program->make<FnValue>();
    fn->kind = FnValue::Kind::Def;
    fn->loc = d->decl->name.range;
    fn->name = d->decl->name.text.str();
    fn->decl = d;
    fn->numExpanding = expanding.size();
    return Value(fn);
  }
  case ast::Decl::Kind::Import:
    report(diag::module_as_value, loc, d->decl->name.text);
    return error(loc);
  case ast::Decl::Kind::Struct:
  case ast::Decl::Kind::Alias:
    report(diag::type_as_value, loc, d->decl->name.text);
    return error(loc);
  }
  llvm_unreachable("no such declaration");
}

void Checker::reportArgument(const ast::Name &argument, StringRef function) {
  Diagnostic &d =
      report(diag::no_such_argument, argument.range, function, argument.text);
  if (StringRef help = foreignArgumentHelp(argument.text); !help.empty())
    d.help(help);
}

std::string Checker::moduleHelp(StringRef name, StringRef text) {
  for (TopDecl *d : scope->module->order) {
    auto *import = dyn_cast<ast::ImportDecl>(d->decl);
    if (!import || !import->module || name.starts_with("_") ||
        !modules[import->module]->names.contains(name))
      continue;
    d->used = true;
    return ("write '" + import->name.text + "." + text + "'").str();
  }
  return "";
}

/// How a call of a function of the library is written, that nothing imports.
static std::string libraryHelp(StringRef name, StringRef text) {
  std::string file = standardFileOf(name);
  if (file.empty())
    return "";
  StringRef module = StringRef(file).drop_front(StringRef("std/").size());
  module.consume_back(".arr");
  return ("write '" + module + "." + text + "' after 'import \"" + file + "\"'")
      .str();
}

void Checker::reportUnknown(const ast::NameExpr *e, const ast::CallExpr *call) {
  Diagnostic &d = report(diag::unknown_name, e->range, e->name);
  // Past the limit it would not be shown, and all files are looked through.
  if (diags.isFull() || explainEnded(d, e->name))
    return;
  bool isCall = call && !call->isPipe;
  std::string text = isCall ? shortText(call->range) : e->name.str();
  if (text == "..")
    text = e->name.str() + "(..)";
  std::string help = moduleHelp(e->name, text);
  if (help.empty()) {
    std::string library = call ? libraryHelp(e->name, text) : "";
    StringRef foreign = foreignHelp(e->name);
    StringRef between = library.empty() || foreign.empty() ? "" : "; or ";
    help = library + between.str() + foreign.str();
  }
  std::string near = help.empty() ? suggestion(e->name) : "";
  if (!near.empty())
    help = "did you mean '" + near + "'?";
  if (!help.empty())
    d.help(help);
}

bool Checker::explainEnded(Diagnostic &d, StringRef name) {
  auto it = endedNames.find(name);
  if (it == endedNames.end())
    return false;
  d.place(it->second, "'" + name + "' is declared here, for this block alone");
  d.help("a name ends with its block: write 'let " + name +
         " = if .. { .. } else { .. }', or 'var " + name +
         " = ..' in front of it");
  return true;
}

Value Checker::checkName(const ast::NameExpr *e) {
  if (Binding *b = lookupLocal(e->name))
    return useBinding(b, e->range);
  if (TopDecl *d = lookupTop(e->name))
    return useTop(d, e->range);
  if (e->name == "pi")
    return constOpenFloat(M_PI, e->range);
  if (e->name == "inf")
    return constOpenFloat(HUGE_VAL, e->range);
  if (e->name == "nan")
    return constOpenFloat(std::nan(""), e->range);
  if (isBuiltinName(e->name)) {
    auto *fn = program->make<FnValue>();
    fn->kind = FnValue::Kind::Builtin;
    fn->loc = e->range;
    fn->name = e->name.str();
    return Value(fn);
  }
  if (scalarByName(e->name)) {
    report(diag::type_as_value, e->range, e->name)
        .help("a type is declared, 'let a: " + e->name.str() +
              "[n] = ..', or converts, '" + e->name.str() + "(..)'");
    return error(e->range);
  }
  reportUnknown(e, nullptr);
  return error(e->range);
}
