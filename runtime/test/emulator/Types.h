//===- Types.h - what the emulator calculates with -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_TYPES_H
#define ARRT_TEST_EMULATOR_TYPES_H

#include "CUDA/Driver.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace emulator {

/// One bit a lane of a warp.
using Mask = uint32_t;
inline constexpr int lanes = 32;
inline constexpr Mask allLanes = ~Mask(0);

/// The types of PTX's instructions.
enum class Type : uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  bf16,
  f32,
  f64,
  f16x2,
  bf16x2,
};

/// The type with a name like "u32", or none.
Type typeNamed(const std::string &name);
/// The bytes of a value; 0 for predicates.
int bytesOf(Type type);
inline bool isSigned(Type type) {
  return type >= Type::s8 && type <= Type::s64;
}
inline bool isFloat(Type type) { return type >= Type::f16; }
inline bool isInteger(Type type) {
  return type >= Type::b8 && type <= Type::s64;
}

/// Where an address points.
enum class Space : uint8_t { generic, global, shared, local, param };
/// Shared and local memory among the generic addresses.
inline constexpr uint64_t sharedWindow = uint64_t(1) << 52,
                          localWindow = uint64_t(2) << 52,
                          windowBytes = uint64_t(1) << 32;

/// What ends a launch or refuses a module. Thrown.
struct Fault {
  arrt::cuda::Result code;
  std::string text;
};

/// The value of type T in the low bytes of a cell.
template <typename T> T get(uint64_t cell) {
  T value;
  std::memcpy(&value, &cell, sizeof value);
  return value;
}
/// A cell with a value: signed ones are extended to all of it.
template <typename T> uint64_t put(T value) {
  if constexpr (std::is_integral_v<T>)
    return uint64_t(int64_t(value));
  uint64_t cell = 0;
  std::memcpy(&cell, &value, sizeof value);
  return cell;
}

/// Calls f(lane) for the lanes of a mask, in order.
template <typename F> inline void forLanes(Mask mask, F f) {
  if (mask == allLanes)
    for (int lane = 0; lane < lanes; ++lane)
      f(lane);
  else
    for (; mask; mask &= mask - 1)
      f(__builtin_ctz(mask));
}

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_TYPES_H
