//===- ExactSums.cpp - Sums of f32 as integers ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// The sum is rounded once, by integers alone: the float next to the sum of the
// values, whichever device computes it, where a sum in order is up to as many
// ulp of its parts away as there are values.
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

Value ExactSums::add(Value x, Value y) {
  return arith::AddIOp::create(b, loc, x, y);
}
Value ExactSums::both(Value x, Value y) {
  return arith::AndIOp::create(b, loc, x, y);
}
Value ExactSums::either(Value x, Value y) {
  return arith::OrIOp::create(b, loc, x, y);
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

Value ExactSums::getMantissa(const Unpacked &unpacked) {
  Value zero = integer(0, 32);
  Value whole =
      arith::OrIOp::create(b, loc, unpacked.fraction, integer(0x800000, 32));
  Value isTiny = compare(CmpIPredicate::eq, unpacked.exponent, zero);
  Value size = select(isTiny, unpacked.fraction, whole);
  Value negative = compare(CmpIPredicate::slt, unpacked.bits, zero);
  return select(negative, arith::SubIOp::create(b, loc, zero, size), size);
}

void ExactSums::splitFar(Value value, Parts &parts) {
  splitFar(unpack(value), parts);
}

void ExactSums::splitFar(const Unpacked &unpacked, Parts &parts) {
  auto [bits, exponent, fraction, scale] = unpacked;
  Value zero = integer(0, 32);
  parts.number = arith::ShRUIOp::create(b, loc, scale, integer(3, 32));
  Value moved = arith::ShLIOp::create(
      b, loc, getMantissa(unpacked),
      arith::AndIOp::create(b, loc, scale, integer(7, 32)));
  parts.far = arith::ExtSIOp::create(b, loc, b.getI64Type(), moved);
  Value isSpecial = compare(CmpIPredicate::eq, exponent, integer(255, 32));
  Value isInfinite = compare(CmpIPredicate::eq, fraction, zero);
  Value negative = compare(CmpIPredicate::slt, bits, zero);
  Value isBelow = arith::AndIOp::create(b, loc, negative, isInfinite);
  parts.number = select(
      isSpecial, select(isBelow, integer(kBelow, 32), integer(kAbove, 32)),
      parts.number);
  parts.number =
      arith::IndexCastUIOp::create(b, loc, b.getIndexType(), parts.number);
  Value count =
      select(isInfinite, integer(1, 64), integer(int64_t(1) << 32, 64));
  parts.far = select(isSpecial, count, parts.far);
}

ExactSums::Parts ExactSums::split(Value value, Value low, Value reach) {
  Type i64 = b.getI64Type();
  Unpacked unpacked = unpack(value);
  Parts parts;
  // Neither infinities nor NaN are in a window, whose end is below theirs.
  Value above = arith::SubIOp::create(b, loc, unpacked.scale, low);
  parts.isNear = compare(CmpIPredicate::ule, above, reach);
  Value by = arith::ExtUIOp::create(
      b, loc, i64, arith::AndIOp::create(b, loc, above, integer(31, 32)));
  parts.near = arith::ShLIOp::create(
      b, loc, arith::ExtSIOp::create(b, loc, i64, getMantissa(unpacked)), by);
  splitFar(unpacked, parts);
  // Zeros add nothing.
  Value isZero = compare(
      CmpIPredicate::eq,
      arith::AndIOp::create(b, loc, unpacked.bits, integer(INT32_MAX, 32)),
      integer(0, 32));
  parts.isFar = arith::XOrIOp::create(
      b, loc, arith::OrIOp::create(b, loc, parts.isNear, isZero),
      arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1));
  return parts;
}

ExactSums::Parts ExactSums::splitByProduct(Value value, Value scale,
                                           Value bound) {
  Type f64 = b.getF64Type();
  Value wide = arith::ExtFOp::create(b, loc, f64, value);
  Value product = arith::MulFOp::create(b, loc, wide, scale);
  Value size = math::AbsFOp::create(b, loc, product);
  // Of no NaN.
  Value isSmall =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, size, bound);
  Value none =
      arith::ConstantFloatOp::create(b, loc, b.getF64Type(), APFloat(0.0));
  Parts parts;
  parts.near = arith::FPToSIOp::create(b, loc, b.getI64Type(),
                                       select(isSmall, product, none));
  Value again = arith::SIToFPOp::create(b, loc, f64, parts.near);
  parts.isNear =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, again, product);
  parts.isFar = arith::XOrIOp::create(
      b, loc, parts.isNear,
      arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1));
  return parts;
}

