//===- BoundLocals.cpp - Sizes of locals that the host can know -----------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. The sizes of some locals are found in the kernel alone: those of a row
// of a ragged array, of what a filter keeps of it. A device gives out no memory
// while it runs, and the host does not know how much to reserve. A launch in
// front computes the largest of these sizes, and the host waits for it:
//
// Before   launch { for i { %s = load %O[%i + 1] - load %O[%i]
//                           %e = local(%s) : ? .. } }
// After    %m = launch { %x = for i reduce max { %s = ..  yield %s }
//                        store %x, %M[0] }
//          launch (%most = extract %m[0]) { for i { %s = ..
//                           %e = local(%most) : ? .. } }
//
// What the sizes are computed of may be locals of such sizes in turn (what is
// kept of a sorted row): these come first. Where they are the same, from step
// to step, what a filter keeps is at most all.
//
// Legal: a local may have more elements than are used. The part of the body
// that makes the sizes reads no results of the launch, and checks fail in the
// launch itself; those in a `while` are kept, which might not end without them.
//
// It is the only way to have such kernels at all. A thread gets as much as the
// largest local takes; where that is too much for all of them, blocks take
// turns (StrideBlocks.h).
//
//===----------------------------------------------------------------------===//

#include "../Shared/HostSlice.h"
#include "LocalSizes.h"

#include "arrc/Dialect/Kernel/IR/Kernel.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_BOUNDLOCALSPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

//===----------------------------------------------------------------------===//
// What is missing
//===----------------------------------------------------------------------===//

/// Whether kernel-assign-storage finds a size for the host by itself.
static bool hasBound(OpBuilder &builder, LaunchOp launch, LocalOp local,
                     Value size) {
  if (isKnownToHost(launch, size))
    return true;
  // What is made to find out is dead, and goes with the next clean-up.
  builder.setInsertionPoint(local);
  return boundForHost(builder, launch, size) != nullptr;
}

/// Sizes, each with an operation in front of which it is known.
using Sizes = llvm::MapVector<Value, Operation *>;

