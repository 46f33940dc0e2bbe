//===- Device.h - OpenCL devices -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_OPENCL_DEVICE_H
#define ARRT_OPENCL_DEVICE_H

#include "Core/Device.h"

#include <memory>
#include <string>
#include <vector>

namespace arrt {

/// Opens a device: a context and an in-order queue. Null with the reason in
/// `error`, a line of help behind it.
std::unique_ptr<Device> makeOpenCLDevice(int32_t number, std::string &error);
/// Adds the devices to the list, or an entry that says why there is none.
void listOpenCLDevices(std::vector<arrt_device_info> &infos);

} // namespace arrt

#endif // ARRT_OPENCL_DEVICE_H
