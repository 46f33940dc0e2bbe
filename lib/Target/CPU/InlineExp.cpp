//===- InlineExp.cpp - The exponential of 16 floats without a call --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// A call of a library keeps nothing in vector registers: accumulators and
// constants go through memory around it, which costs as much as the function.
//
//   n = round(x / ln 2)    r = x - n ln 2    exp x = 2^n exp r
//
// The product is subtracted in two parts, each by one rounding; exp r - 1 - r
// is r^2 times a polynomial that is within 1 ulp for |r| <= ln 2 / 2. AVX-512
// has an instruction for the factor 2^n that overflows and loses bits as it
// should.
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
/// Added, it leaves no bits behind the point.
static constexpr double kRounder = 12582912.0;
/// From the highest power down.
static constexpr double kPolynomial[] = {
    0.000198527617612853646278381, 0.00139304355252534151077271,
    0.00833336077630519866943359,  0.0416664853692054748535156,
    0.166666671633720397949219,    0.5};

Value *arrc::cpu::createInlineExp(IRBuilderBase &b, Value *x) {
  Type *type = x->getType();
  auto number = [&](double value) { return ConstantFP::get(type, value); };
  auto fma = [&](Value *factor, Value *other, Value *addend) -> Value * {
    return b.CreateIntrinsic(Intrinsic::fma, {type}, {factor, other, addend});
  };
  // NaN passes both comparisons.
  x = b.CreateSelect(b.CreateFCmpOLT(x, number(kLeast)), number(kLeast), x);
  x = b.CreateSelect(b.CreateFCmpOGT(x, number(kMost)), number(kMost), x);
  Value *n = b.CreateFSub(fma(x, number(kInverseLn2), number(kRounder)),
                          number(kRounder));
  Value *r = fma(n, number(-kLn2), x);
  r = fma(n, number(-kLn2Rest), r);
  Value *p = number(kPolynomial[0]);
  for (double coefficient : ArrayRef(kPolynomial).drop_front())
    p = fma(p, r, number(coefficient));
  p = fma(b.CreateFMul(r, r), p, r);
  p = b.CreateFAdd(p, number(1.0));
  return b.CreateIntrinsic(Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                           {p, n, p, b.getInt16(-1), b.getInt32(4)});
}
