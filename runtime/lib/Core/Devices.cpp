//===- Devices.cpp - which devices there are ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Core/Devices.h"
#include "CPU/Device.h"
#include "CUDA/Device.h"
#include "OpenCL/Device.h"
#include "Parts/Device.h"
#include "Ranks/Ranks.h"
#include "Ranks/RemoteDevice.h"

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

/// Reads the numbers behind `cuda`: nothing, `:1`, `:0,1` or `:all`, which
/// leaves `numbers` empty. False if they are of another form.
static bool readNumbers(const char *rest, std::vector<int32_t> &numbers) {
  if (!*rest) {
    numbers = {0};
    return true;
  }
  if (!std::strcmp(rest, ":all"))
    return true;
  if (*rest != ':')
    return false;
  do {
    ++rest;
    if (*rest < '0' || *rest > '9')
      return false;
    char *end = nullptr;
    long number = std::strtol(rest, &end, 10);
    if (number > 1000 || numbers.size() == mostParts)
      return false;
    numbers.push_back(int32_t(number));
    rest = end;
  } while (*rest == ',');
  return !*rest;
}

/// Reads a target with all its devices.
static int32_t parseTarget(const char *text, int32_t &target,
                           std::vector<int32_t> &numbers) {
  for (int32_t t = 0; t < ARRT_NUM_TARGETS; ++t) {
    size_t length = std::strlen(kinds[t].name);
    numbers.clear();
    if (std::strncmp(text, kinds[t].name, length) ||
        !readNumbers(text + length, numbers))
      continue;
    // There is one CPU; several numbers are as many parts of it.
    if (t == ARRT_TARGET_CPU && numbers.size() < 2 &&
        numbers != std::vector<int32_t>{0})
      continue;
    target = t;
    return ARRT_STATUS_OK;
  }
  return ARRT_STATUS_USAGE;
}

int32_t arrt_parse_target(const char *text, int32_t *target, int32_t *device) {
  std::vector<int32_t> numbers;
  if (int32_t status = parseTarget(text, *target, numbers))
    return status;
  *device = numbers.empty() ? 0 : numbers.front();
  return ARRT_STATUS_OK;
}

/// The numbers of the devices that the options name; none with the reason in
/// `error`. `all`: all of the kind, where they name none but the first.
static std::vector<int32_t> findNumbers(const arrt_options &options, bool all,
                                        std::string &error) {
  std::vector<int32_t> numbers{options.device};
  if (options.devices) {
    int32_t target = 0;
    if (parseTarget(options.devices, target, numbers) ||
        target != options.target) {
      error = "'" + std::string(options.devices) + "' are no devices";
      return {};
    }
  } else if (all && !options.device) {
    numbers.clear();
  }
  if (!numbers.empty())
    return numbers;
  std::vector<arrt_device_info> found;
  kinds[options.target].list(found);
  for (const arrt_device_info &one : found)
    if (!*one.problem)
      numbers.push_back(one.device);
  if (numbers.empty())
    numbers.push_back(0); // whose problem is the reason
  numbers.resize(std::min(numbers.size(), mostParts));
  return numbers;
}

/// Opens `count` devices, neighbours on one where there are several numbers.
/// Gives the number of each in `places`.
static std::vector<std::unique_ptr<Device>>
openDevices(const arrt_options &options, const std::vector<int32_t> &numbers,
            size_t count, Device *host, std::vector<PartPlace> &places,
            std::string &error) {
  std::vector<std::unique_ptr<Device>> devices;
  for (size_t p = 0; p < count; ++p) {
    int32_t number = numbers[p * numbers.size() / count];
    // Parts of the CPU run on the cores of the context.
    devices.push_back(options.target == ARRT_TARGET_CPU
                          ? makeCPUDevice(1)
                          : makeDevice(options.target, number, error));
    if (!devices.back())
      return {};
    devices.back()->setCores(host);
    places.push_back({0, number});
  }
  return devices;
}

