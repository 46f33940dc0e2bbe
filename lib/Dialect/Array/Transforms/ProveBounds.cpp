//===- ProveBounds.cpp - Reads that cannot fail need no check -------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Idea. A read that may be outside of its array is checked in the kernel, and
// nothing may move it. Most subscripts are an index over that dimension, plus a
// constant; the extents, sizes and checks say that these are inside:
//
//   %r = array.map (%i) in (%m) {            // %m = n - 1
//     %k = affine.apply (d0 + 1)(%i)
//     %x = array.at %a[%k]          ->       array.at %a[%k] inbounds
//
// Legal if the facts leave no index outside (IndexProver). Conditions around
// the read are not used as facts, since `inbounds` also allows to move it out
// of them. Where they are needed the array is read through `clamp`, which
// changes nothing where the condition holds and is safe where it does not.
//
// A read of an extended array that is inside everywhere reads the array. Checks
// that are known to hold, and comparisons whose outcome is known, go too.
//
// Pays always. A read that is surely outside is an error of the program.
//
//===----------------------------------------------------------------------===//

#include "IndexProver.h"
#include "SafeAnywhere.h"

#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Array/IR/GuardedRead.h"
#include "arrc/Dialect/Array/Transforms/Passes.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace arrc::array {
#define GEN_PASS_DEF_PROVEBOUNDSPASS
#include "arrc/Dialect/Array/Transforms/Passes.h.inc"
} // namespace arrc::array

using namespace mlir;
using namespace arrc;
using namespace arrc::array;

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
/// Ranges of integers. A constant without elements has none, which the analysis
/// of MLIR takes for granted.
class RangeAnalysis : public dataflow::IntegerRangeAnalysis {
public:
  using IntegerRangeAnalysis::IntegerRangeAnalysis;

  LogicalResult visitOperation(
      Operation *op,
      ArrayRef<const dataflow::IntegerValueRangeLattice *> operands,
      ArrayRef<dataflow::IntegerValueRangeLattice *> results) override {
    DenseElementsAttr elements;
    if (matchPattern(op, m_Constant(&elements)) && elements.empty()) {
      setAllToEntryStates(results);
      return success();
    }
    return IntegerRangeAnalysis::visitOperation(op, operands, results);
  }
};

struct ProveBoundsPass
    : arrc::array::impl::ProveBoundsPassBase<ProveBoundsPass> {
  void runOnOperation() override {
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<RangeAnalysis>();
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    IndexProver prover(getOperation(), &solver);
    SmallVector<AtOp> reads;
    getOperation().walk([&](AtOp op) { reads.push_back(op); });
    bool failed = false;
    for (AtOp op : reads)
      failed |= prove(op, prover).failed();
    if (failed)
      return signalPassFailure();
    dropProvedChecks(prover);
    decideComparisons(prover);
  }

  /// Checks that hold where they stand go. Those at the entry are the facts.
  void dropProvedChecks(IndexProver &prover) {
    SmallVector<CheckOp> checks;
    getOperation().walk([&](CheckOp op) { checks.push_back(op); });
    for (CheckOp op : checks)
      if (!prover.isFact(op) && prover.isTrueAt(op.getOk(), op))
        op.erase();
  }

  /// Comparisons in bodies whose outcome is known: boundary tests that cannot
  /// be met, divisors that are not 0.
  void decideComparisons(IndexProver &prover) {
    SmallVector<std::pair<arith::CmpIOp, bool>> known;
    getOperation().walk([&](arith::CmpIOp op) {
      if (!op->getParentOfType<IndexSpaceOpInterface>())
        return;
      if (prover.isTrue(op))
        known.push_back({op, true});
      else if (prover.isFalse(op))
        known.push_back({op, false});
    });
    IRRewriter rewriter(&getContext());
    for (auto [op, value] : known) {
      rewriter.setInsertionPoint(op);
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, rewriter.getBoolAttr(value));
    }
  }

  LogicalResult prove(AtOp op, IndexProver &prover) {
    auto extend = op.getSource().getDefiningOp<ExtendOp>();
    if (op.getInbounds() && !extend && !op->hasAttr(kGuardedAttr))
      return success();
    ReadVerdict verdict = judgeRead(op, prover);
    if (verdict.open.empty())
      op->removeAttr(kGuardedAttr);
    if (verdict.inside && extend)
      op.getSourceMutable().assign(extend.getSource());
    if (verdict.open.empty()) {
      op.setInbounds(true);
      return success();
    }
    if (op.getInbounds())
      return success();
    for (unsigned dim : verdict.outside)
      return reportOutside(op, dim);
    if (!extend && readThroughClamp(op, verdict, prover))
      return success();
    remark::missed(
        op.getLoc(),
        remark::RemarkOpts::name("CheckedRead").category("prove-bounds"))
        << remark::reason(
               "the index of dimension {0} is not known to be inside",
               verdict.open.front());
    return success();
  }

  LogicalResult reportOutside(AtOp op, unsigned dim) {
    InFlightDiagnostic error = emitError(op.getLoc(), "this read is always out "
                                                      "of bounds");
    OpFoldResult size = getKnownSize(op.getSource(), dim);
    std::optional<int64_t> index = getConstantIntValue(op.getIndices()[dim]);
    std::optional<int64_t> number = getConstantIntValue(size);
    if (index && number)
      error << ": index " << *index << " of a dimension of size " << *number;
    else
      error << ", whatever the size of dimension " << dim;
    return error;
  }

  /// Reads through `clamp` where the conditions around the read prove that this
  /// changes nothing.
  bool readThroughClamp(AtOp op, const ReadVerdict &verdict,
                        IndexProver &prover) {
    IndexProver::Assumption assumption = prover.assumeConditionsAt(op);
    SmallVector<BoundaryMode> modes(op.getIndices().size(), BoundaryMode::None);
    for (unsigned dim : verdict.open) {
      OpFoldResult size = getKnownSize(op.getSource(), dim);
      if (!size || !prover.isInside(op.getIndices()[dim], size))
        return false;
      modes[dim] = BoundaryMode::Clamp;
    }
    assumption.release();
    for (unsigned dim : verdict.open)
      if (!prover.isNotEmpty(getKnownSize(op.getSource(), dim),
                             op.getIndices())) {
        // Nothing of an empty array can be read in its place: the read stays
        // in its branch.
        op.setInbounds(true);
        op->setAttr(kGuardedAttr, UnitAttr::get(op.getContext()));
        return true;
      }
    OpBuilder builder(op);
    // Beside the array, so that reads of it share the extension.
    builder.setInsertionPointAfterValue(op.getSource());
    Value extended = ExtendOp::create(builder, op.getLoc(), op.getSource(),
                                      modes, ValueRange());
    op.getSourceMutable().assign(extended);
    op.setInbounds(true);
    return true;
  }
};
} // namespace
