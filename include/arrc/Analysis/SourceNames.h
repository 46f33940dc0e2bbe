//===- SourceNames.h - What a person calls a thing --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Names for remarks, reports and plans: parameters and results as the program
// calls them, other arrays by the line that makes them.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_SOURCENAMES_H
#define ARRC_ANALYSIS_SOURCENAMES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

#include <string>

namespace arrc {

/// The first place of a program behind `loc`; null if there is none.
mlir::FileLineColLoc findPlace(mlir::Location loc);

/// "line 8"; with a column where `here` is on the same line, with the file
/// where it is in another one; "another place" without a place.
std::string describePlace(mlir::Location loc, mlir::Location here);

/// The parameter of a host function that `value` is; null if it is none.
mlir::BlockArgument getParameter(mlir::Value value);

/// What the program calls an array of a host function, tensor or memref: `'t0'`
/// for a parameter, `'t'` for a result, else `the array of line 5`.
std::string describeArray(mlir::Value array);

/// What the program calls a size of a host function: `n` for a dimension of a
/// parameter, the digits of a number, "" if it has no name.
std::string describeSize(mlir::Value size);

} // namespace arrc

#endif // ARRC_ANALYSIS_SOURCENAMES_H
