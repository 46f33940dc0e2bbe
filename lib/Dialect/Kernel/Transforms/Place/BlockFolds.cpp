//===- BlockFolds.cpp - Folds and scans at block --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A fold at block:
//
//   %s = for b in B at block reduce (z) { body  yield %v }
//   =>
//   %w = local(B)
//   for b in B at block { body  %w[b] = %v }
//   %s = for t in 256 at thread.x reduce (z) {
//          for k at seq reduce { for u in 16 at unroll reduce {
//            %w[t + 256 (16 k + u)] } } }
//
// (If the operator may not commute, %w[t * ceil(B / 256) + k].)
//
// A scan at block whose blocks may not look back at each other, and whose body
// computes %a before the prefix:
//
//   for b in B at block scan (z) { %a = ..  %p = prefix %a  rest(%p) }
//   =>
//   %w = local(B)
//   for b in B at block { %a = ..  %w[b] = %a }
//   %w = scan of %w                                  // by 256 threads
//   for b in B at block { %a = ..  rest(%w[b]) }
//
// Legal: the fold may take any tree in index order, and in any order if its
// operator commutes; without that each thread has a piece of consecutive
// partials. What stands before the prefix is computed twice, so it must write
// nothing that others see and read nothing that the rest writes.
//
//===----------------------------------------------------------------------===//

#include "BlockFolds.h"

#include "../Shared/HostSlice.h"
#include "../Shared/InterleavedPartials.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Numbers that a thread reads together at most.
static constexpr int64_t kTogether = 16;

namespace {

/// Rewrites one root nest that folds or scans.
class RootRewriter {
public:
  RootRewriter(IRRewriter &rewriter, ArrayRef<ForOp> nest, int64_t threads)
      : rewriter(rewriter), nest(nest), root(nest.front()),
        loc(ForOp(nest.front()).getLoc()), threads(threads) {}

  void rewriteFold();
  /// False if the scan has to stay whole.
  bool rewriteScan();

private:
  LevelAttr level(LevelKind kind) {
    return LevelAttr::get(rewriter.getContext(), kind, 0);
  }
  OpFoldResult number(int64_t n) { return rewriter.getIndexAttr(n); }
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    AffineMap map = AffineMap::get(operands.size(), 0, expr);
    return affine::makeComposedFoldedAffineApply(rewriter, loc, map, operands);
  }
  OpFoldResult multiply(OpFoldResult a, OpFoldResult b);
  void createWorkspaces();
  /// The number of the partial of the current iteration of `loops`.
  Value getPosition(ArrayRef<ForOp> loops);
  /// Partials of thread `thread`: how many each has, and how many there are.
  Value getCount(Value thread);
  Value getPlace(Value thread, Value step);
  SmallVector<Value> load(Value place);
  void store(ValueRange values, Value place);
  /// A fold of partials, with the insertion point inside.
  ForOp openFold(StringRef suffix, OpFoldResult extent, LevelKind at);
  SmallVector<Value> foldOfThread(Value thread);
  SmallVector<Value> foldInTurn(Value thread);
  SmallVector<Value> foldWorkspace(ValueRange seeds);
  SmallVector<Value> scanWorkspace(ValueRange seeds, bool exclusive);
  void placeInside(ForOp loop) {
    if (loop.isReduce())
      rewriter.setInsertionPointToEnd(loop.getBodyBlock());
    else
      rewriter.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  }

  IRRewriter &rewriter;
  SmallVector<ForOp> nest;
  ForOp root;
  Location loc;
  int64_t threads;
  OpFoldResult total, chunk;
  SmallVector<Value> workspaces, neutrals;
};

} // namespace

OpFoldResult RootRewriter::multiply(OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return number(*x * *y);
  if (x == 1)
    return b;
  if (y == 1)
    return a;
  return arith::MulIOp::create(rewriter, loc, toValue(rewriter, loc, a),
                               toValue(rewriter, loc, b))
      .getResult();
}

