//===- Uniformity.h - Which values differ between threads -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_KERNELTOGPU_UNIFORMITY_H
#define ARRC_LIB_CONVERSION_KERNELTOGPU_UNIFORMITY_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "llvm/ADT/DenseMap.h"

namespace arrc {

/// For each value of a launch the thread axes that it depends on, as bits (x is
/// 1, y 2, z 4). A value without bits is the same in all threads of a block.
class Uniformity {
public:
  explicit Uniformity(kernel::LaunchOp launch);
  unsigned getAxes(mlir::Value value) const { return axes.lookup(value); }

private:
  bool add(mlir::Value value, unsigned bits);
  unsigned join(mlir::ValueRange values) const;
  bool visit(mlir::Operation *op);
  bool visitLoop(kernel::ForOp loop);
  bool visitStore(mlir::Operation *op, mlir::Value dest, mlir::Value mask);

  llvm::DenseMap<mlir::Value, unsigned> axes;
};

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_KERNELTOGPU_UNIFORMITY_H
