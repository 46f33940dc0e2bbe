//===- TimeLoop.h - Where the buffers of a time loop get --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A step of `kernel.iterate` on memrefs permutes the buffers of its loop.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_IR_TIMELOOP_H
#define ARRC_DIALECT_KERNEL_IR_TIMELOOP_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// The second buffers of the next step, if `next` are the carried ones: what
/// these do not name, each where its sizes fit. Fails if some buffer is named
/// twice, or is none of the loop.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
getNextSpares(IterateOp loop, mlir::ValueRange next);

/// Whether carried buffer `k` lies where it lay when all steps are done: every
/// step hands it on in its place, or so many steps as there are swap it back.
bool comesBackInPlace(IterateOp loop, unsigned k);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_IR_TIMELOOP_H
