//===- JudgedScans.cpp - Ways to scan columns, and their prices -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Which way is fastest depends on how many columns there are and how long they
// are:
//
//   alone      a thread a column, several elements at a time: nobody waits for
//              anybody, if there are columns enough for the bytes under way
//   in order   threads share tiles of a column, which follow each other in a
//              block: fewer columns do, for barriers in each tile
//   look-back  tiles have blocks: any number of columns, but a block waits for
//              those before it
//
// A tile costs what a whole one does however few elements of it are there, so
// that short columns want short tiles.
//
//===----------------------------------------------------------------------===//

#include "JudgedScans.h"
#include "Scans.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

// What is measured was measured on an H200, with 40 schedules of six scans.

/// How much longer memory takes where threads read, compute and write in turns,
/// alone and in tiles.
static constexpr double kAloneLoss = 1.25, kTileLoss = 1.2;
/// Bytes for which a part of a sector at the end of a row of a tile takes as
/// long, where rows begin anywhere.
static constexpr double kRowEnd = 60;
/// What a tile costs more where its block has the multiprocessor to itself, and
/// for each time that it could be as large again; what a step past the end of a
/// column costs of one that counts.
static constexpr double kLoneBlock = 1.3, kSmallTile = 0.15, kDeadLoss = 0.5;
/// How many times the bytes that hide the latency of memory all threads may ask
/// for together, and how fast memory slows down beyond.
static constexpr double kBurst = 1.5, kBurstLoss = 0.45;
/// Latencies of a step of a thread that is alone, of a tile whose threads wait
/// for each other, and of a block that looks back.
static constexpr double kAloneTrip = 1.8, kTileTrip = 6, kLookBackTrip = 4;
/// Nanoseconds from the first block to where all run.
static constexpr double kRamp = 8000;
/// Threads whose look-back goes by groups of groups (KernelPlan.cpp).
static constexpr int64_t kFewThreads = 8, kManyThreads = 128;
/// Instructions of a thread for each tile that threads share.
static constexpr double kShareWork = 100;

/// Nanoseconds of what does not run, or should not.
static constexpr double kNever = 1e12;

SmallVector<ScanShape>
arrc::kernel::makeScanShapes(const ScanFacts &scan, int64_t width,
                             int64_t threads, int64_t most, int64_t subgroup) {
  SmallVector<ScanShape> shapes;
  int64_t kept = std::max<int64_t>(kRowWords / (scan.words * width), 2);
  // Small blocks are spread evenly where there are few. Lanes of several rows
  // are one warp where rows are short.
  for (int64_t lanes : {4, 8, 16, 64})
    for (int64_t unroll : {4, 8, 16, 32}) {
      bool isShort = lanes < 32;
      bool isLeast = unroll == 4;
      if ((unroll <= kept || isLeast) && (!isShort || scan.beside))
        shapes.push_back({.lanes = lanes,
                          .width = width,
                          .beside = isShort ? 64 / lanes : 1,
                          .unroll = std::min(unroll, kept)});
    }
  // Tiles of few columns are long, so that few follow each other. In order only
  // where rows of a tile end with a sector: others wait for what their
  // neighbours write.
  for (auto [lanes, along] :
       {std::pair<int64_t, int64_t>{32, 16}, {32, 8}, {64, 4}, {128, 4}})
    for (bool looksBack : {false, true})
      if (lanes * along <= most && (looksBack || width > 1) &&
          (along != 8 || width > 1 || most < 512))
        shapes.push_back({.lanes = lanes,
                          .width = width,
                          .threads = along,
                          .unroll = kept,
                          .looksBack = looksBack});
  // Whole rows in few lanes: the rows of a request lie next to each other.
  for (int64_t lanes : {4, 8, 16})
    if (subgroup == 32 && width == 1)
      shapes.push_back({.lanes = lanes,
                        .threads = subgroup / lanes,
                        .groups = threads / 32,
                        .unroll = kept,
                        .looksBack = true});
  return shapes;
}