/// Powers of two, from their exponents.
std::pair<Value, Value> ExactSums::findProduct(Value low, Value reach) {
  auto power = [&](Value exponent) -> Value {
    Value wide = arith::ExtSIOp::create(b, loc, b.getI64Type(), exponent);
    return arith::BitcastOp::create(
        b, loc, b.getF64Type(),
        arith::ShLIOp::create(b, loc, wide, integer(52, 64)));
  };
  Value scale = arith::SubIOp::create(b, loc, integer(1023 + 149, 32), low);
  Value bound = arith::AddIOp::create(b, loc, integer(1023 + 24, 32), reach);
  return {power(scale), power(bound)};
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

Value ExactSums::findLowBelow(Value low, Value reach) {
  Value below = arith::SubIOp::create(
      b, loc, low, arith::AddIOp::create(b, loc, reach, integer(1, 32)));
  return arith::MaxSIOp::create(b, loc, below, integer(0, 32));
}

//===----------------------------------------------------------------------===//
// The sum
//===----------------------------------------------------------------------===//

Value ExactSums::round(Value negative, Value kept, Value unit, Value rest,
                       FloatType type) {
  Type i64 = b.getI64Type();
  Value zero = integer(0, 64), one = integer(1, 64);
  // To 24 bits, to even where both are as near. A sum of fewer bits is a whole
  // number of units of 2^-149, and so are its bits.
  Value zeros = math::CountLeadingZerosOp::create(b, loc, kept);
  Value out = arith::MaxSIOp::create(
      b, loc, arith::SubIOp::create(b, loc, integer(64 - 24, 64), zeros), zero);
  Value head = arith::ShRUIOp::create(b, loc, kept, out);
  Value weight = arith::ShLIOp::create(b, loc, one, out);
  Value tail = both(kept, arith::SubIOp::create(b, loc, weight, one));
  Value doubled = arith::ShLIOp::create(b, loc, tail, one);
  Value isOdd = compare(CmpIPredicate::ne, both(head, one), zero);
  Value above = compare(CmpIPredicate::ugt, doubled, weight);
  Value half = compare(CmpIPredicate::eq, doubled, weight);
  Value isMore = compare(CmpIPredicate::ne, rest, zero);
  Value up = either(above, both(half, either(isMore, isOdd)));
  // A head of 24 bits adds one to the exponent.
  Value exponent =
      arith::ShLIOp::create(b, loc, add(unit, out), integer(23, 64));
  Value bits =
      add(exponent, add(head, arith::ExtUIOp::create(b, loc, i64, up)));
  bits = arith::MinUIOp::create(b, loc, bits, integer(0x7f800000, 64));
  Value word = arith::TruncIOp::create(b, loc, b.getI32Type(), bits);
  Value sign = select(negative, integer(INT32_MIN, 32), integer(0, 32));
  return arith::BitcastOp::create(b, loc, type, either(word, sign));
}

Value ExactSums::joinNear(Value near, Value low, FloatType type) {
  Value zero = integer(0, 64);
  Value negative = compare(CmpIPredicate::slt, near, zero);
  Value opposite = arith::SubIOp::create(b, loc, zero, near);
  Value kept = select(negative, opposite, near);
  Value unit = arith::ExtUIOp::create(b, loc, b.getI64Type(), low);
  Value zeros = math::CountLeadingZerosOp::create(b, loc, kept);
  Value up = arith::MinSIOp::create(
      b, loc, unit,
      arith::MaxSIOp::create(
          b, loc, arith::SubIOp::create(b, loc, zeros, integer(1, 64)), zero));
  kept = arith::ShLIOp::create(b, loc, kept, up);
  unit = arith::SubIOp::create(b, loc, unit, up);
  // Nothing is nothing in any unit.
  Value none = compare(CmpIPredicate::eq, kept, zero);
  return round(negative, kept, select(none, zero, unit), zero, type);
}

/// Carries go upwards, so that no digit is negative, and what goes out of the
/// highest has the sum's sign; where that is negative it is done again with all
/// parts negated. Down from the highest digit, some 40 bits are kept of the
/// magnitude, and of the others whether there are any: enough to round.
Value ExactSums::join(ArrayRef<Window> windows, ArrayRef<Value> far,
                      FloatType type) {
  Type i64 = b.getI64Type();
  Value zero = integer(0, 64);
  Value byte = integer(255, 64), eight = integer(8, 64);
  SmallVector<Value> parts(far.take_front(kParts));
  for (auto [sum, low] : windows) {
    // The halves of a sum belong to two parts, four apart.
    Value by = arith::ExtUIOp::create(b, loc, i64, both(low, integer(7, 32)));
    Value first = arith::ShRUIOp::create(b, loc, low, integer(3, 32));
    Value halves[2] = {both(sum, integer(0xffffffff, 64)),
                       arith::ShRSIOp::create(b, loc, sum, integer(32, 64))};
    for (Value &part : halves)
      part = arith::ShLIOp::create(b, loc, part, by);
    for (int64_t k = 0; k < kParts; ++k)
      for (int64_t side = 0; side < 2 && k >= 4 * side; ++side) {
        Value here =
            compare(CmpIPredicate::eq, first, integer(k - 4 * side, 32));
        parts[k] = add(parts[k], select(here, halves[side], zero));
      }
  }
  Value carry = zero;
  for (int64_t k = 0; k < kParts; ++k)
    carry = arith::ShRSIOp::create(b, loc, add(parts[k], carry), eight);
  Value negative = compare(CmpIPredicate::slt, carry, zero);
  carry = zero;
  for (Value &part : parts) {
    Value opposite = arith::SubIOp::create(b, loc, zero, part);
    Value whole = add(select(negative, opposite, part), carry);
    carry = arith::ShRSIOp::create(b, loc, whole, eight);
    part = both(whole, byte);
  }
  // The sum is `kept` times 2^(`unit` - 149), and less than that more if there
  // is a `rest`.
  Value kept = carry, rest = zero, unit = integer(8 * kParts, 64);
  for (int64_t k = kParts; k-- > 0;) {
    Value more =
        compare(CmpIPredicate::ult, kept, integer(int64_t(1) << 40, 64));
    Value next = either(arith::ShLIOp::create(b, loc, kept, eight), parts[k]);
    rest = either(rest, select(more, zero, parts[k]));
    kept = select(more, next, kept);
    unit = select(more, integer(8 * k, 64), unit);
  }
  Value result = round(negative, kept, unit, rest, type);
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
