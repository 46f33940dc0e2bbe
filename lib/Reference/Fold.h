//===- Fold.h - Folds whose bracketing a target chooses ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_REFERENCE_FOLD_H
#define ARRC_LIB_REFERENCE_FOLD_H

#include "Interpreter.h"

namespace arrc::reference {

/// A sum of floats: exact but for one rounding at the end, and the bound of
/// what any tree of additions over the same terms may give instead.
class FloatSum {
public:
  explicit FloatSum(const Scalar &init) { add(init); }

  void add(const Scalar &term);
  /// The sum so far, in the element type.
  Scalar value(const Interpreter &interp, Element element) const;

private:
  /// -0, the neutral element: so a sum of -0s stays -0.
  long double sum = -0.0L;
  double magnitude = 0, devs = 0;
  /// What infinities and NaNs give.
  double special = 0;
  bool isSpecial = false;
  int64_t terms = 0;
  /// The exponent of the lowest bit set in any term.
  int lowestBit = std::numeric_limits<int>::max();
};

/// What a combiner does to one accumulator, where it is a plain operation.
struct Step {
  /// The operation; for a sum of f16 or bf16 the addition in f32 inside.
  mlir::Operation *op;
  /// The type of the accumulator.
  mlir::Type type;
};

/// The fold of one number with a plain operation.
class Accumulator {
public:
  Accumulator(Interpreter &interp, const Step &step, const Scalar &init);

  void add(const Scalar &value);
  Scalar value() const;

private:
  enum class Kind { Sum, ComplexSum, Step };
  Interpreter *interp;
  mlir::Operation *op;
  Element element;
  Kind kind;
  FloatSum re, im;
  Scalar current;
};

/// The folds of the accumulators of one operation: numbers or small arrays.
class Fold {
public:
  /// Starts from `init` with the operator in `combiner`.
  Fold(Interpreter &interp, mlir::Operation *op, mlir::Region &combiner,
       llvm::ArrayRef<Cell> init);

  /// Folds one value for each accumulator in.
  mlir::LogicalResult add(llvm::ArrayRef<Cell> values);
  /// The accumulators now.
  mlir::LogicalResult values(llvm::SmallVectorImpl<Cell> &results);

private:
  Interpreter &interp;
  mlir::Operation *op;
  mlir::Region &combiner;
  /// The plain operation of each accumulator; empty for other operators.
  llvm::SmallVector<Step> plain;
  /// For plain operations: one accumulator an element, and the shapes.
  llvm::SmallVector<std::vector<Accumulator>> accumulators;
  llvm::SmallVector<llvm::SmallVector<int64_t>> shapes;
  llvm::SmallVector<bool> isArray;
  /// For others.
  llvm::SmallVector<Cell> current;
};

} // namespace arrc::reference

#endif // ARRC_LIB_REFERENCE_FOLD_H
