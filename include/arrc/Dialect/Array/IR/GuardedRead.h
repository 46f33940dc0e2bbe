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

#include "llvm/ADT/StringRef.h"

namespace arrc::array {

/// The attribute, a unit.
inline constexpr llvm::StringLiteral kGuardedAttr{"array.guarded"};

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_IR_GUARDEDREAD_H
