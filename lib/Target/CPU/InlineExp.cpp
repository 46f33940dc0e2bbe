//===- InlineExp.cpp - The exponential of floats without a call -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A call of a library keeps nothing in vector registers: accumulators and
// constants go through memory around it, which costs as much as the function.
//
//   n = round(x / ln 2)    r = x - n ln 2    exp x = 2^n exp r
//
// The product is subtracted in two parts, each by one rounding; exp r is a
// polynomial of degree 6 that is off by 0.05 ulp for |r| <= ln 2 / 2. With all
// roundings results are within 0.9 ulp.
//
// AVX-512 has an instruction for the factor 2^n that overflows and loses bits
// as it should. Elsewhere n goes into the exponent, moved by 64 towards 0 so
// that it fits, and a product with 2^64 or 2^-64 overflows or rounds, once.
//
//===----------------------------------------------------------------------===//

#include "VectorLibrary.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

/// Beyond these the result is 0, and infinity.
static constexpr double kLeast = -104.0, kMost = 89.0;
static constexpr double kInverseLn2 = 1.442695040888963407;
/// ln 2 as a float, and what that lacks.
static constexpr double kLn2 = 0.693147182464599609375,
                        kLn2Rest = -1.904654323148236017e-9;
/// Added, it leaves no bits behind the point; the lowest bits are the
/// integer's.
static constexpr double kRounder = 12582912.0;
/// How far the exponent is moved, and as a factor.
static constexpr double kMoved = 64.0, kFactor = 18446744073709551616.0;
/// From the highest power down.
static constexpr double kPolynomial[] = {
    0.0013814523, 0.008368747, 0.041668393, 0.1666652, 0.49999994, 1.0, 1.0};

Value *arrc::cpu::createInlineExp(IRBuilderBase &b, Value *x,
                                  bool scalesPowers) {
  Type *type = x->getType();
  auto number = [&](double value) { return ConstantFP::get(type, value); };
  auto fma = [&](Value *factor, Value *other, Value *addend) -> Value * {
    return b.CreateIntrinsic(Intrinsic::fma, {type}, {factor, other, addend});
  };
  // NaN passes both comparisons.
  x = b.CreateSelect(b.CreateFCmpOLT(x, number(kLeast)), number(kLeast), x);
  x = b.CreateSelect(b.CreateFCmpOGT(x, number(kMost)), number(kMost), x);
  Value *rounder = number(kRounder), *factor = nullptr;
  Type *bits = VectorType::getInteger(cast<VectorType>(type));
  if (!scalesPowers) {
    Value *isNegative =
        b.CreateICmpSLT(b.CreateBitCast(x, bits), Constant::getNullValue(bits));
    rounder = b.CreateSelect(isNegative, number(kRounder + kMoved),
                             number(kRounder - kMoved));
    factor = b.CreateSelect(isNegative, number(1 / kFactor), number(kFactor));
  }
  Value *rounded = fma(x, number(kInverseLn2), rounder);
  Value *n = b.CreateFSub(rounded, rounder);
  Value *r = fma(n, number(-kLn2), x);
  r = fma(n, number(-kLn2Rest), r);
  Value *p = number(kPolynomial[0]);
  for (double coefficient : ArrayRef(kPolynomial).drop_front())
    p = fma(p, r, number(coefficient));
  if (scalesPowers)
    return b.CreateIntrinsic(Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                             {p, n, p, b.getInt16(-1), b.getInt32(4)});
  Value *exponent =
      b.CreateShl(b.CreateBitCast(rounded, bits), ConstantInt::get(bits, 23));
  Value *moved = b.CreateAdd(b.CreateBitCast(p, bits), exponent);
  return b.CreateFMul(b.CreateBitCast(moved, type), factor);
}
