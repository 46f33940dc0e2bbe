//===- Optimizations.h - Passes that may be left out ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PIPELINES_OPTIMIZATIONS_H
#define ARRC_PIPELINES_OPTIMIZATIONS_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace arrc {

/// A pass that makes programs faster and that they are right without.
struct Optimization {
  llvm::StringLiteral name;    ///< the pass's flag in arr-opt
  llvm::StringLiteral summary; ///< what it does, in a few words
};

/// All of them, in the order of the pipelines.
llvm::ArrayRef<Optimization> getOptimizations();

/// Pass managers of `context` pass over the optimizations called `names` from
/// now on: `arrc --without`, and the ablations of the benchmarks.
void leaveOut(mlir::MLIRContext &context, llvm::ArrayRef<std::string> names);

} // namespace arrc

#endif // ARRC_PIPELINES_OPTIMIZATIONS_H
