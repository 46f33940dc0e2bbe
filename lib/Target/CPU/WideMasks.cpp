//===- WideMasks.cpp - Masks that live longer than a block ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A vector of 64 bits is no type of a processor without AVX-512. Within a block
// LLVM makes it bytes in two vectors; from one block to the next it goes in
// registers, and as no part of it is legal, each lane gets a register of its
// own: 64 extractions, 64 spills, 64 insertions, around every branch. Here it
// goes as bytes, all ones or zero:
//
//   x = phi <64 x i1>    ->   y = phi <64 x i8>    x = y < 0
//
//===----------------------------------------------------------------------===//

#include "MaskedLanes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

/// The vector of bytes that goes in the place of `type`, if that is a mask and
/// would go lane by lane, as bytes do not.
static Type *getBytes(Type *type, const TargetLowering &lowering) {
  auto *mask = dyn_cast<FixedVectorType>(type);
  if (!mask || !mask->getElementType()->isIntegerTy(1))
    return nullptr;
  auto registers = [&](Type *of) {
    return lowering.getNumRegisters(type->getContext(), EVT::getEVT(of));
  };
  Type *bytes = mask->getWithNewBitWidth(8);
  return registers(mask) >= mask->getNumElements() &&
                 registers(bytes) < registers(mask)
             ? bytes
             : nullptr;
}

/// The mask that `bytes` are, before `place`.
static Value *toMask(Value *bytes, BasicBlock::iterator place) {
  IRBuilder<> b(place->getParent(), place);
  return b.CreateICmpSLT(bytes, Constant::getNullValue(bytes->getType()));
}

/// Turns a phi of masks into one of bytes.
static void widenPhi(PHINode *phi, Type *bytes) {
  IRBuilder<> b(phi);
  PHINode *wide = b.CreatePHI(bytes, phi->getNumIncomingValues());
  Value *mask = toMask(wide, phi->getParent()->getFirstInsertionPt());
  // It may be its own operand.
  phi->replaceAllUsesWith(mask);
  // A block that comes twice brings one value.
  SmallDenseMap<BasicBlock *, Value *> brought;
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
    BasicBlock *from = phi->getIncomingBlock(i);
    Value *&value = brought[from];
    if (!value)
      value = IRBuilder<>(from->getTerminator())
                  .CreateSExt(phi->getIncomingValue(i), bytes);
    wide->addIncoming(value, from);
  }
  phi->eraseFromParent();
}

/// Makes a mask of bytes again in each block that reads `op` of another one.
static void widenUses(Instruction *op, Type *bytes) {
  MapVector<BasicBlock *, SmallVector<Use *>> uses;
  for (Use &use : op->uses()) {
    auto *user = cast<Instruction>(use.getUser());
    // Phis have been widened: what is left of them goes by lanes.
    if (user->getParent() != op->getParent() && !isa<PHINode>(user))
      uses[user->getParent()].push_back(&use);
  }
  if (uses.empty())
    return;
  IRBuilder<> b(op->getParent(), std::next(op->getIterator()));
  Value *wide = b.CreateSExt(op, bytes);
  for (auto &[block, list] : uses) {
    Value *mask = toMask(wide, block->getFirstInsertionPt());
    for (Use *use : list)
      use->set(mask);
  }
}

void arrc::cpu::widenMasks(Module &module, TargetMachine &machine) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    const TargetLowering &lowering =
        *machine.getSubtargetImpl(function)->getTargetLowering();
    SmallVector<PHINode *> phis;
    for (Instruction &op : instructions(function))
      if (auto *phi = dyn_cast<PHINode>(&op);
          phi && getBytes(phi->getType(), lowering))
        phis.push_back(phi);
    for (PHINode *phi : phis)
      widenPhi(phi, getBytes(phi->getType(), lowering));
    SmallVector<Instruction *> masks;
    for (Instruction &op : instructions(function))
      if (getBytes(op.getType(), lowering) && !op.isTerminator() &&
          !isa<PHINode>(op))
        masks.push_back(&op);
    for (Instruction *op : masks)
      widenUses(op, getBytes(op->getType(), lowering));
  }
}
