//===- ScanTiles.cpp - Scans of tiles in registers ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Idea. A block scans a tile of U chunks of T threads with V neighbours each.
// Each thread reads its elements once and keeps them; neighbouring threads read
// neighbouring vectors. The U scans over the threads are independent, so that
// they run as one (kernel-jam-loops), and the threads wait for each other once.
//
// Before   for i scan (z) { %v = ..  %p = prefix %v  rest(%p) }
//          i = [block.0, unroll U, thread.x T, vector V]
// After    for i.0 at block.0 scan (z) {
//            %x = local U x T x V   %e = local U x T   %t, %s = local U
//            for i.2 { for i.1 { for i.3 { %x[..] = contribution } } }
//            for i.1 { %r = for i.2 scan { %a = fold of %x over i.3
//                                          %e[..] = prefix exclusive %a }
//                      %t[i.1] = %r }
//            %c = prefix exclusive (fold of %t over i.1)
//            for i.1 scan (%c) { %s[i.1] = prefix exclusive %t[i.1] }
//            for i.2 { for i.1 { for i.3 scan (%s[i.1] + %e[..]) {
//              %p = prefix %x[..]   rest(%p) } } } }
//
// A second digit at thread, outermost, is a group of threads, a sub-group as a
// rule, with a stretch of the tile to itself:
//
//          i = [block.0, thread.y W, unroll U, thread.x 32, vector V]
//
// The fold of the group over its chunks stays in its registers and goes into
// %e at once; what the threads hand to each other is one fold a group, in place
// of one a chunk and sub-group:
//
//            %g = for i.1 scan {
//              for i.2 { %r = for i.3 scan {..}  %t[i.2] = %r }
//              %w = for i.2 scan { %q = prefix exclusive %t[i.2]
//                                  for i.3 { %e[..] = %q + %e[..] } }
//              %h[i.1, ..] = prefix exclusive %w }
//            %c = prefix exclusive %g
//            for i.1, i.3, i.2 { for i.4 scan (%c + %h[..] + %e[..]) { .. } }
//
// The first and the last phase are written twice: for tiles that are whole,
// where the elements of a thread are read and written at once, and for the last
// one, whose elements each have a guard, or each V of them where the length is
// a multiple of V. A row that is one tile then, or of single elements, has
// guards only. Loads of guarded elements go ahead of all guards, under masks
// (MaskTails.cpp).
//
// A thread that has rows or columns to itself takes U elements at a time, so
// that their loads are under way together: i = [seq, unroll U].
//
//            for i.0 at seq scan (z) {
//              %x = local U    for i.1 { %x[i.1] = contribution }
//              %c = prefix exclusive (fold of %x over i.1)
//              for i.1 scan (%c) { %p = prefix %x[i.1]   rest(%p) } }
//
// Without V the threads' scan is inclusive where the prefix is: the element is
// not needed any more.
//
// A sum of integers that were narrow (flags, bytes) before they were made 64
// bits is taken in 32 bits within a tile: %x holds what they were, %e, %t and
// %g have 32 bits, and the tile's own fold is made wide before %c.
//
// A filter stores what it keeps at its number and does nothing else. Its third
// phase needs no %c: what is kept goes into shared memory at its number in the
// tile, threads have nothing in registers while they wait for %c, and then
// neighbouring threads store neighbours. No copy of it needs guards: past the
// end nothing is kept.
//
//            %s = local (tile) in shared memory
//            for i.1, i.3, i.2 { for i.4 scan (%h[..] + %e[..]) {
//              %p = prefix exclusive %x[..]   store .., %s[%p] if %x[..] } }
//            %c = prefix exclusive (wide %g)
//            for k below %g { store %s[k], R[%c + k] }
//
// Where the prefixes are another launch's, %s is filled behind them.
//
// Legal: as for every split of a scan (SplitScans.cpp), by associativity. The
// rest reads what it needs of the contribution's computation from locals like
// %x; what is computed from indices alone it computes again.
//
//===----------------------------------------------------------------------===//

#include "ScanTiles.h"

