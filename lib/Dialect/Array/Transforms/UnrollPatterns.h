//===- UnrollPatterns.h - Small arrays as scalars ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of arr-unroll-small-arrays, and by nobody else.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_UNROLLPATTERNS_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_UNROLLPATTERNS_H

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::array {

/// Most elements of an array that lives in scalars.
constexpr int64_t kSmallArray = 64;
/// Most elements that a run-time index chooses from by selects.
constexpr int64_t kSelectChain = 16;
/// Most operations that unrolling one operation may leave.
constexpr int64_t kUnrolledOps = 4096;

/// Whether values of `type` become scalars: a tensor of constant shape with at
/// most `kSmallArray` elements.
bool isSmallArray(mlir::Type type);

/// Whether `op` is inside of a body or an operator, where small arrays are
/// scalars; elsewhere they are arrays in memory.
bool isInBody(mlir::Operation *op);

/// The elements of a small array in row-major order, read where the rewriter
/// stands; reads of known elements fold.
llvm::SmallVector<mlir::Value> getElements(mlir::RewriterBase &rewriter,
                                           mlir::Location loc,
                                           mlir::Value array);

/// The scalars that stand for `values`: elements of small arrays, everything
/// else as it is.
llvm::SmallVector<mlir::Value> toScalars(mlir::RewriterBase &rewriter,
                                         mlir::Location loc,
                                         mlir::ValueRange values);

/// The types that `toScalars` gives.
llvm::SmallVector<mlir::Type> toScalarTypes(mlir::TypeRange types);

/// Values of `types` from the scalars that stand for them.
llvm::SmallVector<mlir::Value> fromScalars(mlir::RewriterBase &rewriter,
                                           mlir::Location loc,
                                           mlir::TypeRange types,
                                           mlir::ValueRange scalars);

/// The points of a constant index space in row-major order, or nothing if there
/// are more than `most`, or too much would be cloned.
std::optional<llvm::SmallVector<llvm::SmallVector<int64_t>>>
getPoints(IndexSpaceOpInterface op, int64_t most = kSmallArray);

/// One step of a fold where the rewriter stands. A sum of products is a chain
/// of `fma`, as the language says: only here it is known which operand is the
/// product that is added.
llvm::SmallVector<mlir::Value> foldStep(mlir::RewriterBase &rewriter,
                                        mlir::Region &combiner,
                                        mlir::ValueRange fold,
                                        mlir::ValueRange values);

/// Unrolls index-space operations of constant extents, and views.
void populateUnrollSpacePatterns(mlir::RewritePatternSet &patterns);
/// Takes apart element-wise operations, updates and reads.
void populateUnrollElementPatterns(mlir::RewritePatternSet &patterns);
/// Lets accumulators and `scf` carry scalars.
void populateUnrollControlPatterns(mlir::RewritePatternSet &patterns);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_UNROLLPATTERNS_H
