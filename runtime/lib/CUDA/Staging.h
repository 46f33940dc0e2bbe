//===- Staging.h - small uploads that do not wait --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A copy from memory that is not pinned may make the driver wait for the
/// stream. Small pieces are put into pinned memory first, of which there are
/// two halves: while one is filled, the copies out of the other end. A half is
/// waited for only when it comes round again.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CUDA_STAGING_H
#define ARRT_CUDA_STAGING_H

#include "CUDA/Driver.h"

namespace arrt::cuda {

class CUDADevice;

/// Pinned memory of a device's stream; made when it is first needed.
class Staging {
public:
  /// The largest piece that goes this way.
  static constexpr int64_t mostBytes = 1 << 16;
  /// Starts a copy whose source is free to change. The context is current.
  /// Returns a status, with the device's error.
  int32_t copyIn(CUDADevice &device, Address to, const void *host,
                 size_t bytes);
  /// Gives the memory back; nothing may be going on.
  void release(const Driver &driver);

private:
  static constexpr size_t halfBytes = size_t(1) << 20;
  char *memory = nullptr;
  EventRef events[2] = {nullptr, nullptr}; ///< behind the copies of each half
  bool isRecorded[2] = {false, false};
  int half = 0;
  size_t used = 0; ///< of this half
};

} // namespace arrt::cuda

#endif // ARRT_CUDA_STAGING_H
