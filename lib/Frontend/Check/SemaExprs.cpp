//===- SemaExprs.cpp - Literals, branches, tuples, fields -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HIRWalk.h"
#include "SemaImpl.h"

#include "arrc/Frontend/Lexer.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Making constants and copies
//===----------------------------------------------------------------------===//

Expr *Checker::constInt(int64_t v, SMRange loc, ScalarKind k) {
  auto *c = make<hir::ConstExpr>(Type(k), loc);
  c->intValue = v;
  return c;
}

Expr *Checker::constBool(bool v, SMRange loc) {
  return constInt(v, loc, ScalarKind::Bool);
}

Expr *Checker::constOpenFloat(double v, SMRange loc) {
  auto *c = make<hir::ConstExpr>(Type(ScalarKind::OpenFloat), loc);
  c->floatValue = v;
  return c;
}

Expr *Checker::clone(Expr *e) {
  switch (e->kind) {
  case Expr::Kind::Const: {
    auto *c = make<hir::ConstExpr>(*cast<hir::ConstExpr>(e));
    return c;
  }
  case Expr::Kind::VarRef:
    return make<hir::VarRefExpr>(*cast<hir::VarRefExpr>(e));
  case Expr::Kind::SizeValue:
    return make<hir::SizeExpr>(*cast<hir::SizeExpr>(e));
  case Expr::Kind::Error:
    return e;
  case Expr::Kind::Unary:
  case Expr::Kind::Binary:
  case Expr::Kind::Call:
  case Expr::Kind::Convert:
  case Expr::Kind::Field:
  case Expr::Kind::Index:
  case Expr::Kind::ArrayLit:
  case Expr::Kind::Tuple: {
    Expr *copy;
    if (auto *u = dyn_cast<hir::UnaryExpr>(e))
      copy = make<hir::UnaryExpr>(*u);
    else if (auto *b = dyn_cast<hir::BinaryExpr>(e))
      copy = make<hir::BinaryExpr>(*b);
    else if (auto *c = dyn_cast<hir::CallExpr>(e))
      copy = make<hir::CallExpr>(*c);
    else if (auto *c = dyn_cast<hir::ConvertExpr>(e))
      copy = make<hir::ConvertExpr>(*c);
    else if (auto *f = dyn_cast<hir::FieldExpr>(e))
      copy = make<hir::FieldExpr>(*f);
    else if (auto *i = dyn_cast<hir::IndexExpr>(e))
      copy = make<hir::IndexExpr>(*i);
    else if (auto *a = dyn_cast<hir::ArrayLitExpr>(e))
      copy = make<hir::ArrayLitExpr>(*a);
    else
      copy = make<hir::TupleExpr>(*cast<hir::TupleExpr>(e));
    hir::forEachOperand(copy, [&](Expr *&x) { x = clone(x); });
    return copy;
  }
  default:
    return reference(e);
  }
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

Expr *Checker::checkFloat(const ast::FloatExpr *e) {
  auto *c = make<hir::ConstExpr>(Type(ScalarKind::OpenFloat), e->range);
  c->text = e->text.str();
  c->floatValue = std::strtod(c->text.c_str(), nullptr);
  if (!e->imaginary)
    return c;
  // `2j` between integers is rather the product; who means the number beside a
  // variable of that name can write `2.0j`.
  bool isWhole = e->text.find_first_of(".eE") == StringRef::npos;
  if (isWhole && (lookupLocal("j") || lookupTop("j"))) {
    warn(diag::imaginary_beside_j, e->range, sourceText(e->range));
    pendingWarnings.back().help = "the product is '" + c->text +
                                  "*j', the number is also '" + c->text +
                                  ".0j'";
  }
  return scalarFunction(hir::Function::Complex,
                        {constOpenFloat(0, e->range), c}, e->range);
}

Value Checker::check(const ast::Expr *e, Type expected) {
  DepthScope level(*this, e->range);
  if (gaveUp)
    return error(e->range);
  switch (e->kind) {
  case ast::Expr::Kind::Int:
    return checkInt(cast<ast::IntExpr>(e));
  case ast::Expr::Kind::Float:
    return checkFloat(cast<ast::FloatExpr>(e));
  case ast::Expr::Kind::Bool:
    return constBool(cast<ast::BoolExpr>(e)->value, e->range);
  case ast::Expr::Kind::NameRef:
    return checkName(cast<ast::NameExpr>(e));
  case ast::Expr::Kind::Tuple: {
    auto *t = cast<ast::TupleExpr>(e);
    std::vector<Expr *> parts;
    std::vector<Type> types;
    bool bad = false;
    for (auto [k, x] : llvm::enumerate(t->elements)) {
      Type want;
      if (expected && expected.isTuple() &&
          expected.numComponents() == t->elements.size())
        want = expected.components()[k].type;
      Expr *v = checkValue(x, want);
      if (v->type.isNone()) {
        report(diag::no_value, x->range);
        bad = true;
      }
      bad |= v->type.isError();
      parts.push_back(v);
      types.push_back(v->type);
    }
    if (bad)
      return error(e->range);
    Type whole = withinLimit(Type::tuple(types), e->range);
    if (whole.isError())
      return error(e->range);
    return make<hir::TupleExpr>(parts, whole, e->range);
  }
  case ast::Expr::Kind::Array:
    return checkArrayLit(cast<ast::ArrayExpr>(e), expected);
  case ast::Expr::Kind::Section: {
    auto *fn = program->make<FnValue>();
    fn->kind = FnValue::Kind::Section;
    fn->loc = e->range;
    fn->op = cast<ast::SectionExpr>(e)->op;
    fn->name = "(" + spelling(fn->op).str() + ")";
    return Value(fn);
  }
  case ast::Expr::Kind::Unary:
    return checkUnary(cast<ast::UnaryExpr>(e), expected);
  case ast::Expr::Kind::Binary:
    return checkBinary(cast<ast::BinaryExpr>(e), expected);
  case ast::Expr::Kind::Call:
    return checkCall(cast<ast::CallExpr>(e), expected);
  case ast::Expr::Kind::Index:
    return checkIndex(cast<ast::IndexExpr>(e));
  case ast::Expr::Kind::Field:
    return checkField(cast<ast::FieldExpr>(e));
  case ast::Expr::Kind::TupleField:
    return checkTupleField(cast<ast::TupleFieldExpr>(e));
  case ast::Expr::Kind::For:
    return checkFor(cast<ast::ForExpr>(e), expected);
  case ast::Expr::Kind::Combinator:
    return checkCombinator(cast<ast::CombinatorExpr>(e), expected);
  case ast::Expr::Kind::If:
    return checkIf(cast<ast::IfExpr>(e), expected);
  case ast::Expr::Kind::Lambda: {
    auto *fn = program->make<FnValue>();
    fn->kind = FnValue::Kind::Lambda;
    fn->loc = e->range;
    fn->name = "the lambda";
    fn->lambda = cast<ast::LambdaExpr>(e);
    fn->scope = scope;
    fn->module = scope->module;
    fn->numBindings = numBindings;
    fn->numExpanding = expanding.size();
    return Value(fn);
  }
  }
  llvm_unreachable("no such expression");
}

Expr *Checker::checkValue(const ast::Expr *e, Type expected) {
  Value v = check(e, expected);
  return v.fn ? functionAsValue(v, e->range) : v.expr;
}

Expr *Checker::functionAsValue(const Value &v, SMRange range) {
  report(diag::function_as_value, range, v.fn->name)
      .help("call it, or give it to a parameter of a function type");
  return error(range);
}

Expr *Checker::withoutView(const Value &v, SMRange range,
                           llvm::StringRef what) {
  // A view that has a name can still be read by it.
  if (!v.view || !isa<hir::ExtendExpr>(v.view))
    return v.expr;
  report(diag::view_lost, range, what.str())
      .help("name the view in a 'let' and read that outside");
  return error(range);
}

Expr *Checker::checkInt(const ast::IntExpr *e) {
  auto *c = make<hir::ConstExpr>(Type(ScalarKind::OpenInt), e->range);
  c->intValue =
      static_cast<int64_t>(e->negative ? -e->magnitude : e->magnitude);
  c->isLargeUnsigned = !e->negative && e->magnitude > INT64_MAX;
  if (e->negative && e->magnitude > uint64_t(1) << 63)
    report(diag::literal_does_not_fit, e->range,
           "-" + std::to_string(e->magnitude), "int");
  return c;
}

//===----------------------------------------------------------------------===//
// Arrays, fields
//===----------------------------------------------------------------------===//

Expr *Checker::checkArrayLit(const ast::ArrayExpr *e, Type expected) {
  Type inner = expected && expected.isArray() ? expected.dropDims(1) : Type();
  if (e->elements.empty()) {
    if (!inner) {
      report(diag::empty_array, e->range)
          .help("declare it: 'let a: f32[0] = []'");
      return error(e->range);
    }
    std::vector<Dim> dims = {Size(int64_t(0))};
    dims.insert(dims.end(), inner.dims().begin(), inner.dims().end());
    return make<hir::ArrayLitExpr>(
        std::vector<Expr *>{}, Type::array(inner.element(), dims), e->range);
  }
  std::vector<Expr *> parts;
  bool bad = false;
  for (const ast::Expr *x : e->elements) {
    parts.push_back(checkValue(x, inner));
    bad |= parts.back()->type.isError();
    if (parts.back()->type.isNone()) {
      report(diag::no_value, x->range);
      bad = true;
    }
  }
  if (bad)
    return error(e->range);
  Type met = parts.front()->type;
  for (Expr *p : parts) {
    Type next = meetTypes(met, p->type);
    if (!next) {
      reportNoMeet(met, p->type, p->loc, "elements of an array");
      return error(e->range);
    }
    if (p->type.isArray() &&
        !equalShapes(met, p->type, p->loc, "rows of an array differ in size")) {
      reportShapes(parts.front(), p, p->loc, "an array of arrays");
      return error(e->range);
    }
    met = next;
  }
  for (Expr *&p : parts) {
    if (!met.isOpen() && p->type.isOpen())
      p = closeTo(p, met);
    if (met.isScalar() && !met.isOpen())
      p = convertScalar(p, met.scalar(), p->loc);
    else if (met.isTuple() && !met.isOpen())
      p = coerce(p, met, Purpose::Other, p->loc);
  }
  return make<hir::ArrayLitExpr>(
      parts, met.withDims({Dim(Size(int64_t(parts.size())))}), e->range);
}

Expr *Checker::field(Expr *base, unsigned number, SMRange loc) {
  if (base->type.isError())
    return error(loc);
  if (auto *t = dyn_cast<hir::TupleExpr>(base))
    return t->elements[number];
  Type type = base->type.component(number);
  if (auto *i = dyn_cast<hir::IndexExpr>(base)) {
    // `bs[i].pos` is `bs.pos[i]`.
    Expr *inner = field(i->base, number, loc);
    return make<hir::IndexExpr>(inner, i->subs, type, loc);
  }
  return make<hir::FieldExpr>(base, number, type, loc);
}

Value Checker::checkField(const ast::FieldExpr *e) {
  if (auto *n = dyn_cast<ast::NameExpr>(e->base); n && !lookupLocal(n->name))
    if (TopDecl *d = lookupTop(n->name); d && isa<ast::ImportDecl>(d->decl)) {
      d->used = true;
      ast::Module *m = cast<ast::ImportDecl>(d->decl)->module;
      if (!m)
        return error(e->range);
      ModuleInfo *inner = modules[m];
      auto it = inner->names.find(e->name.text);
      if (it == inner->names.end() || isa<ast::ImportDecl>(it->second->decl)) {
        report(diag::no_such_member, e->name.range, n->name, e->name.text);
        return error(e->range);
      }
      if (e->name.text.starts_with("_")) {
        report(diag::private_name, e->name.range, e->name.text);
        return error(e->range);
      }
      return useTop(it->second, e->range);
    }
  // A library of another language: its name may be known by itself, too.
  if (auto *n = dyn_cast<ast::NameExpr>(e->base);
      n && !lookupLocal(n->name) && !lookupTop(n->name))
    if (StringRef help = foreignHelp((n->name + ".").str()); !help.empty()) {
      report(diag::unknown_name, n->range, n->name).help(help);
      return error(e->range);
    }
  Value base = check(e->base);
  if (base.fn) {
    report(diag::function_as_value, e->base->range, base.fn->name);
    return error(e->range);
  }
  if (base.expr->type.isError())
    return error(e->range);
  Type element = base.expr->type.element();
  if (!element.isStruct()) {
    Diagnostic &d = report(diag::no_fields, e->name.range,
                           base.expr->type.str(), e->name.text);
    d.label("only structs and arrays of structs have fields");
    if (StringRef help = foreignFieldHelp(e->name.text); !help.empty())
      d.help(help);
    else if (element.isTuple())
      d.help("take it apart: 'let (a, b) = ..' has a name for each part");
    else if (isBuiltinName(e->name.text))
      d.help("there are no methods: write '" + e->name.text + "(..)'");
    else
      d.help("there are no methods: functions take arrays, 'f(a)'");
    return error(e->range);
  }
  auto k = element.fieldNumber(e->name.text);
  if (!k) {
    Diagnostic &d = report(diag::no_such_field, e->name.range,
                           element.structName(), e->name.text);
    unsigned least = 3;
    std::string best;
    for (const Component &c : element.components()) {
      unsigned dist = e->name.text.edit_distance(c.name, true, least);
      if (dist < least) {
        least = dist;
        best = c.name;
      }
    }
    if (!best.empty())
      d.help("did you mean '" + best + "'?");
    d.place(element.structDecl()->name.range, "declared here");
    return error(e->range);
  }
  Value v(field(base.expr, *k, e->range));
  if (base.view)
    v.view = field(base.view, *k, e->range);
  return v;
}

Value Checker::checkTupleField(const ast::TupleFieldExpr *e) {
  Expr *base = checkValue(e->base);
  if (base->type.isError())
    return error(e->range);
  Type element = base->type.element();
  if (!element.isTuple() || e->index >= element.numComponents()) {
    report(diag::no_component, e->indexRange, base->type.str(),
           std::to_string(e->index));
    return error(e->range);
  }
  if (!isa<hir::TupleExpr>(base))
    base = reference(base);
  return field(base, e->index, e->range);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

Expr *Checker::checkCondition(const ast::Expr *e) {
  Expr *c = checkValue(e);
  if (c->type.isError())
    return c;
  if (c->type.isScalar(ScalarKind::Bool))
    return c;
  Diagnostic &d = report(diag::condition_not_bool, e->range, c->type.str());
  if (c->type.isArray() && c->type.element().isScalar() &&
      c->type.element().scalar() == ScalarKind::Bool)
    d.help("say 'any(..)' or 'all(..)'");
  else
    d.help("compare it, as in '.. != 0'");
  return error(e->range);
}

/// The sizes of a value that comes from one of two branches.
Type Checker::joinSizes(const Type &a, const Type &b, unsigned outer,
                        SMRange loc, bool &differ) {
  if (a.isTuple()) {
    std::vector<Type> all;
    for (auto [x, y] : llvm::zip(a.components(), b.components()))
      all.push_back(joinSizes(x.type, y.type, outer, loc, differ));
    return Type::tuple(std::move(all));
  }
  if (!a.isArray())
    return a;
  std::vector<Dim> dims;
  for (auto [x, y] : llvm::zip(a.dims(), b.dims())) {
    if (x.ragged || y.ragged) {
      differ |= x.ragged != y.ragged;
      dims.push_back(x);
      continue;
    }
    if (facts().equal(x.size, y.size) == true && levelOf(x.size) <= outer) {
      dims.push_back(x);
    } else if (levelOf(x.size) > outer || levelOf(y.size) > outer) {
      dims.push_back(Size(unknown));
    } else {
      differ |= !requireEqual(x.size, y.size, loc,
                              "the branches of 'if' differ in size");
      dims.push_back(x);
    }
  }
  return Type::array(a.element(), dims);
}

Expr *Checker::checkIf(const ast::IfExpr *e, Type expected) {
  Expr *c = checkCondition(e->condition);
  hir::Block *blocks[2] = {newBlock(), newBlock()};
  if (!e->elseBlock) {
    report(diag::if_without_else, e->range)
        .help("give it an 'else', or make it a statement");
    return error(e->range);
  }
  std::vector<Variable *> assigned;
  collectAssigned(e->thenBlock, assigned);
  collectAssigned(e->elseBlock, assigned);
  std::vector<VarInfo> before = momentOf(assigned);
  unsigned outer = level();
  Expr *values[2];
  Type met;
  bool bad = c->type.isError();
  for (int k = 0; k < 2; ++k) {
    BuilderScope body(*this, blocks[k], true);
    if (k == 0 && !bad)
      addFacts(c, builder().facts);
    if (k == 1)
      returnTo(assigned, before);
    const ast::Block *block = k ? e->elseBlock : e->thenBlock;
    Value v = checkBlock(block, true, expected);
    if (v.fn) {
      report(diag::function_as_value, block->range, v.fn->name);
      v = error(block->range);
    }
    values[k] = withoutView(v, block->range, "a branch");
    blocks[k]->value = values[k];
    bad |= values[k]->type.isError();
    if (k == 0 || bad)
      continue;
    Type a = values[0]->type, b = values[1]->type;
    met = meetTypes(a, b);
    if (!met) {
      reportNoMeet(a, b, e->range, "the branches of 'if'");
      bad = true;
      continue;
    }
    bool differ = false;
    met = joinSizes(met, met.isArray() ? met.element().withDims(b.dims()) : b,
                    outer, values[1]->loc, differ);
    if (differ) {
      Diagnostic &diag =
          report(diag::branch_sizes, e->range, shapeText(a), shapeText(b));
      if (assigning)
        diag.help("a 'var' whose size may change gets it in the branches: "
                  "'if .. { v = .. } else { v = .. }'");
      bad = true;
    }
  }
  if (bad)
    return error(e->range);
  for (int k = 0; k < 2; ++k) {
    BuilderScope body(*this, blocks[k], true);
    Expr *v = values[k];
    if (met.isScalar() && !met.isOpen())
      v = v->type.isOpen() ? close(v, met.scalar())
                           : convertScalar(v, met.scalar(), v->loc);
    else if (!met.isOpen() && v->type.isOpen())
      v = closeTo(v, met);
    if (met.isTuple() && !met.isOpen())
      v = coerce(v, met, Purpose::Other, v->loc);
    blocks[k]->value = v;
  }
  bumpAssigned(assigned, e->range);
  return bindUnknowns(
      make<hir::IfExpr>(c, blocks[0], blocks[1], met, e->range));
}
