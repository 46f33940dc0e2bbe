//===- Negations.cpp - Negations that ptxas keeps -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For cards from sm_90 on ptxas (CUDA 12.8 to 13.3 at least) joins two minima
// or maxima of integers to one instruction of three operands, and forgets the
// negation of one of them: the largest of -x[0] .. -x[3] comes out as that of
// -x[0], -x[1], -x[2] and x[3]. It does so with every spelling that it takes
// for a negation, -x, 0 - x and x * -1, and keeps
//
//   -x  =  ~(x - 1)
//
// which is the same in any number of bits. LLVM would turn that into a negation
// again, so it is put in when its passes are done, and spelled as PTX.
//
// Reference: https://github.com/pytorch/pytorch/issues/190973
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

static void spell(llvm::Instruction &negation, llvm::Value *operand) {
  llvm::Type *type = negation.getType();
  bool isShort = type->isIntegerTy(16);
  auto *form = llvm::FunctionType::get(type, {type}, /*isVarArg=*/false);
  auto *text =
      llvm::InlineAsm::get(form,
                           isShort ? "add.s16 $0, $1, -1;\n\tnot.b16 $0, $0;"
                                   : "add.s32 $0, $1, -1;\n\tnot.b32 $0, $0;",
                           isShort ? "=h,h" : "=r,r", /*hasSideEffects=*/false);
  llvm::IRBuilder<> builder(&negation);
  llvm::CallInst *call = builder.CreateCall(form, text, {operand});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  negation.replaceAllUsesWith(call);
  negation.eraseFromParent();
}

void arrc::ptx::spellNegations(llvm::Module &module) {
  using namespace llvm::PatternMatch;
  for (llvm::Function &function : module)
    for (llvm::Instruction &op :
         llvm::make_early_inc_range(llvm::instructions(function)))
      if (llvm::Value *operand = nullptr;
          (op.getType()->isIntegerTy(32) || op.getType()->isIntegerTy(16)) &&
          match(&op, m_Neg(m_Value(operand))))
        spell(op, operand);
}
