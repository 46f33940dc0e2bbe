//===- MaskedLanes.cpp - Masked accesses the processor lacks --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// AVX2 masks elements of 4 and 8 bytes, not bytes, and has no scatter; many
// processors with AVX2 have no gather worth the name. LLVM then gives every
// lane a branch, a block and a whole vector of its own: a masked load of 64
// bytes is 128 blocks, and a program with some dozens of them takes seconds to
// compile. One loop does the same,
//
//   places = addresses; buffer = value or pass-through
//   for (bits = mask; bits; bits &= bits - 1) {
//     i = lowest bit of bits
//     buffer[i] = *places[i]          // or *places[i] = buffer[i]
//   }
//   result = buffer
//
// and lanes that are off, most of them at the end of a row, cost nothing. Of
// neighbours that are shorter than 4 bytes, first whole words are accessed
// under the mask of words: a loop is left for up to three bytes at the end of a
// row.
//
//===----------------------------------------------------------------------===//

#include "MaskedLanes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <optional>
#include <tuple>
#include <utility>

using namespace llvm;

/// Up to here branches are as short as a loop. A mask is one integer.
static constexpr unsigned kFewLanes = 4, kMostLanes = 64;

namespace {
/// One access in parts; `value` is what is stored, or the result of lanes that
/// are off.
struct Access {
  IntrinsicInst *call;
  FixedVectorType *type;
  Value *places, *mask, *value;
  bool isLoad, isApart;
  Align align;
};

/// The memory in which lanes have numbers; one for all accesses of a function.
struct Buffers {
  AllocaInst *values = nullptr, *places = nullptr;
};
} // namespace

/// The access that `op` is, if it is masked.
static std::optional<Access> getAccess(Instruction &op) {
  auto *call = dyn_cast<IntrinsicInst>(&op);
  if (!call)
    return std::nullopt;
  Access access;
  access.call = call;
  switch (call->getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
    access.isLoad = true;
    access.places = call->getArgOperand(0);
    access.mask = call->getArgOperand(1);
    access.value = call->getArgOperand(2);
    access.align = call->getParamAlign(0).valueOrOne();
    break;
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
    access.isLoad = false;
    access.value = call->getArgOperand(0);
    access.places = call->getArgOperand(1);
    access.mask = call->getArgOperand(2);
    access.align = call->getParamAlign(1).valueOrOne();
    break;
  default:
    return std::nullopt;
  }
  access.isApart = access.places->getType()->isVectorTy();
  access.type = dyn_cast<FixedVectorType>(access.value->getType());
  if (!access.type)
    return std::nullopt;
  return access;
}

/// Whether the processor has the access as LLVM's code generator sees it.
static bool isLegal(const Access &access, const TargetTransformInfo &info) {
  if (access.isApart && access.isLoad)
    return info.isLegalMaskedGather(access.type, access.align) &&
           !info.forceScalarizeMaskedGather(access.type, access.align);
  if (access.isApart)
    return info.isLegalMaskedScatter(access.type, access.align) &&
           !info.forceScalarizeMaskedScatter(access.type, access.align);
  unsigned space = access.places->getType()->getPointerAddressSpace();
  return access.isLoad
             ? info.isLegalMaskedLoad(access.type, access.align, space)
             : info.isLegalMaskedStore(access.type, access.align, space);
}

/// Whether a loop is what the access should be.
static bool isForLoop(const Access &access, const TargetTransformInfo &info,
                      const DataLayout &layout) {
  unsigned lanes = access.type->getNumElements();
  uint64_t bits = layout.getTypeSizeInBits(access.type->getElementType());
  // Of a mask that is known LLVM makes what lanes are on, without branches.
  return lanes > kFewLanes && lanes <= kMostLanes && bits % 8 == 0 &&
         !isa<Constant>(access.mask) && !isLegal(access, info);
}

/// Memory for `type` in `buffer`, which grows with what is asked for.
static AllocaInst *reserve(AllocaInst *&buffer, Function &function, Type *type,
                           const DataLayout &layout) {
  if (!buffer) {
    IRBuilder<> b(&function.getEntryBlock(), function.getEntryBlock().begin());
    buffer = b.CreateAlloca(type);
  } else if (layout.getTypeAllocSize(type) >
             layout.getTypeAllocSize(buffer->getAllocatedType())) {
    buffer->setAllocatedType(type);
  }
  buffer->setAlignment(
      std::max(buffer->getAlign(), layout.getPrefTypeAlign(type)));
  return buffer;
}

/// The lanes that are on as bits of a number that has an instruction to find
/// the lowest.
static Value *toBits(IRBuilderBase &b, Value *mask) {
  unsigned lanes = cast<FixedVectorType>(mask->getType())->getNumElements();
  return b.CreateZExt(b.CreateBitCast(mask, b.getIntNTy(lanes)),
                      b.getIntNTy(lanes > 32 ? 64 : 32));
}

/// The vector of words of 4 bytes that lie where the lanes do; null if words
/// have no masks either, or a lane is no part of one.
static FixedVectorType *getWords(const Access &access,
                                 const TargetTransformInfo &info,
                                 const DataLayout &layout) {
  uint64_t bits = layout.getTypeSizeInBits(access.type);
  if (access.isApart || bits % 128 ||
      layout.getTypeSizeInBits(access.type->getElementType()) >= 32)
    return nullptr;
  auto *words = FixedVectorType::get(
      Type::getInt32Ty(access.type->getContext()), bits / 32);
  unsigned space = access.places->getType()->getPointerAddressSpace();
  bool legal = access.isLoad
                   ? info.isLegalMaskedLoad(words, access.align, space)
                   : info.isLegalMaskedStore(words, access.align, space);
  return legal ? words : nullptr;
}

