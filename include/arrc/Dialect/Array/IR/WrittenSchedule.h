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

/// The number of the index that several devices share; nothing where there is
/// one.
inline constexpr llvm::StringLiteral kSplitAttr{"arrc.split"};

/// An array of partial folds, which is there so that threads share them.
inline constexpr llvm::StringLiteral kPartialsAttr{"arrc.partials"};

/// Whether it is decided how `op` is to run, by a person or because what reads
/// it could not run as well with its loops inside.
inline bool hasWrittenSchedule(mlir::Operation *op) {
  return op->hasAttr(kTileAttr) || op->hasAttr(kSeqAttr) ||
         op->hasAttr(kUnrollAttr) || op->hasAttr(kSplitAttr) ||
         op->hasAttr(kPartialsAttr);
}

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_IR_WRITTENSCHEDULE_H
