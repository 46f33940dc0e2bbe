//===- Floats.cpp - arithmetic of floats ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Floats.h"
#include "emulator/Handlers.h"

#include <cmath>
#include <type_traits>

using namespace emulator;

namespace {
// On doubles for the formats of 16 bits: exact, then rounded once.
template <typename T> struct Add {
  static T apply(T a, T b) { return a + b; }
};
template <typename T> struct Sub {
  static T apply(T a, T b) { return a - b; }
};
template <typename T> struct Mul {
  static T apply(T a, T b) { return a * b; }
};
template <typename T> struct Div {
  static T apply(T a, T b) { return a / b; }
};
template <typename T> struct Fma {
  static T apply(T a, T b, T c) { return std::fma(a, b, c); }
};
template <typename T> struct Sqrt {
  static T apply(T a) { return std::sqrt(a); }
};
template <typename T> struct Reciprocal {
  static T apply(T a) { return T(1) / a; }
};
/// A number beats NaN; -0 is below 0.
template <typename T> struct Min {
  static T apply(T a, T b) {
    return a != a   ? b
           : b != b ? a
           : a == b ? (std::signbit(a) ? a : b)
                    : (a < b ? a : b);
  }
};
template <typename T> struct Max {
  static T apply(T a, T b) {
    return a != a   ? b
           : b != b ? a
           : a == b ? (std::signbit(a) ? b : a)
                    : (a > b ? a : b);
  }
};
template <typename T> struct MinNaN {
  static T apply(T a, T b) {
    return a != a || b != b ? a + b : Min<T>::apply(a, b);
  }
};
template <typename T> struct MaxNaN {
  static T apply(T a, T b) {
    return a != a || b != b ? a + b : Max<T>::apply(a, b);
  }
};
template <typename T> struct Neg {
  static T apply(T a) { return -a; }
};
template <typename T> struct Abs {
  static T apply(T a) { return std::fabs(a); }
};
template <typename T> struct CopySign {
  static T apply(T a, T b) { return std::copysign(b, a); }
};

/// The exact sum of a product and a value, rounded so that one more rounding to
/// far fewer bits is right: an inexact result has an odd last bit.
double oddFma(double a, double b, double c) {
  double product = a * b, sum = product + c;
  double part = sum - product;
  double error = (product - (sum - part)) + (c - part);
  if (error == 0 || !std::isfinite(sum) || put(sum) & 1)
    return sum;
  double beside = error > 0 ? INFINITY : -INFINITY;
  return std::nextafter(sum, beside);
}

/// Changes the value of an operand or result as .ftz and .sat ask for.
template <typename T> T before(uint16_t flags, T value) {
  return flags & flushed ? flush(value) : value;
}
template <typename T> T after(uint16_t flags, T value) {
  value = canonical(before(flags, value));
  return flags & saturated ? saturate(value) : value;
}

template <int count, typename T, template <typename> class Op, bool isPlain>
void real(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]),
                 *b = count > 1 ? warp.cells(at.from[1]) : a,
                 *c = count > 2 ? warp.cells(at.from[2]) : a;
  uint64_t *to = warp.cells(at.to[0]);
  uint16_t flags = isPlain ? 0 : at.flags;
  forLanes(mask, [&](int l) {
    T x = before(flags, get<T>(a[l])), y = before(flags, get<T>(b[l])),
      z = before(flags, get<T>(c[l]));
    T result;
    if constexpr (count == 1)
      result = Op<T>::apply(x);
    else if constexpr (count == 2)
      result = Op<T>::apply(x, y);
    else
      result = Op<T>::apply(x, y, z);
    to[l] = put(after(flags, result));
  });
}

/// One or two values of 16 bits.
template <int count, typename T, template <typename> class Op, int values>
void small(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]),
                 *b = count > 1 ? warp.cells(at.from[1]) : a,
                 *c = count > 2 ? warp.cells(at.from[2]) : a;
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    uint64_t all = 0;
    for (int k = 0; k < values; ++k) {
      double x = toDouble(get<T>(a[l] >> 16 * k)),
             y = toDouble(get<T>(b[l] >> 16 * k)),
             z = toDouble(get<T>(c[l] >> 16 * k)), result;
      if constexpr (count == 1)
        result = Op<double>::apply(x);
      else if constexpr (count == 2)
        result = Op<double>::apply(x, y);
      else
        result = oddFma(x, y, z);
      if (at.flags & saturated)
        result = saturate(result);
      all |= put(fromDouble<T>(result)) << 16 * k;
    }
    to[l] = all;
  });
}

