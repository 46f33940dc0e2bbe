//===- SemaTypes.cpp - Written types --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

#include "arrc/Frontend/Lexer.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Names of types
//===----------------------------------------------------------------------===//

Type Checker::withinLimit(Type type, SMRange range) {
  bool tooDeep = type.depth() > Type::maxDepth;
  if (!tooDeep && type.numScalars() <= Type::maxScalars)
    return type;
  report(tooDeep ? diag::nesting_too_deep : diag::type_too_large, range);
  return Type::error();
}

void Checker::resolveType(TopDecl &decl) {
  if (decl.state == TopDecl::State::Working) {
    report(diag::type_cycle, decl.decl->name.range, decl.decl->name.text);
    decl.state = TopDecl::State::Bad;
    decl.type = Type::error();
    return;
  }
  if (decl.state != TopDecl::State::New)
    return;
  DepthScope level(*this, decl.decl->name.range);
  if (gaveUp) {
    decl.type = Type::error();
    return;
  }
  decl.state = TopDecl::State::Working;
  // Sizes in there are constants: they need no block, but a place to stand.
  hir::Block scratch;
  std::vector<Builder *> saved;
  std::swap(saved, builders);
  const hir::CallSite *savedSite = std::exchange(site, nullptr);
  {
    BuilderScope b(*this, &scratch, false);
    NameScope names(*this, Scope::Kind::Function, nullptr, decl.module);
    if (auto *alias = dyn_cast<ast::AliasDecl>(decl.decl)) {
      decl.type = typeOf(alias->type, TypeUse::Constant);
    } else {
      auto *s = cast<ast::StructDecl>(decl.decl);
      std::vector<Component> fields;
      llvm::StringMap<SMRange> seen;
      bool bad = false;
      for (const ast::Param &p : s->fields) {
        if (!seen.try_emplace(p.name.text, p.name.range).second) {
          report(diag::field_twice, p.name.range, p.name.text)
              .place(seen[p.name.text], "first here");
          continue;
        }
        Type t = typeOf(p.type, TypeUse::Constant);
        if (t.isFunction()) {
          report(diag::function_in_struct, p.type->range);
          t = Type::error();
        }
        bad |= t.isError();
        fields.push_back({p.name.text.str(), t});
      }
      decl.type = bad ? Type::error()
                      : withinLimit(Type::structure(s, std::move(fields)),
                                    s->name.range);
    }
  }
  std::swap(saved, builders);
  site = savedSite;
  if (decl.state == TopDecl::State::Working)
    decl.state = TopDecl::State::Done;
}

Type Checker::lookupType(const ast::Name &module, const ast::Name &name,
                         bool complain) {
  TopDecl *d = nullptr;
  if (module) {
    TopDecl *m = lookupTop(module.text);
    auto *import = m ? dyn_cast<ast::ImportDecl>(m->decl) : nullptr;
    if (!import) {
      if (complain)
        report(diag::unknown_module, module.range, module.text)
            .help(
                !foreignTypeHelp(name.text).empty()
                    ? foreignTypeHelp(name.text)
                    : StringRef("a file is imported by 'import \"vec.arr\"'"));
      return complain ? Type::error() : Type();
    }
    m->used = true;
    if (!import->module)
      return Type::error();
    auto &names = modules[import->module]->names;
    auto it = names.find(name.text);
    if (it != names.end())
      d = it->second;
    if (d && name.text.starts_with("_") && complain)
      report(diag::private_name, name.range, name.text);
  } else {
    if (Binding *b = lookupLocal(name.text)) {
      if (b->kind == Binding::Kind::Type) {
        b->used = true;
        return b->type;
      }
      if (complain)
        report(diag::not_a_type, name.range, name.text)
            .place(b->loc, "'" + name.text + "' is a value");
      return complain ? Type::error() : Type();
    }
    d = lookupTop(name.text);
  }
  if (d && (isa<ast::AliasDecl>(d->decl) || isa<ast::StructDecl>(d->decl))) {
    d->used = true;
    tellUse(name.range, d->decl->name.range);
    resolveType(*d);
    return d->type;
  }
  if (!module && !d)
    if (auto k = scalarByName(name.text))
      return Type(*k);
  if (!complain)
    return {};
  if (d) {
    report(diag::not_a_type, name.range, name.text);
  } else {
    Diagnostic &diag = report(diag::unknown_type, name.range, name.text);
    if (StringRef help = foreignTypeHelp(name.text); !help.empty()) {
      diag.help(help);
      return Type::error();
    }
    std::string s = suggestion(name.text, true);
    if (!s.empty())
      diag.help("did you mean '" + s + "'?");
  }
  return Type::error();
}

