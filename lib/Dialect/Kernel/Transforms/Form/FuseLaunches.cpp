//===- FuseLaunches.cpp - Make one kernel of several ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A launch that reads what another has just made, or what another reads
// too, becomes one with it: their trees stand side by side in one launch, and
// merging their loops (MergeLoops.cpp) makes the data pass through registers.
//
//   next = launch { for i { for j { O[i,j] = f(T) } } }
//   err  = launch { E[] = for i max { for j max { |O[i,j] - T[i,j]| } } }
//   ->
//   next, err = launch { E[] = for i max { for j max { O[i,j] = v; |v - ..| } }
//   }
//
// Legal when afterwards one root loop is left: blocks of a kernel run in no
// order, so what one tree leaves for another must be met in the same iteration
// of the root loop. The launches must come to stand at one place: what stands
// between them neither uses a result of the first nor makes an operand of the
// second, or it can move. On a device, maps of what columns fold to walk
// columns first (AlignNests.cpp).
//
// Pays when the second reads an array of the first where the first touches it,
// or near it: neighbours are in the cache. Not where a product would lose its
// tiles (SpoiledTiles.cpp). A result that nothing else uses is a
// local of the fused launch and usually contracts to a register. Past about 128
// registers a thread would spill, and nothing more is fused.
//
// Source: Bohrium's fusion on unique bytes; Futhark's vertical and horizontal
// fusion.
//
//===----------------------------------------------------------------------===//

#include "AlignNests.h"
#include "JoinLaunches.h"
#include "SpoiledTiles.h"

#include "arrc/Analysis/Dependence.h"
#include "arrc/Analysis/LaunchPartition.h"
#include "arrc/Analysis/Registers.h"
#include "arrc/Analysis/SourceNames.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/LoopMerging.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_FUSELAUNCHESPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// The operations between the launches that must move above `first` so that
/// the operands of `second` stand before it; nothing if one cannot.
static std::optional<SmallVector<Operation *>> getNeededAbove(LaunchOp first,
                                                              LaunchOp second) {
  SmallVector<Operation *> all = getOperationsBetween(first, second);
  llvm::SmallPtrSet<Operation *, 8> between(all.begin(), all.end()), needed;
  SmallVector<Operation *> worklist{second};
  bool movable = true;
  while (!worklist.empty() && movable) {
    Operation *user = worklist.pop_back_val();
    for (Value operand : user->getOperands()) {
      Operation *def = operand.getDefiningOp();
      // Only the second launch itself may use what the first makes.
      if (def == first)
        movable &= user == second;
      if (!def || !between.contains(def) || !needed.insert(def).second)
        continue;
      movable &= def->getNumRegions() == 0 && isPure(def);
      worklist.push_back(def);
    }
  }
  if (!movable)
    return std::nullopt;
  llvm::erase_if(all, [&](Operation *op) { return !needed.contains(op); });
  return all;
}

/// The operations between the launches that use a result of `first` and can
/// move below `second`; nothing if one cannot.
static std::optional<SmallVector<Operation *>> getUsersBelow(LaunchOp first,
                                                             LaunchOp second) {
  llvm::SmallPtrSet<Operation *, 8> users{first};
  SmallVector<Operation *> ordered;
  for (Operation *op : getOperationsBetween(first, second)) {
    bool uses = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp())
          uses |= users.contains(def);
    });
    if (!uses)
      continue;
    if (op->getNumRegions() != 0 || !isPure(op))
      return std::nullopt;
    users.insert(op);
    ordered.push_back(op);
  }
  for (Value operand : second->getOperands())
    if (Operation *def = operand.getDefiningOp())
      if (def != first && users.contains(def))
        return std::nullopt;
  return ordered;
}

namespace {
/// Why two launches stay two, and what a person can do about it. No reason:
/// they become one. It is final if it follows from the two alone, not from what
/// stands between them.
struct Refusal {
  std::string reason, advice;
  bool isFinal = false;
  explicit operator bool() const { return !reason.empty(); }
};
} // namespace

