//===- KernelTraffic.cpp - What a launch asks memory for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Three levels are counted apart: what warps ask the first cache for, request
// by request; what a block asks L2 for, each sector once; and what comes from
// memory, which is never more than the array where all of it may be kept.
//
//===----------------------------------------------------------------------===//

#include "KernelTraffic.h"

#include "arrc/Analysis/CostModel.h"
#include "arrc/Analysis/GPU/Waits.h"
#include "arrc/Analysis/Registers.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <map>

using namespace arrc;
using namespace arrc::tool;
using namespace arrc::lanes;

static constexpr int64_t kWarp = 32, kSector = 32;

std::optional<int64_t> arrc::tool::countBlocks(const HostLaunch &launch) {
  int64_t blocks = 1;
  for (std::optional<int64_t> count : launch.facts.blocks) {
    if (!count)
      return std::nullopt;
    blocks *= *count;
  }
  return blocks;
}

/// Whether an array of a kernel is the record that a failing check writes to:
/// what is done with it is done once, if at all.
static bool isCheckRecord(const Trace &trace, const Buffer &buffer) {
  auto argument = dyn_cast<mlir::BlockArgument>(buffer.root);
  auto letters = trace.kernel->getAttrOfType<mlir::StringAttr>("arrc.args");
  return argument && letters && argument.getArgNumber() < letters.size() &&
         letters.getValue()[argument.getArgNumber()] == 'e';
}

static bool takesPart(const Trace &trace, const Event &event, size_t thread) {
  return thread < trace.threads && event.mask->on[thread];
}

namespace {
/// What one block asks of one array, reads and writes apart.
struct ArrayTraffic {
  /// Sectors of accesses that are made once, each once.
  llvm::DenseSet<int64_t> once;
  /// Of those in loops, as many as the iterations ask for.
  double repeated = 0;
  /// Where values decide, no sector is known to be one that was had before.
  double wherever = 0;
};
} // namespace

/// Adds the sectors of an access whose places are numbers.
static void addSectors(const Trace &trace, const Event &event,
                       const Lanes &places, double times,
                       ArrayTraffic &traffic) {
  llvm::DenseSet<int64_t> sectors;
  int64_t bytes = event.bytes * std::max<int64_t>(event.vector, 1);
  for (size_t t = 0; t < trace.threads; ++t)
    if (takesPart(trace, event, t))
      for (int64_t s = llvm::divideFloorSigned(places[t], kSector),
                   e = llvm::divideFloorSigned(places[t] + bytes - 1, kSector);
           s <= e; ++s)
        sectors.insert(s);
  if (times == 1)
    traffic.once.insert_range(sectors);
  else
    traffic.repeated += times * double(sectors.size());
}

/// Bytes of an array of fixed size; 0 of others.
static double getBytes(mlir::Value array) {
  auto type = dyn_cast<mlir::MemRefType>(array.getType());
  if (!type || !type.hasStaticShape() ||
      !type.getElementType().isIntOrIndexOrFloat())
    return 0;
  unsigned bits =
      type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
  return double(type.getNumElements()) * std::max(1u, bits / 8);
}

