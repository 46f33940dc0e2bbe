//===- Array.h - The array dialect ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The one header to include for the dialect, its operations, attributes and the
// interface of operations with an index space.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_IR_ARRAY_H
#define ARRC_DIALECT_ARRAY_IR_ARRAY_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include "arrc/Dialect/Array/IR/ArrayDialect.h.inc"
#include "arrc/Dialect/Array/IR/ArrayEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "arrc/Dialect/Array/IR/ArrayAttrs.h.inc"

namespace arrc::array {

class YieldOp;

/// How a result of an index-space operation is made of what its body yields.
enum class ResultForm {
  Element, ///< an array that holds the value of every point
  Fold,    ///< the fold of the values of all points
  Prefix,  ///< an array of folds of the points up to each one
  Total,   ///< the fold that ends a scan
  Update,  ///< a given array with values put at yielded indices
  Count,   ///< the number of points that a filter keeps
  Kept,    ///< an array of the values of these
};

/// Writes a body: gets its arguments and ends it with `array.yield`.
using BodyBuilder = llvm::function_ref<void(mlir::OpBuilder &, mlir::Location,
                                            mlir::ValueRange)>;

/// A failing check writes it, so that checks are neither dropped nor exchanged.
struct ErrorResource : mlir::SideEffects::Resource::Base<ErrorResource> {
  llvm::StringRef getName() final { return "array.error"; }
};

/// The size of dimension `dim` of `array` if it is known without new
/// operations: a number of its type, or a value that some operation names.
/// Null if it is not known.
mlir::OpFoldResult getKnownSize(mlir::Value array, int64_t dim);
/// The same, by a new `tensor.dim` where it is not known.
mlir::OpFoldResult getOrCreateSize(mlir::OpBuilder &b, mlir::Location loc,
                                   mlir::Value array, int64_t dim);

/// The type that a value of type `element` takes over extents in front:
/// `?x4` and `tensor<9xf32>` give `tensor<?x4x9xf32>`.
mlir::RankedTensorType getArrayOf(llvm::ArrayRef<int64_t> extents,
                                  mlir::Type element);

namespace detail {
/// The names in `dims`, or `d0, d1, ..`.
llvm::SmallVector<std::string> indexNames(mlir::ArrayAttr dims, unsigned count);
/// The terminator of `block`.
YieldOp yieldOf(mlir::Block &block);
} // namespace detail

} // namespace arrc::array

#include "arrc/Dialect/Array/IR/ArrayInterfaces.h.inc"
#define GET_OP_CLASSES
#include "arrc/Dialect/Array/IR/ArrayOps.h.inc"

#endif // ARRC_DIALECT_ARRAY_IR_ARRAY_H
