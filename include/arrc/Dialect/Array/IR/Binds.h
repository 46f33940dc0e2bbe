//===- Binds.h - Arrays under names for their sizes -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_BINDS_H
#define ARRC_DIALECT_ARRAY_IR_BINDS_H

#include "arrc/Dialect/Array/IR/Array.h"

namespace arrc::array {

/// The array without the operations that name its sizes.
inline mlir::Value skipBinds(mlir::Value array) {
  while (auto bind = array.getDefiningOp<BindOp>())
    array = bind.getSource();
  return array;
}

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_IR_BINDS_H
