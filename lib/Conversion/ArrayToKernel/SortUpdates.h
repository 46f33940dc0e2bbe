//===- SortUpdates.h - Updates by sorting -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTUPDATES_H
#define ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTUPDATES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace arrc {

/// Replaces the updates of `func` that would need a copy of the bins for each
/// thread by sorts and folds of rows of different lengths, where the bins are
/// too many for that. Nothing on a CPU, whose tasks are few.
void sortUpdates(mlir::func::FuncOp func);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_ARRAYTOKERNEL_SORTUPDATES_H
