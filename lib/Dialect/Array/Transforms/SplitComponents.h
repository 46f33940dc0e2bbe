//===- SplitComponents.h - Carried arrays by component ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The rewrite of arr-choose-layouts, which says for which arrays it is legal.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_SPLITCOMPONENTS_H
#define ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_SPLITCOMPONENTS_H

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallBitVector.h"

#include <optional>

namespace arrc::array {

/// A host loop with the parts that `scf.for` and `scf.while` have in common:
/// position `k` of the initial values is argument, result and carried value
/// `k`.
struct HostLoop {
  mlir::Operation *op;
  unsigned firstInit; ///< operands before the initial values
  unsigned firstArg;  ///< arguments before the carried ones, in every region

  explicit HostLoop(mlir::Operation *op)
      : op(op), firstInit(mlir::isa<mlir::scf::ForOp>(op) ? 3 : 0),
        firstArg(mlir::isa<mlir::scf::ForOp>(op) ? 1 : 0) {}

  mlir::Value getInit(unsigned k) const {
    return op->getOperand(firstInit + k);
  }
  mlir::Block &getBlock(unsigned region) const {
    return op->getRegion(region).front();
  }
  mlir::Value getArg(unsigned region, unsigned k) const {
    return getBlock(region).getArgument(firstArg + k);
  }
  /// The terminator of a region, and its operands before the carried values.
  mlir::Operation *getEnd(unsigned region) const {
    return getBlock(region).getTerminator();
  }
  unsigned getFirstEnd(unsigned region) const {
    return mlir::isa<mlir::scf::ConditionOp>(getEnd(region)) ? 1 : 0;
  }
  mlir::Value getCarried(unsigned region, unsigned k) const {
    return getEnd(region)->getOperand(getFirstEnd(region) + k);
  }
};

/// Which components of small vectors a slice has that is put into an array of
/// them: `first`, `first + stride`, .., `count` of them.
struct ComponentSlice {
  int64_t first, stride, count;
  /// Whether the slice is an array without the dimension of components.
  bool isDropped;

  /// The components, if constants say which: `g[n - 2] = ..` has all of them,
  /// `g[1:, j, 3] = ..` one.
  static std::optional<ComponentSlice> of(mlir::tensor::InsertSliceOp insert);
};

/// The map or stencil of small vectors that makes what `insert` puts into an
/// array of them, if nothing else uses them but by component; null if there is
/// none. It can give one result a component.
IndexSpaceOpInterface findVectorMap(mlir::tensor::InsertSliceOp insert);

/// What `array` is before names for its sizes and before slices are put into
/// it.
mlir::Value skipUpdates(mlir::Value array);

/// Lets `loop` carry the arrays at the positions of `chosen` by component: they
/// are taken apart before it, made or updated by component in it, and put
/// together behind it.
void splitComponents(mlir::RewriterBase &rewriter, HostLoop loop,
                     const llvm::SmallBitVector &chosen);

} // namespace arrc::array

#endif // ARRC_LIB_DIALECT_ARRAY_TRANSFORMS_SPLITCOMPONENTS_H