/// Why there cannot be so many parts on so many of what is `called`.
static std::string describeParts(size_t parts, size_t count,
                                 const std::string &called) {
  return "there are to be " + std::to_string(parts) + " parts on " +
         std::to_string(count) + " " + called + "s\nhelp: at least one a " +
         called + ", and at most " + std::to_string(mostParts);
}

std::unique_ptr<Device> arrt::makeDevices(const arrt_options &options,
                                          int64_t parts, Device *host,
                                          std::string &error) {
  std::vector<int32_t> numbers = findNumbers(options, false, error);
  if (numbers.empty())
    return nullptr;
  size_t count = parts > 0 ? size_t(parts) : numbers.size();
  if (count > mostParts || count < numbers.size()) {
    error = describeParts(count, numbers.size(), "device");
    return nullptr;
  }
  std::vector<PartPlace> places;
  std::vector<std::unique_ptr<Device>> devices =
      openDevices(options, numbers, count, host, places, error);
  if (devices.empty())
    return nullptr;
  return count == 1 ? std::move(devices.front())
                    : makePartsDevice(std::move(devices));
}

/// The devices of this process, of those of its machine.
static std::vector<int32_t> takeShare(const std::vector<int32_t> &numbers,
                                      const Ranks &ranks) {
  auto self = size_t(ranks.rankOnHost()), all = size_t(ranks.countOnHost());
  size_t begin = self * numbers.size() / all;
  size_t end = std::max((self + 1) * numbers.size() / all, begin + 1);
  return {numbers.begin() + long(begin), numbers.begin() + long(end)};
}

std::unique_ptr<Device> arrt::makeDevices(const arrt_options &options,
                                          int64_t parts, Device *host,
                                          Ranks &ranks, std::string &error) {
  bool isHost = options.target == ARRT_TARGET_CPU;
  auto rank = size_t(ranks.rank()), count = size_t(ranks.count());
  std::vector<int32_t> numbers = findNumbers(options, !isHost, error);
  if (!numbers.empty() && !isHost)
    numbers = takeShare(numbers, ranks);
  size_t mine = numbers.size();
  if (parts > 0) {
    // Part p is of rank p * count / parts.
    auto begin = [&](size_t rank) {
      return (rank * size_t(parts) + count - 1) / count;
    };
    mine = begin(rank + 1) - begin(rank);
    if (size_t(parts) < count || size_t(parts) > mostParts)
      error = describeParts(size_t(parts), count, "rank");
    else if (mine < numbers.size())
      numbers.resize(mine);
  }
  std::vector<PartPlace> own;
  std::vector<std::unique_ptr<Device>> devices;
  if (error.empty())
    devices = openDevices(options, numbers, mine, host, own, error);
  // What each has, -1 behind the last; nothing where it failed.
  std::vector<int32_t> given(mostParts + 1, -1), all(given.size() * count);
  for (size_t p = 0; p < own.size() && error.empty(); ++p)
    given[p] = own[p].device;
  if (!ranks.gather(given.data(), int64_t(given.size() * sizeof given[0]),
                    all.data())) {
    error = ranks.problem();
    return nullptr;
  }
  if (!error.empty())
    return nullptr;
  std::vector<PartPlace> places;
  std::vector<std::unique_ptr<Device>> parted;
  for (size_t r = 0; r < count; ++r) {
    const int32_t *of = &all[r * given.size()];
    if (*of < 0)
      return nullptr; // it says why
    for (size_t p = 0; of[p] >= 0; ++p) {
      places.push_back({int(r), of[p]});
      parted.push_back(r == rank ? std::move(devices[p]) : makeRemoteDevice());
    }
  }
  if (places.size() > mostParts) {
    error = describeParts(places.size(), count, "rank");
    return nullptr;
  }
  return makePartsDevice(std::move(parted), ranks, std::move(places));
}
