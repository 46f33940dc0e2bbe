//===- SliceUpdate.h - Slices that are put where they are read --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A slice whose elements follow from those that it replaces, and from nothing
// else of the array, can be computed where the array is. Shared by
// arr-fuse-slices, which does so, and arr-rotate-loops, which brings updates to
// where it can be done.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_SLICEUPDATE_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_SLICEUPDATE_H

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallBitVector.h"

#include <optional>

namespace arrc::array {

/// A slice that a map of its own makes, of numbers or of small vectors that are
/// put in as a whole.
class SliceUpdate {
public:
  /// What is known of `insert`; nothing if its slice is something else.
  static std::optional<SliceUpdate> get(mlir::tensor::InsertSliceOp insert);

  /// Whether the slice reads of `array` nothing but what it replaces there,
  /// if it is put into it.
  bool readsOwnPlaces(mlir::Value array) const;
  /// Whether `array`, in the place of what the slice is put into now, is made
  /// by a loop that can compute the slice as well, and whoever reads it can be
  /// part of that loop. `user` may use it as a whole.
  bool canJoin(mlir::Value array, mlir::Operation *user) const;
  /// The array with the slice as a map over all of it.
  MapOp join(mlir::RewriterBase &rewriter) const;
  /// The update of `array`, where `rewriter` stands, if `condition` holds, else
  /// `array` as it is.
  mlir::Value repeat(mlir::RewriterBase &rewriter, mlir::Value array,
                     mlir::Value condition) const;

  // Accessors of ops are not const.
  mutable mlir::tensor::InsertSliceOp insert;
  mutable IndexSpaceOpInterface space;

private:
  SliceUpdate(mlir::tensor::InsertSliceOp insert, IndexSpaceOpInterface space)
      : insert(insert), space(space) {}

  bool isVector() const {
    return mlir::isa<mlir::RankedTensorType>(
        space.getYield().getValues().front().getType());
  }
  /// The dimensions of the array but for that of small vectors.
  unsigned getOuterRank() const {
    return insert.getType().getRank() - isVector();
  }
  /// Where an element of the slice lies, in one of these dimensions.
  LinearIndex getPlace(unsigned dim) const;
  bool isOwnPlace(AtOp at) const;
  /// The same as a value.
  mlir::Value makePlace(mlir::OpBuilder &b, unsigned dim,
                        mlir::ValueRange indices) const;
  /// The numbers of an element of the slice, or of what it replaces.
  llvm::SmallVector<mlir::Value> readAt(mlir::OpBuilder &b, mlir::Value array,
                                        mlir::ValueRange point) const;
  llvm::SmallVector<mlir::Value> computeAt(mlir::OpBuilder &b,
                                           mlir::ValueRange point) const;

  /// The index of the space that walks each dimension; none where the slice has
  /// one row.
  llvm::SmallVector<std::optional<unsigned>> walks;
};

/// Calls `visit` for the uses of an array, also under names for its sizes,
/// until one is refused; whether none was.
bool visitUses(mlir::Value array,
               llvm::function_ref<bool(mlir::OpOperand &)> visit);

/// Whether a body is a few numbers a point: loops that share it with others may
/// not be able to.
bool isStraight(IndexSpaceOpInterface space);

/// Erases `op` and the names of its sizes if nothing else uses it.
void eraseUnused(mlir::RewriterBase &rewriter, mlir::Operation *op);

/// The names of the dimensions of a map or stencil.
mlir::ArrayAttr getDimNames(IndexSpaceOpInterface space);

/// `value` plus `times` the offset.
mlir::Value shift(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                  mlir::OpFoldResult offset, int64_t times);

/// The points of an array that a slice of it takes.
class SliceBox {
public:
  /// Of the first dimensions, whose `extents` are those of the array or null.
  SliceBox(mlir::OpBuilder &b, mlir::tensor::InsertSliceOp insert,
           llvm::ArrayRef<mlir::OpFoldResult> extents);
  mlir::Value contains(mlir::OpBuilder &b, mlir::ValueRange point) const;

private:
  mlir::Location loc;
  llvm::SmallVector<mlir::OpFoldResult> offsets;
  /// Dimensions in which it has one row.
  llvm::SmallBitVector dropped;
  /// Null where the slice fills the dimension.
  llvm::SmallVector<mlir::Value> ends;
};

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_SLICEUPDATE_H
