//===- JamLoops.cpp - Expand loops at `unroll` ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. The iterations of a loop at `unroll` take each inner step together: the
// body is written once, each operation that differs between the iterations once
// for each of them. A loop inside becomes one loop that carries all folds, or,
// of steps that follow each other, what all iterations carry from one to the
// next.
//
// Before   %s = kernel.for "u" (%u) in 2 at unroll reduce (%z) {
//            %a = kernel.for "k" (%k) in %n at seq reduce (%z) {
//              %v = kernel.load %X[2 %k + %u]  kernel.yield %v }
//            kernel.yield %a }
// After    %a:2 = kernel.for "k" (%k) in %n at seq reduce (%z, %z) {
//            %v = kernel.load %X[2 %k]  %w = kernel.load %X[2 %k + 1]
//            kernel.yield %v, %w }
//          %s = %z + (%a#0 + %a#1)                    // adjacent pairs
//
// On devices loads of a body that computes divisions, roots or exponentials
// stand in front of these: they hold branches, which no assembler moves a load
// across, so that later loads would wait for what earlier ones gave.
//
// Legal: the iterations are independent; the pairs keep their order, so the
// operator need only be associative. Loops whose extents differ between the
// iterations, and branches whose conditions do, are repeated whole.
//
// On devices that run threads, loops at `vector` are expanded as well: copies
// of scalars next to each other in memory, which the back end loads and stores
// at once. It moves no store across one that may write to the same place, as
// rows whose distance it does not know may: an outer loop at `vector` leaves
// stores to neighbours behind each other, and the iterations of a loop inside
// take these together and not each of them in turn.
//
//===----------------------------------------------------------------------===//