#include "TileBuilder.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "arrc/Analysis/AccessBoxes.h"
#include "arrc/Dialect/Kernel/Transforms/ElementAccess.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// Elements of a tile of which sums of 16 bits have room in 32.
static constexpr int64_t kNarrowTile = 1 << 15;

/// What a thread keeps of an element past the end.
SmallVector<Value> TileBuilder::createOutside() {
  SmallVector<Value> outside(neutrals);
  if (narrow)
    outside = {createZero(rewriter, loc, narrow->value.getType())};
  for (Value value : kept)
    outside.push_back(createZero(rewriter, loc, value.getType()));
  return outside;
}

void TileBuilder::keep(ValueRange all, ValueRange place) {
  store(all.take_front(neutrals.size()), elements, place);
  store(all.drop_front(neutrals.size()), keptElements, place);
}

/// The elements at `place` from `index` on. With an `offset` each has a guard,
/// or all of them have `inside`. It stands at the element: the loads below move
/// in front of it, under masks, so that all of a thread are under way before
/// the first is waited for (kernel-mask-tails).
void TileBuilder::contribute(ValueRange first, Value index, Value offset,
                             Value inside) {
  SmallVector<Value> place(first);
  if (steps[Item]) {
    place.push_back(open(Item, ForKind::Parallel).getInductionVar());
    index = addItem(index, place.back());
    if (offset)
      offset = addItem(offset, place.back());
  }
  SmallVector<Value> wanted(prefix.getValues());
  if (narrow)
    wanted = {narrow->value};
  llvm::append_range(wanted, kept);
  if (offset)
    inside = isInside(offset);
  scf::IfOp guard;
  if (inside) {
    guard = createGuard(inside, TypeRange(ValueRange(wanted)));
    rewriter.setInsertionPointToEnd(guard.elseBlock());
    scf::YieldOp::create(rewriter, loc, createOutside());
    rewriter.setInsertionPointToEnd(guard.thenBlock());
  }
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), index);
  for (Operation *op : contribution)
    rewriter.clone(*op, mapping);
  for (Value &value : wanted)
    value = mapping.lookupOrDefault(value);
  if (guard) {
    scf::YieldOp::create(rewriter, loc, wanted);
    wanted = SmallVector<Value>(guard.getResults());
    rewriter.setInsertionPointAfter(guard);
  }
  keep(wanted, place);
}

void TileBuilder::buildContributions(bool guarded) {
  forEachThread(guarded, [&](ValueRange place, Value index, Value offset) {
    if (guarded && wholeItems)
      return contribute(place, index, {}, isInside(offset));
    contribute(place, index, offset);
  });
}

/// What a thread has at `place`.
SmallVector<Value> TileBuilder::foldItems(ValueRange place) {
  OpBuilder::InsertionGuard guard(rewriter);
  ForOp fold = open(Item, ForKind::Reduce, neutrals);
  SmallVector<Value> each(place);
  each.push_back(fold.getInductionVar());
  YieldOp::create(rewriter, loc, loadElements(each));
  return SmallVector<Value>(fold.getResults());
}

/// Each chunk of a group over its threads.
void TileBuilder::scanThreads(ValueRange group) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Value> place(group);
  if (steps[Chunk])
    place.push_back(open(Chunk, ForKind::Parallel).getInductionVar());
  SmallVector<Value> chunk(place);
  ForOp scan = open(Thread, ForKind::Scan, neutrals);
  place.push_back(scan.getInductionVar());
  SmallVector<Value> own = steps[Item] ? foldItems(place) : loadElements(place);
  auto earlier = PrefixOp::create(rewriter, loc, TypeRange(ValueRange(own)),
                                  own, getBeforeAttr());
  store(earlier.getResults(), before, place);
  rewriter.setInsertionPointAfter(scan);
  carry = SmallVector<Value>(scan.getResults());
  if (steps[Chunk])
    store(scan.getResults(), totals, chunk);
}

