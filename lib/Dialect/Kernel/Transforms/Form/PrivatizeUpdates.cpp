//===- PrivatizeUpdates.cpp - Updates without atomics ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. Devices combine integers in memory indivisibly, and little else; a
// compare-and-swap loop for sums of floats is slow where bins are few, and its
// order differs from run to run. So the iterations are dealt out to workers,
// each with a copy of the destination, which are folded in the order of the
// workers.
//
// Before   for i in %N { update %v, %H[%b] by addf }
// After    %c = local(bins, W)
//          for z in bins { for w in W { %c[z, w] = 0 } }
//          for w in W { scf.for i = w to %N step W {
//            %c[%b, w] = %c[%b, w] + %v } }
//          for z in bins { %s = for w in W reduce { %c[z, w] }
//                          %H[z] = %H[z] + %s }
//
// W follows from the sizes alone: some iterations a worker at least, and all
// copies in 64 MiB. An operator whose neutral element is not known, or several
// operators on one array, have one worker, which updates in place. Loops inside
// of a worker run in order.
//
// Updates of locals stay: the loops between the local and the update run in
// order.
//
// Legal: the operator of an update commutes, and iterations are independent
// but for it. Pays always: the alternative is one thread for all.
//
//===----------------------------------------------------------------------===//

#include "arrc/Dialect/Kernel/IR/DeviceTable.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Dialect/Kernel/Transforms/NativeUpdates.h"
#include "arrc/Dialect/Kernel/Transforms/Passes.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/MapVector.h"

namespace arrc::kernel {
#define GEN_PASS_DEF_PRIVATIZEUPDATESPASS
#include "arrc/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace arrc::kernel

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Workers at most, and iterations that are worth one.
static constexpr int64_t kWorkers = 65536, kIterations = 16;

//===----------------------------------------------------------------------===//
// Loops in order
//===----------------------------------------------------------------------===//

/// Replaces `loop` by an ordered one.
static void makeOrdered(IRRewriter &rewriter, ForOp loop) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value end = toValue(rewriter, loc, loop.getMixedExtent());
  auto ordered =
      scf::ForOp::create(rewriter, loc, zero, end, one, loop.getSeeds());
  Block *body = ordered.getBody();
  SmallVector<Value> next;
  if (loop.isReduce()) {
    rewriter.setInsertionPoint(loop.getYield());
    next = inlineCombiner(rewriter, loop.getCombiner(),
                          ordered.getRegionIterArgs(),
                          loop.getYield().getValues());
  } else if (loop.isScan()) {
    PrefixOp prefix = loop.getPrefix();
    rewriter.setInsertionPoint(prefix);
    next = inlineCombiner(rewriter, loop.getCombiner(),
                          ordered.getRegionIterArgs(), prefix.getValues());
    rewriter.replaceOp(prefix,
                       prefix.getExclusive()
                           ? SmallVector<Value>(ordered.getRegionIterArgs())
                           : next);
  }
  rewriter.eraseOp(loop.getBodyBlock()->getTerminator());
  if (!body->empty())
    rewriter.eraseOp(body->getTerminator());
  rewriter.inlineBlockBefore(loop.getBodyBlock(), body, body->end(),
                             ordered.getInductionVar());
  rewriter.setInsertionPointToEnd(body);
  scf::YieldOp::create(rewriter, loc, next);
  rewriter.replaceOp(loop, ordered.getResults());
}

