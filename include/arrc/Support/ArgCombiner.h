//===- ArgCombiner.h - Folds to the place of an extremum --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `argmin` and `argmax` fold pairs of a value and an index. Which pair stays
// does not depend on the order in which they meet:
//
//   first    the right value is better: less, or greater; a NaN if the left is
//            none
//   second   the left value is better
//   before   the right index is the smaller one, without a sign: -1, the index
//            of no element, is behind all others
//   take     the right pair: second ? first : first or before
//
//   (%v: f32, %i: index, %w: f32, %k: index) {
//     %less = arith.cmpf ult, %w, %v   %left = arith.cmpf ord, %v, %v
//     %first = arith.andi %less, %left
//     %more = arith.cmpf ult, %v, %w   %right = arith.cmpf ord, %w, %w
//     %second = arith.andi %more, %right
//     %before = arith.cmpi ult, %k, %i
//     %either = arith.ori %first, %before
//     %take = arith.select %second, %first, %either
//     %x = arith.select %take, %w, %v   %n = arith.select %take, %k, %i
//     yield %x, %n }
//
// This is an order of all pairs of which one has no index twice, so the fold
// commutes, and (infinity, -1) is neutral. Passes recognise it by its text: it
// prints and reads as any other operator, and survives what leaves its
// operations alone. A program cannot write it, whose integers are no indices.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_ARGCOMBINER_H
#define ARRC_SUPPORT_ARGCOMBINER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Region.h"

#include <optional>

namespace arrc {

/// Which values are better.
struct ArgOrder {
  bool isMax = false;
  /// Of integers: whether they have a sign.
  bool isSigned = true;
};

/// The better one of the pairs `left` and `right` of a value and an index.
llvm::SmallVector<mlir::Value> createArgStep(mlir::OpBuilder &builder,
                                             mlir::Location loc, ArgOrder order,
                                             mlir::ValueRange left,
                                             mlir::ValueRange right);

/// Whether `right` is better than a pair `left` with a smaller index.
mlir::Value createIsBetter(mlir::OpBuilder &builder, mlir::Location loc,
                           ArgOrder order, mlir::Value left, mlir::Value right);

/// The order, if accumulators `position` and the next one of the combiner are
/// such a pair.
std::optional<ArgOrder> matchArgStep(mlir::Region &combiner, unsigned position);

} // namespace arrc

#endif // ARRC_SUPPORT_ARGCOMBINER_H