/// All chunks over their threads; `carry` is then what the tile adds.
void TileBuilder::scanChunks() {
  scanThreads({});
  if (!steps[Chunk])
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  ForOp fold = open(Chunk, ForKind::Reduce, neutrals);
  YieldOp::create(rewriter, loc, load(totals, fold.getInductionVar()));
  carry = SmallVector<Value>(fold.getResults());
}

/// The same for groups, whose threads then know what stands before them in
/// their group.
void TileBuilder::scanGroups() {
  OpBuilder::InsertionGuard guard(rewriter);
  ForOp groups = open(Group, ForKind::Scan, neutrals);
  Value group = groups.getInductionVar();
  scanThreads(group);
  if (steps[Chunk]) {
    OpBuilder::InsertionGuard inner(rewriter);
    ForOp scan = open(Chunk, ForKind::Scan, neutrals);
    SmallVector<Value> place{group, scan.getInductionVar()};
    SmallVector<Value> own = load(totals, place);
    ValueRange start = createBefore(own);
    place.push_back(open(Thread, ForKind::Parallel).getInductionVar());
    store(combine(start, load(before, place)), before, place);
    carry = SmallVector<Value>(scan.getResults());
  }
  ValueRange earlier = createBefore(carry);
  Value thread = open(Thread, ForKind::Parallel).getInductionVar();
  store(earlier, groupStarts, {group, thread});
  carry = SmallVector<Value>(groups.getResults());
}

void TileBuilder::buildRest(bool guarded) {
  forEachThread(guarded, [&](ValueRange first, Value index, Value offset) {
    if (guarded && wholeItems) {
      rewriter.setInsertionPoint(createGuard(isInside(offset), {}).thenYield());
      offset = {};
    }
    SmallVector<Value> place(first);
    SmallVector<Value> start = narrow ? load(before, place) : carry;
    if (steps[Group])
      start = combine(
          start, load(groupStarts, ValueRange{place.front(), place.back()}));
    else if (steps[Chunk] && narrow)
      start = combine(load(starts, place.front()), start);
    else if (steps[Chunk])
      start = load(starts, place.front());
    if (!narrow && steps[Thread])
      start = combine(start, load(before, place));
    IRMapping mapping;
    if (steps[Item]) {
      ForOp scan = open(Item, ForKind::Scan, start);
      place.push_back(scan.getInductionVar());
      index = addItem(index, place.back());
      if (offset)
        offset = addItem(offset, place.back());
      SmallVector<Value> own = loadElements(place);
      auto copy = PrefixOp::create(rewriter, loc, TypeRange(ValueRange(own)),
                                   own, prefix.getExclusiveAttr());
      start = SmallVector<Value>(copy.getResults());
    }
    if (narrow && !compaction)
      mapping.map(prefix.getResult(0),
                  arith::AddIOp::create(rewriter, loc, carry.front(),
                                        widen(start.front())));
    else if (!narrow)
      mapping.map(prefix.getResults(), start);
    mapping.map(loop.getInductionVar(), index);
    mapping.map(kept, load(keptElements, place));
    if (narrow)
      mapping.map(narrow->value, load(elements, place).front());
    if (offset)
      rewriter.setInsertionPoint(createGuard(isInside(offset), {}).thenYield());
    for (Operation *op : cheap)
      rewriter.clone(*op, mapping);
    if (compaction)
      return storeKept(start.front(), load(elements, place).front(), mapping);
    for (Operation &op : loop.getBodyBlock()->without_terminator())
      if (&op != prefix && !contributes.contains(&op))
        rewriter.clone(op, mapping);
  });
}

//===----------------------------------------------------------------------===//
// Filters
//===----------------------------------------------------------------------===//

