//===- Updates.cpp - what several parts of a launch update ----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Parts of a histogram update the same bins. Each has a copy of them: the first
// part what they held, the others neutral elements, which cost no copy. When
// the parts are done their copies are joined, in the order of the parts: small
// ones on the first device, of large ones each device joins its share. The
// kernel that does so stands beside the launch's (CombineKernels.cpp of the
// compiler). Integers are joined to what one part would have made of them.
//
// Copies are worth it where many elements are updated few bins: else the launch
// runs on one device.
//
//===----------------------------------------------------------------------===//

#include "Parts/PartsDevice.h"

#include <algorithm>
#include <cstring>

using namespace arrt;
using namespace arrt::parts;

/// Threads of a block of kernels that combine.
static constexpr int32_t combineThreads = 64;
/// Bytes of a copy from which on each device joins a share, and that are
/// joined at a time: memory that every device has besides.
static constexpr int64_t leastJoin = int64_t(1) << 16, mostStaged = int64_t(1)
                                                                    << 26;
/// More pieces are one.
static constexpr size_t mostUpdatePieces = 16;
/// How many bytes of its memory a device gets by in the time of one that comes
/// from another card, and from a part on the same one, which reads and writes
/// it: nearly so for cards that have links of their own; over PCI Express it is
/// some five times as many.
static constexpr double linkRatio = 8, copyRatio = 2;
/// What a thread takes at least, in bytes that it could touch: some updates, of
/// places that it computes.
static constexpr int64_t threadBytes = 256;

/// The neutral element, as `fill` wants it.
static int64_t getNeutral(const std::string &combiner, int64_t bytes) {
  auto is = [&](const char *name) {
    return combiner.compare(0, std::strlen(name), name) == 0;
  };
  uint64_t sign = uint64_t(1) << (bytes * 8 - 1);
  if (is("addf") || is("maxs"))
    return int64_t(sign); // -0.0 and the least
  if (is("mins"))
    return int64_t(sign - 1);
  if (is("minu") || is("andi"))
    return int64_t(-1);
  return 0;
}

static bool overlap(const Ranges &some, const Ranges &others) {
  for (const Range &a : some.get())
    for (const Range &b : others.get())
      if (a.begin < b.end && b.begin < a.end)
        return true;
  return false;
}

bool PartsDevice::planUpdates(std::vector<Accesses> &parts, Plan &plan,
                              std::string &reason) {
  std::vector<size_t> updated;
  for (auto &part : parts)
    for (auto &[pointer, access] : part)
      if (!access.updates.get().empty() &&
          std::find(updated.begin(), updated.end(), pointer) == updated.end())
        updated.push_back(pointer);
  for (size_t pointer : updated) {
    Ranges all;
    Access model;
    bool isShared = false;
    for (auto &part : parts) {
      Access &access = part[pointer];
      isShared |= overlap(all, access.updates);
      all.add(access.updates);
      all.settle();
      if (!access.combiner.empty())
        model = access;
    }
    if (!isShared) {
      // Each part has bins of its own.
      for (auto &part : parts) {
        Access &access = part[pointer];
        access.reads.add(access.updates);
        access.writes.add(access.updates);
        access.reads.settle();
        access.writes.settle();
      }
      continue;
    }
    if (all.get().size() > mostUpdatePieces) {
      Ranges around;
      around.add(all.get().front().begin, all.get().back().end);
      all = around;
    }
    for (auto &part : parts)
      if (part[pointer].combiner != model.combiner &&
          !part[pointer].combiner.empty()) {
        reason = "it is updated in several ways";
        return false;
      } else if (overlap(part[pointer].reads, all) ||
                 overlap(part[pointer].writes, all)) {
        reason = "what its parts update is used otherwise as well";
        return false;
      }
    int64_t pattern = getNeutral(model.combiner, model.elementBytes);
    auto count = int64_t(parts.size());
    for (const Range &range : all.get()) {
      int64_t elements = (range.end - range.begin) / model.elementBytes;
      int64_t shares = range.end - range.begin < count * leastJoin ? 1 : count;
      for (int64_t p = 0; p < count; ++p) {
        size_t device = plan.parts[size_t(p)].device;
        Access &access = parts[size_t(p)][pointer];
        if (p == 0)
          access.reads.add(range.begin, range.end);
        else
          plan.fills.push_back({pointer, device, range.begin, range.end,
                                pattern, model.elementBytes});
        if (p >= shares)
          continue;
        int64_t low = range.begin + elements * p / shares * model.elementBytes;
        int64_t high =
            range.begin + elements * (p + 1) / shares * model.elementBytes;
        access.writes.add(low, high);
        plan.joins.push_back(
            {pointer, device, low, high, model.combiner, model.elementBytes});
      }
    }
    for (auto &part : parts) {
      part[pointer].reads.settle();
      part[pointer].writes.settle();
    }
  }
  return true;
}

