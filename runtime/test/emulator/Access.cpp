//===- Access.cpp - from addresses to memory ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Access.h"

#include <cstdio>

using namespace emulator;

Access::Access(Warp &warp, const Instruction &at, Mask mask, uint64_t bytes,
               uint64_t used)
    : warp(warp), at(at), mask(mask), bytes(used) {
  const uint64_t *base = at.address < 0 ? nullptr : warp.cells(at.address);
  uint64_t addresses[lanes];
  if (warp.launch.isEarly && at.space <= Space::global &&
      mask & ~warp.hasWaited)
    warp.fail(arrt::cuda::launchFailed, at,
              "does not wait for the launch before",
              __builtin_ctz(mask & ~warp.hasWaited));
  Range range = warp.launch.ranges[size_t(at.access)];
  uint64_t low = bytes - 1;
  forLanes(mask, [&](int l) {
    uint64_t address = (base ? base[l] : 0) + uint64_t(at.offset);
    addresses[l] = address;
    places[l] = at.space <= Space::global && range.holds(address, used) &&
                        !(address & low)
                    ? range.locate(address)
                    : resolve(address, low, l);
  });
  if (!warp.launch.counts.accesses.empty())
    warp.launch.counts.note(at, addresses, mask, bytes);
}

bool Access::isChecked() const {
  return at.space != Space::local && (warp.launch.races || warp.launch.written);
}

void Access::checkLoads() const {
  if (!isChecked())
    return;
  forLanes(mask, [&](int l) {
    if (warp.launch.written &&
        !warp.launch.written->holds(uint64_t(uintptr_t(places[l])), bytes))
      warp.fail(arrt::cuda::launchFailed, at, "nothing was stored there", l);
    if (warp.launch.races)
      warp.launch.races->load(warp, at, l, places[l], bytes,
                              at.flags & isStrong);
  });
}

void Access::checkStore(int lane, const void *value) const {
  if (warp.launch.written)
    warp.launch.written->add(uint64_t(uintptr_t(places[lane])), bytes);
  if (warp.launch.races)
    warp.launch.races->store(warp, at, lane, places[lane], bytes,
                             at.flags & isStrong,
                             std::memcmp(places[lane], value, bytes) == 0);
}

void Access::checkUpdate(int lane) const {
  if (warp.launch.written &&
      !warp.launch.written->holds(uint64_t(uintptr_t(places[lane])), bytes))
    warp.fail(arrt::cuda::launchFailed, at, "nothing was stored there", lane);
  if (!warp.launch.races)
    return;
  warp.launch.races->load(warp, at, lane, places[lane], bytes, true);
  warp.launch.races->store(warp, at, lane, places[lane], bytes, true, false);
}

char *Access::resolve(uint64_t address, uint64_t low, int lane) const {
  if (address & low)
    fail("is not aligned", address, lane);
  Space space = at.space;
  uint64_t offset = address;
  if (space == Space::generic && address >= sharedWindow) {
    bool isShared = address - sharedWindow < windowBytes;
    space = isShared ? Space::shared : Space::local;
    offset = address - (isShared ? sharedWindow : localWindow);
  }
  if (space == Space::shared) {
    auto &shared = warp.block.shared;
    if (offset > shared.size() || bytes > shared.size() - offset)
      fail("is outside of shared memory", offset, lane);
    return &shared[size_t(offset)];
  }
  if (space == Space::local) {
    if (offset > warp.localBytes || bytes > warp.localBytes - offset)
      fail("is outside of local memory", offset, lane);
    return warp.local(lane) + offset;
  }
  Range range = warp.launch.memory.find(address);
  if (!range.holds(address, bytes))
    fail("is outside of what is allocated", address, lane);
  warp.launch.ranges[size_t(at.access)] = range;
  return range.locate(address);
}

void Access::fail(const char *why, uint64_t address, int lane) const {
  char text[64];
  std::snprintf(text, sizeof text, "address 0x%llx of %d bytes ",
                static_cast<unsigned long long>(address), int(bytes));
  std::string about = text + std::string(why);
  Range near = warp.launch.memory.find(address);
  if (at.space <= Space::global && near.end && !near.holds(address, bytes)) {
    std::snprintf(text, sizeof text, ": %lld bytes behind a piece of %lld",
                  static_cast<long long>(address - near.end),
                  static_cast<long long>(near.end - near.begin));
    about += text;
  }
  warp.fail(arrt::cuda::illegalAddress, at, about, lane);
}
