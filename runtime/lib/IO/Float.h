//===- Float.h - the 16-bit float formats ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// f16 and bf16 from and to double by integer arithmetic, so that they do not
/// hang on what the compiler of the runtime knows.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_IO_FLOAT_H
#define ARRT_IO_FLOAT_H

#include <cstdint>
#include <cstring>

namespace arrt {

/// Rounds to nearest even into a format with `exponentBits` and `fractionBits`
/// below a sign bit; too large becomes infinity, subnormals are kept.
inline uint16_t narrow(double value, int exponentBits, int fractionBits) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  uint16_t sign = uint16_t(bits >> 63) << 15;
  int exponent = int(bits >> 52 & 0x7ff);
  uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  const int largest = (1 << exponentBits) - 1;
  const uint16_t infinity = uint16_t(largest << fractionBits);
  if (exponent == 0x7ff)
    return sign | infinity |
           (fraction ? uint16_t(1 << (fractionBits - 1)) : uint16_t(0));
  if (exponent == 0)
    return sign; // far below the least subnormal of either format
  int bias = (1 << (exponentBits - 1)) - 1;
  int target = exponent - 1023 + bias;
  uint64_t significand = fraction | uint64_t(1) << 52;
  int shift = 52 - fractionBits;
  if (target <= 0) {
    shift += 1 - target;
    target = 0;
    if (shift > 54)
      return sign;
  }
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // A normal significand brings its leading one, which adds one to the
  // exponent; a carry of the rounding does the same.
  uint64_t result =
      (uint64_t(target > 0 ? target - 1 : 0) << fractionBits) + kept;
  return sign | (result >= infinity ? infinity : uint16_t(result));
}

/// The double with the same value.
inline double widen(uint16_t half, int exponentBits, int fractionBits) {
  int exponent = half >> fractionBits & ((1 << exponentBits) - 1);
  uint64_t fraction = half & ((1u << fractionBits) - 1);
  uint64_t sign = uint64_t(half >> 15) << 63;
  uint64_t bits;
  if (exponent == (1 << exponentBits) - 1) {
    bits = sign | uint64_t(0x7ff) << 52 | fraction << (52 - fractionBits);
  } else if (exponent == 0) {
    // fraction * 2^(1 - bias - fractionBits), exact in double.
    int power = 2 - (1 << (exponentBits - 1)) - fractionBits;
    uint64_t scale = uint64_t(1023 + power) << 52;
    double factor;
    std::memcpy(&factor, &scale, sizeof factor);
    double value = double(fraction) * factor;
    std::memcpy(&bits, &value, sizeof bits);
    bits |= sign;
  } else {
    int bias = (1 << (exponentBits - 1)) - 1;
    bits = sign | uint64_t(exponent - bias + 1023) << 52 |
           fraction << (52 - fractionBits);
  }
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// f16: 5 bits of exponent, 10 of fraction.
inline uint16_t toF16(double value) { return narrow(value, 5, 10); }
/// The value of an f16.
inline double fromF16(uint16_t half) { return widen(half, 5, 10); }
/// bf16: 8 bits of exponent, 7 of fraction.
inline uint16_t toBF16(double value) { return narrow(value, 8, 7); }
/// The value of a bf16.
inline double fromBF16(uint16_t half) { return widen(half, 8, 7); }

} // namespace arrt

#endif // ARRT_IO_FLOAT_H
