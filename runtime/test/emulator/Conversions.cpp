//===- Conversions.cpp - cvt, cvta ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Floats.h"
#include "emulator/Handlers.h"

#include <algorithm>
#include <limits>
#include <type_traits>

using namespace emulator;

namespace {
template <typename To, typename From>
void resize(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) { to[l] = put(To(get<From>(a[l]))); });
}

template <typename To, typename From>
void resizeSaturated(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    using Wide = __int128;
    Wide value = get<From>(a[l]);
    to[l] = put(To(std::clamp<Wide>(value, std::numeric_limits<To>::min(),
                                    std::numeric_limits<To>::max())));
  });
}

/// The value of a float of type T as a double.
template <typename T> double read(uint64_t cell, uint16_t flags) {
  double value = toDouble(get<T>(cell));
  if (std::is_same_v<T, float> && flags & flushed)
    value = double(flush(float(value)));
  return value;
}

template <typename To, typename From>
void toInteger(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t *to = warp.cells(at.to[0]);
  constexpr To least = std::numeric_limits<To>::min(),
               most = std::numeric_limits<To>::max();
  constexpr bool isWide = sizeof(To) == 8 || std::is_same_v<From, double>;
  // NaN: 0, or only the highest bit where 64 bits take part.
  constexpr To ofNaN = isWide ? To(uint64_t(1) << (sizeof(To) * 8 - 1)) : To(0);
  forLanes(mask, [&](int l) {
    double value = withoutFraction(read<From>(a[l], at.flags), at.kind);
    // 2^63 and its like are doubles, `most` may be none.
    to[l] = put(value != value                             ? ofNaN
                : value <= double(least)                   ? least
                : value >= double(most) + (sizeof(To) < 8) ? most
                                                           : To(value));
  });
}

template <typename To, typename From>
void toFloat(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t *to = warp.cells(at.to[0]);
  using Wide = std::conditional_t<std::is_signed_v<From>, int64_t, uint64_t>;
  forLanes(mask, [&](int l) {
    Wide value = get<From>(a[l]);
    if constexpr (std::is_arithmetic_v<To>) {
      if (at.rounding == Rounding::nearest)
        to[l] = put(To(value));
      else
        to[l] = put(fromInteger<To>(value, at.rounding));
    } else {
      // Toward zero, with the last bit set if that was inexact: rounds right.
      double odd = fromInteger<double>(value, Rounding::zero);
      if (__int128(odd) != value)
        odd = get<double>(put(odd) | 1);
      to[l] = put(fromDouble<To>(odd, at.rounding));
    }
    if (at.flags & saturated)
      to[l] = put(fromDouble<To>(saturate(toDouble(get<To>(to[l])))));
  });
}

template <typename To, typename From>
void betweenFloats(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    double value = read<From>(a[l], at.flags);
    if (at.kind) // .rni and its like
      value = withoutFraction(value, at.kind - 1);
    if (at.flags & saturated)
      value = saturate(value);
    // .relu
    if (at.flags & negated0)
      value = value < 0 ? 0 : value;
    if constexpr (std::is_same_v<To, float>) {
      float result = fromDouble<float>(value, at.rounding);
      to[l] = put(at.flags & flushed ? flush(result) : result);
    } else {
      to[l] = put(fromDouble<To>(value, at.rounding));
    }
  });
}

/// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
template <typename To>
void toPair(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    auto convert = [&](uint64_t cell) -> uint64_t {
      double value = read<float>(cell, at.flags);
      if (at.flags & negated0)
        value = value < 0 ? 0 : value;
      return fromDouble<To>(value, at.rounding).bits;
    };
    to[l] = convert(a[l]) << 16 | convert(b[l]);
  });
}

template <typename R, typename F> R withFloat(Type type, R otherwise, F f) {
  switch (type) {
  case Type::f16:
    return f(Half());
  case Type::bf16:
    return f(BFloat());
  case Type::f32:
    return f(float());
  case Type::f64:
    return f(double());
  default:
    return otherwise;
  }
}

Handler pick(Type to, Type from, bool saturates) {
  Handler none = nullptr;
  if (isFloat(to) && isFloat(from))
    return withFloat(to, none, [&](auto t) {
      return withFloat(from, none, [&](auto f) -> Handler {
        return betweenFloats<decltype(t), decltype(f)>;
      });
    });
  if (isFloat(to))
    return withFloat(to, none, [&](auto t) {
      return withInteger(from, none, [&](auto f) -> Handler {
        return toFloat<decltype(t), decltype(f)>;
      });
    });
  return withInteger(to, none, [&](auto t) {
    using To = decltype(t);
    if (isFloat(from))
      return withFloat(from, none, [&](auto f) -> Handler {
        return toInteger<To, decltype(f)>;
      });
    return withInteger(from, none, [&](auto f) -> Handler {
      return saturates ? resizeSaturated<To, decltype(f)>
                       : resize<To, decltype(f)>;
    });
  });
}

void decodeConvert(Decoder &decoder) {
  int fraction = decoder.takeOne({"rni", "rzi", "rmi", "rpi"});
  Rounding rounding = decoder.takeRounding();
  uint16_t flags = decoder.takeFloatFlags();
  if (decoder.take("relu"))
    flags |= negated0;
  Type to = decoder.takeType(), from = decoder.takeType();
  if (isInteger(to) && isFloat(from) && fraction < 0)
    decoder.fail("expected .rni, .rzi, .rmi or .rpi");
  bool isPair = to == Type::f16x2 || to == Type::bf16x2;
  bool isNarrowed =
      isFloat(to) && bytesOf(to) < bytesOf(from) && fraction < 0 && !isPair;
  if ((isNarrowed || (isFloat(to) && isInteger(from)) || isPair) &&
      rounding == Rounding::none)
    decoder.fail("expected .rn, .rz, .rm or .rp");
  if (rounding == Rounding::none)
    rounding = Rounding::nearest;
  Handler handler = pick(to, from, flags & saturated);
  if (isPair)
    handler = from != Type::f32   ? nullptr
              : to == Type::f16x2 ? toPair<Half>
                                  : toPair<BFloat>;
  Instruction &made = emitPlain(decoder, handler, from, isPair ? 2 : 1);
  made.rounding = rounding;
  made.flags = flags;
  made.kind = uint8_t(isFloat(to) ? fraction + 1 : std::max(fraction, 0));
}

/// Adds the start of a window, or takes it away.
void convertAddress(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) { to[l] = a[l] + uint64_t(at.offset); });
}

int64_t takeWindow(Decoder &decoder) {
  int space = decoder.takeOne(
      {"global", "const", "shared", "shared::cta", "local", "param"});
  if (space < 0 || space == 5)
    decoder.fail("expected .global, .shared or .local");
  return int64_t(space < 2 ? 0 : space < 4 ? sharedWindow : localWindow);
}
} // namespace

Handler emulator::findFloatConversion(Type to, Type from) {
  return isFloat(to) && isFloat(from) ? pick(to, from, false) : nullptr;
}

void emulator::addConversions(Decoders &all) {
  all["cvt"] = decodeConvert;
  all["cvta"] = [](Decoder &decoder) {
    bool isTo = decoder.take("to");
    int64_t window = takeWindow(decoder);
    emitPlain(decoder, convertAddress, decoder.takeType(), 1).offset =
        isTo ? -window : window;
  };
}
