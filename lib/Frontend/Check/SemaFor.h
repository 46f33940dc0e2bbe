//===- SemaFor.h - A `for` that is being checked ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_FRONTEND_CHECK_SEMAFOR_H
#define ARRC_LIB_FRONTEND_CHECK_SEMAFOR_H

#include "SemaImpl.h"

namespace arrc::sema {

/// The state of a `for` between opening and closing.
struct Checker::Loop {
  /// An element `x` of `for x in a` that is bound when the next block opens.
  struct Element {
    const ast::Pattern *pattern;
    Expr *array;
    Variable *index;
  };

  Checker *checker = nullptr;
  hir::CompExpr *comp = nullptr;
  /// The level of the block around it.
  unsigned outer = 0;
  bool bad = false;
  std::unique_ptr<NameScope> names_;
  std::vector<std::unique_ptr<BuilderScope>> blocks;
  std::vector<Element> elements;
  /// Names of its indices so far.
  llvm::StringSet<> names;

  void enter(Checker &c, hir::Block *block, bool conditional = false) {
    // Ranges that no index decides stand outside.
    if (blocks.empty())
      ++c.bodyDepth;
    blocks.push_back(std::make_unique<BuilderScope>(c, block, conditional));
  }
  void leave() {
    if (checker && !blocks.empty())
      --checker->bodyDepth;
    while (!blocks.empty())
      blocks.pop_back();
    names_.reset();
    checker = nullptr;
  }
  ~Loop() { leave(); }
};

/// Sets the flags that `@fast`, `@unsafe` and `@exact` give to nodes.
struct Checker::FastScope {
  Checker &c;
  bool fast, unsafe, exact;

  FastScope(Checker &c, ArrayRef<hir::Attr> attrs)
      : c(c), fast(c.fast), unsafe(c.unsafe), exact(c.exact) {
    for (const hir::Attr &a : attrs) {
      c.fast |= a.name == "fast";
      c.unsafe |= a.name == "unsafe";
      c.exact |= a.name == "exact";
    }
  }
  ~FastScope() {
    c.fast = fast;
    c.unsafe = unsafe;
    c.exact = exact;
  }
};

} // namespace arrc::sema

#endif // ARRC_LIB_FRONTEND_CHECK_SEMAFOR_H
