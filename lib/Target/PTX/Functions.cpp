//===- Functions.cpp - exp and tanh in f64 without branches ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// libdevice's exp and tanh of f64 branch: numbers near zero, and those out of
// range, take another way. A branch ends a block of code, so the elements of a
// thread are computed one after the other, each a chain of thirty products that
// wait for each other; and a warp with both kinds of numbers takes both ways of
// tanh. Here one chain serves all numbers, and selections correct what it gives
// out of range: the chains of neighbouring elements run side by side.
//
//   n = round(x / ln 2), r = x - n ln 2       |r| <= ln 2 / 2, in two parts
//   m = r + r^2 g(r)                          e^r - 1, g of degree 9
//   exp(x) = (1 + m) 2^(n / 2) 2^(n - n / 2)  rounded once where it is tiny
//   tanh(x) = u / (u + 2), u = e^2|x| - 1 = m 2^n + (2^n - 1)
//
// Errors. g is off by at most 1.04e-16 (the Chebyshev expansion on |r| <=
// .34658 ends there), which r^2 / 2 makes a twentieth of a unit in the last
// place of e^r, and less of e^r - 1. With the roundings exp is within 1.1
// units, tanh within 3 (test/EndToEnd/functions_of_cards.py). NaN, zeros with
// their signs, infinities and results that are not normal are those of C.
//
// Source: Muller, "Elementary Functions" (2016), chapters 3 and 11; the
// coefficients are computed from the Taylor series, by rational arithmetic.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

#include <iterator>

using llvm::Value;

/// (e^r - 1 - r) / r^2, lowest power first.
static constexpr double kTail[] = {
    0x1.0000000000001p-1,  0x1.5555555555557p-3,  0x1.5555555553d66p-5,
    0x1.11111111100dep-7,  0x1.6c16c1788a7f9p-10, 0x1.a01a01abe6aa7p-13,
    0x1.a019b91286e94p-16, 0x1.71de0235da778p-19, 0x1.28917ee6ee3fap-22,
    0x1.af4de0824b246p-26};
/// ln 2 in two parts, and 1 / ln 2.
static constexpr double kLn2High = 0x1.62e42fefa39efp-1,
                        kLn2Low = 0x1.abc9e3b39803fp-56,
                        kPerLn2 = 0x1.71547652b82fep0;
/// Added to a small number it leaves the nearest integer in the low bits.
static constexpr double kRounder = 0x1.8p52;
/// The high word of 745.13, beyond which exp is 0 or infinite.
static constexpr uint32_t kLargeWord = 0x40874911;
/// Where tanh is 1.
static constexpr double kSaturated = 22;

namespace {
/// Writes the body of one function.
class Writer {
public:
  explicit Writer(llvm::Function &function)
      : b(llvm::BasicBlock::Create(function.getContext(), "", &function)),
        x(function.getArg(0)) {}

  void writeExp();
  void writeTanh();

private:
  Value *get(double number) {
    return llvm::ConstantFP::get(b.getDoubleTy(), number);
  }
  Value *fma(Value *a, Value *c, Value *d) {
    return b.CreateIntrinsic(llvm::Intrinsic::fma, {b.getDoubleTy()},
                             {a, c, d});
  }
  /// 2 to the power of `exponent`, which is one of a normal number.
  Value *getPower(Value *exponent);
  /// `number` is e^r 2^n: n, and e^r - 1.
  std::pair<Value *, Value *> reduce(Value *number);

  llvm::IRBuilder<> b;
  Value *x;
};
} // namespace

Value *Writer::getPower(Value *exponent) {
  Value *high = b.CreateAdd(b.CreateShl(exponent, 20), b.getInt32(0x3ff00000));
  Value *bits = b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32);
  return b.CreateBitCast(bits, b.getDoubleTy());
}

std::pair<Value *, Value *> Writer::reduce(Value *number) {
  Value *shifted = fma(number, get(kPerLn2), get(kRounder));
  Value *n =
      b.CreateTrunc(b.CreateBitCast(shifted, b.getInt64Ty()), b.getInt32Ty());
  Value *whole = b.CreateFSub(shifted, get(kRounder));
  Value *r = fma(whole, get(-kLn2High), number);
  r = fma(whole, get(-kLn2Low), r);
  Value *tail = get(*std::rbegin(kTail));
  for (auto it = std::next(std::rbegin(kTail)); it != std::rend(kTail); ++it)
    tail = fma(tail, r, get(*it));
  return {n, fma(b.CreateFMul(tail, r), r, r)};
}

void Writer::writeExp() {
  auto [n, m] = reduce(x);
  Value *half = b.CreateAShr(n, 1);
  Value *power = b.CreateFAdd(m, get(1));
  power = b.CreateFMul(power, getPower(half));
  power = b.CreateFMul(power, getPower(b.CreateSub(n, half)));
  // Out of range, and NaN.
  Value *bits = b.CreateBitCast(x, b.getInt64Ty());
  Value *high = b.CreateAnd(
      b.CreateTrunc(b.CreateLShr(bits, 32), b.getInt32Ty()), 0x7fffffff);
  Value *end = b.CreateSelect(b.CreateFCmpOLT(x, get(0)), get(0),
                              b.CreateFAdd(x, get(INFINITY)));
  b.CreateRet(b.CreateSelect(b.CreateICmpUGE(high, b.getInt32(kLargeWord)), end,
                             power));
}

void Writer::writeTanh() {
  Value *a = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  auto [n, m] = reduce(b.CreateFAdd(a, a));
  Value *power = getPower(n);
  Value *u = fma(m, power, b.CreateFSub(power, get(1)));
  // The divisor is between 2 and 2^64: an approximate reciprocal, refined to
  // all bits, and the remainder of the quotient.
  Value *divisor = b.CreateFAdd(u, get(2));
  Value *minus = b.CreateFNeg(divisor);
  Value *reciprocal =
      b.CreateIntrinsic(llvm::Intrinsic::nvvm_rcp_approx_ftz_d, {}, {divisor});
  Value *error = fma(minus, reciprocal, get(1));
  reciprocal = fma(fma(error, error, error), reciprocal, reciprocal);
  Value *quotient = b.CreateFMul(u, reciprocal);
  quotient = fma(fma(minus, quotient, u), reciprocal, quotient);
  Value *result =
      b.CreateSelect(b.CreateFCmpOGT(a, get(kSaturated)), get(1), quotient);
  b.CreateRet(b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, x));
}

llvm::StringRef arrc::ptx::getOwnFunction(llvm::StringRef stem, bool isDouble) {
  if (!isDouble)
    return "";
  return stem == "exp" ? "arrc.exp.f64" : stem == "tanh" ? "arrc.tanh.f64" : "";
}

void arrc::ptx::defineFunctions(llvm::Module &module) {
  auto define = [&](llvm::StringRef stem, void (Writer::*write)()) {
    llvm::Function *function =
        module.getFunction(getOwnFunction(stem, /*isDouble=*/true));
    if (!function || !function->isDeclaration())
      return;
    (Writer(*function).*write)();
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
  };
  define("exp", &Writer::writeExp);
  define("tanh", &Writer::writeTanh);
}
