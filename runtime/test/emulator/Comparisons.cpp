//===- Comparisons.cpp - setp, set, selp, slct, testp ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Floats.h"
#include "emulator/Handlers.h"

#include <cmath>

using namespace emulator;

namespace {
/// In the order of `comparisonNames`; those from equ on hold for NaN.
enum Comparison : uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};

template <typename T> bool holds(uint8_t comparison, T a, T b) {
  bool isUnordered = a != a || b != b;
  switch (Comparison(comparison)) {
  case eq:
    return a == b;
  case ne:
    return !isUnordered && a != b;
  case lt:
  case lo:
    return a < b;
  case le:
  case ls:
    return a <= b;
  case gt:
  case hi:
    return a > b;
  case ge:
  case hs:
    return a >= b;
  case equ:
    return isUnordered || a == b;
  case neu:
    return a != b;
  case ltu:
    return !(a >= b);
  case leu:
    return !(a > b);
  case gtu:
    return !(a <= b);
  case geu:
    return !(a < b);
  case num:
    return !isUnordered;
  case nan:
    return isUnordered;
  }
  return false;
}

/// A cell as a value to compare.
template <typename T> auto valueOf(uint64_t cell, uint16_t flags) {
  if constexpr (std::is_integral_v<T>)
    return get<T>(cell);
  else if constexpr (std::is_same_v<T, float>)
    return flags & flushed ? flush(get<float>(cell)) : get<float>(cell);
  else
    return toDouble(get<T>(cell));
}

template <typename T, uint8_t comparison>
Mask compareAs(const uint64_t *a, const uint64_t *b, Mask mask,
               uint16_t flags) {
  Mask result = 0;
  forLanes(mask, [&](int l) {
    result |= Mask(holds(comparison, valueOf<T>(a[l], flags),
                         valueOf<T>(b[l], flags)))
              << l;
  });
  return result;
}

template <typename T>
Mask compare(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]);
  Mask result = 0;
  switch (at.kind) {
  case eq:
    return compareAs<T, eq>(a, b, mask, at.flags);
  case ne:
    return compareAs<T, ne>(a, b, mask, at.flags);
  case lt:
    return compareAs<T, lt>(a, b, mask, at.flags);
  case ge:
    return compareAs<T, ge>(a, b, mask, at.flags);
  default:
    forLanes(mask, [&](int l) {
      result |= Mask(holds(at.kind, valueOf<T>(a[l], at.flags),
                           valueOf<T>(b[l], at.flags)))
                << l;
    });
    return result;
  }
}

/// setp.CMP.BOOL p|q, a, b, c: `offset` is the letter of BOOL.
template <typename T>
void setPredicate(Warp &warp, const Instruction &at, Mask mask) {
  Mask is = compare<T>(warp, at, mask), not_ = ~is;
  if (at.offset) {
    Mask c = warp.readPredicate(at, 0);
    auto join = [&](Mask a) {
      return at.offset == 'a' ? a & c : at.offset == 'o' ? a | c : a ^ c;
    };
    is = join(is);
    not_ = join(not_);
  }
  warp.setPredicate(at.toPredicate[0], mask, is);
  if (at.toPredicate[1] >= 0)
    warp.setPredicate(at.toPredicate[1], mask, not_);
}

/// setp.CMP.f16x2 p|q, a, b: of both halves.
template <typename T>
void setPredicates(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]);
  for (int half = 0; half < 2; ++half) {
    Mask is = 0;
    forLanes(mask, [&](int l) {
      is |=
          Mask(holds(at.kind, valueOf<T>(a[l] >> 16 * half & 0xffff, at.flags),
                     valueOf<T>(b[l] >> 16 * half & 0xffff, at.flags)))
          << l;
    });
    warp.setPredicate(at.toPredicate[half], mask, is);
  }
}

/// set.CMP.u32: all ones, set.CMP.f32: 1.
template <typename T>
void setValue(Warp &warp, const Instruction &at, Mask mask) {
  Mask is = compare<T>(warp, at, mask);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) { to[l] = is >> l & 1 ? uint64_t(at.offset) : 0; });
}

template <bool isSet> Handler pick(Type type) {
  Handler none = nullptr;
  auto shape = [](auto t) -> Handler {
    return isSet ? setValue<decltype(t)> : setPredicate<decltype(t)>;
  };
  switch (type) {
  case Type::f16:
    return shape(Half());
  case Type::bf16:
    return shape(BFloat());
  case Type::f16x2:
    return isSet ? none : setPredicates<Half>;
  case Type::bf16x2:
    return isSet ? none : setPredicates<BFloat>;
  case Type::f32:
    return shape(float());
  case Type::f64:
    return shape(double());
  default:
    return withInteger(type, none, shape);
  }
}

