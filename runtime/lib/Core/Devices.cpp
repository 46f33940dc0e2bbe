//===- Devices.cpp - which devices there are ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Devices.h"
#include "CPU/Device.h"
#include "CUDA/Device.h"
#include "OpenCL/Device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace arrt;

namespace {
/// What a folder of a device gives to the rest: its devices, and one of them.
struct Kind {
  const char *name;
  void (*list)(std::vector<arrt_device_info> &infos);
  std::unique_ptr<Device> (*make)(int32_t device, std::string &error);
};
} // namespace

/// In the order of arrt_target.
static const Kind kinds[ARRT_NUM_TARGETS] = {
    {"cpu", listCPUDevices,
     [](int32_t, std::string &) { return makeCPUDevice(0); }},
    {"cuda", listCUDADevices, makeCUDADevice},
    {"opencl", listOpenCLDevices, makeOpenCLDevice},
};

arrt_device_info arrt::makeDeviceInfo(int32_t target, int32_t device) {
  arrt_device_info info;
  std::memset(&info, 0, sizeof info);
  info.target = target;
  info.device = device;
  return info;
}

std::unique_ptr<Device> arrt::makeDevice(int32_t target, int32_t device,
                                         std::string &error) {
  if (target < 0 || target >= ARRT_NUM_TARGETS) {
    error = "there is no kind of device number " + std::to_string(target);
    return nullptr;
  }
  return kinds[target].make(device, error);
}

int32_t arrt_devices(arrt_device_info *infos, int32_t capacity) {
  std::vector<arrt_device_info> found;
  for (const Kind &kind : kinds)
    kind.list(found);
  int32_t count = int32_t(found.size());
  std::copy_n(found.begin(), std::min(count, std::max(capacity, 0)), infos);
  return count;
}

int32_t arrt_device_facts(int32_t target, int32_t device,
                          arrt_device_info *info) {
  *info = makeDeviceInfo(target, -1);
  if (target < 0 || target >= ARRT_NUM_TARGETS) {
    setText(info->problem, "there is no such kind of device");
    setText(info->remedy, "see 'arrc devices'");
    return ARRT_STATUS_USAGE;
  }
  std::vector<arrt_device_info> found;
  kinds[target].list(found);
  for (const arrt_device_info &one : found)
    if (one.device == device) {
      *info = one;
      return *one.problem ? ARRT_STATUS_DEVICE : ARRT_STATUS_OK;
    }
  // What is wrong with the kind, or with the first that cannot be used.
  for (const arrt_device_info &one : found)
    if (*one.problem) {
      *info = one;
      return ARRT_STATUS_DEVICE;
    }
  setText(info->problem, "there is no device of this number");
  setText(info->remedy, "see 'arrc devices'");
  return ARRT_STATUS_DEVICE;
}

const char *arrt_target_name(int32_t target) {
  return target >= 0 && target < ARRT_NUM_TARGETS ? kinds[target].name
                                                  : nullptr;
}

int32_t arrt_parse_target(const char *text, int32_t *target, int32_t *device) {
  for (int32_t t = 0; t < ARRT_NUM_TARGETS; ++t) {
    size_t length = std::strlen(kinds[t].name);
    if (std::strncmp(text, kinds[t].name, length))
      continue;
    const char *rest = text + length;
    long number = 0;
    if (*rest == ':' && rest[1] >= '0' && rest[1] <= '9') {
      char *end = nullptr;
      number = std::strtol(rest + 1, &end, 10);
      rest = end;
    }
    if (*rest || number > 1000 || (t == ARRT_TARGET_CPU && number > 0))
      continue;
    *target = t;
    *device = int32_t(number);
    return ARRT_STATUS_OK;
  }
  return ARRT_STATUS_USAGE;
}
