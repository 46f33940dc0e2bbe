//===- MergeLoops.cpp - Make one loop of siblings -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Two loops over one index set that touch the same array become one, so
// that the array is walked once and what one leaves for the other stays in a
// register:
//
//   for j { e[j] = exp(x[j]) }           for j reduce + {
//   s = for j reduce + { e[j] }    ->      e[j] = exp(x[j]); yield e[j] }
//
// A map and a reduction give a reduction that stores; two reductions one with
// two accumulators.
//
// Legal when the extents are one value, no value that the second loop uses
// comes from the first, and every element that one loop writes and the other
// touches is met in iterations of the same number (Analysis/Dependence.h). What
// stands between the loops and is needed by the second must be free to move up.
//
// Pays when the loops share an array. Cost: more values alive at a time.
//
// Source: loop fusion as in Allen and Kennedy, "Optimizing Compilers for Modern
// Architectures", 8.5; the sharing test is Bohrium's "unique bytes".
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/Dependence.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/LoopMerging.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"

#include "mlir/IR/Remarks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_MERGELOOPSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

SmallVector<Operation *> kernel::getOperationsBetween(Operation *first,
                                                      Operation *second) {
  SmallVector<Operation *> between;
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode())
    between.push_back(op);
  return between;
}

/// Whether `op`, which stands after `first` and before `second`, may run before
/// `first`: it is pure, or reads what nothing up to `second` writes.
static bool isMovable(Operation *op, ForOp first, ForOp second) {
  if (isa<LocalOp>(op) || isPure(op))
    return true;
  if (!isa<LoadOp>(op))
    return false;
  AccessPattern load(op);
  for (Operation *passed = first; passed != second;
       passed = passed->getNextNode())
    if (!findConflict(AccessPattern(passed), load).empty())
      return false;
  return true;
}

/// The operations between the loops that `second` needs, in order of the text.
/// Empty optional if one of them cannot move above `first`.
static std::optional<SmallVector<Operation *>> getNeededBetween(ForOp first,
                                                                ForOp second) {
  SmallVector<Operation *> all = getOperationsBetween(first, second);
  llvm::SmallPtrSet<Operation *, 8> between(all.begin(), all.end()), needed;
  SmallVector<Operation *> worklist{second};
  while (!worklist.empty()) {
    bool movable = true;
    worklist.pop_back_val()->walk([&](Operation *user) {
      for (Value operand : user->getOperands()) {
        Operation *def = operand.getDefiningOp();
        if (def == first)
          movable = false;
        if (!def || !between.contains(def) || !needed.insert(def).second)
          continue;
        movable &= isMovable(def, first, second);
        worklist.push_back(def);
      }
    });
    if (!movable)
      return std::nullopt;
  }
  llvm::erase_if(all, [&](Operation *op) { return !needed.contains(op); });
  return all;
}