/// Whether what `first` finds decides whether the program goes on to `second`:
/// only where a check of the input holds do accesses lie inside.
static bool isCheckedBetween(LaunchOp first, LaunchOp second) {
  llvm::SmallPtrSet<Operation *, 8> users{first};
  for (Operation *op : getOperationsBetween(first, second)) {
    if (!llvm::any_of(op->getOperands(), [&](Value operand) {
          return users.contains(operand.getDefiningOp());
        }))
      continue;
    users.insert(op);
    if (auto check = dyn_cast<array::CheckOp>(op);
        check && check.getKind() == array::CheckKind::Input)
      return true;
  }
  return false;
}

/// Why the two may not even be tried.
static Refusal whyNotTry(LaunchOp first, LaunchOp second) {
  if (!first.getResults().size() || !second.getResults().size())
    return {"a kernel stores into memory that others may see", ""};
  if (isCheckedBetween(first, second))
    return {"a check of the input stands between them", ""};
  if (first.getFlag() || second.getFlag())
    return {"a kernel runs under a condition", ""};
  for (LaunchOp launch : {first, second})
    if (launch.getScheduleAttr() || launch.getVersionsAttr() ||
        launch.isScheduled())
      return {"a kernel has a schedule already",
              "leave the schedule out and let the compiler choose"};
  Attribute split = first->getAttr(kSplitAttr);
  if (split && second->hasAttr(kSplitAttr) &&
      second->getAttr(kSplitAttr) != split)
    return {"the kernels are to be cut along different dimensions",
            "give both '@split' of the same index"};
  for (OpOperand &operand : second->getOpOperands()) {
    if (operand.get().getDefiningOp() != first)
      continue;
    unsigned result = cast<OpResult>(operand.get()).getResultNumber();
    BlockArgument out = first.getOutArguments()[result];
    if (second.getArgumentOf(operand).getType() != out.getType())
      return {"the kernels see the array with different types", ""};
    // An array that the second updates in place has no other reader.
    if (operand.getOperandNumber() >= second.getNumInputs() &&
        !operand.get().hasOneUse())
      return {"an array is updated that is needed elsewhere, too",
              "give the new array a name of its own"};
  }
  return {};
}

/// Whether both launches use a tensor, or one uses a result of the other.
static bool shareATensor(LaunchOp first, LaunchOp second) {
  llvm::SmallPtrSet<Value, 8> tensors;
  for (Value value : first->getOperands())
    if (isa<RankedTensorType>(value.getType()) &&
        !value.getDefiningOp<tensor::EmptyOp>())
      tensors.insert(value);
  for (Value value : first->getResults())
    tensors.insert(value);
  return llvm::any_of(second->getOperands(),
                      [&](Value value) { return tensors.contains(value); });
}

//===----------------------------------------------------------------------===//
// Profitability
//===----------------------------------------------------------------------===//

/// Elements that are at most so far apart are in one cache line, or in rows
/// that the cache holds.
static constexpr int64_t kNear = 16;

/// Whether the elements are the same, or near each other, in one iteration.
static bool areNeighbours(const Access &a, const Access &b) {
  if (a.array != b.array)
    return false;
  for (auto [x, y] : llvm::zip_equal(a.indices, b.indices)) {
    std::optional<int64_t> distance = getMostly(x).distanceFrom(getMostly(y));
    if (!distance || std::abs(*distance) > kNear)
      return false;
  }
  return true;
}

/// Whether some access that came from the first launch is at the same element
/// as one that came from the second, or near it, in one iteration: only then
/// merging saves a trip to memory. `fromFirst` holds the former.
static bool
sharesElements(LaunchOp fused,
               const llvm::SmallPtrSetImpl<Operation *> &fromFirst) {
  AccessPattern pattern(fused);
  SmallVector<const Access *> first, second;
  for (const Access &access : pattern.getAccesses())
    (fromFirst.contains(access.op) ? first : second).push_back(&access);
  for (const Access *a : first)
    for (const Access *b : second)
      if (areNeighbours(*a, *b))
        return true;
  return false;
}

