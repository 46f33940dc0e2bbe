//===- Findings.h - Where a program loses time ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_FINDINGS_H
#define ARRC_TOOLS_ARRC_FINDINGS_H

#include "arrc/Analysis/GPU/Accesses.h"
#include "arrc/Analysis/GPU/HostWay.h"
#include "arrc/Dialect/Kernel/Transforms/Roof.h"

#include <string>
#include <vector>

namespace arrc::tool {

/// Something that costs time, or is wrong, at a line of the program.
struct Finding {
  std::string file;
  unsigned line = 0, column = 0;
  /// What kind of thing it is: `strided-access`, ..
  std::string rule;
  bool isError = false;
  /// The kernel that it is in; "" for the host.
  std::string kernel;
  std::string what, cost, advice;
  /// What the kernel would take less without it, and what it takes, by the
  /// judge of schedules; nothing where that is not known.
  std::optional<double> seconds, kernelSeconds;

  bool operator<(const Finding &other) const {
    return std::tie(file, line, column, rule, what) <
           std::tie(other.file, other.line, other.column, other.rule,
                    other.what);
  }
};

/// An access of a kernel, with the array as the program calls it.
struct KernelAccess {
  std::string array, walk;
  unsigned line = 0;
  bool isShared = false, reads = false, writes = false;
  /// Of all blocks, as those in the middle are.
  int64_t requests = 0, pieces = 0, bytes = 0;
  /// Bytes of each lane of a warp from the lowest, -1 for those that take no
  /// part; empty where that is not known.
  std::vector<int64_t> lanes;
  int64_t laneBytes = 0;
};

/// One launch at the sizes that were given.
struct KernelReport {
  std::string name, place;
  std::array<int64_t, 3> threads{};
  std::array<std::optional<int64_t>, 3> blocks;
  bool isInLoop = false, isPossible = false;
  std::vector<KernelAccess> accesses;
  /// Depth and work of a block, by kinds.
  std::vector<std::pair<std::string, std::pair<std::string, std::string>>>
      costs;
  unsigned barriers = 0, needlessBarriers = 0;
  /// What it asks for and how long that takes, where its blocks are known.
  std::optional<kernel::Demand> demand;
  std::optional<kernel::Estimate> estimate;
  /// Why it could not be followed; "" if it was.
  std::string problem;
};

/// What a function of the host and its kernels do.
struct ProgramReport {
  std::vector<Finding> findings;
  std::vector<KernelReport> kernels;
};

/// Adds what `way` comes by on a device.
void report(const lanes::HostWay &way, kernel::DeviceAttr device,
            ProgramReport &report);

/// `reads`, `writes` or `updates`.
const char *verbOf(bool reads, bool writes);

/// `16x4 blocks of 32x8 threads`.
std::string gridText(const KernelReport &kernel);

/// `12.3 us`.
std::string timeText(double seconds);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_FINDINGS_H
