//===- SemaConversions.cpp - Meeting and conversions ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What two types become where they meet, and what converts to a declared type.
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

/// Whether every value of `b` is one of `a`; both integers.
static bool holds(ScalarKind a, ScalarKind b) {
  if (isSignedInt(a) == isSignedInt(b))
    return bitWidth(a) >= bitWidth(b);
  return isSignedInt(a) && bitWidth(a) > bitWidth(b);
}

std::optional<ScalarKind> Checker::meet(ScalarKind a, ScalarKind b) {
  using K = ScalarKind;
  if (a == b)
    return a;
  if (a == K::OpenAny)
    return b;
  if (b == K::OpenAny)
    return a;
  if (isOpen(b))
    std::swap(a, b);
  if (isOpen(a) && isOpen(b))
    return a == K::OpenComplex || b == K::OpenComplex ? K::OpenComplex
                                                      : K::OpenFloat;
  if (a == K::OpenComplex) {
    if (isInteger(b))
      return a;
    if (b == K::F32 || b == K::C64)
      return K::C64;
    if (b == K::F64 || b == K::C128)
      return K::C128;
    return std::nullopt;
  }
  if (a == K::OpenInt)
    return b == K::Bool ? std::nullopt : std::optional(b);
  if (a == K::OpenFloat) {
    if (b == K::Bool)
      return std::nullopt;
    return isInteger(b) ? a : b;
  }
  if (a == K::Bool || b == K::Bool)
    return std::nullopt;
  if (isInteger(a) && isInteger(b)) {
    if (holds(a, b))
      return a;
    if (holds(b, a))
      return b;
    return std::nullopt;
  }
  if (isInteger(a))
    return b;
  if (isInteger(b))
    return a;
  if (isComplex(a) && realPart(a) == b)
    return a;
  if (isComplex(b) && realPart(b) == a)
    return b;
  return std::nullopt;
}

Type Checker::meetTypes(const Type &a, const Type &b) {
  if (a.isError() || b.isError())
    return Type::error();
  if (a.isScalar() && b.isScalar()) {
    auto k = meet(a.scalar(), b.scalar());
    return k ? Type(*k) : Type();
  }
  if (a.isArray() && b.isArray()) {
    if (a.rank() != b.rank())
      return {};
    Type e = meetTypes(a.element(), b.element());
    if (!e)
      return {};
    // Arrays do not convert; open ones take the other's element.
    auto same = [&](const Type &t) {
      return t.element().isOpen() || Type::sameShapeless(t.element(), e);
    };
    return same(a) && same(b) ? e.withDims(a.dims()) : Type();
  }
  if (a.isTuple() && b.isTuple() && a.numComponents() == b.numComponents()) {
    std::vector<Type> all;
    for (auto [x, y] : llvm::zip(a.components(), b.components())) {
      Type t = meetTypes(x.type, y.type);
      if (!t)
        return {};
      all.push_back(t);
    }
    return Type::tuple(std::move(all));
  }
  return Type::sameShapeless(a, b) ? a : Type();
}

bool Checker::explainClosed(Diagnostic &d, const Variable *var,
                            const Type &wanted) {
  if (!closedVars.contains(var) || !var->type.element().isScalar() ||
      !wanted.element().isScalar())
    return false;
  std::string type = wanted.element().str();
  std::string all = var->type.isArray()
                        ? Type::array(wanted.element(), var->type.dims()).str()
                        : type;
  bool isVar = var->kind == Variable::Kind::Var;
  d.place(var->loc, "'" + var->name + "' is " + var->type.str() +
                        ", as no type is declared here");
  d.help("declare it: '" + std::string(isVar ? "var " : "let ") + var->name +
         ": " + all + " = ..'");
  return true;
}

bool Checker::explainClosed(Diagnostic &d, Expr *e, const Type &wanted) {
  while (auto *element = dyn_cast<hir::IndexExpr>(e))
    e = element->base;
  auto *reference = dyn_cast<hir::VarRefExpr>(e);
  return reference && explainClosed(d, reference->var, wanted);
}

