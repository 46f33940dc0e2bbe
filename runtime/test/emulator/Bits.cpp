//===- Bits.cpp - logic, shifts and moves ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Handlers.h"

#include <algorithm>
#include <type_traits>

using namespace emulator;

namespace {
template <typename T> constexpr int bitsOf = int(sizeof(T) * 8);

template <typename T> struct And {
  static T apply(T a, T b) { return T(a & b); }
};
template <typename T> struct Or {
  static T apply(T a, T b) { return T(a | b); }
};
template <typename T> struct Xor {
  static T apply(T a, T b) { return T(a ^ b); }
};
template <typename T> struct Not {
  static T apply(T a) { return T(~a); }
};
template <typename T> struct LogicalNot {
  static T apply(T a) { return T(a == 0); }
};
template <typename T> struct Reversed {
  static T apply(T a) {
    T result = 0;
    for (int i = 0; i < bitsOf<T>; ++i)
      result = T(result << 1 | (a >> i & 1));
    return result;
  }
};
template <typename T> struct BitCount {
  static uint32_t apply(T a) {
    return uint32_t(__builtin_popcountll(std::make_unsigned_t<T>(a)));
  }
};
template <typename T> struct LeadingZeros {
  static uint32_t apply(T a) {
    auto bits = uint64_t(std::make_unsigned_t<T>(a));
    return bits ? uint32_t(__builtin_clzll(bits)) - (64 - bitsOf<T>)
                : bitsOf<T>;
  }
};
/// The highest bit that differs from the sign.
template <typename T> struct FindBit {
  static uint32_t apply(T a) {
    uint32_t zeros = LeadingZeros<T>::apply(a < 0 ? T(~a) : a);
    return zeros == bitsOf<T> ? ~0u : uint32_t(bitsOf<T> - 1) - zeros;
  }
};
template <typename T> struct FindShift {
  static uint32_t apply(T a) {
    return LeadingZeros<T>::apply(a < 0 ? T(~a) : a) == bitsOf<T>
               ? ~0u
               : LeadingZeros<T>::apply(a < 0 ? T(~a) : a);
  }
};
/// Field of `length` bits from `start`.
template <typename T> struct Extract {
  static T apply(T a, T b, T c) {
    uint32_t start = uint32_t(b) & 255, length = uint32_t(c) & 255;
    if (!length)
      return 0;
    uint32_t last = std::min<uint32_t>(start + length - 1, bitsOf<T> - 1);
    bool sign = std::is_signed_v<T> && uint64_t(a) >> last & 1;
    uint64_t bits = start < uint32_t(bitsOf<T>)
                        ? uint64_t(std::make_unsigned_t<T>(a)) >> start
                        : 0;
    if (length < 64)
      bits &= (uint64_t(1) << length) - 1;
    uint32_t there = start < uint32_t(bitsOf<T>)
                         ? std::min<uint32_t>(length, bitsOf<T> - start)
                         : 0;
    if (sign && there < 64)
      bits |= ~uint64_t(0) << there;
    return T(bits);
  }
};

/// Amounts are of 32 bits; those beyond the width shift all out.
template <typename T, bool isLeft>
void shift(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    auto by = uint32_t(b[l]);
    T value = get<T>(a[l]);
    if (isLeft)
      to[l] = put(by < uint32_t(bitsOf<T>) ? T(uint64_t(value) << by) : T(0));
    else if (std::is_signed_v<T>)
      to[l] = put(T(value >> std::min<uint32_t>(by, bitsOf<T> - 1)));
    else
      to[l] = put(by < uint32_t(bitsOf<T>) ? T(value >> by) : T(0));
  });
}

template <bool isLeft, bool wraps>
void funnel(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]),
                 *c = warp.cells(at.from[2]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    uint64_t both = uint64_t(uint32_t(b[l])) << 32 | uint32_t(a[l]);
    uint32_t by =
        wraps ? uint32_t(c[l]) & 31 : std::min<uint32_t>(uint32_t(c[l]), 32);
    to[l] = uint32_t(isLeft ? (by == 32 ? both << 32 : both << by) >> 32
                            : both >> by);
  });
}

