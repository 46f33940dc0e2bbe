//===- SemaFor.cpp - `for` and `stencil` ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A loop is opened (ranges, names of indices), its body checked, and closed: by
// then every use of a bare index has been seen, and its range is known.
//
//===----------------------------------------------------------------------===//

#include "SemaFor.h"

#include "HIRWalk.h"

#include "llvm/ADT/StringExtras.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static void collectNames(const ast::Pattern *p, llvm::StringSet<> &names) {
  if (auto *n = dyn_cast<ast::NamePattern>(p)) {
    names.insert(n->name.text);
    return;
  }
  for (const ast::Pattern *e : cast<ast::TuplePattern>(p)->elements)
    collectNames(e, names);
}

/// Whether the text of an expression has one of the names as a word. Coarse,
/// but a false alarm only costs a prelude.
static bool textMentions(SMRange range, const llvm::StringSet<> &names) {
  StringRef text(range.Start.getPointer(),
                 range.End.getPointer() - range.Start.getPointer());
  size_t i = 0;
  auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  while (i < text.size()) {
    if (!isWord(text[i])) {
      ++i;
      continue;
    }
    size_t start = i;
    while (i < text.size() && isWord(text[i]))
      ++i;
    if (names.contains(text.slice(start, i)))
      return true;
  }
  return false;
}

/// The text with each `word` in it replaced.
static std::string replaceWord(StringRef text, StringRef word,
                               StringRef other) {
  auto isLetter = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  std::string result;
  while (!text.empty()) {
    size_t length = text.take_while(isLetter).size();
    StringRef part = text.take_front(std::max<size_t>(length, 1));
    result += part == word ? other : part;
    text = text.drop_front(part.size());
  }
  return result;
}

void Checker::bindElements(Loop &loop) {
  for (const Loop::Element &e : loop.elements) {
    Expr *x = indexPoints(clone(e.array), {ref(e.index, e.pattern->range)},
                          e.pattern->range);
    bindPattern(e.pattern, Value(bindUnknowns(x)), false);
  }
  loop.elements.clear();
}

bool Checker::openIndex(const ast::ForExpr *f, unsigned k, Loop &loop) {
  const ast::ForIndex &fi = f->indices[k];
  hir::CompIndex ci;
  auto *named = dyn_cast<ast::NamePattern>(fi.pattern);
  Expr *array = nullptr;
  bool ok = true;
  if (fi.hasRange) {
    if (k && textMentions(fi.range.range, loop.names)) {
      ci.dependent = true;
      ci.prelude = newBlock();
      loop.enter(*this, ci.prelude);
      bindElements(loop);
    }
    if (fi.range.isSingle()) {
      Expr *over = checkValue(fi.range.hi);
      if (over->type.isError()) {
        ok = false;
      } else if (over->type.isArray()) {
        array = reference(fix(over));
        if (array->type.dims()[0].ragged)
          array = nullptr;
        else
          ci.range.size = array->type.dims()[0].size;
        ci.range.nonNegative = true;
        ok = array;
      } else if (isIntScalar(over->type)) {
        ci.range = makeRange(nullptr, over, nullptr, fi.range.range);
      } else {
        report(diag::bad_range, fi.range.range, over->type.str());
        ok = false;
      }
    } else if (auto r = checkRange(fi.range)) {
      ci.range = *r;
      if (f->isStencil && r->step != Size(1)) {
        report(diag::stencil_step, fi.range.range);
        ok = false;
      }
    } else {
      ok = false;
    }
  } else if (!named) {
    report(diag::pattern_needs_range, fi.whole)
        .help("write '.. in' and the array whose elements are taken apart");
    ok = false;
  }
  if (ok && !array && fi.hasRange && !named) {
    report(diag::pattern_mismatch, fi.pattern->range, "several", "int");
    ok = false;
  }
  StringRef name = named && !array ? named->name.text : "%i";
  if (name == "_")
    name = "%i";
  ci.var = newVariable(Variable::Kind::Index, name, Type::integer(),
                       fi.pattern->range);
  info(ci.var).level = level() + 1;
  info(ci.var).bareable = !fi.hasRange;
  if (fi.hasRange && ok)
    info(ci.var).range = ci.range;
  loop.comp->indices.push_back(ci);
  if (array) {
    loop.elements.push_back({fi.pattern, array, ci.var});
  } else if (!ok) {
    llvm::StringSet<> names;
    collectNames(fi.pattern, names);
    for (auto &n : names)
      declare(n.getKey(), fi.pattern->range, Binding::Kind::Error);
    loop.bad = true;
  } else if (!named->isBlank()) {
    Binding *b =
        declare(named->name.text, named->name.range, Binding::Kind::Variable);
    b->var = ci.var;
  } else if (!fi.hasRange) {
    report(diag::index_without_range, fi.whole, "_").help("write '_ in n'");
    loop.bad = true;
  }
  collectNames(fi.pattern, loop.names);
  return ok;
}

