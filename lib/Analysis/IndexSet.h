//===- IndexSet.h - The indices of an access as a set -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Analysis: integer sets over the values around an access.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_ANALYSIS_INDEXSET_H
#define ARRC_LIB_ANALYSIS_INDEXSET_H

#include "arrc/Analysis/AccessBoxes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <optional>

namespace arrc {

/// The values that the indices of a launch are made of, as variables, and what
/// is known of them.
class IndexSet {
public:
  /// A sum of coefficients times variables, plus a constant.
  struct Linear {
    llvm::SmallMapVector<unsigned, int64_t, 4> terms;
    int64_t constant = 0;

    void add(const Linear &other, int64_t factor);
    bool operator==(const Linear &other) const;
  };

  /// `cut` is the loop that parts share, or null.
  IndexSet(kernel::LaunchOp launch, kernel::ForOp cut)
      : launch(launch), cut(cut) {}

  /// `value` in variables; what cannot be taken apart is one of its own.
  Linear get(mlir::Value value);
  /// The ends of `index` at `op`, for all iterations around it.
  Interval getInterval(const Linear &index, mlir::Operation *op);
  /// `form` over the launch's arguments; null if it has other variables.
  mlir::AffineExpr getExpr(const Linear &form) const;
  /// The variable of an induction variable.
  unsigned getVariable(mlir::Value value);

  /// A comparison `form >= 0` that holds where `op` runs.
  struct Context {
    llvm::SmallVector<Linear> facts;
    /// Some condition is not among them.
    bool isPartial = false;
  };
  Context getContext(mlir::Operation *op);
  /// Adds to `facts` what `condition` being `is` says. False if that is not
  /// all it says.
  bool addCondition(mlir::Value condition, bool is,
                    llvm::SmallVectorImpl<Linear> &facts);

private:
  // IndexSet.cpp
  struct Variable {
    /// Over the launch's arguments; null: not one of the host's.
    mlir::AffineExpr symbol;
    /// What is always known of it: forms that are not negative.
    llvm::SmallVector<Linear> facts;
    /// Of a product: another variable, and the symbol that it is taken times.
    std::optional<std::pair<unsigned, unsigned>> product;
    /// Forms that it is never above, and never below.
    llvm::SmallVector<Linear> above, below;
  };
  void getEnds(mlir::Value extent, llvm::SmallVectorImpl<Linear> &ends);
  Linear ofVariable(unsigned variable);
  Linear ofSymbol(mlir::AffineExpr expr);
  Linear ofFresh();
  Linear ofExpr(mlir::AffineExpr expr, unsigned numDims,
                llvm::ArrayRef<Linear> operands);
  Linear divide(const Linear &form, int64_t by);
  /// `form` times the symbol of a variable.
  Linear multiply(const Linear &form, unsigned symbol);
  Linear compute(mlir::Value value);
  /// The least or the largest of `forms`.
  Linear ofExtremum(llvm::ArrayRef<Linear> forms, bool isLeast);
  /// The mask that `op`, an access, runs under, or null.
  static mlir::Value getMask(mlir::Operation *op);

  // IndexProjection.cpp
  Interval findInterval(const Linear &index, mlir::Operation *op);
  /// What `facts`, that hold at `op`, say of a product.
  void addProductFacts(unsigned variable, mlir::Operation *op,
                       llvm::ArrayRef<Linear> facts,
                       llvm::SmallVectorImpl<Linear> &all);
  /// Whether a symbol is not negative wherever `op` runs.
  bool isNotNegative(unsigned symbol, mlir::Operation *op);

  kernel::LaunchOp launch;
  kernel::ForOp cut;
  llvm::SmallVector<Variable, 0> variables;
  llvm::DenseMap<mlir::Value, Linear> known;
  llvm::DenseMap<mlir::AffineExpr, unsigned> symbols;
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> products;
  /// By the block and the mask of an access.
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Value>,
                 llvm::SmallVector<std::pair<Linear, Interval>, 0>>
      intervals;
};

/// Whether an upper end says that indices are less than the size of a
/// dimension.
bool isInside(const Interval &interval, kernel::LaunchOp launch,
              mlir::BlockArgument argument, unsigned dim);

/// The boxes that the stores to `argument` of `launch` fill, or nothing where
/// that is not shown.
std::optional<llvm::SmallVector<AccessBox>>
getFilledBoxes(kernel::LaunchOp launch, kernel::ForOp cut,
               mlir::BlockArgument argument);

} // namespace arrc

#endif // ARRC_LIB_ANALYSIS_INDEXSET_H
