//===- DeviceRecord.cpp - what failing checks of kernels leave ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Launch.h"

#include <algorithm>
#include <cstring>

using namespace arrt;

static constexpr uint64_t noKey = ~uint64_t(0);
static_assert(ARRT_RECORD_INDEX_BITS == ErrorRecord::indexBits,
              "the host and devices order failures alike");
static_assert(ARRT_RECORD_VALUES <= ErrorRecord::maxValues &&
                  8 + 8 * ARRT_RECORD_VALUES <= ARRT_RECORD_STRIDE,
              "all values of a slot can be kept");

int32_t DeviceRecord::make(Device &device) {
  if (data)
    return ARRT_STATUS_OK;
  data = device.allocateRecord(ARRT_RECORD_BYTES);
  isClean = false;
  if (!data)
    return ARRT_STATUS_MEMORY;
  // Slots are read whole, whatever of them is written.
  return device.fill(data, 0, 8, ARRT_RECORD_BYTES);
}

int32_t DeviceRecord::prepare(Device &device) {
  if (int32_t status = make(device))
    return status;
  if (!isClean) {
    unsigned char head[ARRT_RECORD_FIRST] = {};
    std::memcpy(head + ARRT_RECORD_KEY, &noKey, sizeof noKey);
    if (int32_t status = device.copyIn(data, head, sizeof head))
      return status;
  }
  isClean = isUsed = true;
  return ARRT_STATUS_OK;
}

int32_t DeviceRecord::readBack(Device &device, ErrorRecord &to) {
  if (!isUsed)
    return ARRT_STATUS_OK;
  isUsed = false;
  unsigned char head[ARRT_RECORD_FIRST];
  if (int32_t status = device.copyOut(head, data, sizeof head))
    return status;
  uint64_t key;
  uint32_t count;
  std::memcpy(&key, head + ARRT_RECORD_KEY, sizeof key);
  std::memcpy(&count, head + ARRT_RECORD_COUNT, sizeof count);
  if (key == noKey)
    return ARRT_STATUS_OK;
  isClean = false;
  count = std::min<uint32_t>(count, ARRT_RECORD_SLOTS);
  std::vector<unsigned char> slots(size_t(count) * ARRT_RECORD_STRIDE);
  auto *first = static_cast<const char *>(data) + ARRT_RECORD_FIRST;
  if (count)
    if (int32_t status =
            device.copyOut(slots.data(), first, int64_t(slots.size())))
      return status;
  int64_t values[ARRT_RECORD_VALUES];
  int32_t found = lostValues;
  for (uint32_t s = 0; s < count && found == lostValues; ++s) {
    const unsigned char *slot = slots.data() + size_t(s) * ARRT_RECORD_STRIDE;
    uint64_t mine;
    std::memcpy(&mine, slot, sizeof mine);
    if (mine != key)
      continue;
    found = ARRT_RECORD_VALUES;
    std::memcpy(values, slot + sizeof mine, sizeof values);
  }
  to.note(int32_t(key >> ARRT_RECORD_INDEX_BITS),
          int64_t(key & ((uint64_t(1) << ARRT_RECORD_INDEX_BITS) - 1)), found,
          values);
  return ARRT_STATUS_OK;
}

void DeviceRecord::forget() {
  if (isUsed)
    isClean = false;
  isUsed = false;
}

void DeviceRecord::release(Device &device) {
  if (data)
    device.release(data, ARRT_RECORD_BYTES);
  data = nullptr;
}