/// What holds for an index inside the body.
void Checker::addIndexFacts(const hir::CompIndex &ci) {
  if (info(ci.var).range)
    addIndexFacts(ci.var, ci.range, builder().facts);
}

void Checker::openLoop(const ast::ForExpr *f, hir::CompExpr::CompKind kind,
                       Loop &loop) {
  loop.comp = make<hir::CompExpr>(kind, Type::none(), f->range);
  loop.outer = level();
  loop.checker = this;
  loop.names_ = std::make_unique<NameScope>(*this, Scope::Kind::Body);
  for (unsigned k = 0; k < f->indices.size(); ++k)
    openIndex(f, k, loop);
  for (hir::CompIndex &ci : loop.comp->indices)
    info(ci.var).level = std::max(info(ci.var).level, loop.outer + 1);
  if (f->condition) {
    loop.comp->condition = newBlock();
    loop.enter(*this, loop.comp->condition);
    for (const hir::CompIndex &ci : loop.comp->indices)
      addIndexFacts(ci);
    bindElements(loop);
    Expr *c = checkCondition(f->condition);
    loop.comp->condition->value = c;
    loop.bad |= c->type.isError();
  }
  loop.comp->body = newBlock();
  loop.enter(*this, loop.comp->body, f->condition != nullptr);
  for (const hir::CompIndex &ci : loop.comp->indices)
    addIndexFacts(ci);
  if (loop.comp->condition && !loop.bad)
    addFacts(loop.comp->condition->value, builder().facts);
  bindElements(loop);
}

//===----------------------------------------------------------------------===//
// Closing
//===----------------------------------------------------------------------===//

bool Checker::resolveBare(const ast::ForExpr *f, unsigned k, hir::CompIndex &ci,
                          unsigned outer) {
  const ast::ForIndex &fi = f->indices[k];
  VarInfo &i = info(ci.var);
  if (i.bare.empty()) {
    std::string counted = countedHelp(f, k);
    report(diag::index_without_range, fi.whole, ci.var->name)
        .label("nothing is indexed by '" + ci.var->name + "' alone")
        .help(!counted.empty()
                  ? counted
                  : "write '" + ci.var->name + " in n', or '" + ci.var->name +
                        " in 1:n - 1' if it reads its neighbours");
    return false;
  }
  const BareUse *use = nullptr;
  for (const BareUse &b : i.bare) {
    if (b.size.mentions(unknown))
      continue;
    if (!use) {
      use = &b;
      continue;
    }
    if (facts().equal(use->size, b.size) == true)
      continue;
    std::string one = use->size.str(), other = b.size.str();
    // A size without a name cannot be written.
    bool hasNames = one.find('?') == std::string::npos &&
                    other.find('?') == std::string::npos;
    report(diag::index_ranges_differ, fi.whole, ci.var->name,
           one + " (from '" + use->array + "')",
           other + " (from '" + b.array + "')")
        .place(use->loc, one)
        .place(b.loc, other)
        .help(hasNames ? "write '" + ci.var->name + " in " + one + "' or '" +
                             ci.var->name + " in " + other + "'"
                       : "say which: '" + ci.var->name + " in size(" +
                             use->array + ")' of an array, '" + ci.var->name +
                             " in size(" + use->array + "[i])' of its row");
    return false;
  }
  if (!use)
    return false;
  if (levelOf(use->size) > outer) {
    report(diag::index_size_inside, fi.whole, ci.var->name)
        .place(use->loc, "this size is known only inside the body")
        .help("write '" + ci.var->name + " in ..'");
    return false;
  }
  ci.range.size = use->size;
  ci.range.nonNegative = true;
  i.range = ci.range;
  i.bareable = false;
  tellIndex(ci.var);
  return true;
}

