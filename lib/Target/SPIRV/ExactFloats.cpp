//===- ExactFloats.cpp - Division and roots in f32 by integers ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// For devices that have no f64 and whose own division and root are off by up to
// 3 units in the last place. With mx and my the significands of 24 bits,
// subnormal numbers shifted up:
//
//   x / y      (mx << 26) / my, 26 or 27 bits and whether anything remained
//   sqrt x     the root of m << 27 by 26 steps, and whether anything remained
//   rounded    27 bits, the last one for all that follow, to 24: to the
//   nearest,
//              ties to even, shifted further where the result is subnormal
//
// Zeros, infinities and NaN are the device's own, which are right.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {
/// A number's significand of 24 bits, and its exponent as in the format.
struct Parts {
  Value *significand, *exponent;
};

struct Writer : IRBuilder<> {
  using IRBuilder::IRBuilder;

  Value *number(uint32_t value) { return getInt32(value); }
  Value *bitsOf(Value *x) { return CreateBitCast(x, getInt32Ty()); }
  /// 1 or 0.
  Value *flag(Value *condition) { return CreateZExt(condition, getInt32Ty()); }
  /// True for zeros, infinities and NaN, given the bits without the sign.
  Value *isSpecial(Value *size) {
    return CreateICmpUGE(CreateSub(size, number(1)), number(0x7f7fffff));
  }
  Parts split(Value *size);
  Value *round(Value *sign, Value *exponent, Value *bits);
  Value *divide(Value *x, Value *y);
  Value *root(Value *x, Value *own);
};
} // namespace

Parts Writer::split(Value *size) {
  Value *exponent = CreateLShr(size, 23);
  Value *rest = CreateAnd(size, number(0x7fffff));
  Value *zeros =
      CreateIntrinsic(Intrinsic::ctlz, {getInt32Ty()}, {rest, getFalse()});
  Value *shift = CreateSub(zeros, number(8));
  Value *isSmall = CreateICmpEQ(exponent, number(0));
  return {CreateSelect(isSmall, CreateShl(rest, shift),
                       CreateOr(rest, number(0x800000))),
          CreateSelect(isSmall, CreateSub(number(1), shift), exponent)};
}

Value *Writer::round(Value *sign, Value *exponent, Value *bits) {
  Value *one = number(1);
  Value *isSmall = CreateICmpSLT(exponent, one);
  Value *isTiny = CreateICmpSLT(exponent, getInt32(uint32_t(-26)));
  Value *shift = CreateSelect(isTiny, number(27), CreateSub(one, exponent));
  shift = CreateSelect(isSmall, shift, number(0));
  Value *lost = CreateAnd(bits, CreateSub(CreateShl(one, shift), one));
  bits = CreateOr(CreateLShr(bits, shift), flag(CreateICmpNE(lost, number(0))));
  // The lowest bit that stays and all that goes: above 4, or 4 and odd.
  Value *rest = CreateAnd(bits, number(7));
  Value *isOddTie = CreateICmpEQ(CreateAnd(bits, number(15)), number(12));
  Value *up = flag(CreateOr(CreateICmpUGT(rest, number(4)), isOddTie));
  Value *result = CreateAdd(CreateLShr(bits, 3), up);
  Value *place = CreateShl(CreateSub(exponent, one), 23);
  result = CreateAdd(result, CreateSelect(isSmall, number(0), place));
  Value *isHuge = CreateICmpSGT(exponent, number(254));
  result = CreateSelect(isHuge, number(0x7f800000), result);
  return CreateBitCast(CreateOr(result, sign), getFloatTy());
}

