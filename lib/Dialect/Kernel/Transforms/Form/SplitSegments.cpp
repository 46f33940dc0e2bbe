//===- SplitSegments.cpp - Rows of different lengths, by values -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Where each row has a length of its own, a schedule by rows waits for
// the longest. Rows that lie in a row (`off[i]` to `off[i + 1]`) are one
// sequence of values, in which rows end here and there. Values and ends
// together are dealt out evenly: blocks get equal stretches of that sequence,
// and so do the threads of a block, step by step.
//
// Before   for i in %M { %r = for k in low(i) .. low(i + 1) reduce { f(k) }
//                        store g(%r), %Y[i] }
// After    for b in %B at block {
//            find the first row of the stretch, by a search
//            while rows are left {
//              bring the ends of the next rows on chip
//              while values are left of them {
//                for t at thread { compute the next values, in memory's order }
//                for t at thread { mark the last value of each row, by a bit }
//                for t at thread scan {
//                  go over neighbours, begin anew behind marks
//                  keep what came before, from the scan }
//                for t at thread { store g of what rows came to, joined with
//                  what came before the thread where the row began there } } }
//            keep what the first row came to, and the last one so far }
//          for t at thread scan { join the parts of the rows of several blocks
//          } for i in %M { .. } if something was not as expected
//
// Every sum has an order that follows from the sizes and offsets alone.
//
// Legal: values follow from their places, and what is written is not read. That
// offsets do not fall, that rows end where the next ones begin where the
// program says so of some (`if i + 1 < m { off[i + 1] } else { n }`), and all
// that is checked, is found out on the way: if it is not so, the last loop
// computes all rows as they were written, and says what the check has to say.
// The blocks do nothing with offsets that they have not looked at.
//
// Pays where the rows, or the places of values, are as many as the device has
// threads at least: few rows are one launch less.
//
// Reference: Merrill, Garland, "Merge-based parallel sparse matrix-vector
// multiplication" (SC 2016).
//
//===----------------------------------------------------------------------===//

#include "Segments.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Dialect/Kernel/Transforms/ScanThreads.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_SPLITSEGMENTSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Whether there is enough to do for so many threads, computed on the host.
static Value createIsMuch(OpBuilder &b, LaunchOp launch,
                          const Segments &segments, int64_t threads) {
  Location loc = launch.getLoc();
  auto onHost = [&](OpFoldResult size) -> Value {
    if (auto argument =
            dyn_cast_if_present<BlockArgument>(dyn_cast<Value>(size)))
      return launch.getOperandOf(argument).get();
    return toValue(b, loc, size);
  };
  auto isAtLeast = [&](Value value, int64_t number) -> Value {
    return arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::sge, value,
        arith::ConstantIndexOp::create(b, loc, number));
  };
  ForOp loop = segments.rows;
  Value rows = onHost(loop.getMixedExtent());
  Value isMuch = isAtLeast(rows, 1);
  if (!segments.places)
    return isMuch;
  Value all = arith::AddIOp::create(b, loc, rows, onHost(segments.places));
  return arith::AndIOp::create(b, loc, isMuch, isAtLeast(all, threads));
}

//===----------------------------------------------------------------------===//
// Several folds of a row
//===----------------------------------------------------------------------===//

/// The folds of the rows of `launch`, if those are all that it does.
static SmallVector<ForOp> getFolds(LaunchOp launch) {
  ForOp rows;
  for (auto loop : launch.getBodyBlock()->getOps<ForOp>()) {
    if (rows)
      return {};
    rows = loop;
  }
  if (!rows || !rows.isParallel())
    return {};
  SmallVector<ForOp> folds(rows.getBodyBlock()->getOps<ForOp>());
  if (llvm::any_of(folds, [](ForOp fold) { return !fold.isReduce(); }))
    return {};
  return folds;
}

/// Which of `folds` each operation beside them needs.
static DenseMap<Operation *, llvm::SmallBitVector>
findNeeds(ArrayRef<ForOp> folds) {
  DenseMap<Operation *, llvm::SmallBitVector> needs;
  for (Operation &op : *folds.front()->getBlock()) {
    llvm::SmallBitVector mine(folds.size());
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (auto known = needs.find(operand.getDefiningOp());
            known != needs.end())
          mine |= known->second;
    });
    for (auto [number, fold] : llvm::enumerate(folds))
      if (&op == fold)
        mine.set(number);
    needs[&op] = mine;
  }
  return needs;
}

