//===- SplitLoops.cpp - Loops become the nests of their digits ------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A schedule writes each dimension as a mixed-radix number. Each loop
// over the dimension becomes a nest of one loop a digit, the most significant
// outside, and its index the sum of digits times weights.
//
// Before   kernel.for "i" (%i) in %N { body }   i = [block.0, seq 8, vector 4]
// After    kernel.for "i.0" (%b) in (N ceildiv 32) at block.0 {
//            kernel.for "i.1" (%k) in min(8, (N - 32 b) ceildiv 4) at seq {
//              kernel.for "i.2" (%v) in 4 at vector {
//                %i = 32 b + 4 k + v   scf.if %i < N { body } } } }
//
// A digit at `seq` stops where the dimension does, so that only less
// significant digits can pass the end; then a branch guards the body, which
// kernel-mask-tails turns into masks. A fold's guard yields the neutral
// element.
//
// Before, loops over ranges that arrays give end behind the first index outside
// (BoundLoops.cpp).
//
// A scan folds its inner digits, takes the prefix of that, and scans the inner
// digits from there:
//
// Before   for i scan (z) { %v = ..  %p = prefix %v  rest(%p) }
// After    for i.0 scan (z) {
//            %a = for i.1 reduce { %v = .. }
//            %c = prefix exclusive %a
//            for i.1 scan (%c) { %v = ..  %p = prefix %v  rest(%p) } }
//
// Legal: parallel iterations and folds by any associative operator, since the
// digits stand in index order; scans whose contributions may be computed again
// (SplitScans.cpp).
//
//===----------------------------------------------------------------------===//

