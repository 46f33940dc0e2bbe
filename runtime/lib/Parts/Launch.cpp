//===- Launch.cpp - one launch on several devices -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The first way to cut a kernel is taken along which there is an iteration for
// each device, and whose parts write different bytes: the table says what they
// write at most, the numbers of the launch whether that overlaps. A kernel
// that no way cuts runs on the first device.
//
// Before the parts start, each gets what it reads and does not have. What a
// part writes is its own afterwards. Of bytes that it may write but need not it
// has the old values first. What several parts update is Updates.cpp's.
//
//===----------------------------------------------------------------------===//

#include "Parts/PartsDevice.h"

#include <algorithm>
#include <cstring>

using namespace arrt;
using namespace arrt::parts;

static bool isPointer(char letter) {
  return letter == 'p' || letter == 'e' || letter == 't';
}

/// The value of an argument; sizes are not negative in kernels of 32 bits.
static int64_t valueOf(const Launch &launch, int number) {
  const void *place = launch.args[number];
  switch (launch.letters[number]) {
  case '1': {
    int8_t value;
    std::memcpy(&value, place, sizeof value);
    return value;
  }
  case '2': {
    int16_t value;
    std::memcpy(&value, place, sizeof value);
    return value;
  }
  case '4': {
    int32_t value;
    std::memcpy(&value, place, sizeof value);
    return value;
  }
  case 'l':
    return 0;
  default: {
    int64_t value;
    std::memcpy(&value, place, sizeof value);
    return value;
  }
  }
}

/// The place of `x` of a pair; -1 if there is none.
static int placeOf(const Launch &launch, int pair) {
  for (int i = 0; launch.letters[i]; ++i)
    if (launch.letters[i] == 'x' && pair-- == 0)
      return i;
  return -1;
}

int32_t PartsDevice::readOperands(const Launch &launch) {
  operands.clear();
  for (int i = 0; launch.letters[i]; ++i) {
    Operand operand{nullptr, 0};
    if (isPointer(launch.letters[i])) {
      void *data;
      std::memcpy(&data, launch.args[i], sizeof data);
      operand.block = data ? find(data, operand.offset) : nullptr;
      if (data && !operand.block)
        return failOutside(data);
      if (launch.letters[i] == 'e')
        std::swap(operand.block, operand.record);
    }
    operands.push_back(operand);
  }
  return ARRT_STATUS_OK;
}

/// All that a plan follows from.
std::string PartsDevice::getKey(const Launch &launch) {
  std::string key;
  auto add = [&](int64_t number) {
    key.append(reinterpret_cast<const char *>(&number), sizeof number);
  };
  add(int64_t(static_cast<Kernel *>(launch.kernel)->number));
  for (int64_t size : launch.grid)
    add(size);
  for (int i = 0; launch.letters[i]; ++i) {
    Operand &operand = operands[size_t(i)];
    if (operand.block) {
      // Which of the operands are one block, not which block that is: buffers
      // take turns.
      int same = 0;
      while (operands[size_t(same)].block != operand.block)
        ++same;
      add(same);
      add(operand.offset);
      add(int64_t(getState(*operand.block)));
    } else {
      add(isPointer(launch.letters[i]) ? 0 : valueOf(launch, i));
    }
  }
  return key;
}

int64_t PartsDevice::readNumber(size_t pointer, int64_t index) {
  readsData = true;
  int64_t number = 0;
  constexpr int64_t bytes = sizeof number;
  Block *block = pointer < operands.size() ? operands[pointer].block : nullptr;
  int64_t begin = block ? operands[pointer].offset + index * bytes : 0;
  if (!block || begin < 0 || begin + bytes > block->bytes) {
    readStatus = failOutside(nullptr);
    return 0;
  }
  if (!readStatus)
    readStatus = readOut(*block, begin, begin + bytes,
                         reinterpret_cast<char *>(&number));
  return number;
}