template <int count, template <typename> class Op>
Handler pick(Type type, uint16_t flags) {
  switch (type) {
  case Type::f32:
    return flags ? real<count, float, Op, false> : real<count, float, Op, true>;
  case Type::f64:
    return flags & saturated ? nullptr : real<count, double, Op, true>;
  case Type::f16:
    return flags & flushed ? nullptr : small<count, Half, Op, 1>;
  case Type::bf16:
    return flags & flushed ? nullptr : small<count, BFloat, Op, 1>;
  case Type::f16x2:
    return flags & flushed ? nullptr : small<count, Half, Op, 2>;
  case Type::bf16x2:
    return flags & flushed ? nullptr : small<count, BFloat, Op, 2>;
  default:
    return nullptr;
  }
}

template <typename T>
void directed(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]),
                 *b = at.from[1] < 0 ? a : warp.cells(at.from[1]),
                 *c = at.from[2] < 0 ? a : warp.cells(at.from[2]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    T x = before(at.flags, get<T>(a[l])), y = before(at.flags, get<T>(b[l])),
      z = before(at.flags, get<T>(c[l]));
    if (at.count == 'r') { // a reciprocal
      y = x;
      x = 1;
    }
    to[l] = put(after(
        at.flags, roundedDirectly(Operation(at.kind), at.rounding, x, y, z)));
  });
}

/// add.f32.f16 and its like: the first operands are of 16 bits.
void widenOperands(Decoder &decoder, Type from, size_t count) {
  decoder.expectOperands(count + 2, count + 2);
  for (size_t k = 1; k <= count; ++k) {
    int32_t narrow = decoder.source(k, from), wide = decoder.newSlot();
    Instruction &made = decoder.emit(
        bytesOf(from) == 2 ? findFloatConversion(Type::f32, from) : nullptr);
    made.from[0] = narrow;
    made.to[0] = wide;
    made.rounding = Rounding::nearest;
    decoder.operands[k] = Operand();
    decoder.operands[k].kind = Operand::reg;
    decoder.operands[k].slot = wide;
  }
}

/// An operation that may have any rounding.
template <int count, template <typename> class Op, Operation operation>
void decodeRounded(Decoder &decoder) {
  Rounding rounding = decoder.takeRounding();
  uint16_t flags = decoder.takeFloatFlags();
  Type type = decoder.takeType();
  bool isDirected = rounding != Rounding::none && rounding != Rounding::nearest;
  if (type == Type::f32 && decoder.hasTypeLeft())
    widenOperands(decoder, decoder.takeType(), count == 3 ? 2 : 1);
  Handler handler = pick<count, Op>(type, flags);
  if (isDirected)
    handler = type == Type::f32   ? directed<float>
              : type == Type::f64 ? directed<double>
                                  : nullptr;
  Instruction &made = emitPlain(decoder, handler, type, count);
  made.flags = flags;
  made.rounding = rounding;
  made.kind = uint8_t(operation);
  made.count = count == 1 && operation == Operation::div ? 'r' : 1;
}

template <template <typename> class Op, template <typename> class OpNaN>
void decodeExtreme(Decoder &decoder) {
  uint16_t flags = decoder.takeFloatFlags();
  bool isNaN = decoder.take("NaN");
  Type type = decoder.takeType();
  emitPlain(decoder,
            isNaN ? pick<2, OpNaN>(type, flags) : pick<2, Op>(type, flags),
            type, 2)
      .flags = flags;
}

/// neg, abs, copysign change bits: NaN keeps its own.
enum class Sign { flip, clear, copy };
template <Sign what>
void changeSign(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]),
                 *b = what == Sign::copy ? warp.cells(at.from[1]) : a;
  uint64_t *to = warp.cells(at.to[0]);
  auto bit = uint64_t(at.offset);
  forLanes(mask, [&](int l) {
    uint64_t value = a[l];
    if (at.flags & flushed)
      value = put(flush(get<float>(value)));
    to[l] = what == Sign::flip    ? value ^ bit
            : what == Sign::clear ? value & ~bit
                                  : (b[l] & ~bit) | (value & bit);
  });
}
template <Sign what> void decodeSign(Decoder &decoder) {
  uint16_t flags = decoder.takeFloatFlags();
  Type type = decoder.takeType();
  bool isPair = type == Type::f16x2 || type == Type::bf16x2;
  bool isKnown =
      isFloat(type) && (!flags || (flags == flushed && type == Type::f32));
  Instruction &made = emitPlain(decoder, isKnown ? changeSign<what> : nullptr,
                                type, what == Sign::copy ? 2 : 1);
  made.flags = flags;
  made.offset =
      isPair ? 0x80008000 : int64_t(uint64_t(1) << (bytesOf(type) * 8 - 1));
}