double arrc::kernel::judgeScan(const NestFacts &facts,
                               const NestNumbers &numbers,
                               const ScanFacts &scan, const ScanShape &shape,
                               const DeviceRates &rates) {
  auto ceil = [](double a, double b) { return std::ceil(a / b); };
  double rows = numbers.extents.back(), columns = numbers.extents[scan.lane];
  double tile = shape.getTile(), steps = ceil(rows, tile);
  double lanes = shape.lanes * shape.width;
  double strips = ceil(columns, lanes);
  for (auto [dim, extent] : llvm::enumerate(numbers.extents))
    if (dim != scan.lane && dim + 1 != numbers.extents.size())
      strips *= dim == scan.beside ? ceil(extent, shape.beside) : extent;
  Demand demand;
  demand.blocks = strips * (shape.looksBack ? steps : 1);
  demand.threads = shape.lanes * shape.beside * shape.threads * shape.groups;
  double warps = ceil(demand.threads, kWarp);
  demand.registers = kFrameRegisters + shape.unroll * shape.width * scan.words +
                     std::min<double>(shape.unroll, 16) * facts.accesses.size();
  if (countResident(demand, rates) < 1)
    return kNever;

  bool isShared = shape.threads * shape.groups > 1;
  // What a warp asks for in one tile.
  double loads = 0, bytes = 0, widest = 0;
  double inLane = std::min<double>(shape.lanes, kWarp);
  double stretches = kWarp / inLane, tiles = strips * steps * warps;
  double unroll = std::min<double>(shape.unroll, rows);
  for (auto [access, strides] : llvm::zip(facts.accesses, numbers.steps)) {
    double element = access.bytes, unique = element;
    for (auto [stride, extent] : llvm::zip(strides, numbers.extents))
      unique *= stride ? extent : 1;
    double across = std::abs(strides[scan.lane]) * element,
           along = std::abs(strides.back()) * element;
    // Sectors of a stretch that begins anywhere.
    auto sectors = [&](double length) {
      return 1 + (length - element) / kSector;
    };
    double asked = unroll;
    if (across == 0)
      asked = along ? unroll : 1;
    else if (across > element && along < kSector)
      asked = kWarp * sectors(unroll * along);
    else if (across > element)
      asked *= kWarp;
    else if (shape.groups > 1 && along == columns * element)
      asked *= sectors(stretches * along);
    else
      asked *= stretches *
               sectors(std::min(inLane * shape.width, columns) * element);
    double whole = std::max(asked * kSector * tiles * rows / (steps * tile),
                            access.writes ? unique : 0);
    demand.cacheBytes += whole;
    demand.requestBytes += whole;
    // Parts of sectors meet in L2, if late.
    double stretch = (shape.groups > 1 ? kWarp : lanes) * element;
    bool hasEnds = isShared && shape.width == 1 && across == element;
    demand.memoryBytes += unique * (1 + (hasEnds ? kRowEnd / stretch : 0));
    loads += 1;
    bytes += element == 1;
    widest = std::max(widest, element);
  }
  double resident = countResident(demand, rates);
  double done = tiles * shape.unroll;
  demand.instructions =
      done * shape.width *
          (facts.work + (isShared ? 2 : 1) + kByteWork * bytes) +
      done * 3 * loads + tiles * (isShared ? kShareWork : 10);
  demand.special = done * shape.width * facts.special;
  if (!isShared) {
    double all = std::min(demand.blocks, rates.units * resident) *
                 demand.threads * shape.unroll * shape.width * widest;
    double burst = all / (kBurst * rates.memory * rates.latency);
    demand.memoryBytes *=
        kAloneLoss * std::pow(std::max(burst, 1.0), kBurstLoss);
  } else {
    double words = shape.unroll * shape.width * scan.words;
    demand.memoryBytes *= kTileLoss * (resident < 2 ? kLoneBlock : 1) *
                          (1 + kSmallTile * (kRowWords / words - 1)) *
                          (1 + kDeadLoss * (steps * tile / rows - 1));
  }
  double time = getTime(demand, rates).nanoseconds;
  double waves = ceil(demand.blocks, rates.units * resident);
  double trips = shape.looksBack ? kLookBackTrip
                 : isShared      ? kTileTrip * steps
                                 : kAloneTrip * steps;
  time = std::max(time, waves * trips * rates.latency);
  if (shape.looksBack) {
    // The last tile of a column hears of the first by way of others: each finds
    // out as the last block of a launch does.
    int64_t along = shape.threads * shape.groups;
    double hop = std::max<double>(along - 1, 1);
    if (along > kFewThreads && along <= kManyThreads)
      hop *= along;
    time = std::max(time, steps / hop * rates.gridBarrier);
    if (scan.isSplit)
      time = 1.5 * time + 2 * rates.launch;
  }
  return rates.launch + kRamp + time;
}
