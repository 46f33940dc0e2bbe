//===- ContractLocals.cpp - Shrink locals to what loops need --------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. After loops have merged, most locals hold a value for a moment only:
//
//   e = local [n][m]            for i { e = local [m]           for i {
//   for i { for j {       ->      for j {                  ->     for j {
//     e[i][j] = v                   e[j] = v                        .. v ..
//     .. e[i][j] .. } }             .. e[j] .. } }              } }
//
// Three rewrites to a fixed point: a load takes the value that was stored at
// its index earlier in the iteration; a local whose every access is inside one
// loop and fixes a dimension at that loop's index moves into the loop and loses
// the dimension; a local (or the stores to it) that nothing reads goes.
//
// Legal when exactly one store of the array is at the load's index and stands
// before it in the same iteration, and all others are provably at other
// elements. Ordered loops (`scf.for`, `scf.while`) around a store and not
// around the local are left alone.
//
// Pays always.
//
// Source: array contraction, Gao et al., "Collective loop fusion for array
// contraction" (1992).
//
//===----------------------------------------------------------------------===//

#include "RowResults.h"

#include "arrc/Analysis/Dependence.h"
#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/LoopMerging.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"

#include "llvm/ADT/TypeSwitch.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_CONTRACTLOCALSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// The accesses of `array`; nothing if it is used in another way.
static std::optional<SmallVector<Access, 0>> getAccessesOf(Value array) {
  SmallVector<Access, 0> accesses;
  for (Operation *user : array.getUsers()) {
    if (!Access::isAccess(user))
      return std::nullopt;
    accesses.emplace_back(user);
  }
  return accesses;
}

/// Whether an ordered loop stands around `op` and not around `array`.
static bool isInOrderedLoop(Operation *op, Value array) {
  Region *home = array.getParentRegion();
  for (Region *region = op->getParentRegion(); region != home;
       region = region->getParentRegion())
    if (isa<scf::ForOp, scf::WhileOp>(region->getParentOp()))
      return true;
  return false;
}

/// The value that `load` is sure to read, null if that is not known.
static Value getStoredValue(const Access &load, ArrayRef<Access> accesses,
                            DominanceInfo &dominance) {
  auto loadOp = cast<LoadOp>(load.op);
  // The stored value stands for the element; where the load is masked off it
  // would have to be zero.
  if (loadOp.getMask())
    return {};
  StoreOp source;
  for (const Access &other : accesses) {
    if (!other.writes)
      continue;
    if (other.isUpdate() || isInOrderedLoop(other.op, load.array))
      return {};
    auto store = cast<StoreOp>(other.op);
    if (isSameElement(load, other)) {
      if (source || store.getMask())
        return {};
      source = store;
    } else if (!isOtherElement(load, other)) {
      return {};
    }
  }
  // The store is in the iteration of all loops around it that the load is in.
  if (source && source->getBlock()->findAncestorOpInBlock(*load.op) &&
      dominance.properlyDominates(source, load.op))
    return source.getValue();
  return {};
}

