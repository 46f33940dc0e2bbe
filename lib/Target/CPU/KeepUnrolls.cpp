//===- KeepUnrolls.cpp - Loops that LLVM must not unroll ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A schedule says how many vectors a step of a fold takes (`unroll 4, vector
// 16`): as many as hide the latency of an addition. LLVM would unroll the step
// once more, by a number of steps that is known at run time only:
//
//   for (t ..)  { s0 += v[t]; .. s3 += v[t+3]; }
//
// becomes a loop of eight steps, one for what is left, and the arithmetic that
// finds where one ends. No addition starts earlier for it, short rows spend
// more time in the arithmetic than in the loop, and the code is twice as long.
// Loops of scalars, which no schedule unrolled, are left to LLVM.
//
//===----------------------------------------------------------------------===//

#include "LoopHints.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

static bool holdsVectors(const Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &op) {
      return op.getType()->isVectorTy() ||
             any_of(op.operands(), [](const Use &use) {
               return use->getType()->isVectorTy();
             });
    });
  });
}

PreservedAnalyses
arrc::cpu::KeepUnrollsPass::run(Function &function,
                                FunctionAnalysisManager &manager) {
  for (Loop *loop :
       manager.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (holdsVectors(*loop))
      addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable");
  return PreservedAnalyses::all();
}