/// Arrays of one element a block, at the root.
void RootRewriter::createWorkspaces() {
  // Extents of inner loops may be computed between the loops.
  Operation *before = root;
  LaunchOp launch = root->getParentOfType<LaunchOp>();
  IRMapping mapping;
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    mapping.map(argument, argument);
  rewriter.setInsertionPoint(before);
  total = number(1);
  for (ForOp loop : nest)
    total = multiply(
        total, computeOnHost(rewriter, launch, loop.getMixedExtent(), mapping));
  std::optional<int64_t> known = getConstantIntValue(total);
  chunk = createCeilDiv(rewriter, loc, total, threads);
  SmallVector<Value> sizes;
  if (!known)
    sizes.push_back(cast<Value>(total));
  for (Type type : root.getResultTypes()) {
    auto array = MemRefType::get({known.value_or(ShapedType::kDynamic)}, type);
    workspaces.push_back(
        LocalOp::create(rewriter, loc, array, sizes, StringAttr()));
  }
  neutrals = createNeutrals(rewriter, root);
}

Value RootRewriter::getPosition(ArrayRef<ForOp> loops) {
  OpFoldResult position = number(0);
  for (ForOp loop : loops) {
    position = multiply(position, loop.getMixedExtent());
    if (getConstantIntValue(position) == 0)
      position = loop.getInductionVar();
    else
      position =
          arith::AddIOp::create(rewriter, loc, toValue(rewriter, loc, position),
                                loop.getInductionVar())
              .getResult();
  }
  return toValue(rewriter, loc, position);
}

Value RootRewriter::getPlace(Value thread, Value step) {
  AffineExpr d0, d1, d2;
  bindDims(rewriter.getContext(), d0, d1, d2);
  if (std::optional<int64_t> size = getConstantIntValue(chunk))
    return toValue(rewriter, loc, apply(d0 * *size + d1, {thread, step}));
  Value first =
      arith::MulIOp::create(rewriter, loc, thread, cast<Value>(chunk));
  return arith::AddIOp::create(rewriter, loc, first, step);
}

Value RootRewriter::getCount(Value thread) {
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value first = getPlace(thread, zero);
  Value left = arith::SubIOp::create(rewriter, loc,
                                     toValue(rewriter, loc, total), first);
  left = arith::MaxSIOp::create(rewriter, loc, left, zero);
  return arith::MinSIOp::create(rewriter, loc, left,
                                toValue(rewriter, loc, chunk));
}

SmallVector<Value> RootRewriter::load(Value place) {
  SmallVector<Value> values;
  for (Value workspace : workspaces)
    values.push_back(LoadOp::create(rewriter, loc, workspace, place));
  return values;
}

void RootRewriter::store(ValueRange values, Value place) {
  for (auto [value, workspace] : llvm::zip(values, workspaces))
    StoreOp::create(rewriter, loc, value, workspace, place);
}

ForOp RootRewriter::openFold(StringRef suffix, OpFoldResult extent,
                             LevelKind at) {
  ForOp fold = ForOp::create(rewriter, loc, (root.getDim() + suffix).str(),
                             extent, ForKind::Reduce, neutrals, level(at));
  IRMapping mapping;
  root.getCombiner().cloneInto(&fold.getCombiner(), mapping);
  placeInside(fold);
  return fold;
}

/// The fold of the partials of one thread, which are neighbours.
SmallVector<Value> RootRewriter::foldOfThread(Value thread) {
  Value count = getCount(thread);
  OpBuilder::InsertionGuard guard(rewriter);
  ForOp fold = openFold(".fold.1", OpFoldResult(count), LevelKind::Seq);
  YieldOp::create(rewriter, loc,
                  load(getPlace(thread, fold.getInductionVar())));
  return SmallVector<Value>(fold.getResults());
}

