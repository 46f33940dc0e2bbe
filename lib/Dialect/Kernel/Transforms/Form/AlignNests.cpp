//===- AlignNests.cpp - One order of loops for two nests ------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Part of kernel-fuse-launches. What is computed of a fold over an outer axis
// walks in the order of memory, the fold by columns:
//
//   for j { S[j] = for i reduce { T[i,j] } }
//   for i { for j { O[i,j] = T[i,j] / S[j] } }
//
// The second nest in the order j, i has an outer loop in common with the first:
// a column stays on chip, or in a cache, between the two. Which threads walk
// what is decided later, on the nest as a whole.
//
// Legal as the loops are parallel and nothing stands between them. Pays where
// columns are enough to fill the device, which sizes of the call tell:
// kernel-split-columns takes the loops apart again where they are few. Columns
// that are known to be few stay apart.
//
//===----------------------------------------------------------------------===//

#include "AlignNests.h"

#include "arrc/Analysis/AccessPattern.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Fewer columns are never enough for a device.
static constexpr int64_t kFewColumns = 1024;

/// The parallel loops from `root` on that hold nothing but the next one, and
/// whose extents are known before all of them.
static SmallVector<ForOp> getParallelNest(ForOp root) {
  SmallVector<ForOp> nest;
  for (ForOp loop = root; loop && loop.isParallel();) {
    if (loop.getLevelAttr() ||
        (loop.getExtent() && !root.isDefinedOutsideOfLoop(loop.getExtent())))
      break;
    nest.push_back(loop);
    Block *body = loop.getBodyBlock();
    auto only = dyn_cast<ForOp>(body->front());
    loop = only && llvm::hasSingleElement(body->without_terminator()) ? only
                                                                      : ForOp();
  }
  return nest;
}

/// Whether folds or scans stand in the innermost loop of `nest`.
static bool holdsFolds(ArrayRef<ForOp> nest) {
  auto loops = ForOp(nest.back()).getBodyBlock()->getOps<ForOp>();
  return llvm::any_of(loops, [](ForOp loop) { return !loop.isParallel(); });
}

/// The loop of `nest` whose index alone is `index`.
static ForOp findLoop(ArrayRef<ForOp> nest, const LinearIndex &index) {
  for (ForOp loop : nest)
    if (index == LinearIndex(loop.getInductionVar()))
      return loop;
  return {};
}

/// The loop of `wide` that walks arrays together with `loop`: where one of both
/// writes an array, if there is one.
static ForOp findPartner(ForOp loop, ArrayRef<ForOp> wide) {
  ForOp partner;
  AccessPattern mine(loop), others(ForOp(wide.front()));
  for (bool written : {true, false})
    for (const Access &a : mine.getAccesses())
      for (const Access &b : others.getAccesses()) {
        if (partner || a.array != b.array ||
            (written && !a.writes && !b.writes))
          continue;
        for (auto [x, y] : llvm::zip_equal(a.indices, b.indices))
          if (x == LinearIndex(loop.getInductionVar()))
            if (ForOp found = findLoop(wide, y);
                found && found.getMixedExtent() == loop.getMixedExtent())
              partner = found;
      }
  return partner;
}

/// Builds the nest anew in this order.
static void exchange(RewriterBase &rewriter, ArrayRef<ForOp> nest,
                     ArrayRef<ForOp> order) {
  ForOp outermost = nest.front(), innermost = nest.back();
  rewriter.setInsertionPoint(outermost);
  ForOp first, last;
  SmallVector<std::pair<Value, Value>> indices;
  for (ForOp old : order) {
    last = ForOp::create(rewriter, old.getLoc(), old.getDim(),
                         old.getMixedExtent(), ForKind::Parallel, ValueRange(),
                         LevelAttr());
    if (!first)
      first = last;
    indices.emplace_back(old.getInductionVar(), last.getInductionVar());
    rewriter.setInsertionPointToStart(last.getBodyBlock());
  }
  for (auto [from, to] : indices)
    rewriter.replaceAllUsesWith(from, to);
  rewriter.eraseOp(innermost.getBodyBlock()->getTerminator());
  rewriter.inlineBlockBefore(innermost.getBodyBlock(),
                             last.getBodyBlock()->getTerminator(),
                             ValueRange(last.getInductionVar()));
  rewriter.eraseOp(outermost);
}

void arrc::kernel::alignNests(RewriterBase &rewriter, LaunchOp launch) {
  SmallVector<ForOp> roots(launch.getBodyBlock()->getOps<ForOp>());
  if (roots.size() != 2)
    return;
  SmallVector<ForOp> narrow = getParallelNest(roots[0]);
  SmallVector<ForOp> wide = getParallelNest(roots[1]);
  if (narrow.empty() || wide.empty() || narrow.size() == wide.size())
    return;
  if (narrow.size() > wide.size())
    std::swap(narrow, wide);
  // What folds by itself is no step of a column.
  if (!holdsFolds(narrow) ||
      !ForOp(wide.back()).getBodyBlock()->getOps<ForOp>().empty())
    return;
  std::optional<int64_t> columns = 1;
  for (ForOp loop : narrow) {
    std::optional<int64_t> extent = loop.getStaticExtent();
    columns =
        columns && extent ? std::optional(*columns * *extent) : std::nullopt;
  }
  if (columns && *columns < kFewColumns)
    return;
  SmallVector<ForOp> order;
  for (ForOp loop : narrow) {
    ForOp partner = findPartner(loop, wide);
    if (!partner || llvm::is_contained(order, partner))
      return;
    order.push_back(partner);
  }
  // Where rows lie inside of what is folded (channels of images) a block would
  // have all of a channel, of which there are few.
  if (!llvm::is_contained(order, wide.back()))
    return;
  for (ForOp loop : wide)
    if (!llvm::is_contained(order, loop))
      order.push_back(loop);
  if (order != wide)
    exchange(rewriter, wide, order);
}
