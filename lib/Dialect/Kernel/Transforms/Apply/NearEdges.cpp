//===- NearEdges.cpp - Which reads stay next to an array ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `u[i - 1]` and `u[i + 1]` in a loop over as many `i` as `u` has elements lie
// one element outside at most, `u[i - k]` and `u[i + k]` in two such loops one
// less than there are, and the edge modes that repeat turn them by one period.
// Of iterations past the end, which are masked off, nothing is said.
//
//===----------------------------------------------------------------------===//

#include "NearEdges.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Dialect/Kernel/IR/NearEdges.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Whether `index` lies in [-n, 2 n) for all n = `size` from 1 on: it is a sum
/// of indices of loops of `size` iterations, of the size and of a number.
static bool isNear(const LinearIndex &index, OpFoldResult size) {
  LinearIndex own = LinearIndex::ofSize(size);
  int64_t added = 0, taken = 0, sizes = 0, number = index.getConstant();
  for (auto [value, factor] : index.getTerms()) {
    ForOp loop = getLoopOf(value);
    if (own == LinearIndex(value) && !loop)
      sizes += factor;
    else if (loop && std::abs(factor) == 1 &&
             isEqualConstantIntOrValue(loop.getMixedExtent(), size))
      ++(factor > 0 ? added : taken);
    else
      return false;
  }
  // -taken (n - 1) + sizes n + number >= -n, and added (n - 1) + sizes n +
  // number < 2 n, both linear in n: they hold from n = 1 on if they do there
  // and do not fall.
  bool isAbove = 1 + sizes - taken >= 0 && 1 + sizes + number >= 0;
  bool isBelow = 2 - sizes - added >= 0 && 1 - sizes - number >= 0;
  return isAbove && isBelow;
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
