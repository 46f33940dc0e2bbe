//===- RemoteDevice.h - a device of another process ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_RANKS_REMOTEDEVICE_H
#define ARRT_RANKS_REMOTEDEVICE_H

#include "Core/Device.h"

#include <memory>

namespace arrt {

/// Stands for a device that another rank has: what is asked of it is done
/// there, by the same call. Its memory has no addresses here.
std::unique_ptr<Device> makeRemoteDevice();

} // namespace arrt

#endif // ARRT_RANKS_REMOTEDEVICE_H
