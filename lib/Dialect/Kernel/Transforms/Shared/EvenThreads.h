//===- EvenThreads.h - Threads along short dimensions -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A launch that deals out its threads (Apply/DealThreads.cpp) gives each
// dimension as many as share its iterations evenly: 77 of them are walked by 77
// threads of 128, or by 26 of 32 in three blocks. What one dimension leaves of
// a block is the next one's.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_EVENTHREADS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_EVENTHREADS_H

#include "mlir/IR/Builders.h"

namespace arrc::kernel {

/// Threads along a dimension in which memory goes on come in multiples of so
/// many, if one block does not have them all: the words of a sector.
inline constexpr int64_t kEvenUnit = 8;

/// How many threads, `most` of them or fewer, walk `items` iterations, so that
/// all blocks have about as many: a multiple of `unit`, unless one block has
/// them all or `most` is less. At least 1.
int64_t dealEvenly(int64_t items, int64_t most, int64_t unit);

/// The same as operations; all are of type index.
mlir::Value createDealEvenly(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value items, mlir::Value most,
                             mlir::Value unit);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_EVENTHREADS_H
