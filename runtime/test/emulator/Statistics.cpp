//===- Statistics.cpp - what a launch did ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "emulator/Statistics.h"
#include "emulator/Launch.h"

#include <algorithm>
#include <cstdio>

using namespace emulator;

/// The sectors of 32 bytes that a request touches.
static uint64_t countSectors(const uint64_t *addresses, Mask mask) {
  uint64_t sectors[lanes];
  size_t count = 0;
  // An aligned access of at most 16 bytes is in one.
  forLanes(mask, [&](int l) { sectors[count++] = addresses[l] / 32; });
  std::sort(sectors, sectors + count);
  return uint64_t(std::unique(sectors, sectors + count) - sectors);
}

/// Shared memory has 32 banks of 4 bytes: a wavefront serves one word of each.
/// Requests of 8 and 16 bytes are served for a half and a quarter of the lanes
/// at a time.
static uint64_t countWavefronts(const uint64_t *addresses, Mask mask,
                                uint64_t bytes) {
  uint64_t words = std::max<uint64_t>(bytes / 4, 1);
  int group = int(lanes / words);
  uint64_t total = 0;
  for (int first = 0; first < lanes; first += group) {
    Mask part =
        mask & (group == lanes ? allLanes : ((Mask(1) << group) - 1) << first);
    if (!part)
      continue;
    std::vector<uint64_t> touched;
    forLanes(part, [&](int l) {
      for (uint64_t w = 0; w < words; ++w)
        touched.push_back(addresses[l] / 4 + w);
    });
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    uint64_t banks[32] = {};
    for (uint64_t word : touched)
      ++banks[word % 32];
    total += *std::max_element(banks, banks + 32);
  }
  return total;
}

void Counts::note(const Instruction &access, const uint64_t *addresses,
                  Mask mask, uint64_t bytes) {
  Traffic &traffic = accesses[size_t(access.access)];
  ++traffic.requests;
  traffic.bytes += bytes * uint64_t(__builtin_popcount(mask));
  if (access.space == Space::shared) {
    traffic.pieces += countWavefronts(addresses, mask, bytes);
  } else if (access.space != Space::local) {
    traffic.pieces += countSectors(addresses, mask);
    Footprint &all = access.kind == 'l' ? read : written;
    forLanes(mask, [&](int l) { all.add(addresses[l]); });
  }
}

void emulator::writeStatistics(const char *file, const Program &program,
                               const Grid &grid, const Counts &counts) {
  std::FILE *out = std::string(file) == "-" ? stderr : std::fopen(file, "a");
  if (!out)
    return;
  struct Sum {
    const char *name;
    Space space;
    char kind;
    Traffic all;
  } sums[] = {{"global loads", Space::global, 'l', {}},
              {"global stores", Space::global, 's', {}},
              {"global atomics", Space::global, 'a', {}},
              {"shared loads", Space::shared, 'l', {}},
              {"shared stores", Space::shared, 's', {}},
              {"local loads", Space::local, 'l', {}},
              {"local stores", Space::local, 's', {}}};
  auto kindOf = [](const Instruction &at) {
    return at.kind == 'l' || at.kind == 's' ? char(at.kind) : 'a';
  };
  auto print = [&](const char *name, const Traffic &t, Space space) {
    bool isShared = space == Space::shared;
    std::fprintf(out, "  %-15s %10llu requests %12llu bytes", name,
                 static_cast<unsigned long long>(t.requests),
                 static_cast<unsigned long long>(t.bytes));
    if (space != Space::local)
      std::fprintf(out, " %10llu %s, %.2f a request",
                   static_cast<unsigned long long>(t.pieces),
                   isShared ? "wavefronts" : "sectors",
                   double(t.pieces) / double(t.requests));
    if (space != Space::local && !isShared)
      std::fprintf(out, ", %.0f%% of their bytes used",
                   100.0 * double(t.bytes) / double(32 * t.pieces));
  };
  uint64_t threads = grid.blockCount() * grid.threadCount();
  std::fprintf(
      out,
      "%s: %llu blocks of %llu threads, %llu bytes shared; %llu instructions, "
      "%.1f a thread; %.2f lanes active; %llu barriers\n",
      program.name.c_str(), static_cast<unsigned long long>(grid.blockCount()),
      static_cast<unsigned long long>(grid.threadCount()),
      static_cast<unsigned long long>(program.sharedBytes + grid.shared),
      static_cast<unsigned long long>(counts.instructions),
      double(counts.instructions) / double(threads),
      double(counts.instructions) /
          double(std::max<uint64_t>(counts.warpInstructions, 1)),
      static_cast<unsigned long long>(counts.barriers));
  for (const Instruction &at : program.code) {
    if (at.access < 0)
      continue;
    const Traffic &traffic = counts.accesses[size_t(at.access)];
    for (Sum &sum : sums)
      if (kindOf(at) == sum.kind &&
          sum.space ==
              (at.space == Space::generic ? Space::global : at.space)) {
        sum.all.requests += traffic.requests;
        sum.all.bytes += traffic.bytes;
        sum.all.pieces += traffic.pieces;
      }
  }
  for (const Sum &sum : sums)
    if (sum.all.requests) {
      print(sum.name, sum.all, sum.space);
      std::fputc('\n', out);
    }
  std::fprintf(out, "  distinct sectors: %llu bytes read, %llu written\n",
               static_cast<unsigned long long>(32 * counts.read.sectors()),
               static_cast<unsigned long long>(32 * counts.written.sectors()));
  for (const Instruction &at : program.code) {
    if (at.access < 0 || at.space == Space::local)
      continue;
    const Traffic &traffic = counts.accesses[size_t(at.access)];
    if (traffic.requests) {
      print("    ", traffic, at.space);
      std::fprintf(out, "  %s\n", program.describe(at).c_str());
    }
  }
  if (out != stderr)
    std::fclose(out);
}
