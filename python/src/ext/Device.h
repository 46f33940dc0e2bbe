//===- Device.h - Contexts that calls share ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PYTHON_DEVICE_H
#define ARRC_PYTHON_DEVICE_H

#include "arrt/arrt.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace arrc::python {

/// One context of the runtime. All programs of the process that run on one
/// device with as many threads share it, so that an array of one is at home in
/// the others. It lives as long as an array or a program of it.
class Device {
public:
  /// The context of a device (`cpu`, `cuda:1`); `threads` 0 is the default.
  /// Throws nanobind's exceptions where the device cannot be used.
  static std::shared_ptr<Device> get(const std::string &name, int threads);
  /// Forgets all contexts: a forked process has none of their threads.
  static void forgetAll();
  /// The device itself; in a process that was forked from the one that made it,
  /// the same one of this process.
  static std::shared_ptr<Device> here(const std::shared_ptr<Device> &device);

  Device(arrt_context *ctx, std::string name, int32_t target, int32_t number,
         int threads);
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  /// Releases an array whose memory others may still read: at the next call.
  void releaseLater(arrt_array *array);
  /// Does that, when all work on the device is done. The lock is held.
  void releaseNow();

  arrt_context *const ctx;
  const std::string name;
  const int32_t target, number;
  /// Held by whoever uses `ctx`, and never while waiting for Python's lock.
  std::mutex mutex;

private:
  std::mutex laterMutex;
  std::vector<arrt_array *> later;
  int threads;     ///< as asked for
  int64_t process; ///< that made it
};

/// A device's name and number: `cuda` is `cuda:0`.
bool parseDevice(const std::string &text, int32_t &target, int32_t &number);

} // namespace arrc::python

#endif // ARRC_PYTHON_DEVICE_H
