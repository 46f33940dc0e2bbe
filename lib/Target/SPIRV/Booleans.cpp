//===- Booleans.cpp - What SPIR-V has no instructions for on i1 -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// In LLVM an i1 is a number of one bit, in SPIR-V a truth value that nothing
// counts with. LLVM's passes make numbers of conditions where they can (`if c {
// -1 } else { 0 }` is the sign extension of c), and its backend gets some of
// them wrong: the conversion of an i1 to a float is 0 or 1 for it, signed or
// not. So these are written out:
//
//   uitofp c         select c, 1.0, 0.0
//   sitofp c         the same, and c as the sign bit
//   icmp ult a, b    not a and b: of unsigned ones true is greater, of signed
//                    ones, where it is -1, false
//   a + b, a - b     a xor b
//   a * b            a and b
//
// A choice between -1.0 and 0.0 is written as sitofp is: Mesa makes the
// negation of 1.0 or 0.0 of it, and so -0.0 of 0.0.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace arrc::target;

/// `a predicate b`, without a comparison.
static Value *compare(IRBuilder<> &b, CmpInst::Predicate predicate, Value *x,
                      Value *y) {
  if (CmpInst::isSigned(predicate)) {
    predicate = ICmpInst::getUnsignedPredicate(predicate);
    std::swap(x, y);
  }
  switch (predicate) {
  case CmpInst::ICMP_ULT:
    return b.CreateAnd(b.CreateNot(x), y);
  case CmpInst::ICMP_ULE:
    return b.CreateOr(b.CreateNot(x), y);
  case CmpInst::ICMP_UGT:
    return b.CreateAnd(x, b.CreateNot(y));
  case CmpInst::ICMP_UGE:
    return b.CreateOr(x, b.CreateNot(y));
  default:
    return nullptr; // the backend has those of equality
  }
}

/// 1.0 or -1.0 where `condition` holds, else 0.0.
static Value *toFloat(IRBuilder<> &b, Value *condition, Type *type,
                      bool isNegative) {
  Value *number = b.CreateSelect(condition, ConstantFP::get(type, 1.0),
                                 ConstantFP::get(type, 0.0));
  if (!isNegative)
    return number;
  unsigned width = type->getScalarSizeInBits();
  Type *bits = type->getWithNewType(b.getIntNTy(width));
  Value *sign = b.CreateShl(b.CreateZExt(condition, bits), width - 1);
  return b.CreateBitCast(b.CreateOr(b.CreateBitCast(number, bits), sign), type);
}

/// Of a choice between -1.0 and 0.0 (or 0.0 and -1.0) the number, else null.
static Value *chooseMinusOne(IRBuilder<> &b, SelectInst &select) {
  using PatternMatch::m_PosZeroFP, PatternMatch::m_SpecificFP;
  Value *x = select.getTrueValue(), *y = select.getFalseValue();
  Value *condition = select.getCondition();
  // One condition for all elements of a vector has no bits for each.
  if (isa<VectorType>(select.getType()) !=
      isa<VectorType>(condition->getType()))
    return nullptr;
  auto isPair = [](Value *one, Value *zero) {
    return match(one, m_SpecificFP(-1.0)) && match(zero, m_PosZeroFP());
  };
  if (isPair(x, y))
    return toFloat(b, condition, select.getType(), /*isNegative=*/true);
  if (isPair(y, x))
    return toFloat(b, b.CreateNot(condition), select.getType(),
                   /*isNegative=*/true);
  return nullptr;
}

/// What gives the same as `inst`, or null if the backend takes it.
static Value *rewrite(Instruction &inst) {
  auto isBoolean = [](Value *value) {
    return value->getType()->isIntOrIntVectorTy(1);
  };
  IRBuilder<> b(&inst);
  if (auto *select = dyn_cast<SelectInst>(&inst))
    return chooseMinusOne(b, *select);
  if (isa<SIToFPInst, UIToFPInst>(inst)) {
    Value *x = inst.getOperand(0);
    return isBoolean(x) ? toFloat(b, x, inst.getType(), isa<SIToFPInst>(inst))
                        : nullptr;
  }
  if (auto *comparison = dyn_cast<ICmpInst>(&inst)) {
    Value *x = comparison->getOperand(0);
    return isBoolean(x) ? compare(b, comparison->getPredicate(), x,
                                  comparison->getOperand(1))
                        : nullptr;
  }
  if (!isBoolean(&inst))
    return nullptr;
  switch (inst.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return b.CreateXor(inst.getOperand(0), inst.getOperand(1));
  case Instruction::Mul:
    return b.CreateAnd(inst.getOperand(0), inst.getOperand(1));
  default:
    return nullptr;
  }
}

void opencl::expandBooleans(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (Value *value = rewrite(inst)) {
      inst.replaceAllUsesWith(value);
      inst.eraseFromParent();
    }
}
