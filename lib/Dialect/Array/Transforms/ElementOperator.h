//===- ElementOperator.h - Operators on rows, an element at a time -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_DIALECT_ARRAY_TRANSFORMS_ELEMENTOPERATOR_H
#define ARRC_DIALECT_ARRAY_TRANSFORMS_ELEMENTOPERATOR_H

#include "arrc/Dialect/Array/IR/Array.h"

#include "llvm/ADT/BitVector.h"

namespace arrc::array {

/// The accumulators that one element of accumulator `k` depends on: scalars,
/// and of rows the elements at the same place alone. None if the operator
/// needs another element of a row.
std::optional<llvm::BitVector> findElementOperator(mlir::Region &combiner,
                                                   unsigned k);

/// Makes what `combiner` yields for one element of each of `wanted`. `args` has
/// what stands for the operator's arguments, of rows the element; null where
/// nothing depends on it.
llvm::SmallVector<mlir::Value>
emitElementOperator(mlir::OpBuilder &builder, mlir::Region &combiner,
                    llvm::ArrayRef<unsigned> wanted, mlir::ValueRange args,
                    mlir::ValueRange point);

} // namespace arrc::array

#endif // ARRC_DIALECT_ARRAY_TRANSFORMS_ELEMENTOPERATOR_H
