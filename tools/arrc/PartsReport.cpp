//===- PartsReport.cpp - What a program would gain by more devices --------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Cuts each launch as the runtime does, by the same table (Parts/Table.h) and
// at the same numbers, and counts what parts read and do not have. An array
// that an earlier launch of the step writes is where that wrote it; one that
// this launch writes, or one of the size of such an array, as those that take
// turns, is where this one writes; others are in equal shares. A launch takes
// as long as the part with the most bytes, by the memory's bandwidth, and its
// copies before it. What several parts update is sent to the first one.
//
//===----------------------------------------------------------------------===//

#include "PartsReport.h"

#include "Parts/Device.h"
#include "Parts/Table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <map>

using namespace llvm;
using namespace arrc;
using namespace arrc::tool;
using arrt::PartBox;
using arrt::PartCut;
using arrt::Range;
using arrt::Ranges;

namespace {
/// Of each part the bytes of an array that it has.
using Owned = std::vector<Ranges>;

/// A launch of the step.
struct Kernel {
  std::string name, letters, reason;
  std::vector<PartCut> cuts;
  const lanes::HostLaunch *launch = nullptr;
};

/// How it runs on some devices.
struct Cut {
  int pair = -1;
  int64_t blocks = 0; ///< along it
  std::string reason;
  int64_t mostTouched = 0;                   ///< bytes of a part
  int64_t exchanged = 0, pieces = 0;         ///< of all parts
  int64_t mostExchanged = 0, mostPieces = 0; ///< of one
  int64_t joined = 0, joins = 0;             ///< bytes and pieces of updates
};

class Step {
public:
  explicit Step(const lanes::HostWay &way);

  std::vector<Kernel> kernels;
  /// Launches that say nothing of parts, or of whose numbers some are unknown.
  std::vector<std::string> unknown;

  std::vector<Cut> run(int64_t devices);

private:
  struct Access {
    Ranges reads, writes, updates;
  };
  using Accesses = std::map<int, Access>; ///< by pointer

  static int64_t getArgument(const Kernel &kernel, int number) {
    auto it = kernel.launch->facts.arguments.find(number);
    return it == kernel.launch->facts.arguments.end() ? 0 : it->second;
  }
  static int getPlace(const Kernel &kernel, int pair);
  static Accesses getAccesses(const Kernel &kernel, const PartCut &cut,
                              int64_t low, int64_t high);
  bool tryCut(const Kernel &kernel, const PartCut &cut, int64_t devices,
              std::vector<Accesses> &parts, std::string &reason);
  /// Makes one part the writer of what several update, and counts what the
  /// others send it.
  static void joinUpdates(std::vector<Accesses> &parts, Cut &cut);
  Owned &getOwned(const Kernel &kernel, int pointer,
                  const std::vector<Accesses> &parts, int64_t devices);
  void count(const Kernel &kernel, std::vector<Accesses> &parts,
             int64_t devices, Cut &cut);

  std::map<const void *, Owned> owned; ///< by the host's value
};
} // namespace

static int64_t getBytes(const Ranges &ranges) {
  int64_t bytes = 0;
  for (const Range &range : ranges.get())
    bytes += range.end - range.begin;
  return bytes;
}

/// What is in `all` and not in `some`; both are in order.
static Ranges subtract(const Ranges &all, const Ranges &some) {
  Ranges rest;
  for (Range range : all.get()) {
    for (const Range &other : some.get()) {
      if (other.end <= range.begin || other.begin >= range.end)
        continue;
      rest.add(range.begin, other.begin);
      range.begin = std::min(other.end, range.end);
    }
    rest.add(range.begin, range.end);
  }
  return rest;
}

Step::Step(const lanes::HostWay &way) {
  bool hasLoop = any_of(way.launches, [](const lanes::HostLaunch &launch) {
    return launch.loop != nullptr;
  });
  StringSet<> seen;
  for (const lanes::HostLaunch &launch : way.launches) {
    if (hasLoop && !launch.loop)
      continue;
    mlir::gpu::GPUFuncOp function = launch.kernel;
    // One in 32 bits and one in 64 are the same.
    if (launch.isPossible && !seen.insert(function.getName()).second)
      continue;
    Kernel kernel;
    kernel.name = function.getName().str();
    kernel.launch = &launch;
    auto letters = function->getAttrOfType<mlir::StringAttr>("arrc.args");
    auto parts =
        function->getParentOp()->getAttrOfType<mlir::StringAttr>("arrc.parts");
    if (!letters || !parts ||
        !arrt::readPartTable(parts.str().c_str(), kernel.cuts, kernel.reason)) {
      unknown.push_back(kernel.name);
      continue;
    }
    kernel.letters = letters.str();
    kernels.push_back(std::move(kernel));
  }
}

int Step::getPlace(const Kernel &kernel, int pair) {
  for (auto [place, letter] : enumerate(kernel.letters))
    if (letter == 'x' && pair-- == 0)
      return static_cast<int>(place);
  return -1;
}

