//===- KeepRows.cpp - Read the elements of a row once ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Several loops side by side walk the same row: a maximum, a sum, a map.
// The first of them keeps what it reads, the others take it from there. What
// one loop computes for another stays on chip as well, or is computed again.
//
// Before   for i {                     // stage = [X at i.0 register]
//            %m = for j reduce { %X[i, j] }
//            %e = local "e"
//            for j { store exp(%X[i, j] - %m), %e[j] }
//            for j { store %e[j] / 2, %Y[i, j] } }
// After    for i {                     // keep = [row0 register, ..]
//            %r = local "row0"
//            %m = for j reduce { %v = %X[i, j]  store %v, %r[j] .. }
//            .. for j { store exp(%r[j] - %m), %e[j] } .. }
// With keep = [e recompute] there is no %e:
//            for j { store exp(%X[i, j] - %m) / 2, %Y[i, j] } }
//
// The locals have the length of the row here. kernel-split-loops gives them the
// digits of their loops, of which the thread's is the thread's own index: what
// is left are registers.
//
// Legal when no one writes the place between the first read and the last, and
// what is computed again is scalar. Pays where memory is what takes time: a
// staged row is read once, at the price of one register an element.
//
//===----------------------------------------------------------------------===//

#include "../Shared/RowReuse.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_KEEPROWSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Keeps what the first loop reads for the others; gives the local.
static LocalOp keepLoads(RewriterBase &rewriter, ForOp row,
                         const RowLoads &group, StringAttr name) {
  LoadOp first = group.loads.front();
  auto lane = cast<ForOp>(first->getParentOp());
  std::optional<int64_t> extent = lane.getStaticExtent();
  auto type =
      MemRefType::get({extent.value_or(ShapedType::kDynamic)}, first.getType());
  SmallVector<Value> sizes;
  if (!extent)
    sizes.push_back(lane.getExtent());
  rewriter.setInsertionPoint(lane);
  auto local = LocalOp::create(rewriter, first.getLoc(), type, sizes, name);
  rewriter.setInsertionPointAfter(first);
  StoreOp::create(rewriter, first.getLoc(), first.getResult(),
                  local.getResult(), ValueRange(lane.getInductionVar()),
                  Value());
  for (LoadOp load : ArrayRef(group.loads).drop_front()) {
    auto reader = cast<ForOp>(load->getParentOp());
    rewriter.setInsertionPoint(load);
    if (reader == lane)
      rewriter.replaceOp(load, first.getResult());
    else
      rewriter.replaceOpWithNewOp<LoadOp>(load, local.getResult(),
                                          ValueRange(reader.getInductionVar()),
                                          EdgesAttr(), Value());
  }
  return local;
}

/// The launch's local called `name`.
static LocalOp findLocal(LaunchOp launch, StringRef name) {
  LocalOp found;
  launch.getBody().walk([&](LocalOp local) {
    if (local.getLocalName() == name)
      found = local;
  });
  return found;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct KeepRowsPass
    : public arrc::kernel::impl::KeepRowsPassBase<KeepRowsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    WalkResult walked = getOperation().walk([&](LaunchOp launch) {
      ScheduleAttr schedule = launch.getScheduleAttr();
      if (!schedule || launch.isScheduled())
        return WalkResult::advance();
      return failed(applyClauses(rewriter, launch)) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  static LogicalResult applyClauses(IRRewriter &rewriter, LaunchOp launch) {
    ScheduleAttr schedule = launch.getScheduleAttr();
    SmallVector<ClauseAttr> stage, keep;
    for (ClauseAttr clause : schedule.getStage()) {
      if (clause.getSpace() != "register")
        stage.push_back(clause);
      else if (failed(stageRow(rewriter, launch, clause, keep)))
        return failure();
    }
    for (ClauseAttr clause : schedule.getKeep()) {
      if (clause.getSpace() != "recompute") {
        keep.push_back(clause);
        continue;
      }
      StringRef name = clause.getArray();
      LocalOp local = findLocal(launch, name);
      std::string reason =
          local ? whyNotRecompute(local) : "the launch has no such local";
      if (!reason.empty())
        return launch.emitOpError("cannot compute '")
               << name << "' again: " << reason;
      recomputeLocal(rewriter, local);
    }
    if (stage.size() != schedule.getStage().size() ||
        keep.size() != schedule.getKeep().size())
      setClauses(launch, stage, keep);
    return success();
  }

  static LogicalResult stageRow(IRRewriter &rewriter, LaunchOp launch,
                                ClauseAttr clause,
                                SmallVectorImpl<ClauseAttr> &keep) {
    StringRef name = clause.getArray(), place = clause.getDigit();
    auto refuse = [&](const Twine &reason) {
      return launch.emitOpError("cannot stage '")
             << name << "' at '" << place << "': " << reason;
    };
    BlockArgument array = findArray(launch, name);
    if (!array)
      return refuse("the launch has no such array");
    auto [dim, number] = place.rsplit('.');
    unsigned digit;
    DimDigitsAttr digits = launch.getScheduleAttr().lookup(dim);
    if (!digits || number.getAsInteger(10, digit) ||
        digit >= digits.getDigits().size())
      return refuse("there is no such digit");
    if (digit + 1 != digits.getDigits().size())
      return refuse("a row in registers belongs to the last digit");
    MLIRContext *context = launch.getContext();
    SmallVector<ForOp> rows;
    launch.getBody().walk([&](ForOp loop) {
      if (loop.getDim() == dim)
        rows.push_back(loop);
    });
    bool done = false;
    for (ForOp row : rows)
      for (const RowLoads &group : collectRowLoads(row, array)) {
        auto unique = StringAttr::get(context, "row" + Twine(keep.size()));
        keepLoads(rewriter, row, group, unique);
        keep.push_back(
            ClauseAttr::get(context, unique, StringAttr::get(context, ""),
                            StringAttr::get(context, "register"), 0));
        done = true;
      }
    if (!done)
      return refuse("no two loops below the digit read it at one place before "
                    "it is written");
    return success();
  }
};

} // namespace
