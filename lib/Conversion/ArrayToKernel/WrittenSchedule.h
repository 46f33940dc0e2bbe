//===- WrittenSchedule.h - Schedules that a program asks for ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_CONVERSION_ARRAYTOKERNEL_WRITTENSCHEDULE_H
#define ARRC_CONVERSION_ARRAYTOKERNEL_WRITTENSCHEDULE_H

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace arrc {

/// Gives `launch` the schedule that is written before `op`, from which it was
/// made, or warns why it cannot be obeyed.
void obeyWrittenSchedule(array::IndexSpaceOpInterface op,
                         kernel::LaunchOp launch);

/// Warns of what is written where no kernel begins: in bodies, before loops of
/// statements.
void refuseInnerSchedules(mlir::func::FuncOp function);

} // namespace arrc

#endif // ARRC_CONVERSION_ARRAYTOKERNEL_WRITTENSCHEDULE_H
