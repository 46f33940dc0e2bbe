//===- Staging.h - copies by way of pinned memory --------------*- C++ -*-===//
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
/// Large copies from and to memory that is not pinned go at the speed of the
/// one thread that the driver copies with. They are cut into pieces that go
/// through two pinned buffers: all cores fill or empty one while the card works
/// on the other.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CUDA_STAGING_H
#define ARRT_CUDA_STAGING_H

#include "CUDA/Driver.h"

namespace arrt {
class Device;
}

namespace arrt::cuda {

class CUDADevice;

/// Pinned memory of a device's stream; made when it is first needed. The
/// context is current in all calls; statuses are with the device's error.
class Staging {
public:
  /// The largest piece that goes this way.
  static constexpr int64_t mostBytes = 1 << 16;
  /// Starts a copy of at most mostBytes whose source is free to change.
  int32_t copyIn(CUDADevice &device, Address to, const void *host,
                 size_t bytes);
  /// The largest piece that copyOut brings.
  static constexpr int64_t mostBackBytes = 1 << 12;
  /// Copies at most mostBackBytes, which are there when it returns: the driver
  /// takes longer for memory that is not pinned.
  int32_t copyOut(CUDADevice &device, void *host, Address from, size_t bytes);
  /// True if a copy is better cut into pieces, by these cores (may be null).
  bool isLarge(const Device *cores, int64_t bytes) const;
  /// Copies in either direction by all cores. When it returns the source may
  /// change or the target is there.
  int32_t copyLargeIn(CUDADevice &device, Device &cores, Address to,
                      const void *host, size_t bytes);
  int32_t copyLargeOut(CUDADevice &device, Device &cores, void *host,
                       Address from, size_t bytes);
  /// Gives the memory back; nothing may be going on.
  void release(const Driver &driver);

private:
  /// Two pieces of pinned memory that take turns.
  struct Pair {
    char *memory = nullptr;
    EventRef events[2] = {nullptr, nullptr}; ///< behind the copies of each
    bool isRecorded[2] = {false, false};
  };
  static constexpr size_t halfBytes = size_t(1) << 20, pieceBytes = size_t(1)
                                                                    << 24;
  int32_t make(CUDADevice &device, Pair &pair, size_t bytes);
  int32_t record(CUDADevice &device, Pair &pair, int which);
  int32_t wait(CUDADevice &device, Pair &pair, int which);
  static void release(const Driver &driver, Pair &pair);

  Pair small, large;
  int half = 0;         ///< of the small ones: the one that is filled
  size_t used = 0;      ///< of it
  void *back = nullptr; ///< of copyOut
};

} // namespace arrt::cuda

#endif // ARRT_CUDA_STAGING_H