bool PartsDevice::getAccess(const Launch &launch, const PartCut &cut,
                            int64_t low, int64_t high, Accesses &accesses) {
  std::vector<bool> isKnown(operands.size());
  auto argument = [&](int number) {
    return size_t(number) < operands.size() ? valueOf(launch, number) : 0;
  };
  auto read = [&](int pointer, int64_t index, int64_t) {
    return readNumber(size_t(pointer), index);
  };
  for (const PartBox &box : cut.boxes) {
    if (size_t(box.pointer) >= operands.size())
      return false;
    isKnown[size_t(box.pointer)] = true;
    const Operand &operand = operands[size_t(box.pointer)];
    if (!operand.block)
      continue;
    Ranges ranges;
    PartBox::Fit fit = box.getRanges(argument, low, high, ranges, read);
    ranges.clip(operand.offset, operand.block->bytes);
    Access &mine = accesses[pointerTo(operand.block)];
    if (box.kind == 'u' && cut.pair >= 0) {
      if (!mine.combiner.empty() && mine.combiner != box.combiner)
        return false;
      mine.combiner = box.combiner;
      mine.elementBytes = box.elementBytes;
      mine.updates.add(ranges);
      continue;
    }
    if (box.kind != 'w' || fit != PartBox::Fit::Exact)
      mine.reads.add(ranges);
    if (box.kind != 'r')
      mine.writes.add(ranges);
    if (box.kind != 'r' && fit == PartBox::Fit::Around && cut.pair >= 0)
      return false;
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    Block *block = operands[i].block;
    if (!block || isKnown[i])
      continue;
    if (cut.pair >= 0)
      return false;
    Access &all = accesses[pointerTo(block)];
    all.reads.add(0, block->bytes);
    all.writes.add(0, block->bytes);
  }
  for (auto &[pointer, each] : accesses) {
    each.reads.settle();
    each.writes.settle();
    each.updates.settle();
  }
  return true;
}

size_t PartsDevice::pointerTo(const Block *block) const {
  size_t i = 0;
  while (operands[i].block != block)
    ++i;
  return i;
}

void PartsDevice::finish(std::vector<Accesses> &parts, Plan &plan) {
  std::map<size_t, Owners> after;
  for (auto &part : parts) {
    int64_t bytes = 0;
    for (auto &[pointer, access] : part) {
      Ranges all = access.reads;
      all.add(access.writes);
      all.add(access.updates);
      all.settle();
      for (const Range &range : all.get())
        bytes += range.end - range.begin;
    }
    plan.bytes += bytes;
    plan.most = std::max(plan.most, bytes);
  }
  for (size_t p = 0; p < parts.size(); ++p) {
    size_t device = plan.parts[p].device;
    uint64_t bit = uint64_t(1) << device;
    for (auto &each : parts[p]) {
      size_t pointer = each.first;
      const Access &access = each.second;
      const Block *block = operands[pointer].block;
      Owners &owners = after.try_emplace(pointer, block->owners).first->second;
      std::vector<Plan::Copy> copies;
      for (const Range &range : access.reads.get())
        block->owners.visit(
            range.begin, range.end,
            [&](int64_t begin, int64_t end, uint64_t have) {
              if (!have || have & bit)
                return;
              // The nearest: neighbours are most likely to be close.
              size_t from = size_t(__builtin_ctzll(have));
              for (size_t d = from; d < devices.size(); ++d)
                if (have >> d & 1 &&
                    (d > device ? d - device : device - d) <
                        (from > device ? from - device : device - from))
                  from = d;
              if (!copies.empty() && copies.back().end == begin &&
                  copies.back().from == from)
                copies.back().end = end;
              else
                copies.push_back({pointer, device, from, begin, end});
            });
      for (const Plan::Copy &copy : copies) {
        owners.add(copy.begin, copy.end, bit);
        plan.copies.push_back(copy);
      }
    }
  }
  for (size_t p = 0; p < parts.size(); ++p)
    for (auto &[pointer, access] : parts[p])
      for (const Range &range : access.writes.get())
        after.at(pointer).set(range.begin, range.end,
                              uint64_t(1) << plan.parts[p].device);
  for (auto &[pointer, owners] : after) {
    Block fake(0, 0);
    fake.owners = owners;
    plan.changes.push_back({pointer, getState(fake)});
  }
}