Step::Accesses Step::getAccesses(const Kernel &kernel, const PartCut &cut,
                                 int64_t low, int64_t high) {
  Accesses accesses;
  for (const PartBox &box : cut.boxes) {
    Access &access = accesses[box.pointer];
    Ranges ranges;
    PartBox::Fit fit =
        box.getRanges([&](int number) { return getArgument(kernel, number); },
                      low, high, ranges);
    if (box.kind == 'u' && cut.pair >= 0) {
      access.updates.add(ranges);
      continue;
    }
    if (box.kind != 'w' || fit != PartBox::Fit::Exact)
      access.reads.add(ranges);
    if (box.kind != 'r')
      access.writes.add(ranges);
  }
  for (auto &[pointer, access] : accesses) {
    access.reads.settle();
    access.writes.settle();
    access.updates.settle();
  }
  return accesses;
}

void Step::joinUpdates(std::vector<Accesses> &parts, Cut &cut) {
  std::map<int, Ranges> updated;
  for (Accesses &part : parts)
    for (auto &[pointer, access] : part)
      updated[pointer].add(access.updates);
  for (auto &[pointer, all] : updated) {
    all.settle();
    if (all.get().empty())
      continue;
    for (auto [p, part] : enumerate(parts)) {
      auto it = part.find(pointer);
      if (it == part.end())
        continue;
      if (p > 0) {
        int64_t bytes = getBytes(it->second.updates);
        cut.joined += bytes;
        cut.joins += bytes > 0;
      }
      it->second.updates = Ranges();
    }
    Access &first = parts.front()[pointer];
    for (Ranges *ranges : {&first.reads, &first.writes}) {
      ranges->add(all);
      ranges->settle();
    }
  }
}

bool Step::tryCut(const Kernel &kernel, const PartCut &cut, int64_t devices,
                  std::vector<Accesses> &parts, std::string &reason) {
  int place = getPlace(kernel, cut.pair);
  int64_t low = getArgument(kernel, place - 1);
  int64_t extent = getArgument(kernel, place);
  parts.clear();
  std::map<int, std::vector<Range>> written;
  for (int64_t d = 0; d < devices; ++d) {
    int64_t from = low + extent * d / devices;
    int64_t to = low + extent * (d + 1) / devices;
    parts.push_back(from < to ? getAccesses(kernel, cut, from, to)
                              : Accesses());
    for (auto &[pointer, access] : parts.back())
      append_range(written[pointer], access.writes.get());
  }
  for (auto &[pointer, ranges] : written) {
    llvm::sort(ranges, [](const Range &a, const Range &b) {
      return a.begin < b.begin;
    });
    for (size_t i = 1; i < ranges.size(); ++i)
      if (ranges[i].begin < ranges[i - 1].end) {
        reason = "two parts may write the same bytes";
        return false;
      }
  }
  return true;
}

Owned &Step::getOwned(const Kernel &kernel, int pointer,
                      const std::vector<Accesses> &parts, int64_t devices) {
  auto host = kernel.launch->op;
  const void *value = host.getKernelOperand(pointer).getAsOpaquePointer();
  auto [it, isNew] = owned.try_emplace(value);
  if (!isNew)
    return it->second;
  // All of it, as the whole launch touches it.
  auto getEnd = [&](int number) {
    int64_t end = 0;
    for (const PartCut &cut : kernel.cuts)
      if (cut.pair < 0)
        for (const PartBox &box : cut.boxes)
          if (box.pointer == number) {
            int64_t bytes = box.elementBytes;
            for (const PartBox::Dimension &dim : box.dimensions)
              bytes *= dim.size.get(
                  [&](int n) { return getArgument(kernel, n); }, 0, 0);
            end = std::max(end, bytes);
          }
    return end;
  };
  int64_t bytes = getEnd(pointer);
  it->second.resize(devices);
  // Where this launch wrote it in the step before; or what takes turns with it.
  for (bool isItself : {true, false})
    for (auto &[other, access] : parts.front())
      if ((other == pointer) == isItself && !access.writes.get().empty() &&
          getEnd(other) == bytes) {
        for (size_t d = 0; d < parts.size(); ++d)
          if (parts[d].count(other))
            it->second[d] = parts[d].at(other).writes;
        return it->second;
      }
  // Small ones are on the first device.
  int64_t count = bytes < devices * arrt::leastShare ? 1 : devices;
  for (int64_t d = 0; d < count; ++d)
    it->second[d].add(bytes * d / count, bytes * (d + 1) / count);
  return it->second;
}

