//===- SegmentWriter.cpp - Blocks of equal work ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SegmentWriter.h"

#include "arrc/Dialect/Kernel/Transforms/LoopNest.h"
#include "arrc/Support/Combiner.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace arrc;
using namespace arrc::kernel;

SegmentWriter::SegmentWriter(IRRewriter &rewriter, LaunchOp launch,
                             const Segments &segments, SegmentShape shape)
    : ScalarWriter(rewriter, ForOp(segments.rows).getLoc()), b(rewriter),
      launch(launch), segments(segments), rows(segments.rows),
      fold(segments.fold), loc(rows.getLoc()), name(rows.getDim()),
      blocks(shape.blocks), atWork(shape.atWork), threads(shape.threads),
      items(shape.items), tile(items * threads),
      rowTile(kSegmentRows * threads), types(fold.getResultTypes()) {}

void SegmentWriter::write() {
  b.setInsertionPoint(rows);
  rowCount = toWord(toValue(b, loc, rows.getMixedExtent()));
  neutrals = createNeutrals(b, fold);
  for (auto [neutral, seed] : llvm::zip(neutrals, fold.getSeeds()))
    startsNeutral &= neutral == seed;
  firstRows = createLocal(blocks, b.getI64Type());
  blocksRight = createLocal(blocks, b.getI1Type());
  allRight = createLocal(1, b.getI1Type());
  heads = createLocals(blocks);
  tails = createLocals(blocks);
  createBlocks();
  createTail();
  createRepair();
  b.eraseOp(rows);
}

void SegmentWriter::createBlocks() {
  OpBuilder::InsertionGuard guard(b);
  ForOp loop = createLoop(name + "_b", b.getIndexAttr(blocks),
                          ForKind::Parallel, {}, LevelKind::Block);
  b.setInsertionPoint(loop.getBodyBlock()->getTerminator());
  block = loop.getInductionVar();
  begin = wordAt(segments.low, word(0));
  Value end = wordAt(segments.high, sub(rowCount, word(1)));
  Value count = least(most(sub(end, begin), word(0)), word(int64_t(1) << 61));
  Value places = add(count, rowCount);
  Value each =
      mul(ceilDiv(ceilDiv(places, word(blocks)), word(tile)), word(tile));
  State state;
  state.place = least(mul(toWord(block), each), places);
  endPlace = least(add(state.place, each), places);
  std::tie(state.row, endRow) = findRows(state.place, endPlace);
  headRow = state.row;
  state.carry = neutrals;
  // For where that row goes on behind the block.
  put(neutrals, heads, block);

  ends = createLocal(rowTile + 1, b.getI32Type());
  values = createLocals(tile);
  befores = createLocals(threads);
  marks = createLocal(threads, b.getI32Type());
  ended = createLocal(threads, b.getI32Type());
  threadsRight = createLocal(threads, b.getI1Type());
  forThreads("_init", [&](Value x) {
    put(truth(true), threadsRight, x);
    put(half(0), marks, x);
    put(half(INT32_MAX), ends, index(rowTile), isEqual(x, index(0)));
  });
  state = createWindows(state);
  Value isRight =
      allThreads("_right", [&](Value x) { return get(threadsRight, x); });
  isRight = both(isRight, isEqual(state.place, endPlace));
  put(headRow, firstRows, block);
  put(state.carry, tails, block);
  put(isRight, blocksRight, block);
}

