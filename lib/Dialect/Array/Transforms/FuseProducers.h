//===- FuseProducers.h - Parts of arr-fuse-producers ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of arr-fuse-producers: what becomes of boundaries
// (FuseBoundaries.cpp) and reshapes (FuseReshapes.cpp), and the form that
// producers are brought to first (NormalForm.cpp). arr-fuse-slices asks for
// producers, too.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_FUSEPRODUCERS_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_FUSEPRODUCERS_H

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::array {

/// The map or stencil that makes `array` and nothing else, element by element,
/// if it may be computed elsewhere: nothing else uses the array, and its
/// schedule is not written. Null if there is none.
IndexSpaceOpInterface findOwnProducer(mlir::Value array);

/// Whether an `assert` goes with the elements, which then must be computed as
/// they are.
bool hasAssert(IndexSpaceOpInterface producer);

/// What decides whether a body is computed more than once.
struct Repetition {
  /// Additions in a body that hardly costs more than its reads.
  int64_t maxWork;
  /// Additions in the time that memory takes for a byte; 0 if nothing is to be
  /// repeated for that.
  int64_t workPerByte = 0;
  /// Producers that are computed again in one kernel, whose threads have
  /// registers for all of them.
  int64_t beside = 1;
};

/// Whether all of `producer` is computed where it is read, and nothing of it
/// left.
bool vanishesInReaders(IndexSpaceOpInterface producer,
                       const Repetition &repetition);

/// Whether extending the result of `producer` is extending what it reads: all
/// reads are of arrays of its own shape at its own index, the index is used for
/// nothing else, and no mode reads a value.
bool canExtendReads(IndexSpaceOpInterface producer, ExtendOp extend);

/// Whether all uses of the indices are reads of arrays of the producer's own
/// shape, at its own index, inside.
bool readsOwnIndexOnly(IndexSpaceOpInterface producer);

/// Reads through the modes of `extend`.
void extendRead(mlir::RewriterBase &rewriter, AtOp at, ExtendOp extend);

/// Whether indices outside of `extend` have a place inside: no mode reads a
/// value, and only dimensions of the producer's index space are extended.
bool canResolve(IndexSpaceOpInterface producer, ExtendOp extend);

/// The place inside that each index of `point` stands for.
llvm::SmallVector<mlir::Value> resolveIndices(mlir::RewriterBase &rewriter,
                                              mlir::Location loc,
                                              ExtendOp extend,
                                              IndexSpaceOpInterface producer,
                                              mlir::ValueRange point);

/// Reshapes of elementwise maps become maps of reshaped arrays.
void populateReshapePatterns(mlir::RewritePatternSet &patterns);

/// A map that does nothing but one map is a map of more dimensions.
void populateNormalFormPatterns(mlir::RewritePatternSet &patterns);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_FUSEPRODUCERS_H
