//===- VersionTree.h - Which schedule at which sizes ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Sizes that the program leaves open are sampled; the schedules that are best
// at the samples become the leaves of a small decision tree over features of
// the sizes (a dimension, a product of some).
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_VERSIONTREE_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_VERSIONTREE_H

#include "mlir/IR/AffineExpr.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace arrc::kernel {

/// Sizes of a call: a number for each symbol.
using SizePoint = llvm::SmallVector<int64_t, 4>;

/// `count` points over `symbols` sizes, drawn so that the logarithms of the
/// sizes share that of `elements` (the largest array), which is between `least`
/// and `most`, in all proportions. The same on every run.
llvm::SmallVector<SizePoint> samplePoints(unsigned symbols,
                                          mlir::AffineExpr elements,
                                          double least, double most,
                                          unsigned count);

/// At most `more` of the choices besides the first `have`, so that the best one
/// of these and those loses least against the best one of all, over all points;
/// fewer where more would save little. `costs` holds for each point the cost of
/// each choice.
llvm::SmallVector<unsigned>
chooseMore(llvm::ArrayRef<llvm::SmallVector<double>> costs, unsigned have,
           unsigned more);

/// One choice: taken where all conditions are at least 0, and those of the
/// leaves before it do not hold.
struct VersionLeaf {
  llvm::SmallVector<mlir::AffineExpr> conditions;
  unsigned choice = 0;
};

/// The leaves of the tree that loses least against the best choice at each
/// point: at most `leaves`, as few as lose under a twentieth. `costs` holds for
/// each point the cost of each choice; `features` are expressions of the
/// symbols by which the tree may ask.
llvm::SmallVector<VersionLeaf>
chooseVersions(llvm::ArrayRef<SizePoint> points,
               llvm::ArrayRef<llvm::SmallVector<double>> costs,
               llvm::ArrayRef<mlir::AffineExpr> features, unsigned leaves);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_PLAN_VERSIONTREE_H
