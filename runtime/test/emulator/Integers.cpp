//===- Integers.cpp - arithmetic of integers ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Floats.h"
#include "emulator/Handlers.h"

#include <algorithm>
#include <type_traits>

using namespace emulator;

namespace {
template <typename T> constexpr int bitsOf = int(sizeof(T) * 8);
/// Wide enough for a product.
template <typename T>
using Wide =
    std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;

template <typename T> struct Add {
  static T apply(T a, T b) { return T(uint64_t(a) + uint64_t(b)); }
};
template <typename T> struct Sub {
  static T apply(T a, T b) { return T(uint64_t(a) - uint64_t(b)); }
};
template <typename T> struct Mul {
  static T apply(T a, T b) { return T(uint64_t(a) * uint64_t(b)); }
};
template <typename T> struct MulHigh {
  static T apply(T a, T b) { return T((Wide<T>(a) * b) >> bitsOf<T>); }
};
template <typename T> struct Mad {
  static T apply(T a, T b, T c) {
    return T(uint64_t(a) * uint64_t(b) + uint64_t(c));
  }
};
template <typename T> struct MadHigh {
  static T apply(T a, T b, T c) {
    return T(uint64_t(MulHigh<T>::apply(a, b)) + uint64_t(c));
  }
};
/// What the hardware gives for a divisor of 0: all ones.
template <typename T> struct Div {
  static T apply(T a, T b) {
    if (b == 0)
      return T(-1);
    if (std::is_signed_v<T> && b == T(-1))
      return T(0 - uint64_t(a));
    return T(a / b);
  }
};
template <typename T> struct Rem {
  static T apply(T a, T b) {
    if (b == 0)
      return a;
    return std::is_signed_v<T> && b == T(-1) ? T(0) : T(a % b);
  }
};
template <typename T> struct Min {
  static T apply(T a, T b) { return b < a ? b : a; }
};
template <typename T> struct Max {
  static T apply(T a, T b) { return a < b ? b : a; }
};
/// .relu: not below 0.
template <typename T> struct MinRelu {
  static T apply(T a, T b) { return std::max(T(0), std::min(a, b)); }
};
template <typename T> struct MaxRelu {
  static T apply(T a, T b) { return std::max(T(0), std::max(a, b)); }
};
template <typename T> struct Neg {
  static T apply(T a) { return T(0 - uint64_t(a)); }
};
template <typename T> struct Abs {
  static T apply(T a) { return a < 0 ? T(0 - uint64_t(a)) : a; }
};
template <typename T> struct Sad {
  static T apply(T a, T b, T c) {
    return T(uint64_t(c) +
             (a < b ? uint64_t(b) - uint64_t(a) : uint64_t(a) - uint64_t(b)));
  }
};

/// mul.wide, mad.wide: operands of half the width.
template <typename T, bool hasSum>
void wide(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]),
                 *c = hasSum ? warp.cells(at.from[2]) : nullptr;
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    // 64 bits hold the product of both 32s.
    uint64_t product = uint64_t(get<T>(a[l])) * uint64_t(get<T>(b[l]));
    if (hasSum)
      product += c[l];
    to[l] = sizeof(T) == 2 ? uint64_t(uint32_t(product)) : product;
  });
}

/// Sums of 32 or 64 bits with a carry: kind 0 a + b, 1 a - b, 2 and 3 the low
/// and the high half of a * b, plus c.
template <typename T>
void carrying(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]),
                 *c = at.kind >= 2 ? warp.cells(at.from[2]) : nullptr;
  uint64_t *to = warp.cells(at.to[0]);
  Mask carries = warp.carry;
  forLanes(mask, [&](int l) {
    using U = unsigned __int128;
    T x = get<T>(a[l]), y = get<T>(b[l]);
    bool carry = at.flags & carryIn && warp.carry >> l & 1;
    U sum;
    if (at.kind == 1)
      sum = U(x) - U(y) - carry; // the bit above tells of a borrow
    else if (at.kind == 0)
      sum = U(x) + U(y) + carry;
    else
      sum = U(at.kind == 2 ? Mul<T>::apply(x, y) : MulHigh<T>::apply(x, y)) +
            U(get<T>(c[l])) + carry;
    to[l] = put(T(sum));
    Mask bit = Mask(1) << l;
    carries = sum >> bitsOf<T> & 1 ? carries | bit : carries & ~bit;
  });
  if (at.flags & carryOut)
    warp.carry = carries;
}

