//===- Launch.h - the kernels of a program ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_LAUNCH_H
#define ARRT_CORE_LAUNCH_H

#include "Core/Device.h"
#include "Core/Errors.h"

#include <memory>
#include <vector>

namespace arrt {

/// A program that is ready to be launched.
struct LoadedProgram {
  struct Kernel {
    void *handle = nullptr; ///< null: not launched yet
    const arrt_kernel *about = nullptr;
    bool usesRecord = false, usesCounter = false;
    std::vector<int> extents; ///< the places of `x` among the arguments
    std::vector<void *> args; ///< for a launch with some that are filled in

    /// Reads the letters of `about`; false if they are wrong.
    bool readLetters();
  };
  const arrt_program *about = nullptr;
  std::vector<std::unique_ptr<Module>> modules; ///< one an image, may be null
  std::vector<Kernel> kernels;                  ///< by number
};

/// The record of failing checks in the memory of a device: see ARRT_RECORD in
/// EntryPoints.def. Made at the first launch that needs it.
class DeviceRecord {
public:
  /// Makes sure that there is one. Returns a status, with the device's error.
  int32_t make(Device &device);
  /// Gets the record ready for a launch that may write to it. Returns a status,
  /// with the device's error.
  int32_t prepare(Device &device);
  /// The address that the kernel gets.
  void *const &address() const { return data; }
  /// Waits for the launches since the last time, if one of them may have
  /// written, and notes the failure with the least key in `to`.
  int32_t readBack(Device &device, ErrorRecord &to);
  /// Forgets what was written so far.
  void forget();
  /// Gives the memory back.
  void release(Device &device);

private:
  void *data = nullptr;
  bool isClean = false; ///< the device's copy holds no failure
  bool isUsed = false;  ///< launches may have written since the last time
};

/// A 32-bit number in the memory of a device that is zero whenever no kernel
/// runs: the blocks of a launch count themselves by it, and the last one clears
/// it. Launches run one after the other, so that one serves all. Made at the
/// first launch that needs it.
class DeviceCounter {
public:
  /// Makes sure that there is one. Returns a status, with the device's error.
  int32_t make(Device &device);
  /// The address that the kernel gets.
  void *const &address() const { return data; }
  /// Gives the memory back.
  void release(Device &device);

private:
  static constexpr int64_t bytes = 4;
  void *data = nullptr;
};

} // namespace arrt

#endif // ARRT_CORE_LAUNCH_H
