//===- SemaIndexing.cpp - Subscripts and slices ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HIRWalk.h"
#include "SemaImpl.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

std::optional<hir::Range> Checker::checkRange(const ast::Range &r) {
  Expr *parts[3] = {nullptr, nullptr, nullptr};
  const ast::Expr *written[3] = {r.lo, r.hi, r.step};
  bool bad = false;
  for (int k = 0; k < 3; ++k) {
    if (!written[k])
      continue;
    parts[k] = checkValue(written[k]);
    if (parts[k]->type.isError()) {
      bad = true;
    } else if (!isIntScalar(parts[k]->type)) {
      report(diag::bad_range, written[k]->range, parts[k]->type.str());
      bad = true;
    }
  }
  if (bad)
    return std::nullopt;
  return makeRange(parts[0], parts[1], parts[2], r.range);
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

struct Checker::EndScope {
  std::optional<NameScope> names;

  EndScope(Checker &c, const ast::Sub &s, const Size &size) {
    Binding *declared = s.namesEnd ? c.lookupLocal("end") : nullptr;
    if (!s.namesEnd || (declared && !declared->isEnd) || c.lookupTop("end"))
      return;
    names.emplace(c, Scope::Kind::Block);
    auto *b = c.program->make<Binding>();
    b->id = c.numBindings++;
    b->kind = Binding::Kind::Size;
    b->name = "end";
    b->loc = s.range;
    b->size = size;
    b->isEnd = true;
    c.scope->names["end"] = b;
  }
};

std::string Checker::countedFromEnd(ArrayRef<ast::Sub> subs,
                                    const std::string &name) {
  bool found = false;
  auto part = [&](const ast::Expr *e) {
    std::string text = e ? sourceText(e->range) : "";
    if (text.empty() || text.front() != '-')
      return text;
    found = true;
    return "end" + text;
  };
  std::string all;
  for (const ast::Sub &s : subs) {
    all += all.empty() ? name + "[" : ", ";
    all += s.isSlice ? part(s.lo) + ":" + part(s.hi) : part(s.index);
    if (s.step)
      all += ":" + sourceText(s.step->range);
  }
  return found ? all + "]" : "";
}

void Checker::warnOfMinus(const ast::Expr *written, Expr *index) {
  auto *minus = dyn_cast<ast::UnaryExpr>(written);
  if (!minus || minus->op != ast::UnaryOp::Neg || !isIntScalar(index->type))
    return;
  auto known = polynomial(index);
  if (!known || known->constant() || facts().isNonNegative(*known))
    return;
  warn(diag::minus_from_end, written->range, sourceText(written->range));
  pendingWarnings.back().help =
      "from the end it is 'end" + sourceText(written->range) + "'";
}

/// The size of a row of a ragged array, as early as its variables are known: a
/// bare index that ranges over the row needs it outside its own `for`.
Size Checker::rowSize(Expr *base, ArrayRef<hir::Sub> before, SMRange loc) {
  unsigned wanted = 0;
  auto look = [&](Expr *e) {
    hir::walk(e, [&](Expr *x) {
      if (auto *r = dyn_cast<hir::VarRefExpr>(x))
        wanted = std::max(wanted, info(r->var).level);
    });
  };
  look(base);
  for (const hir::Sub &s : before)
    look(s.index);
  std::vector<Builder *> inner(
      builders.begin() + std::min<size_t>(wanted + 1, builders.size()),
      builders.end());
  builders.resize(builders.size() - inner.size());
  std::vector<Expr *> at;
  for (const hir::Sub &s : before)
    at.push_back(clone(s.index));
  Expr *row = bindUnknowns(indexPoints(clone(base), at, loc));
  Size size = row->type.isArray() ? row->type.dims()[0].size : Size(unknown);
  builders.insert(builders.end(), inner.begin(), inner.end());
  return size;
}

/// Records `i` of `a[i]` if it is the name of an index without a range.
static const ast::NameExpr *bareName(const ast::Sub &s) {
  return s.isSlice ? nullptr : dyn_cast<ast::NameExpr>(s.index);
}

bool Checker::checkSubs(const Type &base, ArrayRef<ast::Sub> subs, SMRange loc,
                        const std::string &name, bool isPlace, bool isView,
                        Expr *baseExpr, std::vector<hir::Sub> &out,
                        std::vector<Dim> &dims) {
  if (!base.isArray()) {
    Diagnostic &d =
        report(diag::not_indexable, loc, "'" + name + "'", base.str());
    if (base.isTuple())
      d.help("components stand behind a point: '" + name + ".0'");
    else
      d.help("an array is declared with its sizes: '" + base.str() + "[n]'");
    return false;
  }
  if (subs.size() > base.rank()) {
    report(diag::too_many_subscripts, subs[base.rank()].range, "'" + name + "'",
           std::to_string(subs.size()), std::to_string(base.rank()))
        .help("its type is " + base.str() +
              "; one more dimension is made by a 'for'");
    return false;
  }
  bool bad = false, gathered = false, allPoints = true;
  for (auto [k, s] : llvm::enumerate(subs)) {
    const Dim dim = base.dims()[k];
    hir::Sub sub;
    sub.loc = s.range;
    EndScope end(*this, s,
                 dim.ragged && s.namesEnd && baseExpr && allPoints
                     ? rowSize(baseExpr, ArrayRef(out), s.range)
                     : dim.size);
    if (s.isSlice) {
      sub.kind = hir::Sub::Kind::Slice;
      if (dim.ragged) {
        report(diag::slice_of_ragged, s.range);
        bad = true;
        continue;
      }
      Expr *parts[3] = {nullptr, nullptr, nullptr};
      const ast::Expr *written[3] = {s.lo, s.hi, s.step};
      bool ok = true;
      for (int p = 0; p < 3; ++p) {
        if (!written[p])
          continue;
        parts[p] = checkValue(written[p]);
        if (!parts[p]->type.isError() && !isIntScalar(parts[p]->type))
          report(diag::bad_range, written[p]->range, parts[p]->type.str());
        ok &= isIntScalar(parts[p]->type);
        if (p < 2)
          warnOfMinus(written[p], parts[p]);
      }
      if (!ok) {
        bad = true;
        continue;
      }
      if (!parts[1])
        parts[1] = sizeExpr(dim.size, s.range);
      if (parts[2]) {
        auto c = constantInt(parts[2]);
        if (c ? *c <= 0
              : !requireNonNegative(toSize(parts[2]) - 1, s.step->range,
                                    "the step of a slice is not positive")) {
          Diagnostic &d = report(diag::slice_step, s.step->range);
          if (c && *c < 0)
            d.help("'reverse(a)' is the array backwards");
          bad = true;
          continue;
        }
      }
      Size lo = parts[0] ? toSize(parts[0]) : Size(), hi = toSize(parts[1]);
      // It lies inside, or there is none.
      SizeFacts passed(&facts());
      for (const Size &d : {lo, hi - lo, dim.size - hi})
        passed.addNonNegative(d);
      sub.range = rangeBetween(lo, hi, parts[2], passed, s.range);
      sub.range.end = hi;
      for (const Size &d : {lo, hi - lo, dim.size - hi})
        if (!d.mentions(unknown) && facts().isNonNegative(-d - 1)) {
          Diagnostic &d = report(diag::slice_outside, s.range, lo.str(),
                                 hi.str(), dim.size.str());
          if (std::string help = countedFromEnd(subs, name); !help.empty())
            d.help("counted from the end it is '" + help + "'");
          bad = true;
          break;
        }
      sub.range.nonNegative = true; // else the check of the slice has failed
      dims.push_back(sub.range.size);
      allPoints = false;
      out.push_back(sub);
      continue;
    }
    Expr *i = checkValue(s.index);
    if (i->type.isError()) {
      bad = true;
      continue;
    }
    if (i->type.isArray()) {
      Type element = i->type.element();
      if (element.isScalar(ScalarKind::Bool)) {
        Diagnostic &d = report(diag::mask_index, s.range);
        if (isPlace && assigning)
          d.help("write '" + name + " = select(" + sourceText(s.range) + ", " +
                 sourceText(assigning->value->range) + ", " + name + ")'");
        else
          d.help("select with a condition: 'for x in a if x > 0.0 { x }'");
        bad = true;
        continue;
      }
      i = fix(i);
      element = i->type.element();
      if (!element.isScalar() || !isInteger(element.scalar())) {
        report(diag::index_not_int, s.range, i->type.str());
        bad = true;
        continue;
      }
      if (isPlace) {
        report(diag::gather_place, s.range)
            .help("use 'scatter': 'a = scatter(a) for .. { (index, value) }'");
        bad = true;
        continue;
      }
      if (gathered) {
        report(diag::two_gathers, s.range)
            .help("write the 'for' with its indices");
        bad = true;
        continue;
      }
      gathered = true;
      allPoints = false;
      sub.kind = hir::Sub::Kind::Gather;
      sub.index = reference(i);
      dims.insert(dims.end(), i->type.dims().begin(), i->type.dims().end());
      out.push_back(sub);
      continue;
    }
    if (!isIntScalar(i->type)) {
      Diagnostic &d = report(diag::index_not_int, s.range, i->type.str());
      if (i->type.isScalar() && (isFloat(i->type.scalar()) ||
                                 i->type.scalar() == ScalarKind::OpenFloat))
        d.help("convert it: 'int(floor(..))'");
      else if (i->type.isScalar() && isComplex(i->type.scalar()))
        d.help("'2j' is an imaginary number; a product is written '2*j'");
      bad = true;
      continue;
    }
    if (i->type.isOpen())
      i = close(i, ScalarKind::I64);
    sub.kind = hir::Sub::Kind::Point;
    sub.index = i;
    if (!isView)
      warnOfMinus(s.index, i);
    if (dim.ragged && !allPoints) {
      report(diag::slice_of_ragged, s.range);
      bad = true;
      continue;
    }
    // A constant can be judged at once.
    if (auto c = constantInt(i); c && !isView && !dim.ragged) {
      if (*c < 0) {
        Diagnostic &d =
            report(diag::negative_index, s.range, std::to_string(*c));
        if (std::string help = countedFromEnd(subs, name); !help.empty())
          d.help("counted from the end it is '" + help + "'");
        bad = true;
        continue;
      }
      if (auto n = facts().normalize(dim.size).constant(); n && *c >= *n) {
        report(diag::index_outside, s.range, std::to_string(*c),
               "'" + name + "'", std::to_string(k), std::to_string(*n))
            .help("the first index is 0, the last " + std::to_string(*n - 1));
        bad = true;
        continue;
      }
    }
    if (auto p =
            s.namesEnd && !isView && !dim.ragged ? polynomial(i) : std::nullopt;
        p && facts().isNonNegative(*p - dim.size)) {
      report(diag::index_outside, s.range, p->str(), "'" + name + "'",
             std::to_string(k), dim.size.str())
          .help("the last element is at 'end-1'");
      bad = true;
      continue;
    }
    if (auto *n = bareName(s))
      if (Binding *b = lookupLocal(n->name);
          b && b->kind == Binding::Kind::Variable &&
          b->var->kind == Variable::Kind::Index && info(b->var).bareable) {
        Size size = dim.ragged && baseExpr
                        ? rowSize(baseExpr, ArrayRef(out), s.range)
                        : dim.size;
        info(b->var).bare.push_back({size, name, s.range});
        sub.inBounds = true; // its range will be this size
      }
    out.push_back(sub);
  }
  if (bad)
    return false;
  for (const Dim &d : base.dims().drop_front(subs.size())) {
    // A row of a ragged array has one size.
    bool row = d.ragged && allPoints && dims.empty();
    dims.push_back(row ? Dim(Size(unknown)) : d);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Expr *Checker::index(Expr *base, std::vector<hir::Sub> subs,
                     std::vector<Dim> dims, SMRange loc) {
  Type type = dims.empty() ? base->type.element()
                           : Type::array(base->type.element(), dims);
  auto points = [](ArrayRef<hir::Sub> list) {
    return llvm::all_of(list, [](const hir::Sub &s) {
      return s.kind == hir::Sub::Kind::Point;
    });
  };
  // An element of an elementwise operation.
  if (auto *c = dyn_cast<hir::CompExpr>(base);
      c && !c->written && subs.size() == base->type.rank() && points(subs)) {
    std::vector<Expr *> at;
    for (hir::Sub &s : subs)
      at.push_back(s.index->type.isScalar(ScalarKind::I64)
                       ? s.index
                       : convertScalar(s.index, ScalarKind::I64, loc));
    return elementAt(base, at, loc);
  }
  // `a[i][j]` is `a[i, j]`.
  if (auto *i = dyn_cast<hir::IndexExpr>(base); i && points(i->subs)) {
    std::vector<hir::Sub> all = i->subs;
    all.insert(all.end(), subs.begin(), subs.end());
    return make<hir::IndexExpr>(i->base, all, type, loc);
  }
  auto *f = dyn_cast<hir::FieldExpr>(base);
  bool simple = isa<hir::VarRefExpr>(base) || isa<hir::ExtendExpr>(base);
  while (f) {
    simple = isa<hir::VarRefExpr>(f->base) || isa<hir::ExtendExpr>(f->base);
    f = dyn_cast<hir::FieldExpr>(f->base);
  }
  if (!simple)
    base = reference(base);
  return make<hir::IndexExpr>(base, std::move(subs), type, loc);
}

Expr *Checker::indexPoints(Expr *base, ArrayRef<Expr *> points, SMRange loc) {
  if (base->type.isError())
    return base;
  std::vector<hir::Sub> subs;
  for (Expr *p : points) {
    hir::Sub s;
    s.kind = hir::Sub::Kind::Point;
    s.index = p;
    s.loc = loc;
    subs.push_back(s);
  }
  std::vector<Dim> dims;
  for (const Dim &d : base->type.dims().drop_front(points.size()))
    dims.push_back(d.ragged && dims.empty() ? Dim(Size(unknown)) : d);
  return index(base, std::move(subs), std::move(dims), loc);
}

/// The `Extend` behind a view.
hir::ExtendExpr *Checker::extendOf(Expr *view) {
  while (view) {
    if (auto *x = dyn_cast<hir::ExtendExpr>(view))
      return x;
    if (auto *f = dyn_cast<hir::FieldExpr>(view))
      view = f->base;
    else if (auto *r = dyn_cast<hir::VarRefExpr>(view))
      view = info(r->var).init;
    else
      return nullptr;
  }
  return nullptr;
}

Value Checker::checkIndex(const ast::IndexExpr *e) {
  Value base = check(e->base);
  if (base.fn) {
    report(diag::function_as_value, e->base->range, base.fn->name)
        .help("call it with parentheses");
    return error(e->range);
  }
  Expr *b = base.expr;
  if (b->type.isError()) {
    // Names in the subscripts count as used.
    for (const ast::Sub &s : e->subs)
      for (const ast::Expr *x : {s.index, s.lo, s.hi, s.step})
        if (x)
          (void)check(x);
    return error(e->range);
  }
  std::string name = sourceText(e->base->range);
  bool hasSlice =
      llvm::any_of(e->subs, [](const ast::Sub &s) { return s.isSlice; });
  bool isView = base.view && !hasSlice;
  auto *lit = dyn_cast<hir::ArrayLitExpr>(b);
  if (!isView &&
      (isa<hir::CompExpr>(b) || lit || isa<hir::IfExpr>(b) ||
       isa<hir::ArrayOpExpr>(b)) &&
      !(isa<hir::CompExpr>(b) && !cast<hir::CompExpr>(b)->written))
    b = reference(b);
  std::vector<hir::Sub> subs;
  std::vector<Dim> dims;
  if (!checkSubs(b->type, e->subs, e->base->range, name, false, isView, b, subs,
                 dims))
    return error(e->range);
  bool points = llvm::all_of(
      subs, [](const hir::Sub &s) { return s.kind == hir::Sub::Kind::Point; });
  if (isView && points) {
    hir::ExtendExpr *x = extendOf(base.view);
    for (hir::Sub &s : subs)
      s.inBounds = false; // nothing can be read of an empty array
    for (unsigned k = subs.size(); k < x->modes.size(); ++k)
      if (x->modes[k] != hir::Boundary::None) {
        report(diag::view_needs_all, e->range, "'" + name + "'",
               std::to_string(b->type.rank()))
            .help("only last dimensions with the mode 'none' can be left out");
        return error(e->range);
      }
    Type type = Type::array(b->type.element(), dims);
    return make<hir::IndexExpr>(base.view, subs, type, e->range);
  }
  return bindUnknowns(index(b, std::move(subs), std::move(dims), e->range));
}
