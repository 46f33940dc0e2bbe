//===- Warp.cpp - 32 lanes that run a program -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Warp.h"
#include "emulator/Launch.h"

#include <algorithm>

using namespace emulator;

/// `count` elements of `value`, where others were if any are left.
template <typename T>
static std::vector<T> take(std::vector<std::vector<T>> &spares, size_t count,
                           T value) {
  std::vector<T> result;
  if (!spares.empty()) {
    result.swap(spares.back());
    spares.pop_back();
  }
  result.assign(count, value);
  return result;
}

Warp::Warp(Block &block, int32_t number, int32_t threads)
    : block(block), launch(block.launch), program(block.launch.program),
      number(number),
      alive(threads >= lanes ? allLanes : (Mask(1) << threads) - 1),
      localBytes((program.localBytes + 15) / 16 * 16),
      registers(take(launch.spareRegisters, size_t(program.slots) * lanes,
                     uint64_t(0xdbdbdbdbdbdbdbdb))),
      predicates(size_t(program.predicates)),
      localMemory(
          take(launch.spareLocal, size_t(localBytes) * lanes, char(0xdb))) {
  std::fill_n(places, lanes, program.entry);
  for (auto [slot, value] : program.fixedPredicates)
    predicates[size_t(slot)] = value;
  fillConstants();
}

Warp::~Warp() {
  launch.spareRegisters.push_back(std::move(registers));
  launch.spareLocal.push_back(std::move(localMemory));
}

void Warp::fillConstants() {
  const Grid &grid = launch.grid;
  auto thread = [&](uint64_t which, int lane) -> uint64_t {
    int d = int(which % 4);
    if (which / 4 == 1)
      return block.index[d];
    if (which / 4 == 2)
      return grid.threads[d];
    if (which / 4 == 3)
      return grid.blocks[d];
    uint64_t index = uint64_t(number) * lanes + uint64_t(lane);
    uint64_t x = grid.threads[0], y = grid.threads[1];
    return d == 0 ? index % x : d == 1 ? index / x % y : index / x / y;
  };
  auto special = [&](uint64_t which, int lane) -> uint64_t {
    switch (Special(which)) {
    case laneNumber:
      return uint64_t(lane);
    case warpNumber:
      return uint64_t(number);
    case warpCount:
      return (grid.threadCount() + lanes - 1) / lanes;
    case laneBit:
      return uint64_t(1) << lane;
    case lowerLanes:
      return (uint64_t(1) << lane) - 1;
    }
    return 0;
  };
  for (const Constant &constant : program.constants) {
    uint64_t *to = cells(constant.slot), value = constant.value;
    for (int lane = 0; lane < lanes; ++lane)
      to[lane] = constant.source == Source::thread    ? thread(value, lane)
                 : constant.source == Source::special ? special(value, lane)
                 : constant.source == Source::dynamicShared
                     ? (program.sharedBytes + 15) / 16 * 16
                     : value;
  }
}

/// Takes the lanes at the lowest place; those that a time slice left out first:
/// the others may wait for them.
void Warp::choose() {
  Mask ready = alive & ~waiting & ~parked;
  isBroken = false;
  active = 0;
  if (!ready)
    return;
  place = INT32_MAX;
  if (starved & ready) {
    place = places[__builtin_ctz(starved & ready)];
  } else if (launch.options.seed) {
    auto skipped = launch.random(uint32_t(__builtin_popcount(ready)));
    Mask rest = ready;
    while (skipped--)
      rest &= rest - 1;
    place = places[__builtin_ctz(rest)];
  } else {
    forLanes(ready, [&](int lane) { place = std::min(place, places[lane]); });
  }
  starved = 0;
  limit = INT32_MAX;
  forLanes(ready, [&](int lane) {
    if (places[lane] == place)
      active |= Mask(1) << lane;
    else if (places[lane] > place)
      limit = std::min(limit, places[lane]);
  });
}

