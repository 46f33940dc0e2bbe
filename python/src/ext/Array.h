//===- Array.h - Arrays of the runtime as Python's objects ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_PYTHON_ARRAY_H
#define ARRC_PYTHON_ARRAY_H

#include "Device.h"

#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>
#include <utility>

namespace arrc::python {

/// One owner of a counted array, and of the context that it is of.
class Handle {
public:
  Handle() = default;
  /// Takes over the count of the caller.
  Handle(std::shared_ptr<Device> device, arrt_array *array)
      : device(std::move(device)), array(array) {}
  Handle(Handle &&other) noexcept { *this = std::move(other); }
  Handle &operator=(Handle &&other) noexcept {
    std::swap(device, other.device);
    std::swap(array, other.array);
    std::swap(isSeen, other.isSeen);
    return *this;
  }
  ~Handle();

  /// One owner more.
  Handle share() const;
  /// Others have the address of memory that is not the host's, and work on it
  /// at times that nobody here knows of.
  void markSeen() { isSeen = true; }
  arrt_array *get() const { return array; }
  const std::shared_ptr<Device> &getDevice() const { return device; }
  bool isOnHost() const { return arrt_array_is_on_host(array); }

private:
  std::shared_ptr<Device> device;
  arrt_array *array = nullptr;
  bool isSeen = false;
};

/// An array that Python owns.
class Array {
public:
  explicit Array(Handle handle) : handle(std::move(handle)) {}
  /// The handle; throws if it was released.
  Handle &get();
  void release() { handle = Handle(); }

private:
  Handle handle;
};

/// Adds the class to the module.
void bindArray(nanobind::module_ &module);

} // namespace arrc::python

#endif // ARRC_PYTHON_ARRAY_H
