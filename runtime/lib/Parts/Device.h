//===- Device.h - several devices as one -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_PARTS_DEVICE_H
#define ARRT_PARTS_DEVICE_H

#include "Core/Device.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace arrt {

/// The most devices that can be one.
inline constexpr size_t mostParts = 64;

/// Arrays of fewer bytes a device come to the first one as a whole.
inline constexpr int64_t leastShare = 256;

/// Devices of one kind as one: memory of it is memory of all of them, launches
/// are cut and each part run where its share of the arrays is. `devices` may
/// hold one card several times over, each with a stream of its own.
std::unique_ptr<Device>
makePartsDevice(std::vector<std::unique_ptr<Device>> devices);

} // namespace arrt

#endif // ARRT_PARTS_DEVICE_H
