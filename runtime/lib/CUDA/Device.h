//===- Device.h - CUDA cards as devices ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CUDA_DEVICE_H
#define ARRT_CUDA_DEVICE_H

#include "Core/Device.h"

#include <memory>
#include <string>
#include <vector>

namespace arrt {

/// Opens a card: its primary context and one stream. Null with the reason in
/// `error`, a line of help behind it.
std::unique_ptr<Device> makeCUDADevice(int32_t number, std::string &error);
/// Adds the cards to the list of devices, or an entry that says why there is
/// none.
void listCUDADevices(std::vector<arrt_device_info> &infos);

} // namespace arrt

#endif // ARRT_CUDA_DEVICE_H
