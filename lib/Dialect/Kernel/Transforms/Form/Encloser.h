//===- Encloser.h - Writes a loop of the host as a launch -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ENCLOSER_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ENCLOSER_H

#include "EncloseLoops.h"

#include "arrc/Dialect/Array/IR/Array.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

namespace arrc::kernel {

inline bool isArray(mlir::Value value) {
  return mlir::isa<mlir::MemRefType>(value.getType());
}

/// What `array` is made of, one step towards the base; null at a base.
mlir::Value stepToBase(mlir::Value array);

/// Whether every step hands on the arrays of `loop` as they are.
bool keepsPlaces(mlir::Operation *loop);

/// An array of the loop, in the array that it lies in.
struct View {
  mlir::Value array;
  /// For each dimension of `array` where the view begins, the step from one
  /// element to the next, and the dimension of the view that walks it, -1 for
  /// none.
  llvm::SmallVector<mlir::OpFoldResult> offsets, strides;
  llvm::SmallVector<int64_t> dims;
  llvm::SmallVector<mlir::OpFoldResult> sizes;
  bool isWhole = true;
};

/// Writes a loop as the code of one launch.
class Encloser {
public:
  Encloser(mlir::OpBuilder &builder, mlir::Operation *root)
      : b(builder), root(root) {}

  /// The launch that does what the loop does, step by step.
  LaunchOp run(llvm::StringRef name,
               llvm::SmallVectorImpl<mlir::Value> &results);
  /// The launch whose outermost loop has the steps as its iterations. What
  /// only the steps use is a local of each.
  LaunchOp spread(llvm::StringRef name);

private:
  void collect();
  void addScalar(mlir::Value value);
  void createLaunch(llvm::StringRef name);
  void addConstants();
  void addLocals(llvm::ArrayRef<mlir::Value> temporaries);
  llvm::SmallVector<mlir::Value> takeTemporaries();
  mlir::Value get(mlir::Value scalar);
  mlir::OpFoldResult get(mlir::OpFoldResult scalar);
  View getView(mlir::Value array);
  View narrow(mlir::memref::SubViewOp op, View source);
  mlir::OpFoldResult add(mlir::Location loc, mlir::OpFoldResult x,
                         mlir::OpFoldResult y);
  mlir::OpFoldResult multiply(mlir::Location loc, mlir::OpFoldResult x,
                              mlir::OpFoldResult y);
  llvm::SmallVector<mlir::Value>
  getIndices(mlir::Location loc, const View &view, mlir::ValueRange indices);
  void emitBlock(mlir::Block &block);
  void emit(mlir::Operation *op);
  void emitLaunch(LaunchOp inner);
  void emitCopy(mlir::memref::CopyOp copy);
  void emitIterate(IterateOp loop);
  void emitFor(mlir::scf::ForOp loop);
  void emitWhile(mlir::scf::WhileOp loop);
  void emitIf(mlir::scf::IfOp branch);
  void emitCheck(array::CheckOp check);
  /// Has `op`, a statement of a step, do nothing behind a failed check.
  void guard(mlir::Operation *op);
  /// `value`, or that a check has failed.
  mlir::Value orOver(mlir::Location loc, mlir::Value value);
  /// `value`, and that no check has failed.
  mlir::Value andFine(mlir::Location loc, mlir::Value value);
  /// Whether no check has failed yet, as a value that loops carry.
  mlir::Value getFine(mlir::Location loc);
  mlir::Value load(mlir::Location loc, mlir::Value array,
                   mlir::ValueRange indices);

  mlir::OpBuilder &b;
  mlir::Operation *root;
  LaunchOp launch;
  mlir::IRMapping map;
  llvm::SetVector<mlir::Value> scalars, arrays, written, constants;
  /// Where the launch leaves the scalar results of the loop.
  llvm::SmallVector<mlir::Value> places;
  llvm::DenseMap<mlir::Value, View> bases;
  unsigned loops = 0;
  /// Whether no check has failed; null in front of the first one.
  mlir::Value fine;
  /// Whether steps are iterations, which are shared among threads: branches
  /// around their loops would keep threads apart.
  bool spreads = false;
};

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_FORM_ENCLOSER_H
