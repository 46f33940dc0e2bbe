//===- IndexSpace.h - Running operations with an index space ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_REFERENCE_INDEXSPACE_H
#define ARRC_LIB_REFERENCE_INDEXSPACE_H

#include "Interpreter.h"

namespace arrc::reference {

/// Extents as numbers; none after a failure (one is negative).
std::optional<llvm::SmallVector<int64_t>>
extentsOf(Interpreter &interp, llvm::ArrayRef<mlir::OpFoldResult> extents,
          mlir::Location loc);

/// The shape of what an empty map never yields: that of an array of outside,
/// constants, and sizes that are the same at all points; others are 0, since no
/// element tells.
llvm::SmallVector<int64_t> unseenShape(Interpreter &interp, mlir::Region *body,
                                       mlir::Value yielded);

/// Runs the body of an operation with an index space for every point, in
/// row-major order; `visit` gets the indices and what the body yields.
mlir::LogicalResult
forEachPoint(Interpreter &interp, mlir::Operation *op,
             llvm::function_ref<mlir::LogicalResult(llvm::ArrayRef<int64_t>,
                                                    llvm::ArrayRef<Cell>)>
                 visit);

} // namespace arrc::reference

#endif // ARRC_LIB_REFERENCE_INDEXSPACE_H
