//===- MergeDims.cpp - Neighbouring dimensions become one -----------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Arrays lie in memory in the order of their dimensions. Where a nest of
// loops walks neighbouring dimensions of all its arrays together, it walks one
// dimension of as many elements:
//
//   for i in N { for j in 8 {              for i_j in N * 8 {
//     v = X[i, j]                    ->      v = X'[i_j]
//     Y[i, j] = f(v) } }                     Y'[i_j] = f(v) }
//
// X' is X as an array of one dimension, a view. So elementwise work of any rank
// is a loop over one dimension, a sum over axes one over [K, R] or [K0, R, K1],
// and no plan needs to know of shapes like (n, 2, 2, 2), whose rows are shorter
// than a vector.
//
// Legal if the outer loop does nothing but the inner one, of the same kind and
// operator, and both indices are subscripts of arrays only: of neighbouring
// dimensions, in this order, the inner one with the extent of the inner loop,
// without boundary. All accesses of an array must agree, for its sizes change.
// Arrays lie without gaps (views with strides stay as they are); a product of
// sizes is the number of elements, or a part of it, and fits. Sizes that are
// different values stay apart. An index that is a value (in a check, or in the
// result) keeps its dimension: messages name the indices of the program. Folds
// keep the order of their elements.
//
// Pays always: fewer indices to compute, and accesses as wide as the machine's.
//
// On formed launches in memory, not on array operations: there a sum over one
// dimension would no longer meet the stencil over two that it shares its loops
// with, and a reshaped tensor may be copied. Here launches are what they will
// be, and a view of a buffer is free.
//
// Source: loop collapsing (Polychronopoulos, "Loop coalescing", ICPP 1987).
//
//===----------------------------------------------------------------------===//

#include "MergeDims.h"
#include "../Shared/LaunchAccess.h"

#include "arrc/Analysis/AccessPattern.h"
#include "arrc/Analysis/LaunchPartition.h"
#include "arrc/Dialect/Array/IR/Array.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/DimNumber.h"

#include "mlir/IR/Remarks.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_MERGEDIMSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Sizes and nests
//===----------------------------------------------------------------------===//

OpFoldResult kernel::getRootSize(OpFoldResult size) {
  if (std::optional<int64_t> number = getConstantIntValue(size))
    return Builder(size.getContext()).getIndexAttr(*number);
  auto value = cast<Value>(size);
  while (auto fact = value.getDefiningOp<array::AssumeOp>())
    value = fact.getValue();
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return Builder(value.getContext()).getIndexAttr(*number);
  // Two arguments may be one value.
  auto argument = dyn_cast<BlockArgument>(value);
  if (auto launch = argument
                        ? dyn_cast<LaunchOp>(argument.getOwner()->getParentOp())
                        : LaunchOp())
    for (BlockArgument other : launch.getBodyBlock()->getArguments())
      if (launch.getOperandOf(other).get() ==
          launch.getOperandOf(argument).get())
        return Value(other);
  return value;
}

bool kernel::isOuterSize(OpFoldResult size) {
  if (isa<Attribute>(size))
    return true;
  auto argument = dyn_cast<BlockArgument>(cast<Value>(size));
  return argument && isa<LaunchOp>(argument.getOwner()->getParentOp());
}

ForOp kernel::getSoleLoop(ForOp outer) {
  ForOp inner;
  for (Operation &op : outer.getBodyBlock()->without_terminator()) {
    if (auto loop = dyn_cast<ForOp>(op); loop && !inner)
      inner = loop;
    else if (!isScalarOp(&op) || inner)
      return {};
  }
  return inner;
}

/// Nothing to explain: a fold in a map, or a map in a fold.
static constexpr llvm::StringLiteral kFold = "one is a fold";

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

ForOp DimMerger::getOuterOf(ForOp inner) {
  auto outer = dyn_cast<ForOp>(inner->getParentOp());
  return outer && pairs.contains({outer.getDimAttr(), inner.getDimAttr()})
             ? outer
             : ForOp();
}

std::string DimMerger::whyNotNested(ForOp outer, StringAttr innerName) {
  ForOp inner = getSoleLoop(outer);
  if (!inner || inner.getDimAttr() != innerName)
    return "there is work between the loops";
  if (outer.isScan() || inner.isScan())
    return "a scan keeps its dimension";
  if (outer.getKind() != inner.getKind())
    return kFold.str();
  if (!isOuterSize(getRootSize(inner.getMixedExtent())))
    return "the extent is computed in the kernel";
  if (outer.isParallel())
    return "";
  if (!haveSameOperator(outer, inner) ||
      !llvm::equal(outer.getYield().getValues(), inner.getResults()))
    return "they fold by different operators";
  // The inner seeds go: what the outer loop starts from is then all there is.
  for (auto [first, second] : llvm::zip(outer.getSeeds(), inner.getSeeds())) {
    Attribute a, b;
    bool same =
        first == second || (matchPattern(first, m_Constant(&a)) &&
                            matchPattern(second, m_Constant(&b)) && a == b);
    if (!same)
      return "they start from different values";
  }
  return "";
}