void emitCarrying(Decoder &decoder, uint8_t kind, bool takesCarry) {
  bool isProduct = kind == 2;
  if (isProduct && decoder.take("hi"))
    kind = 3;
  else if (isProduct && !decoder.take("lo"))
    decoder.fail("expected .lo or .hi");
  bool givesCarry = decoder.take("cc");
  Type type = decoder.takeType();
  Handler handler =
      bytesOf(type) == 8 ? carrying<uint64_t> : carrying<uint32_t>;
  if (!isInteger(type) || bytesOf(type) < 4 || (kind == 3 && isSigned(type)))
    handler = nullptr;
  Instruction &made = emitPlain(decoder, handler, type, isProduct ? 3 : 2);
  made.kind = kind;
  made.flags =
      uint16_t((takesCarry ? carryIn : 0) | (givesCarry ? carryOut : 0));
}

template <template <typename> class Op, void (*Float)(Decoder &)>
void decode2(Decoder &decoder) {
  if (decoder.hasFloatType())
    return Float(decoder);
  Type type = decoder.takeType();
  emitPlain(decoder, integer2<Op>(type), type, 2);
}
template <template <typename> class Op, void (*Float)(Decoder &)>
void decode1(Decoder &decoder) {
  if (decoder.hasFloatType())
    return Float(decoder);
  Type type = decoder.takeType();
  emitPlain(decoder, integer1<Op>(type), type, 1);
}

template <template <typename> class Op, template <typename> class Relu,
          void (*Float)(Decoder &)>
void decodeExtreme(Decoder &decoder) {
  if (decoder.hasFloatType())
    return Float(decoder);
  bool isRelu = decoder.take("relu");
  Type type = decoder.takeType();
  emitPlain(decoder, isRelu ? integer2<Relu>(type) : integer2<Op>(type), type,
            2);
}

template <bool isSub> void decodeAdd(Decoder &decoder) {
  if (decoder.hasFloatType())
    return isSub ? decodeFloatSub(decoder) : decodeFloatAdd(decoder);
  if (decoder.has("cc"))
    return emitCarrying(decoder, isSub ? 1 : 0, false);
  Type type = decoder.takeType();
  emitPlain(decoder, isSub ? integer2<Sub>(type) : integer2<Add>(type), type,
            2);
}

void decodeMul(Decoder &decoder) {
  if (decoder.hasFloatType())
    return decodeFloatMul(decoder);
  int half = decoder.takeOne({"lo", "hi", "wide"});
  Type type = decoder.takeType();
  if (half == 2) {
    emitPlain(decoder,
              type == Type::u32   ? wide<uint32_t, false>
              : type == Type::s32 ? wide<int32_t, false>
              : type == Type::u16 ? wide<uint16_t, false>
              : type == Type::s16 ? wide<int16_t, false>
                                  : nullptr,
              type, 2);
    return;
  }
  if (half < 0)
    decoder.fail("expected .lo, .hi or .wide");
  emitPlain(decoder, half ? integer2<MulHigh>(type) : integer2<Mul>(type), type,
            2);
}

void decodeMad(Decoder &decoder) {
  if (decoder.hasFloatType())
    return decodeFloatFma(decoder);
  if (decoder.has("cc"))
    return emitCarrying(decoder, 2, false);
  int half = decoder.takeOne({"lo", "hi", "wide"});
  Type type = decoder.takeType();
  if (half == 2) {
    emitPlain(decoder,
              type == Type::u32   ? wide<uint32_t, true>
              : type == Type::s32 ? wide<int32_t, true>
              : type == Type::u16 ? wide<uint16_t, true>
              : type == Type::s16 ? wide<int16_t, true>
                                  : nullptr,
              type, 3);
    return;
  }
  if (half < 0)
    decoder.fail("expected .lo, .hi or .wide");
  emitPlain(decoder, half ? integer3<MadHigh>(type) : integer3<Mad>(type), type,
            3);
}
} // namespace

void emulator::addIntegers(Decoders &all) {
  all["add"] = decodeAdd<false>;
  all["sub"] = decodeAdd<true>;
  all["addc"] = [](Decoder &d) { emitCarrying(d, 0, true); };
  all["subc"] = [](Decoder &d) { emitCarrying(d, 1, true); };
  all["madc"] = [](Decoder &d) { emitCarrying(d, 2, true); };
  all["mul"] = decodeMul;
  all["mad"] = decodeMad;
  all["div"] = decode2<Div, decodeFloatDiv>;
  all["min"] = decodeExtreme<Min, MinRelu, decodeFloatMin>;
  all["max"] = decodeExtreme<Max, MaxRelu, decodeFloatMax>;
  all["neg"] = decode1<Neg, decodeFloatNeg>;
  all["abs"] = decode1<Abs, decodeFloatAbs>;
  all["rem"] = [](Decoder &decoder) {
    Type type = decoder.takeType();
    emitPlain(decoder, integer2<Rem>(type), type, 2);
  };
  all["sad"] = [](Decoder &decoder) {
    Type type = decoder.takeType();
    emitPlain(decoder, integer3<Sad>(type), type, 3);
  };
}
