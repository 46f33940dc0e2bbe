//===- FuseLaunches.cpp - Make one kernel of several
//-----------------------===//
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
// second, or it can move.
//
// Pays when the second reads an array of the first at the index where the first
// touches it. A result that nothing else uses is a local of the fused launch
// and usually contracts to a register.
//
// Source: Bohrium's fusion on unique bytes; Futhark's vertical and horizontal
// fusion.
//
//===----------------------------------------------------------------------===//

#include "arrc/Analysis/Dependence.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/LoopMerging.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/CSE.h"

#include "llvm/ADT/BitVector.h"
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

/// Why the two may not even be tried; empty if they may.
static std::string whyNotTry(LaunchOp first, LaunchOp second) {
  if (!first.getResults().size() || !second.getResults().size())
    return "a launch stores into memory that others may see";
  if (first.getFlag() || second.getFlag())
    return "a launch runs under a condition";
  for (LaunchOp launch : {first, second})
    if (launch.getScheduleAttr() || launch.getVersionsAttr() ||
        launch.isScheduled())
      return "a launch has a schedule already";
  for (OpOperand &operand : second->getOpOperands()) {
    if (operand.get().getDefiningOp() != first)
      continue;
    unsigned result = cast<OpResult>(operand.get()).getResultNumber();
    BlockArgument out = first.getOutArguments()[result];
    if (second.getArgumentOf(operand).getType() != out.getType())
      return "the launches see the array with different types";
    // An array that the second updates in place has no other reader.
    if (operand.getOperandNumber() >= second.getNumInputs() &&
        !operand.get().hasOneUse())
      return "the second launch updates an array that is used elsewhere";
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

/// Whether some access that came from the first launch is at the same element
/// as one that came from the second, in one iteration: only then merging saves
/// a trip to memory. `fromFirst` holds the former.
static bool
sharesElements(LaunchOp fused,
               const llvm::SmallPtrSetImpl<Operation *> &fromFirst) {
  AccessPattern pattern(fused);
  SmallVector<const Access *> first, second;
  for (const Access &access : pattern.getAccesses())
    (fromFirst.contains(access.op) ? first : second).push_back(&access);
  for (const Access *a : first)
    for (const Access *b : second)
      if (isSameElement(*a, *b))
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
/// The arguments of a launch that is being put together, found by operand.
class Arguments {
public:
  /// Adds what `launch` takes: inputs once each, results of `producer` not.
  void addInputs(LaunchOp launch, LaunchOp producer) {
    for (unsigned i = 0, e = launch.getNumInputs(); i < e; ++i)
      if (launch.getInputs()[i].getDefiningOp() != producer || !producer)
        add(inputs, launch, i);
  }
  void addOuts(LaunchOp launch, LaunchOp producer,
               const llvm::BitVector *without = nullptr) {
    unsigned base = launch.getNumInputs();
    for (auto [i, out] : llvm::enumerate(launch.getOuts()))
      if (!(without && (*without)[i]) &&
          (!producer || out.getDefiningOp() != producer))
        outs.push_back({out, launch, static_cast<unsigned>(base + i)});
  }

  /// Makes the launch, with an empty body.
  LaunchOp build(RewriterBase &rewriter, Location loc, StringRef name) {
    SmallVector<Value> inputValues, outValues;
    for (const Entry &entry : inputs)
      inputValues.push_back(entry.operand);
    for (const Entry &entry : outs)
      outValues.push_back(entry.operand);
    SmallVector<SmallVector<int64_t>> sizes;
    for (ArrayRef<Entry> list : {ArrayRef(inputs), ArrayRef(outs)})
      for (const Entry &entry : list)
        sizes.push_back(getSizes(entry));
    auto launch =
        LaunchOp::create(rewriter, loc, name, inputValues, outValues, sizes);
    unsigned number = 0;
    for (ArrayRef<Entry> list : {ArrayRef(inputs), ArrayRef(outs)})
      for (const Entry &entry : list) {
        LaunchOp from = entry.launch;
        launch.getArgument(number).setType(
            from.getArgument(entry.number).getType());
        StringRef argName = from.getArgName(entry.number);
        if (!argName.empty())
          launch.setArgName(number, argName);
        ++number;
      }
    return launch;
  }

  /// The number of the input whose operand is `value`.
  unsigned getInput(Value value) const {
    const Entry *entry = llvm::find_if(
        inputs, [&](const Entry &entry) { return entry.operand == value; });
    return entry - inputs.begin();
  }

private:
  struct Entry {
    Value operand;
    LaunchOp launch;
    unsigned number;
  };

  void add(SmallVectorImpl<Entry> &list, LaunchOp launch, unsigned number) {
    Value operand = launch->getOperand(number);
    if (getInput(operand) == inputs.size())
      list.push_back({operand, launch, number});
  }

  SmallVector<int64_t> getSizes(const Entry &entry) const {
    SmallVector<int64_t> numbers;
    LaunchOp from = entry.launch;
    auto type = dyn_cast<MemRefType>(from.getArgument(entry.number).getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      OpFoldResult size = from.getOuterSize(entry.number, dim);
      if (auto value = dyn_cast<Value>(size))
        numbers.push_back(getInput(value));
      else
        numbers.push_back(type.getDimSize(dim));
    }
    return numbers;
  }

  SmallVector<Entry> inputs, outs;
};
} // namespace

/// Copies the body of `from` to the end of `to`, arguments by `map`.
static void cloneBody(RewriterBase &rewriter, LaunchOp from, LaunchOp to,
                      IRMapping &map) {
  rewriter.setInsertionPoint(to.getBodyBlock()->getTerminator());
  for (Operation &op : from.getBodyBlock()->without_terminator())
    rewriter.clone(op, map);
}

/// The number of `first`'s out that result `operand` is, if it is one.
static std::optional<unsigned> getProducedOut(Value operand, LaunchOp first) {
  if (operand.getDefiningOp() != first)
    return std::nullopt;
  return cast<OpResult>(operand).getResultNumber();
}

/// Puts both trees into a new launch at the second one. `replacements` gets the
/// fused result of each result of the second.
static LaunchOp buildFused(RewriterBase &rewriter, LaunchOp first,
                           LaunchOp second,
                           llvm::SmallPtrSetImpl<Operation *> &fromFirst,
                           SmallVectorImpl<unsigned> &replacements) {
  Arguments arguments;
  arguments.addInputs(first, {});
  arguments.addInputs(second, first);
  arguments.addOuts(first, {});
  arguments.addOuts(second, first);
  rewriter.setInsertionPoint(second);
  LaunchOp fused = arguments.build(
      rewriter, rewriter.getFusedLoc({first.getLoc(), second.getLoc()}),
      first.getKernelName());

  IRMapping map;
  for (auto [input, argument] :
       llvm::zip_equal(first.getInputs(), first.getInputArguments()))
    map.map(argument, fused.getArgument(arguments.getInput(input)));
  for (auto [i, argument] : llvm::enumerate(first.getOutArguments()))
    map.map(argument, fused.getOutArguments()[i]);
  cloneBody(rewriter, first, fused, map);
  fused.walk([&](Operation *op) { fromFirst.insert(op); });

  unsigned next = first.getNumResults();
  for (auto [input, argument] :
       llvm::zip_equal(second.getInputs(), second.getInputArguments())) {
    std::optional<unsigned> produced = getProducedOut(input, first);
    map.map(argument, produced ? fused.getOutArguments()[*produced]
                               : fused.getArgument(arguments.getInput(input)));
  }
  for (auto [out, argument] :
       llvm::zip_equal(second.getOuts(), second.getOutArguments())) {
    unsigned number = getProducedOut(out, first).value_or(next);
    next += number == next;
    replacements.push_back(number);
    map.map(argument, fused.getOutArguments()[number]);
  }
  cloneBody(rewriter, second, fused, map);
  // Both trees state facts about their sizes; extents must be one value.
  DominanceInfo dominance(fused);
  eliminateCommonSubExpressions(rewriter, dominance, fused);
  return fused;
}

/// The same launch without the outs of `dead`, which nothing in it uses.
static LaunchOp dropOuts(RewriterBase &rewriter, LaunchOp launch,
                         const llvm::BitVector &dead) {
  Arguments arguments;
  arguments.addInputs(launch, {});
  arguments.addOuts(launch, {}, &dead);
  rewriter.setInsertionPoint(launch);
  LaunchOp smaller =
      arguments.build(rewriter, launch.getLoc(), launch.getKernelName());
  rewriter.eraseOp(smaller.getBodyBlock()->getTerminator());
  SmallVector<Value> values;
  unsigned kept = launch.getNumInputs(), keptResult = 0;
  for (unsigned i = 0, e = launch.getNumInputs(); i < e; ++i)
    values.push_back(
        smaller.getArgument(arguments.getInput(launch.getInputs()[i])));
  for (unsigned i = 0, e = launch.getNumResults(); i < e; ++i) {
    if (dead[i]) {
      // Unused: any argument will do.
      values.push_back(launch.getOutArguments()[i]);
      continue;
    }
    values.push_back(smaller.getArgument(kept++));
    rewriter.replaceAllUsesWith(launch.getResult(i),
                                smaller.getResult(keptResult++));
  }
  rewriter.mergeBlocks(launch.getBodyBlock(), smaller.getBodyBlock(), values);
  rewriter.eraseOp(launch);
  return smaller;
}

/// Makes locals of the outs that nothing outside uses, and contracts them; an
/// out that does not contract into the root loop stays one.
static LaunchOp contractOuts(RewriterBase &rewriter, LaunchOp launch) {
  SmallVector<std::pair<unsigned, LocalOp>> tried;
  for (auto [i, out] : llvm::enumerate(launch.getOuts())) {
    if (!launch.getResult(i).use_empty() ||
        !out.getDefiningOp<tensor::EmptyOp>())
      continue;
    BlockArgument argument = launch.getOutArguments()[i];
    auto type = cast<MemRefType>(argument.getType());
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(cast<Value>(launch.getSize(argument, dim)));
    rewriter.setInsertionPointToStart(launch.getBodyBlock());
    auto local =
        LocalOp::create(rewriter, launch.getLoc(), type, sizes, StringAttr());
    rewriter.replaceAllUsesWith(argument, local.getResult());
    tried.emplace_back(i, local);
  }
  contractLocals(rewriter, launch);

  llvm::BitVector dead(launch.getNumResults());
  llvm::SmallPtrSet<Operation *, 8> left;
  for (LocalOp local : launch.getBodyBlock()->getOps<LocalOp>())
    left.insert(local);
  for (auto [i, local] : tried) {
    if (left.contains(local)) {
      rewriter.replaceOp(local, launch.getOutArguments()[i]);
      continue;
    }
    dead.set(i);
  }
  return dead.any() ? dropOuts(rewriter, launch, dead) : launch;
}

/// Why the root loops of `launch` stayed apart.
static std::string whyNotOneRoot(LaunchOp launch) {
  SmallVector<ForOp> roots(launch.getBodyBlock()->getOps<ForOp>());
  if (roots.size() == 1)
    return {};
  if (roots.empty())
    return "one of the launches has no loop";
  std::string why = whyNotMerge(roots[0], roots[1]);
  return why.empty() ? "the outer loops share no array" : why;
}

/// Fuses the two if that is legal and pays; says why not otherwise. `fused` is
/// the new launch.
static std::string tryFuse(RewriterBase &rewriter, LaunchOp first,
                           LaunchOp second, LaunchOp &fused) {
  if (std::string why = whyNotTry(first, second); !why.empty())
    return why;
  std::optional<SmallVector<Operation *>> above = getNeededAbove(first, second);
  std::optional<SmallVector<Operation *>> below;
  if (!above && !(below = getUsersBelow(first, second)))
    return "the host uses the first launch's result before the second starts";

  llvm::SmallPtrSet<Operation *, 32> fromFirst;
  SmallVector<unsigned> replacements;
  fused = buildFused(rewriter, first, second, fromFirst, replacements);
  mergeSiblingLoops(rewriter, *fused.getBodyBlock(), /*explain=*/false);
  std::string why = whyNotOneRoot(fused);
  if (why.empty() && !sharesElements(fused, fromFirst))
    why = "no element is used by both in one iteration";
  if (!why.empty()) {
    rewriter.eraseOp(fused);
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

/// Fuses the first pair of launches in `block` that can be; false if there is
/// none. Refusals are said once: `refused` has those that were.
static bool
fuseOnePair(RewriterBase &rewriter, Block &block,
            llvm::DenseSet<std::pair<Operation *, Operation *>> &refused) {
  auto options =
      remark::RemarkOpts::name("Fuse").category("kernel-fuse-launches");
  SmallVector<LaunchOp> launches(block.getOps<LaunchOp>());
  for (size_t i = 0; i < launches.size(); ++i)
    for (size_t j = i + 1; j < launches.size(); ++j) {
      LaunchOp first = launches[i], second = launches[j], fused;
      if (!shareATensor(first, second))
        continue;
      Location place = second.getLoc();
      std::string firstName = first.getKernelName().str();
      std::string why = tryFuse(rewriter, first, second, fused);
      if (why.empty()) {
        remark::passed(place, options)
            << remark::add("one kernel with '{0}'", firstName);
        return true;
      }
      if (refused.insert({first, second}).second)
        remark::missed(place, options)
            << remark::add("not fused with '{0}'", firstName)
            << remark::reason("{0}", why);
    }
  return false;
}

/// Fuses what it can among the launches of `block`; every fusion may make room
/// for another, and moves launches.
static void fuseInBlock(RewriterBase &rewriter, Block &block) {
  llvm::DenseSet<std::pair<Operation *, Operation *>> refused;
  while (fuseOnePair(rewriter, block, refused))
    ;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct FuseLaunchesPass
    : public kernel::impl::FuseLaunchesPassBase<FuseLaunchesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) {
      if (!block->getParent()->getParentOfType<LaunchOp>() &&
          !isa<LaunchOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks)
      fuseInBlock(rewriter, *block);
  }
};
} // namespace