void DimMerger::findPairs() {
  launch.getBody().walk<WalkOrder::PreOrder>(
      [&](ForOp loop) { loops[loop.getDimAttr()].push_back(loop); });
  llvm::SetVector<DimPair> nested;
  for (auto &[name, all] : loops)
    for (ForOp loop : all)
      if (auto outer = dyn_cast<ForOp>(loop->getParentOp()))
        nested.insert({outer.getDimAttr(), name});
  for (DimPair pair : nested) {
    std::string why;
    if (pair.first == pair.second)
      continue;
    if (auto split = launch->getAttrOfType<StringAttr>(kSplitAttr);
        split && llvm::is_contained({pair.first, pair.second}, split))
      why = "devices are to share one of them";
    OpFoldResult extents[2] = {
        getRootSize(loops[pair.first][0].getMixedExtent()),
        getRootSize(loops[pair.second][0].getMixedExtent())};
    for (ForOp loop : loops[pair.first]) {
      if (why.empty())
        why = whyNotNested(loop, pair.second);
      if (getRootSize(loop.getMixedExtent()) != extents[0])
        why = "their extents differ between loops";
    }
    for (ForOp loop : loops[pair.second]) {
      auto outer = dyn_cast<ForOp>(loop->getParentOp());
      if (why.empty() && (!outer || outer.getDimAttr() != pair.first))
        why = "the inner one stands alone elsewhere";
      if (getRootSize(loop.getMixedExtent()) != extents[1])
        why = "their extents differ between loops";
    }
    if (why.empty())
      pairs.insert(pair);
    else if (why != kFold)
      refused.push_back({pair, why});
  }
}

/// Whether `size` is the size of dimension `dim` of `array`, an array of the
/// host.
static bool isSizeOf(OpFoldResult size, Value array, unsigned dim) {
  auto type = cast<MemRefType>(array.getType());
  if (!type.isDynamicDim(dim))
    return getConstantIntValue(size) == type.getDimSize(dim);
  auto value = dyn_cast<Value>(size);
  if (!value)
    return false;
  if (auto alloc = array.getDefiningOp<memref::AllocOp>())
    return alloc.getDynamicSizes()[type.getDynamicDimIndex(dim)] == value;
  auto known = value.getDefiningOp<memref::DimOp>();
  return known && known.getSource() == array &&
         getDimNumber(known) == static_cast<int64_t>(dim);
}

/// For each dimension of `array`, an array of the host, whether it and the next
/// one lie without gaps.
static SmallVector<bool, 4> getDenseDims(Value array) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<bool, 4> dense(type.getRank(), false);
  if (type.getLayout().isIdentity()) {
    std::fill_n(dense.begin(), std::max<int64_t>(type.getRank() - 1, 0), true);
    return dense;
  }
  // Whole rows of an array.
  auto view = array.getDefiningOp<memref::SubViewOp>();
  if (!view || !view.getSourceType().getLayout().isIdentity() ||
      !view.hasUnitStride())
    return dense;
  llvm::SmallBitVector dropped = view.getDroppedDims();
  unsigned next = 0;
  for (unsigned dim = 0; dim + 1 < dropped.size(); ++dim) {
    if (dropped.test(dim))
      continue;
    dense[next++] =
        !dropped.test(dim + 1) &&
        isSizeOf(view.getMixedSizes()[dim + 1], view.getSource(), dim + 1);
  }
  return dense;
}

/// The size of dimension `dim` of `array`, an argument of the launch or a
/// local.
static OpFoldResult getSizeOf(LaunchOp launch, Value array, unsigned dim) {
  auto type = cast<MemRefType>(array.getType());
  if (!type.isDynamicDim(dim))
    return Builder(launch.getContext()).getIndexAttr(type.getDimSize(dim));
  if (auto local = array.getDefiningOp<LocalOp>())
    return local.getSizes()[type.getDynamicDimIndex(dim)];
  return launch.getSize(cast<BlockArgument>(array), dim);
}