/// Copies of `launch` in front of it, each with one of the folds of a row and
/// what needs it; none where something needs several.
static SmallVector<LaunchOp> createParts(IRRewriter &rewriter,
                                         LaunchOp launch) {
  SmallVector<ForOp> folds = getFolds(launch);
  if (folds.empty() || launch->getNumResults())
    return {};
  for (auto &[op, needed] : findNeeds(folds))
    if (needed.count() > 1)
      return {};
  SmallVector<LaunchOp> parts;
  for (unsigned number = 0; number < folds.size(); ++number) {
    auto part = cast<LaunchOp>(rewriter.clone(*launch));
    parts.push_back(part);
    SmallVector<ForOp> own = getFolds(part);
    DenseMap<Operation *, llvm::SmallBitVector> needs = findNeeds(own);
    SmallVector<Operation *> others;
    for (Operation &op : own[number]->getBlock()->without_terminator())
      // What needs none of them is stored once; its checks are cheap.
      if (needs[&op].any() ? !needs[&op].test(number)
                           : number > 0 && isa<StoreOp>(op))
        others.push_back(&op);
    for (Operation *op : llvm::reverse(others))
      rewriter.eraseOp(op);
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct SplitSegmentsPass
    : public arrc::kernel::impl::SplitSegmentsPassBase<SplitSegmentsPass> {
  using SplitSegmentsPassBase::SplitSegmentsPassBase;

  void runOnOperation() override {
    DeviceAttr device = DeviceAttr::get(getOperation());
    if (!isGPU(device) || device.getInteger("parts", 0))
      return;
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) { launches.push_back(launch); });
    for (LaunchOp launch : launches)
      split(rewriter, launch, device);
  }

  void split(IRRewriter &rewriter, LaunchOp launch, DeviceAttr device) {
    auto options =
        remark::RemarkOpts::name("Segments").category("kernel-split-segments");
    std::string why;
    rewriter.setInsertionPoint(launch);
    SmallVector<LaunchOp> parts = createParts(rewriter, launch);
    SmallVector<std::optional<Segments>, 1> found;
    std::optional<Segments> first;
    for (LaunchOp part : parts) {
      found.push_back(findSegments(part, why));
      if (found.back() && !getItems(*found.back(), device)) {
        why = "what is folded is too large to stay on chip";
        found.back().reset();
      }
      if (found.back() && !first)
        first = found.back();
    }
    if (!first) {
      for (LaunchOp part : parts)
        rewriter.eraseOp(part);
      if (!why.empty())
        remark::missed(launch.getLoc(), options)
            << remark::add("rows of different lengths are split by rows")
            << remark::reason("{0}", why);
      return;
    }
    int64_t units = device.getInteger("units", 32);
    int64_t unitThreads = device.getInteger("unit_threads", 1024);
    auto branch = scf::IfOp::create(
        rewriter, launch.getLoc(),
        createIsMuch(rewriter, first->rows->getParentOfType<LaunchOp>(), *first,
                     units * unitThreads),
        /*withElseRegion=*/true);
    // As many blocks as are at work at a time: all have the same to do, and
    // each has to find its rows before.
    SegmentShape shape;
    shape.atWork =
        llvm::divideCeil(units * std::min(unitThreads, kScanThreads), threads);
    shape.blocks = stretches * shape.atWork;
    shape.threads = threads;
    for (auto [part, segments] : llvm::zip(parts, found)) {
      rewriter.moveOpBefore(part, branch.thenYield());
      if (!segments)
        continue;
      shape.items = getItems(*segments, device);
      writeSegments(rewriter, part, *segments, shape);
    }
    rewriter.moveOpBefore(launch, branch.elseYield());
    remark::passed(launch.getLoc(), options)
        << remark::add("rows of different lengths are split by values");
  }

  int64_t getItems(Segments &segments, DeviceAttr device) {
    return items ? std::min<int64_t>(items, kMostSegmentItems)
                 : getSegmentItems(segments, threads, device);
  }
};
} // namespace
