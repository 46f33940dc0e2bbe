//===- PrintKernels.h - What is known of kernels, printed -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_GPU_PRINTKERNELS_H
#define ARRC_LIB_TARGET_GPU_PRINTKERNELS_H

#include "arrc/Analysis/GPU/Print.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/ArrayRef.h"

namespace arrc::target {

/// The options of the passes that print; empty where nothing is said.
struct PrintOptions {
  llvm::ArrayRef<int64_t> block, grid, at, values;
  llvm::StringRef kernel;
};

/// Prints what `print` says of the kernels of `module` to standard error.
void printKernels(
    mlir::ModuleOp module, const PrintOptions &options,
    llvm::function_ref<void(llvm::raw_ostream &, const lanes::Trace &)> print);

} // namespace arrc::target

#endif // ARRC_LIB_TARGET_GPU_PRINTKERNELS_H