uint8_t takeComparison(Decoder &decoder) {
  int found = decoder.takeOne({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls",
                               "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
                               "geu", "num", "nan"});
  if (found < 0)
    decoder.fail("a comparison is missing");
  return uint8_t(found);
}

void decodeSetp(Decoder &decoder) {
  uint8_t comparison = takeComparison(decoder);
  int join = decoder.takeOne({"and", "or", "xor"});
  uint16_t flags = decoder.takeFloatFlags();
  Type type = decoder.takeType();
  decoder.expectOperands(join < 0 ? 3 : 4, join < 0 ? 3 : 4);
  const Operand &to = decoder.operands[0];
  bool isPair = to.kind == Operand::pair;
  bool isPacked = type == Type::f16x2 || type == Type::bf16x2;
  if (isPacked && (!isPair || join >= 0))
    decoder.fail("the emulator has no such form of this instruction");
  int32_t first = decoder.predicateResultOf(isPair ? to.parts[0] : to);
  int32_t second = isPair ? decoder.predicateResultOf(to.parts[1]) : -1;
  int32_t a = decoder.source(1, type), b = decoder.source(2, type);
  Instruction &made = decoder.emit(pick<false>(type));
  made.toPredicate[0] = first;
  made.toPredicate[1] = second;
  made.from[0] = a;
  made.from[1] = b;
  made.kind = comparison;
  made.flags = flags;
  made.offset = join < 0 ? 0 : "aox"[join];
  if (join >= 0)
    made.fromPredicate[0] = decoder.predicateSource(3, made, negated0);
}

void decodeSet(Decoder &decoder) {
  uint8_t comparison = takeComparison(decoder);
  uint16_t flags = decoder.takeFloatFlags();
  Type to = decoder.takeType(), type = decoder.takeType();
  if (bytesOf(to) != 4 || bytesOf(type) < 2)
    decoder.fail("the emulator has no such type of this instruction");
  Instruction &made = emitPlain(decoder, pick<true>(type), type, 2);
  made.kind = comparison;
  made.flags = flags;
  made.offset = to == Type::f32 ? 0x3f800000 : 0xffffffff;
}

void select(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]);
  uint64_t *to = warp.cells(at.to[0]);
  Mask chosen = warp.readPredicate(at, 0);
  forLanes(mask, [&](int l) { to[l] = chosen >> l & 1 ? a[l] : b[l]; });
}

void decodeSelp(Decoder &decoder) {
  Type type = decoder.takeType();
  decoder.expectOperands(4, 4);
  int32_t to = decoder.result(0), a = decoder.source(1, type),
          b = decoder.source(2, type);
  Instruction &made = decoder.emit(select);
  made.to[0] = to;
  made.from[0] = a;
  made.from[1] = b;
  made.fromPredicate[0] = decoder.predicateSource(3, made, negated0);
}

/// slct: by the sign of the third operand.
template <typename T>
void selectBySign(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]),
                 *c = warp.cells(at.from[2]);
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    to[l] = valueOf<T>(c[l], at.flags) >= 0 ? a[l] : b[l];
  });
}

template <typename T>
void testFloat(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *a = warp.cells(at.from[0]);
  Mask result = 0;
  forLanes(mask, [&](int l) {
    int kind = std::fpclassify(get<T>(a[l]));
    bool is[] = {kind != FP_INFINITE && kind != FP_NAN,
                 kind == FP_INFINITE,
                 kind != FP_NAN,
                 kind == FP_NAN,
                 kind == FP_NORMAL,
                 kind == FP_SUBNORMAL};
    result |= Mask(is[at.kind]) << l;
  });
  warp.setPredicate(at.toPredicate[0], mask, result);
}
} // namespace

void emulator::addComparisons(Decoders &all) {
  all["setp"] = decodeSetp;
  all["set"] = decodeSet;
  all["selp"] = decodeSelp;
  all["slct"] = [](Decoder &decoder) {
    uint16_t flags = decoder.takeFloatFlags();
    Type type = decoder.takeType(), sign = decoder.takeType();
    emitPlain(decoder,
              sign == Type::s32   ? selectBySign<int32_t>
              : sign == Type::f32 ? selectBySign<float>
                                  : nullptr,
              type, 3)
        .flags = flags;
  };
  all["testp"] = [](Decoder &decoder) {
    int kind = decoder.takeOne(
        {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
    if (kind < 0)
      decoder.fail("a property is missing");
    Type type = decoder.takeType();
    decoder.expectOperands(2, 2);
    int32_t to = decoder.predicateResult(0), from = decoder.source(1, type);
    Instruction &made = decoder.emit(type == Type::f32   ? testFloat<float>
                                     : type == Type::f64 ? testFloat<double>
                                                         : nullptr);
    made.toPredicate[0] = to;
    made.from[0] = from;
    made.kind = uint8_t(kind);
  };
}
