//===- Stored.h - elements as they lie in memory ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_IO_STORED_H
#define ARRT_IO_STORED_H

#include "IO/Float.h"
#include "arrt/arrt.h"

#include <type_traits>

namespace arrt {

// The stored forms. F16 and BF16 are distinct types over their bits.
struct Bool {
  uint8_t value;
};
struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};
template <typename T> struct Complex {
  T re, im;
};

template <typename T> struct IsComplex : std::false_type {};
template <typename T> struct IsComplex<Complex<T>> : std::true_type {};

template <typename T>
constexpr bool isHalf = std::is_same_v<T, F16> || std::is_same_v<T, BF16>;

/// A number that computes: 16-bit floats as double, bool as uint8_t.
template <typename T> auto load(T value) {
  if constexpr (std::is_same_v<T, Bool>)
    return value.value;
  else if constexpr (std::is_same_v<T, F16>)
    return fromF16(value.bits);
  else if constexpr (std::is_same_v<T, BF16>)
    return fromBF16(value.bits);
  else
    return value;
}

/// Calls `f` with a value of the stored form of an element type;
/// a number that is no element type gives an empty result.
template <typename F> auto dispatch(int32_t element, F f) {
  switch (element) {
  case ARRT_BOOL:
    return f(Bool{});
  case ARRT_I8:
    return f(int8_t());
  case ARRT_I16:
    return f(int16_t());
  case ARRT_I32:
    return f(int32_t());
  case ARRT_I64:
    return f(int64_t());
  case ARRT_U8:
    return f(uint8_t());
  case ARRT_U16:
    return f(uint16_t());
  case ARRT_U32:
    return f(uint32_t());
  case ARRT_U64:
    return f(uint64_t());
  case ARRT_F16:
    return f(F16{});
  case ARRT_BF16:
    return f(BF16{});
  case ARRT_F32:
    return f(float());
  case ARRT_F64:
    return f(double());
  case ARRT_C64:
    return f(Complex<float>{});
  case ARRT_C128:
    return f(Complex<double>{});
  }
  return decltype(f(Bool{}))();
}

} // namespace arrt

#endif // ARRT_IO_STORED_H
