//===- UndoFolding.h - What folding makes costly or wrong -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Canonicalization leaves forms that the conversion would read as something
// else, or copy for.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_ARRAYTOKERNEL_UNDOFOLDING_H
#define ARRC_LIB_CONVERSION_ARRAYTOKERNEL_UNDOFOLDING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace arrc {

/// Folding has an assignment that overwrites an earlier one begin with what
/// that one began with. Where the earlier is still read, both would need the
/// array as it was, and a copy of it: they follow each other again.
void chainAssignments(mlir::func::FuncOp func);

/// One of two arrays of different sizes is no array of chosen elements, which
/// selections of whole arrays are read as: canonicalization makes these of
/// branches.
void chooseByBranches(mlir::func::FuncOp func);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_ARRAYTOKERNEL_UNDOFOLDING_H