std::string Checker::countedHelp(const ast::ForExpr *f, unsigned k) {
  if (k + 2 != f->indices.size() || k || f->condition)
    return "";
  const ast::ForIndex &other = f->indices[1];
  auto *index = dyn_cast<ast::NamePattern>(f->indices[0].pattern);
  auto *element = dyn_cast<ast::NamePattern>(other.pattern);
  auto *array = other.hasRange && other.range.isSingle()
                    ? dyn_cast<ast::NameExpr>(other.range.hi)
                    : nullptr;
  Binding *b = array ? lookupLocal(array->name) : nullptr;
  if (!index || !element || !b || !b->var || !b->var->type.isArray())
    return "";
  std::string read = (array->name + "[" + index->name.text + "]").str();
  const Dim &size = b->var->type.dims().front();
  std::string body = shortText(f->body->range);
  body = body == ".." ? "{ .. " + read + " .. }"
                      : replaceWord(body, element->name.text, read);
  return ("each index is a dimension; for the elements in order write 'for " +
          index->name.text + " in " + size.size.str() + " " + body + "'")
      .str();
}

bool Checker::closeLoop(const ast::ForExpr *f, Loop &loop) {
  loop.leave();
  bool ok = !loop.bad;
  for (auto [k, fi, ci] : llvm::enumerate(f->indices, loop.comp->indices)) {
    if (fi.hasRange || isa<ast::TuplePattern>(fi.pattern) ||
        cast<ast::NamePattern>(fi.pattern)->isBlank())
      continue;
    // After an error in the body its uses are not all known.
    if (loop.bad && info(ci.var).bare.empty())
      continue;
    ok &= resolveBare(f, k, ci, loop.outer);
  }
  return ok;
}

//===----------------------------------------------------------------------===//
// Boxes and filters
//===----------------------------------------------------------------------===//

/// What the body should be, given what the whole should be.
static Type bodyHint(const Type &expected, unsigned indices) {
  if (!expected)
    return {};
  if (expected.isArray() && expected.rank() >= indices)
    return expected.dropDims(indices);
  if (expected.isTuple()) {
    std::vector<Type> all;
    for (const Component &c : expected.components()) {
      Type t = bodyHint(c.type, indices);
      if (!t)
        return {};
      all.push_back(t);
    }
    return Type::tuple(std::move(all));
  }
  return {};
}

std::string Checker::raggedText(const Type &row, const Loop &loop) {
  std::string sizes;
  for (const hir::CompIndex &ci : loop.comp->indices) {
    const VarInfo &i = info(ci.var);
    bool isKnown = i.range && levelOf(i.range->size) <= loop.outer;
    sizes += (isKnown          ? i.range->size.str()
              : i.bare.empty() ? "n"
                               : i.bare.front().size.str()) +
             ", ";
  }
  return fixedType(row.element()).str() + "[" + sizes + "?]";
}

