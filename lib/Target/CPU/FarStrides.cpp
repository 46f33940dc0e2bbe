//===- FarStrides.cpp - Loops that LLVM must not vectorize ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's vectorizer asks for the stride of an access and keeps the lower 32
// bits of the answer (LoopVectorizationLegality::isConsecutivePtr of LLVM 22):
//
//   for (j ..)  { k = j * 4294967297;  if (k < n)  x = y[k]; }
//
// reads consecutive elements then, as 2^32 + 1 is taken for 1, under masks that
// are those of other places. Such a loop is not vectorized.
//
//===----------------------------------------------------------------------===//

#include "LoopHints.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

/// Whether `op` computes with a number that makes a stride far. Strides are
/// products with numbers of this kind, which LLVM has multiplied out by then.
static bool usesFarNumber(const Instruction &op) {
  bool isShift = op.getOpcode() == Instruction::Shl;
  return any_of(op.operands(), [&](const Use &use) {
    auto *number = dyn_cast<ConstantInt>(use);
    return number && (isShift ? number->getValue().uge(31)
                              : !number->getValue().isSignedIntN(32));
  });
}

/// Whether the place of an access is a sum or a product with a far number, in
/// itself or under the assumptions that the vectorizer makes and checks.
static bool isFar(Value *pointer, Loop &loop, ScalarEvolution &evolution) {
  auto hasFarNumber = [](const SCEV *place) {
    return SCEVExprContains(place, [](const SCEV *part) {
      auto *number = dyn_cast<SCEVConstant>(part);
      return number && !number->getAPInt().isSignedIntN(32);
    });
  };
  PredicatedScalarEvolution predicated(evolution, loop);
  const SCEV *recurrence = predicated.getAsAddRec(pointer);
  return hasFarNumber(evolution.getSCEV(pointer)) ||
         (recurrence && hasFarNumber(recurrence));
}

static bool hasFarAccess(Loop &loop, ScalarEvolution &evolution) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &op : *block)
      if (Value *pointer = getLoadStorePointerOperand(&op))
        if (evolution.isSCEVable(pointer->getType()) &&
            isFar(pointer, loop, evolution))
          return true;
  return false;
}

PreservedAnalyses
arrc::cpu::FarStridesPass::run(Function &function,
                               FunctionAnalysisManager &manager) {
  if (none_of(instructions(function), usesFarNumber))
    return PreservedAnalyses::all();
  auto &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop :
       manager.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost() && hasFarAccess(*loop, evolution))
      addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  return PreservedAnalyses::all();
}
