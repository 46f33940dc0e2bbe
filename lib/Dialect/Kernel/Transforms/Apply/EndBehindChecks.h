//===- EndBehindChecks.h - Loops that go on while checks hold ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loops whose number of steps is not known, and may be any.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_ENDBEHINDCHECKS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_ENDBEHINDCHECKS_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// Whether `op` is a check or has one inside.
bool hasChecks(mlir::Operation &op);

/// Ends each of `loops` behind the first step in which a check of its body
/// fails; of a fold, behind the piece of it. Inner loops stand before those
/// around them.
void endBehindChecks(llvm::ArrayRef<mlir::Operation *> loops);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_APPLY_ENDBEHINDCHECKS_H
