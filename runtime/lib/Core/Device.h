//===- Device.h - what the runtime asks of a device ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The interface behind which every device stands. A device moves memory and
/// runs tasks; pools, handles, files and errors are the same for all of them.
/// The conformance suite (runtime/test/conformance) runs against it.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_DEVICE_H
#define ARRT_CORE_DEVICE_H

#include "arrt/arrt.h"

#include <cstddef>
#include <cstdint>

namespace arrt {

/// One device of one context. Functions are called from the context's thread,
/// `allocate` and `release` from any.
class Device {
public:
  virtual ~Device() = default;

  /// A short name for messages: "cpu".
  virtual const char *name() const = 0;
  /// True if the host may read and write the memory of the device directly.
  virtual bool isHostVisible() const = 0;
  /// Bytes that can still be allocated, as well as that can be known.
  virtual int64_t freeMemory() const = 0;

  /// Memory aligned to ARRT_ALIGNMENT, or null. `bytes` is positive.
  virtual void *allocate(int64_t bytes) = 0;
  /// Gives memory of `allocate` back; `bytes` as asked for.
  virtual void release(void *data, int64_t bytes) = 0;

  /// Copies inside the device; the ranges do not overlap.
  virtual void copy(void *to, const void *from, int64_t bytes) = 0;
  /// Copies from the host, done when it returns.
  virtual void copyIn(void *to, const void *host, int64_t bytes) = 0;
  /// Copies to the host, done when it returns.
  virtual void copyOut(void *host, const void *from, int64_t bytes) = 0;
  /// Sets every byte.
  virtual void fill(void *data, uint8_t value, int64_t bytes) = 0;

  /// The number of workers that `parallel` uses, at least 1.
  virtual int64_t workers() const = 0;
  /// As arrt_parallel says.
  virtual void parallel(arrt_task_fn fn, void *env, int64_t tasks,
                        int64_t grain) = 0;
  /// Waits until all that was started is done; returns an arrt_status.
  virtual int32_t synchronize() = 0;
};

} // namespace arrt

#endif // ARRT_CORE_DEVICE_H
