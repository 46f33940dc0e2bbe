//===- LoopHints.h - What LLVM must not do with loops -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Passes that mark loops in front of LLVM's vectorizer: what there is by then
// is the schedule's.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_CPU_LOOPHINTS_H
#define ARRC_LIB_TARGET_CPU_LOOPHINTS_H

#include "llvm/IR/PassManager.h"

namespace arrc::cpu {

/// Keeps LLVM's vectorizer off loops with accesses whose strides, of elements,
/// do not fit 32 bits.
struct FarStridesPass : llvm::PassInfoMixin<FarStridesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

/// Keeps LLVM from unrolling loops over vectors by a factor of its own; those
/// of few iterations, whose number is known, still become straight code.
struct KeepUnrollsPass : llvm::PassInfoMixin<KeepUnrollsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace arrc::cpu

#endif // ARRC_LIB_TARGET_CPU_LOOPHINTS_H
