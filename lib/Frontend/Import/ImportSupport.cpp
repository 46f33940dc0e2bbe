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
  template <typename... Args>
  void refuse(diag::ID id, llvm::SMRange at, const Args &...args) {
    diags.report(id, at, args...);
    refused = true;
  }

  DiagnosticEngine &diags;
};
} // namespace

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
  switch (e->kind) {
  case hir::Expr::Kind::ExternCall:
    return refuse(diag::unsupported_extern, e->loc,
                  llvm::cast<hir::ExternCallExpr>(e)->callee);
  default:
    break;
  }
  hir::forEachOperand(e, [&](hir::Expr *&operand) { visit(operand); });
  hir::forEachBlock(e, [&](hir::Block *block) { visit(block); });
}

bool arrc::refuseUnsupported(const hir::Def &def, DiagnosticEngine &diags) {
  Support support(diags);
  if (def.entry)
    support.visit(def.entry);
  support.visit(def.body);
  return support.refused;
}