/// How a complex number becomes a real one.
static constexpr StringRef partHelp = "take 're', 'im' or 'abs'";

/// Says in `d` how two scalars that do not meet can be brought together.
static void helpToMeet(Diagnostic &d, const Type &x, const Type &y) {
  if (!x.isScalar() || !y.isScalar())
    return;
  ScalarKind p = x.scalar(), q = y.scalar();
  if (p == ScalarKind::Bool || q == ScalarKind::Bool) {
    ScalarKind other = p == ScalarKind::Bool ? q : p;
    std::string to = isOpen(other) ? "int" : name(other).str();
    d.help("convert the bool, as in '" + to + "(b)', or compare the number");
  } else if (isInteger(p) && isInteger(q)) {
    d.help("convert one side, as in '" + name(p).str() + "(..)'");
  } else if (p != q) {
    // Only to a complex number.
    ScalarKind to = isComplex(q) && !isComplex(p) ? q : p;
    d.help("two float types never mix: convert one side, as in '" +
           name(to).str() + "(..)'");
  }
}

void Checker::reportNoMeet(const Type &a, const Type &b, SMRange loc,
                           const std::string &what) {
  Diagnostic &d = report(diag::types_do_not_meet, loc, what, a.str(), b.str());
  helpToMeet(d, a.element(), b.element());
}

