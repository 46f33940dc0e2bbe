//===- InterleavedPartials.h - Partial results, by thread -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What blocks leave behind is folded by the threads of one block. The partial
// results lie among these in turn, so that threads which are neighbours read
// neighbours, and a thread reads several before it waits:
//
//   thread t, step s, copy c: number t + threads * (together * s + c)
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_INTERLEAVEDPARTIALS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_INTERLEAVEDPARTIALS_H

#include "mlir/IR/Builders.h"

#include <optional>

namespace arrc::kernel {

struct InterleavedPartials {
  /// `known` many, if that is known; a thread reads at most `most` together.
  InterleavedPartials(int64_t threads, std::optional<int64_t> known,
                      int64_t most = 8);

  /// Steps of `thread`, if there are `number` partial results.
  mlir::Value countSteps(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value thread, mlir::Value number) const;
  /// The number of a partial result, which may be past the end if several are
  /// read together.
  mlir::Value getIndex(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value thread, mlir::Value step,
                       mlir::Value copy) const;

  int64_t threads, together;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_INTERLEAVEDPARTIALS_H