kernel::Demand
arrc::tool::getDemand(const Trace &trace, const HostLaunch &launch,
                      const kernel::Roof &roof,
                      llvm::function_ref<bool(const Event &)> isMended) {
  kernel::Demand demand;
  demand.blocks = double(countBlocks(launch).value_or(1));
  demand.threads = double(trace.threads);
  // What blocks share, and what threads keep.
  mlir::gpu::GPUFuncOp function = trace.kernel;
  demand.registers = kernel::kFrameRegisters + estimateRegisters(function);
  for (mlir::Value own : function.getWorkgroupAttributions())
    demand.sharedBytes += getBytes(own);
  for (mlir::Value own : function.getPrivateAttributions())
    demand.registers += getBytes(own) / 4;
  double moved = 0;
  auto timesOf = [&](const Form &times) {
    std::optional<Lanes> number = times.evaluate(trace.symbols);
    return number ? double((*number)[0]) : 1;
  };
  std::map<std::pair<unsigned, bool>, ArrayTraffic> arrays;
  for (const Event &event : trace.events) {
    if (event.isShadow || event.vector == 0 ||
        isCheckRecord(trace, trace.buffers[event.buffer]))
      continue;
    double times = timesOf(event.times);
    bool isShared = trace.buffers[event.buffer].kind == Buffer::Shared;
    bool mended = isMended(event);
    ArrayTraffic &traffic = arrays[{event.buffer, event.writes}];
    std::optional<Lanes> places = event.address && !mended
                                      ? event.address->evaluate(trace.symbols)
                                      : std::nullopt;
    if (!isShared && places)
      addSectors(trace, event, *places, times, traffic);
    for (size_t first = 0; first < trace.threads; first += kWarp) {
      std::optional<Request> request = getRequest(trace, event, first);
      if (!request)
        continue;
      double pieces =
          times * double(mended ? std::max<int64_t>(request->fewestPieces, 1)
                                : request->pieces);
      demand.instructions += times;
      (isShared ? demand.turns : demand.requestBytes) +=
          isShared ? pieces : kSector * pieces;
      if (!isShared)
        moved += kSector * pieces;
      // Where a block begins may be read, as a ticket is: its threads are at
      // neighbours nevertheless.
      bool isWherever = event.isData && !mended &&
                        !(event.address && event.address->hasUniformSymbols());
      if (!isShared && !places)
        (isWherever ? traffic.wherever : traffic.repeated) += pieces;
    }
  }
  for (const WorkEvent &event : trace.work) {
    double warps = timesOf(event.times) * trace.countWarps(*event.mask);
    bool isSpecial = isSpecialFunction(event.op);
    demand.instructions += warps * (isSpecial ? double(getWork(event.op)) : 1);
    if (isSpecial)
      demand.special += warps;
  }
  for (const BarrierEvent &event : trace.barriers)
    if (!event.isShadow)
      demand.instructions += timesOf(event.times) * trace.getWarps();
  Waits waits = getWaits(trace, [&](const Event &event) {
    return !isCheckRecord(trace, trace.buffers[event.buffer]);
  });
  demand.trips = waits.alone + waits.repeated;
  demand.barriers = waits.barriers;
  // Each trip has its share of what a warp moves; nobody waits for stores, so
  // that they come on top of what is loaded meanwhile.
  if (demand.trips > 0)
    demand.flight = moved / trace.getWarps() /
                    (waits.alone + waits.repeated / kernel::kStepsUnderWay);
  demand.instructions *= demand.blocks;
  demand.special *= demand.blocks;
  demand.requestBytes *= demand.blocks;
  demand.turns *= demand.blocks;
  for (auto &[key, traffic] : arrays) {
    const Buffer &buffer = trace.buffers[key.first];
    if (buffer.kind != Buffer::Global)
      continue;
    auto argument = dyn_cast<mlir::BlockArgument>(buffer.root);
    std::optional<int64_t> size;
    if (argument && argument.getArgNumber() < launch.bytes.size())
      size = launch.bytes[argument.getArgNumber()];
    double known = kSector * demand.blocks *
                   (double(traffic.once.size()) + traffic.repeated);
    double wherever = kSector * demand.blocks * traffic.wherever;
    demand.cacheBytes += known + wherever;
    if (size && double(*size) <= roof.cacheBytes)
      wherever = std::min(wherever, double(*size));
    if (size)
      known = std::min(known, double(*size));
    demand.memoryBytes += known + wherever;
  }
  demand.cacheBytes = std::min(demand.cacheBytes, demand.requestBytes);
  return demand;
}

std::vector<int64_t> arrc::tool::getLanePlaces(const Trace &trace,
                                               mlir::Operation *op,
                                               unsigned buffer) {
  for (const Event &event : trace.events) {
    if (event.op != op || event.buffer != buffer || event.isShadow ||
        event.vector == 0 || !event.address)
      continue;
    std::optional<Lanes> numbers = event.address->evaluate(trace.symbols);
    if (!numbers && !event.address->hasUniformSymbols())
      return {};
    Lanes places = numbers ? *numbers : event.address->getConstant();
    for (size_t first = 0; first < trace.threads; first += kWarp) {
      std::vector<int64_t> lanes(kWarp, -1);
      std::optional<int64_t> lowest;
      for (size_t t = first; t < first + kWarp; ++t)
        if (takesPart(trace, event, t))
          lowest = std::min(lowest.value_or(places[t]), places[t]);
      if (!lowest)
        continue;
      // Arrays begin at sectors: where in one the first lane lies is kept.
      *lowest = llvm::divideFloorSigned(*lowest, kSector) * kSector;
      for (size_t t = first; t < first + kWarp; ++t)
        if (takesPart(trace, event, t))
          lanes[t - first] = places[t] - *lowest;
      return lanes;
    }
  }
  return {};
}