std::string kernel::whyNotMerge(ForOp first, ForOp second) {
  if (first.getMixedExtent() != second.getMixedExtent())
    return "the outer indices run over different ranges";
  if (first.getLevelAttr() != second.getLevelAttr())
    return "the loops are scheduled on different levels";
  if (!first.isParallel() && !second.isParallel() &&
      (first.isScan() || second.isScan()))
    return "a scan shares its loop with maps only";
  std::optional<SmallVector<Operation *>> needed =
      getNeededBetween(first, second);
  if (!needed)
    return kUsesResult;
  llvm::SmallPtrSet<Operation *, 8> moved(needed->begin(), needed->end());
  AccessPattern accesses(second);
  for (Operation *op : getOperationsBetween(first, second))
    if (!moved.contains(op))
      if (std::string why = findConflict(AccessPattern(op), accesses);
          !why.empty())
        return why;
  return findCrossingDependence(first, second);
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Fills the combiner of `merged`: the operator of `first` on its accumulators
/// beside that of `second`.
static void joinCombiners(RewriterBase &rewriter, ForOp merged, ForOp first,
                          ForOp second) {
  if (merged.isParallel())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  TypeRange types = merged.getResultTypes();
  SmallVector<Type> arguments(types);
  arguments.append(types.begin(), types.end());
  SmallVector<Location> locs(arguments.size(), merged.getLoc());
  Block *block =
      rewriter.createBlock(&merged.getCombiner(), {}, arguments, locs);
  SmallVector<Value> yields;
  unsigned position = 0, total = types.size();
  for (ForOp loop : {first, second}) {
    if (loop.isParallel())
      continue;
    unsigned count = loop.getNumResults();
    ValueRange all = block->getArguments();
    llvm::append_range(yields,
                       inlineCombiner(rewriter, loop.getCombiner(),
                                      all.slice(position, count),
                                      all.slice(total + position, count)));
    position += count;
  }
  YieldOp::create(rewriter, merged.getLoc(), yields);
}

ForOp kernel::mergeLoops(RewriterBase &rewriter, ForOp first, ForOp second) {
  SmallVector<Operation *> needed = *getNeededBetween(first, second);
  for (Operation *op : needed)
    rewriter.moveOpBefore(op, first);

  ForKind kind = first.isParallel() ? second.getKind() : first.getKind();
  SmallVector<Value> seeds(first.getSeeds());
  llvm::append_range(seeds, second.getSeeds());
  rewriter.setInsertionPoint(first);
  Location loc = rewriter.getFusedLoc({first.getLoc(), second.getLoc()});
  auto merged =
      ForOp::create(rewriter, loc, first.getDim(), first.getMixedExtent(), kind,
                    seeds, first.getLevelAttr());
  joinCombiners(rewriter, merged, first, second);

  Block *body = merged.getBodyBlock();
  if (body->mightHaveTerminator())
    rewriter.eraseOp(body->getTerminator());
  SmallVector<Value> yields;
  for (ForOp loop : {first, second}) {
    YieldOp yield = loop.getYield();
    // The index itself may be a value (`argmax`); its block goes.
    for (Value value : yield.getValues())
      yields.push_back(
          value == loop.getInductionVar() ? merged.getInductionVar() : value);
    rewriter.eraseOp(yield);
    rewriter.mergeBlocks(loop.getBodyBlock(), body, merged.getInductionVar());
  }
  rewriter.setInsertionPointToEnd(body);
  YieldOp::create(rewriter, loc, yields);

  unsigned count = first.getNumResults();
  rewriter.replaceAllUsesWith(first.getResults(),
                              merged.getResults().take_front(count));
  rewriter.replaceAllUsesWith(second.getResults(),
                              merged.getResults().drop_front(count));
  rewriter.eraseOp(first);
  rewriter.eraseOp(second);
  return merged;
}

/// Says that the loops merge, or why they do not.
static void explainMerge(ForOp first, ForOp second, StringRef why) {
  auto options =
      remark::RemarkOpts::name("Merge").category("kernel-merge-loops");
  if (why.empty())
    remark::passed(second.getLoc(), options) << remark::add(
        "one loop with the one over '{0}' before it", first.getDim().str());
  else
    remark::missed(second.getLoc(), options)
        << remark::add("not one loop with the one over '{0}' before it",
                       first.getDim().str())
        << remark::reason("{0}", why);
}

/// Merges what it can among the loops of `block` itself.
static void mergeInBlock(RewriterBase &rewriter, Block &block, bool explain) {
  SmallVector<ForOp> loops(block.getOps<ForOp>());
  for (size_t i = 0; i < loops.size(); ++i)
    for (size_t j = i + 1; j < loops.size();) {
      ForOp first = loops[i], second = loops[j];
      if (first.getMixedExtent() != second.getMixedExtent() ||
          !shareAnArray(AccessPattern(first), AccessPattern(second))) {
        ++j;
        continue;
      }
      std::string why = whyNotMerge(first, second);
      if (explain)
        explainMerge(first, second, why);
      if (!why.empty()) {
        ++j;
        continue;
      }
      loops[i] = mergeLoops(rewriter, first, second);
      loops.erase(loops.begin() + j);
    }
}

void kernel::mergeSiblingLoops(RewriterBase &rewriter, Block &block,
                               bool explain) {
  mergeInBlock(rewriter, block, explain);
  for (Operation &op : block)
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        mergeSiblingLoops(rewriter, inner, explain);
}

void kernel::separateDims(LaunchOp launch) {
  SmallVector<ForOp> loops;
  llvm::StringSet<> written;
  launch.getBody().walk<WalkOrder::PreOrder>([&](ForOp loop) {
    loops.push_back(loop);
    written.insert(loop.getDim());
  });
  // Which index set a name stands for: its extent, and how many loops of the
  // same name are around it.
  llvm::DenseMap<Operation *, StringAttr> before;
  for (ForOp loop : loops)
    before[loop] = loop.getDimAttr();
  struct IndexSet {
    OpFoldResult extent;
    unsigned depth;
    StringAttr name;
  };
  llvm::StringMap<SmallVector<IndexSet>> sets;
  llvm::StringSet<> taken;
  for (ForOp loop : loops) {
    StringAttr name = before[loop];
    unsigned depth = 0;
    for (auto outer = loop->getParentOfType<ForOp>(); outer;
         outer = outer->getParentOfType<ForOp>())
      depth += before[outer] == name;
    SmallVector<IndexSet> &known = sets[name.getValue()];
    OpFoldResult extent = loop.getMixedExtent();
    auto *set = llvm::find_if(known, [&](const IndexSet &set) {
      return set.extent == extent && set.depth == depth;
    });
    if (set == known.end()) {
      StringAttr fresh = name;
      for (unsigned k = 1; taken.contains(fresh.getValue()) ||
                           (k > 1 && written.contains(fresh.getValue()));
           ++k)
        fresh = StringAttr::get(launch.getContext(),
                                name.getValue() + "_" + Twine(k));
      taken.insert(fresh.getValue());
      known.push_back({extent, depth, fresh});
      set = &known.back();
    }
    loop.setDimAttr(set->name);
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct MergeLoopsPass
    : public kernel::impl::MergeLoopsPassBase<MergeLoopsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](LaunchOp launch) {
      mergeSiblingLoops(rewriter, *launch.getBodyBlock(), /*explain=*/true);
      if (!launch.getScheduleAttr() && !launch.getVersionsAttr() &&
          !launch.isScheduled())
        separateDims(launch);
    });
  }
};
} // namespace
