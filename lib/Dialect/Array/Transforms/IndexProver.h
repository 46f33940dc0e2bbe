//===- IndexProver.h - What is known about indices --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Answers whether an index is surely in a range, from linear facts: indices lie
// in their extents, sizes are not negative, assumes and the checks at the entry
// of a function hold, upstream's integer ranges. A question is answered by a
// linear program without solution; minima, maxima and selects are split into
// cases.
//
// Conditions around the operation are not used: what is proved without them
// stays true wherever the operation is moved.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_INDEXPROVER_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_INDEXPROVER_H

#include "arrc/Analysis/AccessPattern.h"

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OpDefinition.h"

namespace arrc::array {

class IndexProver {
public:
  /// Gathers the checks of `function`. Ranges come from `solver`, if given.
  explicit IndexProver(mlir::func::FuncOp function,
                       const mlir::DataFlowSolver *solver = nullptr);

  /// Conditions that are used until it is released or goes.
  class Assumption {
  public:
    Assumption(IndexProver &prover, size_t mark)
        : prover(&prover), mark(mark) {}
    Assumption(Assumption &&other)
        : prover(std::exchange(other.prover, nullptr)), mark(other.mark) {}
    ~Assumption() { release(); }
    /// Stops using them.
    void release();

  private:
    IndexProver *prover;
    size_t mark;
  };

  /// Uses the conditions of the branches around `op`: answers then hold only
  /// where it runs.
  Assumption assumeConditionsAt(mlir::Operation *op);

  /// The linear form of an index. A sum that may wrap is not taken apart.
  LinearIndex getForm(mlir::Value index) const;
  LinearIndex getForm(mlir::OpFoldResult size) const;
  /// Whether `form` is surely 0 or more.
  bool isNotNegative(const LinearIndex &form);
  /// Whether `0 <= index < size`, surely.
  bool isInside(mlir::Value index, mlir::OpFoldResult size);
  /// Whether `index` is surely negative or not less than `size`, at a point
  /// that can be reached.
  bool isOutside(mlir::Value index, mlir::OpFoldResult size);
  /// Whether `condition` surely holds.
  bool isTrue(mlir::Value condition);
  /// Whether `condition` surely does not hold.
  bool isFalse(mlir::Value condition);
  /// Whether `condition` surely holds at `op`: branches and loops around it
  /// count.
  bool isTrueAt(mlir::Value condition, mlir::Operation *op);
  /// Whether the check is one of those that are taken as facts.
  bool isFact(mlir::Operation *check) const { return checks.contains(check); }
  /// Whether `size` is surely 1 or more wherever all `indices` have values.
  bool isNotEmpty(mlir::OpFoldResult size, mlir::ValueRange indices);

private:
  /// Forms that are 0 or more.
  using Facts = llvm::SmallVector<LinearIndex>;

  /// Whether the facts, with what is known about the values in them, cannot
  /// all hold. `splits` bounds the number of nested cases.
  bool isImpossible(Facts facts, unsigned splits = 6);
  /// What an index, a size or a value of a known range is at most, whatever its
  /// sign; nothing for just any integer of the program. It is asked about by
  /// so many choices around it.
  std::optional<uint64_t> getMagnitude(mlir::Value value,
                                       unsigned choices = 0) const;
  /// What a sum is at most; nothing if it may wrap.
  std::optional<uint64_t> getMagnitude(const LinearIndex &form,
                                       unsigned choices = 0) const;
  /// Adds what `condition` says if it is `truth`.
  void addCondition(mlir::Value condition, bool truth,
                    llvm::SmallVectorImpl<LinearIndex> &facts);
  /// What is known about one value.
  void addFactsOf(mlir::Value value, Facts &facts);
  void addDivision(mlir::affine::AffineApplyOp apply, Facts &facts);
  void addFactsOfCounter(mlir::Value value, Facts &facts);
  void addConditionOf(mlir::scf::WhileOp loop, Facts &facts);
  /// Whether `value` is a number that a loop counts, without wrapping, by a
  /// constant from one or from a size on.
  bool isCounter(mlir::Value value) const;

  /// Conditions that hold in the whole function, then those assumed for now.
  Facts entryFacts;
  /// The checks that they come from.
  llvm::SmallPtrSet<mlir::Operation *, 8> checks;
  const mlir::DataFlowSolver *solver;
  /// Whether a divisor is being asked about, which may hold remainders again.
  bool inDivisor = false;
  /// Whether a condition is being read, whose sides may depend on others.
  bool inCondition = false;
};

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_INDEXPROVER_H
