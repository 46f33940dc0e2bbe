//===- CarryValues.h - What steps leave for the next ones -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_CARRYVALUES_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_CARRYVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace arrc::kernel {

/// Keeps in registers what steps of `loop`, a loop of statements within a
/// launch, write to arrays and the next step reads, and writes an element that
/// all steps write when they are over. Gives the loop that takes its place, or
/// `loop` where there is nothing to keep.
mlir::scf::ForOp carryValues(mlir::scf::ForOp loop);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_CARRYVALUES_H