/// Replaces all loops inside of `region`, inner ones first.
static void makeOrderedInside(IRRewriter &rewriter, Region &region) {
  SmallVector<ForOp> loops;
  region.walk([&](ForOp loop) { loops.push_back(loop); });
  for (ForOp loop : loops)
    makeOrdered(rewriter, loop);
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

namespace {

/// Deals out the iterations of one root loop.
class Privatizer {
public:
  Privatizer(IRRewriter &rewriter, LaunchOp launch, ForOp root,
             ArrayRef<UpdateOp> updates)
      : rewriter(rewriter), launch(launch), root(root), dim(root.getDim()),
        loc(root.getLoc()), updates(updates) {}

  void run();

private:
  /// A destination and the copies of it.
  struct Copies {
    UpdateOp model;
    Value neutral, local;
    SmallVector<OpFoldResult> sizes;
  };

  bool collect();
  Value countWorkers();
  void createCopies();
  /// Loops over the elements of `copies`; gives their indices.
  SmallVector<Value> openElements(const Copies &copies, StringRef suffix);
  void foldCopies();
  void deal();
  void replaceUpdate(UpdateOp update, Value worker);
  Value index(int64_t number) {
    return arith::ConstantIndexOp::create(rewriter, loc, number);
  }

  IRRewriter &rewriter;
  LaunchOp launch;
  ForOp root;
  std::string dim;
  Location loc;
  SmallVector<UpdateOp> updates;
  llvm::MapVector<Value, Copies> copies;
  Value workers;
};

} // namespace

/// Finds the destinations; false if one of them cannot be copied.
bool Privatizer::collect() {
  rewriter.setInsertionPoint(root);
  for (UpdateOp update : updates) {
    auto [it, isNew] = copies.try_emplace(update.getDest());
    Copies &entry = it->second;
    if (!isNew) {
      if (!OperationEquivalence::isRegionEquivalentTo(
              &entry.model.getCombiner(), &update.getCombiner(),
              OperationEquivalence::IgnoreLocations))
        return false;
      continue;
    }
    entry.model = update;
    entry.neutral = createNeutral(rewriter, update);
    if (!entry.neutral)
      return false;
    auto type = cast<MemRefType>(update.getDest().getType());
    auto argument = dyn_cast<BlockArgument>(update.getDest());
    auto local = update.getDest().getDefiningOp<LocalOp>();
    unsigned next = 0;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        entry.sizes.push_back(rewriter.getIndexAttr(type.getDimSize(dim)));
      else if (argument)
        entry.sizes.push_back(launch.getSize(argument, dim));
      else
        entry.sizes.push_back(local.getSizes()[next++]);
    }
  }
  return true;
}

/// As many as there is work for and memory.
Value Privatizer::countWorkers() {
  Value most = index(kWorkers);
  for (auto &[dest, entry] : copies) {
    Type element = cast<MemRefType>(dest.getType()).getElementType();
    auto complex = dyn_cast<ComplexType>(element);
    int64_t bits = complex
                       ? 2 * complex.getElementType().getIntOrFloatBitWidth()
                   : element.isIndex() ? 64
                                       : element.getIntOrFloatBitWidth();
    Value bytes = index(llvm::divideCeil(bits, 8));
    for (OpFoldResult size : entry.sizes)
      bytes = arith::MulIOp::create(rewriter, loc, bytes,
                                    toValue(rewriter, loc, size));
    bytes = arith::MaxSIOp::create(rewriter, loc, bytes, index(1));
    Value fit = arith::DivSIOp::create(rewriter, loc, index(kCopyBytes), bytes);
    most = arith::MinSIOp::create(rewriter, loc, most, fit);
  }
  Value work =
      toValue(rewriter, loc,
              createCeilDiv(rewriter, loc, root.getMixedExtent(), kIterations));
  most = arith::MinSIOp::create(rewriter, loc, most, work);
  return arith::MaxSIOp::create(rewriter, loc, most, index(1));
}

SmallVector<Value> Privatizer::openElements(const Copies &entry,
                                            StringRef suffix) {
  SmallVector<Value> indices;
  for (auto [number, size] : llvm::enumerate(entry.sizes)) {
    auto loop = ForOp::create(
        rewriter, loc, dim + suffix.str() + std::to_string(number), size);
    indices.push_back(loop.getInductionVar());
    rewriter.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  }
  return indices;
}

