//===- ResultSlots.cpp - results that kernels leave on the host -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/ResultSlots.h"
#include "Core/Device.h"

using namespace arrt;

int ResultSlots::numberOf(const void *data) const {
  auto at = reinterpret_cast<uintptr_t>(data),
       first = reinterpret_cast<uintptr_t>(memory);
  if (!memory || at < first || at >= first + count * slotBytes)
    return -1;
  return int((at - first) / slotBytes);
}

void *ResultSlots::take(Device &device) {
  if (!memory && !isRefused) {
    memory = static_cast<char *>(device.allocateOnHost(count * slotBytes));
    isRefused = !memory;
  }
  if (isRefused || taken == ~uint64_t(0))
    return nullptr;
  int number = __builtin_ctzll(~taken);
  taken |= uint64_t(1) << number;
  return memory + number * slotBytes;
}

bool ResultSlots::give(void *slot) {
  int number = numberOf(slot);
  if (number < 0)
    return false;
  taken &= ~(uint64_t(1) << number);
  return true;
}

void ResultSlots::release(Device &device) {
  if (memory)
    device.releaseOnHost(memory);
  memory = nullptr;
  taken = 0;
}
