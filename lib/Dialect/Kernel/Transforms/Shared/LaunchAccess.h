//===- LaunchAccess.h - What a launch does with its arrays ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Questions that choosing and checking destinations asks of a launch: does it
// need what is in an array, does it write all of it, may a result lie where an
// operand lies.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_LAUNCHACCESS_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_LAUNCHACCESS_H

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

namespace arrc::kernel {

/// The array that `op` stores to or updates; null if it does neither.
mlir::Value getWrittenArray(mlir::Operation *op);
/// The array of a load, a store or an update, and its indices there.
mlir::Value getAccessedArray(mlir::Operation *access);
mlir::OperandRange getIndicesOf(mlir::Operation *access);
mlir::MutableOperandRange getIndicesOfMutable(mlir::Operation *access);
/// Puts indices in front of those of `access` and behind them, which are always
/// inside of the array.
void addIndices(mlir::RewriterBase &rewriter, mlir::Operation *access,
                mlir::ValueRange front, mlir::ValueRange back = {});

/// True if the body reads or updates elements of `argument`.
bool readsArgument(LaunchOp launch, mlir::BlockArgument argument);

/// True if stores write every element of `argument`, whatever was there:
/// unmasked, once for each point of loops whose extents are its sizes.
bool coversArgument(LaunchOp launch, mlir::BlockArgument argument);

/// True if the contents of out `argument` before the launch matter after it.
bool needsOldContents(LaunchOp launch, mlir::BlockArgument argument);

/// True if `read` and `written` may be one buffer: each element is read, if at
/// all, before it is written, and in the same iteration of the loops around
/// both.
bool isElementwise(LaunchOp launch, mlir::BlockArgument read,
                   mlir::BlockArgument written);

/// The index of an access of `launch` as the host sees it: with operands in the
/// place of arguments.
LinearIndex getOuterIndex(LaunchOp launch, mlir::Value index);

/// The same of one load and one operation on the array that is written:
/// dimension k of that one is dimension `dims[k]` of the other, from
/// `offsets[k]` on as the host sees it.
bool isElementwise(LaunchOp launch, LoadOp reader, mlir::Operation *writer,
                   llvm::ArrayRef<unsigned> dims,
                   llvm::ArrayRef<LinearIndex> offsets);

/// Makes inputs with one operand one argument; an array among the outs takes
/// its inputs' place.
void mergeEqualArguments(LaunchOp launch);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_LAUNCHACCESS_H
