//===- KeepUnrolls.h - Loops that LLVM must not unroll ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loops whose unrolling the schedule has decided.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_CPU_KEEPUNROLLS_H
#define ARRC_LIB_TARGET_CPU_KEEPUNROLLS_H

#include "llvm/IR/PassManager.h"

namespace arrc::cpu {

/// Keeps LLVM from unrolling loops over vectors by a factor of its own; those
/// of few iterations, whose number is known, still become straight code. Runs
/// before LLVM's vectorizer: vectors that are there are the schedule's.
struct KeepUnrollsPass : llvm::PassInfoMixin<KeepUnrollsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace arrc::cpu

#endif // ARRC_LIB_TARGET_CPU_KEEPUNROLLS_H