/// The sizes of locals in loops of `launch` that the host cannot know, and the
/// first local of each.
static Sizes findSizes(OpBuilder &builder, LaunchOp launch) {
  SmallVector<LocalOp> locals;
  launch.getBody().walk([&](LocalOp local) {
    if (local->getParentOp() != launch)
      locals.push_back(local);
  });
  Sizes sizes;
  for (LocalOp local : locals)
    for (Value size : local.getSizes())
      if (!sizes.contains(size) && !hasBound(builder, launch, local, size))
        sizes.insert({size, local});
  return sizes;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

namespace {

/// The part of a launch that some of its values are computed by.
class LaunchSlice {
public:
  explicit LaunchSlice(LaunchOp launch) : launch(launch) {}

  /// Adds what `value` is computed of; false if that is a result of the launch.
  bool add(Value value);
  /// Adds `op`, the loops and branches around it, and what they need. What a
  /// fold or branch comes to is left out unless it is `whole`.
  bool add(Operation *op, bool whole = true);
  /// Whether a local is in it of a size that `isMissing`.
  bool hasLocal(function_ref<bool(Value)> isMissing) const;
  /// Copies the slice of `from` to the end of `to`.
  void copy(OpBuilder &builder, Block *from, Block *to, IRMapping &mapping,
            function_ref<void(Operation *)> before) const;

private:
  bool addRegions(Operation *op);
  void copyOpened(OpBuilder &builder, Operation *op, IRMapping &mapping,
                  function_ref<void(Operation *)> before) const;

  LaunchOp launch;
  llvm::SmallPtrSet<Operation *, 32> ops;
  /// Folds, scans and branches of which what is in them alone is needed.
  llvm::SmallPtrSet<Operation *, 4> opened;
};

} // namespace

bool LaunchSlice::add(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return add(value.getDefiningOp());
  if (argument.getOwner() == launch.getBodyBlock())
    return argument.getArgNumber() < launch.getNumInputs();
  Operation *parent = argument.getOwner()->getParentOp();
  return add(parent, /*whole=*/!isa<ForOp>(parent));
}

bool LaunchSlice::add(Operation *op, bool whole) {
  auto loop = dyn_cast<ForOp>(op);
  auto branch = dyn_cast<scf::IfOp>(op);
  whole |= (!loop && !branch) || op->getNumResults() == 0;
  bool isNew = ops.insert(op).second;
  if (isNew && !whole)
    opened.insert(op);
  if (op == launch || (!isNew && (!whole || !opened.erase(op))))
    return true;
  // The prefix is part of what the scan around it comes to.
  if (!add(op->getParentOp(), isa<PrefixOp>(op)))
    return false;
  if (!whole && branch)
    return add(branch.getCondition());
  if (!whole)
    return !loop.getExtent() || add(loop.getExtent());
  if (!llvm::all_of(op->getOperands(), [&](Value v) { return add(v); }) ||
      !addRegions(op))
    return false;
  // What a local holds is what is stored in it.
  if (auto local = dyn_cast<LocalOp>(op))
    return llvm::all_of(local->getUsers(), [&](Operation *user) {
      return isa<LoadOp>(user) || add(user);
    });
  if (loop)
    return !loop.isScan() || add(loop.getPrefix());
  // It might not end if it went on behind a check that fails.
  if (!isa<scf::WhileOp>(op))
    return true;
  SmallVector<CheckOp> checks;
  op->walk([&](CheckOp check) { checks.push_back(check); });
  return llvm::all_of(checks, [&](CheckOp check) { return add(check); });
}

/// Adds the operators of folds and updates, and what other bodies hand on.
bool LaunchSlice::addRegions(Operation *op) {
  for (Region &region : op->getRegions()) {
    bool isOperator =
        isa<UpdateOp>(op) || (isa<ForOp>(op) && region.getRegionNumber() == 1);
    for (Block &block : region)
      for (Operation &inner : block)
        if ((isOperator || inner.hasTrait<OpTrait::IsTerminator>()) &&
            !add(&inner))
          return false;
  }
  return true;
}

bool LaunchSlice::hasLocal(function_ref<bool(Value)> isMissing) const {
  return llvm::any_of(ops, [&](Operation *op) {
    auto local = dyn_cast<LocalOp>(op);
    return local && llvm::any_of(local.getSizes(), isMissing);
  });
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

void LaunchSlice::copy(OpBuilder &builder, Block *from, Block *to,
                       IRMapping &mapping,
                       function_ref<void(Operation *)> before) const {
  for (Operation &op : *from) {
    OpBuilder::InsertionGuard guard(builder);
    // The launch has its terminator.
    if (to->mightHaveTerminator() && !to->empty() &&
        to->back().hasTrait<OpTrait::IsTerminator>())
      builder.setInsertionPoint(&to->back());
    else
      builder.setInsertionPointToEnd(to);
    before(&op);
    if (!ops.contains(&op))
      continue;
    if (opened.contains(&op)) {
      copyOpened(builder, &op, mapping, before);
      continue;
    }
    Operation *copied = builder.cloneWithoutRegions(op, mapping);
    for (auto [old, region] :
         llvm::zip_equal(op.getRegions(), copied->getRegions()))
      for (Block &block : old) {
        SmallVector<Location> locs;
        for (BlockArgument argument : block.getArguments())
          locs.push_back(argument.getLoc());
        Block *made = builder.createBlock(&region, region.end(),
                                          block.getArgumentTypes(), locs);
        mapping.map(block.getArguments(), made->getArguments());
        copy(builder, &block, made, mapping, before);
      }
  }
}

/// Copies what is needed of a fold, a scan or a branch that comes to nothing.
void LaunchSlice::copyOpened(OpBuilder &builder, Operation *op,
                             IRMapping &mapping,
                             function_ref<void(Operation *)> before) const {
  Location loc = op->getLoc();
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    auto made = scf::IfOp::create(
        builder, loc, mapping.lookupOrDefault(branch.getCondition()),
        /*withElseRegion=*/true);
    copy(builder, branch.thenBlock(), made.thenBlock(), mapping, before);
    copy(builder, branch.elseBlock(), made.elseBlock(), mapping, before);
    return;
  }
  auto loop = cast<ForOp>(op);
  OpFoldResult extent = loop.getMixedExtent();
  if (auto value = dyn_cast<Value>(extent))
    extent = mapping.lookupOrDefault(value);
  auto made = ForOp::create(builder, loc, loop.getDim(), extent);
  mapping.map(loop.getInductionVar(), made.getInductionVar());
  copy(builder, loop.getBodyBlock(), made.getBodyBlock(), mapping, before);
}

static void buildLargest(OpBuilder &builder, Location loc, Region &region) {
  OpBuilder::InsertionGuard guard(builder);
  CombinerOperator largest{
      builder.getStringAttr(arith::MaxSIOp::getOperationName())};
  buildCombiner(builder, loc, region, builder.getI64Type(), largest,
                YieldOp::getOperationName());
}

/// The loops around `op` from the root of its nest on, as far as they stand
/// directly in each other and come to nothing.
static SmallVector<ForOp> getPlainNest(Operation *op) {
  SmallVector<ForOp> nest;
  for (op = op->getParentOp(); !isa<LaunchOp>(op); op = op->getParentOp()) {
    auto loop = dyn_cast<ForOp>(op);
    if (!loop || !loop.isParallel())
      nest.clear();
    else
      nest.insert(nest.begin(), loop);
  }
  return nest;
}

/// Has the loops around `update` fold what it takes, in the place of an update
/// from all of them at once: not every device has one of 64 bits.
static void foldUpdate(IRRewriter &rewriter, UpdateOp update) {
  SmallVector<ForOp> nest = getPlainNest(update);
  if (nest.empty())
    return;
  auto launch = update->getParentOfType<LaunchOp>();
  Location loc = update.getLoc();
  rewriter.setInsertionPointToStart(launch.getBodyBlock());
  Value none =
      arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(0));
  Value cell = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value most = update.getValue(), array = update.getDest();
  Block *body = nest.back().getBodyBlock();
  if (update->getBlock() != body) {
    // In steps and branches a thread keeps it.
    rewriter.setInsertionPointToStart(body);
    Value kept = LocalOp::create(rewriter, loc,
                                 MemRefType::get({1}, rewriter.getI64Type()),
                                 ValueRange(), StringAttr());
    StoreOp::create(rewriter, loc, none, kept, cell);
    rewriter.setInsertionPoint(update);
    Value before = LoadOp::create(rewriter, loc, kept, cell);
    Value larger = arith::MaxSIOp::create(rewriter, loc, before, most);
    StoreOp::create(rewriter, loc, larger, kept, cell);
    rewriter.setInsertionPoint(body->getTerminator());
    most = LoadOp::create(rewriter, loc, kept, cell);
  }
  rewriter.eraseOp(update);
  Operation *root = nullptr;
  for (ForOp loop : llvm::reverse(nest)) {
    rewriter.setInsertionPoint(loop);
    auto fold = ForOp::create(rewriter, loop.getLoc(), loop.getDim(),
                              loop.getMixedExtent(), ForKind::Reduce, none);
    Block *to = fold.getBodyBlock();
    rewriter.eraseOp(loop.getBodyBlock()->getTerminator());
    rewriter.mergeBlocks(loop.getBodyBlock(), to, to->getArguments());
    rewriter.setInsertionPointToEnd(to);
    YieldOp::create(rewriter, loc, most);
    buildLargest(rewriter, loc, fold.getCombiner());
    rewriter.eraseOp(loop);
    most = fold.getResult(0);
    root = fold;
  }
  rewriter.setInsertionPointAfter(root);
  StoreOp::create(rewriter, loc, most, array, cell);
}

