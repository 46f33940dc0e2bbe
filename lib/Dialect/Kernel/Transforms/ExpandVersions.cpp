//===- ExpandVersions.cpp - Choose among versions at run time
//--------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A launch may hold several schedules, each but the last with a condition
// on sizes. They are tried in order.
//
// Before   kernel.launch .. versions [<when = (s0 - 1024 >= 0), A>, <B>] of
// (%N) After    scf.if %n - 1024 >= 0 { kernel.launch .. schedule A }
//          else { kernel.launch .. schedule B }
//
// Legal: every version has the same meaning. The conditions are `arith`
// comparisons: a set of `affine` refuses sizes that a loop computes.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_EXPANDVERSIONSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Whether the sizes lie in `set`.
static Value createCondition(IRRewriter &rewriter, Location loc, IntegerSet set,
                             ValueRange sizes) {
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value all;
  for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
    Value form = affine::expandAffineExpr(rewriter, loc, set.getConstraint(i),
                                          ValueRange(), sizes);
    Value holds = arith::CmpIOp::create(rewriter, loc,
                                        set.isEq(i) ? arith::CmpIPredicate::eq
                                                    : arith::CmpIPredicate::sge,
                                        form, zero);
    all = all ? arith::AndIOp::create(rewriter, loc, all, holds).getResult()
              : holds;
  }
  return all;
}

static void expand(IRRewriter &rewriter, LaunchOp launch) {
  SmallVector<Attribute> versions(launch.getVersions()->getValue());
  SmallVector<Value> sizes;
  if (std::optional<ArrayRef<int64_t>> numbers = launch.getVersionSizes())
    for (int64_t number : *numbers)
      sizes.push_back(launch->getOperand(number));
  launch.removeVersionsAttr();
  launch.removeVersionSizesAttr();
  rewriter.setInsertionPoint(launch);
  for (Attribute attr : versions) {
    auto version = cast<VersionAttr>(attr);
    scf::IfOp branch;
    if (version.getWhen()) {
      Value condition = createCondition(rewriter, launch.getLoc(),
                                        version.getWhen().getValue(), sizes);
      branch = scf::IfOp::create(rewriter, launch.getLoc(), condition,
                                 /*withElseRegion=*/true);
      rewriter.setInsertionPoint(branch.thenYield());
    }
    auto copy = cast<LaunchOp>(rewriter.clone(*launch));
    copy.setScheduleAttr(version.getSchedule());
    if (branch)
      rewriter.setInsertionPoint(branch.elseYield());
  }
  rewriter.eraseOp(launch);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct ExpandVersionsPass
    : public arrc::kernel::impl::ExpandVersionsPassBase<ExpandVersionsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) {
      if (launch.getVersions())
        launches.push_back(launch);
    });
    for (LaunchOp launch : launches) {
      if (launch->getNumResults()) {
        launch.emitOpError("has versions and results; bufferize first");
        return signalPassFailure();
      }
      expand(rewriter, launch);
    }
  }
};

} // namespace