/// Rows whose size is known only inside: ragged where that is declared, checked
/// against a declared size, else an error. Runs inside the body.
Type Checker::settleRows(const Type &t, const Type &wanted, const Loop &loop,
                         SMRange loc, bool &bad) {
  if (t.isTuple()) {
    std::vector<Type> all;
    for (auto [k, c] : llvm::enumerate(t.components())) {
      Type w = wanted && wanted.isTuple() &&
                       wanted.numComponents() == t.numComponents()
                   ? wanted.components()[k].type
                   : Type();
      all.push_back(settleRows(c.type, w, loop, loc, bad));
    }
    return Type::tuple(std::move(all));
  }
  if (!t.isArray())
    return t;
  std::vector<Dim> dims;
  for (auto [k, d] : llvm::enumerate(t.dims())) {
    bool typed = wanted && wanted.rank() == t.rank();
    if (!d.ragged && levelOf(d.size) <= loop.outer &&
        !(typed && wanted.dims()[k].ragged)) {
      dims.push_back(d);
      continue;
    }
    if (typed && wanted.dims()[k].ragged) {
      dims.push_back(Dim::makeRagged());
      continue;
    }
    if (typed && !isUnknown(wanted.dims()[k].size) && !d.ragged) {
      const Size &want = wanted.dims()[k].size;
      if (!requireEqual(d.size, want, loc, "a row has another size")) {
        report(diag::declared_size_differs, loc, "a row", want.str(),
               d.size.str());
        bad = true;
      }
      dims.push_back(want);
      continue;
    }
    if (!bad)
      report(diag::rows_differ, loc)
          .label("the size is known only inside the body")
          .help("declare the type with '?', as in 'let r: " +
                raggedText(t, loop) + " = ..'");
    bad = true;
    dims.push_back(d);
  }
  return Type::array(t.element(), std::move(dims));
}

Expr *Checker::checkFor(const ast::ForExpr *f, Type expected) {
  std::vector<hir::Attr> attrs =
      checkAttrs(f->attrs, "a 'for'", f->indices.size());
  FastScope flags(*this, attrs);
  Loop loop;
  openLoop(f,
           f->isStencil ? hir::CompExpr::CompKind::Stencil
                        : hir::CompExpr::CompKind::Map,
           loop);
  hir::CompExpr *comp = loop.comp;
  comp->attrs = attrs;
  unsigned n = f->indices.size();
  Type hint = bodyHint(expected, f->condition ? 1 : n);
  Value v = checkBlock(f->body, true, hint);
  if (v.fn) {
    report(diag::function_as_value, f->body->range, v.fn->name);
    v = error(f->body->range);
  }
  Expr *value = v.expr;
  loop.bad |= value->type.isError();
  Type settled = value->type;
  if (!loop.bad) {
    bool bad = false;
    // A tuple keeps its own nodes; an array gets what is settled, and a row
    // keeps the size that it has alone.
    settled = settleRows(value->type, hint, loop, value->loc, bad);
    if (value->type.isArray()) {
      std::vector<Dim> own = settled.dims().vec();
      for (auto [d, have] : llvm::zip(own, value->type.dims()))
        d = d.ragged ? have : d;
      value = withDims(value, own);
    } else
      value->type = settled;
    loop.bad |= bad;
  }
  comp->body->value = value;
  if (f->isStencil && f->condition) {
    report(diag::stencil_condition, f->condition->range);
    loop.bad = true;
  }
  if (!closeLoop(f, loop) || value->type.isError())
    return error(f->range);

  if (f->condition) {
    comp->compKind = hir::CompExpr::CompKind::Filter;
    comp->type = settled.withDims({Dim(Size(unknown))});
    return bindUnknowns(comp);
  }
  std::vector<Dim> dims;
  for (auto [fi, ci] : llvm::zip(f->indices, comp->indices)) {
    if (ci.dependent && levelOf(ci.range.size) > loop.outer) {
      report(diag::box_depends, fi.whole, ci.var->name)
          .label("the range depends on an index to its left")
          .help("a box needs fixed ranges: nest the 'for', or put a combinator "
                "in front");
      return error(f->range);
    }
    if (ci.dependent && !ci.prelude->stmts.empty()) {
      // Nothing of it is needed for each index again.
      report(diag::box_depends, fi.whole, ci.var->name);
      return error(f->range);
    }
    ci.dependent = false;
    ci.prelude = nullptr;
    // Outside of all bodies it costs nothing to ask.
    if (!bodyDepth)
      ci.range.size = integerSize(ci.range.size, fi.whole);
    if (!ci.range.nonNegative &&
        !requireNonNegative(ci.range.size, fi.whole, "a negative size")) {
      report(diag::negative_size, fi.whole, ci.range.size.str());
      return error(f->range);
    }
    ci.range.nonNegative = true;
    dims.push_back(ci.range.size);
  }
  if (dims.size() + settled.rank() > 8) {
    report(diag::rank_too_large, f->range);
    return error(f->range);
  }
  comp->type = settled.withDims(dims);
  return comp;
}