/// A launch in front of `launch`, which holds `slice`, that makes the largest
/// of `size`, known in front of `place`.
static LaunchOp createSizes(IRRewriter &rewriter, LaunchOp launch,
                            const LaunchSlice &slice, Value size,
                            Operation *place) {
  rewriter.setInsertionPoint(launch);
  Location loc = launch.getLoc();
  Type word = rewriter.getI64Type();
  auto none = DenseElementsAttr::get(RankedTensorType::get({1}, word),
                                     rewriter.getI64IntegerAttr(0));
  Value start = arith::ConstantOp::create(rewriter, loc, none);
  SmallVector<SmallVector<int64_t>> brackets;
  for (unsigned i = 0; i < launch.getNumInputs(); ++i)
    brackets.emplace_back(launch.getSizesOf(i));
  brackets.push_back({1});
  auto created = LaunchOp::create(
      rewriter, loc, (launch.getKernelName() + "_sizes").str(),
      launch.getInputs(), ValueRange(start), brackets, launch.getFlag());
  IRMapping mapping;
  for (auto [old, made] :
       llvm::zip(launch.getInputArguments(), created.getInputArguments())) {
    made.setType(old.getType());
    mapping.map(old, made);
  }
  Value most = created.getOutArguments().front();
  UpdateOp update;
  auto take = [&](Operation *op) {
    if (op != place)
      return;
    Location at = size.getLoc();
    Value value = arith::IndexCastOp::create(rewriter, at, word,
                                             mapping.lookupOrDefault(size));
    Value cell = arith::ConstantIndexOp::create(rewriter, at, 0);
    update = UpdateOp::create(rewriter, at, value, most, cell);
    buildLargest(rewriter, at, update.getCombiner());
  };
  slice.copy(rewriter, launch.getBodyBlock(), created.getBodyBlock(), mapping,
             take);
  foldUpdate(rewriter, update);
  return created;
}

