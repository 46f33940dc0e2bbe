//===- Internal.h - Inside of the PTX target --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_LIB_TARGET_PTX_INTERNAL_H
#define ARRC_LIB_TARGET_PTX_INTERNAL_H

#include "arrc/Target/PTX/PTX.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
class Value;
} // namespace llvm

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace arrc::ptx {

/// 90 for `sm_90` and `sm_90a`; 0 for what is no architecture.
unsigned getCapability(llvm::StringRef arch);

/// The first cards whose kernels may start while the one before runs.
constexpr unsigned leastToOverlap = 90;

/// Makes the kernels of an optimised module wait for the launch before, and let
/// the next one in. See OverlapLaunchesPass.
void overlapLaunches(llvm::Module &module);

/// Makes every code generator for cards that is set up from now on read no more
/// than was asked for.
void narrowLoads();

/// Turns branches around loads of memory into masked loads, which nothing that
/// is done with their values comes between.
struct MaskLoads : llvm::PassInfoMixin<MaskLoads> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Makes branches of these in an optimised module.
void unmaskLoads(llvm::Module &module);

/// Whether nobody writes to what `pointer` points into while the kernel runs.
bool isConstantMemory(const llvm::Value *pointer);

/// Reads neighbouring bytes and halves of an optimised module that may lie
/// anywhere by the aligned words that hold them.
void loadWords(llvm::Module &module, llvm::TargetMachine &machine);

/// Extends narrow integers of an optimised module before they become f32.
void widenConversions(llvm::Module &module);

/// Writes negations of integers in an optimised module so that ptxas does not
/// lose them.
void spellNegations(llvm::Module &module);

/// Writes divisions of an optimised module out so that those which do
/// not depend on each other run side by side.
void divideTogether(llvm::Module &module);

/// The name of the function `stem` of C if this target has one of its own;
/// empty if it is the library's.
llvm::StringRef getOwnFunction(llvm::StringRef stem, bool isDouble);

/// Gives the functions of these names that a module calls their bodies.
void defineFunctions(llvm::Module &module);

/// Computes places and masks of an optimised module again where they are used,
/// instead of keeping them in registers from an earlier use.
void recomputeIndices(llvm::Module &module);

/// Patterns for minima and maxima of f64.
void populateExtrema(mlir::LLVMTypeConverter &converter,
                     mlir::RewritePatternSet &patterns);

/// A pattern for what all lanes of a warp must say yes to.
void populateVotes(mlir::LLVMTypeConverter &converter,
                   mlir::RewritePatternSet &patterns);

} // namespace arrc::ptx

#endif // ARRC_LIB_TARGET_PTX_INTERNAL_H