/// Copies that hold nothing yet.
void Privatizer::createCopies() {
  unsigned number = 0;
  for (auto &[dest, entry] : copies) {
    auto type = cast<MemRefType>(dest.getType());
    auto [shape, sizes] = decomposeMixedValues(entry.sizes);
    // Neighbours lie together: they often update one element.
    shape.push_back(ShapedType::kDynamic);
    sizes.push_back(workers);
    entry.local = LocalOp::create(rewriter, loc,
                                  MemRefType::get(shape, type.getElementType()),
                                  sizes, StringAttr());
    OpBuilder::InsertionGuard guard(rewriter);
    std::string name = "_c" + std::to_string(number++);
    SmallVector<Value> place = openElements(entry, name + "_");
    auto each = ForOp::create(rewriter, loc, dim + name, OpFoldResult(workers));
    rewriter.setInsertionPoint(each.getBodyBlock()->getTerminator());
    place.push_back(each.getInductionVar());
    StoreOp::create(rewriter, loc, entry.neutral, entry.local, place);
  }
}

/// What all workers have, in their order.
void Privatizer::foldCopies() {
  unsigned number = 0;
  for (auto &[dest, entry] : copies) {
    OpBuilder::InsertionGuard guard(rewriter);
    std::string name = "_f" + std::to_string(number++);
    SmallVector<Value> element = openElements(entry, name + "_");
    auto fold = ForOp::create(rewriter, loc, dim + name, OpFoldResult(workers),
                              ForKind::Reduce, ValueRange(entry.neutral));
    IRMapping mapping;
    entry.model.getCombiner().cloneInto(&fold.getCombiner(), mapping);
    {
      OpBuilder::InsertionGuard inside(rewriter);
      rewriter.setInsertionPointToEnd(fold.getBodyBlock());
      SmallVector<Value> place(element);
      place.push_back(fold.getInductionVar());
      YieldOp::create(
          rewriter, loc,
          ValueRange(
              LoadOp::create(rewriter, loc, entry.local, place).getResult()));
    }
    Value old = LoadOp::create(rewriter, loc, dest, element);
    SmallVector<Value> combined = inlineCombiner(
        rewriter, entry.model.getCombiner(), old, fold.getResults());
    StoreOp::create(rewriter, loc, combined.front(), dest, element);
  }
}

/// Nobody else touches the elements of the worker.
void Privatizer::replaceUpdate(UpdateOp update, Value worker) {
  rewriter.setInsertionPoint(update);
  if (Value mask = update.getMask()) {
    auto branch = scf::IfOp::create(rewriter, loc, mask,
                                    /*withElseRegion=*/false);
    rewriter.setInsertionPoint(branch.thenYield());
  }
  Value array = update.getDest();
  SmallVector<Value> place(update.getIndices());
  if (!copies.empty()) {
    array = copies[array].local;
    place.push_back(worker);
  }
  Value old = LoadOp::create(rewriter, update.getLoc(), array, place);
  SmallVector<Value> combined = inlineCombiner(
      rewriter, update.getCombiner(), old, ValueRange(update.getValue()));
  StoreOp::create(rewriter, update.getLoc(), combined.front(), array, place);
  rewriter.eraseOp(update);
}

