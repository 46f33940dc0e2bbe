//===- Atomics.cpp - atom, red --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Access.h"
#include "emulator/Floats.h"
#include "emulator/Handlers.h"

#include <algorithm>
#include <type_traits>

using namespace emulator;

namespace {
/// In the order of the names in `decode`.
enum Update : uint8_t {
  add,
  minimum,
  maximum,
  exchange,
  compareExchange,
  bitAnd,
  bitOr,
  bitXor,
  increase,
  decrease
};

template <typename T> T update(uint8_t what, T old, T b, T c) {
  if constexpr (std::is_integral_v<T>) {
    switch (Update(what)) {
    case add:
      return T(uint64_t(old) + uint64_t(b));
    case minimum:
      return std::min(old, b);
    case maximum:
      return std::max(old, b);
    case compareExchange:
      return old == b ? c : old;
    case bitAnd:
      return T(old & b);
    case bitOr:
      return T(old | b);
    case bitXor:
      return T(old ^ b);
    case increase:
      return old >= b ? T(0) : T(old + 1);
    case decrease:
      return old == 0 || old > b ? b : T(old - 1);
    case exchange:
      break;
    }
    return b;
  } else if constexpr (std::is_same_v<T, float>) {
    // Subnormal values are flushed in global memory by .add.f32 alone, which
    // the results here do not tell apart.
    return canonical(old + b);
  } else if constexpr (std::is_same_v<T, double>) {
    return old + b;
  } else {
    return fromDouble<T>(toDouble(old) + toDouble(b));
  }
}

/// The lanes one after another.
template <typename T>
void atomic(Warp &warp, const Instruction &at, Mask mask) {
  Access access(warp, at, mask, sizeof(T));
  const uint64_t *b = warp.cells(at.from[0]),
                 *c = at.from[1] < 0 ? b : warp.cells(at.from[1]);
  uint64_t *to = at.to[0] < 0 ? nullptr : warp.cells(at.to[0]);
  bool isChange = false;
  bool isChecked = access.isChecked();
  forLanes(mask, [&](int l) {
    if (isChecked)
      access.checkUpdate(l);
    T old;
    std::memcpy(&old, access[l], sizeof old);
    T made = update(at.kind, old, get<T>(b[l]), get<T>(c[l]));
    std::memcpy(access[l], &made, sizeof made);
    isChange |= std::memcmp(&old, &made, sizeof old) != 0;
    if (to)
      to[l] = put(old);
  });
  if (isChange)
    warp.launch.noteProgress();
}

Handler pick(Type type, uint8_t what) {
  if (isInteger(type))
    return withInteger(type, Handler(nullptr),
                       [](auto t) -> Handler { return atomic<decltype(t)>; });
  if (what != add)
    return nullptr;
  return type == Type::f32    ? atomic<float>
         : type == Type::f64  ? atomic<double>
         : type == Type::f16  ? atomic<Half>
         : type == Type::bf16 ? atomic<BFloat>
                              : nullptr;
}

template <bool hasResult> void decode(Decoder &decoder) {
  static const uint16_t orders[] = {0, 0, acquires, releases,
                                    acquires | releases};
  uint16_t order =
      orders[decoder.takeOne({"relaxed", "acquire", "release", "acq_rel"}) + 1];
  decoder.takeOne({"gpu", "sys", "cta", "cluster"});
  int space = decoder.takeOne({"global", "shared", "shared::cta"});
  int what = decoder.takeOne(
      {"add", "min", "max", "exch", "cas", "and", "or", "xor", "inc", "dec"});
  decoder.take("noftz");
  Type type = decoder.takeType();
  if (what < 0)
    decoder.fail("an operation is missing");
  size_t first = hasResult ? 1 : 0, count = what == compareExchange ? 3 : 2;
  decoder.expectOperands(first + count, first + count);
  int32_t to = hasResult ? decoder.result(0) : -1;
  int32_t b = decoder.source(first + 1, type);
  int32_t c = count == 3 ? decoder.source(first + 2, type) : -1;
  Instruction &made = decoder.emit(pick(type, uint8_t(what)));
  made.type = type;
  decoder.place(first, made,
                space < 0    ? Space::generic
                : space == 0 ? Space::global
                             : Space::shared);
  made.to[0] = to;
  made.from[0] = b;
  made.from[1] = c;
  made.kind = uint8_t(what);
  made.access = 0;
  made.flags = uint16_t(order | isStrong);
}
} // namespace

void emulator::addAtomics(Decoders &all) {
  all["atom"] = decode<true>;
  all["red"] = decode<false>;
}