/// Why the root loops of `launch` stayed apart.
static Refusal whyNotOneRoot(LaunchOp launch) {
  SmallVector<ForOp> roots(launch.getBodyBlock()->getOps<ForOp>());
  if (roots.size() == 1)
    return {};
  if (roots.empty())
    return {"one of them has no loop", ""};
  std::string why = whyNotMerge(roots[0], roots[1]);
  if (why.empty())
    return {"the outer loops share no array", ""};
  std::string advice;
  if (roots[0].getMixedExtent() != roots[1].getMixedExtent())
    advice =
        "kernels become one where their outer indices run over the same "
        "range: exchange the indices of one 'for', or write the sizes alike";
  else if (why == kUsesResult)
    advice = "a kernel cannot wait for all of itself: where rows are enough, "
             "reduce along rows";
  else if (roots[0].isScan() || roots[1].isScan())
    advice = "a fold that needs no prefix by itself can carry what it folds in "
             "its own operator: (sum, largest sum) in 'reduce'";
  else
    advice = "read the array at the index where it was made, or write its "
             "expression where it is read";
  return {why, advice};
}

/// Why the fused launch is not worth it.
static Refusal
whyNotWorth(LaunchOp fused,
            const llvm::SmallPtrSetImpl<Operation *> &fromFirst) {
  if (!sharesElements(fused, fromFirst))
    return {
        "they share no element in one iteration of their outer loops",
        "where both walk the same rows, write them in one 'for' over these"};
  // Its body is computed again for the totals of blocks and of threads.
  if (ForOp root = *fused.getBodyBlock()->getOps<ForOp>().begin();
      root.isScan() && !root.getBodyBlock()->getOps<ForOp>().empty())
    return {"a scan would repeat the loops of the other", ""};
  if (spoilsTiles(fused))
    return {"tiles of a product's rows and columns need a kernel of their own",
            ""};
  if (unsigned count = estimateRegisters(fused); count > kMaxLiveRegisters)
    return {llvm::formatv("one kernel would keep about {0} registers a thread, "
                          "more than {1}",
                          count, kMaxLiveRegisters),
            "compute fewer results in one go"};
  return {};
}

/// Merges root loops that share no array: nothing is gained by it.
static void mergeRoots(RewriterBase &rewriter, LaunchOp launch) {
  SmallVector<ForOp> roots(launch.getBodyBlock()->getOps<ForOp>());
  if (roots.size() == 2 && whyNotMerge(roots[0], roots[1]).empty())
    mergeLoops(rewriter, roots[0], roots[1]);
}

/// Fuses the two if that is legal and pays (or is wanted `anyhow`); says why
/// not otherwise. `fused` is the new launch.
static Refusal tryFuse(RewriterBase &rewriter, LaunchOp first, LaunchOp second,
                       LaunchOp &fused, bool anyhow = false) {
  if (Refusal why = whyNotTry(first, second))
    return why;
  std::optional<SmallVector<Operation *>> above = getNeededAbove(first, second);
  std::optional<SmallVector<Operation *>> below;
  if (!above && !(below = getUsersBelow(first, second)))
    return {"a number of the first is needed before the second starts",
            "it is known when the whole array has been read: where rows are "
            "enough, reduce along rows"};

  llvm::SmallPtrSet<Operation *, 32> fromFirst;
  SmallVector<unsigned> replacements;
  fused = joinLaunches(rewriter, first, second, fromFirst, replacements);
  // On a CPU whole rows are walked, once each loop.
  if (isGPU(DeviceAttr::get(fused)))
    alignNests(rewriter, fused);
  mergeSiblingLoops(rewriter, *fused.getBodyBlock(), /*explain=*/false);
  if (anyhow)
    mergeRoots(rewriter, fused);
  Refusal why = whyNotOneRoot(fused);
  if (!why && !anyhow)
    why = whyNotWorth(fused, fromFirst);
  if (why) {
    rewriter.eraseOp(fused);
    why.isFinal = true;
    return why;
  }

  if (above) {
    for (Operation *op : *above)
      rewriter.moveOpBefore(op, first);
    rewriter.moveOpBefore(fused, first);
  } else {
    Operation *last = second;
    for (Operation *op : *below) {
      rewriter.moveOpAfter(op, last);
      last = op;
    }
  }
  for (auto [i, result] : llvm::enumerate(second.getResults()))
    rewriter.replaceAllUsesWith(result, fused.getResult(replacements[i]));
  rewriter.eraseOp(second);
  rewriter.replaceAllUsesWith(
      first.getResults(), fused.getResults().take_front(first.getNumResults()));
  rewriter.eraseOp(first);
  fused = contractOuts(rewriter, fused);
  separateDims(fused);
  return {};
}

