//===- TaskWork.h - How much there is to do in a task -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOHOST_TASKWORK_H
#define ARRC_LIB_CONVERSION_KERNELTOHOST_TASKWORK_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace arrc {

/// Creates the smallest number of iterations of `loop`, which become tasks,
/// that is worth a worker: an estimate from the operations of one of them. The
/// builder stands in front of the loop.
mlir::Value createGrain(mlir::OpBuilder &builder, mlir::scf::ParallelOp loop);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOHOST_TASKWORK_H
