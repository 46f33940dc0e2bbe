//===- SliceMap.h - A slice update as a map of one read ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// An update whose slice is a number, another array, or follows from one element
// of the array before it is a map over the whole array that reads that array
// once a point: at the point, or where the slice has it from. So what makes the
// array, or what the array is read for, can be one loop with the update, and
// nothing is computed twice. Part of arr-fuse-slices.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_SLICEMAP_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_SLICEMAP_H

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace arrc::array {

/// A slice update that can be a map of one read.
class SliceMap {
public:
  /// What is known of `insert`; nothing if it is something else.
  static std::optional<SliceMap> get(mlir::tensor::InsertSliceOp insert);

  /// Whether a loop has just made the array that the slice is put into, for
  /// this update alone, so that both are one loop. With `ofSeveral` the loop
  /// may make other arrays, too.
  bool endsItsMaker(bool ofSeveral) const;
  /// Whether no point of the map reads another one of an array.
  bool readsOwnPoint() const;
  /// The map, in front of the update, which stays. Reads of other arrays that
  /// only the slice makes are guarded and not `inbounds`: they are one of both.
  MapOp build(mlir::RewriterBase &rewriter) const;
  /// Lets the map take the place of the update.
  void replace(mlir::RewriterBase &rewriter, MapOp map) const;

private:
  explicit SliceMap(mlir::tensor::InsertSliceOp insert) : insert(insert) {}

  bool takeView(ViewOp view);
  bool takeSpace(IndexSpaceOpInterface made);
  /// Whether the view has its elements from where the slice goes, in an array
  /// of the same sizes.
  bool isViewOfOwnPoint() const;
  /// Whether `op`, a read of the array or what leads to one, is the slice's.
  bool isOwn(mlir::Operation *op) const;

  // Accessors of ops are not const.
  mutable mlir::tensor::InsertSliceOp insert;
  /// What the slice is: one of these, or a number for all of it.
  mutable ViewOp view;
  mutable IndexSpaceOpInterface space;
  mlir::Value number;
  /// Reads of the array by the body, all of one element.
  llvm::SmallVector<AtOp> reads;
  /// Sizes of the array, and for each of its dimensions the index of the slice
  /// that walks it; none where the slice has one row.
  llvm::SmallVector<mlir::OpFoldResult> extents;
  llvm::SmallVector<std::optional<unsigned>> walks;
};

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_SLICEMAP_H