#include "../Shared/RowReuse.h"
#include "BoundLoops.h"
#include "NearEdges.h"
#include "ScanTiles.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "arrc/Dialect/Kernel/Transforms/ElementAccess.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/StringSet.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_SPLITLOOPSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static LogicalResult checkDigits(ForOp loop, DimDigitsAttr digits) {
  ArrayRef<DigitAttr> list = digits.getDigits();
  if (loop.isScan() && list.size() > 1) {
    if (std::string reason = whyNotSplitScan(loop); !reason.empty())
      return loop.emitError("the scan cannot be split into digits: ") << reason;
    // The last digit may be lanes: then they are the thread's, or SIMD's.
    for (DigitAttr digit : list)
      if ((digit.getLevel().isUnroll() ||
           (digit.getLevel().isVector() && digit != list.back())) &&
          !isTiledScan(digits))
        return loop.emitError("the digits of a scan run at block, thread or "
                              "seq, or what a thread keeps stands around and "
                              "below one at thread, or alone below one at seq");
  }
  std::optional<int64_t> extent = loop.getStaticExtent();
  std::optional<unsigned> open = digits.getOpenDigit();
  int64_t product = 1;
  for (auto [i, digit] : llvm::enumerate(list)) {
    LevelAttr level = digit.getLevel();
    bool jams = level.isThread() || level.isUnroll() || level.isVector();
    if (jams && !digit.getSize() && !extent)
      return loop.emitError("digit '") << digits.getDim().getValue() << "." << i
                                       << "' needs a size at this level";
    product *= digit.getSize() ? digit.getSize() : 1;
  }
  if (!open && extent && product < *extent)
    return loop.emitError("the digits of '")
           << digits.getDim().getValue() << "' count to " << product
           << ", the dimension to " << *extent;
  std::optional<int64_t> most = getMost(loop);
  if (!open && !extent && !(most && *most <= product))
    return loop.emitError("the digits of '")
           << digits.getDim().getValue()
           << "' all have sizes, the dimension has none";
  return success();
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {

/// Builds the nest of one loop from the outside in.
class Splitter {
public:
  Splitter(IRRewriter &rewriter, ForOp loop, DimDigitsAttr digits,
           const llvm::DenseSet<Value> &splitLocals)
      : rewriter(rewriter), loop(loop), digits(digits.getDigits()),
        dim(digits.getDim()), loc(loop.getLoc()), splitLocals(splitLocals) {}

  void run() {
    rewriter.setInsertionPoint(loop);
    extent = loop.getMixedExtent();
    int64_t product = 1;
    for (DigitAttr digit : digits)
      product *= digit.getSize() ? digit.getSize() : 1;
    std::optional<int64_t> number = getConstantIntValue(extent);
    OpFoldResult rest = createCeilDiv(rewriter, loc, extent, product);
    // A weight is divided by: the digit has a step even where nothing is left.
    if (!number && digits.front().getSize())
      rest = arith::MaxSIOp::create(
                 rewriter, loc, toValue(rewriter, loc, rest),
                 arith::ConstantIndexOp::create(rewriter, loc, 1))
                 .getResult();
    exact = number ? *number % product == 0
                   : !digits.front().getSize() && isMultiple(extent, product);
    // Sizes, then weights from the least significant digit on.
    for (DigitAttr digit : digits)
      sizes.push_back(digit.getSize()
                          ? OpFoldResult(rewriter.getIndexAttr(digit.getSize()))
                          : rest);
    weights.assign(digits.size(), rewriter.getIndexAttr(1));
    for (unsigned i = digits.size() - 1; i > 0; --i)
      weights[i - 1] = multiply(weights[i], sizes[i]);
    if (!loop.isParallel())
      neutrals = createNeutrals(rewriter, loop);
    // A single digit scans as the loop did.
    if (loop.isScan() && digits.size() == 1) {
      loop.setDim((dim + ".0").str());
      loop.setLevelAttr(digits.front().getLevel());
      return;
    }
    if (loop.isScan()) {
      contribution = getContribution(loop);
      ForOp scan = buildScan(0, rewriter.getIndexAttr(0), loop.getSeeds());
      scan->setAttr(kRepeatsAttr, rewriter.getUnitAttr());
      rewriter.replaceOp(loop, scan.getResults());
      return;
    }
    Operation *nest = build(0, rewriter.getIndexAttr(0));
    rewriter.replaceOp(loop, nest->getResults());
  }

private:
  OpFoldResult multiply(OpFoldResult a, OpFoldResult b) {
    if (getConstantIntValue(a) == 1)
      return b;
    return affineApply(
        {a, b},
        [&](ArrayRef<AffineExpr> e) -> AffineExpr { return e[0] * e[1]; },
        [&] {
          return arith::MulIOp::create(rewriter, loc, toValue(rewriter, loc, a),
                                       toValue(rewriter, loc, b))
              .getResult();
        });
  }

  /// An affine expression where it is one, else what `otherwise` makes.
  OpFoldResult affineApply(ArrayRef<OpFoldResult> operands,
                           function_ref<AffineExpr(ArrayRef<AffineExpr>)> expr,
                           function_ref<Value()> otherwise) {
    SmallVector<AffineExpr> dims;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      std::optional<int64_t> number = getConstantIntValue(operand);
      dims.push_back(number ? rewriter.getAffineConstantExpr(*number)
                            : rewriter.getAffineDimExpr(i));
    }
    // Products of two values are not affine.
    if (!dims[operands.size() - 2].isSymbolicOrConstant() &&
        !dims[operands.size() - 1].isSymbolicOrConstant())
      return otherwise();
    AffineMap map = AffineMap::get(operands.size(), 0, expr(dims));
    return affine::makeComposedFoldedAffineApply(rewriter, loc, map, operands);
  }

  /// `base + digit * weight`
  OpFoldResult addDigit(OpFoldResult base, Value digit, OpFoldResult weight) {
    return affineApply(
        {base, digit, weight},
        [](ArrayRef<AffineExpr> e) { return e[0] + e[1] * e[2]; },
        [&] {
          Value product = arith::MulIOp::create(rewriter, loc, digit,
                                                toValue(rewriter, loc, weight));
          if (getConstantIntValue(base) == 0)
            return product;
          return arith::AddIOp::create(rewriter, loc, product,
                                       toValue(rewriter, loc, base))
              .getResult();
        });
  }

  /// The steps of digit `i` that stay inside, the ones above it at `base`.
  OpFoldResult clip(unsigned i, OpFoldResult base) {
    Value end = toValue(rewriter, loc, extent);
    Value left =
        arith::SubIOp::create(rewriter, loc, end, toValue(rewriter, loc, base));
    Value steps;
    if (std::optional<int64_t> weight = getConstantIntValue(weights[i]))
      steps =
          toValue(rewriter, loc, createCeilDiv(rewriter, loc, left, *weight));
    else
      steps = arith::CeilDivSIOp::create(rewriter, loc, left,
                                         toValue(rewriter, loc, weights[i]));
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    steps = arith::MaxSIOp::create(rewriter, loc, steps, zero);
    return arith::MinSIOp::create(rewriter, loc, steps,
                                  toValue(rewriter, loc, sizes[i]))
        .getResult();
  }

  /// The steps of digit `i`, and whether they stay inside by themselves.
  std::pair<OpFoldResult, bool> getSteps(unsigned i, OpFoldResult base) {
    // The outermost digit, if it takes what is left, stops where it must.
    bool tight = exact || (i == 0 && !digits[0].getSize());
    bool clips = digits[i].getLevel().isSeq() && !tight;
    return {clips ? clip(i, base) : sizes[i], tight || clips};
  }

  /// The loops of the digits from `i` on; returns the outermost.
  Operation *build(unsigned i, OpFoldResult base) {
    LevelAttr level = digits[i].getLevel();
    auto [steps, inside] = getSteps(i, base);
    ForOp nest = createLoopLike(
        rewriter, loop, (dim + "." + Twine(i)).str(), steps,
        i ? ValueRange(neutrals) : ValueRange(loop.getSeeds()), level);
    OpBuilder::InsertionGuard guard(rewriter);
    if (loop.isReduce())
      rewriter.setInsertionPointToEnd(nest.getBodyBlock());
    else
      rewriter.setInsertionPointToStart(nest.getBodyBlock());
    OpFoldResult index = addDigit(base, nest.getInductionVar(), weights[i]);
    indices.push_back(nest.getInductionVar());
    // A vector of which the extent is a multiple is inside or not as a whole.
    if (i > 0 && i + 1 == digits.size() && level.isVector() &&
        isMultiple(extent, digits[i].getSize()))
      start = toValue(rewriter, loc, base);
    if (i + 1 < digits.size()) {
      Operation *inner = build(i + 1, index);
      if (loop.isReduce())
        YieldOp::create(rewriter, loc, inner->getResults());
      return nest;
    }
    moveBody(nest, toValue(rewriter, loc, index), inside);
    return nest;
  }

  /// The body of the loop at the insertion point, guarded unless `inside`.
  void moveBody(ForOp nest, Value index, bool inside) {
    Block *body = loop.getBodyBlock();
    SmallVector<Value> own;
    for (auto [digit, index] : llvm::zip_equal(digits, indices))
      if (!digit.getLevel().isBlock())
        own.push_back(index);
    indexByDigits(body, loop.getInductionVar(), own, splitLocals);
    if (inside) {
      if (loop.isReduce()) {
        rewriter.mergeBlocks(body, nest.getBodyBlock(), index);
      } else {
        rewriter.eraseOp(body->getTerminator());
        rewriter.inlineBlockBefore(body, nest.getBodyBlock()->getTerminator(),
                                   index);
      }
      return;
    }
    scf::IfOp branch =
        splitLocals.empty()
            ? createGuard(start ? start : index, loop.getResultTypes())
            : createOwnGuard(loop.getResultTypes());
    if (loop.isReduce())
      YieldOp::create(rewriter, loc, branch.getResults());
    Block *then = branch.thenBlock();
    if (!then->empty())
      rewriter.eraseOp(then->getTerminator());
    rewriter.mergeBlocks(body, then, index);
    Operation *yield = then->getTerminator();
    rewriter.setInsertionPoint(yield);
    rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, yield->getOperands());
    if (loop.isReduce()) {
      rewriter.setInsertionPointToEnd(branch.elseBlock());
      scf::YieldOp::create(rewriter, loc, neutrals);
    }
  }

  /// The guard of elements that a thread keeps: how many it has left from its
  /// first one on is one number, with which constants are compared, so that no
  /// register holds the index or the guard of each.
  scf::IfOp createOwnGuard(TypeRange types) {
    OpFoldResult first = rewriter.getIndexAttr(0), behind = first;
    for (auto [digit, iv, weight] : llvm::zip_equal(digits, indices, weights)) {
      LevelAttr level = digit.getLevel();
      if (level.isVector() && start)
        continue;
      OpFoldResult &sum = level.isUnroll() || level.isVector() ? behind : first;
      sum = addDigit(sum, iv, weight);
    }
    Value end = toValue(rewriter, loc, extent);
    Value left = arith::SubIOp::create(rewriter, loc, end,
                                       toValue(rewriter, loc, first));
    return createGuard(toValue(rewriter, loc, behind), types, left);
  }

  scf::IfOp createGuard(Value index, TypeRange types, Value end = {}) {
    if (!end)
      end = toValue(rewriter, loc, extent);
    Value in = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                     index, end);
    auto guard = scf::IfOp::create(rewriter, loc, types, in,
                                   /*withElseRegion=*/!types.empty());
    guard->setAttr(kTailAttr, rewriter.getUnitAttr());
    return guard;
  }

  /// What the iteration contributes to the scan, and `others` that its
  /// computation gives; neutral elements and zeros outside.
  SmallVector<Value> cloneContribution(Value index, bool inside,
                                       IRMapping &mapping,
                                       ArrayRef<Value> others) {
    mapping.map(loop.getInductionVar(), index);
    SmallVector<Value> wanted(loop.getPrefix().getValues());
    llvm::append_range(wanted, others);
    OpBuilder::InsertionGuard insertion(rewriter);
    scf::IfOp guard;
    if (!inside) {
      guard = createGuard(index, TypeRange(ValueRange(wanted)));
      rewriter.setInsertionPointToEnd(guard.elseBlock());
      SmallVector<Value> outside(neutrals);
      for (Value other : others)
        outside.push_back(createZero(rewriter, loc, other.getType()));
      scf::YieldOp::create(rewriter, loc, outside);
      rewriter.setInsertionPointToEnd(guard.thenBlock());
    }
    for (Operation *op : contribution)
      rewriter.clone(*op, mapping);
    SmallVector<Value> values;
    for (Value value : wanted)
      values.push_back(mapping.lookupOrDefault(value));
    if (!guard)
      return values;
    scf::YieldOp::create(rewriter, loc, values);
    for (auto [other, result] :
         llvm::zip(others, guard.getResults().drop_front(neutrals.size())))
      mapping.map(other, result);
    return SmallVector<Value>(guard.getResults());
  }

  /// The fold of the digits from `i` on.
  ForOp buildFold(unsigned i, OpFoldResult base) {
    auto [steps, inside] = getSteps(i, base);
    ForOp fold =
        ForOp::create(rewriter, loc, (dim + "." + Twine(i)).str(), steps,
                      ForKind::Reduce, neutrals, digits[i].getLevel());
    IRMapping operatorMapping;
    loop.getCombiner().cloneInto(&fold.getCombiner(), operatorMapping);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToEnd(fold.getBodyBlock());
    OpFoldResult index = addDigit(base, fold.getInductionVar(), weights[i]);
    SmallVector<Value> values;
    if (i + 1 < digits.size()) {
      values = SmallVector<Value>(buildFold(i + 1, index).getResults());
    } else {
      IRMapping mapping;
      values =
          cloneContribution(toValue(rewriter, loc, index), inside, mapping, {});
    }
    YieldOp::create(rewriter, loc, values);
    return fold;
  }

  /// The scan of the digits from `i` on.
  ForOp buildScan(unsigned i, OpFoldResult base, ValueRange seeds) {
    auto [steps, inside] = getSteps(i, base);
    ForOp scan = createLoopLike(rewriter, loop, (dim + "." + Twine(i)).str(),
                                steps, seeds, digits[i].getLevel());
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(scan.getBodyBlock());
    OpFoldResult index = addDigit(base, scan.getInductionVar(), weights[i]);
    if (i + 1 < digits.size()) {
      ForOp fold = buildFold(i + 1, index);
      auto carry = PrefixOp::create(rewriter, loc, fold.getResultTypes(),
                                    fold.getResults(), rewriter.getUnitAttr());
      buildScan(i + 1, index, carry.getResults());
      return scan;
    }
    buildScanBody(toValue(rewriter, loc, index), inside);
    return scan;
  }

  /// Contribution, prefix and rest of one iteration.
  void buildScanBody(Value index, bool inside) {
    PrefixOp prefix = loop.getPrefix();
    llvm::SmallPtrSet<Operation *, 16> before(contribution.begin(),
                                              contribution.end());
    SmallVector<Value> shared;
    for (Operation *op : contribution)
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              user = loop.getBodyBlock()->findAncestorOpInBlock(*user);
              return user != prefix && !before.contains(user);
            }))
          shared.push_back(result);
    IRMapping mapping;
    SmallVector<Value> values =
        cloneContribution(index, inside, mapping, shared);
    values.resize(neutrals.size());
    auto copy = PrefixOp::create(rewriter, loc, prefix.getResultTypes(), values,
                                 prefix.getExclusiveAttr());
    mapping.map(prefix.getResults(), copy.getResults());
    OpBuilder::InsertionGuard insertion(rewriter);
    if (!inside)
      rewriter.setInsertionPoint(createGuard(index, {}).thenYield());
    for (Operation &op : loop.getBodyBlock()->without_terminator())
      if (&op != prefix && !before.contains(&op))
        rewriter.clone(op, mapping);
  }

  IRRewriter &rewriter;
  ForOp loop;
  ArrayRef<DigitAttr> digits;
  StringRef dim;
  Location loc;
  OpFoldResult extent;
  bool exact = false;
  /// Locals whose elements the digits number.
  const llvm::DenseSet<Value> &splitLocals;
  SmallVector<OpFoldResult> sizes, weights;
  /// The digits' own indices, the most significant first.
  SmallVector<Value> indices;
  /// The index of a vector's first element, where that decides on all.
  Value start;
  SmallVector<Value> neutrals;
  /// Of a scan: what its prefix needs.
  SmallVector<Operation *> contribution;
};

} // namespace

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct SplitLoopsPass
    : public arrc::kernel::impl::SplitLoopsPassBase<SplitLoopsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    getOperation().walk([&](LaunchOp launch) {
      boundLoops(launch);
      markNearEdges(launch);
      // Where threads were dealt out, loops inside have their digits to come.
      ScheduleAttr schedule = launch.getScheduleAttr();
      if (schedule && (!launch.isScheduled() || schedule.getDeals()))
        launches.push_back(launch);
    });
    for (LaunchOp launch : launches)
      if (failed(splitLaunch(rewriter, launch)))
        return signalPassFailure();
  }

  /// The first clause that would be lost: it is read and no pass applies it.
  static StringRef getRefusedClause(ScheduleAttr schedule) {
    for (ClauseAttr clause : schedule.getKeep())
      if (clause.getSpace() != "register")
        return "keep";
    for (ClauseAttr clause : schedule.getPrivates())
      if (clause.getSpace() != "shared" && clause.getSpace() != "ranges")
        return "private";
    if (!schedule.getRoll().empty())
      return "roll";
    return schedule.getIndexBits() == 64 ? "" : "index 32";
  }

  static LogicalResult splitLaunch(IRRewriter &rewriter, LaunchOp launch) {
    ScheduleAttr schedule = launch.getScheduleAttr();
    llvm::StringSet<> dims;
    SmallVector<std::pair<ForOp, DimDigitsAttr>> work;
    bool isDealt = launch.isScheduled();
    WalkResult walked = launch.getBody().walk([&](ForOp loop) {
      dims.insert(loop.getDim());
      if (loop.getLevelAttr())
        return WalkResult::advance();
      if (DimDigitsAttr digits = schedule.lookup(loop.getDim())) {
        if (failed(checkDigits(loop, digits)))
          return WalkResult::interrupt();
        work.push_back({loop, digits});
      }
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return failure();
    for (DimDigitsAttr digits : schedule.getDims())
      if (!isDealt && !dims.contains(digits.getDim()))
        return launch.emitOpError("has no dimension '")
               << digits.getDim().getValue() << "' to schedule";
    if (StringRef clause = getRefusedClause(schedule); !clause.empty())
      return launch.emitOpError("has a schedule with '")
             << clause << "', which no pass applies";
    llvm::DenseSet<Value> splitLocals;
    for (ClauseAttr clause : schedule.getKeep())
      if (failed(splitKeptLocal(launch, clause, schedule, splitLocals)))
        return failure();
    for (auto [loop, digits] : work) {
      if (loop.isScan() && isTiledScan(digits))
        buildTiledScan(rewriter, loop, digits);
      else
        Splitter(rewriter, loop, digits, splitLocals).run();
    }
    if (!schedule.getKeep().empty())
      setClauses(launch, schedule.getStage(), {});
    return success();
  }
};

} // namespace
