//===- Devices.h - which devices there are ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_DEVICES_H
#define ARRT_CORE_DEVICES_H

#include "Core/Device.h"

#include <vector>

namespace arrt {

/// An entry with all zero but the kind of device.
arrt_device_info makeDeviceInfo(int32_t target, int32_t device);
/// Copies a text into a field of an entry, cut where it does not fit.
template <size_t size> void setText(char (&field)[size], const char *text) {
  size_t at = 0;
  for (; text && text[at] && at + 1 < size; ++at)
    field[at] = text[at];
  field[at] = 0;
}

/// Opens the device of this kind and number; null with the reason in `error`,
/// a line of help behind it.
std::unique_ptr<Device> makeDevice(int32_t target, int32_t device,
                                   std::string &error);

class Ranks;

/// Opens the devices that the options name, as one in `parts` parts; 0: one a
/// device. Null with the reason in `error`.
std::unique_ptr<Device> makeDevices(const arrt_options &options, int64_t parts,
                                    Device *host, std::string &error);

/// The same in several processes, with `parts` in all of them. Those of one
/// machine share its cards: all, where the options name the first alone. Where
/// another process has failed `error` is empty.
std::unique_ptr<Device> makeDevices(const arrt_options &options, int64_t parts,
                                    Device *host, Ranks &ranks,
                                    std::string &error);

} // namespace arrt

#endif // ARRT_CORE_DEVICES_H
