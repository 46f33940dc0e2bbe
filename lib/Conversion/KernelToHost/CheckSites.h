//===- CheckSites.h - The places of a program that may fail -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Every check has a number, its site: the first error of a launch is the one of
// the lowest site, so sites count in source order. Copies of a check (a body
// with and a body without masks) share one.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOHOST_CHECKSITES_H
#define ARRC_LIB_CONVERSION_KERNELTOHOST_CHECKSITES_H

#include "arrc/Conversion/KernelToHost/Attributes.h"

#include "mlir/IR/BuiltinOps.h"

namespace arrc {

/// The source place that a location stands for: of inlined code the place where
/// it is written. Null if it has none.
mlir::FileLineColLoc findSourcePlace(mlir::Location loc);

/// Gives every check of the module that has none its site, in source order,
/// behind the sites that exist.
void numberChecks(mlir::ModuleOp module);

/// The site of a check that `numberChecks` has seen.
int32_t getSite(mlir::Operation *check);

/// Adds a site for an allocation called `name`.
int32_t addAllocationSite(mlir::ModuleOp module, mlir::Location loc,
                          llvm::StringRef name);

/// A digit of an iteration's index whose loop was expanded.
struct ExpandedDigit {
  llvm::StringRef name;
  int64_t index, extent;
};

/// Those of the loops around `check`.
llvm::SmallVector<ExpandedDigit> getExpandedDigits(mlir::Operation *check);

/// How the digits called `names` (`i`, or `i.0` of a dimension that is split),
/// those of outer loops first, make one number of an iteration's index, the
/// most significant first: dimensions in the order of their loops, the digits
/// of each together. Errors of one site are ordered by it.
llvm::SmallVector<unsigned> orderDigits(llvm::ArrayRef<llvm::StringRef> names);

/// A value of a check as the 64 bits that the runtime reads: integers
/// extended, floats as the bits of a double.
mlir::Value toCheckBits(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOHOST_CHECKSITES_H