/// The extent of the loop that counts `size`, as one of the elements that a
/// filter keeps; null if none does.
static Value getMostCounted(OpBuilder &builder, Value size) {
  if (auto cast = size.getDefiningOp<arith::IndexCastOp>())
    size = cast.getIn();
  auto loop = size.getDefiningOp<ForOp>();
  if (!loop || loop.isParallel())
    return {};
  unsigned number = cast<OpResult>(size).getResultNumber();
  Value counted = loop.isScan() ? loop.getPrefix().getValues()[number]
                                : loop.getYield().getValues()[number];
  auto flag = counted.getDefiningOp<arith::ExtUIOp>();
  if (!flag || !flag.getIn().getType().isInteger(1) ||
      !matchPattern(loop.getSeeds()[number], m_Zero()) ||
      !isa_and_nonnull<arith::AddIOp>(
          getCombinerOp(loop.getCombiner(), number)))
    return {};
  builder.setInsertionPoint(loop);
  return getValueOrCreateConstantIndexOp(builder, loop.getLoc(),
                                         loop.getMixedExtent());
}

/// Gives all locals of a size room for `most`.
static void setRoom(IRRewriter &rewriter, Value size, Value most) {
  for (Operation *user : llvm::make_early_inc_range(size.getUsers()))
    if (auto local = dyn_cast<LocalOp>(user))
      for (auto [number, of] : llvm::enumerate(local.getSizes()))
        if (of == size)
          setRoom(rewriter, local, number, most);
}

/// Gives the first of the locals whose sizes are `missing` that something is
/// counted into room for all that may count; false if there is none.
static bool takeCounted(IRRewriter &rewriter, const Sizes &missing) {
  for (auto [size, local] : missing) {
    Value most = getMostCounted(rewriter, size);
    if (!most)
      continue;
    setRoom(rewriter, size, most);
    return true;
  }
  return false;
}

/// Adds to `slice` what `size` is computed of in front of `place`; false if
/// that is not to be had in front of the launch, or if a local is in it of a
/// size that is `missing`.
static bool addSize(LaunchSlice &slice, Value size, Operation *place,
                    const Sizes &missing) {
  return slice.add(size) && slice.add(place->getParentOp(), /*whole=*/false) &&
         !slice.hasLocal([&](Value of) { return missing.contains(of); });
}

/// Gives the locals of one size in `launch` one that the host knows, or that
/// more is known of: first a size that follows from no others. False if there
/// is none.
static bool boundLocals(IRRewriter &rewriter, LaunchOp launch) {
  Sizes missing = findSizes(rewriter, launch);
  for (auto [size, local] : missing) {
    // Where the local stands no size is taken of a branch that is not; in a
    // loop of steps, what these come to may depend on the local.
    SmallVector<Operation *, 2> places{local};
    if (Operation *made = size.getDefiningOp())
      places.push_back(made->getNextNode());
    for (Operation *place : places) {
      LaunchSlice slice(launch);
      if (!addSize(slice, size, place, missing))
        continue;
      LaunchOp before = createSizes(rewriter, launch, slice, size, place);
      rewriter.setInsertionPoint(launch);
      Location loc = launch.getLoc();
      Value cell = arith::ConstantIndexOp::create(rewriter, loc, 0);
      Value most = tensor::ExtractOp::create(rewriter, loc, before.getResult(0),
                                             ValueRange(cell));
      most = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                        most);
      setRoom(rewriter, size, launch.addInput(most));
      return true;
    }
  }
  return takeCounted(rewriter, missing);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct BoundLocalsPass
    : public arrc::kernel::impl::BoundLocalsPassBase<BoundLocalsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<LaunchOp> launches;
    // Launches on memory may write what their sizes are read from.
    getOperation().walk([&](LaunchOp launch) {
      if (launch->getNumResults() > 0)
        launches.push_back(launch);
    });
    for (LaunchOp launch : launches)
      while (boundLocals(rewriter, launch)) {
      }
  }
};
} // namespace
