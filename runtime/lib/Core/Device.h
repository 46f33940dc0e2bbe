//===- Device.h - what the runtime asks of a device ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The interface behind which every device stands. A device moves memory, runs
/// tasks (the host) or kernels (the others); pools, handles, files and errors
/// are the same for all of them. What is started runs in order; only `copyIn`,
/// `copyOut` and `synchronize` wait. The conformance suite
/// (runtime/test/conformance) runs against it.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CORE_DEVICE_H
#define ARRT_CORE_DEVICE_H

#include "arrt/arrt.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace arrt {

/// The least multiple of `multiple` bytes that is no less than `bytes`.
inline int64_t roundUp(int64_t bytes, int64_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

/// Kernels that are loaded on a device.
class Module {
public:
  virtual ~Module() = default;
  /// A kernel as `Launch::kernel` wants it, or null with the device's error.
  /// Valid as long as the module.
  virtual void *kernel(const char *name) = 0;
};

/// One launch of a kernel.
struct Launch {
  void *kernel = nullptr;   ///< from Module::kernel
  const char *name = "";    ///< for messages
  int64_t grid[3];          ///< blocks, each positive
  int32_t block[3];         ///< threads of a block, each positive
  int64_t shared = 0;       ///< bytes of dynamic work-group memory
  const char *letters = ""; ///< as arrt_kernel.args
  int32_t indexBytes = 8;   ///< of `o` and `x` in the kernel
  bool overlaps = false;    ///< the kernel waits for the one before by itself
  void **args = nullptr;    ///< a pointer to each value, also of `e`
  const char *parts = nullptr;     ///< as arrt_kernel.parts
  arrt_context *context = nullptr; ///< whose cores run kernels of the host
};

/// Work that a device keeps, to be started again at the cost of one launch.
class Graph {
public:
  virtual ~Graph() = default;
  /// Starts it once; a status, with the device's error.
  virtual int32_t launch() = 0;
};

/// One iteration of a loop whose iterations take turns.
struct Phase {
  std::function<int32_t()> run; ///< starts its work; a status
  const void *condition;        ///< the byte that is not 0 if it is to be run
};

/// A loop that a device runs by itself.
class LoopGraph {
public:
  virtual ~LoopGraph() = default;
  /// Runs phase after phase, then the first again, until a condition is 0 or
  /// `most` have run. Waits, and gives how many have in `times`. Returns a
  /// status, with the device's error.
  virtual int32_t run(int64_t most, int64_t &times) = 0;
};

/// One device of one context. Functions are called from the context's thread,
/// `allocate` and `release` from any. Those that return an arrt_status leave
/// the text of a failure in `error`.
class Device {
public:
  virtual ~Device() = default;

  /// A short name for messages: "cpu", "cuda:0".
  virtual const char *name() const = 0;
  /// True if the host may read and write the memory of the device directly.
  virtual bool isHostVisible() const = 0;
  /// Multiprocessors that run blocks which wait for each other; 0 if blocks
  /// must not.
  virtual int32_t units() const { return 0; }
  /// Bytes that can still be allocated, as well as that can be known.
  virtual int64_t freeMemory() const = 0;

  /// Memory aligned to ARRT_ALIGNMENT, or null. `bytes` is positive. Addresses
  /// inside it are made by adding bytes, on the host too.
  virtual void *allocate(int64_t bytes) = 0;
  /// Why `allocate` failed last, if it was not for want of memory; else "".
  /// From any thread.
  virtual std::string allocationProblem() { return ""; }
  /// Gives memory of `allocate` back; `bytes` as asked for. Waits for what uses
  /// it.
  virtual void release(void *data, int64_t bytes) = 0;
  /// The same for a record of failed checks (arrt_kernel.args, `e`), of which
  /// each of several devices has one of its own.
  virtual void *allocateRecord(int64_t bytes) { return allocate(bytes); }
  /// Memory of the host that kernels can store to at the same address; what
  /// they stored is there when `synchronize` returns. Null if there is none.
  virtual void *allocateOnHost(int64_t bytes);
  /// Gives memory of `allocateOnHost` back; no kernel uses it.
  virtual void releaseOnHost(void *data);

  /// Copies inside the device; the ranges do not overlap.
  virtual int32_t copy(void *to, const void *from, int64_t bytes) = 0;
  /// Copies from the host, after what was started before; `host` may change
  /// when it returns. Small pieces do not wait.
  virtual int32_t copyIn(void *to, const void *host, int64_t bytes) = 0;
  /// Copies to the host, done when it returns.
  virtual int32_t copyOut(void *host, const void *from, int64_t bytes) = 0;
  /// Copies from another device without a way over the host, after what both
  /// have started and before what they start next. False if there is no such
  /// way: nothing is done then.
  virtual bool copyFrom(Device &other, void *to, const void *from,
                        int64_t bytes);
  /// Repeats the lowest `width` (1, 2, 4, 8) bytes of the pattern; `bytes` is a
  /// multiple of it.
  virtual int32_t fill(void *data, int64_t pattern, int32_t width,
                       int64_t bytes) = 0;
  /// From now on starts everything on a stream of the caller's; false if the
  /// device has no streams. Before anything else was started.
  virtual bool useStream(void *) { return false; }
  /// Waits until all that was started is done.
  virtual int32_t synchronize() = 0;
  /// The same for what anyone in the process has started.
  virtual int32_t waitForOthers() { return synchronize(); }

  /// True if `load` takes images of this arrt_image_format.
  virtual bool takes(int32_t format) const;
  /// Loads an image that it takes; null on failure, see `error`.
  virtual std::unique_ptr<Module> load(const arrt_image &image);
  /// Starts a kernel.
  virtual int32_t launch(const Launch &launch);
  /// What a thread of a kernel takes: 32-bit registers, and bytes of memory of
  /// its own; 0 where the device does not say.
  struct ThreadNeeds {
    int32_t registers = 0;
    int64_t local = 0;
  };
  virtual ThreadNeeds needsOf(const Launch &) { return {}; }

  /// The time of kernels by the device's clock: false if it has none. Begins
  /// in front of a launch, when all that was started is done.
  virtual bool beginTiming() { return false; }
  /// Waits for the launch; its seconds, negative if they are not known.
  virtual double endTiming() { return -1; }

  /// True if the functions below may do something.
  virtual bool captures() const { return false; }
  /// Keeps what `run` starts (launches, copies, fills) instead of starting it.
  /// Null if the device cannot; then `run` is to be called each time.
  virtual std::unique_ptr<Graph> capture(const std::function<int32_t()> &run);

  /// Keeps a loop. Null if the device cannot.
  virtual std::unique_ptr<LoopGraph>
  captureLoop(const std::vector<Phase> &phases);

  /// What several devices that are one have sent each other; "" of one device.
  virtual std::string traffic() const { return ""; }

  // Of a device whose parts several processes have (Ranks): all of them call
  // all functions with the same values, `copyIn` with the same bytes, and each
  // gets what `copyOut` gives.

  /// The stretch, begin and end, of so many bytes that `copyIn` looks at in
  /// this process.
  virtual std::pair<int64_t, int64_t> shareIn(int64_t bytes) const {
    return {0, bytes};
  }
  /// The stretches of memory, begin and end behind `from`, that this process
  /// has: each byte belongs to one.
  virtual std::vector<std::pair<int64_t, int64_t>> shareOut(const void *from,
                                                            int64_t bytes);
  /// `copyOut` for one of the processes alone; in others `host` may be null.
  virtual int32_t copyOutTo(int rank, void *host, const void *from,
                            int64_t bytes);
  /// `copyOut` of what `shareOut` has said, for this process, which alone calls
  /// it.
  virtual int32_t copyOutHere(void *host, const void *from, int64_t bytes);

  /// The number of workers that `parallel` uses, at least 1.
  virtual int64_t workers() const;
  /// As arrt_parallel says; on the host.
  virtual void parallel(arrt_task_fn fn, void *env, int64_t tasks,
                        int64_t grain);

  /// The host, whose cores may help with large copies; null: one thread does.
  void setCores(Device *host) { cores = host; }
  /// Why the last call failed.
  const std::string &error() const { return errorText; }

protected:
  std::string errorText;
  Device *cores = nullptr;
};

} // namespace arrt

#endif // ARRT_CORE_DEVICE_H
