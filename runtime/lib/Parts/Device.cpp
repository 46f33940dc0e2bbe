//===- Device.cpp - memory of several devices -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parts/PartsDevice.h"

#include "arrt/arrt.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace arrt;
using namespace arrt::parts;

std::unique_ptr<Device>
arrt::makePartsDevice(std::vector<std::unique_ptr<Device>> devices) {
  // Where they run says of two whether they are one card.
  std::vector<PartPlace> places(devices.size());
  for (size_t d = 0; d < devices.size(); ++d)
    while (std::strcmp(devices[size_t(places[d].device)]->name(),
                       devices[d]->name()))
      ++places[d].device;
  return std::make_unique<PartsDevice>(std::move(devices), nullptr,
                                       std::move(places));
}

std::unique_ptr<Device>
arrt::makePartsDevice(std::vector<std::unique_ptr<Device>> devices,
                      Ranks &ranks, std::vector<PartPlace> places) {
  return std::make_unique<PartsDevice>(std::move(devices), &ranks,
                                       std::move(places));
}

PartsDevice::PartsDevice(std::vector<std::unique_ptr<Device>> given,
                         Ranks *ranks, std::vector<PartPlace> places)
    : devices(std::move(given)), places(std::move(places)), ranks(ranks),
      staging(devices.size()) {
  ownersOf.emplace_back(0); // no state
  while (!isHere(home))
    ++home;
  // They count the same.
  if (!ranks || ranks->rank() == 0)
    reports = std::getenv("ARRC_PARTS_REPORT");
  for (size_t d = 0; d < devices.size(); ++d)
    if (isHere(d))
      label += (label.empty() ? "" : "+") + std::string(devices[d]->name());
}

void PartsDevice::report() {
  FILE *file = reports ? std::fopen(reports, "a") : nullptr;
  if (!file)
    return;
  for (auto &[name, share] : shares)
    std::fprintf(file, "%s\t%lld\t%lld\t%s\n", name.first.c_str(),
                 static_cast<long long>(share.launches),
                 static_cast<long long>(share.bytes), name.second.c_str());
  std::fclose(file);
}

PartsDevice::~PartsDevice() {
  report();
  for (size_t d = 0; d < devices.size(); ++d)
    if (staging[d].first)
      devices[d]->release(staging[d].first, staging[d].second);
  while (!blocks.empty()) {
    auto first = blocks.begin();
    release(const_cast<char *>(first->first), first->second->bytes);
  }
}

int32_t PartsDevice::check(size_t device, int32_t status) {
  if (status)
    errorText = devices[device]->error();
  return status;
}

int32_t PartsDevice::failOutside(const void *) {
  errorText = label + ": memory that is not of these devices";
  return ARRT_STATUS_INTERNAL;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void *PartsDevice::allocate(int64_t bytes) {
  void *data = devices[home]->allocate(bytes);
  if (!data)
    return nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  auto block = std::make_unique<Block>(bytes, devices.size());
  block->data[home] = static_cast<char *>(data);
  blocks[block->data[home]] = std::move(block);
  return data;
}

void *PartsDevice::allocateRecord(int64_t bytes) {
  void *data = allocate(bytes);
  int64_t offset = 0;
  if (data)
    find(data, offset)->records = uint64_t(1) << home;
  return data;
}

void PartsDevice::release(void *data, int64_t bytes) {
  std::unique_ptr<Block> block;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = blocks.find(static_cast<char *>(data));
    if (it == blocks.end())
      return;
    block = std::move(it->second);
    blocks.erase(it);
  }
  // Any of them may still read what another one gives back.
  synchronize();
  for (size_t d = 0; d < devices.size(); ++d)
    if (block->data[d])
      devices[d]->release(block->data[d], bytes);
}

Block *PartsDevice::find(const void *data, int64_t &offset) {
  const char *place = static_cast<const char *>(data);
  std::lock_guard<std::mutex> lock(mutex);
  auto it = blocks.upper_bound(place);
  if (it == blocks.begin())
    return nullptr;
  --it;
  offset = place - it->first;
  return offset <= it->second->bytes ? it->second.get() : nullptr;
}

int32_t PartsDevice::provide(Block &block, size_t device) {
  if (block.data[device])
    return ARRT_STATUS_OK;
  block.data[device] =
      static_cast<char *>(devices[device]->allocate(block.bytes));
  if (block.data[device])
    return ARRT_STATUS_OK;
  errorText = devices[device]->allocationProblem();
  if (errorText.empty())
    errorText = std::string(devices[device]->name()) +
                ": out of memory for an array of " +
                std::to_string(block.bytes) +
                " bytes, of which each device that has a part has room for all";
  return ARRT_STATUS_MEMORY;
}

