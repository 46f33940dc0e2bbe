//===- Sema.cpp - From the tree to the checked program --------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "arrc/Frontend/Sema.h"

#include "SemaContext.h"

#include "llvm/ADT/StringSwitch.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

std::unique_ptr<hir::Program> arrc::analyze(const ast::Program &program,
                                            DiagnosticEngine &diags,
                                            const SemaOptions &options) {
  return Checker(program, diags, options).run();
}

Checker::Checker(const ast::Program &ast, DiagnosticEngine &diags,
                 const SemaOptions &options)
    : ast(ast), diags(diags), options(options),
      program(std::make_unique<hir::Program>()) {
  unknown = newVariable(Variable::Kind::Let, "?", Type::integer(), {});
}

std::string Checker::sourceText(SMRange range) const {
  if (!range.isValid())
    return "";
  return std::string(range.Start.getPointer(),
                     range.End.getPointer() - range.Start.getPointer());
}

std::string Checker::shortText(SMRange range) const {
  std::string text = sourceText(range);
  bool isShort = text.size() <= 40 && text.find('\n') == std::string::npos;
  return isShort ? text : "..";
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void Checker::collect(ast::Module *module) {
  auto *m = program->make<ModuleInfo>();
  m->ast = module;
  m->isMain = module == ast.main();
  modules[module] = m;
  moduleOrder.push_back(m);
  for (ast::Decl *d : module->decls) {
    auto *top = program->make<TopDecl>();
    top->decl = d;
    top->module = m;
    m->order.push_back(top);
    StringRef name = d->name.text;
    if (scalarByName(name)) {
      report(diag::builtin_type_redeclared, d->name.range, name);
      continue;
    }
    auto [it, fresh] = m->names.try_emplace(name, top);
    if (!fresh)
      report(diag::declared_twice, d->name.range, name)
          .place(it->second->decl->name.range, "first declared here");
  }
}

std::unique_ptr<hir::Program> Checker::run() {
  for (ast::Module *m : ast.modules)
    collect(m);
  for (ModuleInfo *m : moduleOrder) {
    for (TopDecl *d : m->order) {
      ContextScope context(*this, m);
      switch (d->decl->kind) {
      case ast::Decl::Kind::Struct:
      case ast::Decl::Kind::Alias:
        checkAttrs(d->decl->attrs, "a type");
        resolveType(*d);
        break;
      case ast::Decl::Kind::Const:
        checkAttrs(d->decl->attrs, "a 'const'");
        resolveConst(*d);
        break;
      case ast::Decl::Kind::Import:
        checkAttrs(d->decl->attrs, "an 'import'");
        break;
      case ast::Decl::Kind::Def:
        checkDef(*d);
        break;
      }
    }
    for (TopDecl *d : m->order)
      if (d->hir && m->isMain && cast<ast::DefDecl>(d->decl)->isExport)
        program->exports.push_back(d->hir);
    warnUnusedImports(*m);
    flushWarnings();
  }
  return std::move(program);
}

void Checker::warnUnusedImports(ModuleInfo &m) {
  for (TopDecl *d : m.order)
    if (isa<ast::ImportDecl>(d->decl) && !d->used &&
        !d->decl->name.text.starts_with("_"))
      warn(diag::unused_import, d->decl->name.range, d->decl->name.text);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

void Checker::resolveConst(TopDecl &decl) {
  auto *c = cast<ast::ConstDecl>(decl.decl);
  if (decl.state == TopDecl::State::Working) {
    report(diag::const_cycle, c->name.range, c->name.text);
    return;
  }
  if (decl.state != TopDecl::State::New)
    return;
  DepthScope level(*this, c->name.range);
  if (gaveUp)
    return;
  decl.state = TopDecl::State::Working;
  {
    ContextScope context(*this, decl.module);
    hir::Block scratch;
    BuilderScope b(*this, &scratch, false);
    NameScope names(*this, Scope::Kind::Function, nullptr, decl.module);
    Type declared;
    if (c->type)
      declared = typeOf(c->type, TypeUse::Constant);
    Value v = check(c->value, declared);
    if (v.fn) {
      report(diag::function_as_value, c->value->range, v.fn->name);
      v = error(c->value->range);
    }
    Expr *e = v.expr;
    if (declared)
      e = coerce(e, declared, Purpose::Let, c->value->range,
                 c->name.text.str());
    e = constantOf(e, c->value->range, "'" + c->name.text.str() + "'");
    decl.value = e;
  }
  decl.state = TopDecl::State::Done;
}

Expr *Checker::useConst(TopDecl *d, SMRange loc) {
  resolveConst(*d);
  if (!d->value || d->value->type.isError())
    return error(loc);
  if (!d->value->type.isArray() || d->value->type.isOpen() ||
      builders.empty()) {
    Expr *e = clone(d->value);
    e->loc = loc;
    return e;
  }
  // One variable an export, at its beginning.
  Variable *&v = constVars[d];
  if (!v) {
    Expr *value = clone(d->value);
    v = newVariable(Variable::Kind::Let, d->decl->name.text, value->type,
                    d->decl->name.range);
    info(v).init = value;
    info(v).level = 0;
    auto &stmts = builders.front()->block->stmts;
    stmts.insert(stmts.begin(),
                 make<hir::LetStmt>(v, value, d->decl->name.range));
  }
  return ref(v, loc);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
struct AttrRow {
  StringRef name;
  /// Where it may stand.
  ArrayRef<StringRef> places;
  /// Arguments: a number; -1 one for each index.
  int args;
};
} // namespace

std::vector<hir::Attr> Checker::checkAttrs(ArrayRef<ast::Attr> attrs,
                                           StringRef place,
                                           unsigned numIndices) {
  static const StringRef forOnly[] = {"a 'for'"};
  static const StringRef loops[] = {"a 'for'", "a 'loop'"};
  static const StringRef bodies[] = {"a 'for'", "a 'def'"};
  static const StringRef assigns[] = {"an assignment"};
  static const StringRef defs[] = {"a 'def'"};
  static const AttrRow table[] = {
      {"tile", forOnly, -1}, {"split", forOnly, 1},   {"seq", loops, 0},
      {"unroll", loops, 1},  {"fast", bodies, 0},     {"unsafe", bodies, 0},
      {"exact", bodies, 0},  {"inplace", assigns, 0}, {"inline", defs, 0},
      {"noinline", defs, 0}};
  std::vector<hir::Attr> result;
  for (const ast::Attr &a : attrs) {
    const AttrRow *row = nullptr;
    StringRef best;
    unsigned least = 3;
    for (const AttrRow &r : table) {
      if (r.name == a.name.text)
        row = &r;
      unsigned dist = r.name.edit_distance(a.name.text, true, least);
      if (dist < least) {
        least = dist;
        best = r.name;
      }
    }
    if (!row) {
      Diagnostic &d = report(diag::unknown_attribute, a.range, a.name.text);
      if (!best.empty())
        d.help("did you mean '@" + best + "'?");
      continue;
    }
    if (!llvm::is_contained(row->places, place)) {
      report(diag::attribute_place, a.range, a.name.text, place)
          .help("it stands before " + row->places[0] +
                (row->places.size() > 1 ? " or " + row->places[1] : ""));
      continue;
    }
    size_t wanted = row->args < 0 ? numIndices : row->args;
    if (a.args.size() != wanted) {
      report(diag::attribute_arguments, a.range, a.name.text,
             std::to_string(wanted), std::to_string(a.args.size()));
      continue;
    }
    hir::Attr attr{a.name.text.str(), {}};
    bool bad = false;
    for (const ast::Arg &arg : a.args) {
      hir::Block scratch;
      BuilderScope b(*this, &scratch, false);
      Expr *e = checkValue(arg.value);
      auto c = e->type.isError() ? std::nullopt : constantInt(e);
      bool isIndex = row->name == "split";
      bool ok = c && *c >= (isIndex ? 0 : 1);
      if (isIndex && c && (*c < 0 || *c >= int64_t(numIndices))) {
        ok = false;
        report(diag::split_index, arg.value->range, std::to_string(*c),
               numIndices == 1
                   ? std::string("index 0 alone")
                   : "indices 0 to " + std::to_string(numIndices - 1));
      } else if (!ok && !e->type.isError())
        report(diag::attribute_constant, arg.value->range, a.name.text);
      bad |= !ok;
      if (ok)
        attr.args.push_back(*c);
    }
    if (!bad)
      result.push_back(std::move(attr));
  }
  return result;
}

std::vector<hir::Attr> Checker::defAttrs(const ast::DefDecl *def) {
  // Reported once, where the function is checked by itself.
  std::vector<hir::Attr> result;
  for (const ast::Attr &a : def->attrs)
    if (a.args.empty())
      result.push_back({a.name.text.str(), {}});
  return result;
}
