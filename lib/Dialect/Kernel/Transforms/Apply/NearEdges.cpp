//===- NearEdges.cpp - Which reads stay next to an array ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `u[i - 1]` and `u[i + 1]` in a loop over as many `i` as `u` has elements lie
// one element outside at most, and the edge modes that repeat turn them by one
// period. Of iterations past the end, which are masked off, nothing is said.
//
//===----------------------------------------------------------------------===//

#include "NearEdges.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/NearEdges.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Whether `index` is that of a loop of `size` iterations, or next to it.
static bool isNear(const LinearIndex &index, OpFoldResult size) {
  Value neighbour = index.getNeighbour();
  ForOp loop = neighbour ? getLoopOf(neighbour) : ForOp();
  return loop && isEqualConstantIntOrValue(loop.getMixedExtent(), size);
}

void arrc::kernel::markNearEdges(LaunchOp launch) {
  launch.walk([&](LoadOp load) {
    auto array = dyn_cast<BlockArgument>(load.getSource());
    std::optional<EdgesAttr> edges = load.getEdge();
    if (!edges || !array || array.getOwner() != launch.getBodyBlock())
      return;
    Access access(load);
    for (auto [dim, mode] : llvm::enumerate(edges->getModes()))
      if (mode != EdgeMode::None &&
          !isNear(access.indices[dim], launch.getSize(array, dim)))
        return;
    load->setAttr(kNearAttr, UnitAttr::get(load.getContext()));
  });
}