/// Stores what is kept of an element at its `number` in the tile. The flag is
/// the one that was counted: no element past the end has it.
void TileBuilder::storeKept(Value number, Value keep, IRMapping &mapping) {
  Value at = arith::IndexCastUIOp::create(rewriter, loc,
                                          rewriter.getIndexType(), number);
  ArrayRef<Value> rest(stretches);
  for (Operation &op : loop.getBodyBlock()->without_terminator()) {
    if (&op == prefix || contributes.contains(&op) ||
        llvm::is_contained(op.getOperands(), prefix.getResult(0)))
      continue;
    auto store = dyn_cast<StoreOp>(op);
    if (!store) {
      rewriter.clone(op, mapping);
      continue;
    }
    StoreOp::create(rewriter, store.getLoc(),
                    mapping.lookupOrDefault(getStoredValue(store)),
                    rest.front(), at, keep);
    rest = rest.drop_front();
  }
}

void TileBuilder::fillStretches() {
  if (loop.getBodyBlock()->getOps<LoadOp>().empty() ||
      llvm::all_of(loop.getBodyBlock()->getOps<LoadOp>(),
                   [&](LoadOp load) { return contributes.contains(load); }))
    return buildRest(/*guarded=*/false);
  branch([&](bool guarded) { buildRest(guarded); });
}

/// Copies the first `count` elements of each stretch to where those of earlier
/// tiles end.
void TileBuilder::copyStretches(Value count) {
  OpBuilder::InsertionGuard guard(rewriter);
  auto toIndex = [&](Value value) -> Value {
    return arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                      value);
  };
  count = toIndex(count);
  Value start = toIndex(carry.front());
  int64_t threads = steps[Thread]->size;
  AffineExpr at = rewriter.getAffineDimExpr(0) * threads;
  SmallVector<OpFoldResult> operands;
  if (steps[Group]) {
    operands.push_back(open(Group, ForKind::Parallel).getInductionVar());
    threads *= steps[Group]->size;
  } else {
    operands.push_back(rewriter.getIndexAttr(0));
  }
  operands.push_back(open(Thread, ForKind::Parallel).getInductionVar());
  auto turns =
      ForOp::create(rewriter, loc, (dim + "_w").str(),
                    createCeilDiv(rewriter, loc, OpFoldResult(count), threads),
                    ForKind::Parallel, ValueRange(),
                    LevelAttr::get(rewriter.getContext(), LevelKind::Seq, 0));
  placeInside(turns);
  operands.push_back(turns.getInductionVar());
  at = at + rewriter.getAffineDimExpr(1) +
       rewriter.getAffineDimExpr(2) * threads;
  Value from = apply(at, operands);
  Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                       from, count);
  rewriter.setInsertionPoint(
      scf::IfOp::create(rewriter, loc, inside, /*withElseRegion=*/false)
          .thenYield());
  Value to = arith::AddIOp::create(rewriter, loc, start, from);
  for (auto [store, stretch] : llvm::zip(compaction->stores, stretches)) {
    Value value = LoadOp::create(rewriter, loc, stretch, from);
    auto copy =
        StoreOp::create(rewriter, store.getLoc(), value, store.getDest(), to);
    if (auto device = DeviceAttr::get(loop);
        device && device.getInteger("parts", 0))
      copy->setAttr(kStretchAttr, rewriter.getUnitAttr());
  }
}

