//===- Checks.cpp - races and memory that was never written ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Checks.h"
#include "emulator/Launch.h"

#include <algorithm>
#include <cstdlib>

using namespace emulator;

bool emulator::isCheckOn(const char *name) {
  const char *list = std::getenv("ARRC_EMULATOR_CHECK");
  return list && std::strstr(list, name);
}

Races::Shadow &Races::shadow(const char *place) {
  auto address = uint64_t(uintptr_t(place));
  auto &page = pages[address / pageBytes];
  if (!page)
    page = std::make_unique<Page>();
  return page->bytes[address % pageBytes];
}

Races::Touch Races::touch(const Warp &warp, const Instruction &at, int lane,
                          bool isStrong) const {
  Touch now;
  now.block = uint32_t(warp.block.number);
  now.thread = uint32_t(warp.number * lanes + lane);
  now.epoch = warp.block.epoch;
  now.warpEpoch = warp.epoch;
  now.at = &at;
  now.isStrong = isStrong;
  return now;
}

bool Races::isOrdered(const Touch &before, const Touch &now) const {
  if (!before.at || (before.isStrong && now.isStrong))
    return true;
  if (before.block == now.block &&
      (before.thread == now.thread || before.epoch < now.epoch ||
       (before.thread / lanes == now.thread / lanes &&
        before.warpEpoch < now.warpEpoch)))
    return true;
  auto clock = seen.find(now.block);
  if (clock == seen.end())
    return false;
  auto found = clock->second.find(before.block);
  if (found == clock->second.end())
    return false;
  const Known &known = found->second;
  bool isBefore = before.epoch < known.epoch || (before.epoch == known.epoch &&
                                                 before.thread == known.thread);
  return isBefore &&
         (known.byThread == now.thread || known.atEpoch < now.epoch);
}

void Races::check(Warp &warp, const Touch &before, const Touch &now, int lane,
                  const char *what) const {
  if (isOrdered(before, now))
    return;
  warp.fail(arrt::cuda::launchFailed, *now.at,
            std::string("a race: thread ") + std::to_string(before.thread) +
                " of block " + std::to_string(before.block) + " " + what +
                " there, at " + warp.program.describe(*before.at) +
                ", and nothing orders the two",
            lane);
}

void Races::load(Warp &warp, const Instruction &at, int lane, const char *place,
                 uint64_t bytes, bool isStrong) {
  Touch now = touch(warp, at, lane, isStrong);
  if (isStrong)
    acquire(now, place);
  for (uint64_t i = 0; i < bytes; ++i) {
    Shadow &byte = shadow(place + i);
    check(warp, byte.writer, now, lane, "stored");
    if (byte.readers[0].block != now.block ||
        byte.readers[0].thread != now.thread)
      byte.readers[1] = byte.readers[0];
    byte.readers[0] = now;
  }
}

void Races::store(Warp &warp, const Instruction &at, int lane,
                  const char *place, uint64_t bytes, bool isStrong,
                  bool isSame) {
  Touch now = touch(warp, at, lane, isStrong);
  if (isStrong)
    release(now, place);
  for (uint64_t i = 0; i < bytes; ++i) {
    Shadow &byte = shadow(place + i);
    if (!isSame) {
      check(warp, byte.writer, now, lane, "stored");
      for (const Touch &reader : byte.readers)
        check(warp, reader, now, lane, "loaded");
    }
    byte.writer = now;
  }
}

void Races::merge(Clock &into, const Clock &from) {
  for (const auto &[block, known] : from) {
    auto [place, isNew] = into.emplace(block, known);
    if (!isNew && place->second.epoch < known.epoch)
      place->second = known;
  }
}

/// What the thread had done at its last fence is known to who reads this.
void Races::release(const Touch &now, const char *place) {
  if (now.at->flags & releases)
    fence(now);
  Thread &self = thread(now);
  if (self.hasFence)
    merge(variables[place], self.released);
}

void Races::acquire(const Touch &now, const char *place) {
  auto found = variables.find(place);
  if (found != variables.end())
    merge(thread(now).pending, found->second);
  if (now.at->flags & acquires)
    fence(now);
}

void Races::fence(const Touch &now) {
  Thread &self = thread(now);
  Clock &known = seen[now.block];
  for (auto &[block, what] : self.pending) {
    what.byThread = now.thread;
    what.atEpoch = now.epoch;
    auto [place, isNew] = known.emplace(block, what);
    if (!isNew && place->second.epoch <= what.epoch)
      place->second = what;
  }
  self.pending.clear();
  self.hasFence = true;
  self.released.clear();
  for (const auto &[block, what] : known)
    if (what.byThread == now.thread || what.atEpoch < now.epoch)
      self.released[block] = what;
  self.released[now.block] = {now.epoch, now.thread, 0, 0};
}

void Races::fence(Warp &warp, Mask mask) {
  static const Instruction none;
  forLanes(mask, [&](int l) { fence(touch(warp, none, l, true)); });
}

void Races::forget(const char *begin, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) {
    shadow(begin + i) = Shadow();
    variables.erase(begin + i);
  }
}

void Written::allocate(uint64_t begin, uint64_t bytes) {
  pieces[begin].assign(size_t(bytes), false);
}

void Written::add(uint64_t begin, uint64_t bytes) {
  auto next = pieces.upper_bound(begin);
  if (next == pieces.begin())
    return;
  auto &[start, piece] = *std::prev(next);
  for (uint64_t i = begin - start;
       i < begin - start + bytes && i < piece.size(); ++i)
    piece[size_t(i)] = true;
}

bool Written::holds(uint64_t begin, uint64_t bytes) const {
  auto next = pieces.upper_bound(begin);
  if (next == pieces.begin())
    return true;
  auto &[start, piece] = *std::prev(next);
  constexpr uint64_t word = 4;
  uint64_t step = bytes < word ? 1 : word;
  uint64_t end = std::min<uint64_t>(begin - start + bytes, piece.size());
  for (uint64_t at = begin - start; at < end; at += step) {
    auto first = piece.begin() + ptrdiff_t(at);
    auto last = piece.begin() + ptrdiff_t(std::min(at + step, end));
    if (std::find(first, last, true) == last)
      return false;
  }
  return true;
}