template <typename T>
void insert(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]),
                 *c = warp.cells(at.from[2]), *d = warp.cells(at.from[3]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    uint32_t start = uint32_t(c[l]) & 255, length = uint32_t(d[l]) & 255;
    uint64_t field = length < 64 ? (uint64_t(1) << length) - 1 : ~uint64_t(0);
    field = start < 64 ? field << start : 0;
    uint64_t value = start < 64 ? get<T>(a[l]) << start : 0;
    to[l] = put(T((get<T>(b[l]) & ~field) | (value & field)));
  });
}

/// What the modes of a permutation choose by two bits: forward and backward
/// four bytes, one byte or half for all, edges to the left and to the right.
constexpr uint32_t kModes[][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
    {0x0000, 0x1111, 0x2222, 0x3333}, {0x1010, 0x3232, 0x1010, 0x3232},
    {0x3210, 0x3211, 0x3222, 0x3333}, {0x0000, 0x1110, 0x2210, 0x3210}};

/// Bytes of two words, chosen by four bits each, or as a mode says.
void permute(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]),
                 *c = warp.cells(at.from[2]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    uint64_t both = uint64_t(uint32_t(b[l])) << 32 | uint32_t(a[l]);
    uint32_t result = 0, choices = at.offset < 0 ? uint32_t(c[l])
                                                 : kModes[at.offset][c[l] & 3];
    for (int i = 0; i < 4; ++i) {
      uint32_t choice = choices >> 4 * i & 15;
      auto byte = uint8_t(both >> 8 * (choice & 7));
      if (choice & 8)
        byte = byte & 0x80 ? 0xff : 0;
      result |= uint32_t(byte) << 8 * i;
    }
    to[l] = result;
  });
}

void lookUp(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]),
                 *c = warp.cells(at.from[2]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    uint64_t result = 0;
    for (int i = 0; i < 8; ++i)
      if (at.offset >> i & 1)
        result |= (i & 4 ? a[l] : ~a[l]) & (i & 2 ? b[l] : ~b[l]) &
                  (i & 1 ? c[l] : ~c[l]);
    to[l] = uint32_t(result);
  });
}

void move(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) { to[l] = a[l]; });
}

/// mov.b64 {a, b}, c: parts of `offset` bits.
void unpack(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t part = at.offset == 32 ? 0xffffffff : (1 << at.offset) - 1;
  forLanes(mask, [&](int l) {
    uint64_t value = a[l]; // which a result may be
    for (int k = 0; k < at.count; ++k)
      warp.cells(at.to[k])[l] = value >> at.offset * k & part;
  });
}
void pack(Warp &warp, const Instruction &at, Mask mask) {
  uint64_t *to = warp.cells(at.to[0]);
  uint64_t part = at.offset == 32 ? 0xffffffff : (1 << at.offset) - 1;
  forLanes(mask, [&](int l) {
    uint64_t value = 0;
    for (int k = 0; k < at.count; ++k)
      value |= (warp.cells(at.from[k])[l] & part) << at.offset * k;
    to[l] = value;
  });
}

/// and, or, xor, not, mov of predicates.
template <char op>
void predicates(Warp &warp, const Instruction &at, Mask mask) {
  Mask a = warp.readPredicate(at, 0);
  Mask b = op == '&' || op == '|' || op == '^' ? warp.readPredicate(at, 1) : 0;
  warp.setPredicate(at.toPredicate[0], mask,
                    op == '&'   ? a & b
                    : op == '|' ? a | b
                    : op == '^' ? a ^ b
                    : op == '!' ? ~a
                                : a);
}
template <char op> bool decodePredicates(Decoder &decoder, size_t count) {
  if (!decoder.take("pred"))
    return false;
  decoder.expectOperands(count + 1, count + 1);
  int32_t to = decoder.predicateResult(0);
  Instruction &made = decoder.emit(predicates<op>);
  made.toPredicate[0] = to;
  made.fromPredicate[0] = decoder.predicateSource(1, made, negated0);
  if (count > 1)
    made.fromPredicate[1] = decoder.predicateSource(2, made, negated1);
  return true;
}

template <template <typename> class Op, char op>
void decodeLogic(Decoder &decoder) {
  if (decodePredicates<op>(decoder, 2))
    return;
  Type type = decoder.takeType();
  emitPlain(decoder, integer2<Op>(type), type, 2);
}