void TileBuilder::run() {
  contribution = getContribution(loop);
  contributes.insert(contribution.begin(), contribution.end());
  collectKept(loop, kept, cheap);
  unsigned digit = digits.size();
  auto add = [&](Part part) {
    --digit;
    int64_t size = digits[digit].getSize();
    steps[part] = Step{digit, size, tile};
    tile *= size;
  };
  if (!digits.back().getLevel().isThread())
    add(Item);
  if (digit > 1)
    add(Thread);
  if (digit > 1 && digits[digit - 1].getLevel().isUnroll())
    add(Chunk);
  if (digit > 1)
    add(Group);

  if (steps[Thread])
    narrow = getNarrowSum(loop);
  if (narrow && tile > kNarrowTile)
    narrow.reset();
  if (narrow)
    llvm::erase(kept, narrow->value);
  auto device = DeviceAttr::get(loop);
  if (narrow && device && isa<LaunchOp>(loop->getParentOp()))
    compaction = getCompaction(loop);
  // The threads' scans need some, too.
  if (compaction && tile * getBytes(*compaction) >
                        device.getInteger("shared_bytes", 0) / 4 * 3)
    compaction.reset();

  rewriter.setInsertionPoint(loop);
  extent = loop.getMixedExtent();
  std::optional<int64_t> known = getConstantIntValue(extent);
  exact = known && *known % tile == 0;
  wholeItems = steps[Item] && isMultiple(extent, steps[Item]->size);
  OpFoldResult tiles = createCeilDiv(rewriter, loc, extent, tile);
  single = digits.front().getSize() == 1 && (!steps[Item] || wholeItems);
  if (digits.front().getSize())
    tiles = rewriter.getIndexAttr(digits.front().getSize());
  neutrals = createNeutrals(rewriter, loop);
  ForOp outer = createLoopLike(rewriter, loop, (dim + ".0").str(), tiles,
                               loop.getSeeds(), digits.front().getLevel());
  outer->setAttr(kRepeatsAttr, rewriter.getUnitAttr());
  number = outer.getInductionVar();
  placeInside(outer);
  if (narrow)
    neutrals = {arith::ConstantIntOp::create(rewriter, loc, 0, 32)};
  if (!exact && !single) {
    Value end = apply(rewriter.getAffineDimExpr(0) * tile + tile,
                      {OpFoldResult(number)});
    isWhole = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sle,
                                    end, toValue(rewriter, loc, extent));
  }
  SmallVector<Type> types(loop.getResultTypes());
  if (narrow)
    types = {narrow->value.getType()};
  elements = createLocals({Group, Chunk, Thread, Item}, types);
  if (narrow)
    types = {rewriter.getI32Type()};
  keptElements =
      createLocals({Group, Chunk, Thread, Item}, TypeRange(ValueRange(kept)));
  if (steps[Thread])
    before = createLocals({Group, Chunk, Thread}, types);
  if (steps[Group])
    groupStarts = createLocals({Group, Thread}, types);
  if (steps[Chunk])
    totals = createLocals({Group, Chunk}, types);
  bool hasStarts = steps[Chunk] && !steps[Group];
  if (hasStarts)
    starts = createLocals({Chunk}, types);
  if (compaction)
    for (StoreOp store : compaction->stores) {
      auto stretch = LocalOp::create(
          rewriter, loc,
          MemRefType::get({tile}, store.getValue().getType(),
                          MemRefLayoutAttrInterface(),
                          SpaceAttr::get(rewriter.getContext(), Space::Shared)),
          ValueRange(), StringAttr());
      stretch->setAttr(kHandedOnAttr, rewriter.getUnitAttr());
      stretches.push_back(stretch);
    }
  branch([&](bool guarded) { buildContributions(guarded); });
  if (steps[Group])
    scanGroups();
  else if (steps[Thread])
    scanChunks();
  else
    carry = foldItems({});
  Value count = carry.front();
  // Where blocks look back, what they keep waits in shared memory; elsewhere
  // the prefixes are another launch's, and this is the one behind it.
  bool early = compaction && device.getInteger("ordered_blocks", 0) &&
               canLookBack(outer->getParentOfType<LaunchOp>(), outer);
  auto passPrefix = [&] {
    if (narrow)
      carry = {widen(count)};
    carry = SmallVector<Value>(createBefore(carry));
  };
  if (!early)
    passPrefix();
  if (hasStarts) {
    OpBuilder::InsertionGuard guard(rewriter);
    ForOp scan = open(Chunk, ForKind::Scan,
                      narrow ? ValueRange(neutrals) : ValueRange(carry));
    Value chunk = scan.getInductionVar();
    store(createBefore(load(totals, chunk)), starts, chunk);
  }
  if (compaction) {
    fillStretches();
    if (early)
      passPrefix();
    copyStretches(count);
  } else {
    branch([&](bool guarded) { buildRest(guarded); });
  }
  rewriter.replaceOp(loop, outer.getResults());
}

void arrc::kernel::buildTiledScan(IRRewriter &rewriter, ForOp scan,
                                  DimDigitsAttr digits) {
  TileBuilder(rewriter, scan, digits).run();
}