#include "KnownEdges.h"

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_JAMLOOPSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Of a store that a loop at `vector` has copied: those next to it write to
/// neighbours.
static constexpr llvm::StringLiteral kNeighborAttr = "kernel.neighbor";

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {

/// Expands one loop in front of itself.
class Jammer {
public:
  Jammer(IRRewriter &rewriter, ForOp loop)
      : rewriter(rewriter), loop(loop), copies(*loop.getStaticExtent()) {}

  void run() {
    rewriter.setInsertionPoint(loop);
    if (copies.empty())
      return rewriter.replaceOp(loop, loop.getSeeds());
    for (auto [u, copy] : llvm::enumerate(copies))
      copy.map(loop.getInductionVar(),
               arith::ConstantIndexOp::create(rewriter, loop.getLoc(), u)
                   .getResult());
    varying.insert(loop.getInductionVar());
    emitOps(*loop.getBodyBlock());
    SmallVector<Value> results;
    if (loop.isReduce())
      results = foldPairs();
    else if (loop.isScan())
      results = total;
    rewriter.replaceOp(loop, results);
  }

private:
  bool varies(Value value) { return varying.contains(value); }

  /// Whether the copies of `op` could differ, or each has its own effect.
  bool varies(Operation *op) {
    return op
        ->walk([&](Operation *inner) {
          bool differs = isa<StoreOp, UpdateOp, LocalOp>(inner) ||
                         llvm::any_of(inner->getOperands(), [&](Value value) {
                           return varies(value);
                         });
          return differs ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void emitOps(Block &block) {
    Operation *end = block.getTerminator();
    for (Operation *op = &block.front(); op != end;) {
      Operation *next = op->getNextNode();
      while (isNeighbor(op, next))
        next = next->getNextNode();
      if (next == op->getNextNode())
        emit(op);
      else
        emitRun(op, next);
      op = next;
    }
  }

  /// Whether both are stores to neighbours in one array.
  static bool isNeighbor(Operation *op, Operation *next) {
    auto store = dyn_cast<StoreOp>(op), other = dyn_cast<StoreOp>(next);
    return store && other && op->hasAttr(kNeighborAttr) &&
           next->hasAttr(kNeighborAttr) && store.getDest() == other.getDest();
  }

  /// The operations from `op` to `end` (excluded), copy after copy.
  void emitRun(Operation *op, Operation *end) {
    for (IRMapping &copy : copies)
      for (Operation *each = op; each != end; each = each->getNextNode())
        rewriter.clone(*each, copy);
  }

  void emit(Operation *op) {
    if (auto prefix = dyn_cast<PrefixOp>(op)) {
      if (prefix->getParentOp() == loop)
        return emitOwnPrefix(prefix);
      return emitPrefix(prefix);
    }
    if (!varies(op)) {
      Operation *shared = rewriter.clone(*op, copies.front());
      shared->walk([&](CheckOp check) { recordDigit(check, 0); });
      for (IRMapping &copy : copies)
        copy.map(op->getResults(), shared->getResults());
      return;
    }
    if (auto inner = dyn_cast<ForOp>(op);
        inner && !(inner.getExtent() && varies(inner.getExtent())))
      return emitLoop(inner);
    if (auto inner = dyn_cast<scf::ForOp>(op);
        inner && llvm::none_of(getBounds(inner),
                               [&](Value bound) { return varies(bound); }))
      return emitSequence(inner);
    if (auto branch = dyn_cast<scf::IfOp>(op);
        branch && !varies(branch.getCondition()))
      return emitBranch(branch);
    for (auto [u, copy] : llvm::enumerate(copies)) {
      Operation *own = rewriter.clone(*op, copy);
      own->walk([&, u = u](CheckOp check) { recordDigit(check, u); });
      if (isa<StoreOp>(op) && loop.getLevelKind() == LevelKind::Vector)
        own->setAttr(kNeighborAttr, rewriter.getUnitAttr());
    }
    markVarying(op);
  }

  /// The index of a failing check keeps the digit that has become a number.
  void recordDigit(CheckOp check, int64_t digit) {
    SmallVector<Attribute> digits;
    if (auto known = check->getAttrOfType<ArrayAttr>("kernel.digits"))
      llvm::append_range(digits, known);
    digits.push_back(rewriter.getArrayAttr(
        {loop.getDimAttr(), rewriter.getI64IntegerAttr(digit),
         rewriter.getI64IntegerAttr(copies.size())}));
    check->setAttr("kernel.digits", rewriter.getArrayAttr(digits));
  }

  void markVarying(Operation *op) {
    varying.insert(op->result_begin(), op->result_end());
  }

  /// The values of all copies, copy after copy.
  SmallVector<Value> gather(ValueRange values) {
    SmallVector<Value> all;
    for (IRMapping &copy : copies)
      for (Value value : values)
        all.push_back(copy.lookupOrDefault(value));
    return all;
  }

  /// The reverse: hands the results of a jammed operation to the copies.
  void scatter(ValueRange originals, ValueRange results) {
    for (auto [u, copy] : llvm::enumerate(copies))
      copy.map(originals,
               results.slice(u * originals.size(), originals.size()));
    varying.insert(originals.begin(), originals.end());
  }

  /// One loop that carries the folds of all copies.
  void emitLoop(ForOp inner) {
    OpFoldResult extent = inner.getMixedExtent();
    if (auto value = dyn_cast<Value>(extent))
      extent = copies.front().lookupOrDefault(value);
    auto jammed = ForOp::create(rewriter, inner.getLoc(), inner.getDim(),
                                extent, inner.getKind(),
                                gather(inner.getSeeds()), inner.getLevelAttr());
    if (!inner.isParallel())
      widenCombiner(inner, jammed);
    OpBuilder::InsertionGuard guard(rewriter);
    if (jammed.isReduce())
      rewriter.setInsertionPointToEnd(jammed.getBodyBlock());
    else
      rewriter.setInsertionPoint(jammed.getBodyBlock()->getTerminator());
    for (IRMapping &copy : copies)
      copy.map(inner.getInductionVar(), jammed.getInductionVar());
    emitOps(*inner.getBodyBlock());
    if (jammed.isReduce())
      YieldOp::create(rewriter, inner.getLoc(),
                      gather(inner.getYield().getValues()));
    scatter(inner.getResults(), jammed.getResults());
  }

  static SmallVector<Value> getBounds(scf::ForOp loop) {
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  }

  /// One sequence of steps that carries the values of all copies.
  void emitSequence(scf::ForOp inner) {
    SmallVector<Value> bounds = getBounds(inner);
    for (Value &bound : bounds)
      bound = copies.front().lookupOrDefault(bound);
    auto jammed =
        scf::ForOp::create(rewriter, inner.getLoc(), bounds[0], bounds[1],
                           bounds[2], gather(inner.getInitArgs()),
                           /*bodyBuilder=*/nullptr, inner.getUnsignedCmp());
    OpBuilder::InsertionGuard guard(rewriter);
    // Without results it has a terminator already.
    if (!jammed.getBody()->empty())
      rewriter.eraseOp(jammed.getBody()->getTerminator());
    rewriter.setInsertionPointToEnd(jammed.getBody());
    for (IRMapping &copy : copies)
      copy.map(inner.getInductionVar(), jammed.getInductionVar());
    scatter(inner.getRegionIterArgs(), jammed.getRegionIterArgs());
    emitOps(*inner.getBody());
    scf::YieldOp::create(rewriter, inner.getLoc(),
                         gather(inner.getYieldedValues()));
    scatter(inner.getResults(), jammed.getResults());
  }

  /// The operator of `inner` for each copy's accumulators.
  void widenCombiner(ForOp inner, ForOp jammed) {
    OpBuilder::InsertionGuard guard(rewriter);
    Block *block = rewriter.createBlock(&jammed.getCombiner());
    SmallVector<Type> types(jammed.getSeeds().getTypes());
    SmallVector<Location> locs(types.size(), inner.getLoc());
    block->addArguments(types, locs);
    block->addArguments(types, locs);
    unsigned count = inner.getSeeds().size(), all = types.size();
    SmallVector<Value> results;
    for (unsigned u = 0; u < copies.size(); ++u)
      llvm::append_range(
          results,
          inlineCombiner(
              rewriter, inner.getCombiner(),
              ValueRange(block->getArguments()).slice(u * count, count),
              ValueRange(block->getArguments()).slice(all + u * count, count)));
    YieldOp::create(rewriter, inner.getLoc(), results);
  }

  /// The prefix of a scan inside: all copies' at once.
  void emitPrefix(PrefixOp prefix) {
    SmallVector<Value> values = gather(prefix.getValues());
    auto jammed = PrefixOp::create(rewriter, prefix.getLoc(),
                                   TypeRange(ValueRange(values)), values,
                                   prefix.getExclusive());
    scatter(prefix.getResults(), jammed.getResults());
  }

  /// The prefix of the loop itself: one copy after the other.
  void emitOwnPrefix(PrefixOp prefix) {
    total = SmallVector<Value>(loop.getSeeds());
    for (IRMapping &copy : copies) {
      SmallVector<Value> values;
      for (Value value : prefix.getValues())
        values.push_back(copy.lookupOrDefault(value));
      SmallVector<Value> next =
          inlineCombiner(rewriter, loop.getCombiner(), total, values);
      copy.map(prefix.getResults(), prefix.getExclusive() ? total : next);
      total = next;
    }
    varying.insert(prefix->result_begin(), prefix->result_end());
  }

  /// One branch for all copies.
  void emitBranch(scf::IfOp branch) {
    SmallVector<Type> types;
    for (size_t u = 0; u < copies.size(); ++u)
      llvm::append_range(types, branch.getResultTypes());
    auto jammed =
        scf::IfOp::create(rewriter, branch.getLoc(), types,
                          copies.front().lookupOrDefault(branch.getCondition()),
                          /*addThenBlock=*/true,
                          /*addElseBlock=*/!branch.getElseRegion().empty());
    auto emitSide = [&](Block *from, Block *to) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToEnd(to);
      emitOps(*from);
      scf::YieldOp::create(rewriter, branch.getLoc(),
                           gather(from->getTerminator()->getOperands()));
    };
    emitSide(branch.thenBlock(), jammed.thenBlock());
    if (!branch.getElseRegion().empty())
      emitSide(branch.elseBlock(), jammed.elseBlock());
    scatter(branch.getResults(), jammed.getResults());
  }

  /// Whether what the loop yields, masked or not, is kept behind the fold.
  bool keepsTerms() {
    return llvm::any_of(loop.getYield().getValues(), [](Value value) {
      if (auto select = value.getDefiningOp<arith::SelectOp>())
        value = select.getTrueValue();
      return llvm::any_of(value.getUsers(), llvm::IsaPred<StoreOp>);
    });
  }

  /// What the copies from `first` on yield, folded: adjacent pairs, pairs of
  /// pairs, .. A pair stands behind its halves at once.
  SmallVector<Value> foldPairs(size_t first, size_t count) {
    if (count == 1)
      return getTerms(copies[first]);
    size_t half = llvm::PowerOf2Ceil(count) / 2;
    SmallVector<Value> left = foldPairs(first, half);
    SmallVector<Value> right = foldPairs(first + half, count - half);
    return inlineCombiner(rewriter, loop.getCombiner(), left, right);
  }

  SmallVector<Value> getTerms(IRMapping &copy) {
    SmallVector<Value> terms;
    for (Value value : loop.getYield().getValues())
      terms.push_back(copy.lookupOrDefault(value));
    return terms;
  }

  /// The pairs of all copies, then the seeds. Beside terms that are kept a
  /// whole level of pairs would want half as many registers again; others give
  /// their registers to pairs, and a level has more to do side by side.
  SmallVector<Value> foldPairs() {
    SmallVector<Value> seeds(loop.getSeeds());
    if (copies.empty())
      return seeds;
    if (keepsTerms())
      return inlineCombiner(rewriter, loop.getCombiner(), seeds,
                            foldPairs(0, copies.size()));
    SmallVector<SmallVector<Value>> parts = llvm::map_to_vector(
        copies, [&](IRMapping &copy) { return getTerms(copy); });
    while (parts.size() > 1) {
      SmallVector<SmallVector<Value>> next;
      for (size_t i = 0; i + 1 < parts.size(); i += 2)
        next.push_back(inlineCombiner(rewriter, loop.getCombiner(), parts[i],
                                      parts[i + 1]));
      if (parts.size() % 2)
        next.push_back(parts.back());
      parts = std::move(next);
    }
    return inlineCombiner(rewriter, loop.getCombiner(), seeds, parts.front());
  }

  IRRewriter &rewriter;
  ForOp loop;
  SmallVector<IRMapping> copies;
  /// Original values that differ between the copies.
  llvm::DenseSet<Value> varying;
  SmallVector<Value> total;
};

} // namespace

//===----------------------------------------------------------------------===//
// Loads first
//===----------------------------------------------------------------------===//

/// Whether machine code of `op` branches.
static bool mayBranch(Operation *op) {
  return isa<arith::DivFOp>(op) ||
         (isa_and_present<math::MathDialect>(op->getDialect()) &&
          !isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp>(op));
}

/// Moves loads of arrays, and what their places follow from, in front of the
/// first operation of `block` that may branch, up to the first that writes or
/// holds others.
static void loadFirst(Block &block) {
  Operation *first = nullptr;
  llvm::SmallDenseSet<Operation *> later;
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    auto load = dyn_cast<LoadOp>(op);
    if (!load && (op.getNumRegions() || !isMemoryEffectFree(&op)))
      return;
    if (!first) {
      if (mayBranch(&op)) {
        first = &op;
        later.insert(&op);
      }
      continue;
    }
    // What follows from something that stays behind stays, too.
    bool stays = llvm::any_of(op.getOperands(), [&](Value operand) {
      return later.contains(operand.getDefiningOp());
    });
    if (stays || mayBranch(&op))
      later.insert(&op);
    else if (load || op.getNumResults() == 0 ||
             op.getResult(0).getType().isIntOrIndex())
      op.moveBefore(first);
    else
      later.insert(&op);
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct JamLoopsPass
    : public arrc::kernel::impl::JamLoopsPassBase<JamLoopsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Threads have no SIMD registers: accesses to neighbours are joined later.
    bool expandsVectors = isGPU(DeviceAttr::get(getOperation()));
    if (expandsVectors)
      getOperation().walk([](LaunchOp launch) {
        launch.getBody().walk([](Block *block) { loadFirst(*block); });
      });
    // Outer loops first: what they jam holds the inner ones.
    auto findOutermost = [&] {
      SmallVector<ForOp> found;
      getOperation().walk<WalkOrder::PreOrder>([&](ForOp loop) {
        bool jams =
            loop.getLevelKind() == LevelKind::Unroll ||
            (expandsVectors && loop.getLevelKind() == LevelKind::Vector);
        if (!jams)
          return WalkResult::advance();
        found.push_back(loop);
        return WalkResult::skip();
      });
      return found;
    };
    for (SmallVector<ForOp> loops = findOutermost(); !loops.empty();
         loops = findOutermost())
      for (ForOp loop : loops)
        Jammer(rewriter, loop).run();
    if (expandsVectors)
      getOperation().walk([](LaunchOp launch) { dropKnownEdges(launch); });
    getOperation().walk(
        [](StoreOp store) { store->removeAttr(kNeighborAttr); });
  }
};

} // namespace
