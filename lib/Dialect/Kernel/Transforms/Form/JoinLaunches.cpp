//===- JoinLaunches.cpp - Two trees in one launch -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
// Part of kernel-fuse-launches: the rewrite. Both trees come to stand in a new
// launch, one behind the other; outs that only the second tree reads become
// locals.
//
//===----------------------------------------------------------------------===//

#include "JoinLaunches.h"

#include "arrc/Analysis/LaunchPartition.h"
#include "arrc/Dialect/Kernel/Transforms/LoopMerging.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/CSE.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

namespace {
/// The arguments of a launch that is being put together, found by operand.
class Arguments {
public:
  /// Adds what `launch` takes: inputs once each, results of `producer` not.
  void addInputs(LaunchOp launch, LaunchOp producer) {
    for (unsigned i = 0, e = launch.getNumInputs(); i < e; ++i)
      if (launch.getInputs()[i].getDefiningOp() != producer || !producer)
        addInput(launch, i);
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

  void addInput(LaunchOp launch, unsigned number) {
    Value operand = launch->getOperand(number);
    if (getInput(operand) == inputs.size())
      inputs.push_back({operand, launch, number});
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

LaunchOp kernel::joinLaunches(RewriterBase &rewriter, LaunchOp first,
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
  keepSplit(first, fused);
  keepSplit(second, fused);

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
  keepSplit(launch, smaller);
  rewriter.eraseOp(smaller.getBodyBlock()->getTerminator());
  SmallVector<Value> values;
  unsigned kept = smaller.getNumInputs(), keptResult = 0;
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

LaunchOp kernel::contractOuts(RewriterBase &rewriter, LaunchOp launch) {
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