bool PartsDevice::planCut(const Launch &launch, const PartCut &cut, Plan &plan,
                          std::string &reason) {
  int place = placeOf(launch, cut.pair);
  if (place < 1)
    return false;
  int64_t offset = valueOf(launch, place - 1), whole = valueOf(launch, place);
  auto count = int64_t(devices.size());
  std::vector<Accesses> parts;
  plan = {};
  plan.pair = cut.pair;
  for (int64_t d = 0; d < count; ++d) {
    int64_t low = int64_t(__int128(whole) * d / count);
    int64_t high = int64_t(__int128(whole) * (d + 1) / count);
    if (low == high)
      continue;
    parts.emplace_back();
    if (!getAccess(launch, cut, offset + low, offset + high, parts.back())) {
      reason = "what a part writes is in too many pieces";
      return false;
    }
    plan.parts.push_back({size_t(d), offset + low, high - low});
  }
  if (!planUpdates(parts, plan, reason))
    return false;
  // Bytes of two writers would be wrong on both.
  std::map<size_t, std::vector<Range>> written;
  for (auto &part : parts)
    for (auto &[pointer, access] : part)
      for (const Range &range : access.writes.get())
        written[pointer].push_back(range);
  for (auto &[pointer, ranges] : written) {
    std::sort(ranges.begin(), ranges.end(),
              [](const Range &a, const Range &b) { return a.begin < b.begin; });
    for (size_t i = 1; i < ranges.size(); ++i)
      if (ranges[i].begin < ranges[i - 1].end) {
        reason = "two parts may write the same bytes";
        return false;
      }
  }
  finish(parts, plan);
  return true;
}

void PartsDevice::planWhole(const Launch &launch, const PartCut *cut,
                            Plan &plan) {
  static const PartCut nothing;
  std::vector<Accesses> parts(1);
  plan = {};
  plan.parts.push_back({0, 0, 0});
  getAccess(launch, cut ? *cut : nothing, 0, 0, parts[0]);
  finish(parts, plan);
}

void PartsDevice::makePlan(const Launch &launch, Plan &plan) {
  ++planned;
  Kernel &kernel = *static_cast<Kernel *>(launch.kernel);
  // What cannot be read says nothing.
  if (!kernel.hasCuts && launch.parts &&
      !readPartTable(launch.parts, kernel.cuts, kernel.reason))
    kernel.cuts.clear();
  kernel.hasCuts = true;
  // With an iteration for each device first, then with as many as there are.
  std::vector<std::pair<int64_t, const PartCut *>> order;
  const PartCut *whole = nullptr;
  for (const PartCut &cut : kernel.cuts) {
    int place = cut.pair < 0 ? -1 : placeOf(launch, cut.pair);
    if (cut.pair < 0)
      whole = &cut;
    else if (place > 0 && valueOf(launch, place) > 1)
      order.push_back(
          {std::min(valueOf(launch, place), int64_t(devices.size())), &cut});
  }
  std::stable_sort(
      order.begin(), order.end(),
      [](const auto &a, const auto &b) { return a.first > b.first; });
  std::string reason = kernel.reason;
  if (kernel.cuts.empty())
    reason = "nothing is known of what it touches";
  else if (reason.empty())
    reason = "it is one block";
  if (launch.grid[2] == 1 && devices.size() > 1)
    for (auto &[extent, cut] : order) {
      if (!planCut(launch, *cut, plan, reason))
        continue;
      if (plan.joins.empty())
        return;
      Plan other;
      planWhole(launch, whole, other);
      if (getPrice(launch, plan) <= getPrice(launch, other))
        return;
      reason = "to join what parts update would take longer";
    }
  planWhole(launch, whole, plan);
  plan.reason = reason;
}

