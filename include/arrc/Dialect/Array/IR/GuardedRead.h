//===- GuardedRead.h - Reads that must stay in their branch -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A read that is inside of its array only because of a branch around it, and
// that no boundary mode can make safe elsewhere (the array may be empty), is
// `inbounds` and has this attribute: it needs no check, and must not be moved
// out of the branch.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_GUARDEDREAD_H
#define ARRC_DIALECT_ARRAY_IR_GUARDEDREAD_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace arrc::array {

/// The attribute, a unit.
inline constexpr llvm::StringLiteral kGuardedAttr{"array.guarded"};

/// Lets `read`, which takes the place of `old`, stay where that had to.
inline void keepGuard(mlir::Operation *old, mlir::Operation *read) {
  if (old->hasAttr(kGuardedAttr))
    read->setAttr(kGuardedAttr, mlir::UnitAttr::get(old->getContext()));
}

/// The same for a read of what `view` shows. In a branch that may be inside of
/// its source because of the branch alone.
inline void guardViewed(mlir::Operation *view, mlir::Operation *read) {
  if (view->getParentOfType<mlir::scf::IfOp>())
    read->setAttr(kGuardedAttr, mlir::UnitAttr::get(view->getContext()));
}

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_IR_GUARDEDREAD_H
