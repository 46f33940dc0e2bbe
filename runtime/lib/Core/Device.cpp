//===- Device.cpp - what devices need not do ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Device.h"

using namespace arrt;

bool Device::copyFrom(Device &, void *, const void *, int64_t) { return false; }

void *Device::allocateOnHost(int64_t) { return nullptr; }

void Device::releaseOnHost(void *) {}

bool Device::takes(int32_t) const { return false; }

std::unique_ptr<Module> Device::load(const arrt_image &) {
  errorText = std::string(name()) + " runs no kernels";
  return nullptr;
}

std::vector<std::pair<int64_t, int64_t>> Device::shareOut(const void *,
                                                          int64_t bytes) {
  return {{0, bytes}};
}

int32_t Device::copyOutTo(int, void *host, const void *from, int64_t bytes) {
  return copyOut(host, from, bytes);
}

int32_t Device::copyOutHere(void *host, const void *from, int64_t bytes) {
  return copyOut(host, from, bytes);
}

int32_t Device::launch(const Launch &) {
  errorText = std::string(name()) + " runs no kernels";
  return ARRT_STATUS_INTERNAL;
}

std::unique_ptr<Graph> Device::capture(const std::function<int32_t()> &) {
  return nullptr;
}

std::unique_ptr<LoopGraph> Device::captureLoop(const std::vector<Phase> &) {
  return nullptr;
}

int64_t Device::workers() const { return 1; }

void Device::parallel(arrt_task_fn fn, void *env, int64_t tasks, int64_t) {
  if (tasks > 0)
    fn(env, 0, tasks, 0);
}