Value *Writer::divide(Value *x, Value *y) {
  Value *p = bitsOf(x), *q = bitsOf(y);
  Value *sign = CreateAnd(CreateXor(p, q), number(0x80000000));
  p = CreateAnd(p, number(0x7fffffff));
  q = CreateAnd(q, number(0x7fffffff));
  Value *isOwn = CreateOr(isSpecial(p), isSpecial(q));
  Parts a = split(p), b = split(q);
  // Nothing is divided by 0 on the way.
  Value *divisor = CreateSelect(isOwn, number(0x800000), b.significand);
  divisor = CreateZExt(divisor, getInt64Ty());
  Value *dividend = CreateShl(CreateZExt(a.significand, getInt64Ty()), 26);
  Value *quotient = CreateUDiv(dividend, divisor);
  Value *isInexact = CreateICmpNE(dividend, CreateMul(quotient, divisor));
  Value *bits = CreateOr(CreateTrunc(quotient, getInt32Ty()), flag(isInexact));
  Value *isShort = CreateICmpULT(bits, number(1 << 26));
  bits = CreateShl(bits, flag(isShort));
  Value *exponent = CreateSub(a.exponent, b.exponent);
  exponent =
      CreateAdd(exponent, CreateSelect(isShort, number(126), number(127)));
  return CreateSelect(isOwn, CreateFDiv(x, y), round(sign, exponent, bits));
}

Value *Writer::root(Value *x, Value *own) {
  Value *p = bitsOf(x);
  Parts a = split(p);
  // Of 127 plus an even number, so that it can be halved.
  Value *isEven = CreateICmpEQ(CreateAnd(a.exponent, number(1)), number(0));
  Value *exponent = CreateSub(a.exponent, flag(isEven));
  Value *significand = CreateShl(a.significand, flag(isEven));
  Value *square = CreateShl(CreateZExt(significand, getInt64Ty()), 27);
  Value *result = getInt64(0);
  for (int bit = 25; bit >= 0; --bit) {
    Value *more = CreateOr(result, getInt64(uint64_t(1) << bit));
    Value *fits = CreateICmpULE(CreateMul(more, more), square);
    result = CreateSelect(fits, more, result);
  }
  Value *isInexact = CreateICmpNE(CreateMul(result, result), square);
  Value *bits = CreateOr(CreateShl(CreateTrunc(result, getInt32Ty()), 1),
                         flag(isInexact));
  exponent = CreateAdd(exponent, number(127));
  exponent = CreateAShr(exponent, 1);
  // Of negative numbers, zeros, infinity and NaN.
  return CreateSelect(isSpecial(p), own, round(number(0), exponent, bits));
}

/// The function of this name, written when it is first asked for.
static Function *getFunction(llvm::Module &module, StringRef name,
                             bool isDivision) {
  if (Function *function = module.getFunction(name))
    return function;
  Type *type = Type::getFloatTy(module.getContext());
  auto *function =
      Function::Create(FunctionType::get(type, {type, type}, false),
                       GlobalValue::InternalLinkage, name, module);
  function->setCallingConv(CallingConv::SPIR_FUNC);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  Writer w(BasicBlock::Create(module.getContext(), "", function));
  Value *x = function->getArg(0), *y = function->getArg(1);
  w.CreateRet(isDivision ? w.divide(x, y) : w.root(x, y));
  return function;
}

void arrc::target::opencl::computeByIntegers(Instruction &inst) {
  llvm::Module &module = *inst.getModule();
  bool isDivision = inst.getOpcode() == Instruction::FDiv;
  Function *function = isDivision ? getFunction(module, "arrc.divide", true)
                                  : getFunction(module, "arrc.root", false);
  IRBuilder<> b(&inst);
  Value *x = inst.getOperand(0);
  Value *y = inst.getOperand(1);
  if (!isDivision)
    // The device's own root is the second argument.
    y = b.CreateUnaryIntrinsic(Intrinsic::sqrt, x);
  auto call = [&](Value *p, Value *q) -> Value * {
    CallInst *result = b.CreateCall(function, {p, q});
    result->setCallingConv(CallingConv::SPIR_FUNC);
    return result;
  };
  Value *result;
  if (auto *vector = dyn_cast<FixedVectorType>(inst.getType())) {
    result = PoisonValue::get(vector);
    for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
      result = b.CreateInsertElement(result,
                                     call(b.CreateExtractElement(x, lane),
                                          b.CreateExtractElement(y, lane)),
                                     lane);
  } else {
    result = call(x, y);
  }
  inst.replaceAllUsesWith(result);
  inst.eraseFromParent();
}
