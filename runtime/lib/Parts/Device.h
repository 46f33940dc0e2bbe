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

class Ranks;

/// The most devices that can be one.
inline constexpr size_t mostParts = 64;

/// Arrays of fewer bytes a device come to the first one as a whole.
inline constexpr int64_t leastShare = 256;

/// Devices of one kind as one: memory of it is memory of all of them, launches
/// are cut and each part run where its share of the arrays is. `devices` may
/// hold one card several times over, each with a stream of its own.
std::unique_ptr<Device>
makePartsDevice(std::vector<std::unique_ptr<Device>> devices);

/// Where a part runs: in which process, and on which of its devices.
struct PartPlace {
  int rank = 0, device = 0;
};

/// The same in several processes, which call it with the same places. Each has
/// its own devices among them, and a RemoteDevice in place of each other one.
std::unique_ptr<Device>
makePartsDevice(std::vector<std::unique_ptr<Device>> devices, Ranks &ranks,
                std::vector<PartPlace> places);

} // namespace arrt

#endif // ARRT_PARTS_DEVICE_H