/// Makes the root a loop over workers.
void Privatizer::deal() {
  makeOrderedInside(rewriter, root.getBody());
  rewriter.setInsertionPoint(root);
  Value extent = toValue(rewriter, loc, root.getMixedExtent());
  SmallVector<Value> neutrals;
  if (root.isReduce())
    neutrals = createNeutrals(rewriter, root);
  // Neighbours read neighbours, unless the fold wants its order.
  bool inOrder = root.isReduce() && !isCommutativeCombiner(root.getCombiner());
  Value chunk;
  if (inOrder)
    chunk = arith::CeilDivSIOp::create(rewriter, loc, extent, workers);
  auto each = createLoopLike(rewriter, root, dim + "_w", OpFoldResult(workers),
                             root.getSeeds(), {});
  if (each.isReduce())
    rewriter.setInsertionPointToEnd(each.getBodyBlock());
  else
    rewriter.setInsertionPoint(each.getBodyBlock()->getTerminator());
  Value worker = each.getInductionVar(), first = worker, end = extent;
  Value step = workers;
  if (inOrder) {
    first = arith::MulIOp::create(rewriter, loc, worker, chunk);
    end = arith::AddIOp::create(rewriter, loc, first, chunk);
    end = arith::MinSIOp::create(rewriter, loc, end, extent);
    step = index(1);
  }
  auto ordered = scf::ForOp::create(rewriter, loc, first, end, step, neutrals);
  if (each.isReduce())
    YieldOp::create(rewriter, loc, ordered.getResults());
  Block *body = ordered.getBody();
  SmallVector<Value> next;
  if (root.isReduce()) {
    rewriter.setInsertionPoint(root.getYield());
    next = inlineCombiner(rewriter, root.getCombiner(),
                          ordered.getRegionIterArgs(),
                          root.getYield().getValues());
  }
  rewriter.eraseOp(root.getBodyBlock()->getTerminator());
  if (!body->empty())
    rewriter.eraseOp(body->getTerminator());
  rewriter.inlineBlockBefore(root.getBodyBlock(), body, body->end(),
                             ordered.getInductionVar());
  rewriter.setInsertionPointToEnd(body);
  scf::YieldOp::create(rewriter, loc, next);
  rewriter.replaceOp(root, each.getResults());
  for (UpdateOp update : updates)
    replaceUpdate(update, worker);
  rewriter.setInsertionPointAfter(each);
}

void Privatizer::run() {
  if (!collect())
    copies.clear();
  rewriter.setInsertionPoint(root);
  if (copies.empty()) {
    // One worker, which canonicalization does not see through.
    Value extent = toValue(rewriter, loc, root.getMixedExtent());
    workers = arith::MinSIOp::create(rewriter, loc, extent, index(1));
    workers = arith::MaxSIOp::create(rewriter, loc, workers, index(1));
  } else {
    workers = countWorkers();
  }
  createCopies();
  // The operators are needed after the updates are gone.
  for (auto &[dest, entry] : copies)
    entry.model = cast<UpdateOp>(entry.model->clone());
  deal();
  foldCopies();
  for (auto &[dest, entry] : copies)
    entry.model->erase();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct PrivatizeUpdatesPass
    : public arrc::kernel::impl::PrivatizeUpdatesPassBase<
          PrivatizeUpdatesPass> {
  void runOnOperation() override {
    DeviceAttr device = DeviceAttr::get(getOperation());
    if (!isGPU(device))
      return;
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](LaunchOp launch) {
      if (launch.getScheduleAttr() || launch.getVersions() ||
          launch.isScheduled())
        return;
      for (ForOp root :
           llvm::make_early_inc_range(launch.getBody().getOps<ForOp>()))
        if (!root.isScan())
          privatize(rewriter, launch, root, device);
    });
  }

  static void privatize(IRRewriter &rewriter, LaunchOp launch, ForOp root,
                        DeviceAttr device) {
    SmallVector<UpdateOp> all, shared;
    root.getBody().walk([&](UpdateOp update) { all.push_back(update); });
    for (UpdateOp update : all) {
      if (isNativeUpdate(update, device))
        continue;
      Operation *def = update.getDest().getDefiningOp();
      if (!def || !root->isAncestor(def)) {
        shared.push_back(update);
        continue;
      }
      // A local of some iteration: the loops inside of it run in order.
      SmallVector<ForOp> loops;
      for (Operation *op = update->getParentOp(); op != def->getParentOp();
           op = op->getParentOp())
        if (auto loop = dyn_cast<ForOp>(op))
          loops.push_back(loop);
      for (ForOp loop : loops) {
        makeOrderedInside(rewriter, loop.getBody());
        makeOrdered(rewriter, loop);
      }
    }
    if (!shared.empty())
      Privatizer(rewriter, launch, root, shared).run();
  }
};

} // namespace