// Approximations: calculated as doubles. Their last bits are not the
// hardware's.
struct Ex2 {
  static double apply(double a) { return std::exp2(a); }
};
struct Lg2 {
  static double apply(double a) { return std::log2(a); }
};
struct Sin {
  static double apply(double a) { return std::sin(a); }
};
struct Cos {
  static double apply(double a) { return std::cos(a); }
};
struct Tanh {
  static double apply(double a) { return std::tanh(a); }
};
struct Rcp {
  static double apply(double a) { return 1 / a; }
};
struct Rsqrt {
  static double apply(double a) { return 1 / std::sqrt(a); }
};
struct RootOf {
  static double apply(double a) { return std::sqrt(a); }
};

template <typename T, typename Op>
void approximate(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    if constexpr (std::is_same_v<T, float>) {
      double value = Op::apply(double(before(at.flags, get<float>(a[l]))));
      to[l] = put(after(at.flags, float(value)));
    } else if constexpr (std::is_same_v<T, double>) {
      // .ftz makes only the upper half of the result.
      double value = before(at.flags, get<double>(a[l]));
      uint64_t result = put(before(at.flags, Op::apply(value)));
      to[l] = at.flags & flushed ? result & ~uint64_t(0xffffffff) : result;
    } else {
      to[l] = put(fromDouble<T>(Op::apply(toDouble(get<T>(a[l])))));
    }
  });
}
template <typename Op, bool hasDouble = false, bool hasHalf = false>
void decodeApproximate(Decoder &decoder) {
  if (!decoder.take("approx"))
    decoder.fail("expected .approx");
  uint16_t flags = decoder.takeFloatFlags();
  Type type = decoder.takeType();
  Handler handler = type == Type::f32                ? approximate<float, Op>
                    : type == Type::f64 && hasDouble ? approximate<double, Op>
                    : type == Type::f16 && hasHalf   ? approximate<Half, Op>
                    : type == Type::bf16 && hasHalf  ? approximate<BFloat, Op>
                                                     : nullptr;
  emitPlain(decoder, handler, type, 1).flags = flags;
}
} // namespace

void emulator::decodeFloatAdd(Decoder &decoder) {
  decodeRounded<2, Add, Operation::add>(decoder);
}
void emulator::decodeFloatSub(Decoder &decoder) {
  decodeRounded<2, Sub, Operation::sub>(decoder);
}
void emulator::decodeFloatMul(Decoder &decoder) {
  decodeRounded<2, Mul, Operation::mul>(decoder);
}
void emulator::decodeFloatFma(Decoder &decoder) {
  decodeRounded<3, Fma, Operation::fma>(decoder);
}
void emulator::decodeFloatDiv(Decoder &decoder) {
  // .approx and .full are less exact; the exact quotient is one of theirs.
  (void)decoder.takeOne({"approx", "full"});
  decodeRounded<2, Div, Operation::div>(decoder);
}
void emulator::decodeFloatMin(Decoder &decoder) {
  decodeExtreme<Min, MinNaN>(decoder);
}
void emulator::decodeFloatMax(Decoder &decoder) {
  decodeExtreme<Max, MaxNaN>(decoder);
}
void emulator::decodeFloatNeg(Decoder &decoder) {
  decodeSign<Sign::flip>(decoder);
}
void emulator::decodeFloatAbs(Decoder &decoder) {
  decodeSign<Sign::clear>(decoder);
}

void emulator::addFloats(Decoders &all) {
  all["fma"] = decodeFloatFma;
  all["copysign"] = decodeSign<Sign::copy>;
  all["ex2"] = decodeApproximate<Ex2, false, true>;
  all["lg2"] = decodeApproximate<Lg2>;
  all["sin"] = decodeApproximate<Sin>;
  all["cos"] = decodeApproximate<Cos>;
  all["tanh"] = decodeApproximate<Tanh, false, true>;
  all["rsqrt"] = decodeApproximate<Rsqrt, true>;
  all["rcp"] = [](Decoder &decoder) {
    if (decoder.has("approx"))
      decodeApproximate<Rcp, true>(decoder);
    else
      decodeRounded<1, Reciprocal, Operation::div>(decoder);
  };
  all["sqrt"] = [](Decoder &decoder) {
    if (decoder.has("approx"))
      decodeApproximate<RootOf>(decoder);
    else
      decodeRounded<1, Sqrt, Operation::sqrt>(decoder);
  };
}
