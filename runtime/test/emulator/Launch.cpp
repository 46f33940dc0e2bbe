//===- Launch.cpp - the blocks of a launch --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Launch.h"

#include <algorithm>
#include <cstdlib>

using namespace emulator;

/// Instructions without progress after which more blocks become resident, and
/// how many are at most.
static constexpr int64_t waiting = 1000000, mostResident = 512;

Options Options::fromEnvironment() {
  Options options;
  auto read = [](const char *name, int64_t otherwise) {
    const char *text = std::getenv(name);
    return text ? std::max<int64_t>(std::atoll(text), otherwise > 0)
                : otherwise;
  };
  options.resident = read("ARRC_EMULATOR_BLOCKS", options.resident);
  options.slice = read("ARRC_EMULATOR_SLICE", options.slice);
  options.patience = read("ARRC_EMULATOR_PATIENCE", options.patience);
  options.seed = uint64_t(read("ARRC_EMULATOR_SEED", 0));
  options.statistics = std::getenv("ARRC_EMULATOR_STATS");
  return options;
}

Block::Block(Launch &launch, uint64_t number)
    : launch(launch), number(number),
      shared(size_t((launch.program.sharedBytes + 15) / 16 * 16 +
                    launch.grid.shared),
             char(0xdb)),
      alive(int64_t(launch.grid.threadCount())) {
  const Grid &grid = launch.grid;
  index[0] = number % grid.blocks[0];
  index[1] = number / grid.blocks[0] % grid.blocks[1];
  index[2] = number / grid.blocks[0] / grid.blocks[1];
  if (launch.races)
    launch.races->forget(shared.data(), shared.size());
  if (launch.written)
    launch.written->allocate(uint64_t(uintptr_t(shared.data())), shared.size());
  for (int64_t first = 0; first < alive; first += lanes)
    warps.push_back(std::make_unique<Warp>(*this, int32_t(first / lanes),
                                           int32_t(alive - first)));
}

Block::~Block() {
  if (launch.written)
    launch.written->free(uint64_t(uintptr_t(shared.data())));
}

void Block::arrive(int32_t barrier, int threads, uint64_t count) {
  expected[barrier] = int64_t(count);
  arrived[barrier] += threads;
  openIfFull(barrier);
}

void Block::openIfFull(int32_t barrier) {
  int64_t wanted = expected[barrier] ? expected[barrier] : alive;
  if (!arrived[barrier] || arrived[barrier] < wanted)
    return;
  // Fewer threads than all do not order the others.
  epoch += arrived[barrier] >= alive;
  arrived[barrier] = 0;
  ++launch.counts.barriers;
  launch.noteProgress();
  for (auto &warp : warps)
    warp->open(barrier);
}

void Block::exit(int threads) {
  alive -= threads;
  launch.noteProgress();
  for (int32_t barrier = 0; barrier < 16; ++barrier)
    openIfFull(barrier);
}

Launch::Launch(const Program &program, const Grid &grid, const Memory &memory,
               std::vector<char> parameters, const Options &options)
    : program(program), grid(grid), memory(memory),
      parameters(std::move(parameters)), options(options),
      ranges(size_t(program.accesses)),
      state(options.seed * 0x9e3779b97f4a7c15 + 1) {
  if (isCheckOn("races"))
    races = std::make_unique<Races>();
  if (options.statistics)
    counts.accesses.resize(std::max<size_t>(size_t(program.accesses), 1));
}

uint32_t Launch::random(uint32_t below) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return uint32_t((state >> 33) % below);
}

void Launch::run() {
  uint64_t next = 0, count = grid.blockCount();
  // With a seed blocks start out of order, as they may.
  std::vector<uint64_t> soon;
  auto start = [&] {
    while (next < count && soon.size() < (options.seed ? 16u : 1u))
      soon.push_back(next++);
    size_t chosen = options.seed ? random(uint32_t(soon.size())) : 0;
    resident.push_back(std::make_unique<Block>(*this, soon[chosen]));
    soon.erase(soon.begin() + std::ptrdiff_t(chosen));
  };
  int64_t room = options.resident;
  while (next < count || !soon.empty() || !resident.empty()) {
    // Blocks may wait for some that have not started: cards hold hundreds.
    if (idle > waiting && room < mostResident) {
      room *= 2;
      idle = 0;
    }
    while (int64_t(resident.size()) < room && (next < count || !soon.empty()))
      start();
    bool hasRun = false;
    for (auto &block : resident)
      for (auto &warp : block->warps) {
        if (!warp->isReady())
          continue;
        hasRun = true;
        if (options.seed && random(2))
          continue;
        int64_t slice = options.slice;
        idle += warp->run(options.seed ? 1 + random(uint32_t(slice)) : slice);
        if (idle > options.patience)
          failStuck("nothing was stored for too long: blocks wait for each "
                    "other, or set ARRC_EMULATOR_PATIENCE");
      }
    if (!hasRun)
      failStuck("no thread can go on");
    resident.erase(std::remove_if(resident.begin(), resident.end(),
                                  [](auto &block) { return block->isDone(); }),
                   resident.end());
  }
  if (options.statistics)
    writeStatistics(options.statistics, program, grid, counts);
}

void Launch::failStuck(const char *why) const {
  std::string text = "kernel '" + program.name + "': " + why;
  int said = 0;
  for (auto &block : resident)
    for (auto &warp : block->warps)
      if (!warp->isDone() && said++ < 3)
        text += "; block " + std::to_string(block->index[0]) + ", " +
                warp->describeWaiting();
  throw Fault{arrt::cuda::launchTimeout, text};
}