/// Accesses the words all of whose lanes are on. Returns the bits of the lanes
/// that are left and what the buffer holds.
static std::pair<Value *, Value *>
accessWords(IRBuilderBase &b, const Access &access, FixedVectorType *words) {
  unsigned bits = access.type->getPrimitiveSizeInBits().getFixedValue() /
                  access.type->getNumElements();
  auto *lanes =
      FixedVectorType::get(b.getIntNTy(bits), access.type->getNumElements());
  Value *whole =
      b.CreateICmpEQ(b.CreateBitCast(b.CreateSExt(access.mask, lanes), words),
                     Constant::getAllOnesValue(words));
  Value *value = b.CreateBitCast(access.value, words);
  Instruction *touch =
      access.isLoad
          ? b.CreateMaskedLoad(words, access.places, access.align, whole, value)
          : b.CreateMaskedStore(value, access.places, access.align, whole);
  touch->setAAMetadata(access.call->getAAMetadata());
  Value *done = b.CreateBitCast(b.CreateSExt(whole, words), lanes);
  Value *rest = b.CreateAnd(
      access.mask, b.CreateICmpSGE(done, Constant::getNullValue(lanes)));
  return {toBits(b, rest),
          access.isLoad ? b.CreateBitCast(touch, access.type) : access.value};
}

/// Puts the loop in the place of the access.
static void expand(const Access &access, Buffers &buffers,
                   const TargetTransformInfo &info) {
  IntrinsicInst *call = access.call;
  Function &function = *call->getFunction();
  const DataLayout &layout = function.getDataLayout();
  Type *element = access.type->getElementType();

  IRBuilder<> b(call);
  AllocaInst *values = reserve(buffers.values, function, access.type, layout);
  AllocaInst *places = nullptr;
  if (access.isApart) {
    places =
        reserve(buffers.places, function, access.places->getType(), layout);
    b.CreateStore(access.places, places);
  }
  Value *all = toBits(b, access.mask);
  Value *wide = nullptr;
  if (FixedVectorType *words = getWords(access, info, layout))
    std::tie(all, wide) = accessWords(b, access, words);
  if (!isa<UndefValue>(wide ? wide : access.value))
    b.CreateStore(wide ? wide : access.value, values);

  BasicBlock *before = call->getParent();
  BasicBlock *after = before->splitBasicBlock(call);
  BasicBlock *loop =
      BasicBlock::Create(function.getContext(), "lanes", &function, after);
  before->getTerminator()->eraseFromParent();
  auto *number = cast<IntegerType>(all->getType());
  Constant *zero = ConstantInt::get(number, 0);
  b.SetInsertPoint(before);
  b.CreateCondBr(b.CreateICmpEQ(all, zero), after, loop);

  b.SetInsertPoint(loop);
  PHINode *bits = b.CreatePHI(number, 2);
  Value *lane =
      b.CreateIntrinsic(Intrinsic::cttz, {number}, {bits, b.getTrue()});
  lane = b.CreateZExt(lane, b.getInt64Ty());
  Value *mine = b.CreateInBoundsGEP(element, values, lane);
  Value *place;
  if (access.isApart) {
    Type *pointer = access.places->getType()->getScalarType();
    place = b.CreateLoad(pointer, b.CreateInBoundsGEP(pointer, places, lane));
  } else {
    place = b.CreateInBoundsGEP(element, access.places, lane);
  }
  // What is known of the first element is not known of each.
  Align align =
      access.isApart
          ? access.align
          : commonAlignment(access.align, layout.getTypeStoreSize(element));
  Instruction *touch;
  if (access.isLoad) {
    touch = b.CreateAlignedLoad(element, place, align);
    b.CreateStore(touch, mine);
  } else {
    touch = b.CreateAlignedStore(b.CreateLoad(element, mine), place, align);
  }
  touch->setAAMetadata(call->getAAMetadata());
  Value *rest =
      b.CreateAnd(bits, b.CreateSub(bits, ConstantInt::get(number, 1)));
  b.CreateCondBr(b.CreateICmpEQ(rest, zero), after, loop);
  bits->addIncoming(all, before);
  bits->addIncoming(rest, loop);

  if (access.isLoad) {
    b.SetInsertPoint(after, after->begin());
    Value *loaded = b.CreateLoad(access.type, values);
    // Without lanes in the loop nothing goes through memory.
    if (wide) {
      BasicBlock *reload =
          BasicBlock::Create(function.getContext(), "reload", &function, after);
      cast<Instruction>(loaded)->moveBefore(
          BranchInst::Create(after, reload)->getIterator());
      loop->getTerminator()->replaceSuccessorWith(after, reload);
      b.SetInsertPoint(after, after->begin());
      PHINode *either = b.CreatePHI(access.type, 2);
      either->addIncoming(wide, before);
      either->addIncoming(loaded, reload);
      loaded = either;
    }
    call->replaceAllUsesWith(loaded);
  }
  call->eraseFromParent();
}

void arrc::cpu::loopOverMaskedLanes(Module &module, TargetMachine &machine) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    TargetTransformInfo info = machine.getTargetTransformInfo(function);
    SmallVector<Instruction *> calls;
    for (Instruction &op : instructions(function))
      if (std::optional<Access> access = getAccess(op);
          access && isForLoop(*access, info, function.getDataLayout()))
        calls.push_back(&op);
    // What one access loads is what another one stores: operands are read anew.
    Buffers buffers;
    for (Instruction *call : calls)
      expand(*getAccess(*call), buffers, info);
  }
}
