//===- SegmentSteps.cpp - The values of a block, tile by tile -------------===//
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

SegmentWriter::Values SegmentWriter::State::get() const {
  Values all = {row, place};
  llvm::append_range(all, carry);
  return all;
}

SegmentWriter::State SegmentWriter::State::of(ValueRange values) {
  return {values[0], values[1], Values(values.drop_front(2))};
}

/// Opens `while place < stop { body }` and gives what comes behind it.
static ValueRange
createWhile(OpBuilder &b, Location loc, ValueRange start,
            function_ref<Value(ValueRange)> condition,
            function_ref<SmallVector<Value>(ValueRange)> body) {
  SmallVector<Type> types(start.getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto loop = scf::WhileOp::create(b, loc, types, start);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
  scf::ConditionOp::create(b, loc, condition(before->getArguments()),
                           before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
  scf::YieldOp::create(b, loc, body(after->getArguments()));
  return loop.getResults();
}

/// All rows of a block: as many at a time as there is room for their ends.
SegmentWriter::State SegmentWriter::createWindows(State start) {
  Values all = start.get();
  all.push_back(truth(true));
  ValueRange done = createWhile(
      b, loc, all,
      [&](ValueRange now) {
        return both(isLess(now[1], endPlace), now.back());
      },
      [&](ValueRange now) {
        State state = State::of(now.drop_back());
        Window window = openWindow(state);
        Values next(createWhile(
            b, loc, state.get(),
            [&](ValueRange now) { return isLess(now[1], window.stop); },
            [&](ValueRange now) {
              return createStep(State::of(now), window).get();
            }));
        next.push_back(window.isRight);
        return next;
      });
  return State::of(done.drop_back());
}

/// Brings the ends of the next rows on chip. What depends on their values, and
/// that they do not fall, is asked here; nothing is computed if it is not so.
SegmentWriter::Window SegmentWriter::openWindow(const State &state) {
  Window window;
  Value left = sub(endRow, state.row);
  window.base = state.place;
  window.firstRow = state.row;
  window.rows = least(left, word(tile));
  Value limit = word(int64_t(1) << 30);
  Value isRight = allThreads("_rows", [&](Value x) {
    auto isRow = [&](Value k) -> Value {
      Value number = add(mul(k, index(kSegmentThreads)), x);
      Value own = toWord(number), row = add(state.row, own);
      Value isAsked = both(isAtMost(own, window.rows), isLess(row, rowCount));
      row = most(least(row, sub(rowCount, word(1))), word(0));
      IRMapping mapping;
      Value low = sub(toWord(at(segments.low, toIndex(row), mapping)), begin);
      Value high = sub(toWord(at(segments.high, toIndex(row), mapping)), begin);
      Value end = add(high, row);
      Value isIn = isLess(own, window.rows);
      Value rest = select(isIn, least(sub(end, state.place), limit), limit);
      put(toHalf(rest), ends, number);
      // The first row may have begun before, the last one go on behind.
      Value begun =
          either(isLess(word(0), own), isAtMost(add(low, row), state.place));
      Value holds = both(isAtMost(low, high), begun);
      holds = both(holds, isAtMost(state.place, end));
      holds = both(
          holds, select(isIn, isLess(end, endPlace), isAtMost(endPlace, end)));
      for (CheckOp check : segments.rowChecks)
        holds = both(holds, at(check.getCondition(), toIndex(row), mapping));
      return select(isAsked, holds, truth(true));
    };
    return createAll(name + "_ends", items, LevelKind::Unroll, isRow)
        .getResult(0);
  });
  Value lastRow = sub(add(state.row, window.rows), word(1));
  Value rowEnd = add(endAt(most(lastRow, word(0))), word(1));
  Value isLast = isLess(left, word(tile));
  Value stop = select(isLast, endPlace, rowEnd);
  window.valuesEnd = sub(sub(stop, state.row), window.rows);
  // Places within the window have 32 bits.
  isRight = both(isRight, isLess(sub(endPlace, state.place), limit));
  isRight = both(isRight, isAtMost(word(0), left));
  Value first = sub(state.place, state.row);
  Value hasValues = isLess(first, window.valuesEnd);
  Value atEnds =
      both(endConditionsAt(add(begin, first)),
           endConditionsAt(add(begin, sub(window.valuesEnd, word(1)))));
  isRight = both(isRight, select(hasValues, atEnds, truth(true)));
  window.isRight = isRight;
  window.stop = select(isRight, stop, state.place);
  return window;
}

/// The fold's values at the next places, each by one thread, in the order of
/// memory.
void SegmentWriter::computeValues(const State &state, const Window &window) {
  Value first = sub(state.place, state.row);
  Value count = sub(window.valuesEnd, first);
  ifTrue(isLess(word(0), count), [&] {
    Value last = toIndex(least(sub(count, word(1)), word(tile)));
    Value from = toIndex(add(begin, first));
    forThreads("_values", [&](Value x) {
      // Behind the last one it is asked for again.
      auto compute = [&](Value k) {
        Value number = add(mul(k, index(kSegmentThreads)), x), isRight;
        put(valuesAt(add(from, least(number, last)), isRight), values, number);
        return isRight;
      };
      if (!segments.conditions.empty()) {
        Value isRight =
            createAll(name + "_value", items, LevelKind::Unroll, compute)
                .getResult(0);
        put(both(get(threadsRight, x), isRight), threadsRight, x);
        return;
      }
      ForOp steps = createLoop(name + "_value", b.getIndexAttr(items),
                               ForKind::Parallel, {}, LevelKind::Unroll);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(steps.getBodyBlock()->getTerminator());
      (void)compute(steps.getInductionVar());
    });
  });
}

/// The first of `count` ends on chip, from number `from` on, that is not before
/// `place`.
Value SegmentWriter::findFirstEnd(Value from, Value count, Value place) {
  ValueRange found = createWhile(
      b, loc, {from, count},
      [&](ValueRange now) { return isLess(half(0), now[1]); },
      [&](ValueRange now) {
        Value part = arith::ShRUIOp::create(b, loc, now[1], half(1));
        Value middle = add(now[0], part);
        Value isBefore = isLess(get(ends, toIndex(middle)), place);
        Value next = add(middle, half(1));
        return Values{select(isBefore, next, now[0]),
                      select(isBefore, sub(sub(now[1], part), half(1)), part)};
      });
  return found[0];
}

/// As many places as the threads take at a time. Each goes over neighbours;
/// what rows came to before its own is found by a scan.
SegmentWriter::State SegmentWriter::createStep(const State &state,
                                               const Window &window) {
  computeValues(state, window);
  // Numbers within the window are small.
  Value count = least(sub(window.stop, state.place), word(tile));
  Value end = toHalf(count), base = toHalf(sub(state.place, window.base));
  Value firstRow = toHalf(sub(state.row, window.firstRow));
  Value rowsLeft = sub(toHalf(window.rows), firstRow);
  Values seeds = {half(0)};
  llvm::append_range(seeds, neutrals);
  ForOp scan = createLoop(name + "_fold", b.getIndexAttr(kSegmentThreads),
                          ForKind::Scan, seeds, LevelKind::Thread);
  buildPartCombiner(scan);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(scan.getBodyBlock()->getTerminator());
    Value from = mul(toHalf(scan.getInductionVar()), half(items));
    Value begun = least(from, end);
    Value ownRow =
        findFirstEnd(firstRow, least(rowsLeft, begun), add(base, begun));
    Values start = {ownRow};
    llvm::append_range(start, neutrals);
    llvm::append_range(start, neutrals);
    auto walk =
        scf::ForOp::create(b, loc, index(0), index(items), index(1), start);
    walkPlaces(walk, {from, end, base, firstRow, ownRow});
    Value ended = sub(walk.getResult(0), ownRow);
    Values part = {ended};
    llvm::append_range(part, walk.getResults().slice(1, types.size()));
    auto prefix = PrefixOp::create(b, loc, ValueRange(part).getTypes(), part,
                                   /*exclusive=*/true);
    Values before = joinParts(state.carry, prefix.getResult(0),
                              prefix.getResults().drop_front());
    put(join(before, walk.getResults().drop_front(1 + types.size())), results,
        toIndex(sub(ownRow, firstRow)), isLess(half(0), ended));
  }
  finishRows(state, toIndex(scan.getResult(0)));
  State next;
  next.row = add(state.row, toWord(scan.getResult(0)));
  next.place = add(state.place, count);
  next.carry =
      joinParts(state.carry, scan.getResult(0), scan.getResults().drop_front());
  return next;
}

/// Fills the loop over the places of a thread, which carries the row, what it
/// came to so far and what the first one came to that ended here.
void SegmentWriter::walkPlaces(scf::ForOp walk, const Walk &own) {
  OpBuilder::InsertionGuard guard(b);
  Block *body = walk.getBody();
  if (!body->empty())
    b.eraseOp(body->getTerminator());
  b.setInsertionPointToEnd(body);
  ValueRange now = walk.getRegionIterArgs();
  Value row = now[0];
  ValueRange part = now.slice(1, types.size()),
             head = now.drop_front(1 + types.size());
  Value place = add(own.from, toHalf(walk.getInductionVar()));
  auto choose = [&](Value condition, function_ref<Values()> yes,
                    function_ref<Values()> no) {
    auto branch = scf::IfOp::create(b, loc, now.getTypes(), condition,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard inside(b);
    b.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(b, loc, yes());
    b.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(b, loc, no());
    return Values(branch.getResults());
  };
  auto endRow = [&] {
    Value isFirst = isEqual(row, own.row);
    put(part, results, toIndex(sub(row, own.firstRow)), isLess(own.row, row));
    Values next = {add(row, half(1))};
    llvm::append_range(next, neutrals);
    llvm::append_range(next, select(isFirst, part, head));
    return next;
  };
  auto addValue = [&] {
    Values next = {row};
    Value at = toIndex(sub(place, sub(row, own.firstRow)));
    llvm::append_range(next, join(part, get(values, at)));
    llvm::append_range(next, head);
    return next;
  };
  Values next = choose(
      isLess(place, own.end),
      [&] {
        Value isEnd = isAtMost(get(ends, toIndex(row)), add(own.base, place));
        return choose(isEnd, endRow, addValue);
      },
      [&] { return Values(now); });
  scf::YieldOp::create(b, loc, next);
}

/// Stores what rows came to, each by one thread.
void SegmentWriter::finishRows(const State &state, Value count) {
  auto loop = scf::ForOp::create(
      b, loc, index(0), ceilDiv(count, index(kSegmentThreads)), index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  forThreads("_rest", [&](Value x) {
    Value number = add(mul(loop.getInductionVar(), index(kSegmentThreads)), x);
    ifTrue(isLess(number, count), [&] {
      Value row = add(state.row, toWord(number));
      Values own = get(results, number);
      // Blocks before may have a part of the first one.
      auto branch = scf::IfOp::create(b, loc, isEqual(row, headRow),
                                      /*withElseRegion=*/true);
      OpBuilder::InsertionGuard inside(b);
      b.setInsertionPoint(branch.thenYield());
      put(own, heads, block);
      b.setInsertionPoint(branch.elseYield());
      cloneRest(row, own);
    });
  });
}
