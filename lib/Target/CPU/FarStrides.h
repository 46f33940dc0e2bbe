//===- FarStrides.h - Loops that LLVM must not vectorize --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Strides of elements that do not fit 32 bits.
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_CPU_FARSTRIDES_H
#define ARRC_LIB_TARGET_CPU_FARSTRIDES_H

#include "llvm/IR/PassManager.h"

namespace arrc::cpu {

/// Keeps LLVM's vectorizer off loops with accesses of far strides.
struct FarStridesPass : llvm::PassInfoMixin<FarStridesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);
};

} // namespace arrc::cpu

#endif // ARRC_LIB_TARGET_CPU_FARSTRIDES_H
