//===- SemaDefs.cpp - A function by itself --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Every function that is not generic is checked with sizes of its own, whether
// it is called or not. For an export the result is what the importer gets.
//
//===----------------------------------------------------------------------===//

#include "SemaContext.h"

#include "SemaFor.h"
#include "arrc/Support/IndexLimits.h"

#include "llvm/ADT/STLExtras.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void Checker::bindOwnParams(const ast::DefDecl *def, hir::Def &out) {
  std::vector<SizeUse> uses;
  std::vector<std::pair<const ast::Param *, Variable *>> arrays;
  std::vector<const ast::TypeExpr *> wrong;
  for (const ast::Param &p : def->params) {
    hir::Param param{};
    if (isFunctionParam(p.type, def)) {
      if (def->isExport)
        report(diag::export_function_param, p.type->range);
      if (def->isExtern)
        report(diag::extern_type, p.type->range, "a parameter", "a function");
      // Its sizes may name what arrays bind: resolved below.
      continue;
    }
    bool array = isArrayParam(p.type, def) || isa<ast::TupleType>(p.type);
    dimsUnknown = array;
    Type type = typeOf(p.type, TypeUse::Declared);
    dimsUnknown = false;
    Variable *v =
        newVariable(Variable::Kind::Param, p.name.text, type, p.name.range);
    Binding *b = declare(p.name.text, p.name.range,
                         type.isError() ? Binding::Kind::Error
                                        : Binding::Kind::Variable);
    b->var = v;
    param.var = v;
    param.typeText = sourceText(p.type->range);
    if (auto *a = dyn_cast<ast::ArrayType>(p.type))
      for (const ast::Dim &d : a->dims)
        param.dimTexts.push_back(sourceText(d.range));
    out.params.push_back(param);
    if (type.isError())
      wrong.push_back(p.type);
    else if (array)
      arrays.push_back({&p, v});
  }
  for (const ast::TypeExpr *t : wrong)
    excuseSizes(t);
  for (auto &[p, v] : arrays) {
    Expr *whole = make<hir::VarRefExpr>(v, v->type, p->name.range);
    Type named = nameUnknowns(v->type, whole, p->name.range);
    whole->type = named;
    v->type = named;
    collectSizes(p->type, named, uses);
  }
  for (const SizeUse &u : uses)
    if (Variable *v = u.size.asVariable())
      builder().facts.addSize(v, maxGivenSize);
  // The elements lie in memory.
  for (auto &[p, v] : arrays)
    if (v->type.isArray()) {
      Size count(1);
      for (const Dim &d : v->type.dims())
        count = d.ragged ? count : count * d.size;
      builder().facts.addFits(count);
    }
  if (!bindSizeNames(uses, def->name.range, true))
    return;
  // Every dimension as it is written, and the checks that are left.
  for (auto &[p, v] : arrays) {
    Type declared = typeOf(p->type, TypeUse::Declared);
    if (declared.isError()) {
      v->type = declared;
      lookupLocal(p->name.text)->kind = Binding::Kind::Error;
      continue;
    }
    if (def->isExport && !isExportable(declared)) {
      report(diag::export_type, p->type->range, "a parameter", declared.str());
      continue;
    }
    v->type = settleOwnDims(*p, declared, v->type);
  }
  for (auto [k, p] : llvm::enumerate(def->params)) {
    if (isFunctionParam(p.type, def)) {
      Type type = typeOf(p.type, TypeUse::Plain);
      auto *fn = program->make<FnValue>();
      fn->kind = FnValue::Kind::Opaque;
      fn->loc = p.name.range;
      fn->name = p.name.text.str();
      fn->type = type;
      Binding *b = declare(p.name.text, p.name.range,
                           type.isError() ? Binding::Kind::Error
                                          : Binding::Kind::Function);
      b->fn = fn;
      continue;
    }
    Binding *b = lookupLocal(p.name.text);
    if (def->isExport && b && b->var && !b->var->type.isError() &&
        !isExportable(b->var->type))
      report(diag::export_type, p.type->range, "a parameter",
             b->var->type.str());
    if (!p.defaultValue || !b || !b->var || b->var->type.isError())
      continue;
    NameScope outside(*this, Scope::Kind::Function, nullptr, scope->module);
    Expr *e =
        coerce(checkValue(p.defaultValue), b->var->type, Purpose::Argument,
               p.defaultValue->range, p.name.text.str());
    e = constantOf(e, p.defaultValue->range, "the default");
    for (hir::Param &param : out.params)
      if (param.var == b->var && !e->type.isError())
        param.defaultValue = e;
  }
}

