//===- OpenCLDevice.h - one OpenCL device ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/OpenCL. Memory is buffers, which every version of OpenCL has,
/// and not shared virtual memory. A buffer has no address, but programs add
/// bytes to addresses: each buffer gets a range of numbers that are nobody's
/// addresses (touched by mistake, they fault), and a number inside a range is a
/// buffer and an offset. As an argument of a kernel that is a sub-buffer, which
/// is made once and kept with its buffer.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_OPENCL_OPENCLDEVICE_H
#define ARRT_OPENCL_OPENCLDEVICE_H

#include "Core/Device.h"
#include "OpenCL/Driver.h"

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace arrt::opencl {

/// A kernel as Launch holds it, with the arguments that it has: those that are
/// the same at the next launch are not set again, for each is a call.
struct Kernel {
  struct Argument {
    uint64_t value = 0; ///< an address of ours, or the bytes of a scalar
    size_t bytes = 0;   ///< 0: not set yet
    uint64_t age = 0;   ///< OpenCLDevice::releases when it was set
  };
  KernelRef kernel = nullptr;
  std::vector<Argument> args;
};

/// A device in use.
class OpenCLDevice final : public Device {
public:
  OpenCLDevice(const Driver &driver, const FoundDevice &found, int32_t number)
      : driver(driver), found(found),
        label("opencl:" + std::to_string(number)) {}
  ~OpenCLDevice() override;
  /// Makes context and queue; returns a status.
  int32_t open();

  const char *name() const override { return label.c_str(); }
  bool isHostVisible() const override { return false; }
  int64_t freeMemory() const override;
  void *allocate(int64_t bytes) override;
  std::string allocationProblem() override;
  void release(void *data, int64_t bytes) override;
  int32_t copy(void *to, const void *from, int64_t bytes) override;
  int32_t copyIn(void *to, const void *host, int64_t bytes) override;
  int32_t copyOut(void *host, const void *from, int64_t bytes) override;
  int32_t fill(void *data, int64_t pattern, int32_t width,
               int64_t bytes) override;
  int32_t synchronize() override;
  bool takes(int32_t format) const override;
  std::unique_ptr<arrt::Module> load(const arrt_image &image) override;
  int32_t launch(const Launch &launch) override;
  bool beginTiming() override;
  double endTiming() override;

private:
  friend class OpenCLModule;
  /// A buffer, with the sub-buffers that arguments needed.
  struct Block {
    MemoryRef memory = nullptr;
    size_t bytes = 0;
    std::unordered_map<size_t, MemoryRef> parts; ///< by offset
  };
  /// The buffer at an address.
  struct Place {
    Block *block = nullptr;
    size_t offset = 0;
  };

  /// Keeps the text of a failing call and returns its arrt_status.
  int32_t check(Result result, const char *call, const std::string &about = "");
  /// Finds the buffer that holds all these bytes; returns a status.
  int32_t find(const void *data, int64_t bytes, Place &place);
  int32_t findLocked(const void *data, int64_t bytes, Place &place);
  /// The buffer or sub-buffer that starts at an address; under the mutex.
  int32_t argument(const void *data, const Launch &launch, int number,
                   MemoryRef &memory);
  int32_t setArguments(Kernel &kernel, const Launch &launch);
  /// A program from an image or from what the cache kept; null on failure.
  ProgramRef makeProgram(const arrt_image &image);
  ProgramRef fromBinary(const void *code, size_t bytes);
  bool build(ProgramRef program);
  /// What the driver's compiler said, on lines of its own; "" if nothing.
  std::string logOf(ProgramRef program);
  std::string binaryOf(ProgramRef program);

  const Driver &driver;
  const FoundDevice found;
  std::string label;
  std::string cacheKey;
  const char *buildOptions = "";
  ContextRef context = nullptr;
  QueueRef queue = nullptr;
  QueueRef timedQueue = nullptr; ///< for launches that are timed
  EventRef timed = nullptr;      ///< of such a launch
  bool isTiming = false;
  size_t baseAlign = 128;
  uint64_t memoryBytes = 0, maxAllocation = 0;

  mutable std::mutex mutex; ///< of what follows
  std::map<uint64_t, Block> blocks;
  uint64_t nextAddress = uint64_t(1) << 57;
  uint64_t usedBytes = 0;
  uint64_t releases = 0;      ///< how often memory was given back
  std::string allocationText; ///< see allocationProblem
};

/// An image on a device.
class OpenCLModule final : public arrt::Module {
public:
  OpenCLModule(OpenCLDevice &device, ProgramRef program)
      : device(device), program(program) {}
  ~OpenCLModule() override;
  void *kernel(const char *name) override;

private:
  OpenCLDevice &device;
  ProgramRef program;
  std::unordered_map<std::string, Kernel> kernels;
};

} // namespace arrt::opencl

/// Calls a function and leaves with its status if it fails:
/// `OPENCL_CALL(clFinish, (queue))`.
#define OPENCL_CALL(name, arguments)                                           \
  if (int32_t status_ = check(driver.name arguments, #name))                   \
  return status_

#endif // ARRT_OPENCL_OPENCLDEVICE_H
