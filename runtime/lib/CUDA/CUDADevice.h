//===- CUDADevice.h - one CUDA card ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/CUDA. One primary context, so that pointers can be shared
/// with other libraries of the process, and one stream of its own: order is all
/// that a program asks for. Kernels that wait for the one before by themselves
/// may be started early; they keep that order. Memory is allocated by
/// `cuMemAlloc` and kept by the runtime's pool; the pool's reuse is safe
/// because the stream is in order.
///
//===----------------------------------------------------------------------===//

#ifndef ARRT_CUDA_CUDADEVICE_H
#define ARRT_CUDA_CUDADEVICE_H

#include "CUDA/Driver.h"
#include "CUDA/Staging.h"
#include "Core/Device.h"

#include <mutex>
#include <set>
#include <string>
#include <unordered_map>

namespace arrt::cuda {

/// A card in use.
class CUDADevice final : public Device {
public:
  CUDADevice(const Driver &driver, int32_t number)
      : driver(driver), label("cuda:" + std::to_string(number)) {}
  ~CUDADevice() override;
  /// Makes context and stream; returns a status.
  int32_t open(int32_t number);

  const char *name() const override { return label.c_str(); }
  bool isHostVisible() const override { return false; }
  int32_t units() const override { return numUnits; }
  int64_t freeMemory() const override;
  void *allocate(int64_t bytes) override;
  std::string allocationProblem() override;
  void release(void *data, int64_t bytes) override;
  void *allocateOnHost(int64_t bytes) override;
  void releaseOnHost(void *data) override;
  int32_t copy(void *to, const void *from, int64_t bytes) override;
  int32_t copyIn(void *to, const void *host, int64_t bytes) override;
  int32_t copyOut(void *host, const void *from, int64_t bytes) override;
  bool copyFrom(Device &other, void *to, const void *from,
                int64_t bytes) override;
  int32_t fill(void *data, int64_t pattern, int32_t width,
               int64_t bytes) override;
  int32_t synchronize() override;
  int32_t waitForOthers() override;
  bool useStream(void *given) override;
  bool takes(int32_t format) const override;
  std::unique_ptr<arrt::Module> load(const arrt_image &image) override;
  int32_t launch(const Launch &launch) override;
  bool beginTiming() override;
  double endTiming() override;
  ThreadNeeds needsOf(const Launch &launch) override;
  bool captures() const override { return true; }
  std::unique_ptr<Graph> capture(const std::function<int32_t()> &run) override;
  std::unique_ptr<LoopGraph>
  captureLoop(const std::vector<Phase> &phases) override;

private:
  friend class CUDAGraph;
  friend class CUDALoop;
  friend class CUDAModule;
  friend class Staging;
  /// `cuda:0: cuMemAlloc: ..`, with what to do after a failure that ends all.
  std::string describe(Result result, const char *call);
  /// Keeps the text of a failing call and returns its arrt_status.
  int32_t check(Result result, const char *call, const std::string &about = "");
  /// Compiles PTX for this card. Returns a status.
  int32_t link(const arrt_image &image, std::string &code);
  /// Loads the kernel of loops; false if the driver does not take it.
  bool loadDecide();
  /// Starts a kernel; sets `call` to the driver's function.
  Result start(const Launch &launch, FunctionRef function, const char *&call);
  /// What `make` captures; once more with launches that do not overlap if the
  /// driver makes no graph of those that do.
  template <typename Make> auto captured(const Make &make) {
    bool outside = overlaps;
    // The first driver whose graphs know of it.
    overlaps = outside && driver.version >= 12030;
    hasOverlapped = false;
    auto made = make();
    if (!made && hasOverlapped) {
      overlaps = false;
      made = make();
    }
    overlaps = outside;
    return made;
  }
  std::unique_ptr<Graph> captureOnce(const std::function<int32_t()> &run);
  /// Has what `other` starts from now on wait for what this one has started.
  Result letFollow(CUDADevice &other);
  /// Lets copies from another card take the way between the cards.
  void reach(const CUDADevice &peer);

  const Driver &driver;
  std::string label;
  std::string cacheKey; ///< card and driver
  DeviceId device = 0;
  int numUnits = 0;
  ContextRef context = nullptr;
  StreamRef stream = nullptr;
  bool ownsStream = true;     ///< else it is the caller's
  bool overlaps = false;      ///< kernels that wait may be started early
  bool hasOverlapped = false; ///< one was, since `captured` began
  EventRef timing[2] = {};    ///< around a launch that is timed
  EventRef passed = nullptr;  ///< what other cards wait for
  Staging staging;
  ModuleRef decideModule = nullptr; ///< see LoopGraph.cpp
  FunctionRef decide = nullptr;
  std::set<DeviceId> reached;       ///< cards that `reach` was called for
  const char *lastKernel = nullptr; ///< the kernel started last

  std::mutex mutex;           ///< of what follows
  std::string fatal;          ///< the failure that ended the context
  std::string allocationText; ///< see allocationProblem
};

/// Work as a graph of the driver.
class CUDAGraph final : public arrt::Graph {
public:
  CUDAGraph(CUDADevice &device, GraphExecRef exec)
      : device(device), exec(exec) {}
  ~CUDAGraph() override;
  int32_t launch() override;

private:
  CUDADevice &device;
  GraphExecRef exec;
};

/// A kernel as Launch holds it.
struct Kernel {
  FunctionRef function = nullptr;
  int64_t allowedShared = 0; ///< the largest dynamic memory that was asked for
};

/// An image on a card.
class CUDAModule final : public arrt::Module {
public:
  CUDAModule(CUDADevice &device, ModuleRef module)
      : device(device), module(module) {}
  ~CUDAModule() override;
  void *kernel(const char *name) override;

private:
  CUDADevice &device;
  ModuleRef module;
  std::unordered_map<std::string, Kernel> kernels;
};

} // namespace arrt::cuda

/// Calls a function of the driver and leaves with its status if it fails:
/// `CUDA_CALL(cuMemFree, (data))`.
#define CUDA_CALL(name, arguments)                                             \
  if (int32_t status_ = check(driver.name arguments, #name))                   \
  return status_

#endif // ARRT_CUDA_CUDADEVICE_H