/// The same with partials that lie among the threads in turn.
SmallVector<Value> RootRewriter::foldInTurn(Value thread) {
  InterleavedPartials partials(
      threads, getConstantIntValue(total),
      std::max<int64_t>(kTogether / workspaces.size(), 1));
  Value number = toValue(rewriter, loc, total);
  Value count = partials.countSteps(rewriter, loc, thread, number);
  OpBuilder::InsertionGuard guard(rewriter);
  ForOp steps = openFold(".fold.1", OpFoldResult(count), LevelKind::Seq);
  ForOp copies =
      openFold(".fold.2", this->number(partials.together), LevelKind::Unroll);
  Value index = partials.getIndex(
      rewriter, loc, thread, steps.getInductionVar(), copies.getInductionVar());
  // There is one, or there were no step: past the end it is the last one that
  // is read, for nothing.
  Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                       index, number);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value last = arith::SubIOp::create(rewriter, loc, number, one);
  SmallVector<Value> values =
      load(arith::MinSIOp::create(rewriter, loc, index, last));
  for (auto [value, neutral] : llvm::zip(values, neutrals))
    value = arith::SelectOp::create(rewriter, loc, inside, value, neutral);
  YieldOp::create(rewriter, loc, values);
  placeInside(steps);
  YieldOp::create(rewriter, loc, copies.getResults());
  return SmallVector<Value>(steps.getResults());
}

SmallVector<Value> RootRewriter::foldWorkspace(ValueRange seeds) {
  // One partial needs no threads, few need few.
  std::optional<int64_t> known = getConstantIntValue(total);
  if (known && *known <= threads) {
    threads = std::max<int64_t>(*known, 1);
    chunk = number(1);
  }
  ForOp fold = ForOp::create(rewriter, loc, (root.getDim() + ".fold.0").str(),
                             number(threads), ForKind::Reduce, seeds,
                             level(LevelKind::Thread));
  IRMapping mapping;
  root.getCombiner().cloneInto(&fold.getCombiner(), mapping);
  OpBuilder::InsertionGuard guard(rewriter);
  placeInside(fold);
  Value thread = fold.getInductionVar();
  SmallVector<Value> values = known == threads ? load(thread)
                              : isCommutativeCombiner(root.getCombiner())
                                  ? foldInTurn(thread)
                                  : foldOfThread(thread);
  YieldOp::create(rewriter, loc, values);
  return SmallVector<Value>(fold.getResults());
}

