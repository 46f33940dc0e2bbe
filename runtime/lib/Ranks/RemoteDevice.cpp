//===- RemoteDevice.cpp - a device of another process ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Ranks/RemoteDevice.h"

using namespace arrt;

namespace {
/// In place of what is at an address, or in a module, of another process.
char elsewhere;

class RemoteModule final : public Module {
public:
  void *kernel(const char *) override { return &elsewhere; }
};

class RemoteDevice final : public Device {
public:
  const char *name() const override { return "remote"; }
  bool isHostVisible() const override { return false; }
  int64_t freeMemory() const override { return INT64_MAX / 4; }

  void *allocate(int64_t) override { return &elsewhere; }
  void release(void *, int64_t) override {}
  int32_t copy(void *, const void *, int64_t) override {
    return ARRT_STATUS_OK;
  }
  int32_t copyIn(void *, const void *, int64_t) override {
    return ARRT_STATUS_OK;
  }
  int32_t copyOut(void *, const void *, int64_t) override {
    errorText = "memory of another process was read without a message";
    return ARRT_STATUS_INTERNAL;
  }
  int32_t fill(void *, int64_t, int32_t, int64_t) override {
    return ARRT_STATUS_OK;
  }
  int32_t synchronize() override { return ARRT_STATUS_OK; }

  bool takes(int32_t) const override { return true; }
  std::unique_ptr<Module> load(const arrt_image &) override {
    return std::make_unique<RemoteModule>();
  }
  int32_t launch(const Launch &) override { return ARRT_STATUS_OK; }
};
} // namespace

std::unique_ptr<Device> arrt::makeRemoteDevice() {
  return std::make_unique<RemoteDevice>();
}