void decodeMove(Decoder &decoder) {
  if (decodePredicates<'='>(decoder, 1))
    return;
  Type type = decoder.takeType();
  decoder.expectOperands(2, 2);
  bool isOut = decoder.operands[0].kind == Operand::vector;
  bool isIn = decoder.operands[1].kind == Operand::vector;
  if (!isOut && !isIn) {
    emitPlain(decoder, move, type, 1);
    return;
  }
  const auto &parts = decoder.operands[isOut ? 0 : 1].parts;
  size_t count = parts.size();
  if (count < 2 || count > 4 || (isOut && isIn))
    decoder.fail("parts that the emulator does not know");
  int32_t slots[4], whole = isOut ? decoder.source(1, type) : decoder.result(0);
  for (size_t k = 0; k < count; ++k)
    slots[k] = isOut ? decoder.resultOf(parts[k])
                     : decoder.sourceOf(parts[k], Type::b32);
  Instruction &made = decoder.emit(isOut ? unpack : pack);
  made.count = uint8_t(count);
  made.offset = bytesOf(type) * 8 / int(count);
  std::copy_n(slots, count, isOut ? made.to : made.from);
  (isOut ? made.from : made.to)[0] = whole;
}

void decodeFunnel(Decoder &decoder) {
  bool isLeft = decoder.take("l");
  if (!isLeft && !decoder.take("r"))
    decoder.fail("expected .l or .r");
  bool wraps = decoder.take("wrap");
  if (!wraps && !decoder.take("clamp"))
    decoder.fail("expected .wrap or .clamp");
  Type type = decoder.takeType();
  emitPlain(decoder,
            isLeft  ? wraps ? funnel<true, true> : funnel<true, false>
            : wraps ? funnel<false, true>
                    : funnel<false, false>,
            type, 3);
}

template <template <typename> class Op> void decode1(Decoder &decoder) {
  Type type = decoder.takeType();
  emitPlain(decoder, integer1<Op>(type), type, 1);
}

template <bool isLeft> void decodeShift(Decoder &decoder) {
  Type type = decoder.takeType();
  emitPlain(
      decoder,
      withInteger(type, Handler(nullptr),
                  [](auto t) -> Handler { return shift<decltype(t), isLeft>; }),
      type, 2);
}
} // namespace

void emulator::addBits(Decoders &all) {
  all["and"] = decodeLogic<And, '&'>;
  all["or"] = decodeLogic<Or, '|'>;
  all["xor"] = decodeLogic<Xor, '^'>;
  all["not"] = [](Decoder &decoder) {
    if (!decodePredicates<'!'>(decoder, 1))
      decode1<Not>(decoder);
  };
  all["cnot"] = decode1<LogicalNot>;
  all["brev"] = decode1<Reversed>;
  all["popc"] = decode1<BitCount>;
  all["clz"] = decode1<LeadingZeros>;
  all["bfind"] = [](Decoder &decoder) {
    bool isShift = decoder.take("shiftamt");
    Type type = decoder.takeType();
    emitPlain(decoder,
              isShift ? integer1<FindShift>(type) : integer1<FindBit>(type),
              type, 1);
  };
  all["bfe"] = [](Decoder &decoder) {
    Type type = decoder.takeType();
    emitPlain(decoder, integer3<Extract>(type), type, 3);
  };
  all["bfi"] = [](Decoder &decoder) {
    Type type = decoder.takeType();
    emitPlain(decoder, bytesOf(type) == 8 ? insert<uint64_t> : insert<uint32_t>,
              type, 4);
  };
  all["shl"] = decodeShift<true>;
  all["shr"] = decodeShift<false>;
  all["shf"] = decodeFunnel;
  all["prmt"] = [](Decoder &decoder) {
    int mode = decoder.takeOne({"f4e", "b4e", "rc8", "rc16", "ecl", "ecr"});
    emitPlain(decoder, permute, decoder.takeType(), 3).offset = mode;
  };
  all["lop3"] = [](Decoder &decoder) {
    Type type = decoder.takeType();
    decoder.expectOperands(5, 5);
    if (decoder.operands[4].kind != Operand::literal)
      decoder.fail("the table is no number");
    uint64_t table = decoder.operands[4].value;
    decoder.operands.pop_back();
    emitPlain(decoder, lookUp, type, 3).offset = int64_t(table);
  };
  all["mov"] = decodeMove;
}
