//===- Combiner.h - The `by` region of folds --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Reductions, scans and updates of both dialects end with `by` and a region
// that combines two values: all accumulators first, then all values, one value
// yielded for each accumulator. Regions that are one plain operation for each
// accumulator print short; this file is the one place that knows the forms:
//
//   by arith.addf                           one name for all accumulators
//   by arith.addf fastmath<contract>        with fast-math flags
//   by arith.addf, arith.maximumf           a name for each accumulator
//   by (%a: f32, %b: f32) { .. yield %c }   anything else
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_SUPPORT_COMBINER_H
#define ARRC_SUPPORT_COMBINER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/OpImplementation.h"

#include <optional>

namespace arrc {

/// One operator of a short combiner: the operation's name and its flags.
struct CombinerOperator {
  mlir::StringAttr name;
  mlir::arith::FastMathFlags flags = mlir::arith::FastMathFlags::none;
};

/// `op` as the operator of a short combiner: its name and its flags.
CombinerOperator toCombinerOperator(mlir::Operation *op);

/// Reads either form into the empty `region`. `yieldName` is the terminator of
/// the caller's dialect, `types` the accumulators' types.
mlir::ParseResult parseCombiner(mlir::OpAsmParser &parser, mlir::Region &region,
                                llvm::ArrayRef<mlir::Type> types,
                                llvm::StringRef yieldName);

/// Prints `region` in the shortest form that reads back the same.
void printCombiner(mlir::OpAsmPrinter &printer, mlir::Region &region);

/// Fills the empty `region` with `operators[i]` applied to accumulator and
/// value `i`, ended by the operation `yieldName`.
void buildCombiner(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Region &region, llvm::ArrayRef<mlir::Type> types,
                   llvm::ArrayRef<CombinerOperator> operators,
                   llvm::StringRef yieldName);

/// The operation that combines accumulator `position`, if one binary operation
/// on it and its value does, and no other accumulator depends on them; else
/// null.
mlir::Operation *getCombinerOp(mlir::Region &region, unsigned position);

/// The operation that combines each accumulator, where the region is one binary
/// operation on (accumulator i, value i) for each and nothing else; empty if
/// not.
llvm::SmallVector<mlir::Operation *> getCombinerOps(mlir::Region &region);

/// The atomic operation that does what `op` does to a place in memory, whatever
/// order they come in; nothing if none does. Of sums of floats those whose
/// order is free.
std::optional<mlir::arith::AtomicRMWKind> getAtomicKind(mlir::Operation *op);

/// Whether exchanging the two sides is known not to matter: each accumulator is
/// combined by one commutative operation, or is part of a pair that finds the
/// place of an extremum (ArgCombiner.h). User operators answer no.
bool isCommutativeCombiner(mlir::Region &region);

/// Clones the region's body at the builder with accumulators `lhs` and values
/// `rhs`; returns the combined values.
llvm::SmallVector<mlir::Value> inlineCombiner(mlir::OpBuilder &builder,
                                              mlir::Region &region,
                                              mlir::ValueRange lhs,
                                              mlir::ValueRange rhs);

/// [C1] of every fold: the region has one block that takes `types` twice and
/// yields `types`. Reports on `op`.
mlir::LogicalResult verifyCombiner(mlir::Operation *op, mlir::Region &region,
                                   mlir::TypeRange types);

} // namespace arrc

#endif // ARRC_SUPPORT_COMBINER_H