uint64_t PartsDevice::getState(Block &block) {
  if (block.state)
    return block.state;
  const std::vector<Owners::Segment> &segments = block.owners.get();
  std::string key;
  for (const Owners::Segment &segment : segments)
    for (uint64_t number :
         {uint64_t(segment.begin), uint64_t(segment.end), segment.devices})
      key.append(reinterpret_cast<const char *>(&number), sizeof number);
  auto [it, isNew] = states.try_emplace(key, ownersOf.size());
  if (isNew)
    ownersOf.push_back(block.owners);
  return block.state = it->second;
}

//===----------------------------------------------------------------------===//
// Failed checks
//
// Kernels note the failure whose key is the least (DeviceRecord). Each device
// notes its own, and the least of all is that of one device. Each process looks
// at its own devices; of several failures that of the least key is reported
// (Ranks).
//===----------------------------------------------------------------------===//

int32_t PartsDevice::provideRecord(Block &block, size_t device) {
  uint64_t bit = uint64_t(1) << device;
  if (block.records & bit || !isHere(device))
    return ARRT_STATUS_OK;
  if (int32_t status = provide(block, device))
    return status;
  block.records |= bit;
  // What is noted already is there with all its values first.
  return move(block, device, home, 0, ARRT_RECORD_FIRST);
}

