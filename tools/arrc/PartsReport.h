//===- PartsReport.h - What a program would gain by more devices -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_PARTSREPORT_H
#define ARRC_TOOLS_ARRC_PARTSREPORT_H

#include "arrc/Analysis/GPU/HostWay.h"

#include "llvm/Support/raw_ostream.h"

namespace arrc::tool {

/// Devices, and the way between them.
struct DeviceFigures {
  int64_t devices = 0;     ///< 0: nothing is asked
  double bandwidth = 3000; ///< GB/s of the memory of one
  double link = 200;       ///< GB/s that one receives
  double latency = 5;      ///< microseconds that each copy takes besides
};

/// Says how the launches of a step are cut (those in loops of the host; without
/// loops all), what is exchanged, and how that goes on to 1024 devices.
void printParts(llvm::raw_ostream &os, const lanes::HostWay &way,
                const DeviceFigures &figures);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_PARTSREPORT_H
