//===- NativeUpdates.h - What devices combine by themselves -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_KERNEL_TRANSFORMS_NATIVEUPDATES_H
#define ARRC_DIALECT_KERNEL_TRANSFORMS_NATIVEUPDATES_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Support/Combiner.h"

namespace arrc::kernel {

/// Bytes of all copies of one array that threads update in place of it.
inline constexpr int64_t kCopyBytes = 64 << 20;

/// Marks updates that hardly ever run.
inline constexpr llvm::StringLiteral kRareAttr = "kernel.rare";
/// On updates of copies: how many (a power of two) lie next to each other of
/// which any one may be updated.
inline constexpr llvm::StringLiteral kCopiesAttr = "kernel.copies";

/// How updates by an operator become indivisible ones.
enum class UpdateEncoding {
  /// Not at all.
  None,
  /// They are: the device has an atomic operation.
  Native,
  /// Sums of floats as those of integers (ExactSums.h).
  Sum,
  /// Least and largest floats as integers in the same order.
  Ordered,
  /// Narrow integers as those of 32 bits.
  Wide,
};

/// What updates of elements of `type` by the operation `op` become on `device`.
/// Atomic operations are those of integers of 32 bits; of 64, and of sums of
/// floats in any order, where its facts say so.
UpdateEncoding getUpdateEncoding(mlir::Operation *op, mlir::Type type,
                                 DeviceAttr device);

/// Whether `device` has an atomic operation for `update`.
bool isNativeUpdate(UpdateOp update, DeviceAttr device);

/// The operator of a native update.
CombinerOperator getOperator(UpdateOp update);

/// Creates the neutral element of the operator of `update`; null if it is not
/// known, so that the array may have no copies.
mlir::Value createNeutral(mlir::OpBuilder &builder, UpdateOp update);

/// What copies of an array on chip hold while a block updates it.
struct PrivateCopies {
  mlir::Value array;
  llvm::SmallVector<UpdateOp> updates;
  /// Their elements. 32 bits if all updates add one number, which is `factor`:
  /// how often, that is.
  mlir::Type element;
  mlir::IntegerAttr factor;
  /// Elements of the array; nothing if that is no number.
  std::optional<int64_t> size;

  int64_t getElementBytes() const;
};

/// The copies that `array` may have while `loop` runs: all that touches it
/// there are updates by one operator, which is native. Nothing if it may have
/// none.
std::optional<PrivateCopies> findPrivateCopies(ForOp loop, mlir::Value array);

/// Copies of arrays of `size` elements, or of one that is not known, that fit
/// into `bytes`, of elements of `elementBytes`: a power of two, so that threads
/// next to each other have different ones. 0 if not even one fits.
int64_t countPrivateCopies(std::optional<int64_t> size, int64_t elementBytes,
                           int64_t bytes);

/// Bytes of a range of elements that a block has on chip: all of it, where the
/// device is known.
int64_t getRangeBytes(DeviceAttr device);

/// Whether blocks that each have a range of the elements of `array` may repeat
/// the iterations of `loop`: nothing else is written there.
bool mayRepeat(ForOp loop, mlir::Value array);

} // namespace arrc::kernel

#endif // ARRC_DIALECT_KERNEL_TRANSFORMS_NATIVEUPDATES_H
