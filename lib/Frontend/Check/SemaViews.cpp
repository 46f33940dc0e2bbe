//===- SemaViews.cpp - Arrays that are read beyond their edges ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SemaImpl.h"

#include "llvm/ADT/StringSwitch.h"

using namespace arrc;
using namespace arrc::sema;
using llvm::dyn_cast;

/// The mode that a name is.
static std::optional<hir::Boundary> boundaryOf(const ast::Expr *e) {
  auto *name = dyn_cast<ast::NameExpr>(e);
  return llvm::StringSwitch<std::optional<hir::Boundary>>(name ? name->name
                                                               : StringRef())
      .Case("clamp", hir::Boundary::Clamp)
      .Case("wrap", hir::Boundary::Wrap)
      .Case("mirror", hir::Boundary::Mirror)
      .Case("reflect", hir::Boundary::Reflect)
      .Case("none", hir::Boundary::None)
      .Default(std::nullopt);
}

Value Checker::extendCall(const ast::CallExpr *e) {
  if (e->args.size() < 2) {
    report(diag::extend_needs_mode, e->range)
        .help("modes are clamp, wrap, mirror, reflect, none, or the value to "
              "read outside");
    return error(e->range);
  }
  for (const ast::Arg &a : e->args)
    if (a.name) {
      report(diag::no_such_argument, a.name.range, "extend", a.name.text);
      return error(e->range);
    }
  Expr *a = checkValue(e->args[0].value);
  if (a->type.isError())
    return error(e->range);
  if (!a->type.isArray() ||
      llvm::any_of(a->type.dims(), [](const Dim &d) { return d.ragged; })) {
    report(diag::needs_array, e->args[0].value->range, "'extend'",
           a->type.str());
    return error(e->range);
  }
  unsigned rank = a->type.rank(), given = e->args.size() - 1;
  auto *tuple =
      given == 1 ? dyn_cast<ast::TupleExpr>(e->args[1].value) : nullptr;
  if (tuple && llvm::any_of(tuple->elements, boundaryOf)) {
    report(diag::extend_needs_mode, tuple->range)
        .help("modes stand beside the array, without parentheses: "
              "'extend(a, wrap, clamp)'");
    return error(e->range);
  }
  if (given != 1 && given != rank) {
    report(diag::extend_modes, e->range, std::to_string(given),
           std::to_string(rank));
    return error(e->range);
  }
  a = fix(a);
  // The array as it is now, by a name.
  if (auto *r = dyn_cast<hir::VarRefExpr>(a);
      !r || r->var->kind == Variable::Kind::Var)
    a = ref(temporary(a), a->loc);
  std::vector<hir::Boundary> modes;
  std::vector<Expr *> fills;
  for (const ast::Arg &m : e->args.drop_front()) {
    auto *n = dyn_cast<ast::NameExpr>(m.value);
    if (auto mode = boundaryOf(m.value)) {
      modes.push_back(*mode);
      fills.push_back(nullptr);
      continue;
    }
    bool isMisspelt = n && !lookupLocal(n->name) && !lookupTop(n->name) &&
                      !isBuiltinName(n->name) && n->name != "pi" &&
                      n->name != "inf" && n->name != "nan";
    if (isMisspelt) {
      report(diag::unknown_name, n->range, n->name)
          .help("modes are clamp, wrap, mirror, reflect and none, or the value "
                "that is read outside");
      return error(e->range);
    }
    Expr *fill = checkValue(m.value);
    fill = coerce(fill, a->type.element(), Purpose::Other, m.value->range);
    if (fill->type.isError())
      return error(e->range);
    modes.push_back(hir::Boundary::Fill);
    fills.push_back(reference(fill));
  }
  while (modes.size() < rank) {
    modes.push_back(modes[0]);
    fills.push_back(fills[0] ? clone(fills[0]) : nullptr);
  }
  Value v(a);
  v.view = make<hir::ExtendExpr>(clone(a), modes, fills, a->type, e->range);
  return v;
}
