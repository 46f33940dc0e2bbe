//===- ImportSupport.cpp - What the importer cannot translate yet ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Looks at a whole function before anything is built: each construct without a
// translation is reported at its place, and the importer itself has no errors.
//
//===----------------------------------------------------------------------===//

#include "../Check/HIRWalk.h"
#include "ImportImpl.h"

using namespace arrc;
using CompKind = hir::CompExpr::CompKind;

bool arrc::fitsAccumulator(const Type::Leaf &leaf) {
  int64_t elements = 1;
  for (const Dim &dim : leaf.dims) {
    std::optional<int64_t> n = dim.size.constant();
    if (!n || *n <= 0 || *n > 64)
      return false;
    elements *= *n;
  }
  return elements <= 64;
}

namespace {
class Support {
public:
  explicit Support(DiagnosticEngine &diags) : diags(diags) {}

  void visit(hir::Block *block);
  bool refused = false;

private:
  void visit(hir::Stmt *stmt);
  void visit(hir::Expr *e);
  void visit(hir::CompExpr *e);
  template <typename... Args>
  void refuse(diag::ID id, llvm::SMRange at, const Args &...args) {
    diags.report(id, at, args...);
    refused = true;
  }

  DiagnosticEngine &diags;
};
} // namespace

static bool isRagged(const Type &type) {
  if (!type || type.isError() || type.isNone() || type.isFunction())
    return false;
  for (const Type::Leaf &leaf : type.leaves())
    for (const Dim &dim : leaf.dims)
      if (dim.ragged)
        return true;
  return false;
}

void Support::visit(hir::Block *block) {
  for (hir::Stmt *stmt : block->stmts)
    visit(stmt);
  if (block->value)
    visit(block->value);
}

void Support::visit(hir::Stmt *stmt) {
  hir::forEachOperand(stmt, [&](hir::Expr *&e) { visit(e); });
  hir::forEachBlock(stmt, [&](hir::Block *block) { visit(block); });
}

void Support::visit(hir::Expr *e) {
  // Ragged values first: what is done with them needs no message of its own.
  if (isRagged(e->type))
    return refuse(diag::unsupported_ragged, e->loc);
  switch (e->kind) {
  case hir::Expr::Kind::ExternCall:
    return refuse(diag::unsupported_extern, e->loc,
                  llvm::cast<hir::ExternCallExpr>(e)->callee);
  case hir::Expr::Kind::Comp:
    visit(llvm::cast<hir::CompExpr>(e));
    break;
  default:
    break;
  }
  hir::forEachOperand(e, [&](hir::Expr *&operand) { visit(operand); });
  hir::forEachBlock(e, [&](hir::Block *block) { visit(block); });
}

void Support::visit(hir::CompExpr *e) {
  switch (e->compKind) {
  case CompKind::Filter:
    return;
  case CompKind::Map:
  case CompKind::Stencil:
    if (hasDependent(e))
      refuse(diag::unsupported_ragged, e->loc);
    return;
  case CompKind::Reduce:
  case CompKind::Scan:
  case CompKind::Hist:
  case CompKind::Scatter:
    return;
  }
}

bool arrc::refuseUnsupported(const hir::Def &def, DiagnosticEngine &diags) {
  Support support(diags);
  for (const hir::Param &param : def.params)
    if (isRagged(param.var->type)) {
      diags.report(diag::unsupported_ragged, param.var->loc);
      support.refused = true;
    }
  if (def.entry)
    support.visit(def.entry);
  support.visit(def.body);
  return support.refused;
}
