//===- Device.cpp - the CPU as a device -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CPU/Device.h"
#include "CPU/Executor.h"
#include "CPU/Module.h"
#include "Core/Devices.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>

using namespace arrt;

namespace {

constexpr int64_t hugePage = int64_t(1) << 21;

/// What the kernel says can be had without swapping, or a very large number.
int64_t systemAvailable() {
  int64_t available = INT64_MAX / 4;
  if (FILE *file = std::fopen("/proc/meminfo", "r")) {
    char line[128];
    long long kib;
    while (std::fgets(line, sizeof line, file))
      if (std::sscanf(line, "MemAvailable: %lld kB", &kib) == 1)
        available = std::min<int64_t>(available, int64_t(kib) * 1024);
    std::fclose(file);
  }
  // A container may have less than the machine.
  auto number = [](const char *path) -> int64_t {
    long long value = -1;
    if (FILE *file = std::fopen(path, "r")) {
      if (std::fscanf(file, "%lld", &value) != 1)
        value = -1;
      std::fclose(file);
    }
    return value;
  };
  int64_t most = number("/sys/fs/cgroup/memory.max");
  int64_t current = number("/sys/fs/cgroup/memory.current");
  if (most > 0 && current >= 0)
    available = std::min(available, std::max<int64_t>(most - current, 0));
  return available;
}

class CPUDevice final : public Device {
public:
  explicit CPUDevice(int64_t threads) : executor(threads) {}

  const char *name() const override { return "cpu"; }
  bool isHostVisible() const override { return true; }
  int64_t freeMemory() const override { return systemAvailable(); }

  void *allocate(int64_t bytes) override {
    // The kernel promises more memory than there is and kills the process when
    // it is touched; ask first when it would matter.
    if (bytes >= (int64_t(1) << 26) && bytes > systemAvailable())
      return nullptr;
    if (bytes < hugePage)
      return std::aligned_alloc(ARRT_ALIGNMENT,
                                size_t(roundUp(bytes, ARRT_ALIGNMENT)));
    void *data = std::aligned_alloc(hugePage, size_t(roundUp(bytes, hugePage)));
    // Fewer page faults and TLB misses; only a wish.
    if (data)
      madvise(data, size_t(roundUp(bytes, hugePage)), MADV_HUGEPAGE);
    return data;
  }
  void release(void *data, int64_t) override { std::free(data); }

  int32_t copy(void *to, const void *from, int64_t bytes) override {
    std::memcpy(to, from, size_t(bytes));
    return ARRT_STATUS_OK;
  }
  int32_t copyIn(void *to, const void *host, int64_t bytes) override {
    return copy(to, host, bytes);
  }
  int32_t copyOut(void *host, const void *from, int64_t bytes) override {
    return copy(host, from, bytes);
  }
  int32_t fill(void *data, int64_t pattern, int32_t width,
               int64_t bytes) override {
    auto *to = static_cast<char *>(data);
    if (width == 1)
      std::memset(to, int(pattern & 0xff), size_t(bytes));
    else // little-endian, as all machines that we run on
      for (int64_t i = 0; i + width <= bytes; i += width)
        std::memcpy(to + i, &pattern, size_t(width));
    return ARRT_STATUS_OK;
  }

  bool copyFrom(Device &other, void *to, const void *from,
                int64_t bytes) override {
    if (!other.isHostVisible())
      return false;
    std::memcpy(to, from, size_t(bytes));
    return true;
  }

  bool takes(int32_t format) const override {
    return format == ARRT_IMAGE_HOST;
  }
  std::unique_ptr<Module> load(const arrt_image &image) override {
    return loadHostModule(image, errorText);
  }
  int32_t launch(const Launch &launch) override {
    return launchHostKernel(launch);
  }

  int64_t workers() const override { return executor.workers(); }
  void parallel(arrt_task_fn fn, void *env, int64_t tasks,
                int64_t grain) override {
    executor.run(fn, env, tasks, grain);
  }
  int32_t synchronize() override { return ARRT_STATUS_OK; }

private:
  Executor executor;
};

} // namespace

std::unique_ptr<Device> arrt::makeCPUDevice(int64_t threads) {
  return std::make_unique<CPUDevice>(threads);
}

void arrt::listCPUDevices(std::vector<arrt_device_info> &infos) {
  arrt_device_info info = makeDeviceInfo(ARRT_TARGET_CPU, 0);
  setText(info.name, "CPU");
  if (FILE *file = std::fopen("/proc/cpuinfo", "r")) {
    char line[256], model[128];
    while (std::fgets(line, sizeof line, file))
      if (std::sscanf(line, "model name : %127[^\n]", model) == 1) {
        setText(info.name, model);
        break;
      }
    std::fclose(file);
  }
#if defined(__x86_64__)
  setText(info.arch, "x86-64");
#elif defined(__aarch64__)
  setText(info.arch, "aarch64");
#endif
  info.memory = systemAvailable();
  info.units = int32_t(Executor::usableCores());
  info.features = ARRT_FEATURE_F64 | ARRT_FEATURE_F16 |
                  ARRT_FEATURE_I64_ATOMICS | ARRT_FEATURE_F32_ATOMICS;
  info.is_host = 1;
  infos.push_back(info);
}