void Step::count(const Kernel &kernel, std::vector<Accesses> &parts,
                 int64_t devices, Cut &cut) {
  for (auto [d, accesses] : enumerate(parts)) {
    int64_t touched = 0, exchanged = 0, pieces = 0;
    for (auto &[pointer, access] : accesses) {
      Ranges all = access.reads;
      all.add(access.writes);
      all.settle();
      touched += getBytes(all);
      if (access.reads.get().empty())
        continue;
      Ranges missing =
          subtract(access.reads, getOwned(kernel, pointer, parts, devices)[d]);
      exchanged += getBytes(missing);
      pieces += static_cast<int64_t>(missing.get().size());
    }
    cut.mostTouched = std::max(cut.mostTouched, touched);
    cut.mostExchanged = std::max(cut.mostExchanged, exchanged);
    cut.mostPieces = std::max(cut.mostPieces, pieces);
    cut.exchanged += exchanged;
    cut.pieces += pieces;
  }
  // The first one gets copies of what others updated.
  cut.mostExchanged = std::max(cut.mostExchanged, cut.joined);
  cut.mostPieces = std::max(cut.mostPieces, cut.joins);
  cut.exchanged += cut.joined;
  cut.pieces += cut.joins;
  // What was written is there from now on.
  auto host = kernel.launch->op;
  for (auto &[pointer, access] : parts.front()) {
    bool isWritten = any_of(parts, [&, which = pointer](Accesses &each) {
      return each.count(which) && !each[which].writes.get().empty();
    });
    if (!isWritten)
      continue;
    Owned &mine = owned[host.getKernelOperand(pointer).getAsOpaquePointer()];
    mine.assign(devices, Ranges());
    for (auto [d, accesses] : enumerate(parts))
      if (accesses.count(pointer))
        mine[d] = accesses[pointer].writes;
  }
}

std::vector<Cut> Step::run(int64_t devices) {
  owned.clear();
  std::vector<Cut> cuts;
  for (const Kernel &kernel : kernels) {
    Cut cut;
    cut.reason = kernel.reason.empty() ? "it is one block" : kernel.reason;
    // As the runtime: with an iteration for each device first.
    std::vector<std::pair<int64_t, const PartCut *>> order;
    const PartCut *whole = nullptr;
    for (const PartCut &each : kernel.cuts) {
      if (each.pair < 0) {
        whole = &each;
        continue;
      }
      int place = getPlace(kernel, each.pair);
      int64_t extent = place > 0 ? getArgument(kernel, place) : 0;
      if (extent > 1)
        order.push_back({std::min(extent, devices), &each});
    }
    llvm::stable_sort(
        order, [](const auto &a, const auto &b) { return a.first > b.first; });
    std::vector<Accesses> parts;
    for (auto &[extent, each] : order)
      if (devices > 1 && tryCut(kernel, *each, devices, parts, cut.reason)) {
        joinUpdates(parts, cut);
        cut.pair = each->pair;
        cut.blocks = getArgument(kernel, getPlace(kernel, each->pair));
        break;
      }
    if (cut.pair < 0)
      parts.assign(1, getAccesses(kernel, whole ? *whole : PartCut(), 0, 0));
    count(kernel, parts, devices, cut);
    cuts.push_back(cut);
  }
  return cuts;
}

/// Seconds of a step.
static double getTime(ArrayRef<Cut> cuts, const DeviceFigures &figures) {
  double seconds = 0;
  for (const Cut &cut : cuts)
    seconds += cut.mostTouched / (figures.bandwidth * 1e9) +
               cut.mostExchanged / (figures.link * 1e9) +
               cut.mostPieces * figures.latency * 1e-6;
  return seconds;
}

void arrc::tool::printParts(raw_ostream &os, const lanes::HostWay &way,
                            const DeviceFigures &figures) {
  Step step(way);
  for (const std::string &name : step.unknown)
    os << "kernel " << name << ": nothing is known of its parts\n";
  std::vector<Cut> cuts = step.run(figures.devices);
  int64_t exchanged = 0, pieces = 0;
  for (auto [kernel, cut] : zip_equal(step.kernels, cuts)) {
    os << "kernel " << kernel.name << ": ";
    if (cut.pair < 0)
      os << "on one device: " << cut.reason;
    else
      os << "cut along loop " << cut.pair + 1 << " of its grid, " << cut.blocks
         << (cut.blocks == 1 ? " block" : " blocks");
    os << "; a part touches " << cut.mostTouched << " bytes at most";
    if (cut.pieces)
      os << " and gets " << cut.mostExchanged << ", all get " << cut.exchanged
         << " in " << cut.pieces << (cut.pieces == 1 ? " piece" : " pieces");
    os << '\n';
    exchanged += cut.exchanged, pieces += cut.pieces;
  }
  os << "a step on " << figures.devices << " devices: " << exchanged
     << " bytes exchanged in " << pieces << " pieces\n";
  os << formatv("predicted, for {0} GB/s of memory, {1} GB/s and {2} us a copy "
                "between devices:\n",
                figures.bandwidth, figures.link, figures.latency);
  os << "devices   step, us    speedup  efficiency       exchanged\n";
  double one = getTime(step.run(1), figures);
  for (int64_t devices = 1; devices <= 1024; devices *= 2) {
    std::vector<Cut> many = step.run(devices);
    double seconds = getTime(many, figures);
    int64_t all = 0;
    for (const Cut &cut : many)
      all += cut.exchanged;
    os << formatv("{0,7} {1,10:F1} {2,10:F2} {3,11:P0} {4,15}\n", devices,
                  seconds * 1e6, seconds > 0 ? one / seconds : 1.0,
                  seconds > 0 ? one / seconds / devices : 1.0, all);
  }
}