/// Replaces each partial by its prefix; gives the totals.
SmallVector<Value> RootRewriter::scanWorkspace(ValueRange seeds,
                                               bool exclusive) {
  auto scan = [&](StringRef suffix, OpFoldResult extent, ValueRange from,
                  LevelKind at) {
    ForOp loop = ForOp::create(rewriter, loc, (root.getDim() + suffix).str(),
                               extent, ForKind::Scan, from, level(at));
    IRMapping mapping;
    root.getCombiner().cloneInto(&loop.getCombiner(), mapping);
    return loop;
  };
  auto createPrefix = [&](ValueRange values, bool isExclusive) {
    auto prefix =
        PrefixOp::create(rewriter, loc, TypeRange(values), values,
                         isExclusive ? rewriter.getUnitAttr() : UnitAttr());
    return SmallVector<Value>(prefix.getResults());
  };
  ForOp outer = scan(".fold.0", number(threads), seeds, LevelKind::Thread);
  OpBuilder::InsertionGuard guard(rewriter);
  placeInside(outer);
  Value thread = outer.getInductionVar();
  SmallVector<Value> carry =
      createPrefix(foldOfThread(thread), /*isExclusive=*/true);
  ForOp inner =
      scan(".fold.2", OpFoldResult(getCount(thread)), carry, LevelKind::Seq);
  placeInside(inner);
  Value place = getPlace(thread, inner.getInductionVar());
  store(createPrefix(load(place), exclusive), place);
  return SmallVector<Value>(outer.getResults());
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

void RootRewriter::rewriteFold() {
  createWorkspaces();
  rewriter.setInsertionPoint(root);
  IRMapping mapping;
  SmallVector<ForOp> built;
  for (ForOp loop : nest) {
    // Extents are known to the host, so nothing between needs a guard.
    OpFoldResult extent = loop.getMixedExtent();
    if (auto value = dyn_cast<Value>(extent))
      extent = mapping.lookupOrDefault(value);
    auto copy =
        ForOp::create(rewriter, loop.getLoc(), loop.getDim(), extent,
                      ForKind::Parallel, ValueRange(), loop.getLevelAttr());
    mapping.map(loop.getInductionVar(), copy.getInductionVar());
    built.push_back(copy);
    placeInside(copy);
    for (Operation &op : loop.getBodyBlock()->without_terminator())
      if (loop == nest.back() || isScalarOp(&op))
        rewriter.clone(op, mapping);
  }
  SmallVector<Value> values;
  for (Value value : nest.back().getYield().getValues())
    values.push_back(mapping.lookupOrDefault(value));
  store(values, getPosition(built));
  rewriter.setInsertionPoint(root);
  rewriter.replaceOp(root, foldWorkspace(root.getSeeds()));
}

/// Moves what runs after `nest` and has nothing to do with it in front of it.
static void moveBefore(IRRewriter &rewriter, ForOp nest) {
  llvm::SmallDenseSet<Value> touched;
  nest.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        touched.insert(operand);
  });
  while (Operation *next = nest->getNextNode()) {
    auto store = dyn_cast<StoreOp>(next);
    if (!isScalarOp(next) && (!store || touched.contains(store.getDest())))
      return;
    rewriter.moveOpBefore(next, nest);
  }
}

bool RootRewriter::rewriteScan() {
  if (!canRepeatContribution(root))
    return false;
  PrefixOp prefix = root.getPrefix();
  createWorkspaces();
  auto createNest = [&] {
    return ForOp::create(rewriter, loc, root.getDim(), root.getMixedExtent(),
                         ForKind::Parallel, ValueRange(), root.getLevelAttr());
  };
  // The contributions.
  rewriter.setInsertionPoint(root);
  ForOp first = createNest();
  {
    OpBuilder::InsertionGuard guard(rewriter);
    placeInside(first);
    IRMapping mapping;
    mapping.map(root.getInductionVar(), first.getInductionVar());
    for (Operation &op : root.getBodyBlock()->without_terminator()) {
      if (&op == prefix)
        break;
      rewriter.clone(op, mapping);
    }
    SmallVector<Value> values;
    for (Value value : prefix.getValues())
      values.push_back(mapping.lookupOrDefault(value));
    store(values, first.getInductionVar());
  }
  rewriter.setInsertionPoint(root);
  SmallVector<Value> totals =
      scanWorkspace(root.getSeeds(), prefix.getExclusive());
  // The rest, from the prefixes.
  ForOp second = createNest();
  rewriter.setInsertionPoint(prefix);
  rewriter.replaceOp(prefix, load(root.getInductionVar()));
  rewriter.eraseOp(root.getBodyBlock()->getTerminator());
  rewriter.inlineBlockBefore(root.getBodyBlock(),
                             second.getBodyBlock()->getTerminator(),
                             second.getInductionVar());
  rewriter.replaceOp(root, totals);
  moveBefore(rewriter, second);
  return true;
}

void arrc::kernel::rewriteBlockFold(IRRewriter &rewriter, ArrayRef<ForOp> nest,
                                    int64_t threads) {
  RootRewriter(rewriter, nest, threads).rewriteFold();
}

bool arrc::kernel::rewriteBlockScan(IRRewriter &rewriter, ForOp scan,
                                    int64_t threads) {
  return RootRewriter(rewriter, scan, threads).rewriteScan();
}
