//===- IndexGuard.h - Where the host asks for index widths ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOGPU_INDEXGUARD_H
#define ARRC_LIB_CONVERSION_KERNELTOGPU_INDEXGUARD_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"

namespace arrc {

/// A branch on `kernel.indices_fit`. Launches of its first region say what has
/// to hold for their kernels in 32 bits; those of the second one take any
/// sizes.
class IndexGuard {
public:
  explicit IndexGuard(mlir::scf::IfOp branch)
      : branch(branch), b(branch), loc(branch.getLoc()) {}

  /// Whether `branch` is one.
  static bool isGuard(mlir::scf::IfOp branch);

  /// Has the branch ask for `condition`, which stands in its first region, in
  /// cases in which that place is reached. False, and nothing is asked for, if
  /// it cannot be computed in front of the branch.
  bool require(mlir::Value condition);

  /// The answer if it is known; else the branch is on it from here on.
  std::optional<bool> finish();

private:
  mlir::Value hoist(mlir::Value value);

  mlir::scf::IfOp branch;
  mlir::OpBuilder b;
  mlir::Location loc;
  llvm::DenseMap<mlir::Value, mlir::Value> hoisted;
  mlir::Value answer;
};

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOGPU_INDEXGUARD_H