/// How many rows end before each of two places. Each round, every thread asks
/// for one of the rows that are left.
std::pair<Value, Value> SegmentWriter::findRows(Value from, Value to) {
  Value none = word(0);
  Values start = {none, rowCount, none, rowCount};
  SmallVector<Type> words(4, b.getI64Type());
  SmallVector<Location> locs(4, loc);
  auto loop = scf::WhileOp::create(b, loc, words, start);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, words, locs);
  Value left = most(before->getArgument(1), before->getArgument(3));
  scf::ConditionOp::create(b, loc, isLess(none, left), before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, words, locs);
  Value several = word(threads), one = word(1);
  Values steps;
  for (unsigned k : {0, 1})
    steps.push_back(ceilDiv(after->getArgument(2 * k + 1), several));
  Values zeros(2, half(0));
  ForOp count = createLoop(name + "_find", b.getIndexAttr(threads),
                           ForKind::Reduce, zeros, LevelKind::Thread);
  CombinerOperator sum{b.getStringAttr("arith.addi")};
  buildCombiner(b, loc, count.getCombiner(), {b.getI32Type(), b.getI32Type()},
                {sum, sum}, YieldOp::getOperationName());
  {
    OpBuilder::InsertionGuard inside(b);
    b.setInsertionPointToEnd(count.getBodyBlock());
    Value x = toWord(count.getInductionVar());
    Values found;
    for (auto [k, place] : llvm::enumerate(Values{from, to})) {
      Value first = after->getArgument(2 * k);
      Value number = sub(add(first, mul(add(x, one), steps[k])), one);
      Value isLeft = isLess(number, add(first, after->getArgument(2 * k + 1)));
      Value row = most(least(number, sub(rowCount, one)), none);
      Value isBefore = both(isLeft, isLess(endAt(row), place));
      found.push_back(select(isBefore, half(1), half(0)));
    }
    YieldOp::create(b, loc, found);
  }
  Values next;
  for (unsigned k : {0, 1}) {
    Value first = after->getArgument(2 * k);
    Value moved = add(first, mul(toWord(count.getResult(k)), steps[k]));
    Value rest = sub(add(first, after->getArgument(2 * k + 1)), moved);
    next.push_back(moved);
    next.push_back(most(least(sub(steps[k], one), rest), none));
  }
  scf::YieldOp::create(b, loc, next);
  return {loop.getResult(0), loop.getResult(2)};
}

/// Rows that several blocks have parts of, in the order of the blocks.
void SegmentWriter::createTail() {
  int64_t each = llvm::divideCeil(blocks, threads);
  Value isRight = allThreads("_all", [&](Value x) {
    return createAll(name + "_each", each, LevelKind::Seq,
                     [&](Value k) {
                       Value number = add(mul(x, index(each)), k);
                       return get(blocksRight,
                                  least(number, index(blocks - 1)));
                     })
        .getResult(0);
  });
  put(isRight, allRight, index(0));
  Values seeds = {half(0)};
  llvm::append_range(seeds, neutrals);
  ForOp scan = createLoop(name + "_join", b.getIndexAttr(threads),
                          ForKind::Scan, seeds, LevelKind::Thread);
  buildPartCombiner(scan, 0);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(scan.getBodyBlock()->getTerminator());
  Value first = mul(scan.getInductionVar(), index(each));
  // All of a thread is asked for before anything waits for it. What is behind
  // the last block has no rows.
  Values bounds;
  for (int64_t k = 0; k <= each; ++k) {
    Value number = add(first, index(k));
    Value row = get(firstRows, least(number, index(blocks - 1)));
    bounds.push_back(select(isLess(number, index(blocks)), row, rowCount));
  }
  SmallVector<Values> ownHeads, ownTails;
  for (int64_t k = 0; k < each; ++k) {
    Value number = least(add(first, index(k)), index(blocks - 1));
    ownHeads.push_back(get(heads, number));
    ownTails.push_back(get(tails, number));
  }
  auto walk = [&](ValueRange before,
                  function_ref<Values(ValueRange, int64_t, Value)> visit) {
    Values part(before);
    for (int64_t k = 0; k < each; ++k) {
      // Whether the row at the start of the block ends in it.
      Value ends = both(isRight, isLess(bounds[k], bounds[k + 1]));
      part = visit(part, k, ends);
    }
    return part;
  };
  Values parts = walk(seeds, [&](ValueRange before, int64_t k, Value ends) {
    Values next = {add(before[0], select(ends, half(1), half(0)))};
    llvm::append_range(next, joinParts(before.drop_front(), ends, ownTails[k]));
    return next;
  });
  auto prefix = PrefixOp::create(b, loc, ValueRange(parts).getTypes(), parts,
                                 /*exclusive=*/true);
  walk(prefix.getResults().drop_front(),
       [&](ValueRange before, int64_t k, Value ends) {
         ifTrue(ends, [&] { cloneRest(bounds[k], join(before, ownHeads[k])); });
         return joinParts(before, ends, ownTails[k]);
       });
}

