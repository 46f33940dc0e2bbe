//===- Device.h - the CPU as a device --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CPU_DEVICE_H
#define ARRT_CPU_DEVICE_H

#include "Core/Device.h"

#include <memory>
#include <vector>

namespace arrt {

/// The machine's cores as one device with `threads` workers; 0: one for each
/// core that this process may use.
std::unique_ptr<Device> makeCPUDevice(int64_t threads);
/// Adds the machine's entry to the list of devices.
void listCPUDevices(std::vector<arrt_device_info> &infos);

} // namespace arrt

#endif // ARRT_CPU_DEVICE_H
