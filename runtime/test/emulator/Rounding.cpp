//===- Rounding.cpp - formats and roundings of floats ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Floats.h"

#include <cfenv>

#pragma STDC FENV_ACCESS ON

using namespace emulator;

uint32_t emulator::encode(double value, int exponentBits, int fractionBits,
                          Rounding rounding) {
  uint32_t sign = std::signbit(value) ? 1u << (exponentBits + fractionBits) : 0;
  uint32_t infinity = ((1u << exponentBits) - 1) << fractionBits;
  if (std::isnan(value))
    return infinity | ((1u << fractionBits) - 1);
  double size = std::fabs(value);
  if (std::isinf(size))
    return sign | infinity;
  if (size == 0)
    return sign;
  int least = 2 - (1 << (exponentBits - 1)); // exponent of normal values
  int exponent = std::max(std::ilogb(size), least);
  // In units of the last place: exact.
  double units = std::scalbn(size, fractionBits - exponent);
  double whole = std::floor(units), rest = units - whole;
  bool isUp = rounding == Rounding::up     ? rest > 0 && !sign
              : rounding == Rounding::down ? rest > 0 && sign
              : rounding == Rounding::zero
                  ? false
                  : rest > 0.5 || (rest == 0.5 && uint32_t(whole) % 2);
  // 64 bits: the exponent may be that of a double.
  uint64_t bits = uint64_t(whole) + isUp;
  // A normal value's first bit counts in the exponent; so does a carry.
  bits += uint64_t(exponent - least) << fractionBits;
  if (bits >= infinity) {
    bool staysFinite = rounding == Rounding::zero ||
                       (rounding == Rounding::up && sign) ||
                       (rounding == Rounding::down && !sign);
    bits = staysFinite ? infinity - 1 : infinity;
  }
  return sign | uint32_t(bits);
}

double emulator::decodeBits(uint16_t bits, int exponentBits, int fractionBits) {
  int exponent = bits >> fractionBits & ((1 << exponentBits) - 1);
  int fraction = bits & ((1 << fractionBits) - 1);
  int least = 2 - (1 << (exponentBits - 1));
  double value;
  if (exponent == (1 << exponentBits) - 1)
    value = fraction ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(fraction, least - fractionBits);
  else
    value = std::ldexp(fraction + (1 << fractionBits),
                       exponent - 1 + least - fractionBits);
  return bits >> (exponentBits + fractionBits) ? -value : value;
}

namespace {
/// Another rounding of the host while it lives.
class HostRounding {
public:
  explicit HostRounding(Rounding rounding) : before(std::fegetround()) {
    std::fesetround(rounding == Rounding::zero   ? FE_TOWARDZERO
                    : rounding == Rounding::down ? FE_DOWNWARD
                    : rounding == Rounding::up   ? FE_UPWARD
                                                 : FE_TONEAREST);
  }
  ~HostRounding() { std::fesetround(before); }

private:
  int before;
};

/// Operands are volatile: nothing is calculated before the mode is set.
template <typename T>
T calculate(Operation operation, Rounding rounding, T x, T y, T z) {
  volatile T a = x, b = y, c = z;
  HostRounding mode(rounding);
  volatile T result = 0;
  switch (operation) {
  case Operation::add:
    result = a + b;
    break;
  case Operation::sub:
    result = a - b;
    break;
  case Operation::mul:
    result = a * b;
    break;
  case Operation::div:
    result = a / b;
    break;
  case Operation::fma:
    result = std::fma(T(a), T(b), T(c));
    break;
  case Operation::sqrt:
    result = std::sqrt(T(a));
    break;
  }
  return result;
}

template <typename F, typename I> F convert(I value, Rounding rounding) {
  volatile I from = value;
  HostRounding mode(rounding);
  volatile F result = F(from);
  return result;
}
} // namespace

float emulator::roundedDirectly(Operation operation, Rounding rounding, float a,
                                float b, float c) {
  return calculate(operation, rounding, a, b, c);
}
double emulator::roundedDirectly(Operation operation, Rounding rounding,
                                 double a, double b, double c) {
  return calculate(operation, rounding, a, b, c);
}

template <typename F>
F emulator::fromInteger(int64_t value, Rounding rounding) {
  return convert<F>(value, rounding);
}
template <typename F>
F emulator::fromInteger(uint64_t value, Rounding rounding) {
  return convert<F>(value, rounding);
}
template float emulator::fromInteger<float>(int64_t, Rounding);
template float emulator::fromInteger<float>(uint64_t, Rounding);
template double emulator::fromInteger<double>(int64_t, Rounding);
template double emulator::fromInteger<double>(uint64_t, Rounding);

double emulator::withoutFraction(double value, int mode) {
  switch (mode) {
  case 0:
    return std::nearbyint(value); // to nearest, ties to even
  case 1:
    return std::trunc(value);
  case 2:
    return std::floor(value);
  default:
    return std::ceil(value);
  }
}