/// Rows as they are written, if blocks found something unexpected: offsets that
/// fall, or a check that fails, which is found again with its place.
void SegmentWriter::createRepair() {
  OpBuilder::InsertionGuard guard(b);
  // Nearly always these have nothing to do.
  ForOp outer = createLoop(name + ".1", b.getIndexAttr(atWork),
                           ForKind::Parallel, {}, LevelKind::Block);
  b.setInsertionPoint(outer.getBodyBlock()->getTerminator());
  Value isRight = get(allRight, index(0));
  Value extent = toValue(b, loc, rows.getMixedExtent());
  Value count = ceilDiv(extent, index(atWork));
  count = select(isRight, index(0), count);
  ForOp steps =
      createLoop(name + ".0", count, ForKind::Parallel, {}, LevelKind::Seq);
  b.setInsertionPoint(steps.getBodyBlock()->getTerminator());
  Value row =
      add(mul(steps.getInductionVar(), index(atWork)), outer.getInductionVar());
  ifTrue(isLess(row, extent), [&] {
    IRMapping mapping;
    mapping.map(rows.getInductionVar(), row);
    for (Operation &op : rows.getBodyBlock()->without_terminator()) {
      if (&op != fold) {
        b.clone(op, mapping);
        continue;
      }
      // Each thread has neighbours, in the order of the threads.
      Value length = mapping.lookupOrDefault(fold.getExtent());
      Value each = ceilDiv(length, index(threads));
      std::string dim = fold.getDim().str();
      SmallVector<Value> seeds;
      for (Value seed : fold.getSeeds())
        seeds.push_back(mapping.lookupOrDefault(seed));
      auto level = [&](LevelKind kind) {
        return LevelAttr::get(b.getContext(), kind, 0);
      };
      ForOp loop = createLoopLike(b, fold, dim + ".0", b.getIndexAttr(threads),
                                  seeds, level(LevelKind::Thread));
      OpBuilder::InsertionGuard inThreads(b);
      b.setInsertionPointToEnd(loop.getBodyBlock());
      ForOp inner = createLoopLike(b, fold, dim + ".1", OpFoldResult(each),
                                   neutrals, level(LevelKind::Seq));
      {
        OpBuilder::InsertionGuard inside(b);
        b.setInsertionPointToEnd(inner.getBodyBlock());
        Value step =
            add(mul(loop.getInductionVar(), each), inner.getInductionVar());
        auto branch = scf::IfOp::create(b, loc, types, isLess(step, length),
                                        /*withElseRegion=*/true);
        YieldOp::create(b, loc, branch.getResults());
        b.setInsertionPointToEnd(branch.elseBlock());
        scf::YieldOp::create(b, loc, neutrals);
        b.setInsertionPointToEnd(branch.thenBlock());
        mapping.map(fold.getInductionVar(), step);
        for (Operation &part : fold.getBodyBlock()->without_terminator())
          b.clone(part, mapping);
        SmallVector<Value> came;
        for (Value value : fold.getYield().getValues())
          came.push_back(mapping.lookupOrDefault(value));
        scf::YieldOp::create(b, loc, came);
      }
      YieldOp::create(b, loc, inner.getResults());
      b.setInsertionPointAfter(loop);
      mapping.map(fold.getResults(), loop.getResults());
    }
  });
}

void arrc::kernel::writeSegments(IRRewriter &rewriter, LaunchOp launch,
                                 const Segments &segments, SegmentShape shape) {
  SegmentWriter(rewriter, launch, segments, shape).write();
}