int32_t PartsDevice::findRecord(Block &block, size_t &device) {
  uint64_t least = ~uint64_t(0);
  device = home;
  for (size_t d = 0; d < devices.size(); ++d) {
    if (!(block.records >> d & 1))
      continue;
    uint64_t key = 0;
    if (int32_t status =
            check(d, devices[d]->copyOut(&key, block.data[d] + ARRT_RECORD_KEY,
                                         sizeof key)))
      return status;
    if (key < least)
      least = key, device = d;
  }
  return ARRT_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

int32_t PartsDevice::move(Block &block, size_t to, size_t from, int64_t begin,
                          int64_t end) {
  if (int32_t status = provide(block, to))
    return status;
  return send(to, block.data[to] + begin, from, block.data[from] + begin,
              end - begin);
}

int32_t PartsDevice::send(size_t to, char *target, size_t from,
                          const char *source, int64_t bytes) {
  bytesMoved += bytes;
  ++pieces;
  if (!isHere(to) || !isHere(from)) {
    addMessage(to, target, from, source, bytes);
    return ARRT_STATUS_OK;
  }
  if (devices[to]->copyFrom(*devices[from], target, source, bytes))
    return ARRT_STATUS_OK;
  std::vector<char> host(static_cast<size_t>(bytes));
  if (int32_t status =
          check(from, devices[from]->copyOut(host.data(), source, bytes)))
    return status;
  return check(to, devices[to]->copyIn(target, host.data(), bytes));
}

int32_t PartsDevice::copy(void *to, const void *from, int64_t bytes) {
  return inStep([&] { return copyParts(to, from, bytes); });
}

int32_t PartsDevice::copyParts(void *to, const void *from, int64_t bytes) {
  int64_t toOffset = 0, fromOffset = 0;
  Block *target = find(to, toOffset), *source = find(from, fromOffset);
  if (!target || !source)
    return failOutside(to);
  // Each piece is copied where it is.
  std::vector<Owners::Segment> segments;
  source->owners.visit(fromOffset, fromOffset + bytes,
                       [&](int64_t begin, int64_t end, uint64_t devices) {
                         segments.push_back({begin, end, devices});
                       });
  for (const Owners::Segment &segment : segments) {
    int64_t at = segment.begin - fromOffset + toOffset;
    int64_t length = segment.end - segment.begin;
    if (segment.devices) {
      size_t device = lowestDevice(segment.devices);
      if (int32_t status = provide(*target, device))
        return status;
      if (int32_t status =
              check(device, devices[device]->copy(
                                target->data[device] + at,
                                source->data[device] + segment.begin, length)))
        return status;
    }
    target->owners.set(
        at, at + length,
        segment.devices ? uint64_t(1) << lowestDevice(segment.devices) : 0);
  }
  target->state = 0;
  return ARRT_STATUS_OK;
}

void PartsDevice::visitShares(
    int64_t bytes,
    const std::function<void(size_t, int64_t, int64_t)> &visit) const {
  // Each device gets as much, about what its part of a launch will want.
  auto count = int64_t(devices.size());
  if (bytes < count * leastShare)
    count = 1;
  int64_t begin = 0;
  for (int64_t d = 0; d < count; ++d) {
    int64_t end = d + 1 == count
                      ? bytes
                      : int64_t(__int128(bytes) * (d + 1) / count) / 64 * 64;
    visit(size_t(d), begin, end);
    begin = end;
  }
}

int32_t PartsDevice::copyIn(void *to, const void *host, int64_t bytes) {
  int64_t offset = 0;
  Block *block = find(to, offset);
  if (!block)
    return failOutside(to);
  // Of a record each process has its own.
  if (block->records) {
    block->records = uint64_t(1) << home;
    return check(
        home, devices[home]->copyIn(block->data[home] + offset, host, bytes));
  }
  return inStep([&] { return copyInParts(to, host, bytes); });
}

int32_t PartsDevice::copyInParts(void *to, const void *host, int64_t bytes) {
  int64_t offset = 0;
  Block *block = find(to, offset);
  int32_t status = ARRT_STATUS_OK;
  visitShares(bytes, [&](size_t device, int64_t begin, int64_t end) {
    if (!status)
      status = provide(*block, device);
    if (!status)
      status = check(device,
                     devices[device]->copyIn(
                         block->data[device] + offset + begin,
                         static_cast<const char *>(host) + begin, end - begin));
    block->owners.set(offset + begin, offset + end, uint64_t(1) << device);
  });
  bytesIn += bytes;
  block->state = 0;
  return status;
}

int32_t PartsDevice::copyOut(void *host, const void *from, int64_t bytes) {
  int64_t offset = 0;
  Block *block = find(from, offset);
  if (!block)
    return failOutside(from);
  if (block->records) {
    size_t device;
    if (int32_t status = findRecord(*block, device))
      return status;
    return check(device, devices[device]->copyOut(
                             host, block->data[device] + offset, bytes));
  }
  bytesOut += bytes;
  return inStep([&] {
    return readOut(*block, offset, offset + bytes, static_cast<char *>(host));
  });
}

int32_t PartsDevice::fill(void *data, int64_t pattern, int32_t width,
                          int64_t bytes) {
  return inStep([&] { return fillParts(data, pattern, width, bytes); });
}

int32_t PartsDevice::fillParts(void *data, int64_t pattern, int32_t width,
                               int64_t bytes) {
  int64_t offset = 0;
  Block *block = find(data, offset);
  if (!block)
    return failOutside(data);
  // Costs less than to send it.
  for (size_t d = 0; d < devices.size(); ++d) {
    if (int32_t status = provide(*block, d))
      return status;
    if (int32_t status = check(d, devices[d]->fill(block->data[d] + offset,
                                                   pattern, width, bytes)))
      return status;
  }
  uint64_t all =
      devices.size() == 64 ? ~uint64_t(0) : (uint64_t(1) << devices.size()) - 1;
  block->owners.set(offset, offset + bytes, all);
  block->state = 0;
  return ARRT_STATUS_OK;
}

int32_t PartsDevice::synchronize() {
  int32_t result = ARRT_STATUS_OK;
  for (size_t d = 0; d < devices.size(); ++d)
    if (int32_t status = check(d, devices[d]->synchronize()))
      result = status;
  return result;
}

std::string PartsDevice::traffic() const {
  auto text = [](int64_t number) { return std::to_string(number); };
  return text(int64_t(devices.size())) + " parts: " + text(bytesIn) +
         " bytes in, " + text(bytesMoved) + " exchanged in " + text(pieces) +
         " copies, " + text(bytesOut) + " out; " + text(cutLaunches) + " of " +
         text(launches) + " launches cut, " + text(planned) + " planned";
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

std::unique_ptr<arrt::Module> PartsDevice::load(const arrt_image &image) {
  return std::make_unique<PartsModule>(*this, image);
}

PartsModule::PartsModule(PartsDevice &device, const arrt_image &given)
    : device(device),
      bytes(static_cast<const char *>(static_cast<const void *>(given.data)),
            size_t(given.bytes)),
      options(given.options ? given.options : ""), image(given),
      modules(device.devices.size()) {
  image.data = bytes.data();
  image.options = options.c_str();
}

void *PartsModule::kernel(const char *name) {
  std::unique_ptr<Kernel> &kernel = kernels[name];
  if (!kernel) {
    kernel = std::make_unique<Kernel>();
    kernel->module = this;
    kernel->name = name;
    kernel->number = ++device.lastKernel;
    kernel->handles.resize(modules.size());
  }
  // What is wrong with it is said now.
  return get(*kernel, device.home) ? kernel.get() : nullptr;
}

void *PartsModule::get(Kernel &kernel, size_t number) {
  void *&handle = kernel.handles[number];
  if (handle)
    return handle;
  std::unique_ptr<arrt::Module> &module = modules[number];
  if (!module)
    module = device.devices[number]->load(image);
  if (module)
    handle = module->kernel(kernel.name.c_str());
  if (!handle)
    device.check(number, ARRT_STATUS_DEVICE);
  return handle;
}