/// The dimensions of a parameter in the declared sizes, each checked against
/// the array unless it defines the name.
Type Checker::settleOwnDims(const ast::Param &p, const Type &declared,
                            const Type &raw) {
  if (declared.isTuple()) {
    std::vector<Type> all;
    for (unsigned k = 0; k < declared.numComponents(); ++k)
      all.push_back(settleOwnDims(p, declared.component(k), raw.component(k)));
    return Type::tuple(std::move(all));
  }
  if (!declared.isArray())
    return declared;
  std::vector<Dim> dims;
  for (auto [k, pair] :
       llvm::enumerate(llvm::zip(declared.dims(), raw.dims()))) {
    Dim want = std::get<0>(pair);
    const Dim &have = std::get<1>(pair);
    if (want.ragged || isUnknown(want.size)) {
      dims.push_back(want.ragged ? want : have);
      continue;
    }
    want.size = want.size.unwrapped();
    requireFits(builder(), want.size, p.type->range, hir::CheckKind::Input);
    dims.push_back(want);
    if (facts().equal(want.size, have.size) == true)
      continue;
    Expr *same = make<hir::BinaryExpr>(
        hir::BinaryOp::Eq, sizeExpr(have.size, p.type->range),
        sizeExpr(want.size, p.type->range), Type::boolean(), p.type->range);
    std::string place = declared.rank() > 1
                            ? "dimension " + std::to_string(k) + " of '" +
                                  p.name.text.str() + "'"
                            : "the size of '" + p.name.text.str() + "'";
    emitCheck(hir::CheckKind::Input, same,
              place + " is {0}, but " + want.size.str() + " is {1}",
              {sizeExpr(have.size, p.type->range),
               sizeExpr(want.size, p.type->range)},
              p.type->range);
    if (Variable *raw = have.size.asVariable(); raw && !want.size.mentions(raw))
      builder().facts.define(raw, want.size);
    else
      builder().facts.addZero(have.size - want.size);
  }
  return Type::array(declared.element(), dims);
}

