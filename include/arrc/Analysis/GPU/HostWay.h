//===- HostWay.h - Which kernels the host launches --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Follows a function of the host, whose kernels are made, at given sizes: which
// of the versions of each kernel it launches, with how many threads and which
// numbers, what it copies, and which elements it waits for.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_ANALYSIS_GPU_HOSTWAY_H
#define ARRC_ANALYSIS_GPU_HOSTWAY_H

#include "arrc/Analysis/GPU/Trace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"

namespace arrc::lanes {

/// A launch on the way.
struct HostLaunch {
  mlir::gpu::LaunchFuncOp op;
  mlir::gpu::GPUFuncOp kernel;
  LaunchFacts facts;
  /// Bytes of each operand that is an array, where they are known.
  std::vector<std::optional<int64_t>> bytes;
  /// The innermost loop of the host around it; null without one.
  mlir::Operation *loop = nullptr;
  /// Whether nobody knows if it is launched.
  bool isPossible = false;
};

/// A copy of an array, or an element that the host reads.
struct HostAccess {
  mlir::Operation *op;
  mlir::Operation *loop;
  /// Bytes, where they are known.
  std::optional<int64_t> bytes;
};

class HostWay {
public:
  /// `sizes` gives the number behind a name: a size, or a parameter.
  HostWay(mlir::func::FuncOp function,
          llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> sizes);

  std::vector<HostLaunch> launches;
  std::vector<HostAccess> copies, reads;
  /// Names that were asked for in vain.
  std::vector<std::string> unknown;

private:
  void follow(mlir::Block &block);
  void followOp(mlir::Operation &op);
  std::optional<int64_t> get(mlir::Value value) const;
  std::optional<int64_t> evaluate(mlir::Operation &op) const;
  std::optional<int64_t> getBytes(mlir::Value array) const;

  llvm::DenseMap<mlir::Value, int64_t> numbers;
  std::map<std::pair<unsigned, unsigned>, int64_t> dims;
  mlir::Operation *loop = nullptr;
  bool isPossible = false;
  mlir::SymbolTableCollection symbols;
};

} // namespace arrc::lanes

#endif // ARRC_ANALYSIS_GPU_HOSTWAY_H
