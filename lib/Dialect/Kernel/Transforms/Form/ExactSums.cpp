//===- ExactSums.cpp - Sums of f32 as integers ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The sum is rounded once, in two steps (f64, f32): at most 0.5 (1 + 2^-28) ulp
// from the sum of the values, where one in order is up to as many ulp of its
// parts away as there are values.
//
//===----------------------------------------------------------------------===//

#include "ExactSums.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace arrc::kernel;
using arith::CmpIPredicate;

/// Integers of the finite values, of +inf and NaN, of -inf.
static constexpr int64_t kParts = 32, kAbove = 32, kBelow = 33;
/// The scale of 1, the lowest end of a window whose upper half has a part, and
/// the largest reach.
static constexpr int64_t kScaleOfOne = 126, kMostLow = 216, kMostReach = 24;

Value ExactSums::integer(int64_t value, unsigned width) {
  return arith::ConstantIntOp::create(b, loc, b.getIntegerType(width), value);
}
Value ExactSums::compare(CmpIPredicate predicate, Value x, Value y) {
  return arith::CmpIOp::create(b, loc, predicate, x, y);
}
Value ExactSums::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, loc, condition, x, y);
}

ExactSums::Unpacked ExactSums::unpack(Value value) {
  Unpacked result;
  result.bits = arith::BitcastOp::create(b, loc, b.getI32Type(), value);
  Value high = arith::ShRUIOp::create(b, loc, result.bits, integer(23, 32));
  result.exponent = arith::AndIOp::create(b, loc, high, integer(255, 32));
  result.fraction =
      arith::AndIOp::create(b, loc, result.bits, integer(0x7fffff, 32));
  // Subnormal values have the scale of the smallest normal ones.
  result.scale = arith::SubIOp::create(
      b, loc, arith::MaxUIOp::create(b, loc, result.exponent, integer(1, 32)),
      integer(1, 32));
  return result;
}

ExactSums::Parts ExactSums::split(Value value, Value low, Value reach) {
  Type i64 = b.getI64Type();
  auto [bits, exponent, fraction, scale] = unpack(value);
  Value zero = integer(0, 32);
  Value whole = arith::OrIOp::create(b, loc, fraction, integer(0x800000, 32));
  Value isTiny = compare(CmpIPredicate::eq, exponent, zero);
  Value size = select(isTiny, fraction, whole);
  Value negative = compare(CmpIPredicate::slt, bits, zero);
  Value mantissa =
      select(negative, arith::SubIOp::create(b, loc, zero, size), size);

  Parts parts;
  // Neither infinities nor NaN are in a window, whose end is below theirs.
  Value above = arith::SubIOp::create(b, loc, scale, low);
  parts.isNear = compare(CmpIPredicate::ule, above, reach);
  Value by = arith::ExtUIOp::create(
      b, loc, i64, arith::AndIOp::create(b, loc, above, integer(31, 32)));
  parts.near = arith::ShLIOp::create(
      b, loc, arith::ExtSIOp::create(b, loc, i64, mantissa), by);

  parts.number = arith::ShRUIOp::create(b, loc, scale, integer(3, 32));
  Value moved = arith::ShLIOp::create(
      b, loc, mantissa, arith::AndIOp::create(b, loc, scale, integer(7, 32)));
  parts.far = arith::ExtSIOp::create(b, loc, i64, moved);
  Value isSpecial = compare(CmpIPredicate::eq, exponent, integer(255, 32));
  Value isInfinite = compare(CmpIPredicate::eq, fraction, zero);
  Value isBelow = arith::AndIOp::create(b, loc, negative, isInfinite);
  parts.number = select(
      isSpecial, select(isBelow, integer(kBelow, 32), integer(kAbove, 32)),
      parts.number);
  parts.number =
      arith::IndexCastUIOp::create(b, loc, b.getIndexType(), parts.number);
  Value count =
      select(isInfinite, integer(1, 64), integer(int64_t(1) << 32, 64));
  parts.far = select(isSpecial, count, parts.far);
  // Zeros add nothing.
  Value isZero = compare(
      CmpIPredicate::eq,
      arith::AndIOp::create(b, loc, bits, integer(INT32_MAX, 32)), zero);
  parts.isFar = arith::XOrIOp::create(
      b, loc, arith::OrIOp::create(b, loc, parts.isNear, isZero),
      arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1));
  return parts;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Less than 2^(64 - zeros) values of 24 + reach bits make less than 2^63.
Value ExactSums::findReach(Value count) {
  Value wide = arith::IndexCastOp::create(b, loc, b.getI64Type(), count);
  Value zeros = math::CountLeadingZerosOp::create(b, loc, wide);
  Value few = arith::TruncIOp::create(b, loc, b.getI32Type(), zeros);
  Value reach = arith::SubIOp::create(b, loc, few, integer(25, 32));
  reach = arith::MinSIOp::create(b, loc, reach, integer(kMostReach, 32));
  return arith::MaxSIOp::create(b, loc, reach, integer(0, 32));
}

