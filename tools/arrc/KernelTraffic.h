//===- KernelTraffic.h - What a launch asks memory for ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef ARRC_TOOLS_ARRC_KERNELTRAFFIC_H
#define ARRC_TOOLS_ARRC_KERNELTRAFFIC_H

#include "arrc/Analysis/GPU/Accesses.h"
#include "arrc/Analysis/GPU/HostWay.h"
#include "arrc/Dialect/Kernel/Transforms/Roof.h"

namespace arrc::tool {

/// Blocks of a launch; nothing where that is not known.
std::optional<int64_t> countBlocks(const lanes::HostLaunch &launch);

/// What all blocks of a launch ask for, each as much as the one that `trace`
/// followed. Accesses that `isMended` names count as if their warps asked for
/// neighbours.
kernel::Demand
getDemand(const lanes::Trace &trace, const lanes::HostLaunch &launch,
          const kernel::Roof &roof,
          llvm::function_ref<bool(const lanes::Event &)> isMended);

/// Where the lanes of the first warp that takes part in an access lie: bytes
/// from the lowest of them, -1 for lanes that do not. Empty where that is not
/// known.
std::vector<int64_t> getLanePlaces(const lanes::Trace &trace,
                                   mlir::Operation *op, unsigned buffer);

} // namespace arrc::tool

#endif // ARRC_TOOLS_ARRC_KERNELTRAFFIC_H
