//===- WrittenSchedule.h - Schedules that a program asks for ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `@tile`, `@seq` and `@unroll` of the language are attributes of the
// operations that they stand before, until launches are made. What carries one
// keeps its loops to itself: it is neither computed elsewhere nor joined with
// others.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_WRITTENSCHEDULE_H
#define ARRC_DIALECT_ARRAY_IR_WRITTENSCHEDULE_H

#include "mlir/IR/Operation.h"

namespace arrc::array {

/// Numbers of a block in each dimension.
inline constexpr llvm::StringLiteral kTileAttr{"arrc.tile"};
/// One thread, in order.
inline constexpr llvm::StringLiteral kSeqAttr{"arrc.seq"};
/// Copies of the body.
inline constexpr llvm::StringLiteral kUnrollAttr{"arrc.unroll"};

/// Whether a person wrote how `op` is to run.
inline bool hasWrittenSchedule(mlir::Operation *op) {
  return op->hasAttr(kTileAttr) || op->hasAttr(kSeqAttr) ||
         op->hasAttr(kUnrollAttr);
}

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_IR_WRITTENSCHEDULE_H
