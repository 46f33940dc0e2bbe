//===- WideIntegers.cpp - Integers of 64 bits and floats in lanes ---------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Before AVX-512 no instruction makes floats of a vector of integers of 64
// bits, or such integers of floats: LLVM takes the lanes out, converts each,
// and puts them together. Five operations on whole vectors make f64, with one
// rounding:
//
//   low  = the bits of 2^52 + lower half of x       exact
//   high = the bits of 2^84 + 2^63 + upper half     exact; 2^63 if x is signed
//   high - (2^84 + 2^63 + 2^52) + low               exact, then rounded
//
// Source of the idea: the constants of compilers' conversions of one unsigned
// integer on processors of 32 bits.
//
// Of two roundings, to f64 and from there to f32, the result may be another.
// But where all lanes fit into 32 bits, which indices do, there is an
// instruction:
//
//   if (all lanes of x fit) y = float(int32(x)) else y = float(x), lane by lane
//
// and there is for floats to integers.
//
//===----------------------------------------------------------------------===//

#include "WideIntegers.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

/// The bits of 2^52 and 2^84, and the sign of an integer's upper half.
static constexpr uint64_t kLow = 0x4330000000000000, kHigh = 0x4530000000000000,
                          kSign = uint64_t(1) << 31;

/// Lanes for which a branch is worth it.
static constexpr unsigned kFewestLanes = 4;

/// Whether `op` converts vectors of 64-bit integers.
static bool isWide(const Instruction &op) {
  auto *type = dyn_cast<FixedVectorType>(op.getType());
  if (!type || !isa<SIToFPInst, UIToFPInst, FPToSIInst, FPToUIInst>(op))
    return false;
  bool toFloat = isa<SIToFPInst, UIToFPInst>(op);
  Type *from = op.getOperand(0)->getType()->getScalarType(),
       *to = type->getElementType();
  Type *number = toFloat ? to : from;
  return (toFloat ? from : to)->isIntegerTy(64) &&
         (number->isFloatTy() || number->isDoubleTy()) &&
         ((toFloat && number->isDoubleTy()) ||
          type->getNumElements() >= kFewestLanes);
}

/// Whether all lanes of the integers or floats that `op` converts fit into 32
/// bits.
static Value *fitsIntoInts(IRBuilder<> &b, Instruction &op) {
  Value *x = op.getOperand(0);
  auto *type = cast<FixedVectorType>(x->getType());
  // Signed lanes that fit lie from 0 to 2^32 when 2^31 is added, unsigned ones
  // up to 2^31 as they are.
  if (isa<SIToFPInst>(op))
    return b.CreateICmpEQ(
        b.CreateOrReduce(
            b.CreateLShr(b.CreateAdd(x, ConstantInt::get(type, kSign)), 32)),
        b.getInt64(0));
  if (isa<UIToFPInst>(op))
    return b.CreateICmpEQ(b.CreateOrReduce(b.CreateLShr(x, 31)), b.getInt64(0));
  // No NaN fits.
  Value *size =
      isa<FPToSIInst>(op) ? b.CreateUnaryIntrinsic(Intrinsic::fabs, x) : x;
  Value *fit = b.CreateFCmpOLT(size, ConstantFP::get(type, 0x1p31));
  if (isa<FPToUIInst>(op))
    fit = b.CreateAnd(fit, b.CreateFCmpOGE(x, ConstantFP::get(type, 0.0)));
  return b.CreateAndReduce(fit);
}

/// What `op` gives, by a branch around it.
static Value *convertThroughInts(Instruction &op) {
  IRBuilder<> b(&op);
  Value *x = op.getOperand(0);
  auto *type = cast<FixedVectorType>(op.getType());
  // Lanes that are off may hold anything.
  Value *fits = b.CreateFreeze(fitsIntoInts(b, op));
  Instruction *narrow, *wide;
  SplitBlockAndInsertIfThenElse(fits, &op, &narrow, &wide);
  b.SetInsertPoint(narrow);
  auto *ints = VectorType::get(b.getInt32Ty(), type->getElementCount());
  Value *few = type->isFPOrFPVectorTy()
                   ? b.CreateSIToFP(b.CreateTrunc(x, ints), type)
                   : b.CreateSExt(b.CreateFPToSI(x, ints), type);
  b.SetInsertPoint(wide);
  Value *all = b.Insert(op.clone());
  b.SetInsertPoint(&op);
  PHINode *both = b.CreatePHI(type, 2);
  both->addIncoming(few, narrow->getParent());
  both->addIncoming(all, wide->getParent());
  return both;
}

static Value *convert(Instruction &op) {
  if (!op.getType()->getScalarType()->isDoubleTy())
    return convertThroughInts(op);
  IRBuilder<> b(&op);
  Value *x = op.getOperand(0);
  bool isSigned = isa<SIToFPInst>(op);
  auto bits = [&](uint64_t value) {
    return ConstantInt::get(x->getType(), value);
  };
  auto asFloats = [&](Value *value) {
    return b.CreateBitCast(value, op.getType());
  };
  Value *low = b.CreateOr(b.CreateAnd(x, bits(0xffffffff)), bits(kLow));
  uint64_t sign = isSigned ? kSign : 0;
  Value *high = b.CreateXor(b.CreateLShr(x, bits(32)), bits(kHigh | sign));
  // 2^52 is one in place 20 of what counts units of 2^32.
  Value *base = asFloats(bits((kHigh | sign) + (uint64_t(1) << 20)));
  return b.CreateFAdd(b.CreateFSub(asFloats(high), base), asFloats(low));
}

void arrc::cpu::convertWideIntegers(Module &module, TargetMachine &machine) {
  const MCSubtargetInfo &processor = *machine.getMCSubtargetInfo();
  if (!machine.getTargetTriple().isX86() ||
      processor.checkFeatures("+avx512dq"))
    return;
  for (Function &function : module) {
    SmallVector<Instruction *> wide;
    for (Instruction &op : instructions(function))
      if (isWide(op))
        wide.push_back(&op);
    for (Instruction *op : wide) {
      op->replaceAllUsesWith(convert(*op));
      op->eraseFromParent();
    }
  }
}
