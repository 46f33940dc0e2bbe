//===- DeviceCounter.cpp - what blocks of a launch count themselves by ----===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Launch.h"

using namespace arrt;

int32_t DeviceCounter::make(Device &device) {
  if (data)
    return ARRT_STATUS_OK;
  data = device.allocate(bytes);
  if (!data)
    return ARRT_STATUS_MEMORY;
  return device.fill(data, 0, bytes, bytes);
}

void DeviceCounter::release(Device &device) {
  if (data)
    device.release(data, bytes);
  data = nullptr;
}
