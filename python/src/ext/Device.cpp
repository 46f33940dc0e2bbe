//===- Device.cpp - Contexts that calls share -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "Errors.h"

#include <nanobind/nanobind.h>

#include <map>
#include <unistd.h>

using namespace arrc::python;
namespace nb = nanobind;

namespace {
/// The contexts that are in use, by device and number of threads.
struct Registry {
  std::mutex mutex;
  std::map<std::pair<std::string, int>, std::weak_ptr<Device>> devices;
  /// The one that was used last stays, so that a program alone in a loop does
  /// not make a context each time.
  std::map<std::string, std::shared_ptr<Device>> last;
};
} // namespace

/// Never freed: arrays may outlive the interpreter's modules.
static Registry *registry = new Registry;

Device::Device(arrt_context *ctx, std::string name, int32_t target,
               int32_t number, int threads)
    : ctx(ctx), name(std::move(name)), target(target), number(number),
      threads(threads), process(::getpid()) {}

std::shared_ptr<Device> Device::here(const std::shared_ptr<Device> &device) {
  return device->process == ::getpid() ? device
                                       : get(device->name, device->threads);
}

Device::~Device() {
  // Its threads and its driver stayed in the process that made it.
  if (::getpid() != process)
    return;
  releaseNow();
  arrt_context_destroy(ctx);
}

void Device::releaseLater(arrt_array *array) {
  std::lock_guard<std::mutex> lock(laterMutex);
  later.push_back(array);
}

void Device::releaseNow() {
  std::vector<arrt_array *> arrays;
  {
    std::lock_guard<std::mutex> lock(laterMutex);
    arrays.swap(later);
  }
  if (arrays.empty())
    return;
  arrt_wait_for_others(ctx);
  for (arrt_array *array : arrays)
    arrt_array_release(array);
}

bool arrc::python::parseDevice(const std::string &text, int32_t &target,
                               int32_t &number) {
  target = number = 0;
  return !arrt_parse_target(text.c_str(), &target, &number);
}

std::shared_ptr<Device> Device::get(const std::string &name, int threads) {
  int32_t target, number;
  if (!parseDevice(name, target, number))
    throw nb::value_error(("'" + name + "' is no device").c_str());
  std::string full = arrt_target_name(target);
  if (target != ARRT_TARGET_CPU)
    full += ":" + std::to_string(number);
  std::lock_guard<std::mutex> lock(registry->mutex);
  std::weak_ptr<Device> &known = registry->devices[{full, threads}];
  std::shared_ptr<Device> device = known.lock();
  if (!device) {
    arrt_options options = {};
    options.threads = threads;
    options.target = target;
    options.device = number;
    arrt_context *ctx = arrt_context_create(&options);
    if (!ctx)
      throw std::bad_alloc();
    if (int32_t status = arrt_last_status(ctx)) {
      std::string message = arrt_message(ctx);
      arrt_context_destroy(ctx);
      raiseRunError(status, message);
    }
    device = std::make_shared<Device>(ctx, full, target, number, threads);
    known = device;
  }
  registry->last[full] = device;
  return device;
}

void Device::forgetAll() {
  // Locks may have been held when the process was forked.
  registry = new Registry;
}
