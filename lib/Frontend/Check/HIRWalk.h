//===- HIRWalk.h - Visiting the checked tree --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_FRONTEND_CHECK_HIRWALK_H
#define ARRC_LIB_FRONTEND_CHECK_HIRWALK_H

#include "arrc/Frontend/HIR.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace arrc::hir {

/// Calls the function for each direct operand, those in blocks left out.
void forEachOperand(Expr *e, llvm::function_ref<void(Expr *&)> fn);
/// Calls the function for each block of an expression.
void forEachBlock(Expr *e, llvm::function_ref<void(Block *)> fn);
/// Calls the function for each size that an expression itself holds: ranges,
/// slices, bins, its type left out.
void forEachSize(Expr *e, llvm::function_ref<void(Size &)> fn);
/// Calls the function for each expression directly in a statement.
void forEachOperand(Stmt *s, llvm::function_ref<void(Expr *&)> fn);
void forEachBlock(Stmt *s, llvm::function_ref<void(Block *)> fn);
void forEachSize(Stmt *s, llvm::function_ref<void(Size &)> fn);

/// Calls the function for an expression and everything in it, blocks included,
/// outer before inner.
void walk(Expr *e, llvm::function_ref<void(Expr *)> fn);
void walk(Block *b, llvm::function_ref<void(Expr *)> fn);
/// Whether a variable occurs, in sizes too.
bool mentions(Expr *e, const Variable *var);

/// Replaces variables everywhere in an expression or block.
using Renaming = llvm::DenseMap<const Variable *, Variable *>;
void rename(Expr *e, const Renaming &map);
void rename(Block *b, const Renaming &map);

} // namespace arrc::hir

#endif // ARRC_LIB_FRONTEND_CHECK_HIRWALK_H
