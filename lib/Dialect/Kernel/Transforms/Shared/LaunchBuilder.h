//===- LaunchBuilder.h - A launch from operands of another ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Passes that split launches, or give them workspaces, build them anew: from
// some of the arguments of the old launch and buffers of the host.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_LAUNCHBUILDER_H
#define ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_LAUNCHBUILDER_H

#include "arrc/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/MapVector.h"

namespace arrc::kernel {

/// Collects the arguments of a launch, then makes it.
class LaunchBuilder {
public:
  /// Names, schedule and attributes are those of `model`.
  explicit LaunchBuilder(LaunchOp model) : model(model) {}

  /// Asks for an argument of the model, and for the sizes that it names. It is
  /// among the outs if some request writes it.
  void use(mlir::BlockArgument argument, bool writes);
  /// The same for a buffer of the host; `sizes` are those of its dynamic
  /// dimensions, and become arguments.
  void useBuffer(mlir::Value buffer, llvm::ArrayRef<mlir::Value> sizes,
                 bool writes);
  /// Asks for a scalar of the host.
  void useScalar(mlir::Value scalar) { extra[scalar].operand = scalar; }
  /// The launch, with `mapping` from the arguments of the model.
  LaunchOp create(mlir::OpBuilder &builder, llvm::StringRef name,
                  mlir::Value flag, mlir::IRMapping &mapping);
  /// Whether `buffer` has been asked for.
  bool hasBuffer(mlir::Value buffer) const { return extra.contains(buffer); }
  /// The argument of a buffer or scalar, once the launch is made.
  mlir::BlockArgument getBuffer(mlir::Value buffer) {
    return created.getArgument(numberOf[buffer]);
  }
  mlir::BlockArgument getScalar(mlir::Value scalar) {
    return getBuffer(scalar);
  }

private:
  struct Entry {
    mlir::Value operand;
    mlir::BlockArgument argument; // of the model, if it has one
    llvm::SmallVector<mlir::Value> sizes;
    bool writes = false;
  };
  LaunchOp model, created;
  llvm::MapVector<mlir::Value, Entry> arguments, extra;
  llvm::DenseMap<mlir::Value, unsigned> numberOf;
};

/// A buffer of the host that holds what passes between launches and blocks.
mlir::Value createWorkspace(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::MemRefType type, mlir::ValueRange sizes);

} // namespace arrc::kernel

#endif // ARRC_LIB_DIALECT_KERNEL_TRANSFORMS_SHARED_LAUNCHBUILDER_H
