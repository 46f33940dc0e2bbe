//===- BodyCost.h - What a body costs ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A rough count of the work of operations, for passes that weigh doing a thing
// again against keeping its result. One unit is an addition.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_BODYCOST_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_BODYCOST_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace arrc::array {

/// The cost of running some operations once.
struct BodyCost {
  /// Arithmetic, in additions.
  int64_t work = 0;
  /// Elements read from arrays.
  int64_t reads = 0;
  /// Whether there is a loop, which may run any number of times.
  bool loops = false;

  /// Adds the cost of `op`, regions included.
  void add(mlir::Operation *op);
  /// The cost of the operations of `block` before its terminator.
  static BodyCost of(mlir::Block &block);
};

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_BODYCOST_H
