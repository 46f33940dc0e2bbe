//===- AccessPattern.h - What a loop nest reads and writes -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each load, store and update of a kernel as an array and, for each dimension,
// an index in linear form: constants times values, plus a constant. The values
// are induction variables, sizes, or anything else that is not taken apart
// further (a loaded index, a remainder). Passes that merge loops, forward
// stores, choose vector dimensions or stage tiles all ask these classes; they
// change nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_ACCESSPATTERN_H
#define ARRC_ANALYSIS_ACCESSPATTERN_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace mlir {
class AffineExpr;
class Operation;
} // namespace mlir

namespace arrc {

/// An index as `sum of coefficient * value + constant`, with coefficients other
/// than 0. Terms stand in the order in which they were met, so that what passes
/// make of them does not depend on addresses. 64-bit wrap-around is as in
/// `index` arithmetic.
class LinearIndex {
public:
  using Term = std::pair<mlir::Value, int64_t>;

  LinearIndex() = default;
  /// A number.
  explicit LinearIndex(int64_t constant) : constant(constant) {}
  /// The form of `index`: looks through `affine.apply` with linear maps,
  /// additions, subtractions, and products with constants.
  explicit LinearIndex(mlir::Value index);

  /// The form of a size: a number, or that of a value.
  static LinearIndex ofSize(mlir::OpFoldResult size);

  /// The value as it is, not taken apart.
  static LinearIndex ofValue(mlir::Value value);
  /// The form of an affine expression over `operands`, dimensions first;
  /// nothing if it is not linear.
  static std::optional<LinearIndex>
  ofExpr(mlir::AffineExpr expr, unsigned numDims,
         llvm::ArrayRef<LinearIndex> operands);

  /// The values and their coefficients.
  llvm::ArrayRef<Term> getTerms() const { return terms; }
  /// What is added.
  int64_t getConstant() const { return constant; }
  /// The coefficient of `value`; 0 if it does not occur.
  int64_t getCoefficient(mlir::Value value) const;
  /// The same index with `to` in the place of `from`.
  LinearIndex replace(mlir::Value from, mlir::Value to) const;
  /// This minus `other`, if it is a number.
  std::optional<int64_t> distanceFrom(const LinearIndex &other) const;

  bool operator==(const LinearIndex &other) const {
    return constant == other.constant && hasTermsOf(other);
  }
  bool operator!=(const LinearIndex &other) const { return !(*this == other); }

  /// Adds `factor` times `other`.
  void add(const LinearIndex &other, int64_t factor);

private:
  void addTerm(mlir::Value value, int64_t coefficient);
  /// Whether the terms are the same, in any order.
  bool hasTermsOf(const LinearIndex &other) const;

  llvm::SmallVector<Term, 3> terms;
  int64_t constant = 0;
};

/// The index as it is at most points: where none of the choices in it is made
/// (`arith.select`, as of slices that are put into arrays), and no bound is
/// met. What is legal must not rest on it.
LinearIndex getMostly(const LinearIndex &index);

/// One load, store or update.
struct Access {
  /// The `kernel.load`, `kernel.store` or `kernel.update`.
  mlir::Operation *op;
  /// The array: a launch argument or a local. Arguments of one launch that are
  /// one buffer are one array.
  mlir::Value array;
  /// The index of each dimension.
  llvm::SmallVector<LinearIndex, 0> indices;
  bool reads;
  bool writes;

  /// Reads `op`, which must be one of the three.
  explicit Access(mlir::Operation *op);
  /// Whether `op` is a load, a store or an update.
  static bool isAccess(mlir::Operation *op);
  /// The indices that choose a row: all but the last; none of a scalar.
  llvm::ArrayRef<LinearIndex> getRow() const {
    return llvm::ArrayRef(indices).drop_back(indices.empty() ? 0 : 1);
  }
  /// Whether it is an update.
  bool isUpdate() const { return reads && writes; }
};

/// All accesses below an operation (and of it), in the order of the text.
class AccessPattern {
public:
  explicit AccessPattern(mlir::Operation *root);
  /// The accesses at the places where they are at most points, for what only
  /// asks what pays.
  static AccessPattern getMostly(mlir::Operation *root);
  llvm::ArrayRef<Access> getAccesses() const { return accesses; }

private:
  llvm::SmallVector<Access, 0> accesses;
};

} // namespace arrc

#endif // ARRC_ANALYSIS_ACCESSPATTERN_H
