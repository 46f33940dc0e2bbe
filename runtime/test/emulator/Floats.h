//===- Floats.h - formats and roundings of floats --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_FLOATS_H
#define ARRT_TEST_EMULATOR_FLOATS_H

#include "emulator/Program.h"

#include <cmath>
#include <limits>

namespace emulator {

class Decoder;

/// Bits of a float of 16 bits.
struct Half {
  uint16_t bits;
  static constexpr int exponentBits = 5, fractionBits = 10;
};
struct BFloat {
  uint16_t bits;
  static constexpr int exponentBits = 8, fractionBits = 7;
};

/// A double in a narrower format, rounded once; NaN is the canonical one.
uint32_t encode(double value, int exponentBits, int fractionBits,
                Rounding rounding);
/// The value of a float of 16 bits.
double decodeBits(uint16_t bits, int exponentBits, int fractionBits);

template <typename T> double toDouble(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return double(value);
  else
    return decodeBits(value.bits, T::exponentBits, T::fractionBits);
}
template <typename T>
T fromDouble(double value, Rounding rounding = Rounding::nearest) {
  if constexpr (std::is_same_v<T, double>)
    return value;
  else if constexpr (std::is_same_v<T, float>)
    return get<float>(encode(value, 8, 23, rounding));
  else
    return {
        uint16_t(encode(value, T::exponentBits, T::fractionBits, rounding))};
}

/// NaN as the hardware makes it: one pattern for floats of 32 bits.
inline float canonical(float value) {
  return value == value ? value : get<float>(0x7fffffff);
}
inline double canonical(double value) { return value; }

/// 0 with the sign, for values below the normal ones.
inline float flush(float value) {
  return std::fabs(value) < std::numeric_limits<float>::min()
             ? std::copysign(0.0f, value)
             : value;
}
inline double flush(double value) {
  return std::fabs(value) < std::numeric_limits<double>::min()
             ? std::copysign(0.0, value)
             : value;
}
/// Into [0, 1]; NaN becomes 0.
template <typename T> T saturate(T value) {
  return value > T(0) ? value < T(1) ? value : T(1) : T(0);
}

/// What `roundedDirectly` does.
enum class Operation : uint8_t { add, sub, mul, div, fma, sqrt };
/// An operation with a rounding that is not to nearest.
float roundedDirectly(Operation operation, Rounding rounding, float a, float b,
                      float c);
double roundedDirectly(Operation operation, Rounding rounding, double a,
                       double b, double c);
/// An integer as a float, rounded.
template <typename F> F fromInteger(int64_t value, Rounding rounding);
template <typename F> F fromInteger(uint64_t value, Rounding rounding);
/// A value without its fraction.
double withoutFraction(double value, int mode);

/// The handler of cvt.to.from of floats, or null.
Handler findFloatConversion(Type to, Type from);

// Of opcodes that integers have too.
void decodeFloatAdd(Decoder &decoder);
void decodeFloatSub(Decoder &decoder);
void decodeFloatMul(Decoder &decoder);
void decodeFloatDiv(Decoder &decoder);
void decodeFloatFma(Decoder &decoder);
void decodeFloatMin(Decoder &decoder);
void decodeFloatMax(Decoder &decoder);
void decodeFloatNeg(Decoder &decoder);
void decodeFloatAbs(Decoder &decoder);

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_FLOATS_H