bool Checker::isTypeName(const ast::Expr *e) {
  if (auto *n = dyn_cast<ast::NameExpr>(e)) {
    ast::Name name{n->name, n->range};
    return bool(lookupType({}, name, false));
  }
  if (auto *f = dyn_cast<ast::FieldExpr>(e))
    if (auto *m = dyn_cast<ast::NameExpr>(f->base); m && !lookupLocal(m->name))
      return bool(lookupType({m->name, m->range}, f->name, false));
  return false;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Whether a size expression uses one of the names.
static bool usesName(const ast::Expr *e, const llvm::StringSet<> &names) {
  if (auto *n = dyn_cast<ast::NameExpr>(e))
    return names.contains(n->name);
  if (auto *b = dyn_cast<ast::BinaryExpr>(e))
    return usesName(b->lhs, names) || usesName(b->rhs, names);
  if (auto *u = dyn_cast<ast::UnaryExpr>(e))
    return usesName(u->operand, names);
  return false;
}

static void collectNamedUnknowns(const ast::TypeExpr *t,
                                 llvm::StringSet<> &names) {
  if (auto *a = dyn_cast<ast::ArrayType>(t)) {
    for (const ast::Dim &d : a->dims)
      if (d.kind == ast::Dim::Kind::NamedUnknown)
        names.insert(d.name.text);
    collectNamedUnknowns(a->element, names);
  } else if (auto *tuple = dyn_cast<ast::TupleType>(t)) {
    for (const ast::TypeExpr *e : tuple->elements)
      collectNamedUnknowns(e, names);
  }
}

bool Checker::namesConstants(const ast::Dim &dim) {
  if (dim.kind != ast::Dim::Kind::Size)
    return false;
  std::vector<const ast::NameExpr *> names;
  collectSizeNames(dim.expr, names);
  return llvm::all_of(names, [&](const ast::NameExpr *n) {
    TopDecl *top = lookupTop(n->name);
    return !lookupLocal(n->name) && top && isa<ast::ConstDecl>(top->decl);
  });
}

std::string Checker::boxText(const ast::ArrayType *t) {
  llvm::StringSet<> taken;
  collectNamedUnknowns(t, taken);
  for (const ast::Dim &d : t->dims) {
    std::vector<const ast::NameExpr *> names;
    if (d.kind == ast::Dim::Kind::Size)
      collectSizeNames(d.expr, names);
    for (const ast::NameExpr *n : names)
      taken.insert(n->name);
  }
  auto newName = [&] {
    constexpr StringRef letters = "klpqrstuvwxyz";
    for (size_t n = 0;; ++n) {
      std::string name = n < letters.size() ? std::string(1, letters[n])
                                            : "k" + std::to_string(n);
      if (!lookupLocal(name) && taken.insert(name).second)
        return name;
    }
  };
  std::string text = sourceText(t->element->range) + "[";
  for (auto [k, d] : llvm::enumerate(t->dims)) {
    text += k ? ", " : "";
    bool isBare = k && d.kind == ast::Dim::Kind::Unknown;
    text += isBare ? "?" + newName() : sourceText(d.range);
  }
  return text + "]";
}

std::optional<Size> Checker::dimOf(const ast::Dim &dim, TypeUse use) {
  if (dimsUnknown)
    return Size(unknown);
  if (dim.kind != ast::Dim::Kind::Size) {
    if (use == TypeUse::Declared)
      return Size(unknown);
    Diagnostic &d = report(diag::unknown_size_here, dim.range);
    if (use == TypeUse::Constant)
      d.help("sizes in fields and aliases are constants; arrays of other sizes "
             "are parameters of their own");
    return std::nullopt;
  }
  if (use == TypeUse::Declared && usesName(dim.expr, namedUnknowns))
    return Size(unknown);
  if (auto *n = dyn_cast<ast::NameExpr>(dim.expr);
      n && use == TypeUse::Constant && !lookupLocal(n->name) &&
      !lookupTop(n->name)) {
    report(diag::unknown_name, n->range, n->name)
        .help("sizes in here are constants, 'const " + n->name +
              " = 8'; arrays of other sizes are parameters of their own");
    return std::nullopt;
  }
  Expr *e = checkValue(dim.expr);
  if (e->type.isError())
    return std::nullopt;
  if (!isIntScalar(e->type)) {
    report(diag::size_not_int, dim.range, e->type.str());
    return std::nullopt;
  }
  if (use == TypeUse::Constant) {
    if (!closeInt(e))
      return std::nullopt;
    auto c = constantInt(e);
    if (!c) {
      report(diag::size_not_constant, dim.range);
      return std::nullopt;
    }
    if (*c < 0) {
      report(diag::negative_size, dim.range, std::to_string(*c));
      return std::nullopt;
    }
    return Size(*c);
  }
  // Of a parameter the size is checked once all names are known.
  Size s = toSize(e);
  if (use == TypeUse::Plain)
    s = integerSize(s, dim.range);
  if (facts().isNonNegative(-s - 1)) {
    report(diag::negative_size, dim.range, s.str());
    return std::nullopt;
  }
  return s;
}

Type Checker::typeOf(const ast::TypeExpr *t, TypeUse use) {
  // Names that this type itself introduces.
  bool outermost = use == TypeUse::Declared && !inType;
  llvm::StringSet<> saved;
  if (outermost) {
    std::swap(saved, namedUnknowns);
    collectNamedUnknowns(t, namedUnknowns);
    inType = true;
  }
  Type result;
  switch (t->kind) {
  case ast::TypeExpr::Kind::Named: {
    auto *n = cast<ast::NamedType>(t);
    result = lookupType(n->module, n->name, true);
    break;
  }
  case ast::TypeExpr::Kind::Tuple: {
    std::vector<Type> all;
    for (const ast::TypeExpr *e : cast<ast::TupleType>(t)->elements)
      all.push_back(typeOf(e, use));
    result = withinLimit(Type::tuple(std::move(all)), t->range);
    break;
  }
  case ast::TypeExpr::Kind::Fn: {
    auto *f = cast<ast::FnType>(t);
    std::vector<Type> params;
    for (const ast::TypeExpr *p : f->params)
      params.push_back(typeOf(p, use));
    result = Type::function(std::move(params), typeOf(f->result, use));
    break;
  }
  case ast::TypeExpr::Kind::Array: {
    auto *a = cast<ast::ArrayType>(t);
    Type element = typeOf(a->element, use);
    std::vector<Dim> dims;
    bool bad = element.isError();
    for (auto [k, d] : llvm::enumerate(a->dims)) {
      if (k && d.kind == ast::Dim::Kind::Unknown && use == TypeUse::Declared) {
        dims.push_back(Dim::makeRagged());
        continue;
      }
      // Behind '?' no name is bound, so constants are known at once.
      bool isRow = llvm::any_of(dims, [](const Dim &x) { return x.ragged; });
      llvm::SaveAndRestore<bool> here(
          dimsUnknown, dimsUnknown && !(isRow && namesConstants(d)));
      auto s = dimOf(d, use);
      bad |= !s;
      if (s)
        dims.push_back(*s);
    }
    if (element.isFunction()) {
      report(diag::array_of_functions, a->range);
      bad = true;
    }
    bool ragged = false;
    for (auto [k, d] : llvm::enumerate(dims)) {
      if (!d.ragged && !(ragged && !d.size.isConstant()))
        continue;
      if (ragged) {
        report(diag::one_ragged, a->dims[k].range)
            .help("rows of different sizes are one '?', with constants behind "
                  "it; sizes that all rows share are written ('h // 2'), or "
                  "named where they are not known: '" +
                  boxText(a) + "'");
        bad = true;
      }
      ragged = true;
    }
    if (!bad && dims.size() + element.rank() > 8) {
      report(diag::rank_too_large, a->range);
      bad = true;
    }
    result = bad ? Type::error() : Type::array(element, std::move(dims));
    break;
  }
  }
  if (outermost) {
    std::swap(saved, namedUnknowns);
    inType = false;
  }
  return result;
}

void Checker::bindDeclaredNames(const ast::TypeExpr *t, const Type &actual) {
  bindDeclaredNames({{t, actual}});
}

void Checker::bindDeclaredNames(
    ArrayRef<std::pair<const ast::TypeExpr *, Type>> list) {
  llvm::StringSet<> names, bound;
  for (auto &[t, actual] : list) {
    collectNamedUnknowns(t, names);
    if (actual.isError())
      return;
  }
  if (names.empty())
    return;
  bool binding = true;
  std::function<void(const ast::TypeExpr *, const Type &)> visit =
      [&](const ast::TypeExpr *t, const Type &have) {
        if (auto *tuple = dyn_cast<ast::TupleType>(t)) {
          if (have.isTuple())
            for (auto [k, e] : llvm::enumerate(tuple->elements))
              visit(e, have.component(k));
          return;
        }
        auto *a = dyn_cast<ast::ArrayType>(t);
        if (!a || !have.isArray())
          return;
        for (auto [k, d] : llvm::enumerate(a->dims)) {
          const Size &s = have.dims()[k].size;
          if (binding && d.kind == ast::Dim::Kind::NamedUnknown) {
            if (!bound.insert(d.name.text).second) {
              requireSame(lookupLocal(d.name.text)->size, s, d.range,
                          d.name.text);
              continue;
            }
            Binding *b =
                declare(d.name.text, d.name.range, Binding::Kind::Size);
            b->size = s;
          } else if (!binding && d.kind == ast::Dim::Kind::Size &&
                     usesName(d.expr, names)) {
            Expr *e = checkValue(d.expr);
            if (isIntScalar(e->type))
              requireSame(toSize(e), s, d.range, sourceText(d.range));
          }
        }
      };
  // First the names themselves, then what is written with them.
  for (auto &[t, actual] : list)
    visit(t, actual);
  binding = false;
  for (auto &[t, actual] : list)
    visit(t, actual);
}

/// The `?k` of a list of results are known in all of them.
Type Checker::namedResultTypes(ArrayRef<ast::NamedResult> results) {
  llvm::StringSet<> saved;
  std::swap(saved, namedUnknowns);
  for (const ast::NamedResult &r : results)
    collectNamedUnknowns(r.type, namedUnknowns);
  bool wasIn = std::exchange(inType, true);
  std::vector<Type> all;
  for (const ast::NamedResult &r : results)
    all.push_back(typeOf(r.type, TypeUse::Declared));
  inType = wasIn;
  std::swap(saved, namedUnknowns);
  return all.size() == 1 ? all[0] : Type::tuple(all);
}

void Checker::bindResultNames(const ast::DefDecl *def, const Type &actual) {
  if (def->result)
    return bindDeclaredNames(def->result, actual);
  std::vector<std::pair<const ast::TypeExpr *, Type>> list;
  bool several = def->namedResults.size() > 1;
  for (auto [k, r] : llvm::enumerate(def->namedResults))
    list.push_back({r.type, several ? actual.component(k) : actual});
  bindDeclaredNames(list);
}

void Checker::requireSame(const Size &declared, const Size &have, SMRange loc,
                          StringRef name) {
  if (!requireEqual(declared, have, loc, "sizes differ"))
    report(diag::declared_size_differs, loc, "'" + name + "'", declared.str(),
           have.str());
}
