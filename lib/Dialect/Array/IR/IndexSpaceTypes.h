//===- IndexSpaceTypes.h - Results of index spaces --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Shared by text, verifiers and builders of operations with an index space.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_ARRAY_IR_INDEXSPACETYPES_H
#define ARRC_LIB_DIALECT_ARRAY_IR_INDEXSPACETYPES_H

#include "arrc/Dialect/Array/IR/Array.h"

namespace arrc::array::detail {

/// The results of a scan of values of `types`: arrays of prefixes, then totals.
llvm::SmallVector<mlir::Type> scanTypes(llvm::ArrayRef<int64_t> extents,
                                        mlir::TypeRange types);

} // namespace arrc::array::detail

#endif // ARRC_LIB_DIALECT_ARRAY_IR_INDEXSPACETYPES_H