bool Checker::isExportable(const Type &t) {
  switch (t.kind()) {
  case Type::Kind::Function:
    return false;
  case Type::Kind::Array:
    // Of rows there is one dimension: their number is that of the offsets.
    return llvm::none_of(t.dims().drop_front(std::min(t.rank(), 2u)),
                         [](const Dim &d) { return d.ragged; }) &&
           isExportable(t.element());
  case Type::Kind::Tuple:
  case Type::Kind::Struct:
    return llvm::all_of(t.components(), [&](const Component &c) {
      return isExportable(c.type);
    });
  default:
    return true;
  }
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

std::vector<hir::Result> Checker::describeResults(const ast::DefDecl *def,
                                                  Type type) {
  std::vector<hir::Result> results;
  auto add = [&](std::string name, Type t, const ast::TypeExpr *written) {
    hir::Result r;
    r.name = std::move(name);
    r.type = std::move(t);
    r.typeText = sourceText(written->range);
    if (auto *a = dyn_cast<ast::ArrayType>(written))
      for (const ast::Dim &d : a->dims)
        r.dimTexts.push_back(sourceText(d.range));
    results.push_back(std::move(r));
  };
  if (!def->namedResults.empty()) {
    bool several = def->namedResults.size() > 1;
    for (auto [k, r] : llvm::enumerate(def->namedResults))
      add(r.name.text.str(), several ? type.component(k) : type, r.type);
  } else if (auto *t = dyn_cast<ast::TupleType>(def->result);
             t && type.isTuple()) {
    for (auto [k, e] : llvm::enumerate(t->elements))
      add("out" + std::to_string(k), type.component(k), e);
  } else {
    add("out", type, def->result);
  }
  return results;
}

void Checker::checkExportHead(const ast::DefDecl *def) {
  if (!def->result && def->namedResults.empty())
    report(diag::export_needs_result, def->name.range, def->name.text)
        .help("declare it after '->'");
  if (!def->typeParams.empty())
    report(diag::export_generic, def->name.range, def->name.text);
  llvm::StringMap<SMRange> names;
  for (const ast::NamedResult &r : def->namedResults)
    if (auto [it, isNew] = names.try_emplace(r.name.text, r.name.range); !isNew)
      report(diag::result_name_taken, r.name.range, r.name.text)
          .place(it->second, "the other result");
}

/// Whether the rows of some array in a value differ in size.
static bool hasRaggedRows(const Type &t) {
  return llvm::any_of(t.leaves(), [](const Type::Leaf &leaf) {
    return llvm::any_of(leaf.dims, [](const Dim &d) { return d.ragged; });
  });
}

void Checker::checkExternTypes(const ast::DefDecl *def, const hir::Def &own,
                               const Type &result) {
  for (const hir::Param &param : own.params) {
    const Type &type = param.var->type;
    if (type.isError())
      continue;
    // Each field would have sizes of its own.
    bool isUnnamed = llvm::is_contained(param.dimTexts, "?");
    bool isWide = type.leaves().size() > 1 && isUnnamed;
    if (!hasRaggedRows(type) && !isWide)
      continue;
    auto written = llvm::find_if(def->params, [&](const ast::Param &p) {
      return p.name.text == param.var->name;
    });
    Diagnostic &message = report(diag::extern_type, written->type->range,
                                 "a parameter", param.typeText);
    if (isWide)
      message.help("give its size a name instead of '?'");
  }
  if (result.isError() || !(hasRaggedRows(result) || hasUnknown(result)))
    return;
  SMRange range =
      def->result ? def->result->range : def->namedResults.front().type->range;
  report(diag::extern_type, range, "a result", sourceText(range))
      .help("the caller makes room for it: take its size as a parameter");
}

void Checker::checkDef(TopDecl &decl) {
  auto *def = cast<ast::DefDecl>(decl.decl);
  if (decl.state != TopDecl::State::New)
    return;
  DepthScope level(*this, def->name.range);
  if (gaveUp) {
    decl.bad = true;
    return;
  }
  decl.state = TopDecl::State::Working;
  ContextScope context(*this, decl.module);
  nodesAtDef = program->size();
  auto *out = program->make<hir::Def>();
  out->name = def->name.text.str();
  out->loc = def->name.range;
  out->entry = newBlock();
  out->body = newBlock();
  {
    BuilderScope entry(*this, out->entry, false);
    out->attrs = checkAttrs(def->attrs, "a 'def'");
    if (def->isExport)
      checkExportHead(def);
    if (!def->typeParams.empty()) {
      static const StringRef kinds[] = {"num", "real", "float", "integer"};
      for (const ast::TypeParam &p : def->typeParams)
        if (p.kind && !llvm::is_contained(kinds, p.kind.text))
          report(diag::unknown_kind, p.kind.range, p.kind.text)
              .help("kinds are num, real, float and integer");
      decl.bad = defHasErrors;
      decl.state = TopDecl::State::Done;
      return;
    }
    NameScope names(*this, Scope::Kind::Function, nullptr, decl.module);
    FastScope flags(*this, out->attrs);
    bindOwnParams(def, *out);
    addWhere(def, true);
    Type declared = declaredResult(def);
    if (def->isExport && declared && !declared.isError() &&
        !isExportable(declared))
      report(diag::export_type,
             def->result ? def->result->range : def->name.range, "a result",
             declared.str());
    if (def->isExtern && declared)
      checkExternTypes(def, *out, declared);
    if (def->isExtern || !def->body) {
      decl.bad = defHasErrors;
      if (def->isExtern && !decl.bad) {
        out->results = describeResults(def, declared);
        program->externs.push_back(out);
      }
      decl.state = TopDecl::State::Done;
      return;
    }
    BuilderScope body(*this, out->body, false);
    Value v = checkBlock(def->body, true, declared);
    if (v.fn) {
      report(diag::function_as_value, def->body->range, v.fn->name);
      v = error(def->body->range);
    }
    Expr *e = v.expr;
    if (declared && !declared.isError())
      e = coerce(e, declared, Purpose::Result, e->loc);
    else if (!e->type.isError())
      e = fix(e);
    out->body->value = e;
    // What is wrong may stand in a constant, which has been told there.
    defHasErrors |= e->type.isError();
    if (!defHasErrors && declared)
      bindResultNames(def, e->type);
    if (!defHasErrors && (def->result || !def->namedResults.empty()))
      out->results = describeResults(def, e->type);
  }
  if (!defHasErrors)
    checkStencils(out->body);
  if (!defHasErrors)
    markBounds(*out);
  decl.bad = defHasErrors;
  if (!decl.bad)
    decl.hir = out;
  decl.state = TopDecl::State::Done;
}