int32_t PartsDevice::start(const Launch &launch, const Plan &plan,
                           const Plan::Part &part) {
  if (!isHere(part.device))
    return ARRT_STATUS_OK;
  Launch mine = launch;
  auto *kernel = static_cast<Kernel *>(launch.kernel);
  mine.kernel = kernel->module->get(*kernel, part.device);
  if (!mine.kernel)
    return ARRT_STATUS_DEVICE;
  std::vector<void *> args(operands.size());
  std::vector<char *> pointers(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    args[i] = launch.args[i];
    if (Block *block = operands[i].block) {
      // One that is not touched there is somewhere all the same.
      if (int32_t status = provide(*block, part.device))
        return status;
      pointers[i] = block->data[part.device] + operands[i].offset;
      args[i] = &pointers[i];
    } else if (Block *record = operands[i].record) {
      if (int32_t status = provideRecord(*record, part.device))
        return status;
      pointers[i] = record->data[part.device] + operands[i].offset;
      args[i] = &pointers[i];
    }
  }
  int64_t offset = part.offset, extent = part.extent;
  if (plan.pair >= 0) {
    int place = placeOf(launch, plan.pair);
    args[size_t(place - 1)] = &offset;
    args[size_t(place)] = &extent;
    int64_t blocks = extent;
    for (int pair = 0, other; (other = placeOf(launch, pair)) >= 0; ++pair)
      if (pair != plan.pair)
        blocks *= valueOf(launch, other);
    // A folded grid keeps its rows' length, which the kernel counts by.
    if (launch.grid[1] > 1)
      mine.grid[1] = (blocks + launch.grid[0] - 1) / launch.grid[0];
    else
      mine.grid[0] = blocks;
  }
  mine.args = args.data();
  return check(part.device, devices[part.device]->launch(mine));
}

int32_t PartsDevice::run(const Launch &launch, const Plan &plan) {
  for (const Plan::Copy &copy : plan.copies)
    if (int32_t status = move(*operands[copy.pointer].block, copy.to, copy.from,
                              copy.begin, copy.end))
      return status;
  if (int32_t status = finishMessages())
    return status;
  if (int32_t status = fillCopies(plan))
    return status;
  for (const Plan::Part &part : plan.parts)
    if (int32_t status = start(launch, plan, part))
      return status;
  if (int32_t status = joinCopies(launch, plan))
    return status;
  for (const Plan::Change &change : plan.changes) {
    Block &block = *operands[change.pointer].block;
    block.owners = ownersOf[change.state];
    block.state = change.state;
  }
  ++launches;
  cutLaunches += plan.pair >= 0;
  if (reports) {
    Share &share =
        shares[{static_cast<Kernel *>(launch.kernel)->name, plan.reason}];
    ++share.launches;
    share.bytes += plan.bytes;
  }
  return ARRT_STATUS_OK;
}

/// So many are kept, then none.
static constexpr size_t mostPlans = 4096, mostStates = 1 << 16;

void PartsDevice::forgetPlans() {
  plans.clear();
  states.clear();
  ownersOf.resize(1, Owners(0));
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[data, block] : blocks)
    block->state = 0;
}

int32_t PartsDevice::launch(const Launch &launch) {
  return inStep([&] { return launchParts(launch); });
}

int32_t PartsDevice::launchParts(const Launch &launch) {
  if (plans.size() >= mostPlans || ownersOf.size() >= mostStates)
    forgetPlans();
  if (int32_t status = readOperands(launch))
    return status;
  std::string key = getKey(launch);
  auto it = plans.find(key);
  if (it == plans.end()) {
    Plan plan;
    readsData = false;
    readStatus = ARRT_STATUS_OK;
    makePlan(launch, plan);
    if (readStatus)
      return readStatus;
    // What numbers in memory say is asked anew each time.
    if (readsData)
      return run(launch, plan);
    it = plans.emplace(key, std::move(plan)).first;
  }
  return run(launch, it->second);
}
