//===- TimeLoops.h - Time loops of the host ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOHOST_TIMELOOPS_H
#define ARRC_LIB_CONVERSION_KERNELTOHOST_TIMELOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace arrc {

/// Turns every `kernel.iterate` below `root` into an `scf.while`, and copies
/// between views into loops.
mlir::LogicalResult convertTimeLoops(mlir::Operation *root);

/// The number of the step in the body of `loop`: an argument that grows by one,
/// if all that the condition hands on is what it was given. Null otherwise.
mlir::BlockArgument findStepNumber(mlir::scf::WhileOp loop);

/// Whether an op of a step only starts work of the device, or computes numbers:
/// what the runtime can do without the host's code.
bool isPartOfStep(mlir::Operation *op);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOHOST_TIMELOOPS_H
