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
// guards only.
//
// Without V the threads' scan is inclusive where the prefix is: the element is
// not needed any more.
//
// Legal: as for every split of a scan (SplitScans.cpp), by associativity. The
// rest reads what it needs of the contribution's computation from locals like
// %x; what is computed from indices alone it computes again.
//
//===----------------------------------------------------------------------===//

#include "ScanTiles.h"

#include "TileBuilder.h"
#include "arrc/Dialect/Kernel/Transforms/SplitScans.h"

#include "arrc/Dialect/Kernel/Transforms/ElementAccess.h"
#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

/// What a thread keeps of an element past the end.
SmallVector<Value> TileBuilder::createOutside() {
  SmallVector<Value> outside(neutrals);
  for (Value value : kept)
    outside.push_back(createZero(rewriter, loc, value.getType()));
  return outside;
}

void TileBuilder::keep(ValueRange all, ValueRange place) {
  store(all.take_front(neutrals.size()), elements, place);
  store(all.drop_front(neutrals.size()), keptElements, place);
}

/// The elements at `place` from `index` on; with an `offset` each has a guard.
void TileBuilder::contribute(ValueRange first, Value index, Value offset) {
  SmallVector<Value> place(first);
  if (steps[Item]) {
    place.push_back(open(Item, ForKind::Parallel).getInductionVar());
    index = addItem(index, place.back());
    if (offset)
      offset = addItem(offset, place.back());
  }
  SmallVector<Value> wanted(prefix.getValues());
  llvm::append_range(wanted, kept);
  scf::IfOp guard;
  if (offset) {
    guard = createGuard(offset, TypeRange(ValueRange(wanted)));
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
  if (offset) {
    scf::YieldOp::create(rewriter, loc, wanted);
    wanted = SmallVector<Value>(guard.getResults());
    rewriter.setInsertionPointAfter(guard);
  }
  keep(wanted, place);
}

void TileBuilder::buildContributions(bool guarded) {
  forEachThread(guarded, [&](ValueRange place, Value index, Value offset) {
    if (!guarded || !wholeItems)
      return contribute(place, index, offset);
    scf::IfOp guard = createGuard(offset, {}, /*hasElse=*/true);
    rewriter.setInsertionPoint(guard.thenYield());
    contribute(place, index, {});
    rewriter.setInsertionPoint(guard.elseYield());
    SmallVector<Value> outside = createOutside();
    SmallVector<Value> each(place);
    each.push_back(open(Item, ForKind::Parallel).getInductionVar());
    keep(outside, each);
  });
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
  SmallVector<Value> own;
  if (steps[Item]) {
    OpBuilder::InsertionGuard inner(rewriter);
    ForOp fold = open(Item, ForKind::Reduce, neutrals);
    SmallVector<Value> each(place);
    each.push_back(fold.getInductionVar());
    YieldOp::create(rewriter, loc, load(elements, each));
    own = SmallVector<Value>(fold.getResults());
  } else {
    own = load(elements, place);
  }
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
    store(inlineCombiner(rewriter, loop.getCombiner(), start,
                         load(before, place)),
          before, place);
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
      rewriter.setInsertionPoint(createGuard(offset, {}).thenYield());
      offset = {};
    }
    SmallVector<Value> place(first);
    SmallVector<Value> start = carry;
    if (steps[Group])
      start = inlineCombiner(
          rewriter, loop.getCombiner(), start,
          load(groupStarts, ValueRange{place.front(), place.back()}));
    else if (steps[Chunk])
      start = load(starts, place.front());
    start = inlineCombiner(rewriter, loop.getCombiner(), start,
                           load(before, place));
    IRMapping mapping;
    if (steps[Item]) {
      ForOp scan = open(Item, ForKind::Scan, start);
      place.push_back(scan.getInductionVar());
      index = addItem(index, place.back());
      if (offset)
        offset = addItem(offset, place.back());
      SmallVector<Value> own = load(elements, place);
      auto copy = PrefixOp::create(rewriter, loc, prefix.getResultTypes(), own,
                                   prefix.getExclusiveAttr());
      mapping.map(prefix.getResults(), copy.getResults());
    } else {
      mapping.map(prefix.getResults(), start);
    }
    mapping.map(loop.getInductionVar(), index);
    mapping.map(kept, load(keptElements, place));
    if (offset)
      rewriter.setInsertionPoint(createGuard(offset, {}).thenYield());
    for (Operation *op : cheap)
      rewriter.clone(*op, mapping);
    for (Operation &op : loop.getBodyBlock()->without_terminator())
      if (&op != prefix && !contributes.contains(&op))
        rewriter.clone(op, mapping);
  });
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
  add(Thread);
  if (digit > 1 && digits[digit - 1].getLevel().isUnroll())
    add(Chunk);
  if (digit > 1)
    add(Group);

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
  if (!exact && !single) {
    Value end = apply(rewriter.getAffineDimExpr(0) * tile + tile,
                      {OpFoldResult(number)});
    isWhole = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sle,
                                    end, toValue(rewriter, loc, extent));
  }
  TypeRange types = loop.getResultTypes();
  elements = createLocals({Group, Chunk, Thread, Item}, types);
  keptElements =
      createLocals({Group, Chunk, Thread, Item}, TypeRange(ValueRange(kept)));
  before = createLocals({Group, Chunk, Thread}, types);
  if (steps[Group])
    groupStarts = createLocals({Group, Thread}, types);
  if (steps[Chunk])
    totals = createLocals({Group, Chunk}, types);
  bool hasStarts = steps[Chunk] && !steps[Group];
  if (hasStarts)
    starts = createLocals({Chunk}, types);
  branch([&](bool guarded) { buildContributions(guarded); });
  if (steps[Group])
    scanGroups();
  else
    scanChunks();
  carry = SmallVector<Value>(createBefore(carry));
  if (hasStarts) {
    OpBuilder::InsertionGuard guard(rewriter);
    ForOp scan = open(Chunk, ForKind::Scan, carry);
    Value chunk = scan.getInductionVar();
    store(createBefore(load(totals, chunk)), starts, chunk);
  }
  branch([&](bool guarded) { buildRest(guarded); });
  rewriter.replaceOp(loop, outer.getResults());
}

void arrc::kernel::buildTiledScan(IRRewriter &rewriter, ForOp scan,
                                  DimDigitsAttr digits) {
  TileBuilder(rewriter, scan, digits).run();
}
