//===- Handlers.h - shapes of handlers -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An operation is a struct with a function `apply` of one lane's values; a
/// shape makes a handler of it, which goes over the lanes.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_TEST_EMULATOR_HANDLERS_H
#define ARRT_TEST_EMULATOR_HANDLERS_H

#include "emulator/Decoder.h"
#include "emulator/Launch.h"
#include "emulator/Warp.h"

namespace emulator {

template <typename T, typename Op>
void unary(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) { to[l] = put(Op::apply(get<T>(a[l]))); });
}

template <typename T, typename Op>
void binary(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask,
           [&](int l) { to[l] = put(Op::apply(get<T>(a[l]), get<T>(b[l]))); });
}

template <typename T, typename Op>
void ternary(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]),
                 *c = warp.cells(at.from[2]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    to[l] = put(Op::apply(get<T>(a[l]), get<T>(b[l]), get<T>(c[l])));
  });
}

/// Calls f(T()) with the type of an integer; `otherwise` for other types.
template <typename R, typename F> R withInteger(Type type, R otherwise, F f) {
  switch (type) {
  case Type::b8:
  case Type::u8:
    return f(uint8_t());
  case Type::s8:
    return f(int8_t());
  case Type::b16:
  case Type::u16:
    return f(uint16_t());
  case Type::s16:
    return f(int16_t());
  case Type::b32:
  case Type::u32:
    return f(uint32_t());
  case Type::s32:
    return f(int32_t());
  case Type::b64:
  case Type::u64:
    return f(uint64_t());
  case Type::s64:
    return f(int64_t());
  default:
    return otherwise;
  }
}

/// Handlers of an operation on integers.
template <template <typename> class Op> Handler integer1(Type type) {
  return withInteger(type, Handler(nullptr), [](auto t) -> Handler {
    return unary<decltype(t), Op<decltype(t)>>;
  });
}
template <template <typename> class Op> Handler integer2(Type type) {
  return withInteger(type, Handler(nullptr), [](auto t) -> Handler {
    return binary<decltype(t), Op<decltype(t)>>;
  });
}
template <template <typename> class Op> Handler integer3(Type type) {
  return withInteger(type, Handler(nullptr), [](auto t) -> Handler {
    return ternary<decltype(t), Op<decltype(t)>>;
  });
}

/// Adds an instruction with one result and so many operands of a type.
inline Instruction &emitPlain(Decoder &decoder, Handler handler, Type type,
                              size_t count) {
  decoder.expectOperands(count + 1, count + 1);
  int32_t to = decoder.result(0), from[4] = {-1, -1, -1, -1};
  for (size_t k = 0; k < count; ++k)
    from[k] = decoder.source(k + 1, type);
  Instruction &made = decoder.emit(handler);
  made.to[0] = to;
  made.type = type;
  for (size_t k = 0; k < count; ++k)
    made.from[k] = from[k];
  return made;
}

} // namespace emulator

#endif // ARRT_TEST_EMULATOR_HANDLERS_H
