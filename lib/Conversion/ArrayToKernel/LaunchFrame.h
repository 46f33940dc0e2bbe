//===- LaunchFrame.h - A launch while its body is being written -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One launch in the making: a body that stands alone, and what it takes from
// outside, collected while the body is written. `finish` puts the launch in
// front of the operation that it replaces.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_CONVERSION_ARRAYTOKERNEL_LAUNCHFRAME_H
#define ARRC_LIB_CONVERSION_ARRAYTOKERNEL_LAUNCHFRAME_H

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace arrc {

/// Sizes of the arrays of the host as numbers and values.
class HostSizes {
public:
  /// Remembers the sizes of a new array.
  void set(mlir::Value array, llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// The size of dimension `dim`; at need a `tensor.dim` in front of `anchor`.
  mlir::OpFoldResult get(mlir::Value array, int64_t dim,
                         mlir::Operation *anchor);

  /// All sizes.
  llvm::SmallVector<mlir::OpFoldResult> getAll(mlir::Value array,
                                               mlir::Operation *anchor);

  /// The size if it is known without a new operation, else null.
  mlir::OpFoldResult getKnown(mlir::Value array, int64_t dim);

  /// Values that others stand for from now on.
  using Replaced = llvm::MapVector<mlir::Value, mlir::OpFoldResult>;
  /// What stands for `size`.
  static mlir::OpFoldResult follow(mlir::OpFoldResult size,
                                   const Replaced &replaced);
  /// Lets no size be one of the values that are replaced.
  void replace(const Replaced &replaced);

private:
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::OpFoldResult>> known;
};

/// See the head of the file.
class LaunchFrame {
public:
  /// A launch that will stand in front of `root` and carry its place.
  LaunchFrame(mlir::Operation *root, HostSizes &sizes);
  ~LaunchFrame();

  /// The body, under a launch without operands until the launch is finished.
  mlir::Block &getBody() { return *draft.getBodyBlock(); }
  /// The operation that the launch replaces.
  mlir::Operation *getRoot() { return root; }
  /// Sizes of what stands outside.
  HostSizes &getHostSizes() { return sizes; }

  /// True if `value` is made outside of the operation that is replaced.
  bool isOutside(mlir::Value value);

  /// The value inside of the body for a scalar from outside: constants are
  /// copied, facts repeated, the rest becomes an input.
  mlir::Value captureScalar(mlir::Value outer);

  /// The same as an input, of constants as well: launches that differ in them
  /// alone have one body.
  mlir::Value captureOperand(mlir::Value outer) { return captureSize(outer); }

  /// The memref inside of the body for an array from outside.
  mlir::Value captureArray(mlir::Value outer);

  /// Says what the sizes of an array from outside are called here.
  void noteSizes(mlir::Value outer, llvm::ArrayRef<mlir::OpFoldResult> named);

  /// The memref inside of the body for a table, wherever it stands.
  mlir::Value captureTable(mlir::arith::ConstantOp table);

  /// A new destination with the contents of `initial`.
  mlir::Value addOut(mlir::Value initial);

  /// A new destination without contents.
  mlir::Value addEmptyOut(mlir::RankedTensorType type,
                          llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// The name of a loop over `extent`: `wanted`, unless another index set of
  /// this launch has it.
  std::string getDimName(llvm::StringRef wanted, mlir::OpFoldResult extent);

  /// Makes the launch.
  kernel::LaunchOp finish();

private:
  /// The argument that stands for a size from outside.
  mlir::BlockArgument captureSize(mlir::Value size);
  /// The bracket of `array`: arguments, or numbers where the type has them.
  llvm::SmallVector<mlir::OpFoldResult> captureBracket(mlir::Value array);
  mlir::BlockArgument addInput(mlir::Value outer, mlir::Type type);

  mlir::Operation *root;
  HostSizes &sizes;
  kernel::LaunchOp draft;
  llvm::SmallVector<mlir::Value> inputs, outs;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::DenseMap<mlir::Value, mlir::BlockArgument> sizeArguments, arrays;
  llvm::DenseMap<mlir::Attribute, mlir::Value> tables;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::OpFoldResult>> brackets,
      noted;
  llvm::StringMap<mlir::OpFoldResult> dims;
};

/// What a launch is called: the function and the line in it.
std::string getLaunchName(mlir::Operation *op);

} // namespace arrc

#endif // ARRC_LIB_CONVERSION_ARRAYTOKERNEL_LAUNCHFRAME_H
