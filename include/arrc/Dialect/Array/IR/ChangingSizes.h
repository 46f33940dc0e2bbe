//===- ChangingSizes.h - Arrays whose size a loop changes -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_CHANGINGSIZES_H
#define ARRC_DIALECT_ARRAY_IR_CHANGINGSIZES_H

#include "mlir/IR/Operation.h"

namespace arrc::array {

/// True if `op`, an `scf.if`, `arith.select`, `scf.for` or `scf.while`, carries
/// or gives an array whose size may differ from step to step or from branch to
/// branch. Arrays that keep their size are read under an `array.bind`, or what
/// is carried on is seen to have the size of what came in.
bool changesSizes(mlir::Operation *op);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_IR_CHANGINGSIZES_H
