//===- BuildInside.h - One builder for a body and around it -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Builders of operations with a body hand out a builder for it. A class that
// keeps one of its own goes on with that there.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_BUILDINSIDE_H
#define ARRC_SUPPORT_BUILDINSIDE_H

#include "mlir/IR/Builders.h"

namespace arrc {

/// Runs `body` with `b` where `nested` is; gives what it gives.
template <typename Body>
auto buildInside(mlir::OpBuilder &b, mlir::OpBuilder &nested, Body body) {
  mlir::OpBuilder::InsertionGuard guard(b);
  b.restoreInsertionPoint(nested.saveInsertionPoint());
  return body();
}

} // namespace arrc

#endif // ARRC_SUPPORT_BUILDINSIDE_H