void DimMerger::findMemories() {
  auto add = [&](Value name, Value key) {
    keys[name] = key;
    Memory &memory = memories[key];
    memory.names.push_back(name);
    for (Operation *user : name.getUsers()) {
      memory.isPlain &= Access::isAccess(user);
      memory.accesses.push_back(user);
    }
  };
  for (BlockArgument argument : launch.getBodyBlock()->getArguments())
    if (isa<MemRefType>(argument.getType())) {
      Value operand = launch.getOperandOf(argument).get();
      add(argument, operand);
      memories[operand].isPlain &=
          cast<MemRefType>(argument.getType()).getLayout() ==
          cast<MemRefType>(operand.getType()).getLayout();
    }
  launch.getBody().walk([&](LocalOp local) {
    add(local.getResult(), local.getResult());
    memories[local.getResult()].isPlain &=
        llvm::all_of(local.getSizes(),
                     [](Value size) { return isOuterSize(getRootSize(size)); });
  });
  for (auto &[key, memory] : memories)
    if (memory.isPlain)
      memory.joined = getDenseDims(key);
    else
      memory.joined.assign(cast<MemRefType>(key.getType()).getRank(), false);
}

bool DimMerger::areSubscripts(Operation *access, unsigned dim) {
  auto subscripts = getIndicesOfMutable(access);
  ForOp outer = getLoopOf(subscripts[dim].get());
  ForOp inner = getLoopOf(subscripts[dim + 1].get());
  if (!outer || !inner || getOuterOf(inner) != outer)
    return false;
  Value array = getAccessedArray(access);
  auto isWhole = [&](ForOp loop, unsigned d) {
    return getRootSize(getSizeOf(launch, array, d)) ==
           getRootSize(loop.getMixedExtent());
  };
  // A boundary is not met by indices that are inside.
  if (auto load = dyn_cast<LoadOp>(access); load && load.getEdge())
    if (load.getEdge()->getModes()[dim] != EdgeMode::None &&
        !isWhole(outer, dim))
      return false;
  return isWhole(inner, dim + 1);
}

std::string DimMerger::whyUsesForbid(ForOp loop, bool isOuter) {
  for (OpOperand &use : loop.getInductionVar().getUses()) {
    Operation *user = use.getOwner();
    if (!Access::isAccess(user))
      return isa<CheckOp>(user) ? "a check names the index"
                                : "the index is computed with";
    auto subscripts = getIndicesOfMutable(user);
    unsigned number = use.getOperandNumber();
    unsigned first = subscripts.empty() ? 0 : subscripts[0].getOperandNumber();
    if (subscripts.empty() || number < first ||
        number >= first + subscripts.size())
      return "the index is a value";
    unsigned dim = number - first;
    const Memory &memory = memories[keys[getAccessedArray(user)]];
    if (isOuter ? !memory.joined[dim] : dim == 0 || !memory.joined[dim - 1])
      return "not every array is walked along both, without gaps and "
             "boundaries";
    // The neighbour is the other loop of this very pair.
    ForOp other = getLoopOf(subscripts[isOuter ? dim + 1 : dim - 1].get());
    if ((isOuter ? getOuterOf(other) : getOuterOf(loop)) !=
        (isOuter ? loop : other))
      return "an array is walked in another order";
  }
  return "";
}

void DimMerger::settle() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[key, memory] : memories)
      for (unsigned dim = 0; dim < memory.joined.size(); ++dim)
        if (memory.joined[dim] &&
            !llvm::all_of(memory.accesses, [&](Operation *access) {
              return areSubscripts(access, dim);
            })) {
          memory.joined[dim] = false;
          changed = true;
        }
    for (DimPair pair : llvm::to_vector(pairs)) {
      std::string why;
      for (ForOp loop : loops[pair.first])
        why = why.empty() ? whyUsesForbid(loop, true) : why;
      for (ForOp loop : loops[pair.second])
        why = why.empty() ? whyUsesForbid(loop, false) : why;
      if (why.empty())
        continue;
      pairs.remove(pair);
      refused.push_back({pair, why});
      changed = true;
    }
  }
}

void DimMerger::run(RewriterBase &rewriter) {
  findPairs();
  if (!pairs.empty()) {
    findMemories();
    settle();
  }
  for (auto &[pair, why] : refused)
    remark::missed(launch.getLoc(),
                   remark::RemarkOpts::name("MergeDims").category("merge-dims"))
        << remark::reason("'{0}' and '{1}' stay apart: {2}",
                          pair.first.getValue(), pair.second.getValue(), why);
  if (!pairs.empty())
    rewrite(rewriter);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct MergeDimsPass
    : public arrc::kernel::impl::MergeDimsPassBase<MergeDimsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](LaunchOp launch) {
      bool inMemory = launch->getNumResults() == 0 &&
                      llvm::all_of(launch.getOperandTypes(), [](Type type) {
                        return !isa<RankedTensorType>(type);
                      });
      // What a person wrote about the dimensions stays true.
      if (inMemory && !launch.getScheduleAttr() && !launch.getVersions() &&
          !launch.isScheduled())
        DimMerger(launch).run(rewriter);
    });
  }
};

} // namespace
