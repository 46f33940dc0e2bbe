//===- LoadStore.cpp - loads and stores -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Access.h"
#include "emulator/Handlers.h"

#include <algorithm>

using namespace emulator;

namespace {
template <typename T> void load(Warp &warp, const Instruction &at, Mask mask) {
  int count = std::min(at.count, at.used);
  Access access(warp, at, mask, sizeof(T) * at.count,
                sizeof(T) * size_t(count));
  access.checkLoads();
  for (int k = 0; k < count; ++k) {
    uint64_t *to = warp.cells(at.to[k]);
    forLanes(mask, [&](int l) {
      T value;
      std::memcpy(&value, access[l] + size_t(k) * sizeof(T), sizeof value);
      to[l] = put(value);
    });
  }
}

template <typename T> void store(Warp &warp, const Instruction &at, Mask mask) {
  Access access(warp, at, mask, sizeof(T) * at.count);
  // All of a lane before the next: the last lane wins.
  forLanes(mask, [&](int l) {
    if (access.isChecked()) {
      T made[4];
      for (int k = 0; k < at.count; ++k)
        made[k] = get<T>(warp.cells(at.from[k])[l]);
      access.checkStore(l, made);
    }
    for (int k = 0; k < at.count; ++k) {
      T value = get<T>(warp.cells(at.from[k])[l]);
      std::memcpy(access[l] + size_t(k) * sizeof(T), &value, sizeof value);
    }
  });
  if (at.space != Space::local)
    warp.launch.noteProgress();
}

/// Of arguments, at a place that is decoded or in a register.
template <typename T>
void loadParameter(Warp &warp, const Instruction &at, Mask mask) {
  const uint64_t *base = at.address < 0 ? nullptr : warp.cells(at.address);
  const std::vector<char> &all = warp.launch.parameters;
  forLanes(mask, [&](int l) {
    uint64_t place = (base ? base[l] : 0) + uint64_t(at.offset);
    if (place > all.size() || all.size() - place < sizeof(T) * size_t(at.count))
      warp.fail(arrt::cuda::illegalAddress, at, "outside of the parameters", l);
    for (int k = 0; k < at.count; ++k) {
      T value;
      std::memcpy(&value, &all[size_t(place) + size_t(k) * sizeof(T)],
                  sizeof value);
      warp.cells(at.to[k])[l] = put(value);
    }
  });
}

/// The space of an opcode; .param is decided by the operand.
Space takeSpace(Decoder &decoder) {
  switch (decoder.takeOne({"global", "const", "shared", "shared::cta", "local",
                           "param", "param::entry", "param::func"})) {
  case 0:
  case 1:
    return Space::global;
  case 2:
  case 3:
    return Space::shared;
  case 4:
    return Space::local;
  case 5:
  case 6:
  case 7:
    return Space::param;
  default:
    return Space::generic;
  }
}

/// How an access is ordered and cached: all happen in order here.
uint16_t takeOrder(Decoder &decoder) {
  static const uint16_t flags[] = {
      0, 0, isStrong, isStrong, isStrong | acquires, isStrong | releases};
  int order =
      decoder.takeOne({"weak", "relaxed", "volatile", "acquire", "release"});
  decoder.takeOne({"gpu", "sys", "cta", "cluster"});
  decoder.takeOne({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  decoder.takeOne({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first",
                   "L1::evict_last", "L1::no_allocate"});
  decoder.takeOne({"L2::64B", "L2::128B", "L2::256B"});
  return flags[order + 1];
}

template <bool isLoad> void decode(Decoder &decoder) {
  uint16_t order = takeOrder(decoder);
  bool isConstant = isLoad && decoder.take("nc");
  order |= takeOrder(decoder);
  Space space = takeSpace(decoder);
  if (isConstant && space != Space::global)
    decoder.fail("expected .global");
  int vector = decoder.takeOne({"v2", "v4"});
  size_t count = vector < 0 ? 1 : vector ? 4 : 2;
  Type type = decoder.takeType();
  decoder.expectOperands(2, 2);
  const Operand &value = decoder.operands[isLoad ? 0 : 1];
  if (count > 1 &&
      (value.kind != Operand::vector || value.parts.size() != count))
    decoder.fail("not so many values");
  int32_t slots[4];
  for (size_t k = 0; k < count; ++k) {
    const Operand &part = count > 1 ? value.parts[k] : value;
    slots[k] = isLoad ? decoder.resultOf(part) : decoder.sourceOf(part, type);
  }
  // Floats are bits here.
  Type bits = isInteger(type)      ? type
              : bytesOf(type) == 8 ? Type::b64
              : bytesOf(type) == 4 ? Type::b32
                                   : Type::b16;
  Instruction access;
  access.type = type;
  access.count = uint8_t(count);
  access.flags = order;
  decoder.place(isLoad ? 1 : 0, access, space);
  bool isParameter = access.space == Space::param;
  if (isParameter && !isLoad)
    decoder.fail("a parameter of a kernel is stored to");
  if (bytesOf(type) * int(count) > 16 || type == Type::pred)
    decoder.fail("the emulator has no such type of this instruction");
  Handler handler = withInteger(bits, Handler(nullptr), [&](auto t) -> Handler {
    using T = decltype(t);
    return !isLoad ? store<T> : isParameter ? loadParameter<T> : load<T>;
  });
  Instruction &made = decoder.emit(handler);
  access.handler = handler;
  access.line = made.line;
  access.access = isParameter ? -1 : 0;
  access.kind = isLoad ? 'l' : 's';
  std::copy_n(slots, count, isLoad ? access.to : access.from);
  made = access;
}

void nothing(Warp &, const Instruction &, Mask) {}
} // namespace

void emulator::addMemory(Decoders &all) {
  all["ld"] = decode<true>;
  all["ldu"] = decode<true>;
  all["st"] = decode<false>;
  // Only tells the caches.
  all["prefetch"] = [](Decoder &decoder) {
    takeSpace(decoder);
    decoder.takeOne({"L1", "L2"});
    decoder.emit(nothing);
  };
}