std::string kernel::fuseLaunches(RewriterBase &rewriter, LaunchOp first,
                                 LaunchOp second, LaunchOp &fused) {
  if (first->getBlock() != second->getBlock() || first == second ||
      !first->isBeforeInBlock(second))
    return "the second kernel does not come behind the first";
  return tryFuse(rewriter, first, second, fused, /*anyhow=*/true).reason;
}

namespace {
/// Pairs of launches that stayed two: those of which that was said, and those
/// that need not be tried again.
class Refused {
public:
  bool isFinal(LaunchOp first, LaunchOp second) const {
    auto it = pairs.find({first, second});
    return it != pairs.end() && it->second;
  }
  /// Whether nothing was said of the two yet.
  bool add(LaunchOp first, LaunchOp second, const Refusal &why) {
    auto [it, isNew] = pairs.try_emplace({first, second}, why.isFinal);
    it->second |= why.isFinal;
    return isNew;
  }
  /// Another launch may come to stand where `launch` stood.
  void forget(Operation *launch) {
    for (auto it = pairs.begin(), end = pairs.end(); it != end;) {
      auto pair = it++;
      if (pair->first.first == launch || pair->first.second == launch)
        pairs.erase(pair);
    }
  }

private:
  llvm::DenseMap<std::pair<Operation *, Operation *>, bool> pairs;
};
} // namespace

/// Fuses the first pair of launches in `block` that can be; false if there is
/// none. Refusals are said once. With `scalars` the second launch has no loop,
/// and nothing is said of those that stay: all that is left of them is a store.
static bool fuseOnePair(RewriterBase &rewriter, Block &block, bool scalars,
                        Refused &refused) {
  auto options =
      remark::RemarkOpts::name("Fuse").category("kernel-fuse-launches");
  SmallVector<LaunchOp> launches(block.getOps<LaunchOp>());
  for (size_t i = 0; i < launches.size(); ++i)
    for (size_t j = i + 1; j < launches.size(); ++j) {
      LaunchOp first = launches[i], second = launches[j], fused;
      if (!shareATensor(first, second) || refused.isFinal(first, second))
        continue;
      if (scalars && !second.getBodyBlock()->getOps<ForOp>().empty())
        continue;
      Location place = second.getLoc();
      std::string firstPlace = describePlace(first.getLoc(), place);
      Refusal why = tryFuse(rewriter, first, second, fused);
      if (!why) {
        refused.forget(first);
        refused.forget(second);
        remark::passed(place, options)
            << remark::add("one kernel with {0}", firstPlace);
        return true;
      }
      if (refused.add(first, second, why) && !scalars) {
        auto remark = remark::missed(place, options);
        remark << remark::add("not one kernel with {0}", firstPlace)
               << remark::reason("{0}", why.reason);
        if (!why.advice.empty())
          remark << remark::suggest("{0}", why.advice);
      }
    }
  return false;
}

/// Fuses what it can among the launches of `block`; every fusion may make room
/// for another, and moves launches.
static void fuseInBlock(RewriterBase &rewriter, Block &block, bool scalars) {
  Refused refused;
  while (fuseOnePair(rewriter, block, scalars, refused))
    ;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct FuseLaunchesPass
    : public kernel::impl::FuseLaunchesPassBase<FuseLaunchesPass> {
  using FuseLaunchesPassBase::FuseLaunchesPassBase;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!block->getParent()->getParentOfType<LaunchOp>() &&
          !isa<LaunchOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks) {
      // A component of a scan that nobody reads is not stored.
      for (LaunchOp launch : llvm::to_vector(block->getOps<LaunchOp>()))
        if (llvm::any_of(launch.getResults(),
                         [](Value result) { return result.use_empty(); }))
          contractOuts(rewriter, launch);
      fuseInBlock(rewriter, *block, scalars);
    }
  }
};
} // namespace
