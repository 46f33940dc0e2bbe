//===- Exchanges.cpp - between the lanes of a warp ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Handlers.h"

#include <algorithm>

using namespace emulator;

namespace {
/// What a lane that does not take part gives: nothing that looks right.
constexpr uint32_t poison = 0xdbdbdbdb;

enum Direction : uint8_t { up, down, butterfly, byIndex };

void shuffle(Warp &warp, const Instruction &at, Mask mask) {
  if (!warp.gather(mask, warp.cells(at.from[3])))
    return;
  const uint64_t *a = warp.cells(at.from[0]), *b = warp.cells(at.from[1]),
                 *c = warp.cells(at.from[2]);
  uint64_t *to = warp.cells(at.to[0]), result[lanes];
  Mask isInside = 0;
  forLanes(mask, [&](int l) {
    int by = int(b[l] & 31), clamp = int(c[l] & 31),
        segment = int(c[l] >> 8 & 31);
    int last = (l & segment) | (clamp & ~segment), first = l & segment;
    int from = at.kind == up          ? l - by
               : at.kind == down      ? l + by
               : at.kind == butterfly ? l ^ by
                                      : first | (by & ~segment);
    bool isIn = at.kind == up ? from >= last : from <= last;
    isInside |= Mask(isIn) << l;
    from = isIn ? from : l;
    result[l] = mask >> from & 1 ? uint32_t(a[from]) : poison;
  });
  forLanes(mask, [&](int l) { to[l] = result[l]; });
  if (at.toPredicate[0] >= 0)
    warp.setPredicate(at.toPredicate[0], mask, isInside);
}

void decodeShuffle(Decoder &decoder) {
  if (!decoder.take("sync"))
    decoder.fail("expected .sync");
  int kind = decoder.takeOne({"up", "down", "bfly", "idx"});
  if (kind < 0 || !decoder.take("b32"))
    decoder.fail("expected .up, .down, .bfly or .idx, and .b32");
  decoder.expectOperands(5, 5);
  const Operand &to = decoder.operands[0];
  bool isPair = to.kind == Operand::pair;
  int32_t slot = decoder.resultOf(isPair ? to.parts[0] : to);
  int32_t predicate = isPair ? decoder.predicateResultOf(to.parts[1]) : -1;
  int32_t from[4];
  for (size_t k = 0; k < 4; ++k)
    from[k] = decoder.source(k + 1, Type::b32);
  Instruction &made = decoder.emit(shuffle);
  made.to[0] = slot;
  made.toPredicate[0] = predicate;
  std::copy_n(from, 4, made.from);
  made.kind = uint8_t(kind);
}

/// vote.sync: kind 0 all, 1 any, 2 uni, 3 ballot.
void vote(Warp &warp, const Instruction &at, Mask mask) {
  if (!warp.gather(mask, warp.cells(at.from[0])))
    return;
  Mask set = warp.readPredicate(at, 0) & mask;
  if (at.kind == 3) {
    uint64_t *to = warp.cells(at.to[0]);
    forLanes(mask, [&](int l) { to[l] = set; });
    return;
  }
  bool is = at.kind == 0   ? set == mask
            : at.kind == 1 ? set != 0
                           : set == 0 || set == mask;
  warp.setPredicate(at.toPredicate[0], mask, is ? allLanes : 0);
}

void decodeVote(Decoder &decoder) {
  if (!decoder.take("sync"))
    decoder.fail("expected .sync");
  int kind = decoder.takeOne({"all", "any", "uni", "ballot"});
  if (kind < 0 || !decoder.take(kind == 3 ? "b32" : "pred"))
    decoder.fail("expected .all, .any, .uni or .ballot, and a type");
  decoder.expectOperands(3, 3);
  int32_t to = kind == 3 ? decoder.result(0) : decoder.predicateResult(0);
  int32_t members = decoder.source(2, Type::b32);
  Instruction &made = decoder.emit(vote);
  (kind == 3 ? made.to : made.toPredicate)[0] = to;
  made.from[0] = members;
  made.kind = uint8_t(kind);
  made.fromPredicate[0] = decoder.predicateSource(1, made, negated0);
}

void activeMask(Warp &warp, const Instruction &at, Mask mask) {
  uint64_t *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) { to[l] = mask; });
}

enum Fold : uint8_t { foldAdd, foldMin, foldMax, foldAnd, foldOr, foldXor };

template <typename T> void fold(Warp &warp, const Instruction &at, Mask mask) {
  if (!warp.gather(mask, warp.cells(at.from[1])))
    return;
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t *to = warp.cells(at.to[0]);
  T result = get<T>(a[__builtin_ctz(mask)]);
  forLanes(mask & (mask - 1), [&](int l) {
    T value = get<T>(a[l]);
    result = at.kind == foldAdd   ? T(uint32_t(result) + uint32_t(value))
             : at.kind == foldMin ? std::min(result, value)
             : at.kind == foldMax ? std::max(result, value)
             : at.kind == foldAnd ? T(result & value)
             : at.kind == foldOr  ? T(result | value)
                                  : T(result ^ value);
  });
  forLanes(mask, [&](int l) { to[l] = put(result); });
}

void decodeFold(Decoder &decoder) {
  if (!decoder.take("sync"))
    decoder.fail("expected .sync");
  int kind = decoder.takeOne({"add", "min", "max", "and", "or", "xor"});
  if (kind < 0)
    decoder.fail("an operation is missing");
  Type type = decoder.takeType();
  Instruction &made =
      emitPlain(decoder,
                type == Type::s32                        ? fold<int32_t>
                : type == Type::u32 || type == Type::b32 ? fold<uint32_t>
                                                         : nullptr,
                type, 2);
  made.kind = uint8_t(kind);
}

/// match.any.sync: the lanes with the same value.
template <typename T>
void matchAny(Warp &warp, const Instruction &at, Mask mask) {
  if (!warp.gather(mask, warp.cells(at.from[1])))
    return;
  const uint64_t *a = warp.cells(at.from[0]);
  uint64_t result[lanes], *to = warp.cells(at.to[0]);
  forLanes(mask, [&](int l) {
    result[l] = 0;
    forLanes(mask, [&](int other) {
      result[l] |= uint64_t(get<T>(a[l]) == get<T>(a[other])) << other;
    });
  });
  forLanes(mask, [&](int l) { to[l] = result[l]; });
}
} // namespace

void emulator::addExchanges(Decoders &all) {
  all["shfl"] = decodeShuffle;
  all["vote"] = decodeVote;
  all["redux"] = decodeFold;
  all["activemask"] = [](Decoder &decoder) {
    emitPlain(decoder, activeMask, decoder.takeType(), 0);
  };
  all["match"] = [](Decoder &decoder) {
    if (!decoder.take("any") || !decoder.take("sync"))
      decoder.fail("the emulator knows match.any.sync alone");
    Type type = decoder.takeType();
    emitPlain(decoder,
              bytesOf(type) == 8 ? matchAny<uint64_t> : matchAny<uint32_t>,
              type, 2);
  };
}
