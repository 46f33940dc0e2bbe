//===- SemaContext.h - Leaving what is being checked ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_FRONTEND_CHECK_SEMACONTEXT_H
#define ARRC_LIB_FRONTEND_CHECK_SEMACONTEXT_H

#include "SemaImpl.h"

namespace arrc::sema {

/// Puts the state of the function that is being checked aside, while another
/// declaration is looked at.
struct Checker::ContextScope {
  Checker &c;
  std::vector<Builder *> builders;
  Scope *scope;
  const hir::CallSite *site;
  bool fast, unsafe, defHasErrors, inType, notedSizes;
  unsigned callDepth, bodyDepth, nextTemporary;
  llvm::StringSet<> namedUnknowns;
  std::vector<Warning> pendingWarnings;
  llvm::StringMap<std::pair<SMRange, const hir::Block *>> randomCalls;
  llvm::DenseMap<const Variable *, int64_t> constantEnv;
  llvm::DenseMap<TopDecl *, Variable *> constVars;
  llvm::StringMap<SMRange> endedNames;

  ContextScope(Checker &c, const ModuleInfo *module) : c(c) {
    swap();
    c.site = nullptr;
    c.fast = c.unsafe = c.defHasErrors = c.inType = c.notedSizes = false;
    c.callDepth = c.bodyDepth = c.nextTemporary = 0;
    c.scope = nullptr;
    c.pushScope(Scope::Kind::Function, nullptr, module);
  }
  ~ContextScope() {
    if (!c.defHasErrors)
      c.flushWarnings();
    swap();
  }

private:
  void swap() {
    std::swap(builders, c.builders);
    std::swap(scope, c.scope);
    std::swap(site, c.site);
    std::swap(fast, c.fast);
    std::swap(unsafe, c.unsafe);
    std::swap(defHasErrors, c.defHasErrors);
    std::swap(inType, c.inType);
    std::swap(notedSizes, c.notedSizes);
    std::swap(callDepth, c.callDepth);
    std::swap(bodyDepth, c.bodyDepth);
    std::swap(nextTemporary, c.nextTemporary);
    std::swap(namedUnknowns, c.namedUnknowns);
    std::swap(constantEnv, c.constantEnv);
    std::swap(constVars, c.constVars);
    std::swap(endedNames, c.endedNames);
    std::swap(pendingWarnings, c.pendingWarnings);
    std::swap(randomCalls, c.randomCalls);
  }
};

} // namespace arrc::sema

#endif // ARRC_LIB_FRONTEND_CHECK_SEMACONTEXT_H