int64_t Warp::run(int64_t most) {
  const Instruction *code = program.code.data();
  int64_t done = 0, executed = 0;
  choose();
  Mask ran = active;
  while (active && done < most) {
    const Instruction &at = code[place];
    Mask mask = active;
    if (at.guard >= 0)
      mask &=
          at.flags & negatedGuard ? ~predicate(at.guard) : predicate(at.guard);
    ++done;
    executed += __builtin_popcount(active);
    if (mask || at.flags & isControl)
      at.handler(*this, at, mask);
    if (!isBroken && ++place < limit)
      continue;
    if (!isBroken)
      forLanes(active, [&](int lane) { places[lane] = place; });
    choose();
    ran |= active;
  }
  forLanes(active, [&](int lane) { places[lane] = place; });
  starved = alive & ~waiting & ~parked & ~ran;
  launch.counts.warpInstructions += uint64_t(done);
  launch.counts.instructions += uint64_t(executed);
  return done;
}

void Warp::branch(Mask mask, int32_t target) {
  if (mask == active && target < limit) {
    place = target - 1;
    return;
  }
  if (!mask)
    return;
  forLanes(active, [&](int lane) {
    places[lane] = mask >> lane & 1 ? target : place + 1;
  });
  isBroken = true;
}

void Warp::branchTo(Mask mask, const uint64_t *targets) {
  forLanes(active, [&](int lane) {
    places[lane] = mask >> lane & 1 ? int32_t(targets[lane]) : place + 1;
  });
  isBroken = true;
}

void Warp::exit(Mask mask) {
  if (!mask)
    return;
  forLanes(active, [&](int lane) { places[lane] = place + 1; });
  alive &= ~mask;
  isBroken = true;
  block.exit(__builtin_popcount(mask));
  // Others may have waited for these.
  parked = 0;
}

bool Warp::gather(Mask &mask, const uint64_t *members) {
  Mask here = mask;
  forLanes(parked, [&](int lane) {
    if (places[lane] == place)
      here |= Mask(1) << lane;
  });
  Mask named = Mask(members[__builtin_ctz(mask)]);
  const Instruction &at = program.code[size_t(place)];
  forLanes(here, [&](int lane) {
    if (Mask(members[lane]) != named)
      fail(arrt::cuda::launchFailed, at, "lanes name different lanes", lane);
    if (!(named >> lane & 1))
      fail(arrt::cuda::launchFailed, at, "the lane does not name itself", lane);
  });
  if (named & alive & ~here) {
    forLanes(active, [&](int lane) {
      places[lane] = mask >> lane & 1 ? place : place + 1;
    });
    parked |= mask;
    isBroken = true;
    return false;
  }
  // Those that came first go on with the group.
  parked &= ~here;
  active |= here;
  mask = here;
  return true;
}

void Warp::wait(Mask mask, int32_t barrier) {
  forLanes(active, [&](int lane) { places[lane] = place + 1; });
  waiting |= mask;
  waitingAt[barrier] |= mask;
  isBroken = true;
}

void Warp::open(int32_t barrier) {
  waiting &= ~waitingAt[barrier];
  waitingAt[barrier] = 0;
}

void Warp::fail(arrt::cuda::Result code, const Instruction &at,
                const std::string &why, int lane) const {
  std::string text = "kernel '" + program.name + "', " + program.describe(at) +
                     ": " + why + " (block ";
  for (int d = 0; d < 3; ++d)
    text += (d ? ", " : "") + std::to_string(block.index[d]);
  text += lane < 0 ? ", warp " + std::to_string(number)
                   : ", thread " + std::to_string(number * lanes + lane);
  throw Fault{code, text + ")"};
}

std::string Warp::describeWaiting() const {
  Mask held = alive & (waiting | parked);
  if (!held)
    held = alive;
  int lane = __builtin_ctz(held);
  int32_t at = places[lane] - (waiting >> lane & 1 ? 1 : 0);
  return "thread " + std::to_string(number * lanes + lane) + " at " +
         program.describe(program.code[size_t(at)]);
}