/// A dimension that all accesses fix at the index of `loop`.
static std::optional<unsigned> getFixedDim(ForOp loop,
                                           ArrayRef<Access> accesses) {
  unsigned rank = accesses.front().indices.size();
  LinearIndex own(loop.getInductionVar());
  for (unsigned dim = 0; dim < rank; ++dim)
    if (llvm::all_of(accesses, [&](const Access &access) {
          return access.indices[dim] == own;
        }))
      return dim;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Forwards stores to loads of `array`.
static bool forwardStores(RewriterBase &rewriter, Value array,
                          DominanceInfo &dominance) {
  std::optional<SmallVector<Access, 0>> accesses = getAccessesOf(array);
  if (!accesses)
    return false;
  bool changed = false;
  for (const Access &access : *accesses) {
    if (access.writes)
      continue;
    if (Value value = getStoredValue(access, *accesses, dominance)) {
      rewriter.replaceOp(access.op, value);
      changed = true;
    }
  }
  return changed;
}

/// Removes a local that is only stored to.
static bool eraseUnread(RewriterBase &rewriter, LocalOp local) {
  std::optional<SmallVector<Access, 0>> accesses =
      getAccessesOf(local.getResult());
  if (!accesses || llvm::any_of(*accesses, [](const Access &access) {
        return access.reads && !access.writes;
      }))
    return false;
  for (const Access &access : *accesses)
    rewriter.eraseOp(access.op);
  rewriter.eraseOp(local);
  return true;
}

/// The loop in the region of `local` that holds all its uses; null if there is
/// none.
static ForOp getOnlyLoop(LocalOp local) {
  Operation *only = nullptr;
  for (Operation *user : local->getUsers()) {
    Operation *ancestor = local->getBlock()->findAncestorOpInBlock(*user);
    if (only && ancestor != only)
      return {};
    only = ancestor;
  }
  return dyn_cast_if_present<ForOp>(only);
}

/// Moves `local` into the only loop that uses it and drops the dimension that
/// the loop fixes.
static bool sinkIntoLoop(RewriterBase &rewriter, LocalOp local) {
  ForOp loop = getOnlyLoop(local);
  std::optional<SmallVector<Access, 0>> accesses =
      getAccessesOf(local.getResult());
  if (!loop || !accesses || accesses->empty())
    return false;
  std::optional<unsigned> fixed = getFixedDim(loop, *accesses);
  if (!fixed)
    return false;

  auto type = cast<MemRefType>(local.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<Value> sizes(local.getSizes());
  if (type.isDynamicDim(*fixed))
    sizes.erase(sizes.begin() + type.getDynamicDimIndex(*fixed));
  shape.erase(shape.begin() + *fixed);
  rewriter.setInsertionPointToStart(loop.getBodyBlock());
  auto inner =
      LocalOp::create(rewriter, local.getLoc(),
                      MemRefType::get(shape, type.getElementType(), AffineMap(),
                                      type.getMemorySpace()),
                      sizes, local.getLocalNameAttr());
  for (const Access &access : *accesses) {
    MutableOperandRange indices =
        TypeSwitch<Operation *, MutableOperandRange>(access.op)
            .Case<LoadOp, StoreOp, UpdateOp>(
                [](auto op) { return op.getIndicesMutable(); });
    rewriter.modifyOpInPlace(access.op, [&] {
      indices.erase(*fixed);
      access.op->replaceUsesOfWith(local.getResult(), inner.getResult());
      if (auto load = dyn_cast<LoadOp>(access.op); load && load.getEdgeAttr()) {
        SmallVector<EdgeMode> modes(load.getEdgeAttr().getModes());
        modes.erase(modes.begin() + *fixed);
        load.setEdgeAttr(EdgesAttr::get(load.getContext(), modes));
      }
    });
  }
  rewriter.eraseOp(local);
  return true;
}

void kernel::contractLocals(RewriterBase &rewriter, LaunchOp launch) {
  for (bool changed = true; changed;) {
    changed = false;
    DominanceInfo dominance(launch);
    for (BlockArgument argument : launch.getOutArguments())
      changed |= forwardStores(rewriter, argument, dominance);
    SmallVector<LocalOp> locals;
    launch.getBody().walk([&](LocalOp local) { locals.push_back(local); });
    for (LocalOp local : locals) {
      changed |= forwardStores(rewriter, local.getResult(), dominance);
      changed |= eraseUnread(rewriter, local) || sinkIntoLoop(rewriter, local);
    }
  }
}

/// Removes arrays that `launch` is given and does not use any more: those who
/// made them for it may go.
static void eraseUnusedInputs(LaunchOp launch) {
  llvm::BitVector unused(launch.getBodyBlock()->getNumArguments());
  for (BlockArgument input : launch.getInputArguments())
    if (isa<MemRefType>(input.getType()) && input.use_empty())
      unused.set(input.getArgNumber());
  if (unused.any())
    launch.eraseArguments(unused);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct ContractLocalsPass
    : public kernel::impl::ContractLocalsPassBase<ContractLocalsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](LaunchOp launch) {
      contractLocals(rewriter, launch);
      SmallVector<LocalOp> locals;
      launch.getBody().walk([&](LocalOp local) { locals.push_back(local); });
      bool changed = false;
      for (LocalOp local : locals)
        changed |= placeInResult(rewriter, launch, local);
      if (changed)
        eraseUnusedInputs(launch);
    });
  }
};
} // namespace