void Checker::reportNoMeet(Expr *a, Expr *b, SMRange loc,
                           const std::string &what) {
  Diagnostic &d =
      report(diag::types_do_not_meet, loc, what, a->type.str(), b->type.str());
  if (!explainClosed(d, a, b->type) && !explainClosed(d, b, a->type))
    helpToMeet(d, a->type.element(), b->type.element());
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Expr *Checker::convertScalar(Expr *e, ScalarKind to, SMRange loc) {
  if (e->type.isScalar(to) || e->type.isError())
    return e;
  return foldInt(make<hir::ConvertExpr>(e, Type(to), loc));
}

Expr *Checker::convertCall(Expr *e, ScalarKind to, SMRange loc) {
  if (e->type.isError())
    return e;
  if (!e->type.element().isScalar()) {
    report(diag::cannot_convert, loc, e->type.str(), name(to).str());
    return error(loc);
  }
  auto one = [&](Expr *x) -> Expr * {
    ScalarKind from = x->type.scalar();
    // `f64(0.1)` is the double; `int(2.5)` rounds toward zero.
    if (isOpen(from)) {
      bool direct =
          from == ScalarKind::OpenAny ||
          (from == ScalarKind::OpenInt && to != ScalarKind::Bool) ||
          (from == ScalarKind::OpenFloat && (isFloat(to) || isComplex(to))) ||
          (from == ScalarKind::OpenComplex && isComplex(to));
      if (direct)
        return close(x, to);
      x = fix(x);
      from = x->type.scalar();
    }
    if (isComplex(from) && !isComplex(to)) {
      report(diag::complex_to_real, loc, name(to).str()).help(partHelp);
      return error(loc);
    }
    return convertScalar(x, to, loc);
  };
  if (e->type.isScalar())
    return one(e);
  if (e->type.isOpen() && e->type.element().scalar() != ScalarKind::OpenFloat &&
      to != ScalarKind::Bool)
    return close(e, to);
  if (e->type.isOpen() && (isFloat(to) || isComplex(to)))
    return close(e, to);
  e = fix(e);
  return elementwise(
      {e}, [&](std::vector<Expr *> a) { return one(a[0]); }, loc, "conversion");
}

static StringRef purposeText(Purpose p) {
  switch (p) {
  case Purpose::Let:
    return "the declared type";
  case Purpose::Argument:
    return "the parameter";
  case Purpose::Result:
    return "the result";
  case Purpose::Assign:
    return "what is assigned to";
  case Purpose::Element:
    return "an element of the array";
  case Purpose::Field:
    return "the field";
  case Purpose::Other:
    return "the other";
  }
  llvm_unreachable("no such purpose");
}

Expr *Checker::coerce(Expr *e, const Type &to, Purpose purpose, SMRange loc,
                      const std::string &name, SMRange declared) {
  const Type &from = e->type;
  if (from.isError() || to.isError())
    return error(loc);
  std::string place =
      purposeText(purpose).str() + (name.empty() ? "" : " '" + name + "'");
  auto mismatch = [&]() -> Expr * {
    if (from.isNone()) {
      report(diag::no_value, loc);
      return error(loc);
    }
    Diagnostic &d =
        report(diag::type_mismatch, loc, place, to.str(), e->type.str());
    // What was wrong may be the type that a variable took by itself: the one
    // that is assigned to, or the one that is the value.
    auto *target =
        purpose == Purpose::Assign
            ? llvm::find_if(closedVars,
                            [&](const Variable *var) {
                              return var->loc.Start == declared.Start;
                            })
            : closedVars.end();
    if (target != closedVars.end() ? explainClosed(d, *target, e->type)
                                   : explainClosed(d, e, to))
      return error(loc);
    d.place(declared, "declared here");
    auto isComplexElement = [](const Type &t) {
      return t.element().isScalar() && isComplex(t.element().scalar());
    };
    bool takesPart = from.isArray() == to.isArray() && isComplexElement(from) &&
                     to.element().isScalar() && !isComplexElement(to);
    auto *comp = dyn_cast<hir::CompExpr>(e);
    bool isPosition = comp && to.isScalar() && from.isTuple() &&
                      (comp->combiner == hir::Combiner::ArgMin ||
                       comp->combiner == hir::Combiner::ArgMax);
    auto isScalarOf = [](const Type &t, auto is) {
      return t.element().isScalar() && is(t.element().scalar());
    };
    bool toInteger =
        isScalarOf(to, isInteger) && isScalarOf(from, [](ScalarKind k) {
          return k == ScalarKind::OpenFloat;
        });
    if (takesPart)
      d.help(partHelp);
    else if (isPosition)
      d.help("there is an index for each dimension; 'flatten(a)' has one");
    else if (toInteger && from.rank() == to.rank())
      d.help("a float becomes an integer, toward zero, by a call: '" +
             to.element().str() + "(" + shortText(e->loc) + ")'");
    else if (to.isScalar(ScalarKind::Bool) && from.isArray() &&
             from.element().isScalar(ScalarKind::Bool))
      d.help("say 'any(" + shortText(e->loc) + ")' or 'all(" +
             shortText(e->loc) + ")'");
    else if (from.isScalar() && to.isScalar() && !isOpen(from.scalar()))
      d.help("write the conversion: '" + to.str() + "(..)'");
    else if (from.isArray() && to.isArray() && from.rank() == to.rank() &&
             from.element().isScalar() && to.element().isScalar() &&
             !from.isOpen())
      d.help("arrays convert by a call: '" + to.element().str() + "(..)'");
    return error(loc);
  };
  if (from.isFunction() || to.isFunction())
    return mismatch();

  if (to.isScalar()) {
    if (!from.isScalar())
      return mismatch();
    if (isOpen(from.scalar())) {
      if ((from.scalar() == ScalarKind::OpenFloat &&
           (isInteger(to.scalar()) || to.scalar() == ScalarKind::Bool)) ||
          (from.scalar() == ScalarKind::OpenComplex &&
           !isComplex(to.scalar())) ||
          (from.scalar() == ScalarKind::OpenInt &&
           to.scalar() == ScalarKind::Bool))
        return mismatch();
      return close(e, to.scalar());
    }
    auto met = meet(from.scalar(), to.scalar());
    if (!met || *met != to.scalar())
      return mismatch();
    return convertScalar(e, to.scalar(), loc);
  }

  if (to.isTuple() && from.isTuple() && !from.isOpen() &&
      Type::sameShapeless(from, to) &&
      llvm::all_of(from.leaves(),
                   [](const Type::Leaf &l) { return l.dims.empty(); }))
    return e;
  if (to.isTuple()) {
    // A comprehension of tuples unzips to a tuple of arrays.
    if (from.isArray() && from.element().isTuple() &&
        from.element().numComponents() == to.numComponents()) {
      Expr *whole = reference(e);
      std::vector<Expr *> parts;
      std::vector<Type> types;
      for (unsigned k = 0; k < to.numComponents(); ++k) {
        Expr *part =
            coerce(field(whole, k, loc), to.component(k), purpose, loc, name);
        if (part->type.isError())
          return part;
        parts.push_back(part);
        types.push_back(part->type);
      }
      return make<hir::TupleExpr>(parts, Type::tuple(types), loc);
    }
    if (!from.isTuple() || from.numComponents() != to.numComponents())
      return mismatch();
    std::vector<Expr *> parts;
    std::vector<Type> types;
    auto *literal = dyn_cast<hir::TupleExpr>(e);
    if (!literal && e->type.isOpen())
      e = closeTo(e, to);
    Expr *whole = literal ? e : reference(e);
    for (unsigned k = 0; k < to.numComponents(); ++k) {
      Expr *part = literal ? literal->elements[k] : field(whole, k, loc);
      part = coerce(part, to.component(k), purpose, literal ? part->loc : loc,
                    name);
      if (part->type.isError())
        return part;
      parts.push_back(part);
      types.push_back(part->type);
    }
    return make<hir::TupleExpr>(parts, Type::tuple(types), e->loc);
  }

  if (to.isArray()) {
    // A declared `real[n]` of tuples may be given as a tuple of arrays? No:
    // only the other way round is a conversion.
    if (!from.isArray() || from.rank() != to.rank())
      return mismatch();
    Type element = to.element();
    if (from.isOpen()) {
      Type met = meetTypes(from.element(), element);
      if (!met || !Type::sameShapeless(met, element))
        return mismatch();
      e = closeTo(e, element.withDims(e->type.dims()));
      if (e->type.isError())
        return e;
    }
    if (!Type::sameShapeless(e->type.element(), element))
      return mismatch();
    std::vector<Dim> dims;
    for (auto [d, pair] :
         llvm::enumerate(llvm::zip(e->type.dims(), to.dims()))) {
      const Dim &have = std::get<0>(pair), &want = std::get<1>(pair);
      if (want.ragged || have.ragged) {
        if (!want.ragged) {
          report(diag::ragged_not_allowed, loc, place, to.str());
          return error(loc);
        }
        dims.push_back(have);
        continue;
      }
      if (!isUnknown(want.size) && !isUnknown(have.size) &&
          !requireEqual(have.size, want.size, loc,
                        "sizes differ in dimension " + std::to_string(d) +
                            " of " + place)) {
        Diagnostic &diag = report(diag::declared_size_differs, loc, place,
                                  want.size.str(), have.size.str());
        diag.label("this is " + e->type.str() + ", not " + to.str());
        diag.place(declared, "declared here");
        if (replaced && replaced->type.isArray())
          diag.help("a 'var' keeps its sizes; " + growHelp(replaced, d));
        return error(loc);
      }
      dims.push_back(isUnknown(want.size) ? have : want);
    }
    // From here on the value has the sizes of its declaration.
    if (!e->type.element().isTuple())
      e = withDims(e, dims);
    return e;
  }

  if (!Type::sameShapeless(from, to))
    return mismatch();
  return e;
}

Expr *Checker::withDims(Expr *e, ArrayRef<Dim> dims) {
  bool same = llvm::all_of(llvm::zip(e->type.dims(), dims), [](auto p) {
    return std::get<0>(p).ragged == std::get<1>(p).ragged &&
           std::get<0>(p).size == std::get<1>(p).size;
  });
  if (same)
    return e;
  // A node of its own: the old one may be shared.
  Type t = Type::array(e->type.element(), dims.vec());
  if (auto *r = dyn_cast<hir::VarRefExpr>(e))
    return make<hir::VarRefExpr>(r->var, t, e->loc);
  e->type = t;
  return e;
}