Value ExactSums::sample(Value value) {
  auto [bits, exponent, fraction, scale] = unpack(value);
  // Of 1 to 254.
  Value isNormal =
      compare(CmpIPredicate::ult,
              arith::SubIOp::create(b, loc, exponent, integer(1, 32)),
              integer(254, 32));
  Value wide = arith::ExtUIOp::create(b, loc, b.getI64Type(), scale);
  Value one = integer(int64_t(1) << 32, 64);
  return select(isNormal, arith::OrIOp::create(b, loc, wide, one),
                integer(0, 64));
}

/// A quarter of the window and one scale are above the mean: values spread more
/// widely below.
Value ExactSums::findLow(Value samples, Value reach) {
  Type i32 = b.getI32Type();
  Value count = arith::TruncIOp::create(
      b, loc, i32, arith::ShRUIOp::create(b, loc, samples, integer(32, 64)));
  Value sum = arith::TruncIOp::create(b, loc, i32, samples);
  Value mean = arith::DivUIOp::create(
      b, loc, sum, arith::MaxUIOp::create(b, loc, count, integer(1, 32)));
  Value none = compare(CmpIPredicate::eq, count, integer(0, 32));
  mean = select(none, integer(kScaleOfOne, 32), mean);
  Value up = arith::AddIOp::create(
      b, loc, arith::ShRUIOp::create(b, loc, reach, integer(2, 32)),
      integer(1, 32));
  Value low = arith::SubIOp::create(
      b, loc, arith::AddIOp::create(b, loc, mean, up), reach);
  low = arith::MaxSIOp::create(b, loc, low, integer(0, 32));
  return arith::MinSIOp::create(b, loc, low, integer(kMostLow, 32));
}

//===----------------------------------------------------------------------===//
// The sum
//===----------------------------------------------------------------------===//

/// Carries go upwards, so that no digit is negative, of the sum and of what is
/// opposite to it; of the one that is not negative the digits are added up from
/// the lowest, and nothing cancels.
Value ExactSums::join(Value near, Value low, ArrayRef<Value> far,
                      FloatType type) {
  Type i64 = b.getI64Type(), f64 = b.getF64Type();
  auto real = [&](double x) -> Value {
    return arith::ConstantFloatOp::create(b, loc, b.getF64Type(), APFloat(x));
  };
  Value zero = integer(0, 64), byte = integer(255, 64), eight = integer(8, 64);
  // The halves of near belong to two parts, four apart.
  Value by = arith::ExtUIOp::create(
      b, loc, i64, arith::AndIOp::create(b, loc, low, integer(7, 32)));
  Value first = arith::ShRUIOp::create(b, loc, low, integer(3, 32));
  Value half = integer(32, 64);
  Value halves[2] = {
      arith::AndIOp::create(b, loc, near, integer(0xffffffff, 64)),
      arith::ShRSIOp::create(b, loc, near, half)};
  for (Value &part : halves)
    part = arith::ShLIOp::create(b, loc, part, by);
  Value sums[2], carries[2] = {zero, zero};
  for (int64_t k = 0; k < kParts; ++k) {
    Value whole = far[k];
    for (int64_t side = 0; side < 2 && k >= 4 * side; ++side) {
      Value here = compare(CmpIPredicate::eq, first, integer(k - 4 * side, 32));
      whole = arith::AddIOp::create(b, loc, whole,
                                    select(here, halves[side], zero));
    }
    for (int side = 0; side < 2; ++side) {
      Value part = side ? arith::SubIOp::create(b, loc, zero, whole) : whole;
      part = arith::AddIOp::create(b, loc, part, carries[side]);
      carries[side] = arith::ShRSIOp::create(b, loc, part, eight);
      Value digit = arith::SIToFPOp::create(
          b, loc, f64, arith::AndIOp::create(b, loc, part, byte));
      if (sums[side]) {
        Value before = arith::MulFOp::create(b, loc, sums[side], real(0x1p-8));
        digit = arith::AddFOp::create(b, loc, before, digit);
      }
      sums[side] = digit;
    }
  }
  for (int side = 0; side < 2; ++side) {
    // In units of the highest part, whose lowest bit is 2^(8 * 31 - 149).
    Value top = arith::MulFOp::create(
        b, loc, arith::SIToFPOp::create(b, loc, f64, carries[side]),
        real(0x1p8));
    sums[side] = arith::MulFOp::create(
        b, loc, arith::AddFOp::create(b, loc, top, sums[side]), real(0x1p99));
  }
  Value negative = compare(CmpIPredicate::slt, carries[0], zero);
  Value sum = select(negative, arith::NegFOp::create(b, loc, sums[1]), sums[0]);
  Value result = arith::TruncFOp::create(b, loc, type, sum);
  auto constant = [&](const APFloat &x) -> Value {
    return arith::ConstantFloatOp::create(b, loc, type, x);
  };
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  Value isAbove = compare(CmpIPredicate::ne, far[kAbove], zero);
  Value isBelow = compare(CmpIPredicate::ne, far[kBelow], zero);
  Value isNaN = arith::OrIOp::create(
      b, loc, arith::AndIOp::create(b, loc, isAbove, isBelow),
      compare(CmpIPredicate::sge, far[kAbove], integer(int64_t(1) << 32, 64)));
  result = select(isAbove, constant(APFloat::getInf(semantics)), result);
  result = select(isBelow, constant(APFloat::getInf(semantics, true)), result);
  return select(isNaN, constant(APFloat::getNaN(semantics)), result);
}