double PartsDevice::getPrice(const Launch &launch, const Plan &plan) const {
  auto getRatio = [&](size_t to, size_t from) {
    return places[to].rank != places[from].rank ||
                   places[to].device != places[from].device
               ? linkRatio
               : copyRatio;
  };
  std::vector<double> got(devices.size());
  for (const Plan::Copy &copy : plan.copies)
    got[copy.to] +=
        getRatio(copy.to, copy.from) * double(copy.end - copy.begin);
  for (const Plan::Join &join : plan.joins)
    for (const Plan::Part &part : plan.parts)
      if (part.device != join.device)
        got[join.device] +=
            getRatio(join.device, part.device) * double(join.end - join.begin);
  double threads = double(launch.grid[0]) * double(launch.grid[1]) *
                   launch.block[0] * launch.block[1] * launch.block[2];
  return std::max(double(plan.most),
                  threads * threadBytes / double(plan.parts.size())) +
         *std::max_element(got.begin(), got.end());
}

int32_t PartsDevice::fillCopies(const Plan &plan) {
  for (const Plan::Fill &fill : plan.fills) {
    Block &block = *operands[fill.pointer].block;
    if (int32_t status = provide(block, fill.device))
      return status;
    if (int32_t status = check(
            fill.device, devices[fill.device]->fill(
                             block.data[fill.device] + fill.begin, fill.pattern,
                             int32_t(fill.width), fill.end - fill.begin)))
      return status;
  }
  return ARRT_STATUS_OK;
}

int32_t PartsDevice::joinCopies(const Launch &launch, const Plan &plan) {
  for (const Plan::Join &each : plan.joins)
    for (const Plan::Part &part : plan.parts)
      if (part.device != each.device)
        if (int32_t status = join(launch, each, part.device))
          return status;
  return ARRT_STATUS_OK;
}

int32_t PartsDevice::join(const Launch &launch, const Plan::Join &join,
                          size_t from) {
  Device &device = *devices[join.device];
  auto *beside = static_cast<Kernel *>(launch.kernel);
  std::string name = beside->name + "_" + join.combiner;
  auto *kernel = static_cast<Kernel *>(beside->module->kernel(name.c_str()));
  void *handle = kernel ? kernel->module->get(*kernel, join.device) : nullptr;
  if (!handle)
    return ARRT_STATUS_DEVICE;
  auto &[stage, room] = staging[join.device];
  int64_t wanted = std::min(join.end - join.begin, mostStaged);
  if (room < wanted) {
    if (stage)
      device.release(stage, room);
    stage = static_cast<char *>(device.allocate(wanted));
    room = stage ? wanted : 0;
    if (!stage) {
      errorText = std::string(device.name()) + ": out of memory for " +
                  std::to_string(wanted) +
                  " bytes, through which parts of updates are joined";
      return ARRT_STATUS_MEMORY;
    }
  }
  Block &block = *operands[join.pointer].block;
  for (int64_t begin = join.begin; begin < join.end; begin += wanted) {
    int64_t bytes = std::min(wanted, join.end - begin);
    if (int32_t status =
            send(join.device, stage, from, block.data[from] + begin, bytes))
      return status;
    if (int32_t status = finishMessages())
      return status;
    char *to = block.data[join.device] + begin;
    int64_t first = 0, count = bytes / join.elementBytes;
    void *args[] = {&to, &stage, &first, &count};
    Launch mine = launch;
    mine.kernel = handle;
    mine.name = name.c_str();
    mine.grid[0] = (count + combineThreads - 1) / combineThreads;
    mine.grid[1] = mine.grid[2] = 1;
    mine.block[0] = combineThreads;
    mine.block[1] = mine.block[2] = 1;
    mine.shared = 0;
    mine.letters = "ppox";
    mine.overlaps = false;
    mine.args = args;
    if (int32_t status = check(join.device, device.launch(mine)))
      return status;
  }
  return ARRT_STATUS_OK;
}
