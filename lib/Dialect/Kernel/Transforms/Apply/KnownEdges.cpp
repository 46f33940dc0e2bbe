//===- KnownEdges.cpp - Loads that are inside without an edge -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Part of kernel-jam-loops. What a thread computes together stores at indices
// that are inside; loads of neighbours meet these, all but the outermost:
//
//   %a = load %U[4 t - 1] edge [clamp]        the only one that may be outside
//   %b = load %U[4 t]     edge [clamp]   ->   %b = load %U[4 t]
//   %c = load %U[4 t + 1] edge [clamp]   ->   %c = load %U[4 t + 1]
//   store .., %V[4 t], store .., %V[4 t + 1], ..
//
// So do comparisons that ask whether such a neighbour is inside.
//
// Legal if both dimensions have the same size, and the access without an edge
// runs whenever the load does: in the same block, under no mask or the same.
//
//===----------------------------------------------------------------------===//

#include "KnownEdges.h"

#include "arrc/Analysis/AccessPattern.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {
/// An index that is inside of a dimension of this size, where `mask` holds
/// (everywhere if it is null).
struct Known {
  LinearIndex index;
  OpFoldResult size;
  Value mask;

  bool operator==(const Known &other) const {
    return index == other.index && size == other.size && mask == other.mask;
  }
};
} // namespace

/// Calls `use` with each dimension of an argument of the launch that the access
/// has an index in, and whether that may lie outside.
static void
forEachIndex(LaunchOp launch, Value array, ValueRange indices, EdgesAttr edges,
             llvm::function_ref<void(unsigned, OpFoldResult, bool)> use) {
  auto argument = dyn_cast<BlockArgument>(array);
  if (!argument || argument.getOwner() != launch.getBodyBlock())
    return;
  for (unsigned dim = 0; dim < indices.size(); ++dim)
    use(dim, launch.getSize(argument, dim),
        edges && edges.getModes()[dim] != EdgeMode::None);
}

static void dropInBlock(LaunchOp launch, Block &block) {
  SmallVector<Known> known;
  SmallVector<LoadOp> edged;
  SmallVector<arith::CmpIOp> compares;
  auto collect = [&](Value array, ValueRange indices, EdgesAttr edges,
                     Value mask) {
    forEachIndex(launch, array, indices, edges,
                 [&](unsigned dim, OpFoldResult size, bool mayBeOutside) {
                   Known inside{LinearIndex(indices[dim]), size, mask};
                   if (!mayBeOutside && !llvm::is_contained(known, inside))
                     known.push_back(inside);
                 });
  };
  for (Operation &op : block) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      EdgesAttr edges = load.getEdge().value_or(EdgesAttr());
      collect(load.getSource(), load.getIndices(), edges, load.getMask());
      if (edges)
        edged.push_back(load);
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      collect(store.getDest(), store.getIndices(), {}, store.getMask());
    } else if (auto compare = dyn_cast<arith::CmpIOp>(op);
               compare && compare.getPredicate() == arith::CmpIPredicate::ult &&
               compare.getLhs().getType().isIndex()) {
      compares.push_back(compare);
    }
  }
  auto isInside = [&](Value index, OpFoldResult size, Value mask) {
    LinearIndex form(index);
    return llvm::any_of(known, [&](const Known &inside) {
      return (!inside.mask || inside.mask == mask) &&
             isEqualConstantIntOrValue(inside.size, size) &&
             inside.index == form;
    });
  };
  for (arith::CmpIOp compare : compares) {
    if (!isInside(compare.getLhs(), compare.getRhs(), /*mask=*/{}))
      continue;
    OpBuilder builder(compare);
    compare.replaceAllUsesWith(
        arith::ConstantIntOp::create(builder, compare.getLoc(), 1, 1)
            .getResult());
    compare.erase();
  }
  for (LoadOp load : edged) {
    SmallVector<EdgeMode> modes(load.getEdge()->getModes());
    forEachIndex(launch, load.getSource(), load.getIndices(), *load.getEdge(),
                 [&](unsigned dim, OpFoldResult size, bool mayBeOutside) {
                   if (mayBeOutside &&
                       isInside(load.getIndices()[dim], size, load.getMask()))
                     modes[dim] = EdgeMode::None;
                 });
    if (llvm::all_of(modes,
                     [](EdgeMode mode) { return mode == EdgeMode::None; }))
      load.removeEdgeAttr();
    else
      load.setEdgeAttr(EdgesAttr::get(load.getContext(), modes));
  }
}

void arrc::kernel::dropKnownEdges(LaunchOp launch) {
  launch.getBody().walk([&](Block *block) { dropInBlock(launch, *block); });
}
