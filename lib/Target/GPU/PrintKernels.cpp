//===- PrintKernels.cpp - What is known of kernels, printed ---------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PrintKernels.h"

#include "arrc/Analysis/GPU/Accesses.h"
#include "arrc/Target/GPU/GPU.h"

using namespace mlir;
using namespace arrc;

/// `list` as the extents of three dimensions, 1 where it is too short.
static std::array<int64_t, 3> getExtents(ArrayRef<int64_t> list, int64_t rest) {
  std::array<int64_t, 3> extents;
  for (auto [d, extent] : llvm::enumerate(extents))
    extent = d < list.size() ? list[d] : rest;
  return extents;
}

void target::printKernels(
    ModuleOp module, const PrintOptions &options,
    llvm::function_ref<void(raw_ostream &, const lanes::Trace &)> print) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.walk([&](gpu::GPUFuncOp kernel) {
    if (!kernel.isKernel() ||
        (!options.kernel.empty() && kernel.getName() != options.kernel))
      return;
    auto facts = lanes::LaunchFacts::of(kernel);
    if (!options.block.empty())
      facts.threads = getExtents(options.block, 1);
    if (!options.grid.empty())
      for (auto [d, extent] : llvm::enumerate(getExtents(options.grid, 1)))
        facts.blocks[d] = extent;
    if (!options.at.empty())
      facts.block = getExtents(options.at, 0);
    unsigned next = 0;
    for (BlockArgument argument : kernel.getArguments())
      if (argument.getType().isIntOrIndex() && next < options.values.size())
        facts.arguments[argument.getArgNumber()] = options.values[next++];
    lanes::Trace trace(kernel, facts);
    // Kernels that people write are looked at as they are written.
    if (kernel->hasAttr(argsAttrName))
      lanes::combineNeighbours(trace);
    print(os, trace);
  });
  llvm::errs() << text;
}
